"""The means of a check beside the line: a person or a rig who touches the device, and the maker's statement, which
lists the device's parts.
"""

import tomllib
from collections.abc import Callable
from enum import StrEnum
from typing import Final, Protocol

from msgspec import Struct, field

from firmware_protocols.tdp.schema import DeviceKind


class Deed(StrEnum):
    """A physical act at a device. The value of a deed is the word sent to a rig; people read a sentence of the
    catalogue.
    """

    POWER = "power"  # off and on again
    FORGET = "forget"  # off, its kept numbers spoilt, and on again
    LOAD = "load"  # ten cards are put where the device takes cards from
    DRAW = "draw"  # a hand tries to draw a card
    LID_OPEN = "lid-open"
    LID_CLOSE = "lid-close"
    JAM = "jam"  # a card sticks for good
    CLEAR = "clear"  # the stuck card is taken out
    EVENT = "event"  # an event is caused: a card at a reader, a chip, a lid opened and closed, a display's fault
    FAULT = "fault"  # the reader or panel is made to fail
    MEND = "mend"
    PAIR = "pair"  # the switch inside the device is turned on, so that it takes a key


class Bench(Protocol):
    """The hands at the device: a person's, or a rig's.

    `is_quick`: True if device and line are simulated, so that deeds and frames take no time.
    """

    is_quick: bool

    def do(self, deed: Deed, times: int, meanwhile: Callable[[], None]) -> bool:
        """Does `deed` `times` times, and calls `meanwhile` while this takes time. Returns False if the deed cannot be
        done.
        """


class Nobody:
    """A bench for a device that no person or rig can touch: every deed fails (satisfies `Bench`)."""

    is_quick = False

    def do(self, _deed: Deed, _times: int, _meanwhile: Callable[[], None]) -> bool:
        return False


PARTS: Final = ("lock", "lid", "path_sensors", "recount")


class Statement(Struct, frozen=True):
    """The contents of the maker's `conformance.toml`. A text is None if the file lacks it.

    `parts`: the parts named in the file, each True if the device has it. A part that the file does not name is present.
    """

    kind: str | None = None
    protocol: str | None = None
    model: str | None = None
    firmware: str | None = None
    parts: dict[str, bool] = field(default_factory=dict)

    def has(self, part: str) -> bool:
        return self.parts.get(part, True)


class BadStatement(ValueError):  # noqa: N818 (the name says what is wrong)
    """The text is no valid `conformance.toml`. `where`: the wrong keys or, if the text is no valid TOML, the fault in
    words.
    """

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


def read_statement(text: str) -> Statement:
    """The maker's statement in `text`, the content of a `conformance.toml`. Raises BadStatement."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadStatement(f"{error}") from error
    parts = given.pop("has", {})
    names = ("kind", "protocol", "model", "firmware")
    if unknown := sorted(set(given) - set(names)):
        raise BadStatement(", ".join(unknown))
    if not isinstance(parts, dict) or not all(isinstance(one, str) for one in given.values()):
        raise BadStatement("kind, protocol, model, firmware: text; has: a table")
    if wrong := sorted(name for name, is_there in parts.items() if name not in PARTS or not isinstance(is_there, bool)):
        raise BadStatement(f"has.{wrong[0]}")
    return Statement(**given, parts=parts)


def kind_name(kind: DeviceKind) -> str:
    """The name of a kind of device, on the command line and in a maker's statement."""
    return kind.name.lower().replace("_", "-")
