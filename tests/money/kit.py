"""What the tests of hands and money write with: rules of a profile, cards and hands from text, answers as text."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from controller.config.citations import clause_behind
from controller.config.profile_file import law
from controller.core.custody.state import Card
from controller.core.games.blackjack.hand import Answer, Hand, HandEnd
from controller.core.games.blackjack.money import Amount, rule_of
from controller.core.hand_rules import BetLimits, HandRules
from controller.core.words import Cents

LIMITS = BetLimits(Cents(1_000), Cents(30_000), Cents(100))
"""10 to 300, and no chip below one unit."""


class Rules(HandRules, frozen=True):
    """Those of a table, with the profile that they come from: it says the clauses."""

    profile: str = ""


class _OfProfiles(dict[str, Rules]):
    """As the profile says at the moment of asking: a trial may have changed it."""

    def __missing__(self, name: str) -> Rules:
        return Rules(LIMITS, law(name).hand_figures, name)


RULES = _OfProfiles()

Said: TypeAlias = object
"""A number, a text, a tuple of them."""


@dataclass(frozen=True)
class Row:
    """What some laws say: `expected`, or one for each law where they differ."""

    laws: str
    ask: Callable[[Rules], Said]
    expected: Said
    why: str = ""

    def is_for(self, profile: str) -> bool:
        return law(profile).jurisdiction in self.laws.split()

    def holds(self, rules: Rules) -> bool:
        """Whether it comes out; an exception is as good as another answer."""
        try:
            return self.ask(rules) == self.expected
        except (LookupError, ValueError, ArithmeticError, TypeError):
            return False


ALL = "pt house mo br"


def rows(ask: Callable[[Rules], Said], **expected: Said) -> list[Row]:
    """One row for each law, or for several with one answer: `pt_house="yes"`, `all=21`."""
    return [Row(ALL if laws == "all" else laws.replace("_", " "), ask, said) for laws, said in expected.items()]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(one) for one in text.split())


def hand(text: str, flags: str = "") -> Hand:
    """`hand("8S 8H", "split doubled declined")`, or how it ended: `surrendered`."""
    words = flags.split()
    end = next((HandEnd(word) for word in words if word in list(HandEnd)), None)
    return Hand(cards(text), "split" in words, "doubled" in words, "declined" in words, end)


def says(rules: Rules, answer: Answer) -> str:
    """`yes`, or the rule that says no and its clause."""
    if answer is None:
        return "yes"
    return f"{answer} {clause_behind(rules.profile, answer) or ''}".strip()


def told(rules: Rules, amount: Amount) -> str:
    """Payment, exact cents, clause, flag."""
    clause = clause_behind(rules.profile, rule_of(amount.payment))
    return " ".join(filter(None, (amount.payment, str(amount.exact), clause, amount.flag)))
