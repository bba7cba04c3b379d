"""Checks of PROTOCOL.md, section 10: a shuffler releases the cards that a command asks for, one by one and no more."""

from contextlib import suppress
from typing import Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.far import FAR_RELEASES
from firmware_protocols.tdp.conform.line import Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    QUIET_S,
    U32,
    lock_of_shuffler,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.shuffler_checks import CARD_WITHIN_S, HALF, has_given, must_be_ok, status_of
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.shuffler import (
    CardOut,
    ShufflerStatus,
)

RELEASED: Final = 3
AT_ONCE: Final = 34  # by hands that take no time
MANY: Final = 600


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
    """Makes hands draw the cards up to number `until` from the open mouth, and returns the status. Raises Skipped if
    hands draw none.
    """
    for _ in range((until - before.cards_out) % U32):
        now: ShufflerStatus = host.status_becomes(lambda one: one.mouth_open or owed(one) <= 0, CARD_WITHIN_S)
        if owed(now) <= 0:
            return now
        gone = now.cards_out
        with suppress(Skipped):
            host.hand(Deed.DRAW)
        now = host.status_becomes(has_given(gone), CARD_WITHIN_S)
        if now.cards_out == gone and now.mouth_open:
            raise Skipped("nobody-drew")
    return status_of(host)


def cards_go_one_by_one(host: Host) -> None:
    """Checks that several released cards leave one by one, each counted and reported, and that the shuffler then locks.
    Tries this with and without a repeated release meanwhile.
    """
    before = with_cards(host)
    for many in FAR_RELEASES:
        _is_given_one(host, many)
    for many in (MANY, RELEASED):
        until = (before.cards_out + many) % U32
        status = host.apply(lock_of_shuffler(before, release_until=until)).status
        is_whole = status.release_until == until or status.cards_out != before.cards_out
        must("10.15", is_whole, f"a release of {many} cards: release_until {status.release_until}, not {until}")
    _is_raised_at_the_mouth(host)
    _leave_one_by_one(host, RELEASED, is_said_again=True)
    _leave_one_by_one(host, AT_ONCE if host.bench.is_quick else 2 * RELEASED, is_said_again=False)


def _is_raised_at_the_mouth(host: Host) -> None:
    """Checks that a release that is raised while its last card stands in the mouth lets one card more go."""
    before = with_cards(host)
    for many in (1, 2):
        host.apply(lock_of_shuffler(before, release_until=(before.cards_out + many) % U32))
        host.status_becomes(lambda now: now.mouth_open or owed(now) <= 0, CARD_WITHIN_S)
    until = (before.cards_out + 2) % U32
    after = _drawn(host, before, until)
    must("10.16", after.cards_out == until, f"a release raised with a card in the mouth: {after}, not {until}")


def _is_given_one(host: Host, many: int) -> None:
    """Checks that the shuffler offers the first card after a release of `many` cards. Then locks it again."""
    before = with_cards(host)
    host.apply(lock_of_shuffler(before, release_until=(before.cards_out + many) % U32))
    now: ShufflerStatus = host.status_becomes(
        lambda one: one.mouth_open or one.cards_out != before.cards_out, CARD_WITHIN_S
    )
    is_given = now.mouth_open or now.cards_out != before.cards_out
    host.apply(lock_of_shuffler(now))
    must("10.16", is_given, f"a release of {many} cards gives none: {now}")


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
