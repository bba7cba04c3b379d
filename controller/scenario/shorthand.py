"""What steps of a scenario are made of: what may stand after a word, and acts that have to be allowed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from controller.core.custody.state import Card, parse_card
from controller.scenario.player import Player, Stopped
from controller.scenario.slots import Slot

Words: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What may stand after the word, and what it does."""

    slots: tuple[Slot, ...]
    do: Callable[[Player, Words], None]


def must(player: Player, person: str, act: str, **values: str) -> None:
    """An act inside a shorthand: there it has to be allowed."""
    player.act(person, act, values)
    if player.refusal is not None:
        raise Stopped("refused-inside", act=act, guard=player.refusal.guard, rule=player.refusal.rule)


def card_named(word: str) -> Card:
    """The card of this name."""
    card = parse_card(word)
    if card is None:  # the slot has seen to it
        raise Stopped("values", act=word)
    return card
