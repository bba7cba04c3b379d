"""Whether the options that a settled round's money rests on were open: splits, doubles, insurance, the bank's cards.

From the text of the law, as settle.py, whose values it takes. What the law does not allow is told, not raised.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from simulators.oracles.settle import CLAUSES, TENS, Hand, Round, hard_total, total

_TABLE: Final = """
option           pt         house      br            mo
surrendered      pt.bj.36a  house.16a  -             mo.18.1
even-money       pt.bj.34   pt.bj.34   -             mo.10.3
five-cards       -          -          -             mo.19.1
insured          pt.bj.33b  house.15a  br.ins.3      mo.12.1
insured-alone    pt.bj.15c  pt.bj.15c  -             -
doubled          pt.bj.29a  house.12   br.double.1   mo.17
doubled-alone    pt.bj.30   house.14   br.players.2  mo.20.1
split            pt.bj.26a  house.10a  br.pairs.1    mo.16.1
split-aces       pt.bj.26c  house.11a  br.pairs.6a   mo.16.3
drew             pt.bj.18b  pt.bj.18b  br.play.4     mo.6.4.1
stood            pt.bj.18a  house.9b   -             -
bank             pt.bj.19a  pt.bj.19a  br.play.8a    mo.6.1a
bank-third       pt.bj.22b  pt.bj.22b  -             -
bettors          -          -          -             mo.20.1.2
side-bets        -          -          -             mo.13
"""
"""What has bounds, and the clause that says so; `-`: the law has none, or the reading is ours."""

_HEAD, *_ROWS = (line.split() for line in _TABLE.strip().splitlines())
BOUNDS: Final = {law: {row[0]: row[at] for row in _ROWS if row[at] != "-"} for at, law in enumerate(_HEAD) if at > 0}
_EVEN_MONEY: Final = {"pt": {"A"}, "house": {"A"}, "mo": {"A", *TENS}}
"""The bank's open card (pt.bj.34, mo.10.3)."""
_LIVE: Final = {"won", "won-21", "lost", "tie", "bank-bust", "bank-blackjack", "bank-blackjack-21"}


class Breach(NamedTuple):
    """What the law does not allow. `clause` is "" where the reading is ours."""

    clause: str
    what: str


def breaches(settled: Round) -> list[Breach]:
    """Everything about a settled round that no clause allows."""
    found = [*_of_bank(settled), *_of_side_bets(settled)]
    for hand in settled.hands:
        place = f"seat {hand.seat}, hand {hand.index}: "
        checks = (*_endings(settled, hand), *_cards(settled, hand), *_doubles(settled, hand), *_stakes(settled, hand))
        found += [(name, is_broken, place + what) for name, is_broken, what in checks]
    return [Breach(BOUNDS[settled.law].get(name, ""), what) for name, is_broken, what in found if is_broken]


_Checks = Iterator[tuple[str, object, str]]  # the option, whether it is broken, the words


def _open_rank(settled: Round) -> str:
    return settled.bank[0][:-1]


def _endings(settled: Round, hand: Hand) -> _Checks:
    is_two = len(hand.cards) == 2 and len(settled.hands_at(hand.seat)) == 1 and not hand.doubled
    against_ace, is_here = _open_rank(settled) == "A", hand.ended in CLAUSES[settled.law]
    is_paid = settled.is_natural(hand) and _open_rank(settled) in _EVEN_MONEY.get(settled.law, ())
    is_five = len(hand.cards) == 5 and settled.points(hand) <= 21 and not against_ace
    yield hand.ended, hand.ended and not is_here, f"there is no {hand.ended}"
    yield hand.ended, hand.ended == "surrendered" and (against_ace or not is_two), "it could not be given up"
    yield hand.ended, hand.ended == "even-money" and not is_paid, "even money was not open"
    yield hand.ended, hand.ended == "five-cards" and not is_five, "no payment for five cards was open"


def _cards(settled: Round, hand: Hand) -> _Checks:
    hands, law = settled.hands_at(hand.seat), settled.law
    aces = len(hands) > 1 and hand.faces[0][0] == "A"
    before = [total(hand.faces[:cards]) for cards in range(2, len(hand.cards))]
    is_over = hand.doubled or hand.ended or settled.is_void
    yield "drew", any(points > _highest(law) for points in before), "a card was drawn that was not open"
    yield "stood", "stood" in BOUNDS[law] and not is_over and settled.points(hand) < 12, "it stood on 11 or less"
    yield "split-aces", aces and len(hand.cards) > 2, "a split ace took more than one card"
    again = aces and len(hands) > 2 and not settled.chosen("resplit_aces")
    yield "split-aces", again, "aces were split again"
    yield "split", len(hand.cards) < 2 and not settled.is_void, "it has no second card"


def _highest(law: str) -> int:
    """What a further card is open to at most: br.play.4 lets a player draw on 21, if it is no blackjack."""
    return 21 if law == "br" else 20


def _doubles(settled: Round, hand: Hand) -> _Checks:
    hands, first = settled.hands_at(hand.seat), hand.faces[:2]
    is_split, hard = len(hands) > 1, hard_total(first)
    by_law = {9, 10, 11} if settled.law != "mo" else {11} if settled.chosen("double_method") == 2 else set(range(2, 21))
    highest = _highest(settled.law) if is_split else 20
    is_open = hard in by_law and total(first) <= highest and not (is_split and first[0][0] == "A")
    is_open = is_open and not (is_split and settled.chosen("double_method") == 2)
    yield "doubled", hand.doubled and not is_open, "it could not be doubled"
    yield "doubled", hand.doubled and len(hand.cards) != 3, "a doubled hand has one further card"
    yield "doubled-alone", hand.doubled and next(iter(hand.stakes)) not in hand.doubled, "a follower doubled alone"


def _stakes(settled: Round, hand: Hand) -> _Checks:
    hands, decider = settled.hands_at(hand.seat), next(iter(hand.stakes))
    first, worth = hands[0], {_worth(settled, one.faces[0]) for one in hands}
    is_equal = all(first.stakes.get(who) == stake for who, stake in hand.stakes.items())
    yield "split", len(worth) > 1, "what was split was no pair"
    yield "split", not is_equal or decider != next(iter(first.stakes)), "a split hand has another stake"
    most = settled.chosen("split_max_hands")
    yield "split", isinstance(most, int) and len(hands) > most, "split too often"
    is_insured = all(_is_insurable(settled, hand.stakes.get(who, 0), stake) for who, stake in hand.insured.items())
    yield "insured", not is_insured or (hand.insured and hand.index > 1), "this insurance was not open"
    is_alone = hand.insured and decider not in hand.insured and "insured-alone" in BOUNDS[settled.law]
    yield "insured-alone", is_alone, "a follower insured alone"
    yield "bettors", settled.chosen("shared_place") == 2 and len(hand.stakes) > 3, "more than three bettors"


def _worth(settled: Round, face: str) -> str:
    rank = face[:-1]
    return "10" if rank in TENS and settled.law != "mo" else rank


def _is_insurable(settled: Round, stake: int, insurance: int) -> bool:
    least, most = (Fraction(1, 2), Fraction(1)) if settled.law == "mo" else (Fraction(0), Fraction(1, 2))
    return _open_rank(settled) == "A" and least * stake <= insurance <= most * stake


def _of_bank(settled: Round) -> _Checks:
    outcomes = {settled.outcome(hand) for hand in settled.hands}
    before = [total(settled.bank[:cards]) for cards in range(2, len(settled.bank))]
    is_needed = "" in outcomes or any(hand.insured for hand in settled.hands)
    is_live = bool(outcomes & _LIVE)
    unknown = is_needed and len(settled.bank) < 2 and not settled.is_void
    yield "bank", unknown, "the bank's second card decides, and nobody knows it"
    yield "bank", any(points > 16 for points in before), "the bank drew on 17 or more"
    yield "bank", is_live and total(settled.bank) < 17, "the bank stood on 16 or less"
    yield "bank-third", before and not is_live and not settled.is_void, "the bank drew, and nobody was in play"


def _of_side_bets(settled: Round) -> _Checks:
    kinds = {(bet.bettor, {"under": "over"}.get(bet.kind, bet.kind)) for bet in settled.side_bets}
    is_several = len(kinds) > len({bettor for bettor, _kind in kinds})
    yield "side-bets", is_several, "one bettor has two kinds of side bets"
    bettors = {bettor for hand in settled.hands for bettor in hand.stakes}
    for bet in settled.side_bets:
        yield "side-bets", bet.bettor not in bettors, f"{bet.kind} at seat {bet.seat} of who has bet on no hand"
        is_late = bet.since > 0 and (bet.kind != "pair" or settled.chosen("later_pairs") != "new-stake")
        yield "side-bets", is_late, f"{bet.kind} at seat {bet.seat} came too late"
        yield "side-bets", settled.law != "mo", f"there is no {bet.kind}"
