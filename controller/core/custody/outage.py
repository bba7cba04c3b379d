"""An outage: the controller was down while a round was open.

If the book and the devices' counts agree afterwards, the round continues as before. If the counts differ, chief
supervisor and dealer each state what happened to the round. Their statements move cards in the book as people's word,
never as a device's fact. The cards are then counted under supervision, as after every difference.
"""

from typing import Any

from controller.core.custody.books import NOTHING_LOADED, counted_inside, differences, hold_for_count, move
from controller.core.custody.game import devices_are_ready, discard_set_aside, game_of, next_owed, stakes_go_back
from controller.core.custody.state import CardState, CardStateT, Join, with_custody
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.controller_facts import IN_DOUBT, started
from controller.core.house.facts import ControllerStarted
from controller.core.house.hold_acts import A_HOLD_IS_ATTENDED
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import end_holds, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.registry import FactRule
from controller.core.house.rule import CHIEF, DEALER, DELIBERATE_MS, ActRule, Guard
from controller.core.house.session_table import SessionTrigger
from controller.core.house.state import session_moved, with_house, without_round
from controller.core.house.undoing import Never, never
from controller.core.words import HoldCause, HoldKind, Outage, OutageOutcome, RoundPhase, SessionPhase, TableMs


class StateOutage(Act, frozen=True):
    """The chief supervisor states what became of a round that was open during an outage."""

    became: OutageOutcome


class ConfirmOutage(Act, frozen=True):
    """The dealer also states what became of the round. If the two statements differ, both people are asked again."""

    became: OutageOutcome


def interrupted(state: CardStateT) -> CardStateT:
    """The state with an open round in doubt: the round may have continued while the controller was down."""
    is_new = state.game.phase is not RoundPhase.IDLE and state.house.outage is Outage.NONE
    return with_house(state, outage=Outage.DOUBTED) if is_new else state


def after_sealing(state: CardStateT, findings: tuple[str, ...], at_ms: TableMs) -> CardStateT:
    """The state with a hold for a count if cards are loaded and the start's `findings` name lost or doubted journal
    entries.
    """
    cause = next((finding.split()[0] for finding in findings if finding.startswith(IN_DOUBT)), "")
    if not cause or state.house.session in NOTHING_LOADED:
        return state
    return hold_for_count(state, at_ms, HoldCause(cause))


def played_on(state: CardStateT) -> CardStateT:
    """The state without doubt about an outage, if the counts agree. Called after an allowed act of the round."""
    is_past = state.house.outage is Outage.DOUBTED and not differences(state)
    return with_house(state, outage=Outage.NONE) if is_past else state


def watch_outage(before: CardStateT, after: CardStateT, _at_ms: TableMs) -> CardStateT:
    """Returns `after`, the state after an event during an outage. If the round is in doubt and a new hold is about
    moved cards, people must state what became of the round. The doubt ends with the round, or once the connected
    devices agree with the book. A doubt that has ended does not come back.
    """
    if after.game.phase is RoundPhase.IDLE and after.house.outage is not Outage.NONE:
        return with_house(after, outage=Outage.NONE, outage_said=None)
    if after.house.outage is not Outage.DOUBTED or after.house.holds is before.house.holds:
        return after
    if before.house.outage is Outage.DOUBTED and _agrees(before):
        return with_house(after, outage=Outage.NONE)
    known = tuple((hold.id, hold.times) for hold in before.house.holds)
    is_news = any(
        hold_rule(hold.kind).tells_of_cards and (hold.id, hold.times) not in known for hold in after.house.holds
    )
    return with_house(after, outage=Outage.TO_BE_STATED) if is_news else after


def _agrees(state: CardState) -> bool:
    return devices_are_ready(state) and counted_inside(state) is not None and not differences(state)


def state_outage(state: CardStateT, act: StateOutage, _at_ms: TableMs) -> CardStateT:
    """The state with what the chief supervisor says became of the round. The dealer's word will be compared with it."""
    return with_house(state, outage_said=act.became)


def confirm_outage(state: CardStateT, act: ConfirmOutage, _at_ms: TableMs) -> CardStateT:
    """The state after the dealer has said what became of the round. If dealer and chief supervisor differ, both are
    asked again. If they agree, the doubt ends. The round ends, too, unless both say that it is unchanged.
    """
    if act.became is not state.house.outage_said:
        return with_house(state, outage_said=None)
    state = with_house(state, outage=Outage.NONE, outage_said=None)
    return state if act.became is OutageOutcome.UNCHANGED else _round_is_over(state, act.became)


def _round_is_over(state: CardStateT, outcome: OutageOutcome) -> CardStateT:
    """The state with the round ended and its cards in the rack. An earlier count of the cards is void. If people stated
    that the table closes, the closing is indicated.

    The stakes go back, unless the round was finished by hand; earlier prizes are then still owed (pt.bj.46, 49).
    """
    is_finished = outcome is OutageOutcome.FINISHED
    state = game_of(state).finished_by_hand(state) if is_finished else stakes_go_back(state)
    state = end_holds(discard_set_aside(state), lambda hold: hold.kind is HoldKind.UNREAD_CARD)
    for hold in state.house.holds:
        if hold_rule(hold.kind).tells_of_cards:
            state = update_hold(state, replace(hold, needs_count=True, counted=False))
    state = without_round(state, over=True)
    state = with_custody(state, book=move(state.custody.book, "table", "rack", state.custody.book.table), join=Join())
    if outcome is not OutageOutcome.CLOSED:
        return state
    return session_moved(state, SessionTrigger.CLOSING_INDICATED)


OUTAGE_IS_TO_BE_STATED = Guard[CardState](
    "outage_is_to_be_stated", lambda state: state.house.outage is Outage.TO_BE_STATED
)
CHIEF_HAS_NOT_STATED_IT = Guard[CardState]("chief_has_not_stated_it", lambda state: state.house.outage_said is None)
CHIEF_HAS_STATED_IT = Guard[CardState]("chief_has_stated_it", lambda state: state.house.outage_said is not None)


def after_blind_time(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a count if a card may have been dealt during an outage.

    Unchanged at a table where a device counts the dealt cards.
    """
    was_due = next_owed(state) is not None or state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    if not state.setup.is_dealt_by_word or not was_due:
        return state
    return hold_for_count(state, at_ms, HoldCause.DEALT_UNSEEN)


def _started(state: CardStateT, event: ControllerStarted, at_ms: TableMs) -> CardStateT:
    """The state after a start of the controller: an open round is in doubt, and holds are raised for cards in doubt."""
    state = interrupted(started(state, event, at_ms))
    state = after_blind_time(after_sealing(state, event.findings, at_ms), at_ms)
    if state.house.session is not SessionPhase.CLOSED:
        return state
    book = state.custody.book
    return with_custody(state, book=replace(book, outside=max(0, state.setup.cards - (book.total - book.outside))))


START_OF_CARDS: tuple[FactRule[Any, Any], ...] = (FactRule("controller-started", ControllerStarted, _started),)
OUTAGE_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "state-outage",
        StateOutage,
        CHIEF,
        state_outage,
        (OUTAGE_IS_TO_BE_STATED, A_HOLD_IS_ATTENDED, CHIEF_HAS_NOT_STATED_IT),
        hold_ms=DELIBERATE_MS,
        undone=never(Never.SAID),
        money=Money.HALVES,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "confirm-outage",
        ConfirmOutage,
        DEALER,
        confirm_outage,
        (OUTAGE_IS_TO_BE_STATED, CHIEF_HAS_STATED_IT),
        own_pin=True,
        undone=never(Never.SAID),
        money=Money.HALVES,
        manner=Manner.ATTESTS,
    ),
)
