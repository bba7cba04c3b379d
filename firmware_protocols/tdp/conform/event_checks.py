"""Checks of PROTOCOL.md, section 6: events wait, are repeated and acknowledged; too many of them lock the device."""

from contextlib import suppress
from itertools import pairwise
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Event, Host, Skipped, must, shown
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    LOCKS,
    PERMISSIONS,
    QUIET_S,
    REFUSED_HOST_SILENT,
    SILENCE_S,
    SWITCHES,
    U16,
    at_once,
    comes_again,
    forget_all_but,
    hear_through,
    is_event,
    lock_of_shuffler,
    make_events,
    waiting,
)
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_RETRY_S,
    EVENT_WINDOW,
    EVENTS_KEPT,
    EVENTS_LOCK,
)
from firmware_protocols.tdp.schema import DeviceKind

FAR: Final = 1000  # numbers ahead of any event so far
LONG_S: Final = 12.0  # a device repeats longer than this
SLOW_S: Final = 3.3
JOINS: Final = 4  # at a shuffler two events each: the window is full then
JOIN_S: Final = 0.15
GAPS_S: Final = (0.2, 0.4, 0.8, 1.0, 1.0)


def the_first_event_is_started(host: Host) -> None:
    found = waiting(host)
    if found[0].oldest != 1:
        with suppress(Skipped):
            host.hand(Deed.POWER)
            host.open()
            found = waiting(host)
    if found[0].oldest != 1:
        raise Skipped("acknowledged-before")
    first = found[0]
    must("6.1", first.number == 1, f"the oldest is 1, and EVENT {first.number} comes first")
    event, status = host.schema.decode_event(host.watch.events[1])
    must("6.1", host.schema.name_of(event) == "started", f"EVENT 1 is {host.schema.name_of(event)}")
    must("7.7", status.host_silent, f"started without host_silent: {status}")


def events_come_again_as_they_were(host: Host) -> None:
    """A switch, a new session or a silence in between does not change an event that waits."""
    number = waiting(host)[0].number
    for on in (True, False):
        if (switch := SWITCHES.get(host.schema.kind)) is not None:  # a sensor has none
            host.apply(switch.ask(host.status()[0], on=on))
        host.listen(EVENT_RETRY_MAX_S + LATENESS_S)
    host.open()
    host.listen(SILENCE_S, alive=False)
    comes_again(host, "6.6", number, f"EVENT {number} is gone")


def the_oldest_is_told(host: Host) -> None:
    """`oldest` is the oldest event that waits now, in repeated events too."""
    found = waiting(host, 2)
    must("6.5", {one.oldest for one in found} == {found[0].number}, f"oldest {[one.oldest for one in found]}")
    host.acknowledge(found[0].number)
    host.listen(QUIET_S)
    oldest = {one.oldest for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}
    must("6.5", oldest == {found[1].number}, f"oldest {sorted(oldest)}, EVENT {found[1].number} waits")
    identity, _status = host.open()
    must("4.10", identity.oldest_event == found[1].number, f"IDENTITY: oldest {identity.oldest_event}")


def _gaps(came: list[Event], number: int) -> list[float]:
    times = [one.at_s for one in came if one.number == number]
    return [later - earlier for earlier, later in pairwise(times)]


def _like(host: Host, gaps: list[float], wanted: tuple[float, ...]) -> bool:
    """True where the gaps are as wanted, within the lateness of this line and this computer."""
    late_s = LATENESS_S + host.slowest_s
    near = all(-late_s <= gap - due <= late_s for gap, due in zip(gaps, wanted, strict=False))
    return len(gaps) >= len(wanted) and near


def events_come_again_in_time(host: Host) -> None:
    """An event comes again after 0.2 s, then at growing gaps up to 1 s, with the whole window each time."""
    found = waiting(host, 2)
    host.open()
    came = host.events(LONG_S)
    for one in found[:EVENT_WINDOW]:
        gaps = _gaps(came, one.number)
        must("6.9", _like(host, gaps, GAPS_S), f"EVENT {one.number} again after {[round(gap, 2) for gap in gaps]} s")
        is_kept_up = sum(gaps) > LONG_S - EVENT_RETRY_MAX_S - LATENESS_S
        must("6.9", is_kept_up, f"EVENT {one.number} comes no more after {sum(gaps):.1f} s")


def events_that_join_put_nothing_off(host: Host) -> None:
    """The retry time runs from the window's last sending: an event that joins the window begins no new one."""
    forget_all_but(host, 0)
    host.listen(QUIET_S)
    number = host.watch.newest + 1
    came: list[Event] = []
    for _ in range(JOINS):
        host.hand(Deed.EVENT)
        came += host.events(JOIN_S)
    times = len([one for one in came if one.number == number])
    must("6.9", times != 1, f"EVENT {number} is not sent again in {JOINS * JOIN_S:.1f} s, in which others join it")


def an_ack_makes_the_retry_time_short(host: Host) -> None:
    for is_slow in (False, True):
        _is_short_behind_an_ack(host, is_slow=is_slow)


def _is_short_behind_an_ack(host: Host, *, is_slow: bool) -> None:
    """An ACK makes the retry time short again, after it has grown or (`is_slow`) the host asked for time."""
    first, second = (one.number for one in waiting(host, 2)[:2])
    if is_slow:
        host.say_pulse(not_yet_durable=True)
        host.listen(EVENT_RETRY_S)
    else:
        host.listen(sum(GAPS_S[:4]) + 0.3)
    host.acknowledge(first)
    acked_s = host.line.now_s()
    again = [one.at_s - acked_s for one in host.events(EVENT_RETRY_MAX_S) if one.number == second]
    is_soon = bool(again) and again[0] <= EVENT_RETRY_S + LATENESS_S
    must("6.10", is_soon, f"behind an ACK EVENT {second} again after {[round(gap, 2) for gap in again]} s")


def a_slow_host_is_given_time(host: Host) -> None:
    """The host's wish for time counts at once, from the last sending of each event, however often it is repeated."""
    number = waiting(host)[0].number
    for often in (False, True):
        host.open()
        host.say_pulse(not_yet_durable=True)
        came = [] if often else host.events(SLOW_S)
        for _ in range(round(SLOW_S / 0.3) if often else 0):
            came += host.events(0.3, alive=False)
            host.say_pulse(not_yet_durable=True)
        gaps = _gaps(came, number)
        must("6.11", _like(host, gaps, (1.0, 1.0)), f"EVENT {number} again after {[round(gap, 2) for gap in gaps]} s")


def acknowledged_events_are_gone(host: Host) -> None:
    """An ACK ends all events up to its number, and no other."""
    found = waiting(host, 3)
    host.acknowledge(found[1].number)
    host.listen(0.2)
    came = {one.number for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}
    must("6.12", not came & {one.number for one in found[:2]}, f"EVENTs {sorted(came)} behind ACK {found[1].number}")
    must("6.12", found[2].number in came, f"ACK {found[1].number} has ended EVENT {found[2].number}")
    newest = host.status()[1]
    host.acknowledge(newest)
    host.listen(0.2)
    came = {one.number for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}
    must("6.12", not came, f"EVENTs {sorted(came)} behind ACK {newest}")
    identity, _status = host.open()
    none = (newest + 1, newest + 1)
    said = (identity.oldest_event, identity.next_event)
    must("4.10", said == none, f"none waits: oldest {said[0]}, next {said[1]}, the newest is {newest}")


def other_acks_mean_nothing(host: Host) -> None:
    number = waiting(host)[0].number
    newest = host.status()[1]
    for acked in (newest + 1, newest + FAR, newest + 2**8, newest + 2**16, 2**32 - 1, 2**31, number - 1, 0):
        host.acknowledge(acked)
    comes_again(host, "6.13", number, f"EVENT {number} is gone")
    identity, _status = host.open()
    must("6.13", identity.oldest_event <= number, f"oldest {identity.oldest_event}, EVENT {number} waits")


def an_ack_of_before_changes_no_time(host: Host) -> None:
    """An ACK of events already acknowledged has no effect: it makes no event come sooner."""
    first, second = (one.number for one in waiting(host, 2)[:2])
    host.acknowledge(first)
    host.open()
    host.listen(sum(GAPS_S[:3]) + 0.1)
    host.acknowledge(first)
    came = [one for one in host.events(EVENT_RETRY_S + LATENESS_S) if one.number == second]
    must("6.13", not came, f"EVENT {second} at once behind an ACK of before")


def nobody_is_told_in_silence(host: Host) -> None:
    """Nothing is repeated after 2 s without a frame of the session; the next frame brings all waiting events."""
    with suppress(Skipped):
        waiting(host, 3)
    numbers = {one.number for one in waiting(host)[:EVENT_WINDOW]}
    host.listen(SILENCE_S, alive=False)
    heard = host.listen(2.5, alive=False)
    must("6.17", not heard, f"in the silence: {shown(heard)}")
    came = {one.header.number for one in at_once(host) if is_event(one)}
    must("6.17", numbers <= came, f"of EVENTs {sorted(numbers)} {sorted(came)} come at once when the silence ends")


# --- many events


def _stands(host: Host) -> bool:
    """True where the first permission of this kind is given."""
    kind = host.schema.kind
    return kind in PERMISSIONS and bool(PERMISSIONS[kind][0].is_given(host.status()[0]))


def _permit(host: Host) -> None:
    if host.schema.kind in PERMISSIONS:
        host.apply(PERMISSIONS[host.schema.kind][0].ask(host.status()[0]))
        host.status_becomes(PERMISSIONS[host.schema.kind][0].is_given)


def _one_more(host: Host) -> None:
    """Makes one event more, without ending the permission given."""
    if host.schema.kind is DeviceKind.SHUFFLER and host.moves:
        now = host.status()[0]
        request = (now.recounts + 1) % U16
        host.apply(lock_of_shuffler(now, feed_open=now.feed_open, recount_request=request))
        host.status_becomes(lambda after: after.recounts == request or after.host_silent, 60.0)
    else:
        make_events(host, 1)


def _wait_count(host: Host) -> int:
    """The number of waiting events, by the newest event and the last acknowledgement."""
    return host.status()[1] - host.watch.acked


def forty_eight_lock_it(host: Host) -> None:
    """The 48th waiting event, not the 47th, withdraws the permission, which does not come back by itself."""
    forget_all_but(host, 0)
    host.listen(QUIET_S)
    _wait_until(host, EVENTS_LOCK - 2)
    _permit(host)
    is_permitted = _stands(host)
    _wait_until(host, EVENTS_LOCK - 1)
    _hold_47(host, is_permitted=is_permitted)
    _wait_until(host, EVENTS_LOCK)
    number = host.watch.acked + EVENTS_LOCK
    _hold_48(host)
    _hold_end_of_48(host)
    hear_through(host, number)
    if number in host.watch.events:
        status = host.schema.decode_event(host.watch.events[number])[1]
        must("6.15", status.host_silent, f"the 48th event, {number}, is not locked itself: {status}")


def _wait_until(host: Host, count: int) -> None:
    """Makes events until `count` of them wait. Raises Skipped where that fails."""
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


def _hold_48(host: Host) -> None:
    status, wait = host.status()[0], _wait_count(host)
    must("6.15", status.host_silent, f"no host_silent, {wait} wait")
    kind = host.schema.kind
    if kind is not DeviceKind.SHOE or host.statement.has("lock"):
        must("9.13", not _stands(host), f"permitted still, {wait} wait: {status}")
    _refused_at_48(host)


def _refused_at_48(host: Host) -> None:
    before = host.status()[0]
    match host.schema.kind:
        case DeviceKind.SHUFFLER:
            for permission in PERMISSIONS[DeviceKind.SHUFFLER]:
                result = host.apply(permission.ask(before)).result
                must("10.13", result == REFUSED_HOST_SILENT, f"{permission.name} at 48 waiting events: result {result}")
                must("10.13", permission.is_locked(host.status()[0]), f"{permission.name} at 48 waiting events is done")
            counts = lock_of_shuffler(before, recount_request=(before.recounts + 1) % U16)
            result = host.apply(counts).result
            must("10.13", result == REFUSED_HOST_SILENT, f"a recount at 48 waiting events: result {result}")
        case DeviceKind.SHOE:
            switch = SWITCHES[DeviceKind.SHOE]
            result = host.apply(switch.ask(before, on=True)).result
            must("11.3", result == REFUSED_HOST_SILENT, f"unlocking at 48 waiting events: result {result}")
            result = host.apply(switch.ask(before, on=False)).result
            must("11.4", result == 0, f"locking at 48 waiting events: result {result}")
        case kind if kind in _AT_48:
            _nothing_is_shown(host, before)
        case _:
            pass  # a sensor takes no command that it could refuse


_AT_48: Final = {DeviceKind.DISPLAY: "12.5", DeviceKind.VALUE_DISPLAY: "13.5", DeviceKind.SLOTS: "14.9"}


def _nothing_is_shown(host: Host, before: Any) -> None:  # noqa: ANN401 (any kind's status)
    switch, duty = SWITCHES[host.schema.kind], _AT_48[host.schema.kind]
    result = host.apply(switch.ask(before, on=not switch.is_on(before))).result
    must(duty, result == 0, f"an apply at 48 waiting events: result {result}")
    after = host.status_becomes(lambda now: now != before, QUIET_S)
    if host.schema.kind is DeviceKind.DISPLAY:
        must(duty, after.fault_shown and after.host_silent, f"at 48 waiting events: {after}")
    else:
        must(duty, after == before, f"an apply at 48 waiting events changes: {after}, before {before}")


def _hold_end_of_48(host: Host) -> None:
    host.acknowledge(host.watch.acked + 2)
    host.listen(QUIET_S)
    status = host.status_becomes(lambda now: not now.host_silent)
    wait = _wait_count(host)
    must("9.23", wait >= EVENTS_LOCK or not status.host_silent, f"host_silent still, {wait} wait")
    if host.schema.kind in LOCKS and (host.schema.kind is not DeviceKind.SHOE or host.statement.has("lock")):
        must("9.17", not _stands(host), f"an acknowledgement gives back what 48 events withdrew: {status}")


def sixty_four_are_kept(host: Host) -> None:
    """The last 64 events are kept in order, 8 on the way; the 65th drops the oldest, and `oldest_event` shows it."""
    forget_all_but(host, 0)
    host.listen(QUIET_S)
    begun = host.watch.acked
    newest = _many_more(host, begun + EVENTS_KEPT)
    identity, _status = host.open()
    wait = newest - begun
    wanted = begun + 1 if wait <= EVENTS_KEPT else newest - EVENTS_KEPT + 1
    must("6.6", identity.oldest_event <= wanted, f"oldest {identity.oldest_event}, of 64 it is {wanted}")
    newest = _many_more(host, begun + EVENTS_KEPT + 2)
    identity, _status = host.open()
    must("6.16", newest - begun > EVENTS_KEPT, f"hands have made more events, and the newest stays {newest}")
    _drained(host, identity.oldest_event, newest)


def _many_more(host: Host, newest: int) -> int:
    """The newest event's number after hands have made more: beyond 48 a device makes none by itself."""
    for _ in range(EVENTS_KEPT):
        now = host.status()[1]
        if now >= newest:
            break
        host.hand(Deed.EVENT, newest - now)
    return host.status()[1]


def _drained(host: Host, oldest: int, newest: int) -> None:
    """Each acknowledgement lets the next events go, at most 8 at a time."""
    number = oldest
    while number <= newest:
        window = range(number, min(number + EVENT_WINDOW, newest + 1))
        # Copies of acknowledged events may be on the way: the watch tests how long.
        came = {one.number for one in host.events(EVENT_RETRY_MAX_S + LATENESS_S) if one.number >= number}
        must("6.7", came <= set(window), f"EVENTs {sorted(came)} on the way, {number} is the oldest")
        must("6.6", number in came, f"EVENT {number} does not come, of {oldest} to {newest}")
        must("6.8", came == set(window), f"EVENTs {sorted(came)} come, {list(window)} may go")
        _one_ack_lets_one_go(host, number, newest)
        number = window[-1] + 1
        host.acknowledge(number - 1)


def _one_ack_lets_one_go(host: Host, number: int, newest: int) -> None:
    following = number + EVENT_WINDOW
    if following > newest:
        return
    host.acknowledge(number)
    came = {one.header.number for one in at_once(host) if is_event(one)}
    must("6.8", following in came, f"EVENT {following} does not come at once behind ACK {number}")
