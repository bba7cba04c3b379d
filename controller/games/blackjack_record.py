"""Blackjack's part of the records: the sentences about dealt cards, their seats, and the number of cards in each place.

No sentence names a card that still lies face down.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from controller.catalogue import Language, sentence
from controller.core.custody.state import Dealt
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import Place
from controller.record.game_record import GameRecord


def _seats(before: BlackjackState | None, after: BlackjackState) -> Iterator[int]:
    return (card.seat for card in _changed(before, after))


def _changed(before: BlackjackState | None, after: BlackjackState) -> Iterator[Dealt]:
    """Yields the cards on the table that were added or changed from `before` to `after`."""
    lay = Counter(before.game.dealt if before is not None else ())
    for dealt in after.game.dealt:  # compared by value: when a hand is collected, places change
        if lay[dealt]:
            lay[dealt] -= 1
        else:
            yield dealt


def _received(before: BlackjackState, after: BlackjackState, language: Language) -> Iterator[str]:
    if after.house.tally.burned > before.house.tally.burned:
        yield sentence("told.burnt", {}, language)
    for dealt in _changed(before, after):
        if (text := _to_seat(dealt, language, is_read=after.setup.has_reader)) is not None:
            yield text


def _to_seat(dealt: Dealt, language: Language, *, is_read: bool) -> str | None:
    """Returns the sentence that tells which card a seat got. None while a reader has not yet identified the card."""
    seat = {"seat": str(dealt.seat)}
    if dealt.card is not None:
        return sentence("told.to-seat", seat | {"card": dealt.card}, language)
    if dealt.face_down is not None:
        return sentence("told.to-seat-down", seat, language)
    return None if is_read else sentence("told.to-seat-unnamed", seat, language)


def _places(state: BlackjackState) -> Iterator[tuple[Place, int]]:
    counts = ((place, getattr(state.custody.book, place.value)) for place in Place)
    return ((place, count) for place, count in counts if count)


RECORD: Final = GameRecord[BlackjackState](_seats, _received, _places)
