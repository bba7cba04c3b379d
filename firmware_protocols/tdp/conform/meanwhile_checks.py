"""Checks of PROTOCOL.md, section 10: a shuffler gets a command for one work (a recount or a movement of cards) while it
does another.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.conform.line import Host, must
from firmware_protocols.tdp.conform.parts import (
    FED_WITHIN_S,
    FEW,
    OK,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    U16,
    U32,
    IsSo,
    forget_all_but,
    is_counted,
    lock_of_shuffler,
    recount,
    told,
    with_cards,
)
from firmware_protocols.tdp.conform.shuffler_checks import CARD_WITHIN_S, status_of
from firmware_protocols.tdp.shuffler import CardIn, CardOut, Recounted, ShufflerStatus

MANY: Final = 3  # cards that prove that work goes on
LOADS: Final = 2  # of the hopper
RELEASED: Final = 20


class Work(Struct, frozen=True):
    """A work of a shuffler: a recount or a movement of cards. `wishes`: the fields of the command for the work, given
    the status before. `tells`: the event that reports the work. `is_seen`: tests a status for a step of the work, given
    the status before. `is_given`: tests a status for the work's flag; always true for a work without a flag.
    """

    name: str
    wishes: Callable[[ShufflerStatus], dict[str, int]]
    tells: type
    is_seen: Callable[[ShufflerStatus], IsSo]
    is_given: IsSo = lambda _now: True


RECOUNT: Final = Work(
    "a recount",
    lambda now: {"recount_request": (now.recounts + 1) % U16},
    Recounted,
    lambda was: is_counted((was.recounts + 1) % U16),
)
UNLOAD: Final = Work(
    "an unloading",
    lambda _now: {"unload": True},
    CardOut,
    lambda was: lambda now: bool(now.cards_out != was.cards_out),
    lambda now: bool(now.unloading),
)
FEED: Final = Work(
    "a feed",
    lambda _now: {"feed_open": True},
    CardIn,
    lambda was: lambda now: bool(now.cards_in != was.cards_in),
    lambda now: bool(now.feed_open),
)
RELEASE: Final = Work(
    "a release",
    lambda now: {"release_until": (now.cards_out + RELEASED) % U32},
    CardOut,
    lambda was: lambda now: bool(now.mouth_open or now.cards_out != was.cards_out),
)
WORKS: Final = (RECOUNT, UNLOAD, FEED, RELEASE)
"""The works in the order in which a shuffler does them."""


def work_is_asked_for_in_other_work(host: Host) -> None:
    """Checks each pair of works. If a command asks for the second work while the shuffler does the first, the shuffler
    finishes the work with priority first, and then does the other.
    """
    takes_s = _takes_s(host)
    for first, then in product(WORKS, WORKS):
        if takes_s is not None or RECOUNT not in (first, then):
            _in(host, first, then, takes_s or 0.0)


def _takes_s(host: Host) -> float | None:
    """Returns the seconds that a recount takes; None for a shuffler that does not recount."""
    if not host.statement.has("recount"):
        return None
    begun_s = host.line.now_s()
    recount(host, with_cards(host))
    return host.line.now_s() - begun_s


def _in(host: Host, first: Work, then: Work, takes_s: float) -> None:
    """Asks for the work `then` while the work `first` goes on. Judges nothing if `first` does not begin."""
    before = _with_something_to_do(host, first, then)
    host.apply(lock_of_shuffler(before, **first.wishes(before)))
    if first is RECOUNT:
        host.listen(takes_s / 2)
    elif not first.is_seen(before)(host.status_becomes(first.is_seen(before), CARD_WITHIN_S)):
        return
    if first is RECOUNT and first.is_seen(before)(status_of(host)):
        return
    begun, newest = host.status()
    answer = host.apply(lock_of_shuffler(begun, **{**first.wishes(before), **then.wishes(before)}))
    if answer.result == OK:  # else `Watch` says so
        _goes_on(host, first, then, before, newest if first is RECOUNT else answer.newest_event)
    host.apply(lock_of_shuffler(status_of(host)))
    host.listen(QUIET_S)


def _with_something_to_do(host: Host, first: Work, then: Work) -> ShufflerStatus:
    """Returns the status of a shuffler with cards inside, and in the hopper for a feed. No event waits."""
    with_cards(host)
    for _ in range(LOADS if FEED in (first, then) else 0):
        host.load()
    forget_all_but(host, 0)
    return with_cards(host)


def _goes_on(host: Host, first: Work, then: Work, before: ShufflerStatus, newest: int) -> None:
    prior, later = sorted((first, then), key=WORKS.index)
    found = f"{then.name} asked for in {first.name}"
    asked = status_of(host)
    now = asked
    if prior is RECOUNT:
        now = host.status_becomes(RECOUNT.is_seen(before), RECOUNTED_WITHIN_S)
        is_made = RECOUNT.is_seen(before)(now) or not _works_alone(host, RECOUNT)
        must("10.22", is_made, f"{found}: no recount: {now}")
    elif prior is not RELEASE:
        now = host.status_becomes(_is_far(asked, prior), CARD_WITHIN_S)
        if not prior.is_given(now):
            return  # `Watch` says so
    came = [type(one).__name__ for one in told(host, newest) if isinstance(one, CardIn | CardOut | Recounted)]
    _is_in_order(first, prior, came, found)
    for duty, work in _still_to_do(prior, later, now):
        if not work.is_given(now):
            return
        after = host.status_becomes(work.is_seen(now), FED_WITHIN_S)
        is_so = work.is_seen(now)(after) or not _works_alone(host, work)
        must(duty, is_so, f"{found}: {work.name} does not go on: {after}, before {now}")


def _is_far(was: ShufflerStatus, work: Work) -> IsSo:
    """Returns a test that some cards have moved, or that nothing is left to do for `work`."""

    def is_so(now: ShufflerStatus) -> bool:
        if max(now.cards_in - was.cards_in, now.cards_out - was.cards_out) > MANY:
            return True  # by this work or by the other one, of which 48 cards would lock the device
        return not (now.hopper_loaded if work is FEED else now.inside)

    return is_so


def _is_in_order(first: Work, prior: Work, came: list[str], found: str) -> None:
    """Checks that no card of another work comes before the steps of the work `prior`, except a card that was in motion
    already.
    """
    in_motion = first is not prior and first is not RECOUNT and came[:1] == [first.tells.__name__]
    rest = came[in_motion:]
    if prior is RECOUNT:
        name = Recounted.__name__
        made = rest.index(name) if name in rest else 0  # another check says that it is not told
        must("10.21", made == 0, f"{found}: first {came[: made + 1]}")
        must("10.20", rest.count(name) <= 1, f"{found}: {rest.count(name)} recounts are told")
        return
    others = [one for one in rest[:MANY] if one != prior.tells.__name__]
    must("10.24", not others or prior is RELEASE, f"{found}: first {came[: MANY + 1]}")


def _still_to_do(prior: Work, later: Work, now: ShufflerStatus) -> Iterator[tuple[str, Work]]:
    """Yields the works that must still be seen now, each with the duty that the device breaks if it is not seen."""
    has_cards = {RECOUNT: False, UNLOAD: now.inside > 0, FEED: now.hopper_loaded, RELEASE: now.inside > 0}
    if prior is RECOUNT and later is not RECOUNT and has_cards[later]:
        yield "10.22", later
    elif prior is not RECOUNT and has_cards[prior]:
        yield "10.24", prior
    if prior is FEED and later is RELEASE:
        yield "10.24", later


def _works_alone(host: Host, work: Work) -> bool:
    """True if the shuffler does this work when no other is asked for. If it does not, another check says so."""
    host.apply(lock_of_shuffler(status_of(host)))
    host.listen(QUIET_S)
    before = with_cards(host)
    if work is FEED and not before.hopper_loaded:
        host.load()
    if before.inside < FEW:
        return False
    host.apply(lock_of_shuffler(before, **work.wishes(before)))
    within_s = RECOUNTED_WITHIN_S if work is RECOUNT else CARD_WITHIN_S
    return bool(work.is_seen(before)(host.status_becomes(work.is_seen(before), within_s)))
