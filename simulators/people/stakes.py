"""Bets and decisions at a table that follows hands: the players' wishes, and the dealer's acts for them.

The screen names the hand in turn, and the cards lie on the table. An act that the table has refused in one state is not
repeated in that state. The next wish follows instead, and at last an act that is always possible.
"""

from itertools import pairwise
from typing import Final

from controller.core.words import Purpose, RoundPhase, SessionPhase
from controller.protocol.money_status import MoneyStatus
from controller.protocol.status import OwedStatus
from controller.protocol.suggestion import Suggestion
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View
from simulators.people.jackpot import in_units, lay_chip
from simulators.people.out_of_play import points
from simulators.people.status import place_of

BANK: Final = 0
BANK_DRAWS_TO: Final = 17
_ENOUGH: Final = 21
_MUST_DRAW: Final = 11


# --- bets


def next_bet(view: View) -> Doing:
    """Returns the next bet, side bet or jackpot chip before a round; None after the last of them."""
    status = view.status
    if status.money is None:
        return None  # `take-bets` takes all bets at once
    in_round = status.session_number, status.round_number + 1
    already = laid(view)
    for seat in view.choices.seats(*in_round):
        if aside := _aside(view, in_round, seat):
            return aside
        for bettor, cents in view.choices.bets(*in_round, seat):
            asked = None if (seat, bettor or seat) in already else view.asked(bet_of(seat, bettor, cents))
            if asked:
                return asked
        if chip := lay_chip(view, seat):
            return chip
    return None


def wishes(view: View) -> tuple[tuple[int, int], tuple[Ask, ...]]:
    """Returns session and number of the next round, and the acts for all bets that players want in this round, without
    side bets and chips. The acts are empty while the table accepts no bets.
    """
    status = view.status
    in_round = status.session_number, status.round_number + 1
    is_open = status.session is SessionPhase.IN_PLAY and status.round in {RoundPhase.IDLE, RoundPhase.BETTING}
    if not is_open or status.money is None:
        return in_round, ()
    seats = view.choices.seats(*in_round)
    return in_round, tuple(bet_of(seat, *bet) for seat in seats for bet in view.choices.bets(*in_round, seat))


def bet_of(seat: int, bettor: int | None, cents: int) -> Ask:
    """Returns the act that places a bet of `cents` at `seat`. `bettor`: None for the seat's own player. For another
    bettor's bet, the act states that the seat's own player agrees.
    """
    values = {"seat": str(seat), "amount": in_units(cents)}
    values |= {} if bettor is None else {"bettor": str(bettor), "consent": "yes"}
    return Ask("place-bet", values)


def laid(view: View) -> set[tuple[int, int]]:
    """Returns seat and bettor of each placed bet while bets are open; empty at other times."""
    money = view.status.money
    if money is None or view.status.round is not RoundPhase.BETTING:
        return set()
    return {(place_of(hand.hand)[0], bet.bettor) for hand in money.hands for bet in hand.bets}


def _aside(view: View, in_round: tuple[int, int], seat: int) -> Ask | None:
    """Returns the act for the seat's side bet, right after the bet of the seat's own player. Returns None at other
    times, and if the player makes no side bet.
    """
    kind, money = view.choices.side_bet(*in_round, seat), view.status.money
    (bettor, cents), *_ = view.choices.bets(*in_round, seat)
    if money is None or kind not in money.side_bets or view.recall.last_words != bet_of(seat, bettor, cents).words:
        return None
    return view.ask("place-side-bet", seat=str(seat), bet=kind, amount=in_units(view.choices.minimum_cents))


# --- hands


def lay_pair(view: View) -> Touch | None:
    """Returns the deed that separates a pair on the table, or lays a pair together again, as the book has the pair.
    Returns None if the cards already lie as in the book, while an entry is not durable yet, and at a table without
    money.
    """
    return _separate_pair(view) or _lay_together(view)


def _separate_pair(view: View) -> Touch | None:
    """Returns the deed of separating a pair, if the book has a second hand whose card still lies in the first hand;
    else None.
    """
    money = view.status.money
    if money is None or view.status.journal.waiting:
        return None
    for before, hand in pairwise(money.hands):
        seat, index = place_of(hand.hand)
        is_there = hand.is_collected or seat in view.status.collected or bool(faces_of(view, seat, index))
        first = place_of(before.hand)
        if index > 1 and not is_there and len(faces_of(view, *first)) > 1:
            return Touch(h.SeparatePair(seat, first[1], index))
    return None


def _lay_together(view: View) -> Touch | None:
    """Returns the deed of laying a hand back to the seat's other hand, if the hand lies apart on the table but not in
    the book; else None.
    """
    money = view.status.money
    if money is None or view.status.journal.waiting:
        return None
    known = {place_of(hand.hand) for hand in money.hands}
    lying = sorted({(card.seat, card.hand) for card in view.sight.table if card.seat != BANK})
    for seat, index in lying:
        if index > 1 and (seat, index) not in known:
            back = next((of for at, of in lying if at == seat and len(faces_of(view, at, of)) == 1), 1)
            return Touch(h.LayTogether(seat, back, index))
    return None


def hand_owed(view: View, card: OwedStatus) -> int:
    """Returns the number of the hand that gets this card: the hand in turn if it is at the card's seat, hand 1
    otherwise.
    """
    money = view.status.money
    if money is None or view.status.round is not RoundPhase.PLAYING or card.purpose != Purpose.SEAT:
        return 1
    seat, index = (BANK, 1) if money.turn in {"", "bank"} else place_of(money.turn)
    return index if seat == card.seat else 1


def faces_of(view: View, seat: int, index: int = 1) -> list[str | None]:
    """Returns the faces of the cards in one hand on the table, with None for a face-down card."""
    return [card.face for card in view.sight.table if (card.seat, card.hand) == (seat, index)]


def seat_in_turn(view: View, money: MoneyStatus) -> int | None:
    """Returns the seat that may get a card now (0: the bank). Returns None if no hand is in turn and the bank may not
    draw.
    """
    if money.turn not in {"", "bank"}:
        return place_of(money.turn)[0]
    return BANK if bank_draws(view) else None


def bank_draws(view: View) -> Ask | None:
    """Returns the act that asks for the bank's card, if the table offers it or the machine presents one; else None."""
    lies_ready = view.offers and view.status.owed is not None
    offered = ((one.act, one.values.get("seat")) for one in view.status.decisions)
    return view.ask("draw-card", seat=str(BANK)) if lies_ready or ("draw-card", "bank") in offered else None


_LIKED: Final = {
    "split-pair": 0.7,
    "double-down": 0.2,
    "surrender": 0.1,
    "claim-five-cards": 0.5,
    "take-even-money": 0.3,
    "insure": 0.4,
}
"""The share of players who take each offered decision."""


def decide(view: View, money: MoneyStatus) -> Ask | None:
    """Returns the act for an offered decision that the player likes. If there is none, returns the act that asks for a
    card for the hand in turn, or declines a card. If the table accepts none of these acts, returns any decision offered
    for that hand, and at last a call for a ruling.
    """
    offered = [said(one) for one in view.status.decisions]
    liked = (ask for ask in offered if view.feels(_LIKED.get(ask.act, 0.0), *_about(view, ask), ask.act))
    seat, index = place_of(money.turn)
    which = {"seat": str(seat)} | ({"hand": str(index)} if index > 1 else {})
    card, none = Ask("draw-card", which), Ask("stand", which)
    plain = (card, none) if _wants_card(view, seat, index) else (none, card)
    ruling = Ask("call-for-ruling", {"cause": "deal-beyond-repair"})
    of_turn = (ask for ask in offered if which.items() <= ask.values.items())
    return next(filter(view.asked, (*liked, *plain, *of_turn, ruling)), None)


def said(offer: Suggestion) -> Ask:
    """Returns the act for an offered decision. If the decision asks whether a bettor agrees, the act says yes. Other
    bettors leave their bets unchanged.
    """
    return Ask(offer.act, offer.values | {name: "yes" for name in offer.asks if name == "accepted"})


def _about(view: View, ask: Ask) -> tuple[object, ...]:
    seat, index = int(ask.values.get("seat", BANK)), int(ask.values.get("hand", 1))
    return seat, index, len(faces_of(view, seat, index)), ask.values.get("bettor")


def _wants_card(view: View, seat: int, index: int) -> bool:
    faces = faces_of(view, seat, index)
    seen = [face for face in faces if face]
    total = points(seen)
    likes = 0.5 if len(seen) < len(faces) else 1.0 if total <= _MUST_DRAW else 0.6 if total < BANK_DRAWS_TO else 0.1
    return total < _ENOUGH and view.feels(likes, seat, index, len(faces))
