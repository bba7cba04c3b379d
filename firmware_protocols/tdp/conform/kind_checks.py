"""Checks of PROTOCOL.md, sections 11 to 13: shoe, jackpot display and chip value display."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import SETTLES_WITHIN_S, Host, Skipped, must, there
from firmware_protocols.tdp.conform.parts import OK, QUIET_S, SILENCE_S, U32, told
from firmware_protocols.tdp.conform.state_checks import goes_on
from firmware_protocols.tdp.display import CENTS_MAX, DisplayApply, DisplayFaulted, DisplayStatus
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import (
    CardPassed,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ShoeApply,
    ShoeStatus,
)
from firmware_protocols.tdp.value_display import COLOURS, VALUE_MAX, Markers, MarkersApply, MarkersStatus

HELD_S: Final = 10.0  # most time for an act of hands to show in the status
PASSAGES: Final = 2


# --- shoe


def a_shoe_locks(host: Host) -> None:
    """Checks that a shoe never refuses to lock. A shoe without a lock answers OK, and reports that it is not locked."""
    can_lock = host.statement.has("lock")
    for locked in (True, False, False, True, True):
        answer = host.apply(ShoeApply(locked=locked))
        must("11.4" if locked else "5.9", answer.result == OK, f"locked {locked}: result {answer.result}")
        status: ShoeStatus = host.status_becomes(_is_locked(locked=locked and can_lock))
        duty = "5.9" if can_lock else "11.1"
        must(duty, status.locked is (locked and can_lock), f"locked {locked} is answered OK: {status}")


def _is_locked(*, locked: bool) -> Callable[[ShoeStatus], bool]:
    return lambda now: now.locked is locked


def one_that_cannot_lock_says_so(host: Host) -> None:
    if host.statement.has("lock"):
        raise Skipped("can-lock")
    a_shoe_locks(host)


def each_passage_is_reported(host: Host) -> None:
    """Checks that each card's passage is reported once, with its count."""
    host.apply(ShoeApply(locked=False))
    before: ShoeStatus
    before, newest = host.status()
    host.hand(Deed.LOAD)
    host.hand(Deed.DRAW, PASSAGES)
    after: ShoeStatus = host.status_becomes(lambda now: now.passages >= before.passages + PASSAGES, HELD_S)
    passed = (after.passages - before.passages) % 2**32
    must("11.5", passed == PASSAGES, f"{PASSAGES} cards passed: passages {after.passages}, before {before.passages}")
    numbers = [one.passage for one in told(host, newest) if isinstance(one, CardPassed)]
    wanted = [(before.passages + one) % 2**32 for one in range(1, PASSAGES + 1)]
    must("11.5", numbers == wanted, f"passages {numbers} are told, not {wanted}")


def an_error_is_raised_and_cleared(host: Host) -> None:
    """Checks that a reader's error is raised and cleared with the same code, and that a card passing meanwhile is
    counted.
    """
    if host.status()[0].error:
        host.hand(Deed.MEND)
        if host.status_becomes(lambda now: not now.error, HELD_S).error:  # another one, which hands do not end
            _comes_and_goes(host)
            return
    for locked in (False, True):
        _raised_and_cleared(host, locked=locked)


def _comes_and_goes(host: Host) -> None:
    newest = host.status()[1]
    for deed in (Deed.FAULT, Deed.MEND):
        host.hand(deed)
        host.listen(QUIET_S)
    _has_one_code(host, newest)


def _has_one_code(host: Host, newest: int) -> None:
    came = told(host, newest)
    codes = [[one.code for one in came if isinstance(one, kind)] for kind in (ReaderErrorRaised, ReaderErrorCleared)]
    found = f"one error came and went: raised {codes[0]}, cleared {codes[1]}"
    must("11.9", len(codes[0]) == 1 and codes[0] == codes[1], found)


def _raised_and_cleared(host: Host, *, locked: bool) -> None:
    newest, can_lock = host.status()[1], host.statement.has("lock")
    host.apply(ShoeApply(locked=locked))
    if not locked:
        host.hand(Deed.EVENT)  # an event that waits, and comes again with the error raised
    host.hand(Deed.FAULT)
    raised: ShoeStatus = host.status_becomes(lambda now: now.error, HELD_S)
    must("11.9", raised.error, f"hands have made the reader fail, and it says {raised}")
    if not locked:
        host.hand(Deed.LOAD)
        host.hand(Deed.DRAW, PASSAGES)
        after: ShoeStatus = host.status_becomes(lambda now: now.passages != raised.passages, HELD_S)
        must("11.10", after.passages != raised.passages, f"a card passed with an error raised: {after}")
    host.listen(EVENT_RETRY_MAX_S + QUIET_S)
    for wish in (not locked, locked):
        host.apply(ShoeApply(locked=wish))
        status = host.status_becomes(_is_locked(locked=wish and can_lock))
        must("5.9", status.locked is (wish and can_lock), f"locked {wish}, said with an error raised: {status}")
    goes_on(host, "an error is raised")
    status = host.status()[0]
    must("11.9", status.error, f"a session ends the reader's error, which nobody has mended: {status}")
    was = host.status_becomes(_is_locked(locked=can_lock))
    host.hand(Deed.MEND)
    status = host.status_becomes(lambda now: not now.error, HELD_S)
    must("9.17", status.locked or not was.locked, f"an error is cleared, and it unlocks: {status}")
    _has_one_code(host, newest)


# --- display


def the_amount_is_read_back(host: Host) -> None:
    for cents in (1, 256, 123_456_789, 987_654_321, CENTS_MAX, 0):
        for fault in (False, True):
            _is_read_back(host, "12.1", DisplayApply(cents, fault=fault), _shows(cents, fault=fault))
    _is_read_back(host, "12.1", DisplayApply(4321, fault=True), _shows(4321, fault=True))
    host.apply(DisplayApply(100))
    _identity, status = host.open()
    must("12.2", status.fault_shown, f"an amount in the IDENTITY of a new session: {status}")


def _is_read_back(host: Host, duty: str, asked: object, is_so: Callable[[Any], bool]) -> None:
    """Sends the command `asked`, and checks that the status then shows its effect. Raises Broken for `duty`, or for 5.9
    if nothing has changed.
    """
    before = host.status()
    answer = host.apply(asked)
    must(duty, answer.result == OK, f"{asked}: result {answer.result}")
    status = host.status_becomes(is_so)
    is_undone = before == host.status() and not getattr(asked, "fault", False)
    must("5.9" if is_undone else duty, is_so(status), f"{asked}: {status}, before {before[0]}")


def _shows(cents: int, *, fault: bool) -> Callable[[DisplayStatus], bool]:
    return lambda now: (now.shown_cents, now.fault_shown) == (cents, fault)


_FAULT_DUTIES: Final = {DeviceKind.DISPLAY: ("12.1", "12.3"), DeviceKind.VALUE_DISPLAY: ("13.1", "13.2")}


def a_fault_is_told_once(host: Host) -> None:
    """Checks that a stuck panel reports each fault once, when it begins, and that its status has the values that the
    panel really shows.
    """
    for cents in (500, 500, 800):
        _stuck_at(host, cents)
    with suppress(Skipped):
        host.hand(Deed.POWER)
        host.open()
        _stuck_at(host, 500)
    _is_told_of_the_same(host)
    for other in _mixed_with(host, 500) if host.bench.is_quick else ():
        _is_told_of(host, 500, other)
    if host.schema.kind is DeviceKind.VALUE_DISPLAY:
        for colour in COLOURS[1:] if host.bench.is_quick else COLOURS[-1:]:
            _stuck_at(host, 500, colour)


def _is_told_of(host: Host, cents: int, other: int) -> None:
    """Checks that a panel that sticks at `cents` reports it, however little the command for `other` differs."""
    host.apply(_picture(host, cents, "red"))
    host.listen(QUIET_S)
    newest = host.status()[1]
    host.hand(Deed.FAULT)
    host.apply(_picture(host, other, "red"))
    host.listen(SETTLES_WITHIN_S)
    came = [one for one in told(host, newest) if isinstance(one, DisplayFaulted)]
    once = _FAULT_DUTIES[host.schema.kind][1]
    must(once, len(came) == 1, f"a panel that sticks at {cents}, told to show {other}: {len(came)} display-faulted")
    host.hand(Deed.MEND)
    host.listen(QUIET_S)


def _is_told_of_the_same(host: Host) -> None:
    """Checks that a panel reports a fault again when it sticks a second time at the same amount and gets the same
    command as before.
    """
    once = _FAULT_DUTIES[host.schema.kind][1]
    for _ in range(2):
        shown, told_then = _picture(host, 900, "red"), _picture(host, 1000, "red")
        host.apply(shown)
        if not _shows_all_of(shown, host.status_becomes(partial(_shows_all_of, shown))):
            return  # another check says so
        newest = host.status()[1]
        host.hand(Deed.FAULT)
        host.apply(told_then)
        host.listen(SETTLES_WITHIN_S)
        came = [one for one in told(host, newest) if isinstance(one, DisplayFaulted)]
        must(once, len(came) == 1, f"a panel that sticks at the same amount again: {len(came)} display-faulted")
        host.hand(Deed.MEND)
        host.status_becomes(partial(_shows_all_of, told_then))


def a_stuck_panel_shows_no_fault_picture(host: Host) -> None:
    """Checks that a panel that cannot show its fault picture reports a fault, and that its status does not claim the
    picture.

    Judges nothing if the device knows of the fault before a command, or hides an amount that it cannot change, since it
    then has another way to show the picture.
    """
    other = _told_while_stuck(host, DisplayApply(700))
    if other is None or other[0].fault_shown:
        return
    hidden = _told_while_stuck(host, DisplayApply(600, fault=True))
    if hidden is None:
        return
    status, came = hidden
    must("12.1", not (came and status.fault_shown), f"told {came}, and it shows all that it was told: {status}")
    must("12.3", bool(came) or status.fault_shown, f"it cannot show its fault picture, and tells of nothing: {status}")


def a_stuck_fault_picture_stays(host: Host) -> None:
    """Checks that a panel stuck at its fault picture still reports this picture after a command for an amount."""
    host.apply(DisplayApply(600, fault=True))
    if not _shows(600, fault=True)(host.status_becomes(_shows(600, fault=True))):
        raise Skipped("not-permitted")
    newest = host.status()[1]
    host.hand(Deed.FAULT)
    host.listen(SETTLES_WITHIN_S)
    for cents in (700, 600):
        host.apply(DisplayApply(cents))
        host.listen(SETTLES_WITHIN_S)
        status: DisplayStatus = host.status()[0]
        must("12.1", status.fault_shown, f"stuck at its fault picture, told to show {cents}: {status}")
    came = [one for one in told(host, newest) if isinstance(one, DisplayFaulted)]
    must("12.3", len(came) == 1, f"a panel that sticks at its fault picture: {len(came)} display-faulted")
    host.hand(Deed.MEND)


def _told_while_stuck(host: Host, wanted: DisplayApply) -> tuple[DisplayStatus, list[DisplayFaulted]] | None:
    """Makes a panel stick at 600 cents and sends `wanted`. Returns the status and the faults that the device tells
    behind the command; None if it told of anything before the command. Raises Skipped if the panel shows its fault
    picture.
    """
    host.apply(DisplayApply(600))
    if host.status_becomes(_shows(600, fault=False)).fault_shown:
        raise Skipped("not-permitted")
    newest = host.status()[1]
    host.hand(Deed.FAULT)
    host.listen(SETTLES_WITHIN_S)
    is_known = host.status()[1] != newest
    host.apply(wanted)
    host.listen(SETTLES_WITHIN_S + QUIET_S)
    status: DisplayStatus = host.status()[0]
    came = [one for one in told(host, newest) if isinstance(one, DisplayFaulted)]
    host.hand(Deed.MEND)
    return None if is_known else (status, came)


def _stuck_at(host: Host, cents: int, colour: str = "red") -> None:
    """Has one panel stick at `cents`, and checks that it reports one fault and that its status does not follow later
    commands.

    `colour`: the marker, at a value display.
    """
    read_back, once = _FAULT_DUTIES[host.schema.kind]
    host.apply(_picture(host, cents, colour))
    before = host.status_becomes(lambda now: cents in (getattr(now, "shown_cents", 0), getattr(now, colour, 0)))
    if cents not in (getattr(before, "shown_cents", 0), getattr(before, colour, 0)):
        return  # it does not show this at all: another check says so
    newest = host.status()[1]
    host.hand(Deed.FAULT)
    others = (*_mixed_with(host, cents), cents + 100, cents + 200)
    for other in others:
        first = host.apply(_picture(host, other, colour)).status
        host.listen(QUIET_S)
        for status in (first, host.status()[0]):
            _is_not_followed(read_back, status, other, colour)
    for when, status in _seen_again(host):
        _is_not_followed(read_back, status, cents + 200, colour, when)
    host.listen(QUIET_S)
    host.apply(_picture(host, cents + 300, colour))
    host.listen(SETTLES_WITHIN_S)
    came = [one for one in told(host, newest) if isinstance(one, DisplayFaulted)]
    must(once, len(came) == 1, f"a panel that sticks: {len(came)} display-faulted")
    for body in (host.watch.events[one] for one in host.watch.events if one > newest):
        for other in (*others, cents + 300):
            _is_not_followed(read_back, host.schema.decode_event(body)[1], other, colour, " of an event")
    _is_mended(host, read_back, _picture(host, cents + 300, colour))


def _mixed_with(host: Host, cents: int) -> tuple[int, ...]:
    """Returns amounts for a panel that sticks at `cents`. Each has some bytes in common with `cents`, so a faulty
    device that reads back only these bytes takes the amount for shown.
    """
    in_24_bits = (0, cents ^ 1, *(cents + 2**bits for bits in (8, 16, 24)))
    return (*in_24_bits, U32 + cents, U32 + cents + 100) if host.schema.kind is DeviceKind.DISPLAY else in_24_bits


def _is_mended(host: Host, duty: str, last: Any) -> None:  # noqa: ANN401 (the command of either kind)
    host.hand(Deed.MEND)
    status = host.status_becomes(lambda now: _shows_all_of(last, now))
    must(duty, _shows_all_of(last, status), f"mended, and told {last} before: {status}")


def _shows_all_of(wanted: Any, status: Any) -> bool:  # noqa: ANN401 (the command and status of either kind)
    if isinstance(wanted, DisplayApply):
        return _shows(wanted.cents, fault=wanted.fault)(status)
    return bool(wanted.values == status.values)


def _is_not_followed(duty: str, status: object, other: int, colour: str, when: str = "") -> None:
    is_followed = other == getattr(status, "shown_cents", getattr(status, colour, None))
    is_hidden = getattr(status, "fault_shown", False)  # a device may hide an amount that is wrong
    must(duty, is_hidden or not is_followed, f"stuck, and the status{when} follows the command: {status}")


def _seen_again(host: Host) -> Iterator[tuple[str, Any]]:
    """Yields the status in each kind of frame that has one, each with its place for the finding: now, after a silence,
    and in a new session. The new session is open afterwards.
    """
    yield " of a query", host.answer(host.query).status
    host.say_hello()
    yield " of IDENTITY", host.read_identity(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY"))[1]
    host.listen(SILENCE_S, alive=False)
    yield " that ends a silence", host.status()[0]
    yield " behind a silence", host.status()[0]
    yield " of a new IDENTITY", host.open()[1]
    yield " of a new session", host.status()[0]


def a_mended_panel_shows_no_old_amount(host: Host) -> None:
    """Checks that an amount sent to a stuck panel is withdrawn like any other: once mended, the panel shows its fault
    picture.
    """
    for since in (_SESSION, "a silence", _OVER):
        host.apply(DisplayApply(12345))
        if host.status_becomes(_shows(12345, fault=False)).fault_shown:
            raise Skipped("not-permitted")
        host.hand(Deed.FAULT)
        host.apply(DisplayApply(777))
        host.listen(QUIET_S if since is _SESSION else SILENCE_S, alive=since is _SESSION)
        if since is _SESSION:
            host.open()
        if since is _OVER:
            host.status()
        host.hand(Deed.MEND)
        host.listen(SETTLES_WITHIN_S)
        status: DisplayStatus = host.status()[0]
        must("12.2", status.fault_shown, f"mended behind {since}, without a command: {status}")


_SESSION: Final = "a new session"
_OVER: Final = "a silence that is over"


def _picture(host: Host, cents: int, colour: str) -> object:
    return DisplayApply(cents) if host.schema.kind is DeviceKind.DISPLAY else MarkersApply(**{colour: cents})


# --- value display


def the_markers_are_read_back(host: Host) -> None:
    for place, colour in enumerate(COLOURS):
        value = VALUE_MAX - place
        _is_read_back(host, "13.1", MarkersApply(**{colour: value}), _marks(colour, value))
    for values in _MIXED:
        asked = MarkersApply(*values)
        _is_read_back(host, "13.1", asked, partial(_shows_all_of, asked))


_VALUES: Final = tuple(range(100, 100 + len(COLOURS)))
_MIXED: Final = (_VALUES, _VALUES[::-1], (_VALUES[1], _VALUES[0], *_VALUES[2:]), (*_VALUES[1:], _VALUES[0]))
"""Pictures of the same values at other markers, which a device with a sum for each picture takes for one."""


def _marks(colour: str, value: int) -> Callable[[MarkersStatus], bool]:
    """Returns a test that a status has this value for this colour, and none for all others."""
    wanted = Markers(**{colour: value}).values
    return lambda now: now.values == wanted
