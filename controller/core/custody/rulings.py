"""Rulings: a person is called to decide an incident; the outcome takes effect with its author on record (br.inc.1)."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from controller.core.choices import BetsClose, FaceUpCard, Leftovers, Misdealt
from controller.core.custody.complaints import ACTOR_IS_THE_AUTHORITY
from controller.core.custody.game import (
    bank_has_begun,
    discard_set_aside,
    game_of,
    of_hands,
    order_of,
    rule_on_undue,
    seats_in_play,
    stakes_go_back,
)
from controller.core.custody.round import RoundTrigger
from controller.core.custody.set_aside import corrected, discarded, has_a_card, laid_aside, last_can_change
from controller.core.custody.state import BANK, CardState, CardStateT, Join, Ruling, Undue, last_dealt, with_round
from controller.core.custody.taking_back import annulled
from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.house.hold_acts import RULED_IN
from controller.core.house.holds import end_holds, holds_of, holds_of_devices, owes_leftovers, raise_hold, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import (
    CARDS_LIE,
    DEALER,
    DELIBERATE_MS,
    SUPERVISORS,
    ActGuard,
    ActRule,
    Guard,
    SecondPerson,
)
from controller.core.house.state import link_of, round_moved
from controller.core.house.undoing import Never, by, never
from controller.core.words import Cause, Device, HoldCause, HoldKind, Outcome, Role, RoundPhase, TableMs

ActT = TypeVar("ActT", bound=Act)


class CallForRuling(Act, frozen=True):
    cause: Cause


class MakeRuling(Act, frozen=True):
    """A person decides an incident. `seat`: for CARD_DISCARDED, the seat whose last further card is discarded (0 for
    the bank), or None for the card dealt last; for TURN_GIVEN_BACK the seat that was passed over.

    `hand`: for CARD_DISCARDED with a seat, the hand that loses its card; None for the seat's first hand.
    """

    outcome: Outcome
    seat: int | None = None
    hand: int | None = None


DUE_TO_THE_BANK: Final = 2
"""The number of cards that the deal owes the bank."""


def ruling_owed(state: CardStateT, act: Act, at_ms: TableMs, cause: str) -> CardStateT:
    """The state with a hold until a ruling on `cause` is made. The hold has the person who called for the ruling, and
    the hand of a reported card.
    """
    last = last_dealt(state) if last_can_change(state) and not isinstance(act, CallForRuling) else None
    whose = () if last is None else of_hands((last.seat, last.hand))
    details = (("cause", cause), ("person", str(act.person)), *whose)
    return raise_hold(state, HoldKind.RULING, at_ms, details=details)


def leftovers_hold_the_round(state: CardState) -> bool:
    """True if no rule carries used cards over to the next round. A person must then decide (mo.2.2.4)."""
    return state.setup.procedure.leftovers is Leftovers.HOLD_NEXT_ROUND


def ruling_on_leftovers(state: CardStateT, at_ms: TableMs) -> CardStateT:
    return raise_hold(state, HoldKind.RULING, at_ms, cause=HoldCause.LEFTOVERS)


def call_for_ruling(state: CardStateT, act: CallForRuling, at_ms: TableMs) -> CardStateT:
    return ruling_owed(state, act, at_ms, act.cause)


def late_card(state: CardState, seat: int | None, hand: int | None = None) -> int | None:
    """Returns the index of a hand's last further card, which a ruling may annul even after later play (pt.bj.18f).
    `seat`: None for the hand of the card dealt last. `hand`: None for the seat's first hand. A player's card can be
    annulled until the bank begins, the bank's card until the settlement.

    None in four cases: the hand has no further card, or only the card with which a pair was separated; a card is asked
    for; a card is incomplete; `seat` is None and a card can be corrected without a ruling.
    """
    dealt, waits = state.game.dealt, state.game.requested is not None or state.custody.join != Join()
    if state.game.phase is not RoundPhase.PLAYING or waits or (seat is None and has_a_card(state)):
        return None
    whose = (seat, hand or 1)
    if seat is None and dealt:
        whose = last_dealt(state).seat, last_dealt(state).hand
    further = range(len(order_of(state)), len(dealt))
    at = next((at for at in reversed(further) if (dealt[at].seat, dealt[at].hand) == whose), None)
    if whose[0] == BANK:
        return at if sum(one.seat == BANK for one in dealt) > DUE_TO_THE_BANK else None
    is_first = at is not None and all((one.seat, one.hand) != whose for one in dealt[:at])
    return None if is_first or bank_has_begun(state) else at


def face_up_place(state: CardState) -> str:
    """The place for a card that came face up out of the machine (pt.bj.18f, mo.5.1.1, br.inc.2)."""
    procedure = state.setup.procedure
    return "rack" if procedure.face_up_card is FaceUpCard.DISCARD else procedure.burn_place.value


def _discard_place(state: CardState) -> str:
    causes = [dict(hold.details).get("cause") for hold in holds_of(state, HoldKind.RULING)]
    return face_up_place(state) if HoldCause.FACE_UP_CARD in causes else "rack"


def make_ruling(state: CardStateT, act: MakeRuling, at_ms: TableMs) -> CardStateT:
    """The state with the ruling's outcome applied and recorded with its author, and without the holds for a ruling. The
    outcome CONTINUE makes all cards and decisions valid, even those that were not permitted. After any other outcome
    except a void round, a card or decision that is still not permitted needs a further ruling.
    """
    place = _discard_place(state)
    state = end_holds(state, lambda hold: hold.kind is HoldKind.RULING)
    back = state.game.seats if act.outcome is Outcome.ROUND_VOID else ()
    state = with_round(state, last_ruling=Ruling(act.outcome, act.person, act.role, back, act.seat))
    if act.outcome is Outcome.CONTINUE:
        state = game_of(state).let_stand(with_round(state, stands=_standing(state)))
    state = _applied(state, act, place)
    return state if act.outcome is Outcome.ROUND_VOID else rule_on_undue(state, at_ms)


def _standing(state: CardState) -> tuple[Undue, ...]:
    return tuple(dict.fromkeys((*state.game.stands, *game_of(state).undue(state))))


def _applied(state: CardStateT, act: MakeRuling, place: str) -> CardStateT:
    match act.outcome:
        case Outcome.CONTINUE:
            stays = state.game.provisional and not state.custody.book.pending
            return _with_device(with_round(state, provisional=stays), spare=False)
        case Outcome.SPARE_DEVICE | Outcome.SPARE_DEVICE_CARDS_REPLACED:
            return _with_device(state, spare=True)
        case Outcome.CARD_DISCARDED:
            at = late_card(state, act.seat, act.hand)
            return corrected(discarded(state, place) if at is None else annulled(state, at, place))
        case Outcome.CARD_TO_NEXT:
            return corrected(laid_aside(state))
        case Outcome.TURN_GIVEN_BACK:
            return _turn_given_back(state, act.seat) or state
        case Outcome.ROUND_VOID:
            return voided(state)


def _with_device(state: CardStateT, *, spare: bool) -> CardStateT:
    """The state in which the holds of devices wait for a spare device; with `spare` False they wait for none. A device
    that has returned needs no spare.

    When a spare connects, its count is compared: this shows if all cards were moved to it (pt.bj.51e).
    """
    for hold in holds_of_devices(state):
        link = link_of(state, hold.device or Device.SHUFFLER)
        is_back = hold.kind is HoldKind.DEVICE_LOST and link.connected  # a returned device needs no spare one
        state = update_hold(state, replace(hold, not_serial=link.serial if spare and not is_back else ""))
    return state


def voided(state: CardStateT, *, collected_stay: bool = False) -> CardStateT:
    """The state with a void round: no card counts, the stakes go back, and the cards are collected as after any round.
    `collected_stay`: stakes already lost, paid or collected do not go back.
    """
    state = discard_set_aside(stakes_go_back(state, collected_stay=collected_stay))
    state = end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)
    state = round_moved(state, RoundTrigger.CANCELLED)
    return with_round(state, requested=None, provisional=False)


NO_RULING_IS_OWED = Guard[CardState]("no_ruling_is_owed", lambda state: not holds_of(state, HoldKind.RULING))
RULING_IS_OWED = Guard[CardState]("ruling_is_owed", lambda state: bool(holds_of(state, HoldKind.RULING)))


def _leftovers_alone_wait(state: CardState) -> bool:
    return all(owes_leftovers(hold) for hold in holds_of(state, HoldKind.RULING))


def no_other_ruling(asks: Callable[[CardState, ActT], bool]) -> ActGuard[CardState, ActT]:
    """Returns a guard on acts for which `asks` is True; it fails while a ruling other than on leftovers is owed."""
    return ActGuard(
        "no_other_ruling_is_owed",
        lambda state, act: not asks(state, act) or _leftovers_alone_wait(state),
        possible=lambda state: not leftovers_hold_the_round(state) or _leftovers_alone_wait(state),
    )


def _fits_the_cards(state: CardState, outcome: Outcome) -> bool:
    """True if the outcome, a spare device with the same cards or with replaced cards, fits the state of the cards: the
    same cards unless a hold for a damaged card is open, replaced cards if a card is damaged or withdrawn.
    """
    if outcome is Outcome.SPARE_DEVICE:
        return state.custody.damaged is None or not holds_of(state, HoldKind.DAMAGED_CARD)
    return state.custody.damaged is not None or state.custody.book.withdrawn > 0


def _turn_given_back(state: CardStateT, seat: int | None) -> CardStateT | None:
    """The state in which this passed-over seat is in turn. None while a card is owed or incomplete, and if the seat was
    not passed over or cannot play.
    """
    waits = state.game.requested is not None or state.custody.join != Join()
    if seat not in seats_in_play(state) or state.game.phase is not RoundPhase.PLAYING or waits:
        return None
    return game_of(state).turn_given_back(state, seat)


def _no_more_bets(state: CardState) -> bool:
    """True while cards lie on the table and bets are closed, so that a person who knows the face of a pending card
    cannot bet on it (pt.bj.13).
    """
    is_late = state.setup.procedure.bets_close is BetsClose.OWN_FIRST_CARD and state.game.phase is RoundPhase.DEALING
    return state.game.phase in CARDS_LIE and not is_late


def _outcome_is_possible(state: CardState, act: MakeRuling) -> bool:
    leftovers_alone = any(owes_leftovers(hold) for hold in holds_of(state, HoldKind.RULING))
    match act:
        case MakeRuling() if leftovers_alone:  # only leftovers need a decision (mo.2.2.4)
            return act.outcome is Outcome.CONTINUE
        case MakeRuling(hand=int()) if act.seat is None or act.outcome is not Outcome.CARD_DISCARDED:
            return False  # no other outcome is about a hand
        case MakeRuling(outcome=Outcome.ROUND_VOID):
            return state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING} and state.custody.join == Join()
        case MakeRuling(outcome=Outcome.CARD_DISCARDED) if late_card(state, act.seat, act.hand) is not None:
            return True
        case MakeRuling(outcome=Outcome.TURN_GIVEN_BACK, seat=seat):
            return _turn_given_back(state, seat) is not None
        case MakeRuling(seat=int()):  # no other outcome is about a seat
            return False
        case MakeRuling(outcome=Outcome.CARD_DISCARDED | Outcome.CARD_TO_NEXT):
            goes = act.outcome is Outcome.CARD_DISCARDED
            turned = goes and state.custody.book.pending == 1
            return has_a_card(state) and (state.custody.set_aside is None or turned) and (goes or _no_more_bets(state))
        case MakeRuling(outcome=Outcome.SPARE_DEVICE | Outcome.SPARE_DEVICE_CARDS_REPLACED):
            return bool(holds_of_devices(state)) and _fits_the_cards(state, act.outcome)
        case _:
            return True


OUTCOME_IS_POSSIBLE = ActGuard[CardState, MakeRuling]("outcome_is_possible", _outcome_is_possible)


def _goes_on_unseen(state: CardState, act: MakeRuling) -> bool:
    """True unless the outcome gives another hand a card that counts as seen, and the profile discards seen cards."""
    if act.outcome is not Outcome.CARD_TO_NEXT:
        return True
    is_annulled = state.setup.procedure.misdealt_seen is Misdealt.DISCARD and last_can_change(state)
    return not is_annulled or any(
        dict(one.details)["cause"] == "misdealt-unseen" for one in holds_of(state, HoldKind.RULING)
    )


ONLY_AN_UNSEEN_CARD_GOES_ON = ActGuard[CardState, MakeRuling]("only_an_unseen_card_goes_on", _goes_on_unseen)


def ruling_is_his_alone(state: CardState, act: MakeRuling) -> bool:
    """True if bets are followed, the outcome is not CONTINUE, and only the act's own person called for the ruling."""
    called = {dict(hold.details).get("person", str(act.person)) for hold in holds_of(state, HoldKind.RULING)}
    is_his = called <= {str(act.person)}
    return is_his and act.outcome is not Outcome.CONTINUE and state.setup.hand_rules is not None


RULING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "call-for-ruling",
        CallForRuling,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        call_for_ruling,
        (NO_RULING_IS_OWED,),
        in_session=RULED_IN,
        undone=by("make-ruling"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "make-ruling",
        MakeRuling,
        (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        make_ruling,
        (RULING_IS_OWED, ACTOR_IS_THE_AUTHORITY, OUTCOME_IS_POSSIBLE, ONLY_AN_UNSEEN_CARD_GOES_ON),
        second=SecondPerson((*DEALER, *SUPERVISORS), "own-ruling", ruling_is_his_alone),
        hold_ms=DELIBERATE_MS,
        undone=never(Never.DECIDED),
        money=Money.RULED,
        manner=Manner.DECIDES,
    ),
)


def of_corrections(before: CardState, after: CardState) -> list[Notice]:
    """Notices of a corrected card, a ruling with its author's post, a seat that a ruling puts in turn, and stakes that
    go back or are laid again.
    """
    made = _made(before, after)
    rulings = [Notice("ruling-made", (("outcome", made.outcome.value), ("role", made.role.value)))] if made else []
    corrected = after.house.tally.corrections > before.house.tally.corrections
    seats = _stakes_back(before, after) if after.house.tally.voided > before.house.tally.voided else ()
    stakes = [Notice("stakes-go-back", (("seats", " ".join(map(str, seats))),))] if seats else []
    is_back = after.house.tally.voided < before.house.tally.voided
    laid = _stakes_laid_again(after) if is_back else []
    turn = made if made and made.outcome is Outcome.TURN_GIVEN_BACK else None
    given = [Notice("turn-goes-back", (("seat", str(turn.seat)),))] if turn else []
    return [*([Notice("card-corrected")] if corrected else []), *rulings, *given, *stakes, *laid]


def _stakes_laid_again(state: CardState) -> list[Notice]:
    """The notice of a round that is no longer void, since a correction has taken back what made it so."""
    seats = game_of(state).open_seats(state)
    return [Notice("stakes-laid-again", (("seats", " ".join(map(str, seats))),))] if seats else []


def _stakes_back(before: CardState, after: CardState) -> tuple[int, ...]:
    """The seats whose stakes go back: after a ruling the seats that it names, after the warning card those with open
    bets (br.dev.3b), otherwise all seats.
    """
    made, out = _made(before, after), after.custody.shoe_game.measured
    if made:
        return made.stakes_back
    return before.game.seats if out == before.custody.shoe_game.measured else game_of(before).open_seats(before)


def _made(before: CardState, after: CardState) -> Ruling | None:
    """The new ruling in `after`. None if `before` has the same ruling, or if a correction has only repeated an earlier
    ruling.
    """
    is_again = after.log.corrected > before.log.corrected
    return after.game.last_ruling if after.game.last_ruling is not before.game.last_ruling and not is_again else None
