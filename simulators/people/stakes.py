"""Bets and decisions at a table that follows hands: what players wish, and what the dealer says of it.

Whose turn it is the screen says, the cards lie on the table. What the table refuses in one state nobody asks for again
in it: then comes the next wish, and at last what is always open.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from controller.core.words import Purpose, RoundPhase
from controller.protocol.status import MoneyStatus, OwedStatus
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View
from simulators.people.jackpot import in_units, lay_chip
from simulators.people.out_of_play import points
from simulators.people.status import place_of

BANK: Final = 0
_BANK_DRAWS_TO: Final = 17
_ENOUGH: Final = 21
_MUST_DRAW: Final = 11


# --- bets


def next_bet(view: View) -> Doing:
    """The next bet of the round that begins; None: all lie there."""
    status = view.status
    in_round = status.session_number, status.round_number + 1
    laid = _laid(view)
    for seat in view.choices.seats(*in_round):
        if aside := _aside(view, in_round, seat):
            return aside
        for bettor, cents in view.choices.bets(*in_round, seat):
            asked = None if (seat, bettor or seat) in laid else view.asked(bet_of(seat, bettor, cents))
            if asked:
                return asked
        if chip := lay_chip(view, seat):
            return chip
    return None


def bet_of(seat: int, bettor: int | None, cents: int) -> Ask:
    """One bet on a place; who sits there has agreed to another's."""
    values = {"seat": str(seat), "amount": in_units(cents)}
    values |= {} if bettor is None else {"bettor": str(bettor), "consent": "yes"}
    return Ask("place-bet", values)


def _laid(view: View) -> set[tuple[int, int]]:
    money = view.status.money
    if money is None or view.status.round is not RoundPhase.BETTING:
        return set()
    return {(place_of(hand.hand)[0], bet.bettor) for hand in money.hands for bet in hand.bets}


def _aside(view: View, in_round: tuple[int, int], seat: int) -> Ask | None:
    """Right after the bet of who sits there."""
    kind = view.choices.side_bet(*in_round, seat)
    (bettor, cents), *_ = view.choices.bets(*in_round, seat)
    if kind is None or view.recall.last_words != bet_of(seat, bettor, cents).words:
        return None
    return view.ask("place-side-bet", seat=str(seat), bet=kind, amount=in_units(view.choices.minimum_cents))


# --- hands


def separate_pair(view: View, money: MoneyStatus) -> Touch | None:
    """A pair that was separated lies so: the book has a hand more than the table."""
    if view.status.journal.waiting:
        return None
    for before, (seat, index) in pairwise(place_of(hand.hand) for hand in money.hands):
        is_new = index > 1 and seat not in view.status.collected and not faces_of(view, seat, index)
        if is_new and len(faces_of(view, *before)) > 1:
            return Touch(h.SeparatePair(seat, before[1], index))
    return None


def hand_owed(view: View, card: OwedStatus) -> int:
    """Which of a seat's hands gets the card that it is owed: the one whose turn it is."""
    money = view.status.money
    if money is None or view.status.round is not RoundPhase.PLAYING or card.purpose != Purpose.SEAT:
        return 1
    seat, index = (BANK, 1) if money.turn in {"", "bank"} else place_of(money.turn)
    return index if seat == card.seat else 1


def faces_of(view: View, seat: int, index: int = 1) -> list[str | None]:
    """The cards of one hand as they lie there; None: face down."""
    return [card.face for card in view.sight.table if (card.seat, card.hand) == (seat, index)]


def seat_in_turn(view: View, money: MoneyStatus) -> int | None:
    """Who may get a card now, the bank being 0; None: the bank has its total."""
    if money.turn not in {"", "bank"}:
        return place_of(money.turn)[0]
    return BANK if _bank_wants(view) else None


def decide(view: View, money: MoneyStatus) -> Ask | None:
    """What the player whose turn it is wants, or somebody insures or takes even money before."""
    wishes = (*_before_the_others(view, money), *_wishes(view, *place_of(money.turn)))
    return _first_allowed(view, wishes)


def bank_draws(view: View) -> Ask | None:
    """A card for the bank, as long as its cards are too few."""
    return view.asked(_card_for(BANK)) if _bank_wants(view) else None


def bank_draws_after_all(view: View) -> Ask | None:
    """The table says that the bank has not its total yet."""
    return view.asked(_card_for(BANK))


def _bank_wants(view: View) -> bool:
    faces = [face for face in faces_of(view, BANK) if face]
    return points(faces) < _BANK_DRAWS_TO and view.recall.guard(_card_for(BANK)) is None


def _before_the_others(view: View, money: MoneyStatus) -> Iterator[Ask]:
    """Against the bank's open card: while nobody has decided, or for a blackjack."""
    up = next((face for face in faces_of(view, BANK) if face), "")
    first = all(
        place_of(hand.hand)[1] == 1 and len(faces_of(view, place_of(hand.hand)[0])) == 2 for hand in money.hands
    )
    for hand in money.hands:
        (seat, index), paid = place_of(hand.hand), {one.hand for one in money.amounts}
        if seat in view.status.collected or hand.hand in paid or index > 1:
            continue
        faces = faces_of(view, seat)
        is_blackjack = len(faces) == 2 and None not in faces and points([face for face in faces if face]) == _ENOUGH
        if is_blackjack and view.feels(0.3, seat, "even money"):
            yield _of("take-even-money", seat)
        if first and up.startswith("A") and not hand.insured_cents and view.feels(0.4, seat, "insurance"):
            yield _of("insure", seat, amount=in_units(hand.bets[0].stake_cents // 2), accepted="yes")


def _wishes(view: View, seat: int, index: int) -> Iterator[Ask]:
    """In the order of what this player would like; the last ones are always open to somebody."""
    faces = faces_of(view, seat, index)
    drawn, stood, split = (_of(act, seat, index) for act in ("draw-card", "stand", "split-pair"))
    seen = [face for face in faces if face]
    about = (seat, index, len(faces))
    if len(seen) < len(faces):
        wants = view.feels(0.5, *about)
    else:
        total = points(seen)
        if len(seen) == 2 and points(seen[:1]) == points(seen[1:]) and view.feels(0.7, *about, "pair"):
            yield split
        if len(seen) == 2 and view.feels(0.2, *about, "double"):
            yield _of("double-down", seat, index)
        if len(seen) == 2 and index == 1 and view.feels(0.1, *about, "surrender"):
            yield _of("surrender", seat)
        if len(seen) == 5 and view.feels(0.5, *about, "five"):
            yield _of("claim-five-cards", seat, index)
        wants = total <= _MUST_DRAW or (total < _ENOUGH and view.feels(0.6 if total < _BANK_DRAWS_TO else 0.1, *about))
    yield from (drawn, stood) if wants else (stood, drawn)
    yield split
    yield Ask("call-for-ruling", {"cause": "deal-beyond-repair"})


def _of(act: str, seat: int, index: int = 1, **values: str) -> Ask:
    which = {"hand": str(index)} if index > 1 else {}
    return Ask(act, {"seat": str(seat), **which, **values})


def _card_for(seat: int) -> Ask:
    return _of("draw-card", seat)


def _first_allowed(view: View, wishes: Iterable[Ask]) -> Ask | None:
    return next((ask for ask in wishes if view.asked(ask)), None)
