"""The correction of a round's entries: an entry is taken back or gets other values, or a missing entry is added.

All later results are computed again (worked_out.py). The table announces the differences between old and new amounts.
No other payment or collection is possible before two people have confirmed that the differences are settled. The
journal keeps both the entry and its correction.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice, Refusal, Values
from controller.core.engine.replacing import replace
from controller.core.house.correcting import AddEntry, CorrectEntry, Unfit, entries_named, own_numbers, put_right
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.registry import Registry
from controller.core.house.round_log import Difference, Logged, OfTheLog, RoundLog
from controller.core.house.rule import (
    DELIBERATE_MS,
    SUPERVISORS,
    ActGuard,
    ActRule,
    ActT,
    Guard,
    SecondPerson,
    always,
)
from controller.core.house.state import State, StateT, with_tally
from controller.core.house.undoing import Never, by, never
from controller.core.house.ways_out import ways_out
from controller.core.house.worked_out import Hangs, Whole, Worked, again_by, differences, differences_together
from controller.core.words import Role, RoundPhase, TableMs


class ConfirmDifferences(OfTheLog, frozen=True):
    """Two people confirm that the differences after a correction are settled: paid to the players, or taken back."""


Stands: TypeAlias = Callable[[], Whole]
"""A function that gives the table's registry; called at a decision, since the registry is made after these rows."""


def _outcome(registry: Registry[StateT], state: StateT, act: Act) -> Worked[StateT] | Hangs:
    """The round computed again with the correction in `act`, or the obstacle if the correction is impossible.

    A corrected jackpot bet may change the winner only if the room manager asks first. Dealer and chief supervisor also
    pay the prize, and could otherwise give the pool to anyone.
    """
    found, moves_wins = _put_right(registry, state, act), act.role is Role.ROOM_MANAGER
    return Hangs(0) if found is None else again_by(registry, state, *found, moves_wins=moves_wins)


def _put_right(registry: Whole, state: State, act: Act) -> tuple[RoundLog, frozenset[int]] | None:
    try:
        return put_right(registry, state, act)
    except Unfit:
        return None


# --- effects


def _corrected(registry: Registry[StateT], state: StateT, act: Act, _at_ms: TableMs) -> StateT:
    """The state after the correction, with the differences in amounts. Unchanged if the correction is impossible."""
    again = _outcome(registry, state, act)
    if isinstance(again, Hangs):
        return state
    is_over = again.state.game.phase is RoundPhase.IDLE and (state.log.is_over or again.state.log.is_over)
    changed, corrected = differences(state, again.state), state.log.corrected + 1
    after = with_tally(again.state, put_right=state.house.tally.put_right + 1)
    return replace(after, log=replace(again.log, differences=changed, corrected=corrected, is_over=is_over))


def confirm_differences(state: StateT, _act: ConfirmDifferences, _at_ms: TableMs) -> StateT:
    """The state without the differences between old and new amounts, which people have settled."""
    return replace(state, log=replace(state.log, differences=()))


def differs_further(effect: Callable[[StateT, ActT, TableMs], StateT]) -> Callable[[StateT, ActT, TableMs], StateT]:
    """Returns `effect`, wrapped: while differences from a correction are unsettled, the amounts that `effect` changes
    are added to them.
    """

    def done(state: StateT, act: ActT, at_ms: TableMs) -> StateT:
        after, waiting = effect(state, act, at_ms), state.log.differences
        if not waiting:
            return after
        together = differences_together(waiting, differences(state, after))
        return replace(after, log=replace(after.log, differences=together))

    return done


# --- guards


def _says_differences(state: State, _act: Act | None = None) -> Values:
    told = ", ".join(f"{one.player}: {one.amount}" for one in state.log.differences)
    return ("amounts", told or "-"), ("settle", "confirm" if _cancel(state.log.differences) else "pay")


def _cancel(some: tuple[Difference, ...]) -> bool:
    """True if the differences of each player add up to 0, so that no chip moves."""
    sums: dict[int, Fraction] = {}
    for one in some:
        sums[one.player] = sums.get(one.player, Fraction(0)) + Fraction(one.amount)
    return not any(sums.values())


DIFFERENCES_ARE_SETTLED: Final = Guard[State](
    "differences_are_settled", lambda state: not state.log.differences, _says_differences
)
DIFFERENCES_WAIT: Final = Guard[State]("differences_wait", lambda state: bool(state.log.differences))


CORRECTED_ENTRY_IS_ALLOWED: Final = "corrected_entry_is_allowed"
LATER_ENTRIES_STAND: Final = "later_entries_stand"
CORRECTION_CHANGES_THE_ROUND: Final = "correction_changes_the_round"
CARDS_AND_JACKPOT_STAND: Final = "cards_and_jackpot_stand"


def _is_as_before(before: State, again: State) -> bool:
    """True if the correction has changed nothing but the log and the acts that wait for a second person."""
    asked = replace(again.house, waiting=before.house.waiting, lapsed=before.house.lapsed)
    return replace(again, log=before.log, house=asked) == before


def _guards(table: Stands) -> tuple[Any, ...]:
    def answered(state: State, act: Act) -> str | None:
        found = _outcome(table(), state, act)
        if not isinstance(found, Hangs):
            return CORRECTION_CHANGES_THE_ROUND if _is_as_before(state, found.state) else None
        if found.later in own_numbers(state, act):
            return CORRECTED_ENTRY_IS_ALLOWED
        return LATER_ENTRIES_STAND if found.later and not found.is_of_cards else CARDS_AND_JACKPOT_STAND

    def says(state: State, act: Act | None) -> Values:
        if act is None:
            return (("entry", "-"), ("later", "-"), ("way", "-"), ("also", "-"))
        found = _outcome(table(), state, act)
        hangs = found if isinstance(found, Hangs) else Hangs(0)
        entry = ("entry", ", ".join(map(str, entries_named(act))))
        return (entry, ("later", str(hangs.later)), *ways_out(table(), state, act, hangs))

    def because(state: State, act: Act) -> Refusal | None:
        found = _outcome(table(), state, act)
        return found.refusal if isinstance(found, Hangs) and not found.is_of_cards else None

    def unless(rule: str) -> ActGuard[State, Act]:
        return ActGuard(rule, lambda state, act: answered(state, act) != rule, says, answered=answered, because=because)

    return (
        DIFFERENCES_ARE_SETTLED,
        ENTRY_IS_OF_THE_ROUND,
        ActGuard[State, Act](
            "correction_fits_the_entry", lambda state, act: _put_right(table(), state, act) is not None
        ),
        unless(CORRECTED_ENTRY_IS_ALLOWED),
        unless(LATER_ENTRIES_STAND),
        unless(CARDS_AND_JACKPOT_STAND),
        unless(CORRECTION_CHANGES_THE_ROUND),
    )


def _names_entries(state: State, act: Act) -> bool:
    """True if the log has all entries that the act names. Entries that the act changes must also be correctable."""
    known = state.log.acts() if isinstance(act, AddEntry) else state.log.correctable()
    return {one.number for one in known}.issuperset(entries_named(act))


ENTRY_IS_OF_THE_ROUND = ActGuard[State, Act](
    "entry_is_of_the_round", _names_entries, possible=lambda state: bool(state.log.correctable())
)
TWO: Final = SecondPerson[Any, Any](SUPERVISORS, "entry", always)
CONFIRM_DIFFERENCES: Final[ActRule[Any, Any]] = ActRule(
    "confirm-differences",
    ConfirmDifferences,
    (Role.DEALER, *SUPERVISORS),
    confirm_differences,
    (DIFFERENCES_WAIT,),
    second=SecondPerson(SUPERVISORS, "entry", always, lambda state, _act: state.log.differences),
    hold_ms=DELIBERATE_MS,
    undone=never(Never.AGREED),
    money=Money.ENTRY,
    manner=Manner.ATTESTS,
)
"""The row of the act that confirms the differences. It is about these alone: no card or bet ends its wait."""


def correcting_rules(
    table: Stands, corrects: tuple[str, type[CorrectEntry]], adds: tuple[str, type[AddEntry]]
) -> tuple[ActRule[Any, Any], ...]:
    """The rows of a game's acts that correct an entry, add an entry, and confirm the differences.

    `corrects`, `adds`: the name and struct of the game's act for each.
    """
    name, guards = corrects[0], _guards(table)

    def done(state: StateT, asked: Act, at_ms: TableMs) -> StateT:
        registry: Registry[StateT] = table()
        return _corrected(registry, state, asked, at_ms)

    def row(act_name: str, act: type[Act]) -> ActRule[Any, Any]:
        return ActRule(
            act_name,
            act,
            (Role.DEALER, *SUPERVISORS),
            done,
            guards,
            second=TWO,
            hold_ms=DELIBERATE_MS,
            undone=by(name),
            money=Money.ENTRY,
            manner=Manner.DECIDES,
        )

    return (
        row(*corrects),
        row(*adds),
        CONFIRM_DIFFERENCES,
    )


def of_log(before: State, after: State) -> list[Notice]:
    """Notices of each corrected entry and of each changed difference; an empty list if neither has changed.

    A difference changes by a correction, or by a later decision on an amount.
    """
    if after.log.corrected <= before.log.corrected:
        return [difference_told(one) for one in after.log.differences if one not in before.log.differences]
    changed = [one for one in after.log.events if one.number and one not in before.log.events]
    told = [Notice("entry-corrected", (("entry", str(one.number)), ("is", _kind(one, before.log)))) for one in changed]
    return [*told, *(difference_told(one) for one in after.log.differences)]


def _kind(one: Logged, before: RoundLog) -> str:
    if one.is_back:
        return "passed" if one.is_passed else "taken-back"
    if one.is_passed:
        return "asked-again"
    return "added" if one.number > before.entries else "corrected"


def difference_told(one: Difference) -> Notice:
    """The notice of one difference: the hand (none at a wheel), the player, the amount and its direction."""
    key = "difference-comes-back" if one.amount.startswith("-") else "difference-is-paid"
    amount, player = ("amount", one.amount.lstrip("+-")), ("player", str(one.player))
    if one.seat:
        hand = f"{one.seat}/{one.hand}" if one.hand > 1 else str(one.seat)
        return Notice(key, (("seat", hand), player, amount))
    return Notice(f"{key}-at-a-wheel", (player, amount)) if one.player else Notice(f"{key}-late-chips", (amount,))
