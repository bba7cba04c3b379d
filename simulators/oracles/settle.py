"""Computes the gain or loss of each bet of a settled round from the text of the law alone, to check every settlement.

Takes and returns plain values. Amounts are cents. A gain is an exact fraction, never rounded: a gain that is not a
whole number of cents, or that no chips can pay, is marked.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd, inf
from typing import Final, NamedTuple

_TABLE: Final = """
outcome            pays  pt         house      br           mo
surrendered        -1/2  pt.bj.36a  house.16a  -            mo.18.1
even-money         1     pt.bj.34   pt.bj.34   -            mo.10.3
five-cards         1/2   -          -          -            mo.19.1
bust               -1    pt.bj.22a  house.1    br.play.6    mo.7.2
void               0     -          -          br.dev.3b    mo.5.1.2b
blackjack          3/2   pt.bj.21a  house.17   br.play.7    mo.10.2
both-blackjack     0     pt.bj.21a  house.17   br.play.7    mo.11.1
bank-blackjack     -1    pt.bj.23   pt.bj.23   br.play.2    mo.12.2
bank-blackjack-21  -1    pt.bj.20a  pt.bj.20a  br.play.2    mo.10.6a
double-limited     -1/2  -          -          -            mo.10.7
bank-bust          1     pt.bj.23   pt.bj.23   br.play.8b   mo.9
won                1     pt.bj.23   house.18   br.play.8c   mo.9
won-21             1     pt.bj.23   house.18   br.play.8c   mo.10.4
lost               -1    pt.bj.23   pt.bj.23   br.play.8c   mo.9
tie                0     pt.bj.24a  house.19   br.play.8c   mo.11.2
special-prize      3     pt.bj.35   pt.bj.35   -            mo.15
insurance-won      2     pt.bj.33c  house.15b  br.ins.4     mo.12.2
insurance-lost     -1    pt.bj.33c  house.15b  br.ins.5     mo.12.3
pair               11    -          -          -            mo.14.1
pair-lost          -1    -          -          -            mo.13.1
sevens-2           50    -          -          -            mo.14.2.1
sevens-2-suited    150   -          -          -            mo.14.2.2
sevens-3           500   -          -          -            mo.14.2.3
sevens-3-suited    5000  -          -          -            mo.14.2.4
sevens-lost        -1    -          -          -            mo.13.2
over               1     -          -          -            mo.14.3
over-lost          -1    -          -          -            mo.13.3
under              1     -          -          -            mo.14.3
under-lost         -1    -          -          -            mo.13.3
"""
"""Each outcome: the gain for each cent of a bet's stake, and the clause; `-` if that law has no such outcome."""

_HEAD, *_ROWS = (line.split() for line in _TABLE.strip().splitlines())
CLAUSES: Final = {law: {row[0]: row[at] for row in _ROWS if row[at] != "-"} for at, law in enumerate(_HEAD) if at > 1}
PAYS: Final = {row[0]: Fraction(row[1]) for row in _ROWS}

TENS: Final = frozenset(("10", "J", "Q", "K"))
_ACE_STAYS_1: Final[Mapping[str, tuple[int, ...]]] = {"pt": (9, 10), "house": (9, 10, 11)}
"""Totals on which a hand was doubled, with an ace as 1, that keep this ace at 1 (pt.bj.32, house.13)."""

_PORTUGAL: Final[Mapping[str, object]] = {"prize_for_followers": True}
CHOICES: Final[Mapping[str, Mapping[str, object]]] = {
    "pt": _PORTUGAL,
    "house": _PORTUGAL,
    "br": {},
    "mo": {
        **_PORTUGAL,
        "prize_of_doubled": False,  # True: the special prize is of the whole doubled stake (mo.15)
        "double_against_blackjack": "all",  # "initial": the loss of a doubled hand is limited (mo.10.7)
        "later_pairs": "stake-stays",  # "new-stake": each later pair has a stake of its own (mo.13.1.2)
        "over_under_ace": "one",  # "choice": 1 or 11, as the bettor likes (mo.13.3)
    },
}
"""The choices that each law leaves to the house, with the value for a house without a choice."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand at the end of a round. `stakes`: by bettor, before doubling; the deciding bettor comes first."""

    seat: int
    index: int  # 1: the hand as dealt; further ones were split off
    stakes: Mapping[str, int]
    cards: tuple[tuple[int, str], ...]  # number in the order of dealing, and face; without annulled cards
    doubled: frozenset[str] = frozenset()  # bettors who have doubled
    insured: Mapping[str, int] = field(default_factory=dict)  # stakes by bettor, on hand 1 only
    ended: str = ""  # surrendered, even-money or five-cards, if a player asked for it
    split_from: int = 1  # the hand whose second card became this hand's first

    @property
    def faces(self) -> list[str]:
        return [face for _number, face in self.cards]


class SideBet(NamedTuple):
    """A side bet (pair, sevens, over or under) that was in play from card number `since` + 1 to card number `until`."""

    bettor: str
    kind: str
    seat: int
    stake: int
    since: int = 0
    until: float = inf


@dataclass(frozen=True, slots=True)
class Award:
    """A bet's gain beyond its stake (negative: a loss). `mark`: the reason why no exact payment is possible, or ""."""

    bettor: str
    seat: int
    index: int
    bet: str
    stake: int
    outcome: str
    gain: Fraction
    clause: str
    mark: str


def total(faces: Iterable[str], aces_as_1: int = 0) -> int:
    """Returns a hand's points. An ace counts 11 if the sum stays within 21, but `aces_as_1` aces always count 1."""
    ranks = [face[:-1] for face in faces]
    hard = sum(1 if rank == "A" else 10 if rank in TENS else int(rank) for rank in ranks)
    return hard + 10 if ranks.count("A") > aces_as_1 and hard <= 11 else hard


def hard_total(faces: Iterable[str]) -> int:
    """Returns the points of a hand in which each ace counts 1."""
    return total(faces, aces_as_1=1000)


@dataclass(frozen=True)
class Round:
    """A settled round. `bank`: the bank's known cards, the open card first. `chips`: the values of chips in cents.

    Raises ValueError for a choice that the law does not leave open, and KeyError for a profile that belongs to no law.
    """

    profile: str
    hands: tuple[Hand, ...]
    bank: tuple[str, ...]
    side_bets: tuple[SideBet, ...] = ()
    choices: Mapping[str, object] = field(default_factory=dict)
    chips: tuple[int, ...] = ()
    is_void: bool = False

    def __post_init__(self) -> None:
        if unknown := self.choices.keys() - CHOICES[self.law].keys():
            raise ValueError(f"{self.profile} leaves no choice of {', '.join(sorted(unknown))}")

    @property
    def law(self) -> str:
        """The law under which the round was played: pt, mo, br or house."""
        return self.profile.partition("-")[0]

    @property
    def bank_has_blackjack(self) -> bool:
        return len(self.bank) == 2 and total(self.bank) == 21

    def chosen(self, name: str) -> object:
        """Returns the value of the option `name`: the house's, or the usual one. None if the law has no such option."""
        return self.choices.get(name, CHOICES[self.law].get(name))

    def hands_at(self, seat: int) -> list[Hand]:
        """Returns the hands of a seat; more than one if a pair was split."""
        return sorted((hand for hand in self.hands if hand.seat == seat), key=lambda hand: hand.index)

    def points(self, hand: Hand) -> int:
        """Returns the points of a hand. Each ace that must count 1 does so."""
        first = hand.faces[:2]
        has_ace = any(face[0] == "A" for face in first)
        stays = hand.doubled and has_ace and hard_total(first) in _ACE_STAYS_1.get(self.law, ())
        return total(hand.faces, aces_as_1=1 if stays else 0)

    def is_natural(self, hand: Hand) -> bool:
        """True if the hand is a blackjack: two cards as dealt, in a hand that was not split."""
        return len(hand.cards) == 2 and total(hand.faces) == 21 and len(self.hands_at(hand.seat)) == 1

    def outcome(self, hand: Hand) -> str:
        """Returns a hand's outcome as the table of payments names it; "" if the bank's unknown card decides it."""
        early = hand.ended or ("bust" if self.points(hand) > 21 else "")
        if self.is_void and (self.law == "mo" or not early):  # br.dev.3b: collected stakes stay collected
            return "void"
        if not early and self.is_natural(hand) and self.bank[0][:-1] not in TENS | {"A"}:
            return "blackjack"  # paid at once (pt.bj.21b)
        return early or (self._against_bank(hand) if len(self.bank) > 1 else "")

    def _against_bank(self, hand: Hand) -> str:
        points, bank, is_natural = self.points(hand), total(self.bank), self.is_natural(hand)
        of_21 = "-21" if points == 21 else ""
        if self.bank_has_blackjack:
            return "both-blackjack" if is_natural else f"bank-blackjack{of_21}"
        if is_natural or bank > 21:
            return "blackjack" if is_natural else "bank-bust"
        return f"won{of_21}" if points > bank else "lost" if points < bank else "tie"

    def awards(self) -> Iterator[Award]:
        """Yields the award of each bet. Skips a bet that depends on the bank's unknown second card."""
        for hand in self.hands:
            outcome, decider = self.outcome(hand), next(iter(hand.stakes))
            limited = self.chosen("double_against_blackjack") == "initial" and outcome.startswith("bank-blackjack")
            for who, stake in hand.stakes.items():
                if self._is_special(hand) and (who == decider or self.chosen("prize_for_followers")):
                    of_all = who in hand.doubled and bool(self.chosen("prize_of_doubled"))
                    yield self._award(who, hand, "special-prize", stake * (1 + of_all), "special-prize")
                if outcome:
                    is_doubled = who in hand.doubled
                    row = "double-limited" if is_doubled and limited else outcome
                    yield self._award(who, hand, "main", stake * (1 + is_doubled), row)
            if self.is_void or len(self.bank) > 1:
                insured = "void" if self.is_void else f"insurance-{'won' if self.bank_has_blackjack else 'lost'}"
                yield from (self._award(who, hand, "insurance", stake, insured) for who, stake in hand.insured.items())
        for bet in self.side_bets:
            outcome, times = ("void", 1) if self.is_void else self._side(bet)
            yield self._award(bet.bettor, self.hands_at(bet.seat)[0], bet.kind, bet.stake, outcome, times)

    def _award(self, who: str, hand: Hand, bet: str, stake: int, outcome: str, times: int = 1) -> Award:
        gain = PAYS[outcome] * stake * times
        mark = "no whole cents" if gain.denominator > 1 else "no chip" if gain % (gcd(*self.chips) or 1) else ""
        clause = CLAUSES[self.law].get(outcome, "")
        return Award(who, hand.seat, hand.index, bet, stake, outcome, gain, clause, mark)

    def _is_special(self, hand: Hand) -> bool:
        ranks, suits = sorted(face[:-1] for face in hand.faces), {face[-1] for face in hand.faces}
        is_one = ranks == ["7"] * 3 or (ranks == ["6", "7", "8"] and len(suits) == 1)
        return is_one and "special-prize" in CLAUSES[self.law] and not self.is_void

    def _side(self, bet: SideBet) -> tuple[str, int]:
        """Returns the outcome of a side bet, and how many times it is paid: more than once only for a pair."""
        hands = self.hands_at(bet.seat)
        first, second, *later = (face for _number, face in sorted(card for hand in hands for card in hand.cards))
        if bet.kind == "pair":
            times = self._pairs(bet, hands)
            return ("pair", times) if times else ("pair-lost", 1)
        if bet.kind == "sevens":
            third = [face for face in later[:1] if len(hands) > 1 and face[0] == "7"]  # after a split (mo.13.2.2)
            counted = (first, second, *third)
            suited = "-suited" if len({face[-1] for face in counted}) == 1 else ""
            return f"sevens-{len(counted)}{suited}" if first[0] == second[0] == "7" else "sevens-lost", 1
        low = hard_total((first, second))
        aces = (first[0] + second[0]).count("A") if self.chosen("over_under_ace") == "choice" else 0
        is_won = low + 10 * aces > 13 if bet.kind == "over" else low < 13
        return bet.kind if is_won else f"{bet.kind}-lost", 1

    def _pairs(self, bet: SideBet, hands: list[Hand]) -> int:
        cards = sorted(card for hand in hands for card in hand.cards)
        first = cards[0]
        if self.chosen("later_pairs") == "new-stake":
            following = next(face for number, face in cards[1:] if number > bet.since)
            return int(first[1][:-1] == following[:-1])
        first_of = {hand.index: hand.faces[0][:-1] for hand in hands if hand.cards}
        split = (hand for hand in hands if hand.cards[0] != first)
        formed = [one.cards[0] for one in split if first_of[one.split_from] == one.faces[0][:-1]]  # K and J are no pair
        formed += [hand.cards[1] for hand in hands if hand.faces[1:] and hand.faces[0][:-1] == hand.faces[1][:-1]]
        return sum(number <= bet.until for number, _face in formed)
