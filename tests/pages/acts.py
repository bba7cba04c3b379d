"""The page of acts for those who write scenarios: made from the rows of the acts and from the catalogue."""

from typing import Final

from controller.catalogue import Language, sentence
from controller.core.custody.counting import MOVES
from controller.core.games.blackjack.all_acts import StateCardsMoved
from controller.core.games.blackjack.table import ACT_RULES, ACTS
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.rule import ActRule
from controller.core.words import Outcome, Place
from controller.screen.act_values import asked_values, words_of


def acts_page() -> str:
    """Every act with who may ask for it, and its values."""
    lines = [
        "# Acts",
        "",
        "What people do, by name, with the values of each. Generated from the rows of the acts (`make pages`);",
        "[FORMAT.md](FORMAT.md) says how they stand in a scenario. `dealer: take-bets seats=1,3` is one of them.",
        "A value with several items has commas and no blanks between them. The clauses of an act are those of each",
        "law: `sabot clauses` has them.",
        "Where the table inspector settles incidents (the profile's `incident_authority`) he may do what stands here",
        "for the chief supervisor, too; a ruling is made by that authority alone. For a seat `bank` is the bank.",
        "",
        "| act | who | values | what |",
        "|---|---|---|---|",
    ]
    head = ["", "## At a wheel", "", "Under `pt-roulette`, beside the acts of every table.", "", *lines[-2:]]
    at_a_wheel = [rule for rule in ROULETTE.acts if rule.name not in ACTS]
    return "\n".join([*lines, *map(_row, ACT_RULES), *_outcomes(), *head, *map(_row, at_a_wheel)]) + "\n"


def _outcomes() -> list[str]:
    """When each outcome of a ruling fits what has happened."""
    head = ["", "## Outcomes of a ruling", "", "| outcome | is possible |", "|---|---|"]
    return [*head, *(f"| `{one.value}` | {_said(f'outcome-when.{one.value}')} |" for one in Outcome)]


_POSSIBLE: Final = {
    (StateCardsMoved, "source"): tuple(place.value for place in Place if place in MOVES),
    (StateCardsMoved, "target"): tuple(place.value for place in Place if any(place in to for to in MOVES.values())),
}
"""Words of a value, where not each word of its type is one that is ever taken."""


def _row(rule: ActRule) -> str:
    name = rule.name
    who = ", ".join(role.value.replace("_", " ") for role in rule.who)
    who += ", and the dealer where nobody has to watch (`loading_supervised` false)" if rule.dealer_if_unwatched else ""
    values = "; ".join(_value(rule, name, value) for value in asked_values(rule.act)) or "-"
    return f"| `{name}` | {who} | {values} | {_said(f'act.{name}.what')} |"


def _value(rule: ActRule, name: str, value: str) -> str:
    words = " ".join(f"`{word}`" for word in _POSSIBLE.get((rule.act, value)) or words_of(rule.act, value))
    said = _said(f"act.{name}.value.{value}")
    return f"`{value}=` {said}" + (f" ({words})" if words else "")


def _said(key: str) -> str:
    return sentence(key, (), Language.EN).replace("|", "or")
