"""The lines that `sabot device watch` prints: each event of a driver as a plain object.

Programs outside this project rely on the names of events and fields, so the names never change. The functions are pure:
one event in, one object out. A `message` is a key of the catalogue, which the printer replaces by the sentence.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct

from controller.devices.device_kinds import TDP_KINDS, device_of
from drivers import events as driver
from drivers.cammegh_driver import WheelStatus
from drivers.unproven import is_unauthenticated
from firmware_protocols.angel_eye import words as angel
from firmware_protocols.cammegh import spins
from firmware_protocols.cards import card_text
from firmware_protocols.tdp import shoe
from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.shuffler import ShufflerEvent, ShufflerStatus

Value: TypeAlias = str | int | bool | None
Line: TypeAlias = dict[str, Value]

_ROWS: Final = {row.made: row for kind in TDP_KINDS.values() for row in kind.schema.events}


def line_of(event: driver.DriverEvent) -> Line | None:
    """Returns the object that `sabot device watch` prints for `event`. Returns None for an event without such an
    object.
    """
    match event:
        case driver.DeviceConnected(identity=who):
            return _line(
                "connected",
                kind=kind_word(who),
                model=who.model,
                serial_number=who.serial,
                firmware=who.firmware,
                boot=who.boot,
                unauthenticated=is_unauthenticated(who),
            )
        case driver.DeviceLost(reason=reason, detail=detail):
            return _line("lost", reason=reason.value, detail=detail)
        case driver.DeviceRefused(what=what, expected=expected, found=found):
            return _line("refused", what=what.value, expected=expected, found=found)
        case driver.EventsMissed(first=first, last=last):
            return _line("events-missed", first=first, last=last)
        case driver.Reported(event=happened, status=status):
            return WORDED.get(type(status), _by_row)(happened, status)
        case driver.StatusHeard() | driver.CommandRefused() | driver.CommandUndone() | driver.CardsMayHavePassed():
            return None
        case _:
            assert_never(event)


def kind_word(who: Identity) -> str:
    """Returns the device's kind as the command line writes it."""
    return device_of(who.kind).value.replace("_", "-")


def rejected(reason: str) -> Line:
    """Returns the object to print for bytes that the driver rejected. `reason`: the word for the fault."""
    return _line("frame-rejected", reason=reason)


def lock_changed(*, locked: bool) -> Line:
    """Returns the object to print for a lock that was opened or closed."""
    return _line("lock-changed", locked=locked)


def of_telegram(telegram: angel.Telegram) -> Line:  # noqa: C901 - one case a telegram
    """Returns the object to print for a telegram of an Angel Eye shoe."""
    match telegram:
        case angel.CardDrawn(card, target, index):
            return _drawn(card, _word(target), index, retransmission=False)
        case angel.CardRetransmitted(card, target, index):
            return _drawn(card, _word(target), index, retransmission=True)
        case angel.CardDrawnOutside(card, reason, index):
            return _line("card-drawn-outside-play", card=card_text(card), reason=_word(reason), index=index)
        case angel.GameEnded(winner, player_pair, banker_pair):
            return _line("result", winner=_word(winner), player_pair=player_pair, banker_pair=banker_pair)
        case angel.ErrorRaised(code, halted):
            return _line("error-raised", code=code, message=_error(code), error_mode=halted)
        case angel.ErrorCleared(code):
            return _line("error-cleared", code=code, message=_error(code))
        case angel.LockChanged(locked):
            return lock_changed(locked=locked)
        case angel.PresetChanged(address, value):
            return _line("preset-changed", address=address, value=value)
        case angel.CutCardDrawn():
            return _line("cut-card")
        case angel.Started():
            return _line("started")
        case angel.StandBy():
            return _line("standby")
        case _:
            assert_never(telegram)


def _of_shuffler(event: ShufflerEvent, status: ShufflerStatus) -> Line:
    figures: Line = {"cards_in": status.cards_in, "cards_out": status.cards_out, "inside": status.inside}
    return _by_row(event, status) | figures


def _of_shoe(event: shoe.ShoeEvent, _status: shoe.ShoeStatus) -> Line:
    match event:
        case shoe.CardPassed(passage, card):
            return _drawn(card, None, passage, retransmission=False)
        case shoe.ReaderErrorRaised(code):
            return _line("error-raised", code=code, message=_reader_error(code))
        case shoe.ReaderErrorCleared(code):
            return _line("error-cleared", code=code, message=_reader_error(code))
        case shoe.ShoeStarted(cause):
            return _line("started", cause=_word(cause))
        case _:
            assert_never(event)


def _of_spin(event: spins.SpinEvent, _status: WheelStatus) -> Line:
    """Returns the object to print for an event of a roulette wheel: its fields, with troubles as one text and warnings
    as a number.
    """
    values = {name: getattr(event, name) for name in event.__struct_fields__}
    if isinstance(event, spins.SpinEnded):
        values["troubles"] = " ".join(one.value for one in event.troubles)
    if isinstance(event, spins.WarningsChanged):
        values["warnings"] = int(event.warnings)
    return _line(spins.WORDS[type(event)], **values)


def _drawn(card: int, target: str | None, index: int, *, retransmission: bool) -> Line:
    return _line("card-drawn", card=card_text(card), target=target, index=index, retransmission=retransmission)


def _by_row(event: Struct, _status: Struct) -> Line:
    """Returns the object to print for an event, with the names of event and fields in the protocol's schema."""
    row = _ROWS[type(event)]
    values = {field.name: getattr(event, field.name) for field in row.fields}
    return _line(
        row.name, **{name: _word(value) if isinstance(value, Enum) else value for name, value in values.items()}
    )


def _line(event: str, **values: Value) -> Line:
    return {"event": event, **values}


def _error(code: int) -> str:
    return f"angel-eye-error.{code if code in set(angel.ErrorCode) else 'other'}"


def _reader_error(code: int) -> str:
    return f"reader-error.{code if code in set(shoe.ReaderErrorCode) else 'other'}"


def _word(member: Enum) -> str:
    return member.name.lower().replace("_", "-")


WORDED: Final[Mapping[type[Struct], Callable[[Any, Any], Line]]] = {
    ShufflerStatus: _of_shuffler,
    shoe.ShoeStatus: _of_shoe,
    driver.AngelEyeStatus: lambda telegram, _status: of_telegram(telegram),
    WheelStatus: _of_spin,
}
"""The functions for events that are not printed with the names and fields of their rows in the schema, by the type of
the event's status.
"""
