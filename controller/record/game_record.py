"""The part of a record that differs from game to game: the seats that an entry concerns, and the cards' places."""

from collections.abc import Callable, Iterable, Iterator
from typing import Generic

from msgspec import Struct

from controller.catalogue import Language
from controller.core.house.state import State, StateT
from controller.core.words import Place


def _no_seats(_before: State | None, _after: State) -> Iterable[int]:
    return ()


def _nothing_received(_before: State, _after: State, _language: Language) -> Iterator[str]:
    return iter(())


def _no_cards(_state: State) -> Iterable[tuple[Place, int]]:
    return ()


class GameRecord(Struct, Generic[StateT], frozen=True):
    """The functions that describe the entries of one game. The defaults are for a table without cards."""

    seats: Callable[[StateT | None, StateT], Iterable[int]] = _no_seats
    """Returns the seats of the cards that an entry has added or changed."""
    received: Callable[[StateT, StateT, Language], Iterator[str]] = _nothing_received
    """Returns the sentences about cards that got their place with an entry."""
    places: Callable[[StateT], Iterable[tuple[Place, int]]] = _no_cards
    """Returns the number of cards in each place that has cards."""
