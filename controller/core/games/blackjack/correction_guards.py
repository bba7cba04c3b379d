"""Guards of corrections and rulings: what can still be put right, what the profile has for it, who decides."""

from controller.core.choices import BankSecond, ExtraCard, Leftovers, Misdealt
from controller.core.custody.game import asked_further, bank_has_begun, order_of, seats_in_play
from controller.core.custody.state import BANK, Join
from controller.core.engine.act import Act
from controller.core.games.blackjack.acts import LeaveInRack, MakeRuling, MoveCard, ReportMisdealt
from controller.core.games.blackjack.corrections import (
    DUE_TO_THE_BANK,
    has_a_card,
    is_pending_alone,
    last_can_change,
    late_card,
)
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import holds_of, holds_of_devices, owes_leftovers
from controller.core.house.rule import ActGuard, Guard
from controller.core.words import HoldKind, Outcome, Purpose, RoundPhase


def _was_said(state: BlackjackState) -> bool:
    """No device has counted it: where there is a reader, one that it has seen, it counted."""
    last = state.game.dealt[-1] if state.game.dealt else None
    return state.setup.is_dealt_by_word or last is None or (last.card is None and last.commitment is None)


LAST_CARD_WAS_SAID = Guard[BlackjackState]("last_card_was_said", _was_said)


LAST_CARD_IS_PROVISIONAL = Guard[BlackjackState]("last_card_is_provisional", last_can_change)
A_CARD_CAN_BE_CORRECTED = Guard[BlackjackState]("a_card_can_be_corrected", has_a_card)
AN_EXTRA_CARD_CAN_BE_CORRECTED = Guard[BlackjackState](
    "a_card_can_be_corrected", has_a_card, rule="an_extra_card_can_be_corrected"
)


def _came_while_players_ask(state: BlackjackState, *, seen: bool) -> bool:
    """A player's further card, or one that came unasked before the bank began; or the one that lies aside for them.

    Of the deal's own cards, and of the bank's, 18d to 18f say nothing; nor of any where somebody decides (br.inc.1).
    """
    if (
        _choice_for(state, seen=seen) not in {Misdealt.NEXT_WHO_ASKS, Misdealt.DISCARD}
        or state.custody.set_aside is not None
    ):
        return True
    if state.game.phase is not RoundPhase.PLAYING:
        return state.game.phase is not RoundPhase.DEALING  # of any other step the row itself speaks
    if last_can_change(state):
        return state.game.dealt[-1].seat != BANK and len(state.game.dealt) > len(order_of(state))
    return not bank_has_begun(state)


CARD_CAME_WHILE_PLAYERS_ASK = ActGuard[BlackjackState, ReportMisdealt](
    "card_came_while_players_ask",
    lambda state, act: _came_while_players_ask(state, seen=act.seen),
    possible=lambda state: (
        not _reportable(state) or any(_came_while_players_ask(state, seen=seen) for seen in _reportable(state))
    ),
)


def _choice_for(state: BlackjackState, *, seen: bool) -> Misdealt:
    procedure = state.setup.procedure
    return procedure.misdealt_seen if seen else procedure.misdealt_unseen


def _reportable(state: BlackjackState) -> tuple[bool, ...]:
    """Of which misdealt cards, unseen or seen, a report says what becomes of them: those that are not put right."""
    return tuple(seen for seen in (False, True) if _choice_for(state, seen=seen) is not Misdealt.RECTIFY)


ERROR_IS_NOT_TO_BE_RECTIFIED = ActGuard[BlackjackState, ReportMisdealt](
    "error_is_not_to_be_rectified",
    lambda state, act: _choice_for(state, seen=act.seen) is not Misdealt.RECTIFY,
    possible=lambda state: bool(_reportable(state)),
)


def _may_be_moved(state: BlackjackState) -> bool:
    """A card that was asked for goes where the profile says; in the deal its order says whose each is (pt.bj.17a).

    Of a card that was dealt face up people say whether it was seen: who moves it where only an unseen one is put right
    says that nobody has.
    """
    if not state.game.dealt:
        return True
    procedure, last = state.setup.procedure, state.game.dealt[-1]
    is_hidden = last.face_down is not None and last.card is None
    choices = (procedure.misdealt_unseen,) if is_hidden else (procedure.misdealt_seen, procedure.misdealt_unseen)
    in_the_deal = len(state.game.dealt) <= len(order_of(state))
    return Misdealt.RECTIFY in choices or (in_the_deal and choices[0] is not Misdealt.INSPECTOR_DECIDES)


ERROR_IS_RECTIFIED_HERE = Guard[BlackjackState](
    "error_is_rectified_here",
    _may_be_moved,
)


def _lies_at_the_bank(state: BlackjackState) -> bool:
    """Its third card or a later one: the second is due to it, dealt with the others' or after them (mo.5.2.2.2)."""
    banks = sum(dealt.seat == BANK for dealt in state.game.dealt)
    if is_pending_alone(state) and not state.game.provisional:
        is_played = state.game.phase is RoundPhase.PLAYING  # of any other step the row itself speaks
        return not is_played or (banks >= DUE_TO_THE_BANK and bank_has_begun(state))
    return banks > DUE_TO_THE_BANK and state.game.dealt[-1].seat == BANK


LAST_CARD_IS_THE_BANKS = Guard[BlackjackState]("last_card_is_the_banks", _lies_at_the_bank)


def _seat_may_have_it(state: BlackjackState, act: Act | None) -> bool:
    """In the deal the order says whose the card is (pt.bj.17a); after it any seat that plays, or the bank."""
    if not isinstance(act, MoveCard):
        return True
    order, dealt = order_of(state), len(state.game.dealt)
    if dealt <= len(order):
        return act.seat == order[dealt - 1].seat
    return act.seat == BANK or act.seat in seats_in_play(state)


CARD_GOES_WHERE_IT_IS_OWED = ActGuard[BlackjackState, Act]("card_goes_where_it_is_owed", _seat_may_have_it)


def _hole_can_be_replaced(state: BlackjackState) -> bool:
    last = state.game.dealt[-1] if state.game.dealt else None
    return last is not None and last.purpose is Purpose.HOLE and last.card is None and last_can_change(state)


HOLE_CARD_IS_THE_LAST = Guard[BlackjackState]("hole_card_is_the_last", _hole_can_be_replaced)
EXPOSED_CARD_IS_DISCARDED = Guard[BlackjackState](
    "exposed_card_is_discarded",
    lambda state: (
        state.setup.procedure.misdealt_seen is Misdealt.DISCARD
        or state.setup.procedure.bank_second_card is not BankSecond.HOLE
    ),
)


def _nothing_lies_aside(state: BlackjackState, act: Act | None) -> bool:
    """Another mistake waits until that card has gone; turned meanwhile, it is annulled itself (pt.bj.18f).

    Where one more lies pending nobody knows which is meant: that one goes first, by `state-cards-moved`.
    """
    return state.custody.set_aside is None or (
        isinstance(act, ReportMisdealt) and act.seen and state.custody.book.pending == 1
    )


NO_CARD_IS_SET_ASIDE = ActGuard[BlackjackState, Act](
    "no_card_is_set_aside", _nothing_lies_aside, possible=lambda state: state.custody.set_aside is None
)

# --- rulings


def _can_be_asked_to_rule(state: BlackjackState, act: Act | None) -> bool:
    """One ruling at a time: what would ask for one more waits. Leftovers owe the same one, however often."""
    procedure = state.setup.procedure
    match act:
        case LeaveInRack() | None:
            asks = procedure.leftovers is Leftovers.HOLD_NEXT_ROUND
        case ReportMisdealt(seen=seen):
            asks = _choice_for(state, seen=seen) is Misdealt.INSPECTOR_DECIDES
        case _:
            asks = procedure.bank_extra_card is ExtraCard.INSPECTOR_DECIDES
    return not asks or all(owes_leftovers(hold) for hold in holds_of(state, HoldKind.RULING))


NO_OTHER_RULING_IS_OWED = ActGuard[BlackjackState, Act](
    "no_other_ruling_is_owed",
    _can_be_asked_to_rule,
    possible=lambda state: _can_be_asked_to_rule(state, None),
)
NO_RULING_IS_OWED = Guard[BlackjackState]("no_ruling_is_owed", lambda state: not holds_of(state, HoldKind.RULING))
RULING_IS_OWED = Guard[BlackjackState]("ruling_is_owed", lambda state: bool(holds_of(state, HoldKind.RULING)))


def _fits_the_cards(state: BlackjackState, outcome: Outcome) -> bool:
    """With the device cards are replaced where one was damaged, and while one is they have to be."""
    if outcome is Outcome.SPARE_DEVICE:
        return state.custody.damaged is None
    return state.custody.damaged is not None or state.custody.book.withdrawn > 0


def _turn_can_go_back(state: BlackjackState) -> bool:
    """Somebody behind has asked already, no card is on its way, and the bank has shown nothing more."""
    waits = state.game.requested is not None or state.custody.join != Join()
    asked = state.game.phase is RoundPhase.PLAYING and bool(asked_further(state))
    return asked and not waits and not bank_has_begun(state)


def _outcome_is_possible(state: BlackjackState, act: Act | None) -> bool:
    leftovers_alone = any(owes_leftovers(hold) for hold in holds_of(state, HoldKind.RULING))
    match act:
        case MakeRuling() if leftovers_alone:  # nothing else is asked (mo.2.2.4)
            return act.outcome is Outcome.CONTINUE
        case MakeRuling(outcome=Outcome.ROUND_VOID):
            return state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING} and state.custody.join == Join()
        case MakeRuling(outcome=Outcome.CARD_DISCARDED, seat=seat) if late_card(state, seat) is not None:
            return True
        case MakeRuling(seat=int()):  # of a seat's card nothing else is ruled
            return False
        case MakeRuling(outcome=Outcome.CARD_DISCARDED | Outcome.CARD_TO_NEXT):
            turned = act.outcome is Outcome.CARD_DISCARDED and state.custody.book.pending == 1
            return has_a_card(state) and (state.custody.set_aside is None or turned)
        case MakeRuling(outcome=Outcome.TURN_GIVEN_BACK):
            return _turn_can_go_back(state)
        case MakeRuling(outcome=Outcome.SPARE_DEVICE | Outcome.SPARE_DEVICE_CARDS_REPLACED):
            return bool(holds_of_devices(state)) and _fits_the_cards(state, act.outcome)
        case _:
            return True


def _goes_on_unseen(state: BlackjackState, act: Act | None) -> bool:
    """Where a card that was seen is annulled, one that lies open at its place goes to nobody else."""
    if not isinstance(act, MakeRuling) or act.outcome is not Outcome.CARD_TO_NEXT:
        return True
    is_annulled = state.setup.procedure.misdealt_seen is Misdealt.DISCARD and last_can_change(state)
    return not is_annulled or any(
        dict(one.details)["cause"] == "misdealt-unseen" for one in holds_of(state, HoldKind.RULING)
    )


ONLY_AN_UNSEEN_CARD_GOES_ON = ActGuard[BlackjackState, Act]("only_an_unseen_card_goes_on", _goes_on_unseen)


def ruling_is_his_alone(state: BlackjackState, act: MakeRuling) -> bool:
    """Bets are followed, cards or bets change by the outcome, and no other person has called for the ruling."""
    called = {dict(hold.details).get("person", str(act.person)) for hold in holds_of(state, HoldKind.RULING)}
    is_his = called <= {str(act.person)}
    return is_his and act.outcome is not Outcome.CONTINUE and state.setup.hand_rules is not None


OUTCOME_IS_POSSIBLE = ActGuard[BlackjackState, Act]("outcome_is_possible", _outcome_is_possible)
