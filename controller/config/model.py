"""The types of a configuration without problems: frozen values, with amounts in cents."""

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
    """The kind of a simple part, which cannot identify itself: a lamp, buzzer or key switch at a GPIO line of the
    computer, or a badge reader that types like a keyboard.
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
        """The protocol of the part. Each kind of part has only one."""
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
    """The configuration of one device. `serial_number`, `model`: None accepts any. `approved_firmware`: versions that
    may replace each other without a person's confirmation.

    `framing`, `checksum` and `read_back` belong to one protocol, `command_checksum` to another. None in these four, or
    in `baud_rate`, means the protocol's usual value.
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
    """The configuration of one lamp, buzzer, key switch or badge reader. `line`: the line of the GPIO chip at `port`;
    None for a badge reader.
    """

    kind: PartKind
    port: str
    line: int | None
    active_low: bool


@unique
class Screen(StrEnum):
    """A screen whose size in millimetres the panel knows.

    For any other screen the panel uses the size that the browser reports.
    """

    SEVEN_INCH = "7in"
    TEN_INCH = "10in"


class PanelConfig(Struct, frozen=True):
    """The settings of the web panel. `certificate`: a PEM file with key and chain; None for no TLS, which is permitted
    only within this computer. `names`: the host names that a browser's request may have, besides the address.
    """

    listen: str
    port: int
    certificate: Path | None
    names: tuple[str, ...]
    screen: Screen
    languages: tuple[Language, ...]


class WitnessConfig(Struct, frozen=True, gc=False):
    """A witness, which signs how far the journal goes. `key`: the witness's public key; `url`: its URL."""

    key: NoteKey
    url: str


class UplinkConfig(Struct, frozen=True):
    """The floor to which the uplink sends the table's entries. `authority`: a PEM file with the issuers of the floor's
    certificate; `certificate`: a PEM file with this table's key and certificate.

    `witnesses`: the witnesses other than the floor. `witness`: the floor's own key as a witness; None if the floor
    signs no marks.
    """

    host: str
    port: int
    authority: Path
    certificate: Path
    witnesses: tuple[WitnessConfig, ...] = ()
    witness: str | None = None


class LinkedConfig(Struct, frozen=True, gc=False):
    """The rules of the linked pool of the table's jackpot chips, and the public key of the pool's floor."""

    rules: LinkedRules
    floor: NoteKey


class Config(Struct, frozen=True):
    """A whole configuration. Relative paths are joined with the file's directory, except in `values`.

    `socket`, `state`: None if the file does not name them. `names_kept_days`, `words_kept_days`: the days for which a
    former person's name, and the words that a person typed, are kept; None if the casino has set no limit. `digest`:
    the SHA-256 of all values with defaults. `values`: each key that has a value, with the value as text.
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
        """The public keys of the configured witnesses. The controller keeps their signatures of the table's mark."""
        return () if self.uplink is None else tuple(one.key for one in self.uplink.witnesses)

    def device(self, kind: Device) -> DeviceConfig | None:
        """The device of the kind `kind`. None if the table has no such device."""
        return next((device for device in self.devices if device.kind is kind), None)
