"""Checks of PROTOCOL.md, section 10, with a jam that hands cause: the jam stops everything, and only people end it."""

from contextlib import suppress

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    OK,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    U16,
    lock_of_shuffler,
    recount,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.shuffler_checks import known_again, must_be_ok, refuses_all, status_of
from firmware_protocols.tdp.conform.state_checks import goes_on
from firmware_protocols.tdp.conform.trouble_checks import NEWER, obeys_in_trouble
from firmware_protocols.tdp.link import IDENTIFY_WITHIN_S
from firmware_protocols.tdp.shuffler import (
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    ShufflerResult,
    ShufflerStatus,
)


def a_jam_is_ended_by_people_alone(host: Host) -> None:
    """Checks that only a command with the jam's own number ends a jam. A free path, a closed lid or an older jam's
    number does not.
    """
    before = with_cards(host)
    newest = host.status()[1]
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    must("10.27", jam.jammed and jam.lamp_lit, f"a card sticks: {jam}")
    must("10.27", jam.jams == (before.jams + 1) % U16, f"jams {jam.jams} behind {before.jams}")
    _not_ended_by_older(host, jam)
    refuses_all(host, ShufflerResult.REFUSED_JAMMED, "10.11")
    _lamp_stays(host, jam)
    goes_on(host, "a card sticks")
    _not_ended_while_blocked(host, jam)
    host.hand(Deed.CLEAR)
    free = host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    must("10.28", free.jammed and free.lamp_lit, f"the path is free: {free}")
    goes_on(host, "a jam is latched, and its path is free")
    _not_ended_by_older(host, jam)
    obeys_in_trouble(host, can_end=True)
    _lid_ends_nothing(host, jam)
    _ended(host, jam)
    kinds = [type(one) for one in told(host, newest)]
    must("10.27", Jammed in kinds, f"told {kinds}")
    must("10.31", kinds.count(PathCleared) == 1, f"told {kinds}")
    lids = [kind for kind in kinds if kind in (LidOpened, LidClosed)]
    times = (1 + host.statement.has("path_sensors")) * host.statement.has("lid")
    is_told = lids == [LidOpened, LidClosed] * times
    must("10.33", is_told, f"a lid was opened and closed {times} times in a jam, told {kinds}")
    _counts_what_is_left(host)


def _counts_what_is_left(host: Host) -> None:
    """Makes the shuffler recount after hands took a card, and unload by the same command. `Watch` tests that the count
    of cards inside falls from the recount's result.
    """
    if not host.statement.has("recount"):
        return
    now = status_of(host)
    after = recount(host, now, unload=True)
    host.status_becomes(lambda one: one.cards_out != after.cards_out, RECOUNTED_WITHIN_S)
    host.listen(QUIET_S)
    host.apply(lock_of_shuffler(status_of(host)))  # each card's `inside` is looked at by `Watch`


def _lamp_stays(host: Host, jam: ShufflerStatus) -> None:
    answer = host.apply(lock_of_shuffler(jam, lamp=False))
    must("10.9", status_of(host).lamp_lit, f"the lamp of a latched jam is put out, result {answer.result}")


def _not_ended_by_older(host: Host, jam: ShufflerStatus) -> None:
    for ended in (jam.jams - 1, jam.jams - 2, jam.jams - U16 // 2 + 1):
        result = host.apply(lock_of_shuffler(jam, jams_ended=ended % U16)).result
        is_meant = result in (ShufflerResult.REFUSED_PATH_BLOCKED, ShufflerResult.REFUSED_LID_OPEN)
        must(
            "10.7" if is_meant else "10.15",
            result == OK,
            f"jams_ended {ended % U16} while jam {jam.jams} is latched: result {result}",
        )
        now = status_of(host)
        must("10.7", now.jammed and now.lamp_lit, f"jams_ended {ended % U16} ends jam {jam.jams}: {now}")


def _not_ended_while_blocked(host: Host, jam: ShufflerStatus) -> None:
    if not host.statement.has("path_sensors"):
        return
    must("10.4", status_of(host).path_blocked, f"a card sticks, and path_blocked is not set: {status_of(host)}")
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams, feed_open=True))
    must("10.4", answer.result == ShufflerResult.REFUSED_PATH_BLOCKED, f"path_blocked: result {answer.result}")
    must("10.25", not status_of(host).feed_open, f"refused for the path, and permitted: {status_of(host)}")
    must("10.4", status_of(host).jammed, f"a jam ends while its card sticks: {status_of(host)}")
    obeys_in_trouble(host, can_end=False)
    if host.statement.has("lid"):
        _first_things_first(host, jam)


def _first_things_first(host: Host, jam: ShufflerStatus) -> None:
    """Checks which refusal comes first if several apply: "path blocked" before "lid open", and "jammed" before "lid
    open".
    """
    host.hand(Deed.LID_OPEN)
    opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", opened.jammed, f"the lid is opened: {opened}")
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.4", answer.result == ShufflerResult.REFUSED_PATH_BLOCKED, f"path and lid: result {answer.result}")
    answer = host.apply(lock_of_shuffler(jam, feed_open=True))
    must("10.11", answer.result == ShufflerResult.REFUSED_JAMMED, f"jam and lid: result {answer.result}")
    obeys_in_trouble(host, can_end=False)
    host.hand(Deed.LID_CLOSE)
    closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", closed.jammed, f"the lid is closed: {closed}")


def _lid_ends_nothing(host: Host, jam: ShufflerStatus) -> None:
    if not host.statement.has("lid"):
        return
    host.hand(Deed.LID_OPEN)
    opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", opened.jammed, f"the lid is opened: {opened}")
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.5", answer.result == ShufflerResult.REFUSED_LID_OPEN, f"lid_open: result {answer.result}")
    must("10.5", status_of(host).jammed, f"a jam ends with the lid open: {status_of(host)}")
    obeys_in_trouble(host, can_end=False)
    host.hand(Deed.LID_CLOSE)
    closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", closed.jammed and closed.lamp_lit, f"the lid is closed: {closed}")


def _ended(host: Host, jam: ShufflerStatus, *, by: int = 0, lamp: bool = False, feeds: bool = False) -> None:
    """Checks that a command ends the jam. Its `jams_ended` is the jam's number plus `by`. The device must also execute
    the lamp and the feed in this command.
    """
    newest = host.status()[1]
    latched = status_of(host)
    word = (latched.jams + by) % U16
    answer = host.apply(lock_of_shuffler(jam, lamp=lamp, feed_open=feeds, jams_ended=word))
    must_be_ok("10.15" if feeds else "10.6", answer, f"jams_ended {word}")
    now = host.status_becomes(lambda one: not one.jammed)
    must("10.6", not now.jammed, f"jam {latched.jams} is not ended by jams_ended {word}: {now}")
    must("10.8", now.lamp_lit is lamp, f"lamp {int(lamp)} and no jam: {now}")
    must("10.15", now.feed_open or not feeds, f"the feed is not done that a jam's end was said with: {now}")
    host.apply(lock_of_shuffler(now, lamp=False))
    must("10.6", any(isinstance(one, JamEnded) for one in told(host, newest)), "no jam-ended")


def a_jam_outlives_a_start(host: Host) -> None:
    with_cards(host)
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    _is_the_same_behind_a_start(host, jam)
    goes_on(host, "a jam is latched behind a start")
    _not_ended_while_blocked(host, jam)
    _lid_of_before(host, jam)
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    _not_ended_by_older(host, jam)
    _is_the_same_behind_a_start(host, jam, starts=2)
    _ended(host, jam)


def a_jams_end_outlives_a_start(host: Host) -> None:
    """Checks that a start does not change two things: the lamp as the command that ended a jam has set it, and the
    number of cards that a recount after the jam has found.
    """
    for lamp in (True, False):
        with_cards(host)
        host.hand(Deed.JAM)
        jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
        host.hand(Deed.CLEAR)
        host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
        host.apply(lock_of_shuffler(jam, lamp=lamp, jams_ended=jam.jams))
        host.listen(QUIET_S)
        is_told = status_of(host).lamp_lit is lamp  # if not, another check says so
        host.hand(Deed.POWER)
        status: ShufflerStatus = host.open()[1]
        is_kept = status.lamp_lit is lamp or not is_told
        must("9.19", is_kept, f"told with a jam's end, lamp_lit {not lamp} behind a start: {status}")
        if host.statement.has("recount"):
            recount(host, status)
            host.hand(Deed.POWER)
            host.open()  # `Watch` looks at `inside`


def _is_the_same_behind_a_start(host: Host, jam: ShufflerStatus, *, starts: int = 1) -> ShufflerStatus:
    """Makes the device start, and checks that it still shows the same jam under the same number. Returns the status.
    Raises Broken.

    `starts`: the number of starts in a row, without a host between them.
    """
    for _ in range(starts - 1):
        host.hand(Deed.POWER, alive=False)
        host.listen(IDENTIFY_WITHIN_S, alive=False)
    host.hand(Deed.POWER)
    status: ShufflerStatus
    _identity, status = host.open()
    is_same = status.jammed and status.jams == jam.jams
    must("10.30", is_same, f"behind a start: {status}, before {jam}")
    return status


def _lid_of_before(host: Host, jam: ShufflerStatus) -> None:
    """Checks that a lid which was opened before a start is still open after it, and that the jam does not end."""
    if not host.statement.has("lid"):
        return
    host.hand(Deed.LID_OPEN)
    opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", opened.jammed, f"the lid is opened: {opened}")
    status = _is_the_same_behind_a_start(host, jam)
    must("10.33", status.lid_open, f"behind a start the lid is open still: {status}")
    host.hand(Deed.CLEAR)
    free = host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    must("10.28", free.jammed, f"the path is free: {free}")
    goes_on(host, "a jam is latched and the lid open behind a start")
    host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.5", status_of(host).jammed, f"a jam ends with the lid open: {status_of(host)}")
    host.hand(Deed.LID_CLOSE)
    closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", closed.jammed, f"the lid is closed: {closed}")


def a_jam_outlives_lost_counts(host: Host) -> None:
    """Checks that a jam does not end when the device loses its counts. The count `jams` then begins again with 1 for
    this jam (9.7).
    """
    with_cards(host)
    host.hand(Deed.JAM)
    if not host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S).jammed:
        raise Skipped("no-card-inside")
    host.hand(Deed.FORGET)
    _identity, jam = host.open()
    must("10.30", jam.jammed, f"its kept numbers are spoilt, and the jam is gone: {jam}")
    must("9.7", jam.jams == 1, f"jams {jam.jams} with a jam latched, its counts are lost")
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    _ended(host, jam)
    known_again(host)


def a_jam_in_a_jam_has_its_own_number(host: Host) -> None:
    """Checks that a second jam during a first one raises the count `jams`, and that the number of the first does not
    end it.
    """
    with_cards(host)
    host.hand(Deed.JAM)
    first = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    newest = host.status()[1]
    with suppress(Skipped):
        host.hand(Deed.JAM)
    host.listen(QUIET_S)
    more = sum(isinstance(one, Jammed) for one in told(host, newest))
    second = status_of(host)
    must("10.27", second.jams == (first.jams + more) % U16, f"{more} jams behind jam {first.jams}: {second}")
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    if more:
        _not_ended_by_older(host, second)
        _is_the_same_behind_a_start(host, second)
    _ended(host, second, by=NEWER[1], lamp=True)


def a_second_jam_needs_its_own_word(host: Host) -> None:
    """Checks that a jam is not ended by a command sent before it, or by a command with an older jam's number."""
    numbers = []
    for _ in range(2):
        now = with_cards(host)
        host.apply(lock_of_shuffler(now, jams_ended=(now.jams + 1) % U16))
        host.hand(Deed.JAM)
        jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
        must("10.27", jam.jams == (now.jams + 1) % U16, f"jams {jam.jams} behind {now.jams}")
        numbers.append(jam.jams)
        host.hand(Deed.CLEAR)
        host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
        host.apply(lock_of_shuffler(jam, jams_ended=numbers[0] if len(numbers) > 1 else (jam.jams - 1) % U16))
        must("10.7", status_of(host).jammed, f"the word for jam {numbers[0]} ends jam {jam.jams}")
        _ended(host, jam, by=NEWER[-1] if len(numbers) > 1 else 0, feeds=len(numbers) == 1)


def a_new_session_leaves_a_jam(host: Host) -> None:
    """Checks that a new session does not end a jam, and changes neither its lamp nor its number."""
    with_cards(host)
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    _identity, status = host.open()
    must("9.18", status.lamp_lit, f"a new session puts the lamp out: {status}")
    must("10.30", (status.jammed, status.jams) == (True, jam.jams), f"a new session: {status}")
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    _ended(host, jam, by=NEWER[2])
