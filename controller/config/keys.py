"""The table of keys: every section and key of a configuration, its type, its default, and a flag for a required key.

A reader gets the value from the file and returns the converted value, or `Wrong` with the reason. The catalogue has the
sentence that names the right value under `config.right.<section>.<key>`. All sections of devices share the same
sentences.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from ipaddress import ip_address
from typing import Final, TypeAlias

from msgspec import Struct, field

from controller.catalogue import Language
from controller.config.model import PartKind, Screen, Tracks
from controller.config.problems import Said, did_you_mean, shown
from controller.config.profile import PROFILES, GameName
from controller.core.choices import Delivery
from controller.core.jackpot_rules import PRIZE, Marking
from controller.core.linked_rules import BetsWhenAway, SignShows
from controller.core.words import Device
from controller.devices.device_kinds import KINDS, Protocol
from controller.journal.errors import CodecError
from controller.journal.note import KeyKind, read_key
from drivers.serial_port import Framing
from drivers.tcp_port import SOCKET, socket_address
from drivers.usb_name import USB, USB_URL
from firmware_protocols.angel_eye.framing import ChecksumRule

Value: TypeAlias = str | int | tuple[str, ...] | None


class Wrong(Struct, frozen=True, gc=False):
    """The reason why a value is not well-formed.

    `right`: the sentence that names the right value; None for the usual sentence of the key.
    """

    wrong: Said
    right: Said | None = None


Reader: TypeAlias = Callable[[object], Value | Wrong]


def integer(value: object) -> int | Wrong:
    """Reads a whole number of at most nine digits. Returns `Wrong` for any other value."""
    if isinstance(value, bool) or not isinstance(value, int):
        return wrong_type(value)
    return value if abs(value) < 10**9 else wrong_value(value)


def flag(value: object) -> bool | Wrong:
    return value if isinstance(value, bool) else wrong_type(value)


BAUD_RATES: Final = (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)


def baud_rate(value: object) -> int | Wrong:
    """Reads one of the usual baud rates of a serial line. Returns `Wrong` for any other value."""
    rate = integer(value)
    return rate if isinstance(rate, Wrong) or rate in BAUD_RATES else wrong_value(value)


def witness_key(value: object) -> str | Wrong:
    """Reads the public key of a witness for cosignatures, in C2SP's note-key format. Returns `Wrong` for any other
    text.
    """
    from controller.journal.errors import CodecError  # with cryptography, which few tables need for this
    from controller.journal.note import KeyKind, read_key

    if not isinstance(value, str):
        return wrong_type(value)
    try:
        return value if read_key(value).kind is KeyKind.COSIGNATURE else wrong_value(value)
    except CodecError:
        return wrong_value(value)


LINES: Final = 64
"""The most lines of one GPIO chip; a Raspberry Pi's header has 28."""


def line(value: object) -> int | Wrong:
    """Reads the number of a line of a GPIO chip, from 0 to LINES - 1."""
    number = integer(value)
    return number if isinstance(number, Wrong) or 0 <= number < LINES else wrong_value(value)


_TWO_DECIMALS: Final = re.compile(r"-?[0-9]{1,9}\.[0-9]{2}")


def money(value: object) -> int | Wrong:
    """Reads cents from a whole number of currency units, or from a text with exactly two decimals. Returns `Wrong` for
    any other value, including a float.
    """
    match value:
        case float():
            return Wrong(Said("config.wrong.float", (("value", shown(value)),)))
        case str() if _TWO_DECIMALS.fullmatch(value):
            return int(value.replace(".", ""))
        case str():
            return wrong_value(value)
        case _:
            units = integer(value)
            return units if isinstance(units, Wrong) else units * 100


def text(pattern: str) -> Reader:
    """Makes a reader that accepts a text if `pattern` matches the whole of it."""
    compiled = re.compile(pattern)

    def read(value: object) -> str | Wrong:
        if not isinstance(value, str):
            return wrong_type(value)
        return value if compiled.fullmatch(value) else wrong_value(value)

    return read


def choice(known: Sequence[str]) -> Reader:
    """Makes a reader that accepts the words in `known`. For any other word, its `Wrong` suggests a similar one."""

    def read(value: object) -> str | Wrong:
        if not isinstance(value, str):
            return wrong_type(value)
        return value if value in known else Wrong(wrong_value(value).wrong, did_you_mean(value, known))

    return read


def several(read: Reader, most: int = 8) -> Reader:
    """Makes a reader that accepts a list of 1 to `most` different values if `read` accepts each of them."""

    def read_list(value: object) -> tuple[str, ...] | Wrong:
        if not isinstance(value, list):
            return wrong_type(value)
        found = [read(item) for item in value]
        if wrong := next((item for item in found if isinstance(item, Wrong)), None):
            return wrong
        texts = tuple(str(item) for item in found)
        return texts if 0 < len(texts) <= most and len(set(texts)) == len(texts) else wrong_value(value)

    return read_list


MOST_WITNESSES: Final = 4
"""The most witnesses of a table, since the uplink has one thread for each witness."""

MOST_PRIZES: Final = 24
MOST_VALUES: Final = 12
_PERCENT: Final = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4})?")


def percent(value: object) -> str | Wrong:
    """Reads a percentage from a whole number, or from a text with at most four decimals, and returns it as text.
    Returns `Wrong` for any other value, including a float.
    """
    match value:
        case float():
            return Wrong(Said("config.wrong.float", (("value", shown(value)),)))
        case int() if not isinstance(value, bool):
            return percent(str(value))
        case str():
            return value if _PERCENT.fullmatch(value) else wrong_value(value)
        case _:
            return wrong_type(value)


def address(value: object) -> str | Wrong:
    """Reads a numeric IP address, of this or of another computer."""
    if not isinstance(value, str):
        return wrong_type(value)
    try:
        return str(ip_address(value))
    except ValueError:
        return wrong_value(value)


def tcp_port(value: object) -> int | Wrong:
    """Reads the number of a TCP port, 0 to 65535. With 0 the system chooses a free port."""
    number = integer(value)
    return number if isinstance(number, Wrong) or 0 <= number < 65_536 else wrong_value(value)


def days(value: object) -> int | Wrong:
    """Reads a number of days, from 0 to 36525 (a hundred years)."""
    number = integer(value)
    return number if isinstance(number, Wrong) or 0 <= number <= 36_525 else wrong_value(value)


_URL: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://.*")
_UNSTABLE: Final = re.compile(r"/dev/(tty(USB|ACM)|gpiochip|hidraw|input/event|bus/usb/).*")
"""Port names that may belong to another device after the plugs are changed."""


def port(value: object) -> str | Wrong:
    """Reads a port: a device file's absolute path that survives replugging, `usb://VID:PID/SERIAL`, or
    `socket://host:port`.
    """
    if not isinstance(value, str):
        return wrong_type(value)
    url = _URL.fullmatch(value)
    if url is None:
        return _path_of_port(value)
    if url[1].lower() == USB:
        return value if USB_URL.fullmatch(value) else Wrong(wrong_value(value).wrong, Said("config.right.port-usb"))
    if url[1].lower() == SOCKET:
        return value if socket_address(value) else Wrong(wrong_value(value).wrong, Said("config.right.port-socket"))
    return Wrong(Said("config.wrong.url", (("value", shown(value)),)))


def _path_of_port(value: str) -> str | Wrong:
    if not re.fullmatch(r"/[^\x00-\x1f]{1,254}", value):
        return wrong_value(value)
    if _UNSTABLE.fullmatch(value):
        return Wrong(Said("config.wrong.port-unstable", (("value", shown(value)),)), Said("config.right.port-unstable"))
    return value


_WITNESS: Final = re.compile(r"(\S{1,300}) (https?://[!-~]{1,200})")


def witness(value: object) -> str | Wrong:
    """Reads a witness as text: the witness's public key for cosignatures in C2SP's note-key format, a space, and the
    URL.
    """
    if not isinstance(value, str):
        return wrong_type(value)
    found = _WITNESS.fullmatch(value)
    try:
        key = None if found is None else read_key(found[1])
    except CodecError:
        key = None
    return wrong_value(value) if key is None or key.kind is not KeyKind.COSIGNATURE else value


def wrong_type(value: object) -> Wrong:
    return Wrong(Said("config.wrong.type", (("value", shown(value)), ("type", _type_word(value)))))


def wrong_value(value: object) -> Wrong:
    return Wrong(Said("config.wrong.value", (("value", shown(value)),)))


def _type_word(value: object) -> str:
    kinds = (
        (bool, "flag"),
        (int, "integer"),
        (float, "float"),
        (str, "text"),
        (list, "list"),
        (dict, "table"),
    )
    return next((word for kind, word in kinds if isinstance(value, kind)), "date")


class Key(Struct, frozen=True):
    """One key of the file, `section.name`, with the reader of its value. `default`: the value of a key that is not
    `required` and that the file leaves out.
    """

    section: str
    name: str
    read: Reader
    required: bool = True
    default: Value = None
    otherwise: Mapping[GameName, Value] = field(default_factory=dict)  # the default at a table of this game

    @property
    def path(self) -> str:
        return f"{self.section}.{self.name}"

    @property
    def right(self) -> Said:
        """The sentence that names the right value, not translated yet."""
        section = "devices" if self.section.startswith("devices.") else self.section
        return Said(f"config.right.{section}.{self.name}")


_PATH: Final = text(r"[^\x00-\x1f]{1,4096}")
_SOCKET: Final = text(r"[^\x00-\x1f]{1,107}")  # the room in a Unix socket's address
_SERIAL: Final = text(r"[!-~]{1,16}")  # the name that the device reports
_VERSIONS: Final = text(r"[!-+\--~]{1,16}(, ?[!-+\--~]{1,16}){0,7}")

WIRE_OPTIONS: Final[Mapping[Protocol, tuple[tuple[str, Reader], ...]]] = {
    Protocol.TDP: (("paired", flag),),
    Protocol.ALPHA: (("framing", choice(tuple(Framing))), ("checksum", flag), ("read_back", flag)),
    Protocol.ANGEL_EYE: (("command_checksum", choice(tuple(ChecksumRule))),),
}
"""The keys of a device's section that belong to one wire format alone, each with its reader."""

KEYS: Final = (
    Key("table", "id", text(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}")),
    Key("table", "profile", choice(PROFILES)),
    Key("table", "profile_file", _PATH, required=False),
    Key("table", "decks", integer, otherwise={GameName.ROULETTE: 0}),
    Key("table", "seats", integer),
    Key("table", "minimum_bet", money),
    Key("table", "maximum_bet", money),
    Key("table", "currency", text(r"[A-Z]{3}"), required=False, default="EUR"),
    Key("table", "language", choice(tuple(Language)), required=False, default="pt"),
    Key("table", "simulated", flag, required=False, default=False),
    Key(
        "table",
        "tracks",
        choice(tuple(Tracks)),
        required=False,
        default=Tracks.CARDS,
        otherwise={GameName.ROULETTE: Tracks.SPINS},
    ),
    Key("table", "delivery", choice(tuple(Delivery)), required=False, default=Delivery.EJECTS),
    Key("table", "smallest_chip", money, required=False),
    Key("table", "chip_values", several(money, MOST_VALUES), required=False),
    *(
        key
        for device in Device
        for key in (
            Key(f"devices.{device.value}", "port", port),
            Key(f"devices.{device.value}", "protocol", choice(KINDS[device].protocols)),
            Key(f"devices.{device.value}", "serial_number", _SERIAL, required=False),
            Key(f"devices.{device.value}", "model", _SERIAL, required=False),
            Key(f"devices.{device.value}", "approved_firmware", _VERSIONS, required=False),
            Key(f"devices.{device.value}", "baud_rate", baud_rate, required=False),
        )
    ),
    *(
        Key(f"devices.{row.device.value}", name, read, required=False)
        for row in KINDS.values()
        for protocol in row.protocols
        for name, read in WIRE_OPTIONS.get(protocol, ())
    ),
    *(Key(f"devices.{part.value}", "port", port) for part in PartKind),
    *(
        Key(f"devices.{part.value}", "protocol", choice((part.protocol,)), required=False, default=part.protocol)
        for part in PartKind
    ),
    *(Key(f"devices.{part.value}", "line", line) for part in PartKind if part.is_line),
    *(Key(f"devices.{part.value}", "active_low", flag, required=False) for part in PartKind if part.is_line),
    Key("jackpot", "marking", choice(tuple(Marking))),
    Key("jackpot", "bet", money),
    Key("jackpot", "rate", percent),
    Key("jackpot", "start", money),
    Key("jackpot", "reset", money, required=False),
    Key("jackpot", "prizes", several(text(PRIZE), MOST_PRIZES)),
    Key("jackpot", "reserve_rate", percent, required=False, default="0"),
    Key("jackpot", "limit", money, required=False),
    Key("jackpot", "pay_by_hand_from", money, required=False),
    Key("jackpot", "communication", text(r"[^\x00-\x1f]{1,80}")),
    Key("linked", "pool", text(r"[a-z0-9][a-z0-9-]{0,31}")),
    Key("linked", "currency", text(r"[A-Z]{3}")),
    Key("linked", "floor", witness_key),
    Key("linked", "combination", text(r"[A-Za-z0-9-]{3,40}")),
    Key("linked", "away_after", integer),
    Key("linked", "bets_when_away", choice(tuple(BetsWhenAway))),
    Key("linked", "sign", choice(tuple(SignShows)), required=False, default=SignShows.OWN),
    Key("journal", "path", _PATH),
    Key("journal", "second_copy", _PATH, required=False),
    Key("journal", "words_kept_days", days, required=False),
    Key("staff", "path", _PATH),
    Key("staff", "names_kept_days", days, required=False),
    Key("controller", "socket", _SOCKET, required=False),
    Key("controller", "state", _PATH, required=False),
    Key("uplink", "address", text(r"([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:]{2,45}\]):[0-9]{1,5}")),
    Key("uplink", "authority", _PATH),
    Key("uplink", "certificate", _PATH),
    Key("uplink", "witnesses", several(witness, MOST_WITNESSES), required=False),
    Key("uplink", "witness", witness_key, required=False),
    Key("panel", "listen", address, required=False, default="127.0.0.1"),
    Key("panel", "port", tcp_port, required=False, default=8021),
    Key("panel", "certificate", _PATH, required=False),
    Key("panel", "names", several(text(r"[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?")), required=False),
    Key("panel", "screen", choice(tuple(Screen)), required=False, default="10in"),
    Key("panel", "languages", several(choice(tuple(Language))), required=False),
)

SECTIONS: Final = tuple(dict.fromkeys(key.section for key in KEYS))
REQUIRED_SECTIONS: Final = ("table", "journal", "staff")
