"""Checks of PROTOCOL.md, section 6: the device keeps events, repeats them, and drops them when acknowledged; too many
waiting events lock it.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Broken, Event, Heard, Host, Skipped, must, shown
from firmware_protocols.tdp.conform.parts import (
    LATENESS_S,
    QUIET_S,
    SILENCE_S,
    SWITCHES,
    comes_again,
    forget_all_but,
    is_event,
    waiting,
)
from firmware_protocols.tdp.conform.silence_checks import seen_in_silence
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_RETRY_S,
    EVENT_WINDOW,
    FrameKind,
)

EXACTLY_S: Final = 0.03  # of a simulated line
FAR: Final = 1000  # numbers ahead of any event so far
LONG_S: Final = 12.0  # a device repeats longer than this
SLOW_S: Final = 3.3
COMMANDS_EVERY_S: Final = 0.15
JOINS: Final = 4  # at a shuffler two events each: the window is full then
JOIN_S: Final = 0.15
GAPS_S: Final = (0.2, 0.4, 0.8, 1.0, 1.0)
HELLO_AT: Final = (0.1, 0.6)  # of a retry time


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
    event, _status = host.schema.decode_event(host.watch.events[1])
    must("6.1", host.schema.name_of(event) == "started", f"EVENT 1 is {host.schema.name_of(event)}")


def events_come_again_as_they_were(host: Host) -> None:
    """Checks that the device still repeats a waiting event after commands, a new session and a silence. `Watch`
    compares each copy with the first.
    """
    number = waiting(host)[0].number
    for on in (True, False):
        if (switch := SWITCHES.get(host.schema.kind)) is not None:  # a sensor has none
            host.apply(switch.ask(host.status()[0], on=on))
        host.listen(EVENT_RETRY_MAX_S + LATENESS_S)
    host.open()
    host.listen(SILENCE_S, alive=False)
    comes_again(host, "6.6", number, f"EVENT {number} is gone")


def the_oldest_is_told(host: Host) -> None:
    """Checks that `oldest_event` is the oldest event that waits now, in repeated events and in IDENTITY."""
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


def _again(number: int, gaps: list[float]) -> str:
    """Returns the finding that event `number` came again after the gaps `gaps`, in seconds, or that it did not come
    again.
    """
    times = [round(gap, 2) for gap in gaps]
    return f"EVENT {number} again after {times} s" if times else f"EVENT {number} did not come again"


def _sent_at_once(host: Host, came: list[Event], begun_s: float) -> set[int]:
    """Returns the numbers of the events that came directly after a session was opened at `begun_s`."""
    return {one.number for one in came if one.at_s - begun_s <= LATENESS_S + host.slowest_s}


def _like(host: Host, gaps: list[float], wanted: tuple[float, ...]) -> bool:
    """True if the gaps `gaps` are as wanted, apart from delays by the line and this computer."""
    late_s = (EXACTLY_S if host.bench.is_quick else LATENESS_S) + host.slowest_s
    near = all(-late_s <= gap - due <= late_s for gap, due in zip(gaps, wanted, strict=False))
    return len(gaps) >= len(wanted) and near


def events_come_again_in_time(host: Host) -> None:
    """Checks that the device repeats an event after 0.2 s, then after growing gaps up to 1 s, each time with all events
    that may be on their way together.
    """
    waits = waiting(host, 2)
    host.open()
    begun_s = host.line.now_s()
    came = host.events(LONG_S)
    at_once = _sent_at_once(host, came, begun_s)
    for one in waits[:EVENT_WINDOW]:
        gaps = _gaps(came, one.number)
        is_so, found = _like(host, gaps, GAPS_S), f"{_again(one.number, gaps)}, watched for {LONG_S} s"
        is_oldest = one is waits[0] and one.number in at_once
        if not is_so and is_oldest and _is_in_time_behind_an_ack(host, [one.number for one in waits]):
            raise Broken("6.10", f"in a new session, and not behind an ACK: {found}")
        must("6.9", is_so, found)
        is_kept_up = sum(gaps) > LONG_S - EVENT_RETRY_MAX_S - LATENESS_S
        must("6.9", is_kept_up, f"EVENT {one.number} comes no more after {sum(gaps):.1f} s")


def _is_in_time_behind_an_ack(host: Host, numbers: list[int]) -> bool:
    """True if the device repeats the second event in time after an ACK of the first. The gaps were then wrong only
    because the new session had not made the retry time short again.
    """
    host.listen(LATENESS_S)  # an event may have been due just now
    host.acknowledge(numbers[0])
    acked_s = host.line.now_s()
    again = [one.at_s for one in host.events(sum(GAPS_S) + LATENESS_S) if one.number == numbers[1]]
    return _like(host, [later - earlier for earlier, later in pairwise((acked_s, *again))], GAPS_S[:4])


TRIED_LONG_S: Final = 30.0  # some thirty times: longer than a firmware that gives up


def an_event_is_told_until_it_is_acknowledged(host: Host) -> None:
    """Checks that the device does not give up a waiting event after many repetitions."""
    number = waiting(host)[0].number
    host.listen(TRIED_LONG_S)
    came = [one.number for one in host.events(2 * EVENT_RETRY_MAX_S + LATENESS_S)]
    must("6.9", number in came, f"EVENT {number} comes no more behind {TRIED_LONG_S:.0f} s")


def other_frames_change_no_time(host: Host) -> None:
    """Checks that COMMANDs do not make an event come sooner."""
    number = waiting(host)[0].number
    host.open()
    if not _like(host, _gaps(host.events(SLOW_S), number), GAPS_S[:4]):
        return  # another check says so
    host.open()
    came: list[Event] = []
    for _ in range(round(SLOW_S / COMMANDS_EVERY_S)):
        host.last_command += 1
        host.say(FrameKind.COMMAND, host.last_command, host.query)
        came += host.events(COMMANDS_EVERY_S)
    gaps = _gaps(came, number)
    must("6.9", _like(host, gaps, GAPS_S[:4]), f"among COMMANDs {_again(number, gaps)}")


def a_dropped_heartbeat_changes_no_time(host: Host) -> None:
    """Checks that a dropped HEARTBEAT does not lengthen the retry time, even if its first byte asks for it."""
    number = waiting(host)[0].number
    host.open()
    if not _like(host, _gaps(host.events(sum(GAPS_S[:2]) + LATENESS_S), number), GAPS_S[:2]):
        return  # another check says so
    for name, (duty, say) in _DROPPED_BEATS.items():
        host.open()
        say(host)
        gaps = _gaps(host.events(sum(GAPS_S[:2]) + LATENESS_S), number)
        if _like(host, gaps, (EVENT_RETRY_MAX_S,)) or not gaps:
            raise Broken(duty, f"{name} puts off EVENT {number}: {_again(number, gaps)}")


_DROPPED_BEATS: Final[dict[str, tuple[str, Callable[[Host], object]]]] = {
    "a HEARTBEAT of two bytes": ("3.2", lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\1\0")),
    "a HEARTBEAT of two flags": ("3.2", lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\0\1")),
    "a HEARTBEAT of many bytes": ("3.2", lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\1" * 40)),
    "a HEARTBEAT of the value 2": ("3.3", lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\2")),
    "a HEARTBEAT of the value 129": ("3.3", lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\x81")),
    "a HEARTBEAT of the value 255": ("3.3", lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\xff")),
    "a HEARTBEAT of another session": (
        "3.7",
        lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\1", opening=host.opening + 1),
    ),
    "a HEARTBEAT of another boot": (
        "3.7",
        lambda host: host.say(FrameKind.HEARTBEAT, 0x6001, b"\1", boot=host.boot + 1),
    ),
}
"""Heartbeats that are dropped, with the duties to drop them."""


def a_hello_again_changes_no_time(host: Host) -> None:
    """Checks that a repeated HELLO of the session leaves a grown retry time unchanged, early or late in that time."""
    number = waiting(host)[0].number
    host.open()
    if not _like(host, _gaps(host.events(sum(GAPS_S[:4]) + LATENESS_S), number), GAPS_S[:4]):
        return  # another check says so
    for place in (1, 2, 3):
        for part in HELLO_AT:
            host.open()
            _hello_in_gap(host, number, place, part)


def _hello_in_gap(host: Host, number: int, place: int, part: float) -> None:
    came: list[Event] = []
    for _ in range(place + 1):
        heard = host.listen(
            EVENT_RETRY_MAX_S + QUIET_S, until=lambda one: one.header.number == number and is_event(one)
        )
        came += [host.read_event(one) for one in heard if is_event(one)]
    host.listen(part * GAPS_S[place])
    host.say_hello()
    came += host.events(GAPS_S[place] + LATENESS_S)
    gaps = _gaps(came, number)
    if _like(host, gaps, GAPS_S[:place]):  # else another check says so
        found = f"HELLO again in a retry time of {GAPS_S[place]} s: {_again(number, gaps[place:])}"
        must("4.3", _like(host, gaps, GAPS_S[: place + 1]), found)


def events_that_join_put_nothing_off(host: Host) -> None:
    """Checks that the retry time counts from the last sending of the waiting events. A new event among them must not
    restart it.
    """
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
    with suppress(Skipped):
        _is_short_behind_an_ack(host, is_slow=True, by_hello=True)
    _is_short_in_a_new_session(host)


def _is_short_in_a_new_session(host: Host) -> None:
    """Checks that a new session makes the retry time short again after the last session's host has lengthened it."""
    number = waiting(host)[0].number
    host.say_pulse(not_yet_durable=True)
    host.listen(EVENT_RETRY_S)
    host.open()
    begun_s = host.line.now_s()
    came = host.events(EVENT_RETRY_MAX_S)
    if number not in _sent_at_once(host, came, begun_s):
        return  # another check says so
    gaps = _gaps(came, number)
    found = f"behind not_yet_durable and a new session {_again(number, gaps)}"
    must("6.10", _like(host, gaps, GAPS_S[:1]), found)


def _is_short_behind_an_ack(host: Host, *, is_slow: bool, by_hello: bool = False) -> None:
    """Checks that an ACK makes the retry time short again after it has grown, or after the host has asked for time
    (`is_slow`).

    `by_hello`: a HELLO of the session acknowledges instead of an ACK.
    """
    first, second = (one.number for one in waiting(host, 2)[:2])
    if is_slow:
        host.say_pulse(not_yet_durable=True)
        host.listen(EVENT_RETRY_S)
    else:
        host.listen(sum(GAPS_S[:4]) + 0.3)
    acked_s = host.line.now_s()
    if not by_hello:
        host.acknowledge(first)
    elif not _is_committed(host, first):
        return  # another check says so
    again = [one.at_s - acked_s for one in host.events(EVENT_RETRY_MAX_S) if one.number == second]
    is_soon = bool(again) and again[0] <= EVENT_RETRY_S + LATENESS_S
    must("6.10", is_soon, f"behind an ACK {_again(second, again)}")


def _is_committed(host: Host, number: int) -> bool:
    """True if the device drops the events up to `number` when a HELLO of the session acknowledges them."""
    host.say_hello(committed=number)
    heard = host.first(FrameKind.IDENTITY, 0)
    return heard is not None and host.read_identity(heard)[0].oldest_event > number


def a_slow_host_is_given_time(host: Host) -> None:
    """Checks that a HEARTBEAT with `not_yet_durable` sets the retry time to 1 s at once, counted from each event's last
    sending. More such HEARTBEATs must not delay the events further.
    """
    number = waiting(host)[0].number
    for often in (False, True):
        host.open()
        host.say_pulse(not_yet_durable=True)
        came = [] if often else host.events(SLOW_S)
        for _ in range(round(SLOW_S / 0.3) if often else 0):
            came += host.events(0.3, alive=False)
            host.say_pulse(not_yet_durable=True)
        gaps = _gaps(came, number)
        must("6.11", _like(host, gaps, (1.0, 1.0)), _again(number, gaps))


def acknowledged_events_are_gone(host: Host) -> None:
    """Checks that an ACK makes the device drop all events up to the number in it, and no later one."""
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
    for acked in (
        newest + 1,
        newest + FAR,
        newest + 2**8,
        newest + 2**16,
        newest + 2**24,
        2**32 - 1,
        2**31,
        number - 1,
        0,
    ):
        host.acknowledge(acked)
    comes_again(host, "6.13", number, f"EVENT {number} is gone")
    identity, _status = host.open()
    must("6.13", identity.oldest_event <= number, f"oldest {identity.oldest_event}, EVENT {number} waits")


def an_ack_of_before_changes_no_time(host: Host) -> None:
    """Checks that an ACK of events already acknowledged makes no event come sooner."""
    first, second = (one.number for one in waiting(host, 2)[:2])
    host.acknowledge(first)
    host.open()
    host.listen(sum(GAPS_S[:3]) + 0.1)
    host.acknowledge(first)
    came = [one for one in host.events(EVENT_RETRY_S + LATENESS_S) if one.number == second]
    must("6.13", not came, f"EVENT {second} at once behind an ACK of before")


def nobody_is_told_in_silence(host: Host) -> None:
    """Checks that after 2 s without a frame of the session the device repeats nothing, and that after the next frame it
    sends all waiting events.
    """
    with suppress(Skipped):
        waiting(host, 3)
    numbers = {one.number for one in waiting(host)[:EVENT_WINDOW]}
    for name, say in _ENDS.items():
        host.listen(SILENCE_S, alive=False)
        heard = host.listen(2.5, alive=False)
        must(_of_silence(host, heard), not heard, f"in the silence: {shown(heard)}")
        say(host)
        came = {one.number for one in host.events(LATENESS_S + host.slowest_s, alive=False)}
        found = f"of EVENTs {sorted(numbers)} {sorted(came)} come at once when {name} ends the silence"
        must("6.17", numbers <= came, found)


def _of_silence(host: Host, heard: Sequence[Heard]) -> str:
    """Returns the number of the duty that the device breaks by sending frames in a silence. It is 7.6 if the device
    does not notice the silence in time, otherwise 6.17.
    """
    if not heard:
        return "6.17"
    host.status()
    host.listen(SILENCE_S, alive=False)
    return "6.17" if seen_in_silence(host)[1].host_silent else "7.6"


_ENDS: Final[dict[str, Callable[[Host], object]]] = {
    "a HEARTBEAT": lambda host: host.say_pulse(),
    "a HEARTBEAT of a slow host": lambda host: host.say_pulse(not_yet_durable=True),
    "a COMMAND": lambda host: host.say(FrameKind.COMMAND, 1, host.query),
    "a COMMAND again": lambda host: host.say(FrameKind.COMMAND, 1, host.query),
    "an ACK of before": lambda host: host.acknowledge(0),
    "HELLO of its opening": lambda host: host.say_hello(),
}
