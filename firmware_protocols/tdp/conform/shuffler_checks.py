"""Checks of PROTOCOL.md, section 10: lamp, release, feed, unloading, recount; lid and jam, where hands cause them."""

from contextlib import suppress
from typing import Final

from msgspec import structs

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Answer, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    OK,
    PERMISSIONS,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    SWITCHES,
    U16,
    U32,
    IsSo,
    is_counted,
    lock_of_shuffler,
    ready,
    recount,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import (
    CardIn,
    CardOut,
    LidClosed,
    LidOpened,
    Recounted,
    ShufflerApply,
    ShufflerResult,
    ShufflerStatus,
)

HALF: Final = U32 // 2
CARD_WITHIN_S: Final = 20.0  # a person may have to draw it
RELEASED: Final = 3


def status_of(host: Host) -> ShufflerStatus:
    """The shuffler's status now."""
    status: ShufflerStatus = host.status()[0]
    return status


def must_be_ok(duty: str, answer: Answer, name: str) -> None:
    """Raises Broken where the command was refused; `name` says which one."""
    must(duty, answer.result == OK, f"{name}: result {answer.result}")


# --- checks in which nothing moves


def the_lamp_obeys(host: Host) -> None:
    if (before := status_of(host)).jammed:
        raise Skipped("jammed")
    for lamp in (True, True, False, False):
        must_be_ok("10.8", host.apply(lock_of_shuffler(before, lamp=lamp)), f"lamp {lamp}")
        status = host.status_becomes(SWITCHES[DeviceKind.SHUFFLER].is_turned(on=lamp))
        must("10.8", status.lamp_lit is lamp, f"lamp_lit {not lamp}")


def an_older_count_locks(host: Host) -> None:
    """A release count that is not ahead of cards_out locks, even where a release was permitted before."""
    before = with_cards(host)
    for far in (-1, 0, -5, -(HALF - 1), HALF):
        host.apply(lock_of_shuffler(before, release_until=(status_of(host).cards_out + 200) % U32))
        asked = (status_of(host).cards_out + far) % U32
        host.apply(lock_of_shuffler(before, release_until=asked))
        locked = status_of(host)
        host.listen(QUIET_S)
        after = status_of(host)
        is_locked = owed(after) <= 0 and not after.mouth_open and after.cards_out == locked.cards_out
        must("10.17", is_locked, f"release_until {far} behind cards_out: {after}")


def a_jam_to_come_is_not_ended(host: Host) -> None:
    """A jams_ended while no jam is latched changes nothing, and ends no later jam."""
    before = status_of(host)
    if before.jammed:
        raise Skipped("jammed")
    for ended in (before.jams + 1, before.jams, before.jams - 1):
        must_be_ok("10.15", host.apply(lock_of_shuffler(before, jams_ended=ended % U16)), f"jams_ended {ended % U16}")
        after = status_of(host)
        must("10.15", (after.jams, after.jammed) == (before.jams, False), f"jams_ended {ended % U16}: {after}")


def served_requests_are_served(host: Host) -> None:
    before = ready(host)
    must_be_ok("10.23", host.apply(lock_of_shuffler(before)), "the request that was served")
    host.listen(QUIET_S)
    must("10.23", status_of(host).recounts == before.recounts, f"recounts {status_of(host).recounts}")


# --- cards move


def a_recount_is_told(host: Host) -> None:
    """A recount is reported under any number that is asked; no card moves meanwhile."""
    host.has("recount")
    before = ready(host)
    for far in (1, 500, U16 - 7):
        request, newest = (status_of(host).recounts + far) % U16, host.status()[1]
        must_be_ok("10.20", host.apply(lock_of_shuffler(before, recount_request=request)), f"recount {request}")
        after: ShufflerStatus = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
        must("10.20", after.recounts == request, f"recounts {after.recounts}, not {request}")
        moved = (after.cards_in, after.cards_out) != (before.cards_in, before.cards_out)
        must("10.21", not moved, f"cards move in a recount: {after}, before {before}")
        came = [(one.request, one.inside) for one in told(host, newest) if isinstance(one, Recounted)]
        must("10.20", came == [(request, after.inside)], f"recount {request}, inside {after.inside}; told {came}")


def a_recount_is_taken_back(host: Host) -> None:
    """A recount can be withdrawn by a command, even once it has begun."""
    host.has("recount")
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    newest = host.status()[1]
    for pause_s in (0.0, takes_s / 2):
        host.apply(lock_of_shuffler(before, recount_request=(before.recounts + 1) % U16))
        host.listen(pause_s)
        host.apply(lock_of_shuffler(before))
        host.listen(takes_s + 1.0)
        must("10.23", status_of(host).recounts == before.recounts, "it was made all the same")
        came = [one for one in told(host, newest) if isinstance(one, Recounted)]
        must("10.23", not came, f"it was made all the same, or the one before again: {came}")


def the_recount_comes_first(host: Host) -> None:
    """A recount asked together with an unloading is made first; the unloading follows without another command."""
    host.has("recount")
    before = with_cards(host)
    newest = host.status()[1]
    after = recount(host, before, unload=True)
    must("10.22", after.unloading, f"the unloading is gone behind the recount: {after}")
    gone = host.status_becomes(lambda now: now.cards_out != before.cards_out, CARD_WITHIN_S)
    host.apply(lock_of_shuffler(gone))
    must("10.22", gone.cards_out != before.cards_out, f"nothing is unloaded behind the recount: {gone}")
    kinds = [type(one) for one in told(host, newest) if isinstance(one, Recounted | CardOut)]
    must("10.24", kinds[:1] == [Recounted], f"first {kinds[:2]}")


def cards_go_out_before_they_come_in(host: Host) -> None:
    """Wishes of one command are done in their order: unloading, feeding, release."""
    for release, first in ((0, CardOut), (RELEASED, CardIn)):
        before = with_cards(host)
        if not before.hopper_loaded:
            host.hand(Deed.LOAD)
        newest, until = host.status()[1], (before.cards_out + release) % U32
        asked = lock_of_shuffler(before, feed_open=True, unload=not release, release_until=until)
        must_be_ok("10.24", host.apply(asked), f"{asked}")
        now: ShufflerStatus = host.status_becomes(_has_moved(before), CARD_WITHIN_S)
        host.apply(lock_of_shuffler(now))
        host.listen(QUIET_S)
        kinds = [type(one) for one in told(host, newest) if isinstance(one, CardIn | CardOut)]
        must("10.24", kinds[:1] in ([], [first]), f"{asked}: first {kinds[:2]}")


def _has_moved(before: ShufflerStatus) -> IsSo:
    return lambda now: (now.cards_in, now.cards_out) != (before.cards_in, before.cards_out)


def one_card_is_one_card(host: Host) -> None:
    before = with_cards(host)
    wanted, newest = (before.cards_out + 1) % U32, host.status()[1]
    for _ in range(2):  # the repetition changes nothing
        must_be_ok("10.16", host.apply(lock_of_shuffler(before, release_until=wanted)), "a release of one card")
    host.status_becomes(lambda now: now.mouth_open or now.cards_out != before.cards_out, CARD_WITHIN_S)
    after = _drawn(host, before, wanted)
    must("10.16", after.cards_out == wanted, f"cards_out {after.cards_out}, not {wanted}")
    host.listen(1.0)
    settled = status_of(host)
    must("10.16", not permits(settled) and settled.cards_out == wanted, f"behind the card: {settled}")
    must("10.3", not settled.mouth_open, f"mouth_open behind the card: {settled}")
    must("10.1", settled.inside == before.inside - 1, f"inside {settled.inside}, not {before.inside - 1}")
    came = [one for one in told(host, newest) if isinstance(one, CardOut)]
    must("6.3", len(came) == 1, f"one card, {len(came)} card-out")


def _drawn(host: Host, before: ShufflerStatus, until: int) -> ShufflerStatus:
    """The status after cards up to `until` were drawn at the open mouth, by hands of the bench or a person."""
    for _ in range((until - before.cards_out) % U32):
        now: ShufflerStatus = host.status_becomes(lambda one: one.mouth_open or owed(one) <= 0, CARD_WITHIN_S)
        if owed(now) <= 0:
            return now
        gone = now.cards_out
        with suppress(Skipped):
            host.hand(Deed.DRAW)
        now = host.status_becomes(_has_given(gone), CARD_WITHIN_S)
        if now.cards_out == gone and now.mouth_open:
            raise Skipped("nobody-drew")
    return status_of(host)


def _has_given(before: int) -> IsSo:
    return lambda now: bool(now.cards_out != before)


def cards_go_one_by_one(host: Host) -> None:
    """Three cards released at once leave singly: each is counted and reported, and then the shuffler is locked."""
    before = with_cards(host)
    newest = host.status()[1]
    until = (before.cards_out + RELEASED) % U32
    must_be_ok("10.16", host.apply(lock_of_shuffler(before, release_until=until)), f"a release of {RELEASED} cards")
    after = _drawn(host, before, until)
    must("10.16", after.cards_out == until, f"cards_out {after.cards_out}, not {until}")
    host.listen(1.0)
    must("10.16", status_of(host).cards_out == until, f"cards_out {status_of(host).cards_out}, not {until}")
    came = sum(isinstance(one, CardOut) for one in told(host, newest))
    must("6.3", came == RELEASED, f"{RELEASED} cards, {came} card-out")


def unloading_goes_on(host: Host) -> None:
    """An unloading lasts until the host ends it, for any `release_until`; the mouth does not count as open."""
    before = with_cards(host)
    newest = host.status()[1]
    must_be_ok("10.19", host.apply(lock_of_shuffler(before, unload=True)), "unload")
    now = host.status_becomes(lambda one: one.cards_out != before.cards_out, CARD_WITHIN_S)
    must("10.19", now.cards_out != before.cards_out, f"nothing is unloaded: {now}")
    must("10.19", now.unloading, f"unloading ends by itself: {now}")
    must("10.3", not now.mouth_open, f"mouth_open while unloading: {now}")
    host.apply(lock_of_shuffler(now))
    host.listen(QUIET_S)
    ended = status_of(host)
    host.listen(1.0)
    after = status_of(host)
    is_ended = not after.unloading and after.cards_out == ended.cards_out
    must("10.19", is_ended, f"it unloads on: {after}")
    must("10.19", any(isinstance(one, CardOut) for one in told(host, newest)), "no card-out")


def cards_are_taken_in(host: Host) -> None:
    before = ready(host)
    newest = host.status()[1]
    must_be_ok("10.18", host.apply(lock_of_shuffler(before, feed_open=True)), "feed_open")
    must("10.18", status_of(host).feed_open, f"feed_open is not set: {status_of(host)}")
    if not status_of(host).hopper_loaded:
        host.hand(Deed.LOAD)
    now = host.status_becomes(lambda one: one.cards_in != before.cards_in, CARD_WITHIN_S)
    must("10.18", now.cards_in != before.cards_in, f"cards in the hopper, and none is taken in: {now}")
    host.apply(lock_of_shuffler(now))
    host.listen(QUIET_S)
    ended = status_of(host)
    host.listen(1.0)
    must("5.9", status_of(host).cards_in == ended.cards_in, f"it feeds on behind a lock: {status_of(host)}")
    must("10.18", any(isinstance(one, CardIn) for one in told(host, newest)), "no card-in")


# --- the lid


def an_open_lid_refuses(host: Host) -> None:
    """An open lid refuses movements but not protections, and changes no count."""
    host.has("lid")
    before = ready(host)
    newest = host.status()[1]
    host.hand(Deed.LID_OPEN)
    host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    refuses_all(host, ShufflerResult.REFUSED_LID_OPEN, "10.12")
    host.hand(Deed.LID_CLOSE)
    after = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    same = (after.cards_in, after.cards_out, after.inside, after.jams, after.recounts)
    must("10.34", same == (before.cards_in, before.cards_out, before.inside, before.jams, before.recounts), f"{after}")
    kinds = [type(one) for one in told(host, newest) if isinstance(one, LidOpened | LidClosed)]
    must("10.33", kinds == [LidOpened, LidClosed], f"the lid was opened and closed, told {kinds}")


def refuses_all(host: Host, result: ShufflerResult, duty: str) -> None:
    """Raises Broken unless each movement gets `result` while the lamp in the same command obeys."""
    now = status_of(host)
    for asked in (
        lock_of_shuffler(now, feed_open=True),
        lock_of_shuffler(now, unload=True),
        lock_of_shuffler(now, release_until=(now.cards_out + 1) % U32),
        lock_of_shuffler(now, recount_request=(now.recounts + 1) % U16),
    ):
        _refuses(host, asked, result, duty)
    for far, stands in ((-3, -3), (1, 0)):
        asked = lock_of_shuffler(now, feed_open=True, release_until=(now.cards_out + far) % U32)
        host.apply(asked)
        until = status_of(host).release_until
        wanted = (now.cards_out + stands) % U32
        must("10.25", until == wanted, f"refused, release_until {until}, not {wanted}: {asked}")


def _refuses(host: Host, asked: ShufflerApply, result: ShufflerResult, duty: str) -> None:
    for lamp in (True, False):
        answer = host.apply(structs.replace(asked, lamp=lamp))
        must(duty, answer.result == result, f"{asked}: result {answer.result}")
        now = status_of(host)
        must("9.22", now.lamp_lit is (lamp or now.jammed), f"refused, and lamp {lamp} is not done: {now}")
        must("10.25", not permits(now) and owed(now) <= 0, f"refused, and permitted: {now}")


# --- counts unknown


def unknown_counts_release_nothing(host: Host) -> None:
    """With unknown counts a release is refused, but not feeding or unloading; a recount makes them known."""
    ready(host)
    host.hand(Deed.FORGET)
    host.open()
    now = status_of(host)
    feed, _release, unload = PERMISSIONS[DeviceKind.SHUFFLER]
    must_be_ok("10.14", host.apply(feed.ask(now)), "feed_open with counts_unknown")
    host.status_becomes(feed.is_given)
    answer = host.apply(
        lock_of_shuffler(status_of(host), feed_open=True, release_until=(status_of(host).cards_out + 1) % U32)
    )
    must("10.14", answer.result == ShufflerResult.REFUSED_COUNTS_UNKNOWN, f"a release: result {answer.result}")
    must("9.22", feed.is_locked(status_of(host)), f"a refused apply leaves what stood before: {status_of(host)}")
    out = status_of(host).cards_out
    host.listen(1.0)
    must("10.14", status_of(host).cards_out == out and not status_of(host).mouth_open, f"a release: {status_of(host)}")
    must_be_ok("10.14", host.apply(unload.ask(status_of(host))), "unload with counts_unknown")
    host.apply(lock_of_shuffler(status_of(host)))
    _known_again(host)


def _known_again(host: Host) -> None:
    if not host.statement.has("recount"):
        return
    after = recount(host, status_of(host))
    must("10.20", not after.counts_unknown, f"a recount leaves counts_unknown: {after}")
    must("10.34", after.inside != U16 - 1, f"a recount does not set inside: {after}")
