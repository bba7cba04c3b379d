"""The type of a scenario's step, and helpers for steps that consist of several acts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias, TypeVar

from controller.core.custody.state import Card, parse_card
from controller.core.money import cents_of, units
from controller.core.words import Device, Role
from controller.scenario.slots import Slot
from controller.scenario.table_player import Stopped, TablePlayer

Words: TypeAlias = tuple[str, ...]
AnyPlayer: TypeAlias = TablePlayer[Any]
At = TypeVar("At", bound=AnyPlayer, contravariant=True)
"""The kind of table that a word is for."""


@dataclass(frozen=True, slots=True)
class Step(Generic[At]):
    """One word of `given` and `when`: the values that may follow it, and the function that does what the word says.
    `of`: the device that the table needs for this word; None for none.
    """

    slots: tuple[Slot, ...]
    do: Callable[[At, Words], None]
    of: Device | None = None


def must(player: AnyPlayer, person: str, act: str, /, **values: str) -> None:
    """Does the act `act` of a person as part of a step. Raises Stopped if the act is refused."""
    player.act(person, act, values)
    if player.refusal is not None:
        raise Stopped("refused-inside", act=act, rule=player.refusal.rule)


def together(player: AnyPlayer, person: str, act: str, second: str, /, **values: str) -> None:
    """Does the act `act` of `person`. If the act waits for a second person, also does the same act of `second`. Raises
    Stopped if an act is refused.
    """
    must(player, person, act, **values)
    if any(one.act == act for one in player.state.house.waiting):
        must(player, second, act, **values)


def agreed(player: AnyPlayer) -> None:
    """Makes a second person agree to every correction of the round: the chief supervisor to corrections of the dealer,
    the dealer to all others.
    """
    roles = dict.fromkeys(one.role for one in player.state.game.corrected_by)
    for person in dict.fromkeys("chief" if role is Role.DEALER else "dealer" for role in roles):
        must(player, person, "agree-corrections")


def card_named(word: str) -> Card:
    """Returns the card of this name. Raises Stopped for an unknown name."""
    card = parse_card(word)
    if card is None:  # the slot has checked the word already
        raise Stopped("values", act=word)
    return card


def as_shown(amount: str) -> str:
    """Converts an amount as a scenario writes it into the form in which the table shows amounts."""
    return units(cents_of(amount))
