"""The way back for an entry of a round: it is taken back, or stands with other values, and what followed is decided
again.

A round is worked out again from the state before the first event of its log. Each event is decided as it was at its
own time, but for the entry that two people correct. So cards, counts, chips and the ball stand as devices and people
told them, and turns, stakes and amounts follow from the entries that stand. The correction is refused where an act of
the log would not be allowed any more, the table would hold for a new reason, or a card would be another hand's than
the one before which it lies: then something hangs on the entry that cannot be worked out again (a card that came for
it), and people decide the incident (make-ruling).

Amounts that have changed by it are differences. They are told to all at the table, and nothing else is paid or put
away before two people have said that they are settled. Both entries stay in the journal.

The two people of a correction are those of each act for two that it works out again: of such an act the first half
does nothing by itself, and an amount that takes two now has had their word.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice, Refusal, Values
from controller.core.engine.replacing import replace
from controller.core.house.deciding import decided
from controller.core.house.holds import holds_of
from controller.core.house.linked_acts import linked_of
from controller.core.house.money_at_stake import Money
from controller.core.house.people import confirm_presence
from controller.core.house.pool import Pool, collected, returned
from controller.core.house.registry import Registry
from controller.core.house.round_log import Difference, Logged, OfTheLog, RoundLog, read_as, text_of
from controller.core.house.rule import DELIBERATE_MS, SUPERVISORS, ActGuard, ActRule, Guard, SecondPerson
from controller.core.house.state import State, StateT, with_house
from controller.core.house.undoing import Never, Way, by, never
from controller.core.money import in_units
from controller.core.words import DutyId, HoldId, HoldKind, Role, TableMs


class CorrectEntry(OfTheLog, frozen=True):
    """`entry`: its number in the round's log. Without another value it is taken back.

    `instead`: the act that it should have been, where it was another. A game adds the values that may be other ones.
    """

    entry: int
    instead: str | None = None


class ConfirmDifferences(OfTheLog, frozen=True):
    """The amounts that corrections have changed are paid, or taken back."""


class Unfit(Exception):  # noqa: N818 (a value does not fit; nothing has failed)
    """The values do not make an act of that kind."""


Whole = Registry[Any]
Stands = Callable[[], Whole]
"""The rows of the table, asked when all of them are there."""

_OWN: Final = (*CorrectEntry.__struct_fields__,)


# --- the round, worked out again


def event_of(registry: Whole, one: Logged) -> Act | Fact:
    """The event of an entry of the log."""
    rule = registry.act_named.get(one.name)
    kind: type[Act | Fact] = registry.fact_named[one.name].fact if rule is None else rule.act
    return read_as(one.event, kind)


def corrected_act(registry: Whole, state: State, act: CorrectEntry) -> Act | None:
    """The act that stands in the entry's place; None: nothing does. Raises Unfit."""
    one = state.log.of(act.entry)
    given = {
        name: value for name in act.__struct_fields__ if name not in _OWN and (value := getattr(act, name)) is not None
    }
    if one is None or (act.instead is None and not given):
        return None
    rule = registry.act_named.get(act.instead or one.name)
    if rule is None or rule.undone.way is not Way.ENTRY or _would_move_a_card(registry, one, rule):
        raise Unfit
    return _made(rule.act, event_of(registry, one), given)


def _would_move_a_card(registry: Whole, one: Logged, rule: ActRule[Any, Any]) -> bool:
    """A card is annulled or moved by an act about it, at its own time and with its own second person."""
    return rule.money is Money.CORRECTED and registry.act_named[one.name].money is not Money.CORRECTED


def _made(kind: type[Act], was: Act | Fact, given: dict[str, Any]) -> Act:
    """An act of this kind with the values of the entry, and the given ones in their place."""
    names = kind.__struct_fields__
    kept = {name: getattr(was, name) for name in names if hasattr(was, name)}
    values: dict[str, Any] = kept | given
    lacking = set(names[: len(names) - len(kind.__struct_defaults__)]) - values.keys()
    if lacking or given.keys() - set(names):
        raise Unfit
    return kind(**values)


def worked_out(registry: Registry[StateT], state: StateT, number: int, stands: Act | None) -> StateT | Logged:
    """The round with this act in the entry's place; or the first entry of the log that is not allowed then."""
    again: StateT = with_house(replace(read_as(state.log.base, registry.state), setup=state.setup), waiting=())
    for one in state.log.events:
        event = _stands_there(registry, one, number, stands)
        after = (
            _was_here(registry, again, one)
            if event is None
            else decided(registry, again, event, one.at_ms, is_agreed=True)
        )
        if isinstance(after, Refusal):
            return one
        again = _counted_on(after, one)
    return again


def _counted_on(state: StateT, one: Logged) -> StateT:
    """Each hold and duty keeps its number, and none has that of another that is there no more."""
    hold, duty = one.last
    last_hold, last_duty = max(state.house.last_hold, hold), max(state.house.last_duty, duty)
    return with_house(state, last_hold=HoldId(last_hold), last_duty=DutyId(last_duty))


def _was_here(registry: Whole, state: StateT, one: Logged) -> StateT:
    """The person who had asked for it was at the table, though nothing stands in its place."""
    said = event_of(registry, one)
    return confirm_presence(state, said.person, one.at_ms) if isinstance(said, Act) else state


def _stands_there(registry: Whole, one: Logged, number: int, stands: Act | None) -> Act | Fact | None:
    if one.number == number:
        return stands
    return None if one.is_back else event_of(registry, one)


def _has_new_hold(before: State, after: State) -> bool:
    """The table would hold for a reason for which it does not now, or for one more often."""
    known = {(one.kind, one.device, one.details): one.times for one in before.house.holds}
    return any(one.times > known.get((one.kind, one.device, one.details), 0) for one in after.house.holds)


def _seats_that_wait_for_a_prize(state: State) -> tuple[Values, ...]:
    return tuple(one.details for one in holds_of(state, HoldKind.JACKPOT_OWED))


def _keeps_its_cards(registry: Whole, state: State, again: State, number: int) -> bool:
    """No card goes to another hand, unless the entry says so; all of a seat's may be those of a seat that had none."""
    one, lay, lie = state.log.of(number), state.lying(), again.lying()
    if one is not None and registry.act_named[one.name].money is Money.CORRECTED:
        return True
    if len(lay) != len(lie):  # a hand's cards are laid away, or back
        fewer, more = (lay, lie) if len(lay) < len(lie) else (lie, lay)
        left = iter(more)
        return all(seat in left for seat in fewer)
    moved = {(was, seat) for was, seat in zip(lay, lie, strict=True) if was != seat}
    if len(moved) > 1:
        return False
    return all(was and seat and seat not in lay and was not in lie for was, seat in moved)


def _has_other_hit(state: State, again: State) -> bool:
    """The linked pool would be hit more or less often: the floor has decided what was told."""
    was, now = linked_of(state), linked_of(again)
    return (was is None) != (now is None) or (was is not None and now is not None and was.made != now.made)


def _pool_after(now: Pool | None, again: Pool | None) -> Pool | UnsetType | None:
    """The pool as it is now, with the bets that the corrected round has more or fewer; UNSET: it differs in more."""
    if now is None or again is None or now == again:
        return now if now == again else UNSET
    bets = again.meters.bets - now.meters.bets
    pool = collected(now, bets) if bets > 0 else returned(now, -bets) if bets < 0 else now
    is_same = (pool.millionths, pool.reserve, pool.overflow, pool.owed) == (
        again.millionths,
        again.reserve,
        again.overflow,
        again.owed,
    )
    return pool if is_same and pool.meters == again.meters else UNSET


class Hangs(NamedTuple):
    """Something that keeps an entry as it is: its own number or a later entry's; 0: a card or the jackpot."""

    later: int


CORRECTED_ENTRY_IS_ALLOWED: Final = "corrected_entry_is_allowed"
LATER_ENTRIES_STAND: Final = "later_entries_stand"
CARDS_AND_JACKPOT_STAND: Final = "cards_and_jackpot_stand"


def _outcome(registry: Registry[StateT], state: StateT, act: CorrectEntry) -> StateT | Hangs:
    """The state after the correction, or what hangs on the entry."""
    stands = corrected_act(registry, state, act)
    again = worked_out(registry, state, act.entry, stands)
    if isinstance(again, Logged):
        return Hangs(again.number)
    pool = _pool_after(state.house.pool, again.house.pool)
    if isinstance(pool, UnsetType) or _has_new_hold(state, again):
        return Hangs(0)
    if _seats_that_wait_for_a_prize(again) != _seats_that_wait_for_a_prize(state):
        return Hangs(0)
    if not _keeps_its_cards(registry, state, again, act.entry) or _has_other_hit(state, again):
        return Hangs(0)
    return with_house(again, pool=pool, present=state.house.present, linked=state.house.linked)


def differences(before: State, after: State) -> tuple[Difference, ...]:
    """The amounts that a correction has changed, by seat and player."""
    changed: dict[tuple[int, int], Fraction] = {}
    for sign, state in ((-1, before), (1, after)):
        for one in state.due():
            changed[one.seat, one.player] = changed.get((one.seat, one.player), Fraction(0)) + sign * one.cents
    return tuple(
        Difference(seat, player, in_units(cents)) for (seat, player), cents in sorted(changed.items()) if cents
    )


# --- effects


def _corrected(registry: Registry[StateT], state: StateT, act: CorrectEntry, _at_ms: TableMs) -> StateT:
    """The round as it follows from the corrected log."""
    again = _outcome(registry, state, act)
    if isinstance(again, Hangs):
        return state
    log = _log_after(registry, state, act)
    log = replace(log, differences=differences(state, again), corrected=log.corrected + 1)
    return replace(again, log=log)


def _log_after(registry: Whole, state: State, act: CorrectEntry) -> RoundLog:
    stands = corrected_act(registry, state, act)
    return replace(state.log, events=tuple(_entry_after(registry, one, act, stands) for one in state.log.events))


def _entry_after(registry: Whole, one: Logged, act: CorrectEntry, stands: Act | None) -> Logged:
    if one.number != act.entry:
        return one
    if stands is None:
        return replace(one, is_corrected=True, is_back=True)
    name, event = registry.by_act[type(stands)].name, text_of(stands)
    return replace(one, name=name, event=event, is_corrected=True, is_back=False)


def confirm_differences(state: StateT, _act: ConfirmDifferences, _at_ms: TableMs) -> StateT:
    """They are settled."""
    return replace(state, log=replace(state.log, differences=()))


# --- guards


def _says_differences(state: State, _act: Act | None = None) -> Values:
    told = ", ".join(f"{one.player}: {one.amount}" for one in state.log.differences)
    return (("amounts", told or "-"),)


DIFFERENCES_ARE_SETTLED: Final = Guard[State](
    "differences_are_settled", lambda state: not state.log.differences, _says_differences
)
DIFFERENCES_WAIT: Final = Guard[State]("differences_wait", lambda state: bool(state.log.differences))


def _guards(table: Stands) -> tuple[Any, ...]:
    def fits(state: State, act: CorrectEntry) -> bool:
        one = state.log.of(act.entry)
        try:
            stands = corrected_act(table(), state, act)
        except Unfit:
            return False
        if one is None or one.is_back:
            return stands is not None
        return stands != event_of(table(), one)

    def answered(state: State, act: CorrectEntry) -> str | None:
        found = _outcome(table(), state, act)
        if not isinstance(found, Hangs):
            return None
        if found.later == act.entry:
            return CORRECTED_ENTRY_IS_ALLOWED
        return LATER_ENTRIES_STAND if found.later else CARDS_AND_JACKPOT_STAND

    def says(state: State, act: CorrectEntry | None) -> Values:
        found = None if act is None else _outcome(table(), state, act)
        entry = "-" if act is None else str(act.entry)
        return (("entry", entry), ("later", str(found.later) if isinstance(found, Hangs) else "-"))

    def unless(rule: str) -> ActGuard[State, CorrectEntry]:
        return ActGuard(rule, lambda state, act: answered(state, act) != rule, says, answered=answered)

    return (
        DIFFERENCES_ARE_SETTLED,
        ActGuard[State, CorrectEntry](
            "entry_is_of_the_round",
            lambda state, act: any(one.number == act.entry for one in state.log.correctable()),
            possible=lambda state: bool(state.log.correctable()),
        ),
        ActGuard[State, CorrectEntry]("correction_fits_the_entry", fits),
        unless(CORRECTED_ENTRY_IS_ALLOWED),
        unless(LATER_ENTRIES_STAND),
        unless(CARDS_AND_JACKPOT_STAND),
    )


def correcting_rules(table: Stands, name: str, act: type[CorrectEntry]) -> tuple[ActRule[Any, Any], ...]:
    """The rows of a game whose entries may have the values of this act."""
    two = SecondPerson[Any, Any](SUPERVISORS, "entry", lambda _state, _act: True)
    return (
        ActRule(
            name,
            act,
            (Role.DEALER, *SUPERVISORS),
            lambda state, asked, at_ms: _corrected(table(), state, asked, at_ms),
            _guards(table),
            second=two,
            hold_ms=DELIBERATE_MS,
            undone=by(name),
            money=Money.ENTRY,
        ),
        ActRule(
            "confirm-differences",
            ConfirmDifferences,
            (Role.DEALER, *SUPERVISORS),
            confirm_differences,
            (DIFFERENCES_WAIT,),
            second=two,
            hold_ms=DELIBERATE_MS,
            undone=never(Never.AGREED),
            money=Money.ENTRY,
        ),
    )


def of_log(before: State, after: State) -> list[Notice]:
    """An entry was corrected, and which amounts differ by it."""
    if after.log.corrected <= before.log.corrected:
        return []
    changed = [one for one in after.log.events if one.number and one not in before.log.events]
    told = [Notice("entry-corrected", (("entry", str(one.number)), ("is", _kind(one)))) for one in changed]
    return [*told, *(difference_told(one) for one in after.log.differences)]


def _kind(one: Logged) -> str:
    return "taken-back" if one.is_back else "corrected"


def difference_told(one: Difference) -> Notice:
    """The amount, and which way it goes."""
    key = "difference-comes-back" if one.amount.startswith("-") else "difference-is-paid"
    return Notice(key, (("seat", str(one.seat)), ("player", str(one.player)), ("amount", one.amount.lstrip("+-"))))
