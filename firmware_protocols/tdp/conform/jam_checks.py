"""Checks of PROTOCOL.md, section 10, for a jam that hands cause: it stops everything, and only people end it."""

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Host, must
from firmware_protocols.tdp.conform.parts import (
    OK,
    RECOUNTED_WITHIN_S,
    U16,
    lock_of_shuffler,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.shuffler_checks import must_be_ok, refuses_all, status_of
from firmware_protocols.tdp.shuffler import JamEnded, Jammed, PathCleared, ShufflerResult, ShufflerStatus


def a_jam_is_ended_by_people_alone(host: Host) -> None:
    """A free path, a closed lid or the number of an older jam does not end a jam; its own number does."""
    before = with_cards(host)
    newest = host.status()[1]
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    must("10.27", jam.jammed and jam.lamp_lit, f"a card sticks: {jam}")
    must("10.27", jam.jams == (before.jams + 1) % U16, f"jams {jam.jams} behind {before.jams}")
    _not_ended_by_older(host, jam)
    refuses_all(host, ShufflerResult.REFUSED_JAMMED, "10.11")
    _lamp_stays(host, jam)
    _not_ended_while_blocked(host, jam)
    host.hand(Deed.CLEAR)
    free = host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    must("10.28", free.jammed and free.lamp_lit, f"the path is free: {free}")
    _not_ended_by_older(host, jam)
    _lid_ends_nothing(host, jam)
    _ended(host, jam)
    kinds = [type(one) for one in told(host, newest)]
    must("10.27", Jammed in kinds, f"told {kinds}")
    must("10.31", PathCleared in kinds, f"told {kinds}")


def _lamp_stays(host: Host, jam: ShufflerStatus) -> None:
    answer = host.apply(lock_of_shuffler(jam, lamp=False))
    must("10.9", status_of(host).lamp_lit, f"the lamp of a latched jam is put out, result {answer.result}")


def _not_ended_by_older(host: Host, jam: ShufflerStatus) -> None:
    for ended in (jam.jams - 1, jam.jams - 2, jam.jams - U16 // 2 + 1):
        result = host.apply(lock_of_shuffler(jam, jams_ended=ended % U16)).result
        must("10.7", result == OK, f"jams_ended {ended % U16} while jam {jam.jams} is latched: result {result}")
        now = status_of(host)
        must("10.7", now.jammed and now.lamp_lit, f"jams_ended {ended % U16} ends jam {jam.jams}: {now}")


def _not_ended_while_blocked(host: Host, jam: ShufflerStatus) -> None:
    if not host.statement.has("path_sensors"):
        return
    must("10.4", status_of(host).path_blocked, f"a card sticks, and path_blocked is not set: {status_of(host)}")
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.4", answer.result == ShufflerResult.REFUSED_PATH_BLOCKED, f"path_blocked: result {answer.result}")
    must("10.4", status_of(host).jammed, f"a jam ends while its card sticks: {status_of(host)}")


def _lid_ends_nothing(host: Host, jam: ShufflerStatus) -> None:
    if not host.statement.has("lid"):
        return
    host.hand(Deed.LID_OPEN)
    opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", opened.jammed, f"the lid is opened: {opened}")
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.5", answer.result == ShufflerResult.REFUSED_LID_OPEN, f"lid_open: result {answer.result}")
    must("10.5", status_of(host).jammed, f"a jam ends with the lid open: {status_of(host)}")
    host.hand(Deed.LID_CLOSE)
    closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", closed.jammed and closed.lamp_lit, f"the lid is closed: {closed}")


def _ended(host: Host, jam: ShufflerStatus, *, by: int = 0) -> None:
    """The jam's own number ends it, and so does one that is newer (`by`)."""
    newest = host.status()[1]
    word = (jam.jams + by) % U16
    must_be_ok("10.6", host.apply(lock_of_shuffler(jam, lamp=False, jams_ended=word)), f"jams_ended {word}")
    now = host.status_becomes(lambda one: not one.jammed)
    must("10.6", not now.jammed, f"jam {jam.jams} is not ended by jams_ended {word}: {now}")
    must("10.8", not now.lamp_lit, f"lamp 0 and no jam: {now}")
    must("10.6", any(isinstance(one, JamEnded) for one in told(host, newest)), "no jam-ended")


def a_jam_outlives_a_start(host: Host) -> None:
    with_cards(host)
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    host.hand(Deed.POWER)
    _identity, status = host.open()
    is_same = status.jammed and status.lamp_lit and status.jams == jam.jams
    must("10.30", is_same, f"behind a start: {status}, before {jam}")
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    _not_ended_by_older(host, jam)
    _ended(host, jam)


def a_second_jam_needs_its_own_word(host: Host) -> None:
    """The command that ended the first jam does not end the second one."""
    numbers = []
    for _ in range(2):
        with_cards(host)
        host.hand(Deed.JAM)
        jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
        numbers.append(jam.jams)
        host.hand(Deed.CLEAR)
        host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
        host.apply(lock_of_shuffler(jam, jams_ended=numbers[0] if len(numbers) > 1 else jam.jams - 1))
        must("10.7", status_of(host).jammed, f"the word for jam {numbers[0]} ends jam {jam.jams}")
        _ended(host, jam, by=len(numbers) - 1)


def a_new_session_leaves_a_jam(host: Host) -> None:
    """A new session leaves the jam's lamp, latch and number as they are."""
    with_cards(host)
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    _identity, status = host.open()
    must("9.18", status.lamp_lit, f"a new session puts the lamp out: {status}")
    must("10.30", (status.jammed, status.jams) == (True, jam.jams), f"a new session: {status}")
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    _ended(host, jam)
