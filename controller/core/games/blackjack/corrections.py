"""Corrections, not edits: what was said of the last card, until the next card or the next act of the round.

A correction is an event of its own; the card keeps its place in the counts and changes only to whom it belongs. What
becomes of it, the profile says (pt.bj.18d-f, mo.5.1.2a); where the profile says that somebody decides, or nothing can
be put right any more, a ruling is owed, and its outcome and author are recorded (br.inc.1, mo.5.1.2b).
"""

from typing import Final

from controller.core.choices import ExtraCard, FaceUpCard, Leftovers, Misdealt
from controller.core.custody.books import move
from controller.core.custody.drawing import lay
from controller.core.custody.game import bank_has_begun, discard_set_aside, next_owed, order_of
from controller.core.custody.round import RoundTrigger
from controller.core.custody.state import BANK, Dealt, Join, Ruling, SetAside
from controller.core.custody.taking_back import card_not_dealt, lifted, owed_again, take_back
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import (
    CallForCount,
    CallForRuling,
    MakeRuling,
    MoveCard,
    ReportExtraCard,
    ReportFaceUpCard,
    ReportHoleExposed,
    ReportMisdealt,
    RetractCard,
)
from controller.core.games.blackjack.deal import lies_face_up
from controller.core.games.blackjack.hands import Brings, settled_takings
from controller.core.games.blackjack.jackpot_effects import jackpot_bets_go_back
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import end_holds, holds_of_devices, raise_hold, update_hold
from controller.core.house.state import link_of, round_moved
from controller.core.words import Device, HoldCause, HoldKind, Outcome, Purpose, RoundPhase, TableMs

DUE_TO_THE_BANK: Final = 2


def _corrected(state: BlackjackState) -> BlackjackState:
    return replace(
        state,
        game=replace(state.game, provisional=False),
        house=replace(state.house, tally=replace(state.house.tally, corrections=state.house.tally.corrections + 1)),
    )


def move_card(state: BlackjackState, act: MoveCard, _at_ms: TableMs) -> BlackjackState:
    seat, last = act.seat, state.game.dealt[-1]
    purpose = last.purpose if last.purpose is Purpose.HOLE else Purpose.BANK if seat == BANK else Purpose.SEAT
    return _corrected(
        replace(
            state, game=replace(state.game, dealt=(*state.game.dealt[:-1], replace(last, seat=seat, purpose=purpose)))
        )
    )


def report_misdealt(state: BlackjackState, act: ReportMisdealt, at_ms: TableMs) -> BlackjackState:
    """Seen: annulled; not seen: for the next who asks, or the bank (pt.bj.18d-f); or somebody decides."""
    if state.custody.set_aside is not None:  # the card that lay aside was turned
        return _corrected(discard_set_aside(state))
    procedure = state.setup.procedure
    match procedure.misdealt_seen if act.seen else procedure.misdealt_unseen:
        case Misdealt.NEXT_WHO_ASKS:
            return _corrected(_set_aside(state))
        case Misdealt.DISCARD:
            return _corrected(_discarded(state))
        case Misdealt.INSPECTOR_DECIDES:
            return _ruling_owed(state, act, at_ms, "misdealt-seen" if act.seen else "misdealt-unseen")
        case Misdealt.RECTIFY:
            return state  # the guard has refused it


def report_extra_card(state: BlackjackState, act: ReportExtraCard, at_ms: TableMs) -> BlackjackState:
    """It never counts (pt.bj.19b); where the profile allows it, unseen it is the next card drawn (mo.6.1b)."""
    match state.setup.procedure.bank_extra_card:
        case ExtraCard.DISCARD:
            return _corrected(_discarded(state))
        case ExtraCard.VALID_IF_UNSEEN:
            return _corrected(_discarded(state) if act.seen else _next_to_be_drawn(_set_aside(state)))
        case ExtraCard.INSPECTOR_DECIDES:
            return _ruling_owed(state, act, at_ms, "extra-card")


def report_face_up_card(state: BlackjackState, _act: ReportFaceUpCard, _at_ms: TableMs) -> BlackjackState:
    """It does not count, and its place gets the next card (mo.5.1.1); the first of the game may be left valid."""
    first = state.game.number == state.custody.shoe_game.first_round and len(state.game.dealt) == 1
    rule = state.setup.procedure.face_up_card
    if first and rule is FaceUpCard.VALID_IF_FIRST:
        return _corrected(state)
    place = "rack" if rule is FaceUpCard.DISCARD else state.setup.procedure.burn_place.value
    return _corrected(owed_again(state, place))


def report_hole_exposed(state: BlackjackState, _act: ReportHoleExposed, _at_ms: TableMs) -> BlackjackState:
    """It goes to the rack, and the deal owes another (pt.bj.17c)."""
    return _corrected(take_back(state, "rack"))


def retract_card(state: BlackjackState, _act: RetractCard, _at_ms: TableMs) -> BlackjackState:
    return _corrected(card_not_dealt(state))


def call_for_count(state: BlackjackState, _act: CallForCount, at_ms: TableMs) -> BlackjackState:
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "called"),), needs_count=True)


def call_for_ruling(state: BlackjackState, act: CallForRuling, at_ms: TableMs) -> BlackjackState:
    return _ruling_owed(state, act, at_ms, act.cause)


def is_pending_alone(state: BlackjackState) -> bool:
    """One card came out that nobody was owed, and nothing was said of it."""
    return state.custody.book.pending == 1 and state.custody.set_aside is None


def late_card(state: BlackjackState, seat: int | None) -> int | None:
    """The seat's last further card (without a seat the last of all), where another card or act came since.

    What was seen is annulled all the same (pt.bj.18f): until the bank begins, or of the bank's own until it is settled.
    """
    dealt, waits = state.game.dealt, state.game.requested is not None or state.custody.join != Join()
    if state.game.phase is not RoundPhase.PLAYING or waits or (seat is None and has_a_card(state)):
        return None
    whose = dealt[-1].seat if seat is None and dealt else seat
    further = range(len(order_of(state)), len(dealt))
    at = next((at for at in reversed(further) if dealt[at].seat == whose), None)
    if whose == BANK:
        return at if sum(one.seat == BANK for one in dealt) > DUE_TO_THE_BANK else None
    return None if bank_has_begun(state) else at


def last_can_change(state: BlackjackState) -> bool:
    return state.game.provisional and bool(state.game.dealt) and state.custody.join == Join()


def has_a_card(state: BlackjackState) -> bool:
    """The last card may still be corrected, or one came that nobody was owed, or lies aside."""
    attributed = last_can_change(state) and state.game.dealt[-1].purpose is not Purpose.HOLE
    return attributed or is_pending_alone(state) or state.custody.set_aside is not None


def _discarded(state: BlackjackState) -> BlackjackState:
    if state.custody.set_aside is not None:
        return discard_set_aside(state)
    if not state.game.provisional and is_pending_alone(state):
        return replace(state, custody=replace(state.custody, book=move(state.custody.book, "pending", "rack")))
    return take_back(state, "rack")


def _set_aside(state: BlackjackState) -> BlackjackState:
    """The card waits, face down, for whoever asks next; it stays counted as pending."""
    if not state.game.provisional and is_pending_alone(state):
        return replace(state, custody=replace(state.custody, set_aside=SetAside()))
    last = state.game.dealt[-1]
    state = take_back(state, "pending")
    return replace(state, custody=replace(state.custody, set_aside=SetAside(last.card, last.commitment)))


def _next_to_be_drawn(state: BlackjackState) -> BlackjackState:
    """The bank draws last: nobody of this round will have it, and it is the first card of the next (mo.6.1b)."""
    waiting = state.custody.set_aside
    return (
        state
        if waiting is None
        else replace(state, custody=replace(state.custody, set_aside=replace(waiting, outlives_round=True)))
    )


def deal_set_aside(state: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """A round begins: its first card is the one that waits since the last; nobody has seen its face."""
    waiting, owed = state.custody.set_aside, next_owed(state)
    if waiting is None or owed is None:
        return state
    state = lay(replace(state, custody=replace(state.custody, set_aside=None)), owed, "pending")
    if owed.seat is None:
        return state
    if lies_face_up(state, owed.purpose):
        state = replace(
            state,
            game=replace(state.game, dealt=(*state.game.dealt[:-1], replace(state.game.dealt[-1], card=waiting.card))),
        )
        details = (("seat", str(owed.seat)),)
        return state if waiting.card else raise_hold(state, HoldKind.UNREAD_CARD, at_ms, details=details)
    number = state.custody.face_down + 1
    hidden = replace(state.game.dealt[-1], face_down=number, commitment=waiting.commitment)
    return replace(
        state,
        game=replace(state.game, dealt=(*state.game.dealt[:-1], hidden)),
        custody=replace(state.custody, face_down=number),
    )


def give_set_aside(state: BlackjackState, seat: int, at_ms: TableMs, hand: int = 1) -> BlackjackState:
    """Whoever asks gets the card that was set aside: none is drawn for it (pt.bj.18d-e)."""
    waiting, state = state.custody.set_aside, turn_taken(state, seat)
    if waiting is None:
        return state
    purpose = Purpose.BANK if seat == BANK else Purpose.SEAT
    given = Dealt(seat, purpose, card=waiting.card, commitment=waiting.commitment, hand=hand)
    book = move(state.custody.book, "pending", "table")
    state = replace(
        state,
        custody=replace(state.custody, book=book, set_aside=None),
        game=replace(state.game, dealt=(*state.game.dealt, given), provisional=True),
    )
    if waiting.card is not None:
        return state
    return raise_hold(state, HoldKind.UNREAD_CARD, at_ms, details=(("seat", str(seat)),))


def turn_taken(state: BlackjackState, seat: int) -> BlackjackState:
    """Whoever was passed over asks for as long as no other place does (br.inc.1)."""
    return replace(state, game=replace(state.game, turn_back=seat if state.game.turn_back in {BANK, seat} else None))


# --- rulings


def _ruling_owed(state: BlackjackState, act: Act, at_ms: TableMs, cause: str) -> BlackjackState:
    return raise_hold(state, HoldKind.RULING, at_ms, details=(("cause", cause), ("person", str(act.person))))


def leftovers_hold_the_round(state: BlackjackState) -> bool:
    """No rule carries used cards over to the next round: somebody has to decide (mo.2.2.4)."""
    return state.setup.procedure.leftovers is Leftovers.HOLD_NEXT_ROUND


def ruling_on_leftovers(state: BlackjackState, at_ms: TableMs) -> BlackjackState:
    return raise_hold(state, HoldKind.RULING, at_ms, cause=HoldCause.LEFTOVERS)


def make_ruling(state: BlackjackState, act: MakeRuling, _at_ms: TableMs) -> BlackjackState:
    """The outcome takes effect; who ruled is kept."""
    state = end_holds(state, lambda hold: hold.kind is HoldKind.RULING)
    back = state.game.seats if act.outcome is Outcome.ROUND_VOID else ()
    state = replace(state, game=replace(state.game, last_ruling=Ruling(act.outcome, act.person, act.role, back)))
    match act.outcome:
        case Outcome.CONTINUE:
            return _with_device(
                replace(
                    state,
                    game=replace(state.game, provisional=state.game.provisional and not state.custody.book.pending),
                ),
                spare=False,
            )
        case Outcome.SPARE_DEVICE | Outcome.SPARE_DEVICE_CARDS_REPLACED:
            return _with_device(state, spare=True)
        case Outcome.CARD_DISCARDED:
            at = late_card(state, act.seat)
            return _corrected(_discarded(state) if at is None else lifted(state, at, "rack"))
        case Outcome.CARD_TO_NEXT:
            return _corrected(_set_aside(state))
        case Outcome.TURN_GIVEN_BACK:
            return replace(state, game=replace(state.game, turn_back=BANK))
        case Outcome.ROUND_VOID:
            return voided(state)


def _with_device(state: BlackjackState, *, spare: bool) -> BlackjackState:
    """The trouble of a device ends with another one in its place; where the round is to go on, with the same one, too.

    One that has come back meanwhile is not the one that another stands in for.

    That all cards moved to it, its own count has to say: for a device with another number it is compared (pt.bj.51e).
    """
    for hold in holds_of_devices(state):
        link = link_of(state, hold.device or Device.SHUFFLER)
        is_back = hold.kind is HoldKind.DEVICE_LOST and link.connected  # no other one has to stand in for it
        state = update_hold(state, replace(hold, not_serial=link.serial if spare and not is_back else ""))
    return state


def voided(state: BlackjackState, stay: tuple[Brings, ...] = ()) -> BlackjackState:
    """No card of this round counts; the stakes go back, and the cards are collected as after any round."""
    state = end_holds(discard_set_aside(stakes_go_back(state, stay)), lambda hold: hold.kind is HoldKind.UNREAD_CARD)
    state = round_moved(state, RoundTrigger.CANCELLED)
    return replace(state, game=replace(state.game, requested=None, provisional=False))


def open_plays_voided(state: BlackjackState) -> BlackjackState:
    """The same where the warning card ends the round: stakes that were collected stay collected (br.dev.3b)."""
    table = state.table
    amounts = () if table is None else table.amounts(settled=False)
    gone = {one.id for one in state.game.stakes.hands if one.kept is not None}
    return voided(state, tuple(one for one in amounts if one.hand in gone))


def stakes_go_back(state: BlackjackState, stay: tuple[Brings, ...] = ()) -> BlackjackState:
    """A round that was not settled is one of those that were voided; it has brought what stays, else nothing."""
    if state.game.phase not in {RoundPhase.BETTING, RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state
    state = jackpot_bets_go_back(state)
    tally = replace(state.house.tally, voided=state.house.tally.voided + 1)
    takings = settled_takings(state.takings, stay) if state.table is not None else state.takings
    return replace(state, takings=takings, house=replace(state.house, tally=tally))
