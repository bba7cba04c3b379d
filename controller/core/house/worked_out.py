"""A round that is computed again from its log, after a correction of the log.

The computation begins at the state before the first event of the log. Each event is decided again at its own time; only
corrected entries differ. So cards, counts, chips and the ball stay as devices and people reported them, and turns,
stakes and amounts follow from the entries. The correction is refused if an act of the log would not be allowed any
more, if a hold would be raised for a new reason, or if a card would go to another hand. A fact cannot be computed
again: a card that came for the entry, for example. So people decide the incident in these cases (make-ruling).

An act that has nothing left to do (`falls_away` of its row), such as the payment of a prize that was not won, is no
obstacle: it has no effect, and the amount that it paid comes back as a difference. A payment that was made before a
payment added by the correction is no obstacle either (`due_before` of its row): the added one becomes a difference.

A card that the bank has drawn is no obstacle if no hand is decided against the bank in the corrected round. People have
dealt and seen the card, so it lies where it came, and it decides nothing (`in_vain` of the registry; pt.bj.19b, 22b).

A hand that was ended by mistake is the exception. Other hands keep the cards that they have got since. If an entry is
taken back, or becomes another act (a double that was a request for a card), and this would keep later hands from their
turn, the entry's own hand is passed over there. After the correction that hand is asked again, in the order of the
places (pt.bj.18c): behind a hand that plays already, before those that do not.

The two people of a correction stand for the two people of each act that is computed again. The first of two requests
for such an act has no effect by itself, and an amount that needs two people now has their word.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Generic, NamedTuple, TypeAlias

from msgspec import UNSET, Struct, UnsetType

from controller.core.choices import Delivery
from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Refusal, Values
from controller.core.engine.replacing import replace
from controller.core.house.deciding import decided, done_by
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import holds_of
from controller.core.house.linked_acts import linked_of
from controller.core.house.money_at_stake import Money
from controller.core.house.people import confirm_presence
from controller.core.house.pool import MoveKind, Pool, Win, collected, hit, returned
from controller.core.house.registry import Registry
from controller.core.house.round_log import Difference, Logged, RoundLog, read_as, text_of
from controller.core.house.state import Hold, State, StateT, with_house
from controller.core.money import in_units
from controller.core.words import DutyId, HoldId, HoldKind, RoundPhase

Whole: TypeAlias = Registry[Any]


class Worked(Struct, Generic[StateT], frozen=True, gc=False):
    """The round after the events of its corrected log were played again."""

    state: StateT
    log: RoundLog


class Hangs(NamedTuple):
    """The obstacle to a correction. `later`: the first entry that the corrected round does not allow, which may be the
    corrected entry itself; 0: a new hold, or a change of cards or jackpot. `refusal`: the refusal of that entry.
    `is_of_cards`: True if the obstacle is an earlier card that would not have been owed in the corrected round.
    """

    later: int
    refusal: Refusal | None = None
    is_of_cards: bool = False


def event_of(registry: Whole, one: Logged) -> Act | Fact:
    """The act or fact of the entry `one` of the log."""
    rule = registry.act_named.get(one.name)
    kind: type[Act | Fact] = registry.fact_named[one.name].fact if rule is None else rule.act
    return read_as(one.event, kind)


def again_by(
    registry: Registry[StateT], state: StateT, log: RoundLog, meant: frozenset[int], *, moves_wins: bool = False
) -> Worked[StateT] | Hangs:
    """The round played again by this log, which was corrected in the entries `meant`; or the first obstacle.

    If a later entry is the obstacle, the log is tried again in two ways: with the hands of withdrawn or replaced
    entries playing last, and with the hand of a replaced entry ended before the obstacle. If this fails, too, the first
    obstacle is returned, or the reason why that hand cannot end. `moves_wins`: True if a corrected jackpot bet may
    change the winner.
    """
    moves_wins = moves_wins and _is_of_a_chip(registry, log, meant)
    found = _by_this(registry, state, log, meant, moves_wins=moves_wins)
    if isinstance(found, Worked) or not found.later or registry.passed_over is None:
        return found
    own: Hangs | None = None
    for other in (_passing(state.log, log, meant), *_ended(registry, state, log, meant, found)):
        tried = found if other == log else _by_this(registry, state, other, meant, moves_wins=moves_wins)
        if isinstance(tried, Worked):
            return tried
        if tried.later > log.entries:  # the end of the hand that was asked for a card: the reason of its own
            own = own or Hangs(next(iter(meant)), tried.refusal)
    return own or found


def _ended(registry: Whole, state: State, log: RoundLog, meant: frozenset[int], found: Hangs) -> Iterator[RoundLog]:
    """Yields logs in which the hand of a replaced entry ends before the later entry at which the obstacle `found` lies.

    An example is a double that was a request for a card: the hand then ended by standing, before later hands or the
    bank played. The first log has this stand directly before the later entry. Where cards are offered unasked, further
    logs have it before each event that came in between. No log if no entry was replaced by such a request.
    """
    named = {one.number: one.name for one in state.log.events}
    replaced = [one for one in log.events if one.number in meant and one.name != named.get(one.number, one.name)]
    at = next((at for at, one in enumerate(log.events) if one.number == found.later), 0)
    if registry.ended_by is None or not replaced or not at or found.later in meant:
        return
    said = event_of(registry, replaced[0])
    ends = registry.ended_by(said) if isinstance(said, Act) else None
    if ends is None:
        return
    name, number = registry.by_act[type(ends)].name, log.entries + 1
    first = log.events.index(replaced[0]) if state.setup.delivery is Delivery.OFFERS else at - 1
    for place in range(at, first, -1):
        before = log.events[place - 1]
        one = Logged(
            number, name, text_of(ends), before.at_ms, is_correctable=True, is_corrected=True, last=before.last
        )
        yield replace(log, events=(*log.events[:place], one, *log.events[place:]), entries=number)


def _passing(was: RoundLog, log: RoundLog, meant: frozenset[int]) -> RoundLog:
    """The log in which hands of withdrawn or replaced entries are passed over, and asked again after its last event.

    `was`: the log before the correction; `meant`: the numbers of the corrected entries.
    """
    named = {one.number: one.name for one in was.events}
    passed = tuple(
        one.number
        for one in log.events
        if one.number in meant and (one.is_back or one.name != named.get(one.number, one.name))
    )
    events = tuple(replace(one, is_passed=True) if one.number in passed else one for one in log.events)
    return replace(log, events=(*events[:-1], replace(events[-1], asks=(*events[-1].asks, *passed))))


def _by_this(
    registry: Registry[StateT], state: StateT, log: RoundLog, meant: frozenset[int], *, moves_wins: bool
) -> Worked[StateT] | Hangs:
    again = played_again(registry, state, log, meant)
    if isinstance(again, Hangs):
        return again
    pool = _pool_after(state.house.pool, again.house.pool, moves_wins=moves_wins)
    if isinstance(pool, UnsetType) or _has_new_hold(state, again, moves_wins=moves_wins):
        return Hangs(0)
    if not moves_wins and _seats_that_wait_for_a_prize(again) != _seats_that_wait_for_a_prize(state):
        return Hangs(0)
    if not _moves_cards(registry, state, meant) and not _keeps_its_cards(state, again):
        return Hangs(0)
    if _has_other_hit(state, again):
        return Hangs(0)
    tally = replace(again.house.tally, put_right=state.house.tally.put_right)  # the corrections before this one, too
    kept = with_house(again, pool=pool, present=state.house.present, linked=state.house.linked, tally=tally)
    return Worked(kept, log)


def played_again(
    registry: Registry[StateT], state: StateT, log: RoundLog, meant: frozenset[int] = frozenset()
) -> StateT | Hangs:
    """The state after all events of this log, or the first entry that is not allowed in the corrected round.

    The returned state has a log without events, whose `is_over` says if the round has ended.
    """
    again: StateT = with_house(replace(read_as(log.base, registry.state), setup=state.setup), waiting=(), lapsed=())
    taken_back = min((number for number in meant if _is_payment_back(registry, log.of(number))), default=log.entries)
    is_of_cards = False
    for one in log.events:
        event = event_of(registry, one)
        if one.is_back:
            after: StateT | Refusal = _was_here(again, one, event)
        else:
            after = _done_again(registry, again, one, event, is_paid=one.number <= taken_back)
        if isinstance(after, Refusal):
            return Hangs(one.number, after, is_of_cards)
        is_of_cards = is_of_cards or _holds_anew(again, after, one)
        after = replace(
            _passed_over(registry, after, one, event),
            log=replace(after.log, differences=(), is_over=_has_ended(again, after)),
        )
        again = _asked_again(registry, _counted_on(after, one), log, one)
    return again


def _holds_anew(before: State, after: State, one: Logged) -> bool:
    """True if the fact `one` raises a hold now, but raised none when it came."""
    return not one.number and after.house.last_hold > before.house.last_hold >= one.last[0]


def _is_payment_back(registry: Whole, one: Logged | None) -> bool:
    """True for a payment that was taken back. Amounts that are due before a later entry then do not count as paid."""
    return one is not None and one.is_back and registry.act_named[one.name].due_before is not None


def _done_again(
    registry: Registry[StateT], state: StateT, one: Logged, event: Act | Fact, *, is_paid: bool
) -> StateT | Refusal:
    """The state after this event in the corrected round, or the refusal of an act that is not allowed there.

    `is_paid`: True if amounts that were due before the act count as paid.
    """
    after = decided(registry, state, event, one.at_ms, is_agreed=True)
    if not isinstance(event, Act):
        return after if isinstance(after, Refusal) else _come_again(registry, state, after, one, event)
    rule = registry.by_act[type(event)]
    if not isinstance(after, Refusal):
        return after
    if _in_vain(registry, state, event) is not None:
        known = confirm_presence(state, event.person, one.at_ms)
        return registry.follows.brought_about(state, done_by(rule, known, event, one.at_ms), one.at_ms)
    if rule.due_before is not None and is_paid:
        state = rule.due_before(state, event)
        after = decided(registry, state, event, one.at_ms, is_agreed=True)
    if isinstance(after, Refusal) and rule.falls_away is not None and rule.falls_away(state, event):
        return _was_here(state, one, event)
    return after


def _in_vain(registry: Registry[StateT], state: StateT, event: Act | Fact) -> StateT | None:
    """The state in which the card of this event is owed although no hand waits for it. None if the game has no such
    case.
    """
    return None if registry.in_vain is None else registry.in_vain(state, event)


def _come_again(registry: Registry[StateT], state: StateT, after: StateT, one: Logged, event: Fact) -> StateT | Refusal:
    """The state after a fact.

    If the fact brought a card for which no hand waits any more, the card lies where it came. Only a card that was
    expected when it came is laid there: it raised no hold then, and would raise one now.
    """
    asked = _in_vain(registry, state, event) if _holds_anew(state, after, one) else None
    return after if asked is None else decided(registry, asked, event, one.at_ms)


def _has_ended(before: State, after: State) -> bool:
    """True from the event that ends the round until the next round leaves its first step."""
    is_idle, was_idle = after.game.phase is RoundPhase.IDLE, before.game.phase is RoundPhase.IDLE
    return is_idle and (before.log.is_over or not was_idle)


def _asked_again(registry: Registry[StateT], state: StateT, log: RoundLog, behind: Logged) -> StateT:
    """The state in which each passed-over hand that the event `behind` names in `asks` gets its turn again."""
    for number in behind.asks:
        one = log.of(number)
        said = None if one is None or not one.is_passed else event_of(registry, one)
        if isinstance(said, Act) and registry.asked_again is not None:
            state = registry.asked_again(state, said)
    return state


def _counted_on(state: StateT, one: Logged) -> StateT:
    """The state in which the last numbers of holds and duties are at least those after the original event.

    So no number is used twice.
    """
    hold, duty = one.last
    last_hold, last_duty = max(state.house.last_hold, hold), max(state.house.last_duty, duty)
    return with_house(state, last_hold=HoldId(last_hold), last_duty=DutyId(last_duty))


def _was_here(state: StateT, one: Logged, said: Act | Fact) -> StateT:
    """The state in which the act's person has confirmed his presence. The act itself has no effect."""
    return confirm_presence(state, said.person, one.at_ms) if isinstance(said, Act) else state


def _passed_over(registry: Registry[StateT], state: StateT, one: Logged, said: Act | Fact) -> StateT:
    """The state in which the hand of an entry with `is_passed` plays after the others. Unchanged for other entries."""
    if not one.is_passed or not isinstance(said, Act) or registry.passed_over is None:
        return state
    passed: StateT = registry.passed_over(state, said)
    return passed


# --- invariants of a correction


def _is_of_a_chip(registry: Whole, log: RoundLog, meant: frozenset[int]) -> bool:
    """True if a corrected entry lays a jackpot bet or takes one back."""
    return any(one.number in meant and registry.act_named[one.name].act in registry.chips for one in log.acts())


def _has_new_hold(before: State, after: State, *, moves_wins: bool) -> bool:
    """True if the corrected round raises a hold for a new reason, or once more for a known reason.

    With `moves_wins` the hold for a prize does not count.
    """
    known = {_reason(one): one.times for one in before.house.holds}
    new = (one for one in after.house.holds if one.times > known.get(_reason(one), 0))
    return any(not moves_wins or one.kind is not HoldKind.JACKPOT_OWED for one in new)


def _reason(hold: Hold) -> tuple[object, ...]:
    """The values that distinguish a hold's reason from other reasons."""
    return hold.kind, hold.device, hold.details if hold_rule(hold.kind).each_its_own else hold.cause


def _seats_that_wait_for_a_prize(state: State) -> tuple[Values, ...]:
    return tuple(one.details for one in holds_of(state, HoldKind.JACKPOT_OWED))


def _moves_cards(registry: Whole, state: State, meant: frozenset[int]) -> bool:
    """True if an entry in `meant` is an act that corrects a dealt card and names a seat for it.

    An act that only takes a card away names no seat.
    """
    entered = (registry.act_named[one.name] for number in meant if (one := state.log.of(number)) is not None)
    return any(rule.money is Money.CORRECTED and "seat" in rule.act.__struct_fields__ for rule in entered)


def _keeps_its_cards(state: State, again: State) -> bool:
    """True if no card has gone to another hand, or if just all cards of one seat have gone to a seat without cards."""
    lay, lie = state.lying(), again.lying()
    if len(lie) < len(lay) and again.lying_aside() and not state.lying_aside():
        return False  # a card that was seen at a hand counts as seen (pt.bj.18d, 18f)
    if len(lay) != len(lie):  # a hand's cards are laid away, or back
        fewer, more = (lay, lie) if len(lay) < len(lie) else (lie, lay)
        left = iter(more)
        return all(seat in left for seat in fewer)
    moved = {(was, seat) for was, seat in zip(lay, lie, strict=True) if was != seat}
    if len(moved) > 1:
        return False
    return all(was and seat and seat not in lay and was not in lie for was, seat in moved)


def _has_other_hit(state: State, again: State) -> bool:
    """True if the correction would change the seats that hit the linked pool. The floor has the old hits already."""
    return _hits(state) != _hits(again)


def _hits(state: State) -> tuple[int, list[tuple[int, ...]]] | None:
    linked = linked_of(state)
    return None if linked is None else (linked.made, [hit.seats for hit in linked.hits])


def _pool_after(now: Pool | None, again: Pool | None, *, moves_wins: bool) -> Pool | UnsetType | None:
    """The pool `now` with the corrected bets added or taken out. UNSET if the pools also differ in anything else.

    With `moves_wins` it owes the prizes of the corrected round. No prize of that round has been paid.
    """
    if now is None or again is None or now == again:
        return now if now == again else UNSET
    bets = again.meters.bets - now.meters.bets
    pool = collected(now, bets) if bets > 0 else returned(now, -bets) if bets < 0 else now
    if moves_wins and pool.owed != again.owed:
        pool = hit(pool, _wins_of(again))
    is_same = (pool.millionths, pool.reserve, pool.overflow, pool.owed) == (
        again.millionths,
        again.reserve,
        again.overflow,
        again.owed,
    )
    return pool if is_same and pool.meters == again.meters else UNSET


def _wins_of(pool: Pool) -> tuple[Win, ...]:
    """The wins of the prizes that the pool owes. Empty if it owes none."""
    hits = (move.wins for move in reversed(pool.moves) if move.kind is MoveKind.HIT)
    return next(hits, ()) if pool.owed else ()


# --- amounts


def differences(before: State, after: State) -> tuple[Difference, ...]:
    """The change of each hand's and player's amount by a correction. Amounts that stay the same are left out."""
    return tuple(_differences(before, after))


def _differences(before: State, after: State) -> Iterator[Difference]:
    changed: dict[tuple[int, int, int], Fraction] = {}
    for sign, state in ((-1, before), (1, after)):
        for one in state.due():
            whose = one.seat, one.hand, one.player
            changed[whose] = changed.get(whose, Fraction(0)) + sign * one.cents
    yield from _of_each(changed)


def differences_together(some: tuple[Difference, ...], others: tuple[Difference, ...]) -> tuple[Difference, ...]:
    """The differences of two successive changes, added up for each hand and player. Sums of 0 are left out."""
    changed: dict[tuple[int, int, int], Fraction] = {}
    for one in (*some, *others):
        whose = one.seat, one.hand, one.player
        changed[whose] = changed.get(whose, Fraction(0)) + Fraction(one.amount) * 100
    return tuple(_of_each(changed))


def _of_each(changed: dict[tuple[int, int, int], Fraction]) -> Iterator[Difference]:
    for (seat, hand, player), cents in sorted(changed.items()):
        if cents:
            yield Difference(seat, player, in_units(cents), hand)
