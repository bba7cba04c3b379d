"""Checks of PROTOCOL.md, section 6, with many events: 48 waiting events lock the device, and it keeps 64."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from msgspec import structs

from firmware_protocols.tdp.conform.again_checks import is_not_done, say_at_48
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import SETTLES_WITHIN_S, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    LOCKS,
    PERMISSIONS,
    QUIET_S,
    SILENCE_S,
    SWITCHES,
    U16,
    forget_all_but,
    lock_of_shuffler,
    make_events,
    out_of,
    permissions_of,
)
from firmware_protocols.tdp.conform.refusals import AT_48, SHOWN_AT_48, refuses
from firmware_protocols.tdp.conform.session_checks import is_taken
from firmware_protocols.tdp.conform.state_checks import goes_on
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_WINDOW,
    EVENTS_KEPT,
    EVENTS_LOCK,
)
from firmware_protocols.tdp.schema import DeviceKind

A_BYTE: Final = 255
BEYOND_A_BYTE: Final = 260
AT_ONCE: Final = 20  # events by hands
QUICK_S: Final = 10.0  # for so many


def _stands(host: Host) -> bool:
    """True if the device's status shows the first permission of its kind."""
    kind = host.schema.kind
    return kind in PERMISSIONS and bool(PERMISSIONS[kind][0].is_given(host.status()[0]))


def _permit(host: Host) -> None:
    if host.schema.kind in PERMISSIONS:
        host.apply(PERMISSIONS[host.schema.kind][0].ask(host.status()[0]))
        host.status_becomes(PERMISSIONS[host.schema.kind][0].is_given)


def _one_more(host: Host) -> None:
    """Makes the device have one more event, without ending the present permission."""
    if host.schema.kind is DeviceKind.SHUFFLER and host.moves:
        now = host.status()[0]
        request = (now.recounts + 1) % U16
        host.apply(lock_of_shuffler(now, feed_open=now.feed_open, recount_request=request))
        host.status_becomes(lambda after: after.recounts == request or after.host_silent, 60.0)
    else:
        make_events(host, 1)


def _wait_count(host: Host) -> int:
    """Returns the number of waiting events, computed from the newest event and the last acknowledgement."""
    return host.status()[1] - host.watch.acked


def forty_eight_lock_it(host: Host) -> None:
    """Checks that the 48th waiting event, not the 47th, withdraws the permission, and that the permission does not come
    back by itself.
    """
    forget_all_but(host, 0)
    host.listen(QUIET_S)
    _wait_until(host, EVENTS_LOCK - 2)
    if host.schema.kind is DeviceKind.SHUFFLER:
        host.apply(lock_of_shuffler(host.status()[0], lamp=True))
    _permit(host)
    is_permitted = _stands(host)
    _wait_until(host, EVENTS_LOCK - 1)
    _hold_47(host, is_permitted=is_permitted)
    at_47, newest = host.status()
    _wait_until(host, EVENTS_LOCK)
    number = host.watch.acked + EVENTS_LOCK
    before = _hold_48(host)
    _hold_end_of_48(host, before)
    _nothing_comes_with_the_last(host)
    if newest == number - 1 and newest in host.watch.events:
        status = host.schema.decode_event(host.watch.events[newest])[1]
        is_so = getattr(status, "locked", None) == getattr(at_47, "locked", None)
        must("6.2", is_so, f"the 47th event, {newest}, has {status}, and behind it was {at_47}")
    if number in host.watch.events:
        status = host.schema.decode_event(host.watch.events[number])[1]
        must("6.15", status.host_silent, f"the 48th event, {number}, is not locked itself: {status}")


def _nothing_comes_with_the_last(host: Host) -> None:
    """Checks that a permission withdrawn by 48 events does not come back when no event waits any more."""
    if _stands(host):
        return  # given behind 48 events, and not withdrawn since
    forget_all_but(host, 0)
    host.listen(QUIET_S)
    must("9.17", not _stands(host), f"no event waits, and what 48 withdrew is back: {host.status()[0]}")


def _wait_until(host: Host, count: int) -> None:
    """Makes events until `count` of them wait. Raises Skipped if that fails."""
    for _ in range(2 * EVENTS_LOCK):
        if _wait_count(host) >= count:
            return
        _one_more(host)
    raise Skipped("no-event-waits")


def _hold_47(host: Host, *, is_permitted: bool) -> None:
    status, wait = host.status()[0], _wait_count(host)
    if wait == EVENTS_LOCK - 1:
        must("6.15", not status.host_silent, f"locked at {wait} waiting events")
        must("6.15", not is_permitted or _stands(host), f"withdrawn at {wait} waiting events: {status}")


def _hold_48(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    """Checks the device while 48 events wait, and returns its status.

    A shuffler obeys commands for its lamp even then, so its status is read after the last command.
    """
    status, wait = host.status()[0], _wait_count(host)
    must("6.15", status.host_silent, f"no host_silent, {wait} wait")
    must("9.18", getattr(status, "lamp_lit", True), f"{wait} waiting events put the lamp out: {status}")
    kind = host.schema.kind
    if kind is not DeviceKind.SHOE or host.statement.has("lock"):
        must("9.13", not _stands(host), f"permitted still, {wait} wait: {status}")
    _is_shut_at_48(host)
    goes_on(host, "48 events wait")
    refuses(host, AT_48)
    return host.status()[0] if kind is DeviceKind.SHUFFLER else status


def _is_shut_at_48(host: Host) -> None:
    """Checks that no card passes a shoe that 48 waiting events lock, even after a command that the shoe refuses."""
    before = host.status()[0]
    for _ in range(2 if host.schema.kind is DeviceKind.SHOE and before.locked else 0):
        with suppress(Skipped):
            host.hand(Deed.LOAD)
            host.hand(Deed.DRAW, 3)
            after = host.status_becomes(lambda now: now.passages != before.passages, QUIET_S)
            must("5.10", after.passages == before.passages, f"locked by 48 events, and cards pass: {after}")
        _permit(host)


def _hold_end_of_48(host: Host, at_48: Any) -> None:  # noqa: ANN401 (any kind's status)
    said = say_at_48(host)
    host.acknowledge(host.watch.acked + 2)
    host.listen(QUIET_S)
    status = host.status_becomes(lambda now: not now.host_silent)
    wait = _wait_count(host)
    must("9.23", wait >= EVENTS_LOCK or not status.host_silent, f"host_silent still, {wait} wait")
    if host.schema.kind in LOCKS and (host.schema.kind is not DeviceKind.SHOE or host.statement.has("lock")):
        must("9.17", not _stands(host), f"an acknowledgement gives back what 48 events withdrew: {status}")
    if wait < EVENTS_LOCK:
        if said is not None:
            is_not_done(host, said, f"{wait} events wait")
        _nothing_comes_later(host, at_48)
        _locks_again(host)
        _runs_into_48(host)


def _locks_again(host: Host) -> None:
    """Checks that the device counts the waiting events, not the events since the last acknowledgement. `Watch` tests
    the status.
    """
    for name, takes in _TAKES.items():
        with suppress(Skipped):
            _wait_until(host, EVENTS_LOCK - 1)
            status, wait = host.status()[0], _wait_count(host)
            must("9.23", wait >= EVENTS_LOCK or not status.host_silent, f"host_silent, {wait} wait, some taken {name}")
            _wait_until(host, EVENTS_LOCK)
            status, wait = host.status()[0], _wait_count(host)
            must("6.15", status.host_silent, f"no host_silent, {wait} wait, some taken {name}")
        takes(host, host.watch.acked + 4)
        host.status_becomes(lambda one: not one.host_silent)


_TAKES: Final[dict[str, Callable[[Host, int], object]]] = {
    "by an ACK": lambda host, number: host.say_hello(committed=number),
    "by a HELLO again": lambda host, number: host.open(committed=number),
    "by the HELLO of a new session": lambda host, number: host.acknowledge(number),
}
"""The way in which the last events were taken, and the function for the next way."""


def _runs_into_48(host: Host) -> None:
    """Checks that each permission ends at the 48th waiting event, if a card that the permission moves causes this
    event.
    """
    if host.schema.kind is DeviceKind.SHUFFLER and not host.moves:
        return
    for permission in permissions_of(host):
        with suppress(Skipped):
            _wait_until(host, EVENTS_LOCK - 1)
        host.apply(permission.ask(host.status()[0]))
        _makes_the_48th(host)
        locked = host.status_becomes(lambda one: one.host_silent)
        host.listen(1.0)
        after = host.status()[0]
        is_shut = not (after.host_silent and getattr(after, "mouth_open", False))
        must("9.21", is_shut, f"the mouth is open at 48 waiting events: {after}")
        is_right = not after.host_silent or permission.is_locked(after)
        must("9.13", is_right, f"{permission.name} goes on at 48 waiting events: {after}")
        host.acknowledge(host.watch.acked + 2)
        host.status_becomes(lambda one: not one.host_silent)
        is_right = not locked.host_silent or out_of(after) <= out_of(locked) + 1
        must("9.13", is_right, f"cards leave at 48: {after}")


def _makes_the_48th(host: Host) -> None:
    """Waits for a card that moves by itself, or has hands draw a card or make another event."""
    if host.schema.kind is not DeviceKind.SHUFFLER:
        with suppress(Skipped):
            host.hand(Deed.EVENT)
        return
    now = host.status()[0]
    if now.feed_open and not now.hopper_loaded:
        host.load()
    now = host.status_becomes(lambda one: one.host_silent or one.mouth_open, 1.0)
    if now.mouth_open:
        with suppress(Skipped):
            host.hand(Deed.DRAW)


def _nothing_comes_later(host: Host, before: Any) -> None:  # noqa: ANN401 (any kind's status)
    """Checks that a command that the device refuses while 48 events wait is not executed later, and that a new command
    is.
    """
    kind = host.schema.kind
    if kind not in SWITCHES or (kind is DeviceKind.SHOE and not host.statement.has("lock")):
        return
    switch, duty = SWITCHES[kind], SHOWN_AT_48.get(kind, "9.17")
    host.listen(SETTLES_WITHIN_S)
    after = host.status()[0]
    must(duty, switch.is_on(after) is switch.is_on(before), f"said at 48 waiting events and done later: {after}")
    if kind in (DeviceKind.VALUE_DISPLAY, DeviceKind.SLOTS):
        is_same = after == structs.replace(before, host_silent=False)
        must(duty, is_same, f"said at 48 waiting events and done later: {after}, before {before}")
    result = host.apply(switch.ask(after, on=not switch.is_on(after))).result
    must(_REFUSES.get(kind, duty), result == 0, f"refused behind 48 waiting events, {_wait_count(host)} wait: {result}")


_REFUSES: Final = {DeviceKind.SHUFFLER: "10.13", DeviceKind.SHOE: "11.3"}


def sixty_four_are_kept(host: Host) -> None:
    """Checks that the device keeps the last 64 events in order and sends 8 at a time. The 65th event must drop the
    oldest, and `oldest_event` must change accordingly.
    """
    forget_all_but(host, 0)
    host.listen(QUIET_S)
    begun = host.watch.acked
    newest = _many_more(host, begun + EVENTS_KEPT)
    identity, _status = host.open()
    wait = newest - begun
    wanted = begun + 1 if wait <= EVENTS_KEPT else newest - EVENTS_KEPT + 1
    must("6.6", identity.oldest_event <= wanted, f"oldest {identity.oldest_event}, of 64 it is {wanted}")
    newest = _many_more(host, begun + EVENTS_KEPT + 2)
    if newest - begun > EVENTS_KEPT:
        goes_on(host, "64 events wait")
        refuses(host, AT_48)
    identity, _status = host.open()
    must("6.16", newest - begun > EVENTS_KEPT, f"hands have made more events, and the newest stays {newest}")
    _oldest_went(host, identity.oldest_event, newest)
    _drained(host, _acknowledged_unsent(host, identity.oldest_event), newest)


def _oldest_went(host: Host, oldest: int, newest: int) -> None:
    """Checks that more than 64 events drop only the oldest ones, and leave no gap after them."""
    host.open()
    came = {one.number for one in host.events(EVENT_RETRY_MAX_S)}
    gone = set(range(oldest, min(oldest + EVENT_WINDOW, newest + 1))) - came
    is_gap = bool(gone) and min(gone) < max(came, default=0)
    must("6.16", not is_gap, f"of {oldest} to {newest} EVENTs {sorted(gone)} are gone, {sorted(came)} come")


def _acknowledged_unsent(host: Host, oldest: int) -> int:
    """Acknowledges events that were not sent yet, by an ACK and by a HELLO, and checks the result. Returns the oldest
    waiting event.
    """
    number = oldest + 2 * EVENT_WINDOW
    host.acknowledge(number)
    identity, _status = host.open()
    must("6.12", identity.oldest_event == number + 1, f"ACK {number} behind {oldest}: oldest {identity.oldest_event}")
    number += 2 * EVENT_WINDOW
    identity, _status = host.open(committed=number)
    is_taken(host, number, identity.oldest_event)
    host.open()
    return number + 1


def events_are_counted_beyond_a_byte(host: Host) -> None:
    """Checks that the numbers of events grow beyond 256, and that one ACK makes the device drop all waiting events,
    even 64.

    Hands cause 20 events at a time. The check ends early if 20 events take longer than 10 s.
    """
    most = EVENTS_KEPT
    while host.status()[1] <= BEYOND_A_BYTE:
        begun_s, newest = host.line.now_s(), host.status()[1]
        host.hand(Deed.EVENT, AT_ONCE)
        if newest <= A_BYTE < host.status()[1]:
            _come_again_beyond_a_byte(host)
        if _wait_count(host) >= most:
            _one_ack_takes_all(host)
            most = 1
        must("6.1", host.status()[1] >= newest, f"EVENT {host.status()[1]} is the newest, and {newest} was before")
        if host.line.now_s() - begun_s > QUICK_S or host.status()[1] == newest:
            return


def _come_again_beyond_a_byte(host: Host) -> None:
    """Checks that waiting events with numbers below and above 256 have the same numbers in a new session."""
    wait = range(host.watch.acked + 1, host.status()[1] + 1)
    host.open()
    came = {one.number for one in host.events(QUIET_S)}
    must("4.6", came <= set(wait), f"{list(wait)} wait; in a new session {sorted(came)} come")


def a_silence_keeps_the_newest(host: Host) -> None:
    """Checks that in a silence the 65th event drops the oldest one, as at any other time. Only for a bench whose hands
    cause events at once.
    """
    if not host.bench.is_quick:
        return
    forget_all_but(host, 0)
    host.listen(SILENCE_S, alive=False)
    host.hand(Deed.EVENT, EVENTS_KEPT + BEYOND_A_BYTE, alive=False)
    identity = host.open()[0]
    newest = identity.next_event - 1
    forget_all_but(host, 0)
    gone = [one for one in range(identity.oldest_event, newest + 1) if one not in host.watch.events]
    must("6.16", not gone, f"made in a silence, {identity.oldest_event} to {newest}: EVENTs {gone} are gone")


def _one_ack_takes_all(host: Host) -> None:
    newest = host.status()[1]
    wait = newest - host.watch.acked
    host.acknowledge(newest)
    identity, _status = host.open()
    must("6.12", identity.oldest_event > newest, f"ACK {newest}, of {wait} events: oldest {identity.oldest_event}")


def _many_more(host: Host, newest: int) -> int:
    """Makes hands cause events up to number `newest`, and returns the number of the newest event. A device with 48
    waiting events makes none by itself.
    """
    for _ in range(EVENTS_KEPT):
        now = host.status()[1]
        if now >= newest:
            break
        host.hand(Deed.EVENT, newest - now)
    return host.status()[1]


def _drained(host: Host, oldest: int, newest: int) -> None:
    """Checks that after each acknowledgement the device sends the next events, at most 8 at a time."""
    number = oldest
    while number <= newest:
        window = range(number, min(number + EVENT_WINDOW, newest + 1))
        # Copies of acknowledged events may be on the way: the watch tests how long.
        came = {one.number for one in host.events(EVENT_RETRY_MAX_S + LATENESS_S) if one.number >= number}
        must(
            "6.7",
            came <= set(range(number, number + EVENT_WINDOW)),
            f"EVENTs {sorted(came)} on the way, {number} is the oldest",
        )
        is_newer = bool(came) and number not in came  # the oldest is to go, and not one behind it
        must("6.16" if is_newer else "6.6", number in came, f"EVENT {number} does not come, of {oldest} to {newest}")
        must("6.8", came >= set(window), f"EVENTs {sorted(came)} come, {list(window)} may go")
        early = _one_ack_lets_one_go(host, number, newest)
        number = window[-1] + 1
        host.acknowledge(number - 1)
        at_once = early | {one.number for one in host.events(LATENESS_S + host.slowest_s)}
        wanted = set(range(number, min(number + EVENT_WINDOW, newest + 1)))
        found = f"ACK {number - 1} lets EVENTs {sorted(at_once)} go at once, of {sorted(wanted)}"
        is_gap = min(wanted - at_once, default=newest) < max(at_once, default=0)
        must("6.16" if is_gap else "6.8", wanted <= at_once, found)


def _one_ack_lets_one_go(host: Host, number: int, newest: int) -> set[int]:
    """Acknowledges event `number`, and checks that the device then sends one event that it has held back. Returns the
    numbers of all events that come.
    """
    following = number + EVENT_WINDOW
    if following > newest:
        return set()
    host.acknowledge(number)
    oldest = {one.number: one.oldest for one in host.events(LATENESS_S + host.slowest_s)}
    must("6.8", following in oldest, f"ACK {number} lets EVENT {following} not go")
    must("6.5", oldest[following] > number, f"ACK {number}: oldest {oldest[following]} in EVENT {following}")
    return set(oldest)
