"""Section 10: lamp, release, feed, unloading, recount; a lid and a jam, where hands make them."""

from typing import Final

from msgspec import structs

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Answer, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    OK,
    PERMISSIONS,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    U16,
    U32,
    forget_all_but,
    lock_of_shuffler,
    ready,
    recount,
    told,
    told_since,
    with_cards,
)
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import (
    CardIn,
    CardOut,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    Recounted,
    ShufflerApply,
    ShufflerResult,
    ShufflerStatus,
)

HALF: Final = U32 // 2
CARD_WITHIN_S: Final = 20.0  # a hand may have to draw it
RELEASED: Final = 3


def _status(host: Host) -> ShufflerStatus:
    status: ShufflerStatus = host.status()[0]
    return status


def _ok(duty: str, answer: Answer, name: str) -> None:
    must(duty, answer.result == OK, f"{name}: result {answer.result}")


# --- nothing moves in these


def the_lamp_obeys(host: Host) -> None:
    if (before := _status(host)).jammed:
        raise Skipped("jammed")
    for lamp in (True, True, False, False):
        _ok("10.8", host.apply(lock_of_shuffler(before, lamp=lamp)), f"lamp {lamp}")
        status = host.status_becomes(lambda now, lamp=lamp: now.lamp_lit is lamp)
        must("10.8", status.lamp_lit is lamp, f"lamp_lit {not lamp}")


def an_older_count_locks(host: Host) -> None:
    """A card that is permitted meanwhile does not come either."""
    before = with_cards(host)
    for far in (-1, 0, -5, -(HALF - 1), HALF):
        host.apply(lock_of_shuffler(before, release_until=(_status(host).cards_out + 200) % U32))
        asked = (_status(host).cards_out + far) % U32
        host.apply(lock_of_shuffler(before, release_until=asked))
        locked = _status(host)
        host.listen(QUIET_S)
        after = _status(host)
        is_locked = not permits(after) and after.cards_out == locked.cards_out
        must("10.17", is_locked, f"release_until {far} behind cards_out: {after}")


def a_jam_to_come_is_not_ended(host: Host) -> None:
    """A word about jams that are none changes nothing; a later jam is not ended by it."""
    before = _status(host)
    if before.jammed:
        raise Skipped("jammed")
    for ended in (before.jams + 1, before.jams, before.jams - 1):
        _ok("10.15", host.apply(lock_of_shuffler(before, jams_ended=ended % U16)), f"jams_ended {ended % U16}")
        after = _status(host)
        must("10.15", (after.jams, after.jammed) == (before.jams, False), f"jams_ended {ended % U16}: {after}")


def served_requests_are_served(host: Host) -> None:
    before = ready(host)
    _ok("10.23", host.apply(lock_of_shuffler(before)), "the request that was served")
    host.listen(QUIET_S)
    must("10.23", _status(host).recounts == before.recounts, f"recounts {_status(host).recounts}")


# --- cards move


def a_recount_is_told(host: Host) -> None:
    """Whatever its number; no card moves meanwhile."""
    host.has("recount")
    before = ready(host)
    for far in (1, 500, U16 - 7):
        request = (_status(host).recounts + far) % U16
        _ok("10.20", host.apply(lock_of_shuffler(before, recount_request=request)), f"recount {request}")
        after: ShufflerStatus = host.status_becomes(lambda now, n=request: now.recounts == n, RECOUNTED_WITHIN_S)
        must("10.20", after.recounts == request, f"recounts {after.recounts}, not {request}")
        came = [(one.request, one.inside) for one in told(host) if isinstance(one, Recounted)]
        must("10.20", (request, after.inside) in came, f"recount {request}, inside {after.inside}; told {came}")
    after = _status(host)
    moved = (after.cards_in, after.cards_out) != (before.cards_in, before.cards_out)
    must("10.21", not moved, f"cards move in a recount: {after}, before {before}")


def a_recount_is_taken_back(host: Host) -> None:
    """Also one that has begun."""
    host.has("recount")
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    for pause_s in (0.0, takes_s / 2):
        host.apply(lock_of_shuffler(before, recount_request=(before.recounts + 1) % U16))
        host.listen(pause_s)
        host.apply(lock_of_shuffler(before))
        host.listen(takes_s + 1.0)
        must("10.23", _status(host).recounts == before.recounts, "it was made all the same")


def the_recount_comes_first(host: Host) -> None:
    """And then the rest goes on without a further word."""
    host.has("recount")
    before = with_cards(host)
    after = recount(host, before, unload=True)
    must("10.22", after.unloading, f"the unloading is gone behind the recount: {after}")
    gone = host.status_becomes(lambda now: now.cards_out != before.cards_out, CARD_WITHIN_S)
    host.apply(lock_of_shuffler(gone))
    must("10.22", gone.cards_out != before.cards_out, f"nothing is unloaded behind the recount: {gone}")
    kinds = [type(one) for one in told(host) if isinstance(one, Recounted | CardOut)]
    must("10.24", kinds[:1] == [Recounted], f"first {kinds[:2]}")


def one_card_is_one_card(host: Host) -> None:
    before = with_cards(host)
    wanted = (before.cards_out + 1) % U32
    for _ in range(2):  # again changes nothing
        _ok("10.16", host.apply(lock_of_shuffler(before, release_until=wanted)), "a release of one card")
    host.status_becomes(lambda now: now.mouth_open or now.cards_out != before.cards_out, CARD_WITHIN_S)
    after = _drawn(host, before, wanted)
    must("10.16", after.cards_out == wanted, f"cards_out {after.cards_out}, not {wanted}")
    host.listen(1.0)
    settled = _status(host)
    must("10.16", not permits(settled) and settled.cards_out == wanted, f"behind the card: {settled}")
    must("10.3", not settled.mouth_open, f"mouth_open behind the card: {settled}")
    must("10.1", settled.inside == before.inside - 1, f"inside {settled.inside}, not {before.inside - 1}")
    came = [one for one in told(host) if isinstance(one, CardOut)]
    must("6.3", len(came) == 1, f"one card, {len(came)} card-out")


def _drawn(host: Host, before: ShufflerStatus, until: int) -> ShufflerStatus:
    """Cards that the mouth offers are drawn by hands, or by whoever stands there."""
    for _ in range((until - before.cards_out) % U32):
        now: ShufflerStatus = host.status_becomes(lambda one: one.mouth_open or owed(one) <= 0, CARD_WITHIN_S)
        if owed(now) <= 0:
            return now
        gone = now.cards_out
        try:
            host.hand(Deed.DRAW)
        except Skipped:
            pass
        now = host.status_becomes(lambda one, gone=gone: one.cards_out != gone, CARD_WITHIN_S)
        if now.cards_out == gone and now.mouth_open:
            raise Skipped("nobody-drew")
    return _status(host)


def cards_go_one_by_one(host: Host) -> None:
    """Three are released at once: each is counted, told and closed."""
    before = with_cards(host)
    forget_all_but(host, 0)
    until = (before.cards_out + RELEASED) % U32
    _ok("10.16", host.apply(lock_of_shuffler(before, release_until=until)), f"a release of {RELEASED} cards")
    after = _drawn(host, before, until)
    must("10.16", after.cards_out == until, f"cards_out {after.cards_out}, not {until}")
    host.listen(1.0)
    must("10.16", _status(host).cards_out == until, f"cards_out {_status(host).cards_out}, not {until}")
    came = sum(isinstance(one, CardOut) for one in told(host))
    must("6.3", came == RELEASED, f"{RELEASED} cards, {came} card-out")


def unloading_goes_on(host: Host) -> None:
    """Whatever `release_until` says, until the host ends it; the mouth is not open for it."""
    before = with_cards(host)
    _ok("10.19", host.apply(lock_of_shuffler(before, unload=True)), "unload")
    now = host.status_becomes(lambda one: one.cards_out != before.cards_out, CARD_WITHIN_S)
    must("10.19", now.cards_out != before.cards_out, f"nothing is unloaded: {now}")
    must("10.19", now.unloading, f"unloading ends by itself: {now}")
    must("10.3", not now.mouth_open, f"mouth_open while unloading: {now}")
    host.apply(lock_of_shuffler(now))
    host.listen(QUIET_S)
    ended = _status(host)
    host.listen(1.0)
    after = _status(host)
    is_ended = not after.unloading and after.cards_out == ended.cards_out
    must("10.19", is_ended, f"it unloads on: {after}")
    must("6.3", any(isinstance(one, CardOut) for one in told(host)), "no card-out")


def cards_are_taken_in(host: Host) -> None:
    before = ready(host)
    _ok("10.18", host.apply(lock_of_shuffler(before, feed_open=True)), "feed_open")
    must("10.18", _status(host).feed_open, f"feed_open is not set: {_status(host)}")
    if not _status(host).hopper_loaded:
        host.hand(Deed.LOAD)
    now = host.status_becomes(lambda one: one.cards_in != before.cards_in, CARD_WITHIN_S)
    must("10.18", now.cards_in != before.cards_in, f"cards in the hopper, and none is taken in: {now}")
    host.apply(lock_of_shuffler(now))
    host.listen(QUIET_S)
    ended = _status(host)
    host.listen(1.0)
    must("9.17", _status(host).cards_in == ended.cards_in, f"it feeds on behind a lock: {_status(host)}")
    must("6.3", any(isinstance(one, CardIn) for one in told(host)), "no card-in")


# --- the lid


def an_open_lid_refuses(host: Host) -> None:
    """What moves is refused, and what protects is done; no count changes by it."""
    host.has("lid")
    before = ready(host)
    forget_all_but(host, 0)
    host.hand(Deed.LID_OPEN)
    host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    _refuses_all(host, ShufflerResult.REFUSED_LID_OPEN, "10.12")
    host.hand(Deed.LID_CLOSE)
    after = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    same = (after.cards_in, after.cards_out, after.inside, after.jams, after.recounts)
    must("10.34", same == (before.cards_in, before.cards_out, before.inside, before.jams, before.recounts), f"{after}")
    kinds = [type(one) for one in told(host) if isinstance(one, LidOpened | LidClosed)]
    must("10.33", kinds == [LidOpened, LidClosed], f"the lid was opened and closed, told {kinds}")


def _refuses_all(host: Host, result: ShufflerResult, duty: str) -> None:
    now = _status(host)
    for asked in (
        lock_of_shuffler(now, feed_open=True),
        lock_of_shuffler(now, unload=True),
        lock_of_shuffler(now, release_until=(now.cards_out + 1) % U32),
        lock_of_shuffler(now, recount_request=(now.recounts + 1) % U16),
    ):
        _refuses(host, asked, result, duty)


def _refuses(host: Host, asked: ShufflerApply, result: ShufflerResult, duty: str) -> None:
    for lamp in (True, False):
        answer = host.apply(structs.replace(asked, lamp=lamp))
        must(duty, answer.result == result, f"{asked}: result {answer.result}")
        now = _status(host)
        must("9.22", now.lamp_lit is (lamp or now.jammed), f"refused, and lamp {lamp} is not done: {now}")
        must("10.25", not permits(now) and owed(now) <= 0, f"refused, and permitted: {now}")


# --- a jam


def a_jam_is_ended_by_people_alone(host: Host) -> None:
    """Not by a path that becomes free, a lid, a start, or the number of an older jam."""
    before = with_cards(host)
    newest = host.status()[1]
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    must("10.27", jam.jammed and jam.lamp_lit, f"a card sticks: {jam}")
    must("10.27", jam.jams == (before.jams + 1) % U16, f"jams {jam.jams} behind {before.jams}")
    _refuses_all(host, ShufflerResult.REFUSED_JAMMED, "10.11")
    _lamp_stays(host, jam)
    _not_ended_by_older(host, jam)
    _not_ended_while_blocked(host, jam)
    host.hand(Deed.CLEAR)
    free = host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    must("10.28", free.jammed and free.lamp_lit, f"the path is free: {free}")
    _not_ended_by_older(host, jam)
    _lid_ends_nothing(host, jam)
    _ended(host, jam)
    kinds = [type(one) for one in told_since(host, newest)]
    must("10.27", Jammed in kinds, f"told {kinds}")
    must("10.31", PathCleared in kinds, f"told {kinds}")


def _lamp_stays(host: Host, jam: ShufflerStatus) -> None:
    answer = host.apply(lock_of_shuffler(jam, lamp=False))
    must("10.9", _status(host).lamp_lit, f"the lamp of a latched jam is put out, result {answer.result}")


def _not_ended_by_older(host: Host, jam: ShufflerStatus) -> None:
    for ended in (jam.jams - 1, jam.jams - 2, jam.jams - U16 // 2 + 1):
        host.apply(lock_of_shuffler(jam, jams_ended=ended % U16))
        now = _status(host)
        must("10.7", now.jammed and now.lamp_lit, f"jams_ended {ended % U16} ends jam {jam.jams}: {now}")


def _not_ended_while_blocked(host: Host, jam: ShufflerStatus) -> None:
    if not host.statement.has("path_sensors"):
        return
    if not _status(host).path_blocked:
        return
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.4", answer.result == ShufflerResult.REFUSED_PATH_BLOCKED, f"path_blocked: result {answer.result}")
    must("10.4", _status(host).jammed, f"a jam ends while its card sticks: {_status(host)}")


def _lid_ends_nothing(host: Host, jam: ShufflerStatus) -> None:
    if not host.statement.has("lid"):
        return
    host.hand(Deed.LID_OPEN)
    opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", opened.jammed, f"the lid is opened: {opened}")
    answer = host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
    must("10.5", answer.result == ShufflerResult.REFUSED_LID_OPEN, f"lid_open: result {answer.result}")
    must("10.5", _status(host).jammed, f"a jam ends with the lid open: {_status(host)}")
    host.hand(Deed.LID_CLOSE)
    closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    must("10.29", closed.jammed and closed.lamp_lit, f"the lid is closed: {closed}")


def _ended(host: Host, jam: ShufflerStatus) -> None:
    forget = lock_of_shuffler(jam, lamp=False, jams_ended=jam.jams)
    _ok("10.6", host.apply(forget), f"jams_ended {jam.jams}")
    now = host.status_becomes(lambda one: not one.jammed)
    must("10.6", not now.jammed, f"jam {jam.jams} is not ended by its number: {now}")
    must("10.8", not now.lamp_lit, f"lamp 0 and no jam: {now}")
    must("10.6", any(isinstance(one, JamEnded) for one in told(host)), "no jam-ended")


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
    """What ended the first ends no second."""
    numbers = []
    for _ in range(2):
        with_cards(host)
        host.hand(Deed.JAM)
        jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
        numbers.append(jam.jams)
        host.hand(Deed.CLEAR)
        host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
        host.apply(lock_of_shuffler(jam, jams_ended=numbers[0] if len(numbers) > 1 else jam.jams - 1))
        must("10.7", _status(host).jammed, f"the word for jam {numbers[0]} ends jam {jam.jams}")
        _ended(host, jam)


def a_new_session_leaves_a_jam(host: Host) -> None:
    """Its lamp, its latch and its number."""
    with_cards(host)
    host.hand(Deed.JAM)
    jam = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
    _identity, status = host.open()
    must("9.18", status.lamp_lit, f"a new session puts the lamp out: {status}")
    must("10.30", (status.jammed, status.jams) == (True, jam.jams), f"a new session: {status}")
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    _ended(host, jam)


# --- counts unknown


def unknown_counts_release_nothing(host: Host) -> None:
    """Feeding, unloading and recounting go on; a refusal withdraws what stood; a recount ends it."""
    ready(host)
    host.hand(Deed.FORGET)
    host.open()
    now = _status(host)
    feed, release, unload = PERMISSIONS[DeviceKind.SHUFFLER]
    _ok("10.14", host.apply(feed.ask(now)), "feed_open with counts_unknown")
    host.status_becomes(feed.is_given)
    answer = host.apply(lock_of_shuffler(_status(host), feed_open=True, release_until=(_status(host).cards_out + 1) % U32))
    must("10.14", answer.result == ShufflerResult.REFUSED_COUNTS_UNKNOWN, f"a release: result {answer.result}")
    must("9.22", feed.is_locked(_status(host)), f"a refused apply leaves what stood before: {_status(host)}")
    out = _status(host).cards_out
    host.listen(1.0)
    must("10.14", _status(host).cards_out == out and not _status(host).mouth_open, f"a release: {_status(host)}")
    _ok("10.14", host.apply(unload.ask(_status(host))), "unload with counts_unknown")
    host.apply(lock_of_shuffler(_status(host)))
    _known_again(host)


def _known_again(host: Host) -> None:
    if not host.statement.has("recount"):
        return
    after = recount(host, _status(host))
    must("10.20", not after.counts_unknown, f"a recount leaves counts_unknown: {after}")
    must("10.34", after.inside != U16 - 1, f"a recount does not set inside: {after}")
