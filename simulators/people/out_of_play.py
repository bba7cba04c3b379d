"""Hands of cards that are over early. Their cards go to the discard rack at once (pt.bj.21b, 22a, 58).

A hand above 21 has lost. If the bank has a hidden card, a blackjack that the bank cannot equal is paid at once. People
judge by open cards: a hand with a card that was not shown stays on the table (mo.6.4).
"""

from collections.abc import Sequence
from typing import Final

from controller.core.choices import BankSecond, Faces
from simulators.people import hands as h
from simulators.people.doing import View
from simulators.people.sight import LyingCard
from simulators.people.status import place_of

BANK: Final = 0
_TENS: Final = frozenset(("10", "J", "Q", "K"))


def out_of_play(view: View) -> int | None:
    """Returns the seat of a hand that is over early and still on the table; None if no such hand is on the table. At a
    table that follows bets the screen says which hand is over.
    """
    if (money := view.status.money) is not None:
        return next((place_of(hand.hand)[0] for hand in money.hands if hand.is_out), None)
    return next((seat for seat in hands_left(view) if _is_over(view, seat)), None)


def hands_left(view: View) -> tuple[int, ...]:
    """Returns the seats that are still in play in this round."""
    return tuple(seat for seat in view.status.seats if seat not in view.status.collected)


def carry(view: View) -> h.CollectHand | None:
    """Returns the deed of collecting a hand that lies on the table although the book has it in the rack. Returns None
    if there is no such hand.
    """
    status, unbooked = view.status, view.unbooked
    cards = min(unbooked.get("table", 0), -unbooked.get("rack", 0))
    if cards <= 0:
        return None
    seat = next((seat for seat in status.collected if _cards_of(view, seat)), None)
    if seat is not None:
        return h.CollectHand(seat, cards, status.session_number, status.round_number)
    return _one_of_a_pair(view, cards)


def _one_of_a_pair(view: View, cards: int) -> h.CollectHand | None:
    """Returns the deed of collecting a hand that the book already has as collected, while another hand of the seat
    plays on; else None.
    """
    status, money = view.status, view.status.money
    lying = {(card.seat, card.hand) for card in view.sight.table}
    collected = [place_of(hand.hand) for hand in (money.hands if money else ()) if hand.is_collected]
    place = next((place for place in collected if place in lying), None)
    if place is None:
        return None
    return h.CollectHand(place[0], cards, status.session_number, status.round_number, place[1])


def _cards_of(view: View, seat: int) -> list[str | None]:
    return [card.face for card in view.sight.table if card.seat == seat]


def _is_over(view: View, seat: int) -> bool:
    faces = [face for face in _cards_of(view, seat) if face]
    if len(faces) != len(_cards_of(view, seat)) or any(card.seat == seat for card in view.status.face_down):
        return False
    return points(faces) > 21 or (_pays_at_once(view) and len(faces) == 2 and points(faces) == 21)


def _pays_at_once(view: View) -> bool:
    """True if a blackjack is paid at once, because the bank's open card rules out its own blackjack (pt.bj.21b)."""
    procedure = view.procedure
    first = next((face for face in _cards_of(view, BANK) if face), None)
    deals_so = procedure.bank_second_card is BankSecond.HOLE and procedure.player_cards is Faces.UP
    return deals_so and first is not None and first[:-1] not in {"A", *_TENS}


def points(faces: list[str]) -> int:
    """Returns the points of the cards `faces` together; one ace counts 11 if the sum stays within 21."""
    ranks = [face[:-1] for face in faces]
    low = sum(1 if rank == "A" else 10 if rank in _TENS else int(rank) for rank in ranks)
    return low + 10 if "A" in ranks and low <= 11 else low


def banks_total(table: Sequence[LyingCard]) -> int:
    """Returns the points of the bank's cards; 0 if a card of the bank lies face down."""
    faces = [card.face for card in table if card.seat == BANK]
    return points([face for face in faces if face]) if all(faces) else 0
