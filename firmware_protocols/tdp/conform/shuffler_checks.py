"""Checks of PROTOCOL.md, section 10: lamp, release, feed, unloading, recount; lid and jam if hands can cause them."""

from contextlib import suppress
from typing import Final

from msgspec import structs

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.idle_checks import takes_what_is_laid_in_later
from firmware_protocols.tdp.conform.line import Answer, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    FED_WITHIN_S,
    OK,
    PERMISSIONS,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    SWITCHES,
    U16,
    U32,
    IsSo,
    hear_through,
    lock_of_shuffler,
    ready,
    recount,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.state_checks import goes_on
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.conform.trouble_checks import obeys_in_trouble
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import (
    CardIn,
    CardOut,
    LidClosed,
    LidOpened,
    ShufflerApply,
    ShufflerResult,
    ShufflerStatus,
)

HALF: Final = U32 // 2
CARD_WITHIN_S: Final = 20.0  # a person may have to draw it
RELEASED: Final = 3
AT_ONCE: Final = 20  # by hands that take no time
MANY: Final = 600
LONG_S: Final = 8.0  # longer than most recounts


def status_of(host: Host) -> ShufflerStatus:
    """The shuffler's status now."""
    status: ShufflerStatus = host.status()[0]
    return status


def must_be_ok(duty: str, answer: Answer, name: str) -> None:
    """Raises Broken if the command was refused. `name`: the command, in the words of the finding."""
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
    """Checks that a `release_until` not ahead of `cards_out` locks, even after a release was permitted."""
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
    """Checks that `jams_ended` changes nothing while no jam is latched, and does not end a later jam."""
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


def cards_go_out_before_they_come_in(host: Host) -> None:
    """Checks that the wishes of one command are executed in order: unloading, feeding, release."""
    for release, first in ((0, CardOut), (RELEASED, CardIn)):
        before = with_cards(host)
        if not before.hopper_loaded:
            host.hand(Deed.LOAD)
        newest, until = host.status()[1], (before.cards_out + release) % U32
        asked = lock_of_shuffler(before, feed_open=True, unload=not release, release_until=until)
        must_be_ok("10.24", host.apply(asked), f"{asked}")
        now: ShufflerStatus = host.status_becomes(has_moved(before), CARD_WITHIN_S)
        if release:
            _mouth_is_shut_in_a_feed(host, now)
            now = host.status_becomes(lambda one: not one.hopper_loaded, FED_WITHIN_S)
            host.listen(QUIET_S)
            now = status_of(host)
            is_there = now.hopper_loaded or now.release_until == until
            must("10.24", is_there, f"a release is gone behind the feed that it was said with: {now}")
        host.apply(lock_of_shuffler(now))
        host.listen(QUIET_S)
        kinds = [type(one) for one in told(host, newest) if isinstance(one, CardIn | CardOut)]
        must("10.24", kinds[:1] in ([], [first]), f"{asked}: first {kinds[:2]}")


def _mouth_is_shut_in_a_feed(host: Host, before: ShufflerStatus) -> None:
    """Checks that the mouth stays shut while a release waits for the feed of the same command."""
    for _ in range(_LOOKS):
        host.listen(QUIET_S / 4)
        now = status_of(host)
        feeds_on = now.hopper_loaded and now.cards_in != before.cards_in
        is_open = feeds_on and before.mouth_open and now.mouth_open
        must("10.3", not is_open, f"mouth_open while cards are fed: {now}, before {before}")
        before = now


_LOOKS: Final = 6


def has_moved(before: ShufflerStatus) -> IsSo:
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
    """Has hands draw cards at the open mouth until `cards_out` is `until`, and returns the status. Raises Skipped if a
    card is not drawn.
    """
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
    """Checks that several released cards leave one by one, each counted and reported, and that the shuffler then locks.
    Tries it with and without a repeated release meanwhile.
    """
    before = with_cards(host)
    for many in (MANY, RELEASED):
        until = (before.cards_out + many) % U32
        status = host.apply(lock_of_shuffler(before, release_until=until)).status
        is_whole = status.release_until == until or status.cards_out != before.cards_out
        must("10.15", is_whole, f"a release of {many} cards: release_until {status.release_until}, not {until}")
    _leave_one_by_one(host, RELEASED, is_said_again=True)
    _leave_one_by_one(host, AT_ONCE if host.bench.is_quick else 2 * RELEASED, is_said_again=False)


def _leave_one_by_one(host: Host, many: int, *, is_said_again: bool) -> None:
    before, newest = with_cards(host), host.status()[1]
    until = (before.cards_out + many) % U32
    must_be_ok("10.16", host.apply(lock_of_shuffler(before, release_until=until)), f"a release of {many} cards")
    for gone in range(1, many if is_said_again else 1):  # the repetition changes nothing, however many have left
        _drawn(host, before, (before.cards_out + gone) % U32)
        again = host.apply(lock_of_shuffler(before, release_until=until)).status
        must("10.16", again.release_until == until, f"a release again, {gone} are out: {again}")
    after = _drawn(host, before, until)
    must("10.16", after.cards_out == until, f"cards_out {after.cards_out}, not {until}")
    host.listen(1.0)
    settled = status_of(host)
    is_done = settled.cards_out == until and owed(settled) <= 0
    must("10.16", is_done, f"behind {until - before.cards_out} cards: {settled}")
    came = sum(isinstance(one, CardOut) for one in told(host, newest))
    must("6.3", came == many, f"{many} cards, {came} card-out")


def unloading_goes_on(host: Host) -> None:
    """Checks that an unloading lasts until the host ends it, whatever `release_until` is, and that the mouth does not
    count as open.
    """
    before = with_cards(host)
    newest = host.status()[1]
    until = (before.cards_out + 1) % U32
    must_be_ok("10.19", host.apply(lock_of_shuffler(before, unload=True, release_until=until)), "unload")
    now = host.status_becomes(lambda one: one.cards_out not in (before.cards_out, until), CARD_WITHIN_S)
    is_beyond = now.cards_out not in (before.cards_out, until)
    must("10.19", is_beyond, f"it unloads nothing, or no further than release_until: {now}, before {before}")
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
    must_be_ok("10.18", host.apply(lock_of_shuffler(before, feed_open=True, lamp=True)), "feed_open")
    host.listen(2 * QUIET_S)
    must("10.18", status_of(host).feed_open, f"feed_open is not set: {status_of(host)}")
    if not status_of(host).hopper_loaded:
        host.hand(Deed.LOAD)
    now = host.status_becomes(lambda one: one.cards_in != before.cards_in, CARD_WITHIN_S)
    must("10.18", now.cards_in != before.cards_in, f"cards in the hopper, and none is taken in: {now}")
    locked: ShufflerStatus = host.apply(lock_of_shuffler(now)).status
    host.listen(1.0)
    must("5.9", status_of(host).cards_in <= locked.cards_in + 1, f"it feeds on behind a lock: {status_of(host)}")
    host.apply(lock_of_shuffler(status_of(host), feed_open=True))
    _feeds_on_when_it_is_empty(host)
    host.apply(lock_of_shuffler(status_of(host)))
    host.listen(QUIET_S)
    ended = status_of(host)
    host.listen(1.0)
    must("5.9", status_of(host).cards_in == ended.cards_in, f"it feeds on behind a lock: {status_of(host)}")
    must("10.18", any(isinstance(one, CardIn) for one in told(host, newest)), "no card-in")


def _feeds_on_when_it_is_empty(host: Host) -> None:
    """Checks that a feed waits for cards if the hopper has none."""
    status = host.status_becomes(lambda one: not one.hopper_loaded, FED_WITHIN_S)
    host.listen(QUIET_S)
    if not status.hopper_loaded:
        status = status_of(host)
        must("10.18", status.feed_open, f"a feed ends with the hopper's last card: {status}")
        host.apply(lock_of_shuffler(status))
        host.apply(lock_of_shuffler(status, feed_open=True))
        host.listen(1.0)
        status = status_of(host)
        must("10.18", status.feed_open or status.hopper_loaded, f"a feed of an empty hopper is none: {status}")
        takes_what_is_laid_in_later(host)


def an_unloading_outlasts_the_cards(host: Host) -> None:
    """Checks that an unloading goes on after the last card until the host ends it."""
    before = with_cards(host)
    host.apply(lock_of_shuffler(before, unload=True))
    now = before
    for _ in range(before.inside):
        out = now.cards_out
        now = host.status_becomes(_has_given(out), 1.0)
        hear_through(host, host.status()[1])
        if not now.inside or now.cards_out == out:
            break
    host.listen(1.0)
    now = status_of(host)
    must("10.19", now.unloading, f"an unloading ends by itself, {now.inside} inside: {now}")
    host.apply(lock_of_shuffler(now))
    for asked in (
        lock_of_shuffler(now, unload=True),
        lock_of_shuffler(now, release_until=(now.cards_out + 1) % U32),
    ):
        answer = host.apply(asked)
        must_be_ok("10.15", answer, f"nothing is inside: {asked}")
        is_there = asked.release_until == answer.status.release_until or answer.status.cards_out != now.cards_out
        must("10.15", is_there, f"what has nothing to do waits: {answer.status}, behind {asked}")
    host.apply(lock_of_shuffler(now))
    with_cards(host)


# --- the lid


def an_open_lid_refuses(host: Host) -> None:
    """Checks that an open lid refuses movements but no protections, and changes no count."""
    host.has("lid")
    before = ready(host)
    newest = host.status()[1]
    host.hand(Deed.LID_OPEN)
    host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
    must_be_ok("10.15", host.apply(lock_of_shuffler(status_of(host))), "a lock with the lid open")
    refuses_all(host, ShufflerResult.REFUSED_LID_OPEN, "10.12")
    goes_on(host, "the lid is open")
    obeys_in_trouble(host, can_end=True)
    refuses_all(host, ShufflerResult.REFUSED_LID_OPEN, "10.12")
    host.hand(Deed.LID_CLOSE)
    after = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
    same = (after.cards_in, after.cards_out, after.inside, after.jams, after.recounts)
    must("10.34", same == (before.cards_in, before.cards_out, before.inside, before.jams, before.recounts), f"{after}")
    kinds = [type(one) for one in told(host, newest) if isinstance(one, LidOpened | LidClosed)]
    must("10.33", kinds == [LidOpened, LidClosed], f"the lid was opened and closed, told {kinds}")


def refuses_all(host: Host, result: ShufflerResult, duty: str) -> None:
    """Raises Broken unless each movement gets `result`, and the lamp in the same command is obeyed."""
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
    """Checks that unknown counts refuse a release, but no feeding or unloading. A recount must make them known."""
    ready(host)
    host.hand(Deed.FORGET)
    host.open()
    feed, _release, unload = PERMISSIONS[DeviceKind.SHUFFLER]
    for stands, wishes in ((feed, {"feed_open": True}), (unload, {"unload": True}), (feed, {}), (unload, {})):
        must_be_ok("10.14", host.apply(stands.ask(status_of(host))), f"{stands.name} with counts_unknown")
        host.status_becomes(stands.is_given)
        until = (status_of(host).cards_out + 10) % U32
        answer = host.apply(lock_of_shuffler(status_of(host), release_until=until, **wishes))
        must("10.14", answer.result == ShufflerResult.REFUSED_COUNTS_UNKNOWN, f"a release: result {answer.result}")
        must("9.22", stands.is_locked(status_of(host)), f"a refused apply leaves what stood before: {status_of(host)}")
    now = status_of(host)
    request = (now.recounts + 1) % U16
    release = lock_of_shuffler(now, release_until=(now.cards_out + 1) % U32)
    for runs in (False, True):
        if runs:
            host.apply(lock_of_shuffler(now, recount_request=request))
        host.apply(release if runs else structs.replace(release, recount_request=request))
        host.listen(LONG_S)
        found = f"a recount that was refused with a release, or taken back by its refusal: {status_of(host)}"
        must("10.25", status_of(host).recounts != request, found)
    out = status_of(host).cards_out
    host.listen(1.0)
    must("10.14", status_of(host).cards_out == out and not status_of(host).mouth_open, f"a release: {status_of(host)}")
    must_be_ok("10.14", host.apply(unload.ask(status_of(host))), "unload with counts_unknown")
    host.apply(lock_of_shuffler(status_of(host)))
    known_again(host)


def known_again(host: Host) -> None:
    if not host.statement.has("recount"):
        return
    after = recount(host, status_of(host))
    must("10.20", not after.counts_unknown, f"a recount leaves counts_unknown: {after}")
    must("10.34", after.inside != U16 - 1, f"a recount does not set inside: {after}")
