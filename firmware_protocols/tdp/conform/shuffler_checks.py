"""Checks of PROTOCOL.md, section 10: lamp, release, feed, unloading, recount; lid and jam if hands can cause them."""

from typing import Final

from msgspec import structs

from firmware_protocols.tdp.conform import far
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.idle_checks import takes_what_is_laid_in_later
from firmware_protocols.tdp.conform.line import Answer, Broken, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    FED_WITHIN_S,
    OK,
    PERMISSIONS,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    SHOWN_AT_ONCE_S,
    SWITCHES,
    U16,
    U32,
    IsSo,
    Permission,
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
    for release, first in ((0, CardOut), (3, CardIn)):
        before = with_cards(host)
        if not before.hopper_loaded:
            host.hand(Deed.LOAD)
        newest, until = host.status()[1], (before.cards_out + release) % U32
        asked = lock_of_shuffler(before, feed_open=True, unload=not release, release_until=until)
        must_be_ok("10.24", host.apply(asked), f"{asked}")
        if not release:
            _is_taken_over_whole(host, asked)
        now: ShufflerStatus = host.status_becomes(has_moved(before), CARD_WITHIN_S)
        if release:
            _mouth_is_shut_in_a_feed(host, now)
            now = _fed(host)
            is_there = now.hopper_loaded or now.release_until == until
            must("10.24", is_there, f"a release is gone behind the feed that it was said with: {now}")
        host.apply(lock_of_shuffler(now))
        host.listen(QUIET_S)
        kinds = [type(one) for one in told(host, newest) if isinstance(one, CardIn | CardOut)]
        must("10.24", kinds[:1] in ([], [first]), f"{asked}: first {kinds[:2]}")


def _fed(host: Host) -> ShufflerStatus:
    """Returns the status when the hopper is empty, or after FED_WITHIN_S. Acknowledges the cards meanwhile, so that
    they do not lock the device.
    """
    for _ in range(round(FED_WITHIN_S)):
        now = host.status_becomes(lambda one: not one.hopper_loaded, 1.0)
        hear_through(host, host.status()[1])
        if not now.hopper_loaded:
            break
    host.listen(QUIET_S)
    return status_of(host)


def _is_taken_over_whole(host: Host, asked: ShufflerApply) -> None:
    """Checks that the status shows both the feed and the unloading of one command. Finds no break if it shows none of
    them alone, which another check judges.
    """
    now = host.status_becomes(lambda one: one.feed_open and one.unloading, SHOWN_AT_ONCE_S)
    if now.feed_open and now.unloading:
        return
    for permission in (PERMISSIONS[DeviceKind.SHUFFLER][0], PERMISSIONS[DeviceKind.SHUFFLER][2]):
        host.apply(permission.ask(status_of(host)))
        if not permission.is_given(host.status_becomes(permission.is_given, SHOWN_AT_ONCE_S)):
            return
    raise Broken("10.15", f"a part of {asked} is left out: {now}")


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


def has_given(before: int) -> IsSo:
    return lambda now: bool(now.cards_out != before)


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
    status = _fed(host)
    if not status.hopper_loaded:
        must("10.18", status.feed_open, f"a feed ends with the hopper's last card: {status}")
        host.apply(lock_of_shuffler(status))
        host.apply(lock_of_shuffler(status, feed_open=True))
        host.listen(1.0)
        status = status_of(host)
        must("10.18", status.feed_open or status.hopper_loaded, f"a feed of an empty hopper is none: {status}")
        takes_what_is_laid_in_later(host)


def an_unloading_outlasts_the_cards(host: Host) -> None:
    """Checks that an unloading goes on after the last card until the host ends it."""
    now = _unloaded(host, with_cards(host))
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
    if host.statement.has("recount"):
        _no_card_is_left(host)
    with_cards(host)


def _no_card_is_left(host: Host) -> None:
    """Checks that an unloading gives out all cards. A recount comes before, since hands may have taken cards."""
    now = _unloaded(host, recount(host, with_cards(host)))
    if now.inside:
        left = host.status_becomes(has_given(now.cards_out), CARD_WITHIN_S)
        must("10.19", left.cards_out != now.cards_out, f"an unloading leaves {now.inside} cards inside: {left}")
    host.apply(lock_of_shuffler(now))


def _unloaded(host: Host, before: ShufflerStatus) -> ShufflerStatus:
    """Unloads until no card comes. Returns the status after a further second."""
    host.apply(lock_of_shuffler(before, unload=True))
    now = before
    for _ in range(before.inside):
        out = now.cards_out
        now = host.status_becomes(has_given(out), 1.0)
        hear_through(host, host.status()[1])
        if not now.inside or now.cards_out == out:
            break
    host.listen(1.0)
    return status_of(host)


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
    """Raises Broken for `duty` unless the device answers each movement with `result` and obeys the lamp in the same
    command.
    """
    now = status_of(host)
    moves = lock_of_shuffler(now, feed_open=True), lock_of_shuffler(now, unload=True)
    for asked in (*moves, *far.releases(now), *far.recounts(now)):
        _refuses(host, asked, result, duty)
    stay = ((behind, behind) for behind in (-3, 1 - HALF, HALF))
    for ahead, stands in (*stay, (1, 0), *((many, 0) for many in far.FAR_RELEASES)):
        asked = lock_of_shuffler(now, feed_open=True, release_until=(now.cards_out + ahead) % U32)
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
    """Checks that a shuffler with unknown counts refuses to release cards, but feeds and unloads. A recount must make
    the counts known.
    """
    ready(host)
    host.hand(Deed.FORGET)
    host.open()
    feed, _release, unload = PERMISSIONS[DeviceKind.SHUFFLER]
    for stands, wishes in ((feed, {"feed_open": True}), (unload, {"unload": True}), (feed, {}), (unload, {})):
        must_be_ok("10.14", host.apply(stands.ask(status_of(host))), f"{stands.name} with counts_unknown")
        host.status_becomes(stands.is_given)
        _is_refused_for_unknown_counts(host, stands, **wishes)
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
    _unloads_behind_its_recount(host)


def _unloads_behind_its_recount(host: Host) -> None:
    """Checks that an unloading goes on behind the recount of the same command, by which the counts become known."""
    if not host.statement.has("recount"):
        return
    after = recount(host, status_of(host), unload=True)
    _is_known(after)
    must("10.22", after.unloading, f"the unloading is gone behind the recount that makes counts known: {after}")
    gone: ShufflerStatus = host.status_becomes(lambda now: now.cards_out != after.cards_out, CARD_WITHIN_S)
    host.apply(lock_of_shuffler(gone))
    is_so = gone.cards_out != after.cards_out or not after.inside
    must("10.22", is_so, f"the unloading does not go on behind the recount that makes counts known: {gone}")


def _is_refused_for_unknown_counts(host: Host, stands: Permission, **wishes: bool) -> None:
    """Checks that the shuffler refuses to release few cards and many, and that this withdraws the permission `stands`.
    `wishes`: other fields of the command.
    """
    for many in (10, *far.FAR_RELEASES):
        until = (status_of(host).cards_out + many) % U32
        answer = host.apply(lock_of_shuffler(status_of(host), release_until=until, **wishes))
        is_refused = answer.result == ShufflerResult.REFUSED_COUNTS_UNKNOWN
        must("10.14", is_refused, f"a release of {many} cards: result {answer.result}")
        must("9.22", stands.is_locked(status_of(host)), f"a refused apply leaves what stood before: {status_of(host)}")


def known_again(host: Host) -> None:
    if not host.statement.has("recount"):
        return
    _is_known(recount(host, status_of(host)))


def _is_known(after: ShufflerStatus) -> None:
    must("10.20", not after.counts_unknown, f"a recount leaves counts_unknown: {after}")
    must("10.34", after.inside != U16 - 1, f"a recount does not set inside: {after}")
