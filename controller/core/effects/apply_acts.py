"""What an allowed act changes besides the steps of session and round: holds, statements about cards, people."""

from controller.core import acts as a
from controller.core.cards import DECK, FOREIGN
from controller.core.cards.books import move, move_between
from controller.core.cards.deal import asked_further
from controller.core.cards.faces import laid_away, may_come_again
from controller.core.choices import PutBack
from controller.core.effects.corrections import turn_taken
from controller.core.effects.damage import damage_replaced, damage_reported
from controller.core.effects.deck_check import foreign_followed, grid_entered, grids_are_whole
from controller.core.effects.people import chief_is_present, sign_in, supervises
from controller.core.effects.shoe_game import counted_last
from controller.core.effects.supervised_count import counted
from controller.core.effects.taking_back import foreign_card
from controller.core.facts.reader import found
from controller.core.hold_table import HoldTrigger
from controller.core.holds import end_holds, hold_of, holds_of, move_hold, owes_leftovers, raise_hold, update_hold
from controller.core.replacing import replace
from controller.core.state import Presence, State, without_round
from controller.core.words import HoldKind, HoldPhase, Operation, Place, RoundPhase, SessionPhase, TableMs


def apply_signing(state: State, act: a.SignIn | a.SignOut, at_ms: TableMs) -> State:
    """A person comes for an operation, or goes."""
    match act:
        case a.SignIn():
            state = sign_in(state, act.person, act.role, act.operation, at_ms)
            if not supervises(state.setup, act.role):
                return state
            watched = not _somebody_must_watch(state) or chief_is_present(state, _watch(state))
            return end_holds(state, lambda hold: hold.kind is HoldKind.SUPERVISOR_ABSENT and watched)
        case a.SignOut():
            return people_left(state, tuple(p for p in state.present if p.person == act.person), at_ms)


def _watch(state: State) -> Operation:
    """The operation for which a chief supervisor watches the shuffler now."""
    return Operation.UNLOADING if state.session is SessionPhase.UNLOADING else Operation.LOADING


def _somebody_must_watch(state: State) -> bool:
    return state.session in {SessionPhase.LOADING, SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}


def people_left(state: State, gone: tuple[Presence, ...], at_ms: TableMs) -> State:
    """Presences end: a feed or an unloading under somebody's eyes stops; holds that they attended wait again."""
    unwatched = tuple(p.operation for p in gone if _was_watching(state, p))
    state = replace(state, present=tuple(p for p in state.present if p not in gone))
    left_alone = any(not chief_is_present(state, operation) for operation in unwatched)
    for hold in state.holds:
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
            return state.packet_open or state.session is SessionPhase.TAKING_OUT
        case Operation.UNLOADING:
            return state.session is SessionPhase.UNLOADING
        case Operation.TABLE | Operation.HOLD:
            return False


def apply_hold_act(
    state: State,
    act: a.AttendHold | a.CallTechnician | a.AttestRepair | a.ClearHold | a.ConfirmHold,
    at_ms: TableMs,
) -> State:
    """Moves one hold; whoever attends it is present for it."""
    hold = hold_of(state, act.hold)
    if hold is None:
        return state
    match act:
        case a.AttendHold():
            taken_back = supervises(state.setup, act.role)  # a call for the technician, by whoever takes the hold up
            attended = replace(
                hold, attended_by=act.person, technician_called=hold.technician_called and not taken_back
            )
            return move_hold(
                sign_in(state, act.person, act.role, Operation.HOLD, at_ms), attended, HoldTrigger.ATTENDED
            )
        case a.CallTechnician():
            return update_hold(state, replace(hold, technician_called=True, technician=None))
        case a.AttestRepair():
            return update_hold(state, replace(hold, technician=act.person))
        case a.ClearHold():
            status = state.shuffler.status
            if hold.kind is HoldKind.JAM and status is not None:
                state = replace(state, jams_ended=status.jams)
            return move_hold(state, hold, HoldTrigger.CLEARED)
        case a.ConfirmHold():
            if hold.kind is HoldKind.JAM:
                state = replace(state, tally=replace(state.tally, jams_cleared=state.tally.jams_cleared + 1))
            return move_hold(state, hold, HoldTrigger.CONFIRMED)


def apply_round_act(state: State, act: "RoundAct") -> State:  # noqa: C901 - one case an act
    """The acts of a round."""
    match act:
        case a.TakeBets():
            late = state.seats if state.round is RoundPhase.DEALING else ()  # those who bet before still do (house.4)
            return replace(state, seats=tuple(sorted({*late, *act.seats})))
        case a.CancelBets():
            return without_round(state)
        case a.AnnounceNoMoreBets():
            reader = replace(state.reader, unseen=0)  # what it never saw lies in the rack by now
            return counted_last(replace(state, round_number=state.round_number + 1, reader=reader))
        case a.DrawCard():
            return replace(turn_taken(state, act.seat), requested=act.seat)
        case a.ConfirmSettled():
            return replace(state, tally=replace(state.tally, rounds=state.tally.rounds + 1))
        case a.CollectHand():
            return _hand_collected(state, act.seat)
        case a.CollectCards():
            state = laid_away(state, state.dealt if state.book.table == len(state.dealt) else ())
            book = move(state.book, "table", "rack", state.book.table)
            returns = state.setup.procedure.put_back is PutBack.AFTER_EACH_ROUND  # burnt cards with the used ones
            return replace(state, book=move(book, "burnt", "rack", book.burnt) if returns else book)
        case a.BeginPuttingBack():
            return replace(state, put_back_due=state.book.rack, put_back=0)
        case a.EndPuttingBack():
            return without_round(end_holds(state, owes_leftovers))
        case a.LeaveInRack():
            return without_round(state)


RoundAct = (
    a.TakeBets
    | a.CancelBets
    | a.AnnounceNoMoreBets
    | a.DrawCard
    | a.ConfirmSettled
    | a.CollectHand
    | a.CollectCards
    | a.BeginPuttingBack
    | a.EndPuttingBack
    | a.LeaveInRack
)


def _hand_collected(state: State, seat: int) -> State:
    """Its cards leave the order of the deal with their seat; who has asked so far stays known (pt.bj.18c, 22a)."""
    left = tuple(dealt for dealt in state.dealt if dealt.seat != seat)
    state = laid_away(state, tuple(dealt for dealt in state.dealt if dealt.seat == seat))
    book = move(state.book, "table", "rack", len(state.dealt) - len(left))
    gone = tuple(sorted({*state.collected, seat}))
    asked = state.asked if seat not in asked_further(state) else tuple(sorted({*state.asked, seat}))
    return replace(state, dealt=left, collected=gone, asked=asked, book=book)


def putting_back_is_short(state: State, at_ms: TableMs) -> State:
    """The dealer says that all is in, the shuffler counted otherwise: hold (pt.bj.59b)."""
    figures = (("cause", "put-back"), ("counted", str(state.put_back)), ("expected", str(state.put_back_due)))
    return raise_hold(state, HoldKind.COUNT, at_ms, details=figures, needs_count=True)


def apply_statement(state: State, act: "Statement", at_ms: TableMs) -> State:
    """What people say about cards that have moved, are damaged, or are disputed."""
    match act:
        case a.StateCardsMoved():
            return _moved_by_hand(state, act)
        case a.StateCount() | a.StateWholeCount():
            return counted(state, act, at_ms)
        case a.NameCard():
            return _named(state, act, at_ms)
        case a.ReportDamagedCard():
            return damage_reported(state, act, at_ms)
        case a.ReplaceCard() | a.ReplaceDeck():
            return damage_replaced(state, act, at_ms)
        case a.RecordAuthorisation():
            return replace(state, authorised=act.reference.strip())
        case a.RecordComplaint():
            state = replace(state, tally=replace(state.tally, complaints=state.tally.complaints + 1))
            return raise_hold(state, HoldKind.COMPLAINT, at_ms, details=(("seat", str(act.seat)),))
        case a.DecideComplaint():
            oldest = holds_of(state, HoldKind.COMPLAINT)[:1]
            return end_holds(state, lambda hold: hold in oldest)
        case a.ReportDuty():
            left = tuple(duty for duty in state.duties if duty.id != act.duty)
            return replace(state, duties=left, closing_final=not left)


def _moved_by_hand(state: State, act: a.StateCardsMoved) -> State:
    """The book follows, and while cards are put back what is still due: what lies in the rack (pt.bj.59b, DESIGN 4)."""
    book = move_between(state.book, act.source, act.target, act.count)
    due = state.put_back + book.rack if state.round is RoundPhase.PUTTING_BACK else state.put_back_due
    state = may_come_again(state) if act.target is Place.INSIDE else state
    return replace(state, book=book, put_back_due=due)


Statement = (
    a.StateCardsMoved
    | a.StateCount
    | a.StateWholeCount
    | a.NameCard
    | a.ReportDamagedCard
    | a.ReplaceCard
    | a.ReplaceDeck
    | a.RecordAuthorisation
    | a.RecordComplaint
    | a.DecideComplaint
    | a.ReportDuty
)


def _named(state: State, act: a.NameCard, at_ms: TableMs) -> State:
    """The dealer names the last card that could not be read; one of no deck was never dealt (pt.bj.3b)."""
    unread = [index for index, d in enumerate(state.dealt) if d.card is None and d.face_down is None]
    if unread and act.card == FOREIGN:
        state = foreign_card(state, unread[-1], at_ms)
    elif unread:
        dealt = list(state.dealt)
        dealt[unread[-1]] = replace(dealt[unread[-1]], card=act.card, named=True)
        state = replace(state, dealt=tuple(dealt))
    return end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)


def apply_deck_check(state: State, act: a.EnterCards | a.EnterGrid, at_ms: TableMs) -> State:
    """The dealer orders the cards by deck (pt.bj.55b)."""
    match act:
        case a.EnterCards():
            entered = state
            for card in act.cards:
                entered = found(entered, card)
            return foreign_followed(state, entered)
        case a.EnterGrid():
            return _grid_entered(foreign_followed(state, grid_entered(state, act)), at_ms)


def _grid_entered(state: State, at_ms: TableMs) -> State:
    """Cards that the reader saw come out and the grid has not: both figures are told, and the table holds."""
    if not grids_are_whole(state):
        return state
    pairs = (*zip(DECK, state.found, state.read_out, strict=True),)
    less = [f"{card} {grid}/{read}" for card, grid, read in pairs if grid < read]
    if state.found_foreign < state.read_out_foreign:
        less.append(f"{FOREIGN} {state.found_foreign}/{state.read_out_foreign}")
    if not less:
        return state
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "grid"), ("figures", " ".join(less))))
