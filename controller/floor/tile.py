"""Makes the tile of a table on the room's page, with sentences in the page's language."""

from functools import partial
from typing import Final

from msgspec import Struct

from controller.catalogue import Language, sentence
from controller.floor.room import Standing, TableRow

MOST_LINES: Final = 4
"""The most lines of a tile: its absence and state come first, then its oldest holds.

Further holds are on the table's own page only.
"""


class Tile(Struct, frozen=True):
    """A table's tile on the room's page. `word`: the table's state in words. `lines`: the sentences below the state, in
    order. `is_found`: True if the floor has a finding about the table.
    """

    name: str
    standing: Standing
    word: str
    lines: list[str]
    is_found: bool


def tile_of(row: TableRow, language: Language) -> Tile:
    words = partial(sentence, language=language)
    standing = row.standing
    word = words(f"floor.page.standing.{standing.value}", {})
    lines = [row.shown.state] if row.shown.state and standing is not Standing.HELD else []
    if standing is Standing.AWAY:
        lines.insert(0, words("floor.page.away", {"minutes": str(row.heard_s // 60)}))
    lines += [words("floor.page.hold", {"hold": hold.text, "minutes": str(minutes)}) for hold, minutes in row.holds]
    return Tile(row.name, standing, word, lines[:MOST_LINES], bool(row.findings))
