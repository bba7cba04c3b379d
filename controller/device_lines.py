"""What `sabot device watch` prints: a driver's events as plain objects, in the words of the contract.

Events and field names stand in the design; checks from outside rely on them. Pure: one event in, its object out. A
`message` is a key of the catalogue; who prints it puts the sentence in its place.
"""

from enum import Enum
from typing import Final, TypeAlias, TypeVar, assert_never

from drivers import events as driver
from drivers.unproven import is_unauthenticated
from firmware_protocols.angel_eye import words as angel
from firmware_protocols.cards import card_text
from firmware_protocols.tdp import shoe
from firmware_protocols.tdp.display import DISPLAY
from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.schema import DeviceKind, Message
from firmware_protocols.tdp.shuffler import SHUFFLER

Value: TypeAlias = str | int | bool | None
Line: TypeAlias = dict[str, Value]
EventT = TypeVar("EventT")

KIND_WORDS: Final = {
    DeviceKind.SHUFFLER: "shuffler",
    DeviceKind.SHOE: "shoe",
    DeviceKind.DISPLAY: "jackpot-display",
}


def line_of(event: driver.DriverEvent) -> Line | None:
    """The object for this event; None for one that is no news of the device."""
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
        case driver.AngelEyeReported(event=telegram):
            return of_telegram(telegram)
        case driver.ShoeReported(event=happened):
            return _of_shoe(happened)
        case driver.ShufflerReported(event=happened, status=status):
            figures: Line = {"cards_in": status.cards_in, "cards_out": status.cards_out, "inside": status.inside}
            return _by_row(SHUFFLER.events, happened) | figures
        case driver.DisplayReported(event=happened):
            return _by_row(DISPLAY.events, happened)
        case driver.StatusHeard() | driver.CommandRefused() | driver.CardsMayHavePassed():
            return None
        case _:
            assert_never(event)


def kind_word(who: Identity) -> str:
    """The kind of a device as the command line names it."""
    return KIND_WORDS[who.kind]


def rejected(reason: str) -> Line:
    """The object for bytes that were not believed."""
    return _line("frame-rejected", reason=reason)


def lock_changed(*, locked: bool) -> Line:
    """The object for a lock that a status tells of."""
    return _line("lock-changed", locked=locked)


def of_telegram(telegram: angel.Telegram) -> Line:  # noqa: C901 - one case a telegram
    """An Angel Eye's telegram."""
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


def _of_shoe(event: shoe.ShoeEvent) -> Line:
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


def _drawn(card: int, target: str | None, index: int, *, retransmission: bool) -> Line:
    return _line("card-drawn", card=card_text(card), target=target, index=index, retransmission=retransmission)


def _by_row(rows: tuple[Message[EventT], ...], event: EventT) -> Line:
    """An event with the name and the fields of its row."""
    row = next(row for row in rows if row.made is type(event))
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
