"""The words of the tests of hands and money: rules of a profile, cards and hands from text, answers as text."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from controller.config.notice_clauses import clause_behind
from controller.config.profile_file import law
from controller.core.custody.state import Card
from controller.core.games.blackjack.decisions.surrender import may_surrender_unseen
from controller.core.games.blackjack.hand import Answer, Hand, HandEnd
from controller.core.games.blackjack.money import Amount, rule_of
from controller.core.games.blackjack.settling import Bet, Due, settle_bet
from controller.core.hand_rules import BetLimits, HandRules
from controller.core.words import Cents

LIMITS = BetLimits(Cents(1_000), Cents(30_000), Cents(100))
"""10 to 300, and no chip below one unit."""


class Rules(HandRules, frozen=True):
    """The rules of a table, with their profile, which has the clauses."""

    profile: str = ""


class _OfProfiles(dict[str, Rules]):
    """Reads the profile at each call, since a trial may have changed it."""

    def __missing__(self, name: str) -> Rules:
        return Rules(LIMITS, law(name).hand_figures, name)


RULES = _OfProfiles()

Said: TypeAlias = object
"""An answer: a number, a text, or a tuple of them."""


@dataclass(frozen=True)
class Row:
    """An expected answer under some laws; `expected` is the answer."""

    laws: str
    ask: Callable[[Rules], Said]
    expected: Said
    why: str = ""

    def is_for(self, profile: str) -> bool:
        return law(profile).jurisdiction in self.laws.split()

    def holds(self, rules: Rules) -> bool:
        """True where the answer is as expected; an exception counts as another answer than the expected one."""
        try:
            return self.ask(rules) == self.expected
        except (LookupError, ValueError, ArithmeticError, TypeError):
            return False


ALL = "pt house mo br"


def rows(ask: Callable[[Rules], Said], **expected: Said) -> list[Row]:
    """Makes a row for each keyword; a keyword names one law or several with this answer: `pt_house="yes"`, `all=21`."""
    return [Row(ALL if laws == "all" else laws.replace("_", " "), ask, said) for laws, said in expected.items()]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(one) for one in text.split())


def hand(text: str, flags: str = "") -> Hand:
    """Makes a hand from its cards and flags: `hand("8S 8H", "split doubled declined")`.

    A flag may be its end: `surrendered`.
    """
    words = flags.split()
    end = next((HandEnd(word) for word in words if word in list(HandEnd)), None)
    return Hand(cards(text), "split" in words, "doubled" in words, "declined" in words, end)


def says(rules: Rules, answer: Answer) -> str:
    """Returns `yes`, or the rule that forbids the act with its clause."""
    if answer is None:
        return "yes"
    return f"{answer} {clause_behind(rules.profile, answer) or ''}".strip()


def told(rules: Rules, amount: Amount) -> str:
    """Returns an amount as text: payment, exact cents, clause, flag."""
    clause = clause_behind(rules.profile, rule_of(amount.payment))
    return " ".join(filter(None, (amount.payment, str(amount.exact), clause, amount.flag)))


def settle_hand(hand: Hand, bank: tuple[Card, ...], bets: tuple[Bet, ...], rules: HandRules) -> tuple[Due, ...]:
    """Settles every bet of a hand by the hand's result, each on its own stake, in the order given.

    Clauses: pt.bj.15b, br.pairs.2.
    """
    return tuple(Due(bet.bettor, settle_bet(hand, bank, bet, rules)) for bet in bets)


def house_result(amounts: Iterable[Amount]) -> Fraction:
    """Returns the bank's win by these amounts, in cents: the sum of the players' results with the other sign."""
    return -sum((one.exact for one in amounts), Fraction(0))


def may_surrender(hand: Hand, up: Card, rules: HandRules, *, somebody_has_drawn: bool) -> Answer:
    """Asks the rule on giving a hand up for half of its stake (pt.bj.36, mo.18, house.16).

    Nothing can be taken back: a hand that was given up has ended.
    """
    is_as_dealt = hand.end is None and not hand.is_split and not hand.is_doubled and len(hand.cards) == 2
    is_given_up = hand.end is HandEnd.SURRENDERED
    return may_surrender_unseen(
        up, rules, is_as_dealt=is_as_dealt, somebody_has_drawn=somebody_has_drawn, is_given_up=is_given_up
    )


def handed_back(amount: Amount) -> Fraction:
    """Returns the sum that the player gets back: a stake that was not lost, and the payment on it (pt.bj.25)."""
    return amount.stake + amount.exact
