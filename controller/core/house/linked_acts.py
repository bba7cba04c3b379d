"""The linked pool, a jackpot of several tables, as this table knows it: statements of the floor, reports, hits.

fact or act         by whom, and who else                     undone by               growth of state or journal
linked-pool-heard   the shell, once the floor's signature     the next statement      an entry each time
                    was checked (daemon/linking.py)
linked-told         the shell, at once behind the event       never: it is counted    an entry per collection and hit
pay-linked-prize    dealer; a supervisor asks for the same    never: agreed           nothing
release-linked-hit  room manager; chief supervisor            never: agreed           nothing

The hold `linked-hit` calls dealer, chief supervisor and room manager; it ends with the last share, or the release.
"""

from typing import Any, Final

from msgspec import Struct, UnsetType

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.duties import is_a_reference
from controller.core.house.holds import end_holds, holds_of, raise_hold, update_hold
from controller.core.house.linked_pool import Linked, LinkedHit, begun, ended, paid_to, with_amount
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.registry import Deadline, FactRule
from controller.core.house.rule import (
    CHIEF,
    DEALER,
    DELIBERATE_MS,
    SUPERVISORS,
    ActGuard,
    ActRule,
    AnyGuard,
    Guard,
    SecondPerson,
    always,
)
from controller.core.house.state import State, StateT, with_house
from controller.core.house.undoing import Never, never
from controller.core.jackpot_rules import CENT
from controller.core.money import units
from controller.core.words import Cents, HoldCause, HoldKind, Role, TableMs, Timer


class DecidedHere(Struct, frozen=True, gc=False):
    """The floor's decision on a hit of this table.

    `epoch`, `seq`: the journal entry that reported the hit; `micro`: the hit's amount in millionths.
    """

    epoch: int
    seq: int
    micro: int


class LinkedPoolHeard(Fact, frozen=True):
    """The floor has sent figures of the linked pool; the shell has checked their signature, pool and currency. `micro`:
    the pool's amount in millionths; `rate_ppm`: the part of each chip that is added; `hits`: the floor's decisions on
    hits of this table alone.
    """

    pool: str
    number: int
    micro: int
    rate_ppm: int
    hits: tuple[DecidedHere, ...] = ()


class Added(Struct, frozen=True, gc=False):
    """The amount, in millionths of a currency unit, that bets have added to the pool `pool` since the last report."""

    pool: str
    currency: str
    micro: int


class HitPool(Struct, frozen=True, gc=False):
    """A hit in the table's report to the floor: the pool that was hit, and its currency."""

    pool: str
    currency: str


class LinkedTold(Fact, frozen=True, omit_defaults=True):
    """The table's report to the floor (controller/floor/POOLS.md). The report names the epoch and number of its own
    entry.
    """

    epoch: int
    seq: int
    linked: tuple[Added, ...] = ()
    linked_hits: tuple[HitPool, ...] = ()


class PayLinkedPrize(Act, frozen=True):
    """The dealer states that the player at this seat has got his share of the next hit on the linked pool."""

    seat: int


class ReleaseLinkedHit(Act, frozen=True):
    """The first open hit is released without a payment here. `reference`: the reference of the decision elsewhere."""

    reference: str


def linked_of(state: State) -> Linked | None:
    """The table's record of its linked pool. None at a table that has no linked pool."""
    linked = state.house.linked
    return None if isinstance(linked, UnsetType) else linked


def linked_started(state: StateT, at_ms: TableMs) -> StateT:
    """The state after a start, with nothing heard of the linked pool yet. Unchanged without a linked pool."""
    rules = state.setup.linked
    if isinstance(rules, UnsetType):
        return state
    return with_house(state, linked=begun(linked_of(state), rules.pool, at_ms))


def to_be_told(state: State, epoch: int, seq: int) -> LinkedTold | None:
    """The table's report to the floor, for the journal's entry `seq` in `epoch`. None if all bets and hits are
    reported, and without a linked pool.
    """
    rules, linked = state.setup.linked, linked_of(state)
    if isinstance(rules, UnsetType) or linked is None or not linked.is_untold:
        return None
    more, is_hit = linked.due - linked.told, any(not hit.seq for hit in linked.hits)
    added = (Added(rules.pool, rules.currency, more),) if more > 0 else ()
    return LinkedTold(epoch, seq, added, (HitPool(rules.pool, rules.currency),) if is_hit else ())


# --- facts


def told(state: StateT, event: LinkedTold, _at_ms: TableMs) -> StateT:
    linked = linked_of(state)
    if linked is None:
        return state
    hits = (hit if hit.seq else replace(hit, epoch=event.epoch, seq=event.seq) for hit in linked.hits)
    more = sum(one.micro for one in event.linked)
    return with_house(state, linked=replace(linked, told=linked.told + more, hits=tuple(hits)))


def heard(state: StateT, event: LinkedPoolHeard, at_ms: TableMs) -> StateT:
    """The state with the floor's newest figures and the amounts of this table's hits. A hold stays open while a hit is
    open. Figures of another pool, or with a number that is not above the last number, have no effect.
    """
    linked = linked_of(state)
    if linked is None or event.pool != linked.pool or event.number <= linked.number:
        return state
    newest = replace(linked, number=event.number, micro=event.micro, rate_ppm=event.rate_ppm, since_ms=at_ms)
    newest = replace(newest, is_heard=True, is_away=False)
    for hit in event.hits:
        newest = with_amount(newest, hit.epoch, hit.seq, hit.micro)
    return hold_for_hits(with_house(state, linked=newest), at_ms)


def _due_ms(state: State) -> TableMs | None:
    rules, linked = state.setup.linked, linked_of(state)
    if isinstance(rules, UnsetType) or linked is None or linked.is_away:
        return None
    return TableMs(linked.since_ms + rules.away_ms)


def floor_is_away(state: StateT, _at_ms: TableMs) -> StateT:
    linked = linked_of(state)
    return state if linked is None else with_house(state, linked=replace(linked, is_heard=False, is_away=True))


# --- the hold


def hold_for_hits(state: StateT, at_ms: TableMs) -> StateT:
    """The state with one hold, which shows the linked pool's first open hit. If no hit is open, the state without such
    a hold.
    """
    linked, standing = linked_of(state), holds_of(state, HoldKind.LINKED_HIT)
    if linked is None or not linked.hits:
        return end_holds(state, lambda hold: hold.kind is HoldKind.LINKED_HIT) if standing else state
    cause, details = _of_hit(linked.hits[0])
    if not standing:
        return raise_hold(state, HoldKind.LINKED_HIT, at_ms, cause=cause, details=details)
    details = (("cause", cause.value), *details)
    if standing[0].details == details:
        return state
    return update_hold(state, replace(standing[0], details=details))


def _of_hit(hit: LinkedHit) -> tuple[HoldCause, Values]:
    place, seats = f"{hit.epoch}.{hit.seq}", " ".join(map(str, hit.seats))
    if not hit.seats:
        return HoldCause.HIT_UNKNOWN, (("seats", "-"), ("amount", _units(hit.micro)), ("entry", place))
    cause = HoldCause.AMOUNT_TO_COME if hit.micro is None else HoldCause.AMOUNT_KNOWN
    return cause, (("seats", seats), ("amount", _units(hit.micro)), ("entry", "-"))


def _units(micro: int | None) -> str:
    return "-" if micro is None else units(Cents(micro // CENT))


# --- guards


def _is_heard(state: State) -> bool:
    linked = linked_of(state)
    return isinstance(state.setup.linked, UnsetType) or linked is None or linked.is_heard


def linked_prize_due(state: State) -> tuple[LinkedHit, int] | None:
    """The next hit to be paid and the seat whose share is next. None if no share can be paid."""
    linked = linked_of(state)
    for hit in () if linked is None else linked.hits:
        if hit.micro is not None and (seat := hit.next_seat) is not None:
            return hit, seat
    return None


def _says_due(state: State, _act: Act | None = None) -> Values:
    due = linked_prize_due(state)
    if due is None:
        return (("seat", "-"), ("amount", "-"))
    return (("seat", str(due[1])), ("amount", units(due[0].share(due[1]))))


def _has_hit(state: State) -> bool:
    linked = linked_of(state)
    return linked is not None and bool(linked.hits)


FLOOR_IS_HEARD = Guard[State]("floor_is_heard", _is_heard)
LINKED_PRIZE_IS_DUE = Guard[State]("linked_prize_is_due", lambda state: linked_prize_due(state) is not None)
LINKED_SEAT_IS_NEXT = ActGuard[State, PayLinkedPrize](
    "linked_seat_is_next",
    lambda state, act: (due := linked_prize_due(state)) is not None and due[1] == act.seat,
    _says_due,
)
LINKED_HIT_STANDS = Guard[State]("linked_hit_stands", _has_hit)
RELEASE_IS_NAMED = ActGuard[State, ReleaseLinkedHit](
    "release_is_named", lambda _state, act: is_a_reference(act.reference)
)


# --- effects and rows


def pay_linked_prize(state: StateT, act: PayLinkedPrize, at_ms: TableMs) -> StateT:
    linked, due = linked_of(state), linked_prize_due(state)
    if linked is None or due is None:
        return state
    return hold_for_hits(with_house(state, linked=paid_to(linked, due[0], act.seat)), at_ms)


def release_linked_hit(state: StateT, _act: ReleaseLinkedHit, at_ms: TableMs) -> StateT:
    linked = linked_of(state)
    if linked is None or not linked.hits:
        return state
    return hold_for_hits(with_house(state, linked=ended(linked, linked.hits[0])), at_ms)


def _first_hit(state: State, _act: Act) -> LinkedHit | None:
    linked = linked_of(state)
    return linked.hits[0] if linked is not None and linked.hits else None


def linked_acts(*before_a_prize: AnyGuard[Any, Any]) -> tuple[ActRule[Any, Any], ...]:
    """The rows of the acts on a linked pool. `before_a_prize`: the game's guards on the payment of a prize."""
    return (
        ActRule(
            "pay-linked-prize",
            PayLinkedPrize,
            DEALER,
            pay_linked_prize,
            (LINKED_PRIZE_IS_DUE, *before_a_prize, LINKED_SEAT_IS_NEXT),
            second=SecondPerson(SUPERVISORS, "linked", always, lambda state, _act: linked_prize_due(state)),
            hold_ms=DELIBERATE_MS,
            undone=never(Never.AGREED),
            money=Money.PRIZE,
            manner=Manner.DOES,
        ),
        ActRule(
            "release-linked-hit",
            ReleaseLinkedHit,
            (Role.ROOM_MANAGER,),
            release_linked_hit,
            (LINKED_HIT_STANDS, RELEASE_IS_NAMED),
            second=SecondPerson(CHIEF, "linked", always, _first_hit),
            hold_ms=DELIBERATE_MS,
            undone=never(Never.AGREED),
            money=Money.PRIZE,
            manner=Manner.DECIDES,
        ),
    )


LINKED_FACTS: Final[tuple[FactRule[Any, Any], ...]] = (
    FactRule("linked-pool-heard", LinkedPoolHeard, heard),
    FactRule("linked-told", LinkedTold, told),
)
LINKED_DEADLINE: Final[Deadline[Any]] = Deadline(Timer.LINKED, _due_ms, floor_is_away)
