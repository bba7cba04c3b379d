"""What steps of a scenario are made of: what may stand after a word, and acts that have to be allowed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from controller.core.custody.state import Card, parse_card
from controller.scenario.slots import Slot
from controller.scenario.table_player import Stopped, TablePlayer

Words: TypeAlias = tuple[str, ...]
AnyPlayer: TypeAlias = TablePlayer[Any]
At = TypeVar("At", bound=AnyPlayer, contravariant=True)
"""The table that a word knows of."""


@dataclass(frozen=True, slots=True)
class Step(Generic[At]):
    """What may stand after the word, and what it does."""

    slots: tuple[Slot, ...]
    do: Callable[[At, Words], None]


def must(player: AnyPlayer, person: str, act: str, /, **values: str) -> None:
    """An act inside a shorthand: there it has to be allowed."""
    player.act(person, act, values)
    if player.refusal is not None:
        raise Stopped("refused-inside", act=act, rule=player.refusal.rule)


def card_named(word: str) -> Card:
    """The card of this name."""
    card = parse_card(word)
    if card is None:  # the slot has seen to it
        raise Stopped("values", act=word)
    return card
