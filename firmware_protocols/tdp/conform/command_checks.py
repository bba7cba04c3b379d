"""Checks of PROTOCOL.md, section 5: which COMMANDs the device executes, how often, and the content of its answers."""

from collections.abc import Iterator
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Answer, Broken, Host, Skipped, must, shown
from firmware_protocols.tdp.conform.one_write import both, in_one_write
from firmware_protocols.tdp.conform.parts import (
    BAD_COMMAND,
    LATENESS_S,
    LOCKS,
    OK,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    REFUSED_HOST_SILENT,
    SILENCE_S,
    SWITCHES,
    U16,
    Permission,
    forget_all_but,
    is_counted,
    lock_of_shuffler,
    permissions,
    permit,
    shows_within_s,
    switch_of,
    switched,
    turn,
    with_cards,
)
from firmware_protocols.tdp.conform.silence_checks import of_silence
from firmware_protocols.tdp.conform.told import counts
from firmware_protocols.tdp.link import EVENTS_LOCK, FrameKind
from firmware_protocols.tdp.schema import DeviceKind, Field, Layout, Message, Nature

ANSWERED_S: Final = 0.05
LASTS_S: Final = 4.0  # a lock stays this long at least
TIMES_AGAIN: Final = 3
BAD_TRIES: Final = 3  # of a bad command beside whose answer an event was made
BEYOND_A_BYTE: Final = 260
OTHERS: Final = (4, 1, 0, 5, 2**31 + 2, 2**31 + 3, 2**32 - 1, 258, 65538, 259, 65539)  # behind COMMAND 2


def the_next_command_is_executed(host: Host) -> None:
    switch = switch_of(host)
    for on in (True, False, True):
        answer = host.answer(switched(host, on=on))
        must("5.1", answer.result == OK, f"COMMAND {host.last_command}: result {answer.result}")
        status = host.status_becomes(switch.is_turned(on=on), shows_within_s(host))
        must("5.9", switch.is_on(status) is on, f"COMMAND {host.last_command}, answered OK, leaves it undone: {status}")


def the_last_command_is_not_done_again(host: Host) -> None:
    """Checks that the device answers a repeated COMMAND number with the first result and the present status. The device
    must not execute the COMMAND again, even if the payload is another.
    """
    switch = switch_of(host)
    turn(host, on=True)
    turn(host, on=False)
    for _ in range(TIMES_AGAIN):
        again = _again(host, "5.2", switched(host, on=True))
        must("5.5", again.result == OK, f"COMMAND 2 again: result {again.result}")
        must("5.5", not switch.is_on(host.status_becomes(switch.is_on, QUIET_S)), "COMMAND 2 is executed again")
    kept = host.answer(b"\xee").result
    for duty, payload in (("5.2", b"\xee"), ("5.5", host.query), ("5.2", switched(host, on=True))):
        again = _again(host, "5.2", payload)
        found = f"COMMAND 3 again: result {again.result}, {kept} the first time"
        must(duty, again.result == kept == BAD_COMMAND, found)
    must("5.2", not switch.is_on(host.status_becomes(switch.is_on, QUIET_S)), "COMMAND 3 is executed again")
    host.listen(LASTS_S)
    again = _again(host, "5.2", host.query)
    must("5.2", again.result == kept, f"COMMAND 3 again after {LASTS_S} s: result {again.result}")
    _each_is_answered(host)


def _each_is_answered(host: Host) -> None:
    """Checks that a COMMAND that comes twice in one write gets two answers, for a new and for a repeated number."""
    for is_new in (True, False):
        host.last_command += is_new
        with in_one_write(host):
            for _ in range(2):
                host.say(FrameKind.COMMAND, host.last_command, host.query)
        came = both(host, FrameKind.ANSWER)
        must("5.2", len(came) == 2, f"COMMAND {host.last_command} twice in one write: {shown(came)}")


def _again(host: Host, duty: str, payload: bytes) -> Answer:
    answer = host.ask(payload, number=host.last_command)
    if answer is None:
        raise Broken(duty, f"no ANSWER to COMMAND {host.last_command} again")
    return answer


def an_answer_again_has_the_status_of_now(host: Host) -> None:
    """Checks that a permission that a silence has withdrawn stays withdrawn when its COMMAND is repeated."""
    permission = permissions(host)[0]
    for is_bad in (True, False):
        payload = host.schema.encode_command(permission.ask(host.status()[0]))
        host.answer(payload)
        if not permission.is_given(host.status_becomes(permission.is_given)):
            raise Skipped("not-permitted")
        if is_bad:
            host.answer(payload := b"\xee")
        host.listen(SILENCE_S, alive=False)
        _is_of_now(host, permission, payload)


def _is_of_now(host: Host, permission: Permission, payload: bytes) -> None:
    again = _again(host, "5.2", payload)
    if not permission.is_locked(again.status):
        raise Broken(of_silence(host, permission, "5.2"), f"the answer again is as it was: {again.status}")
    must("5.2", permission.is_locked(host.status_becomes(permission.is_given, QUIET_S)), "COMMAND 1 is executed again")


def an_answer_again_counts_the_events_of_now(host: Host) -> None:
    """Checks that `newest_event` in a repeated answer counts an event made after the first answer."""
    first = host.answer(host.query).newest_event
    host.hand(Deed.EVENT)
    if host.status()[1] == first:
        raise Skipped("no-event-waits")
    again = _again(host, "5.2", host.query)
    must("3.1", again.newest_event > first, f"newest_event {again.newest_event} behind an event, {first} before it")


def commands_are_counted_beyond_a_byte(host: Host) -> None:
    for _ in range(BEYOND_A_BYTE):
        host.answer(host.query)


def other_numbers_are_not_executed(host: Host) -> None:
    switch = switch_of(host)
    for on in (True, False):
        turn(host, on=on)
    wish = switched(host, on=True)
    for number in OTHERS:
        must("5.3", host.ask(wish, number=number, within_s=QUIET_S) is None, f"an ANSWER to COMMAND {number} behind 2")
        must("5.3", not switch.is_on(host.status()[0]), f"COMMAND {number} behind 2 is executed")
    must("5.3", host.answer(host.query).result == OK, "COMMAND 3 refused")


def without_a_lock_the_number_counts(host: Host) -> None:
    """Checks by the results which COMMANDs a shoe without a lock executes: its status does not show them."""
    if host.statement.has("lock"):
        return  # other checks try more
    kept = host.answer(b"\xee").result
    again = _again(host, "5.2", host.query)
    must("5.5", again.result == kept == BAD_COMMAND, f"COMMAND 1 again: result {again.result}, {kept} the first time")
    _each_is_answered(host)
    for number in OTHERS:
        found = f"an ANSWER to COMMAND {number} behind 2"
        must("5.3", host.ask(host.query, number=number, within_s=QUIET_S) is None, found)
    must("5.1", host.answer(host.query).result == OK, "COMMAND 3 refused")


def there_is_no_command_0(host: Host) -> None:
    must("5.4", host.ask(host.query, number=0, within_s=QUIET_S) is None, "an ANSWER to COMMAND 0 in a new session")
    for pause_s in (0.0, SILENCE_S):
        host.answer(host.query)
        host.listen(pause_s, alive=False)
        host.open()
        found = f"an ANSWER to COMMAND 0 in a new session, {pause_s} s behind a COMMAND of the last"
        must("5.4", host.ask(host.query, number=0, within_s=QUIET_S) is None, found)
    must("5.4", host.answer(host.query).result == OK, "COMMAND 1 refused")


def nonsense_is_a_bad_command(host: Host) -> None:
    """Checks that a bad command changes nothing: no valid field of it is executed, and the device locks nothing."""
    before = host.status()
    for payload in _nonsense(host, before[0]):
        before = _is_bad(host, payload, before)


def nonsense_withdraws_nothing(host: Host) -> None:
    for permission in permissions(host)[:1]:
        permit(host, permission)
        before = host.status()
        for payload in _nonsense(host, before[0]):
            before = _is_bad(host, payload, before)
        must("5.6", permission.is_given(host.status()[0]), f"a bad command withdraws: {permission.name}")


Now = tuple[Any, int]
"""A status with the number of the newest event that it takes in."""


def _is_bad(host: Host, payload: bytes, before: Now) -> Now:
    """Sends a bad command, once more if an event comes meanwhile. It must not change the state `before`. Returns the
    state that the next bad command must not change. Raises Broken.
    """
    for _ in range(BAD_TRIES):
        answer, after = _bad_answer(host, payload), host.status()
        shown = [after[0]] if host.schema.kind is DeviceKind.SHUFFLER else [answer.status, after[0]]
        other = [one for one in shown if _but_for_motion(one) != _but_for_motion(before[0])]
        found = f"payload {payload.hex(' ') or 'nothing'} is a bad command, and changes: {other}, before {before[0]}"
        if not other or after[1] == before[1]:
            break
        before = after
    must("5.6", not other, found)
    return before[0], after[1]


def _bad_answer(host: Host, payload: bytes) -> Answer:
    said = payload.hex(" ") or "nothing"
    answer = host.ask(payload)
    if answer is None:
        raise Broken("5.6", f"payload {said}: no ANSWER")
    must("5.6", answer.result == BAD_COMMAND, f"payload {said}: result {answer.result}")
    return answer


def _but_for_motion(status: Any) -> object:  # noqa: ANN401 (any kind's)
    """The fields of a status that a command can change; without a shuffler's counts, since cards may be moving."""
    names = ("release_until", "jams", "recounts", "feed_open", "unloading", "lamp_lit")
    if hasattr(status, "release_until"):
        return [getattr(status, name) for name in names]
    return status


def _nonsense(host: Host, now: Any) -> Iterator[bytes]:  # noqa: ANN401 (any kind's status)
    """Yields bad payloads: unknown messages, wrong lengths, and good commands with one field out of bounds."""
    known = {row.id for row in host.schema.commands}
    yield b""
    yield from (bytes((number,)) for number in (0, 3, 0x7F, 0xEE, 0xFF) if number not in known)
    yield host.query + b"\0"
    for row in host.schema.commands:
        if row.nature is Nature.EFFECT and row.fields:
            yield from bad_effects(row, _something_new(host, now))


def _something_new(host: Host, now: Any) -> bytes:  # noqa: ANN401 (any kind's status)
    """The payload of a good command that would change the status; at a shoe without a lock it would not."""
    can_show = host.schema.kind is not DeviceKind.SHOE or host.statement.has("lock")
    switch = switch_of(host) if can_show else SWITCHES[host.schema.kind]
    return host.schema.encode_command(switch.ask(now, on=not switch.is_on(now)))


def bad_effects(row: Message[Any], good: bytes) -> Iterator[bytes]:
    size = Layout(row).size
    yield good + b"\0"
    yield from (good[:length] for length in sorted({1, 2, size // 2 + 1, size}) if length <= size)
    at = 1
    for field in row.fields:
        width = _width(field)
        if field.high < field.wire.highest:
            single = (1 + (1 << bit) for bit in range(8 * width))
            for value in sorted({field.high + 1, field.wire.highest, *(one for one in single if one > field.high)}):
                yield good[:at] + value.to_bytes(width, "little") + good[at + width :]
        at += width


def _width(field: Field) -> int:
    return (field.wire.highest.bit_length() + 7) // 8


def answers_come_at_once(host: Host) -> None:
    """Checks that the quickest of five answers is in time: to a query, to a bad command and to a lock. Line and
    computer may delay single answers.
    """
    sorts = [host.query, b"\xee"]
    if host.schema.kind in LOCKS:
        sorts.append(host.schema.encode_command(LOCKS[host.schema.kind](host.status()[0])))
    for payload in sorts:
        _is_answered_at_once(host, payload)
    if host.schema.kind in SWITCHES and host.schema.kind is not DeviceKind.SHUFFLER:
        switch = SWITCHES[host.schema.kind]
        both = [host.schema.encode_command(switch.ask(host.status()[0], on=on)) for on in (True, False)]
        for payloads in (both, both[::-1]):  # each of two that change something
            times_s = [[host.answer(one).after_s for one in payloads] for _ in range(5)]
            _is_at_once(min(one[0] for one in times_s), "a COMMAND that changes something")
    _is_answered_at_once_in_a_new_session(host)


def _is_answered_at_once(host: Host, payload: bytes) -> None:
    """Checks that the quickest of five answers is in time, for new COMMANDs and for repeated ones."""
    again: list[float] = []
    first: list[float] = []
    for _ in range(5):
        first.append(host.answer(payload).after_s)
        again.append(_again(host, "5.2", payload).after_s)
    _is_at_once(min(first), f"payload {payload[:16].hex(' ')}")
    _is_at_once(min(again), f"payload {payload[:16].hex(' ')}, said again")


def _is_answered_at_once_in_a_new_session(host: Host) -> None:
    for behind in ("a new session", "a silence"):
        times_s = []
        for _ in range(5):
            if behind == "a silence":
                host.listen(SILENCE_S, alive=False)
            else:
                host.open()
            times_s.append(host.answer(host.query).after_s)
        _is_at_once(min(times_s), f"the first COMMAND behind {behind}")


def _is_at_once(quickest_s: float, found: str) -> None:
    must("5.8", quickest_s <= ANSWERED_S + LATENESS_S, f"{found}: {quickest_s * 1000:.0f} ms")


def answers_wait_for_no_motor(host: Host) -> None:
    """Checks that answers are in time while cards move: to the command that moves them, and to a query."""
    for permission in permissions(host):
        host.open()
        now = with_cards(host)
        answer = host.apply(permission.ask(now))
        quickest = min(host.answer(host.query).after_s for _ in range(5))
        for after_s in (answer.after_s, quickest):
            must("5.8", after_s <= ANSWERED_S + LATENESS_S, f"{permission.name}: {after_s * 1000:.0f} ms")


def a_query_changes_nothing(host: Host) -> None:
    switch = switch_of(host)
    for on in (True, False):
        host.answer(switched(host, on=on))
        before = host.status_becomes(switch.is_turned(on=on))
        answer = host.answer(host.query)
        must("5.11", answer.result == OK, f"query: result {answer.result}")
        must("5.11", switch.is_on(host.status()[0]) is switch.is_on(before), f"a query changes: {answer.status}")


def a_query_withdraws_nothing(host: Host) -> None:
    for permission in permissions(host):
        permit(host, permission)
        host.answer(host.query)
        must("5.11", permission.is_given(host.status()[0]), f"a query withdraws: {permission.name}")
    if host.schema.kind is not DeviceKind.SHUFFLER or not host.statement.has("recount"):
        return
    before = with_cards(host)
    request = (before.recounts + 1) % U16
    host.apply(lock_of_shuffler(before, recount_request=request))
    host.answer(host.query)
    after = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
    must("5.11", after.recounts == request, f"a query takes a recount back: {after}")


# --- a command answered OK is executed


def what_is_answered_ok_comes_true(host: Host) -> None:
    """Checks that the status shows each permission answered OK, then the lock after it, and the lock for 4 s."""
    for permission in permissions(host):
        answer = host.apply(permission.ask(host.status()[0]))
        if answer.result != OK:
            continue
        _comes_true(host, permission)
        answer = host.apply(LOCKS[host.schema.kind](host.status()[0]))
        must("5.9", answer.result == OK, f"a lock: result {answer.result}")
        status = host.status_becomes(permission.is_locked, shows_within_s(host))
        found = f"a lock behind {permission.name} is answered OK and not done: {status}"
        must("5.9", permission.is_locked(status), found)
        host.listen(LASTS_S)
        status = host.status()[0]
        must("9.17", permission.is_locked(status), f"a lock wears off: {status}")


def what_was_withdrawn_can_be_said_again(host: Host) -> None:
    """Checks that a permission which a silence has withdrawn is given again by the same command under a new number. A
    faulty device compares the command with the last one, not with its own state.
    """
    for permission in permissions(host):
        host.open()
        before = permit(host, permission)
        wish = permission.ask(before)
        host.apply(wish)
        forget_all_but(host, 0)
        host.listen(SILENCE_S, alive=False)
        answer = host.apply(wish)
        if answer.result == REFUSED_HOST_SILENT and host.status()[1] - host.watch.acked >= EVENTS_LOCK:
            forget_all_but(host, 0)  # hands or cards have made 48 events by then: it is locked by right
            answer = host.apply(wish)
        found = f"{permission.name} that a silence withdrew, said again"
        must("5.9", answer.result == OK, f"{found}: result {answer.result}")
        status = host.status_becomes(permission.is_given, shows_within_s(host))
        if not (permission.is_given(status) or counts(status) != counts(before)):
            duty = "5.5" if _is_done_behind_a_query(host, permission, wish) else "5.9"
            raise Broken(duty, f"{found}, is answered OK and not done: {status}")


def _is_done_behind_a_query(host: Host, permission: Permission, wish: object) -> bool:
    """True if the device executes the command `wish` under a new number only after another command. It then takes it
    for a repetition of the last one.
    """
    for between in (False, True):
        if between:
            host.answer(host.query)
        host.apply(wish)
        is_given = permission.is_given(host.status_becomes(permission.is_given, shows_within_s(host)))
        if is_given is not between:
            return False
    return True


def _comes_true(host: Host, permission: Permission) -> None:
    before = host.status()[0]
    status = host.status_becomes(lambda now: permission.is_given(now) or now != before, shows_within_s(host))
    is_true = permission.is_given(status) or (host.schema.kind is DeviceKind.SHUFFLER and status != before)
    must("5.9", is_true, f"{permission.name} is answered OK and not done: {status}")
