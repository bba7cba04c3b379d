"""Makes the directory of a simulated table: its configuration, its staff with new PINs, and its paths."""

import json
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.catalogue import Language
from controller.config.profile import GAME_OF, GameName
from controller.config.profile_file import law
from controller.core.jackpot_rules import Marking
from controller.core.words import Device, Role
from controller.staff import HashCost, StaffBook, save_staff
from controller.staff.common_pins import is_common
from simulators.demo.options import DemoOptions
from simulators.demo.parts import part_links, part_sections
from simulators.kit import decks_of
from simulators.spoken import SpokenError

CHEAP: Final = HashCost(memory_kib=8, time_cost=1, parallelism=1)
"""A cheap hash, since a simulated table's PINs protect nothing; the staff file names its cost as at a real table."""

SEATS: Final = 7

JACKPOT: Final = (
    'bet = "1.00"',
    'rate = "80"',
    "start = 10_000",
    "reset = 12_000",
    "limit = 15_000",
    'pay_by_hand_from = "500.00"',
    'prizes = ["1 X-X-suited 20.00", "2 X-X-same 10%", "3 X-X-X-suited rest"]',
    'communication = "demo"',
)
"""A jackpot with frequent combinations: a third of the players win, and the pool is reset every few rounds."""


class DirectoryInUseError(SpokenError):
    """The directory already contains a table."""


class Somebody(Struct, frozen=True):
    """A member of a simulated table's staff, with the PIN in plain text."""

    number: int
    name: str
    role: Role
    pin: str

    @property
    def badge(self) -> str:
        """The number that the badge reader types for this person's badge."""
        return f"4F00{self.number:04d}"


PEOPLE: Final = (
    (11, "A. Costa", Role.DEALER),
    (12, "B. Reis", Role.DEALER),
    (21, "C. Lima", Role.CHIEF_SUPERVISOR),
    (22, "D. Matos", Role.CHIEF_SUPERVISOR),
    (31, "E. Pinto", Role.ROOM_MANAGER),
    (41, "F. Nunes", Role.TECHNICIAN),
    (51, "G. Serra", Role.TABLE_INSPECTOR),
)
"""Number, name and role. A page shows the name in the language of its browser, whichever that of the terminal is: so
these are people's names, and not words such as "you"."""

DEALER, DEALER_GUEST, CHIEF, CHIEF_GUEST, MANAGER, TECHNICIAN, INSPECTOR = (number for number, _name, _role in PEOPLE)

GUESTS: Final = {Role.DEALER: DEALER_GUEST, Role.CHIEF_SUPERVISOR: CHIEF_GUEST}
"""The posts that a visitor can take, each with the visitor's number."""


class House(Struct, frozen=True):
    """The paths of one simulated table, and its staff by number."""

    directory: Path
    people: Mapping[int, Somebody]
    profile: str

    @property
    def decks(self) -> int:
        return decks_of(self.profile)

    @property
    def config(self) -> Path:
        return self.directory / "table.toml"

    @property
    def staff(self) -> Path:
        return self.directory / "staff.toml"

    @property
    def journal(self) -> Path:
        return self.directory / "journal"

    @property
    def export(self) -> Path:
        return self.directory / "journal.export"

    @property
    def socket(self) -> Path:
        return self.directory / "control.sock"

    @property
    def log(self) -> Path:
        return self.directory / "controller.log"

    @property
    def part_links(self) -> Mapping[str, Path]:
        """The paths of the links to lamp, buzzer, key switch and badge reader, by the part's name."""
        return part_links(self.directory)

    def link(self, device: Device) -> Path:
        """Returns the path of the link to the device's pseudo-terminal."""
        return self.directory / f"tty-{device.value}"


NO_JACKPOT: Final = "none"


def markings_at(profile: str) -> tuple[str, ...]:
    """Returns the allowed values of `--jackpot` for this profile: each way to mark jackpot bets, and NO_JACKPOT. For a
    game without a jackpot, and for an unknown profile, returns only NO_JACKPOT.
    """
    is_known = GAME_OF.get(profile) is GameName.BLACKJACK and law(profile).parameter("jackpot_allowed").value
    return (*Marking, NO_JACKPOT) if is_known else (NO_JACKPOT,)


USUAL: Final = DemoOptions()


def furnish(directory: Path, language: Language, options: DemoOptions = USUAL) -> House:
    """Writes configuration and staff file of a new table with the devices that `options` name, and returns its House.

    Raises DirectoryInUseError, OSError.
    """
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    people = {number: Somebody(number, name, role, _new_pin()) for number, name, role in PEOPLE}
    house = House(directory.resolve(), people, options.profile)
    if house.journal.exists() or house.config.exists():
        raise DirectoryInUseError("directory", path=directory)
    house.config.write_text(_config(house, language, options), "utf-8")
    book = StaffBook(cost=CHEAP)
    for somebody in people.values():
        book = book.with_person(somebody.number, somebody.name, somebody.role, somebody.pin, somebody.badge)
    save_staff(book, house.staff)
    return house


def _new_pin() -> str:
    """Returns a random PIN of six digits that a staff file accepts."""
    while is_common(pin := f"{secrets.randbelow(1_000_000):06d}"):
        pass
    return pin


def _config(house: House, language: Language, options: DemoOptions) -> str:
    sections = [
        "# Written by sabot-sim demo: a simulated table.",
        "[table]",
        f'id = "{options.table}"',
        f'profile = "{house.profile}"',
        f"decks = {house.decks}",
        f"seats = {SEATS}",
        "minimum_bet = 10",
        "maximum_bet = 300",
        'currency = "EUR"',
        f'language = "{language.value}"',
        "simulated = true",
        f'tracks = "{options.tracks.value}"',
    ]
    if options.jackpot is not None:
        sections += ["", "[jackpot]", f'marking = "{options.jackpot.value}"', *JACKPOT]
    for device, protocol in options.protocols.items():
        port = json.dumps(str(house.link(device)))  # a path's JSON form is also its TOML form
        sections += ["", f"[devices.{device.value}]", f"port = {port}", f'protocol = "{protocol}"']
    sections += part_sections(house.directory)
    for section, paths in (
        ("journal", {"path": house.journal}),
        ("staff", {"path": house.staff}),
        ("controller", {"socket": house.socket, "state": house.directory / "state"}),
    ):
        sections += ["", f"[{section}]", *(f"{key} = {json.dumps(str(path))}" for key, path in paths.items())]
    return "\n".join(sections) + "\n" + options.more
