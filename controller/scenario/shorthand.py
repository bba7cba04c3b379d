"""The parts of a scenario's steps: the possible texts after a word, and acts that have to be allowed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from controller.core.custody.state import Card, parse_card
from controller.core.words import Role
from controller.scenario.slots import Slot
from controller.scenario.table_player import Stopped, TablePlayer

Words: TypeAlias = tuple[str, ...]
AnyPlayer: TypeAlias = TablePlayer[Any]
At = TypeVar("At", bound=AnyPlayer, contravariant=True)
"""The table that a word knows of."""


@dataclass(frozen=True, slots=True)
class Step(Generic[At]):
    """The possible texts behind the word, and its effect."""

    slots: tuple[Slot, ...]
    do: Callable[[At, Words], None]


def must(player: AnyPlayer, person: str, act: str, /, **values: str) -> None:
    """An act inside a shorthand: there it has to be allowed."""
    player.act(person, act, values)
    if player.refusal is not None:
        raise Stopped("refused-inside", act=act, rule=player.refusal.rule)


def together(player: AnyPlayer, person: str, act: str, second: str, /, **values: str) -> None:
    """The same, with a second person's word where the act waits for one."""
    must(player, person, act, **values)
    if any(one.act == act for one in player.state.house.waiting):
        must(player, second, act, **values)


def agreed(player: AnyPlayer) -> None:
    """A second person has agreed to the corrections of the round, where there are any."""
    roles = dict.fromkeys(one.role for one in player.state.game.corrected_by)
    for person in dict.fromkeys("chief" if role is Role.DEALER else "dealer" for role in roles):
        must(player, person, "agree-corrections")


def card_named(word: str) -> Card:
    """The card of this name."""
    card = parse_card(word)
    if card is None:  # the slot has seen to it
        raise Stopped("values", act=word)
    return card
