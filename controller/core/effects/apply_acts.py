"""What an allowed act changes besides the steps of session and round: holds, statements about cards, people."""

from collections.abc import Callable
from typing import TypeVar

from controller.core import acts as a
from controller.core.cards import FOREIGN
from controller.core.cards.books import move, move_between
from controller.core.cards.deal import asked_further
from controller.core.cards.faces import laid_away, may_come_again
from controller.core.choices import PutBack
from controller.core.effects.corrections import (
    deal_set_aside,
    discard_set_aside,
    give_set_aside,
    leftovers_hold_the_round,
    ruling_on_leftovers,
    turn_taken,
)
from controller.core.effects.deck_check import (
    GRID,
    contradicts_the_reader,
    foreign_followed,
    grid_entered,
    less_than_was_read,
)
from controller.core.effects.outage import played_on
from controller.core.effects.people import chief_is_present, sign_in, supervises
from controller.core.effects.shoe_game import counted_last
from controller.core.effects.taking_back import foreign_card
from controller.core.facts.reader import found
from controller.core.hold_table import HoldTrigger
from controller.core.holds import (
    end_holds,
    hold_of,
    holds_of,
    is_for_technician,
    move_hold,
    owes_leftovers,
    raise_hold,
    update_hold,
)
from controller.core.replacing import replace
from controller.core.round_table import ROUND, RoundTrigger
from controller.core.state import Hold, Presence, State, without_round
from controller.core.words import HoldKind, HoldPhase, Operation, Place, RoundPhase, SessionPhase, TableMs

ActT = TypeVar("ActT", bound=a.ByPerson)


def come(state: State, act: a.SignIn, at_ms: TableMs) -> State:
    """A person comes for an operation."""
    state = sign_in(state, act.person, act.role, act.operation, at_ms)
    if not supervises(state.setup, act.role):
        return state
    watched = not _somebody_must_watch(state) or chief_is_present(state, _watch(state))
    return end_holds(state, lambda hold: hold.kind is HoldKind.SUPERVISOR_ABSENT and watched)


def go(state: State, act: a.SignOut, at_ms: TableMs) -> State:
    """A person goes."""
    return people_left(state, tuple(p for p in state.house.present if p.person == act.person), at_ms)


def _watch(state: State) -> Operation:
    """The operation for which a chief supervisor watches the shuffler now."""
    return Operation.UNLOADING if state.house.session is SessionPhase.UNLOADING else Operation.LOADING


def _somebody_must_watch(state: State) -> bool:
    return state.house.session in {SessionPhase.LOADING, SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}


def people_left(state: State, gone: tuple[Presence, ...], at_ms: TableMs) -> State:
    """Presences end: a feed or an unloading under somebody's eyes stops; holds that they attended wait again."""
    unwatched = tuple(p.operation for p in gone if _was_watching(state, p))
    state = replace(state, house=replace(state.house, present=tuple(p for p in state.house.present if p not in gone)))
    left_alone = any(not chief_is_present(state, operation) for operation in unwatched)
    for hold in state.house.holds:
        left = any(p.operation is Operation.HOLD and p.person == hold.attended_by for p in gone)
        if left and hold.phase is HoldPhase.ATTENDED:
            state = update_hold(state, replace(hold, phase=HoldPhase.RAISED, attended_by=None))
    return raise_hold(state, HoldKind.SUPERVISOR_ABSENT, at_ms) if left_alone else state


def _was_watching(state: State, presence: Presence) -> bool:
    if not supervises(state.setup, presence.role):
        return False
    match presence.operation:
        case Operation.LOADING if not state.setup.procedure.loading_supervised:
            return False
        case Operation.UNLOADING if not state.setup.procedure.unloading_supervised:
            return False
        case Operation.LOADING:
            return state.custody.packet_open or state.house.session is SessionPhase.TAKING_OUT
        case Operation.UNLOADING:
            return state.house.session is SessionPhase.UNLOADING
        case Operation.TABLE | Operation.HOLD:
            return False


# --- holds

HoldActT = TypeVar("HoldActT", a.AttendHold, a.CallTechnician, a.AttestRepair, a.ClearHold, a.ConfirmHold)


def on_hold(effect: Callable[[State, HoldActT, Hold, TableMs], State]) -> Callable[[State, HoldActT, TableMs], State]:
    """An act on one hold, which it finds by its number."""

    def done(state: State, act: HoldActT, at_ms: TableMs) -> State:
        hold = hold_of(state, act.hold)
        return state if hold is None else effect(state, act, hold, at_ms)

    return done


def attend_hold(state: State, act: a.AttendHold, hold: Hold, at_ms: TableMs) -> State:
    """Whoever takes a hold up is present for it; a supervisor takes his own call for the technician back."""
    called = hold.technician_called and (is_for_technician(hold) or not supervises(state.setup, act.role))
    attended = replace(hold, attended_by=act.person, technician_called=called)
    return move_hold(sign_in(state, act.person, act.role, Operation.HOLD, at_ms), attended, HoldTrigger.ATTENDED)


def call_technician(state: State, _act: a.CallTechnician, hold: Hold, _at_ms: TableMs) -> State:
    return update_hold(state, replace(hold, technician_called=True, technician=None))


def attest_repair(state: State, act: a.AttestRepair, hold: Hold, _at_ms: TableMs) -> State:
    return update_hold(state, replace(hold, technician=act.person))


def clear_hold(state: State, _act: a.ClearHold, hold: Hold, _at_ms: TableMs) -> State:
    """The cause is gone; of a jam the shuffler is told so by its number."""
    status = state.devices.shuffler.status
    if hold.kind is HoldKind.JAM and status is not None:
        state = replace(state, devices=replace(state.devices, jams_ended=status.jams))
    return move_hold(state, hold, HoldTrigger.CLEARED)


def confirm_hold(state: State, _act: a.ConfirmHold, hold: Hold, _at_ms: TableMs) -> State:
    if hold.kind is HoldKind.JAM:
        state = replace(
            state,
            house=replace(
                state.house, tally=replace(state.house.tally, jams_cleared=state.house.tally.jams_cleared + 1)
            ),
        )
    return move_hold(state, hold, HoldTrigger.CONFIRMED)


# --- the round


def of_the_round(effect: Callable[[State, ActT, TableMs], State]) -> Callable[[State, ActT, TableMs], State]:
    """An act of the round: the card dealt last stays where it lies, and what was doubted of an outage is past."""

    def done(state: State, act: ActT, at_ms: TableMs) -> State:
        state = replace(state, game=replace(state.game, provisional=False)) if state.game.provisional else state
        return played_on(effect(state, act, at_ms))

    return done


def take_bets(state: State, act: a.TakeBets, _at_ms: TableMs) -> State:
    late = state.game.seats if state.game.phase is RoundPhase.DEALING else ()  # those who bet before still do (house.4)
    return replace(state, game=replace(state.game, seats=tuple(sorted({*late, *act.seats}))))


def cancel_bets(state: State, _act: a.CancelBets, _at_ms: TableMs) -> State:
    return without_round(state)


def announce_no_more_bets(state: State, _act: a.AnnounceNoMoreBets, at_ms: TableMs) -> State:
    """A round begins; what the reader never saw of the last one lies in the rack by now."""
    reader = replace(state.devices.reader, unseen=0)
    state = counted_last(
        replace(
            state, game=replace(state.game, number=state.game.number + 1), devices=replace(state.devices, reader=reader)
        )
    )
    return deal_set_aside(state, at_ms)


def draw_card(state: State, act: a.DrawCard, _at_ms: TableMs) -> State:
    state = turn_taken(state, act.seat)
    return replace(state, game=replace(state.game, requested=act.seat))


def deal_card_set_aside(state: State, act: a.DrawCard, at_ms: TableMs) -> State | None:
    """The card that lies aside, where one does, instead of one from the machine (pt.bj.18d)."""
    return None if state.custody.set_aside is None else give_set_aside(state, act.seat, at_ms)


def confirm_settled(state: State, _act: a.ConfirmSettled, _at_ms: TableMs) -> State:
    """After the bank's hand nobody asks any more: a card that lies aside for this round goes to the rack."""
    if state.custody.set_aside is not None and not state.custody.set_aside.outlives_round:
        state = discard_set_aside(state)
    return replace(
        state, house=replace(state.house, tally=replace(state.house.tally, rounds=state.house.tally.rounds + 1))
    )


def collect_cards(state: State, _act: a.CollectCards, _at_ms: TableMs) -> State:
    """Every card of the round lies in the rack; where nothing is put back the round is over."""
    state = laid_away(state, state.game.dealt if state.custody.book.table == len(state.game.dealt) else ())
    book = move(state.custody.book, "table", "rack", state.custody.book.table)
    if state.setup.procedure.put_back is PutBack.AFTER_EACH_ROUND:
        return replace(
            state, custody=replace(state.custody, book=move(book, "burnt", "rack", book.burnt))
        )  # burnt cards with the used ones
    over = ROUND.target(state.game.phase, RoundTrigger.LEFT_IN_RACK) or state.game.phase
    return without_round(
        replace(state, custody=replace(state.custody, book=book), game=replace(state.game, phase=over))
    )


def begin_putting_back(state: State, _act: a.BeginPuttingBack, _at_ms: TableMs) -> State:
    return replace(state, game=replace(state.game, put_back_due=state.custody.book.rack))


def end_putting_back(state: State, _act: a.EndPuttingBack, _at_ms: TableMs) -> State:
    return without_round(end_holds(state, owes_leftovers))


def putting_back_is_short(state: State, _act: a.EndPuttingBack, at_ms: TableMs) -> State | None:
    """The dealer says that all is in, the shuffler counted otherwise: hold (pt.bj.59b)."""
    if state.game.put_back == state.game.put_back_due:
        return None
    figures = (("cause", "put-back"), ("counted", str(state.game.put_back)), ("expected", str(state.game.put_back_due)))
    return raise_hold(state, HoldKind.COUNT, at_ms, details=figures, needs_count=True)


def leave_in_rack(state: State, _act: a.LeaveInRack, at_ms: TableMs) -> State:
    """The round is over with its cards in the rack; where no rule carries them over a ruling is owed (mo.2.2.4)."""
    state = ruling_on_leftovers(state, at_ms) if leftovers_hold_the_round(state) else state
    return without_round(state)


def collect_hand(state: State, act: a.CollectHand, _at_ms: TableMs) -> State:
    """Its cards leave the order of the deal with their seat; who has asked so far stays known (pt.bj.18c, 22a)."""
    seat = act.seat
    left = tuple(dealt for dealt in state.game.dealt if dealt.seat != seat)
    state = laid_away(state, tuple(dealt for dealt in state.game.dealt if dealt.seat == seat))
    book = move(state.custody.book, "table", "rack", len(state.game.dealt) - len(left))
    gone = tuple(sorted({*state.game.collected, seat}))
    asked = state.game.asked if seat not in asked_further(state) else tuple(sorted({*state.game.asked, seat}))
    return replace(
        state,
        game=replace(state.game, dealt=left, collected=gone, asked=asked),
        custody=replace(state.custody, book=book),
    )


# --- statements


def record_authorisation(state: State, act: a.RecordAuthorisation, _at_ms: TableMs) -> State:
    return replace(state, custody=replace(state.custody, authorised=act.reference.strip()))


def decide_complaint(state: State, _act: a.DecideComplaint, _at_ms: TableMs) -> State:
    """The oldest one is decided."""
    oldest = holds_of(state, HoldKind.COMPLAINT)[:1]
    return end_holds(state, lambda hold: hold in oldest)


def report_duty(state: State, act: a.ReportDuty, _at_ms: TableMs) -> State:
    left = tuple(duty for duty in state.house.duties if duty.id != act.duty)
    return replace(state, house=replace(state.house, duties=left, closing_final=not left))


def state_cards_moved(state: State, act: a.StateCardsMoved, _at_ms: TableMs) -> State:
    """The book follows, and while cards are put back what is still due: what lies in the rack (pt.bj.59b, DESIGN 4)."""
    book = move_between(state.custody.book, act.source, act.target, act.count)
    due = state.game.put_back + book.rack if state.game.phase is RoundPhase.PUTTING_BACK else state.game.put_back_due
    state = may_come_again(state) if act.target is Place.INSIDE else state
    return replace(state, custody=replace(state.custody, book=book), game=replace(state.game, put_back_due=due))


def name_card(state: State, act: a.NameCard, at_ms: TableMs) -> State:
    """The dealer names the last card that could not be read; one of no deck was never dealt (pt.bj.3b)."""
    unread = [index for index, d in enumerate(state.game.dealt) if d.card is None and d.face_down is None]
    if unread and act.card == FOREIGN:
        state = foreign_card(state, unread[-1], at_ms)
    elif unread:
        dealt = list(state.game.dealt)
        dealt[unread[-1]] = replace(dealt[unread[-1]], card=act.card, named=True)
        state = replace(state, game=replace(state.game, dealt=tuple(dealt)))
    return end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)


# --- the deck check


def enter_cards(state: State, act: a.EnterCards, _at_ms: TableMs) -> State:
    """The dealer orders the cards by deck (pt.bj.55b)."""
    entered = state
    for card in act.cards:
        entered = found(entered, card)
    return foreign_followed(state, entered)


def enter_grid(state: State, act: a.EnterGrid, at_ms: TableMs) -> State:
    return _grid_entered(foreign_followed(state, grid_entered(state, act)), at_ms)


def _grid_entered(state: State, at_ms: TableMs) -> State:
    """Cards that the reader saw come out and the grid has not: both figures are told, and the table holds."""
    less = less_than_was_read(state)
    if not less:
        return end_holds(state, contradicts_the_reader)
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", GRID), ("figures", less)))
