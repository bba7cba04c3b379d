"""A well-formed and lawful configuration: frozen values, amounts in cents."""

from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from controller.catalogue import Language
from controller.config.profile import GameName, Profile
from controller.core.choices import Delivery
from controller.core.jackpot_rules import JackpotRules
from controller.core.linked_rules import LinkedRules
from controller.core.words import Cents, Device
from controller.devices.device_kinds import Protocol as Protocol
from controller.journal.note import NoteKey


@unique
class PartKind(StrEnum):
    """A part on single lines of the computer, or one that types: it proves nothing and is asked nothing."""

    LAMP = "lamp"
    BUZZER = "buzzer"
    KEY_SWITCH = "key_switch"
    BADGE_READER = "badge_reader"

    @property
    def is_line(self) -> bool:
        return self is not PartKind.BADGE_READER

    @property
    def protocol(self) -> str:
        """How it is spoken to: there is one way for each."""
        return "gpio" if self.is_line else "hid"


@unique
class Tracks(StrEnum):
    """The things at the table that the controller follows."""

    CARDS = "cards"
    HANDS = "hands"  # and bets, decisions, money
    SPINS = "spins"  # of a wheel, and chips
    BETS = "bets"  # and what lies on the cloth, and what it is paid


TRACKS_OF: Final = {
    GameName.BLACKJACK: (Tracks.CARDS, Tracks.HANDS),
    GameName.ROULETTE: (Tracks.SPINS, Tracks.BETS),
}
"""What a table of each game can follow; where nothing is said, the first."""


@dataclass(frozen=True, slots=True)
class TableConfig:
    id: str
    profile: str
    decks: int
    seats: int
    minimum_bet: Cents
    maximum_bet: Cents
    currency: str
    language: Language
    simulated: bool
    tracks: Tracks
    delivery: Delivery
    smallest_chip: Cents
    chip_values: tuple[Cents, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """One device. `serial_number`, `model` None: whichever device of its kind answers at the port.

    What follows them is for the wire format that knows it; None: as that format usually has it.
    """

    kind: Device
    port: str
    protocol: Protocol
    serial_number: str | None
    model: str | None = None
    approved_firmware: tuple[str, ...] = ()
    baud_rate: int | None = None
    framing: str | None = None
    checksum: bool | None = None
    read_back: bool | None = None
    command_checksum: str | None = None
    paired: bool = False  # it shares a key with this table, and proves it in each frame


@dataclass(frozen=True, slots=True)
class PartConfig:
    """One lamp, buzzer, key switch or badge reader. `line`: of the chip at `port`; None for the reader."""

    kind: PartKind
    port: str
    line: int | None
    active_low: bool


@unique
class Screen(StrEnum):
    """The table's own screens that the panel knows in millimetres; on any other it goes by the browser's."""

    SEVEN_INCH = "7in"
    TEN_INCH = "10in"


@dataclass(frozen=True, slots=True)
class PanelConfig:
    """How the web panel is served. `certificate`: a PEM file with key and chain; None: no TLS, loopback alone.

    `names`: the host names that browsers know it by, beside its address.
    """

    listen: str
    port: int
    certificate: Path | None
    names: tuple[str, ...]
    screen: Screen
    languages: tuple[Language, ...]


@dataclass(frozen=True, slots=True)
class WitnessConfig:
    """A witness that is asked to sign how far the journal goes, and where it answers."""

    key: NoteKey
    url: str


@dataclass(frozen=True, slots=True)
class UplinkConfig:
    """The floor to which the table's entries are carried. `authority`: a PEM file of those who sign its certificate;
    `certificate`: one with the key and the certificate of this table; `witness`: the floor's key as one.
    """

    host: str
    port: int
    authority: Path
    certificate: Path
    witnesses: tuple[WitnessConfig, ...] = ()
    witness: str | None = None


@dataclass(frozen=True, slots=True)
class LinkedConfig:
    """The linked pool for which the table's jackpot chips play, and the key of the floor that has it."""

    rules: LinkedRules
    floor: NoteKey


@dataclass(frozen=True, slots=True)
class Config:
    """A whole configuration. Its paths are taken from where the file lies.

    `socket` and `state` are None where the file leaves them open; `names_kept_days`: how long the name of somebody who
    has left stays with the number, None where the casino has set nothing; `digest` is SHA-256 over the content,
    `values` are the keys with their values.
    """

    file: Path
    table: TableConfig
    profile: Profile
    devices: tuple[DeviceConfig, ...]
    journal: Path
    journal_second_copy: Path | None
    staff: Path
    socket: Path | None
    state: Path | None
    digest: str
    values: tuple[tuple[str, str], ...]
    panel: PanelConfig
    parts: tuple[PartConfig, ...] = ()
    jackpot: JackpotRules | None = None
    uplink: UplinkConfig | None = None
    linked: LinkedConfig | None = None
    names_kept_days: int | None = None

    @property
    def witnesses(self) -> tuple[NoteKey, ...]:
        """The keys of the witnesses whose lines under the table's mark are kept."""
        return () if self.uplink is None else tuple(one.key for one in self.uplink.witnesses)

    def device(self, kind: Device) -> DeviceConfig | None:
        """The device of this kind, if the table has one."""
        return next((device for device in self.devices if device.kind is kind), None)
