"""The values of a configuration without problems, frozen, with amounts in cents."""

from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from msgspec import Struct

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
    """The kind of a simple part, which cannot say who it is: on a GPIO line of the computer, or a reader that types as
    a keyboard.
    """

    LAMP = "lamp"
    BUZZER = "buzzer"
    KEY_SWITCH = "key_switch"
    BADGE_READER = "badge_reader"

    @property
    def is_line(self) -> bool:
        return self is not PartKind.BADGE_READER

    @property
    def protocol(self) -> str:
        """The only protocol of this part."""
        return "gpio" if self.is_line else "hid"


@unique
class Tracks(StrEnum):
    """The part of the play that the controller follows."""

    CARDS = "cards"
    HANDS = "hands"  # with bets, decisions and money
    SPINS = "spins"  # of a wheel, with chips
    BETS = "bets"  # spins, with the stakes on the cloth and their payments


TRACKS_OF: Final = {
    GameName.BLACKJACK: (Tracks.CARDS, Tracks.HANDS),
    GameName.ROULETTE: (Tracks.SPINS, Tracks.BETS),
}
"""The levels of detail in which a table of each game can be followed; the first is the default."""


class TableConfig(Struct, frozen=True, gc=False):
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


class DeviceConfig(Struct, frozen=True, gc=False):
    """One device. `serial_number`, `model`: None accepts any. `approved_firmware`: the versions that may replace each
    other without a person's confirmation.

    `framing`, `checksum`, `read_back` and `command_checksum` belong to one wire format each; None stands for the
    format's usual value, as it does for `baud_rate`.
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
    paired: bool = False  # the device and this table have a key in common; the device proves it in each frame


class PartConfig(Struct, frozen=True, gc=False):
    """One lamp, buzzer, key switch or badge reader. `line`: a GPIO line of the chip at `port`; None for the reader."""

    kind: PartKind
    port: str
    line: int | None
    active_low: bool


@unique
class Screen(StrEnum):
    """The screens whose size in millimetres the panel knows; on any other screen the panel uses the browser's size."""

    SEVEN_INCH = "7in"
    TEN_INCH = "10in"


class PanelConfig(Struct, frozen=True):
    """The settings of the web panel. `certificate`: a PEM file with key and chain; None: no TLS, this computer alone.

    `names`: the host names in the browsers' requests, beside the address.
    """

    listen: str
    port: int
    certificate: Path | None
    names: tuple[str, ...]
    screen: Screen
    languages: tuple[Language, ...]


class WitnessConfig(Struct, frozen=True, gc=False):
    """A witness that signs how far the journal goes: its key and its URL."""

    key: NoteKey
    url: str


class UplinkConfig(Struct, frozen=True):
    """The floor that gets the table's entries. `authority`: a PEM file of the issuers of the floor's certificate;
    `certificate`: a PEM file with this table's key and certificate.

    `witnesses`: the witnesses besides the floor; `witness`: the floor's own key as a witness, None where the floor
    signs no marks.
    """

    host: str
    port: int
    authority: Path
    certificate: Path
    witnesses: tuple[WitnessConfig, ...] = ()
    witness: str | None = None


class LinkedConfig(Struct, frozen=True, gc=False):
    """The linked pool for which the table's jackpot chips play, and the key of the pool's floor."""

    rules: LinkedRules
    floor: NoteKey


class Config(Struct, frozen=True):
    """A whole configuration. Relative paths of the file are joined with the file's directory, except in `values`.

    `socket` and `state` are None where the file does not name them. `names_kept_days`, `words_kept_days`: the days for
    which a former person's name, and the words that a person typed, are kept; None where the casino has set none.
    `digest`: SHA-256 of the values with defaults. `values`: each key that has a value, as text.
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
    words_kept_days: int | None = None

    @property
    def witnesses(self) -> tuple[NoteKey, ...]:
        """The public keys of the configured witnesses, whose signatures under the table's mark the controller keeps."""
        return () if self.uplink is None else tuple(one.key for one in self.uplink.witnesses)

    def device(self, kind: Device) -> DeviceConfig | None:
        """The device of this kind; None where the table has none."""
        return next((device for device in self.devices if device.kind is kind), None)
