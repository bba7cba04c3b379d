"""Follows the acts of a round and people's corrections: acts are withdrawn, changed, replaced or added.

A correction names an act by its number in the round's list. The list begins with the first act that can be corrected,
counts every act that was not refused, and ends when the next round begins. An added act gets the next number, and is
inserted before the act that the correction names. To find a correction's consequences, play the corrected acts again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from simulators.oracles.export_entries import Entry

ADDITIONS: Final = frozenset(("add-entry", "add-spin-entry"))
CORRECTIONS: Final = frozenset(("correct-entry", "correct-spin-entry")) | ADDITIONS
ABOUT_THE_LIST: Final = CORRECTIONS | {"confirm-differences"}
"""Acts outside any round's list."""

_OWN: Final = ("entry", "instead", "also", "before", "adds", "role", "person")
_BEGINS: Final = frozenset(
    (
        "place-bet",
        "take-bets",
        "announce-no-more-bets",
        "place-chips",
        "place-value-chips",
        "launch-ball",
        "ball-launched",
    )
)
"""Entries that begin a round; after such an entry the previous round can no longer be corrected."""

_ENDS: Final = frozenset(("confirm-payments",))
"""Acts that end a round; while one of them is taken back, the round is not over."""


@dataclass(slots=True)
class _Said:
    """One entry as recorded, and as corrected.

    `stands`: the corrected entry, or None if it was withdrawn. `number`: its number in the round's list; 0 for a fact.
    """

    number: int
    entry: Entry
    stands: Entry | None


@dataclass(slots=True)
class Acts:
    """All entries since the journal's beginning, as people's corrections have left them. Notes between which entries
    the session or the round advanced to another step.
    """

    may_be_put_right: frozenset[str]  # acts that can begin a list
    _said: list[_Said | None] = field(default_factory=list)
    _begin: int | None = None  # the index at which the round's list begins
    _number: int = 0  # the number of the last act in the list
    _is_over: bool = False

    def take(self, entry: Entry) -> None:
        """Appends an entry that was not refused."""
        if self.end_with(entry):
            self._begin, self._is_over = None, False
        if self._begin is None and entry.kind in self.may_be_put_right:
            self._begin, self._number = len(self._said), 0
        self._number += entry.is_act
        self._said.append(_Said(self._number if entry.is_act else 0, entry, entry))

    def end_with(self, entry: Entry) -> bool:
        """True if `entry` begins another round. The entry then gets number 1 in a new list."""
        return self._is_over and entry.kind in _BEGINS

    def step(self) -> None:
        """Records that the session or the round has advanced to another step."""
        self._said.append(None)

    def end_round(self) -> None:
        self._is_over = self._begin is not None

    def put_right(self, correction: Entry) -> Entry | None:
        """Applies a correction to the acts that it names. Returns the corrected or added act; None if the list lacks
        one of these acts.
        """
        if correction.kind in ADDITIONS:
            return self._add(correction)
        named = [self._named(number) for number in (correction.number("entry"), *correction.items("also"))]
        found = [one for one in named if one is not None]
        if len(found) < len(named):
            return None
        meant = found[0]
        for one in found[1:]:
            one.stands = None
        meant.entry, meant.stands = _corrected(meant.entry, correction)
        self._is_over = self._is_over and meant.entry.kind not in _ENDS
        return meant.entry

    def _named(self, number: object) -> _Said | None:
        said = () if self._begin is None else self._said[self._begin :]
        return next((one for one in said if one is not None and one.number and one.number == number), None)

    def _add(self, correction: Entry) -> Entry | None:
        behind = self._named(correction.number("before"))
        if behind is None:
            return None
        self._number += 1
        body = {name: value for name, value in correction.body.items() if name not in _OWN and value is not None}
        added = behind.entry._replace(kind=correction.text("adds"), body=body)
        self._said.insert(self._said.index(behind), _Said(self._number, added, added))
        return added

    def of_the_round(self) -> Iterator[Entry]:
        """Yields the corrected entries since the round's list began."""
        said = () if self._begin is None else self._said[self._begin :]
        return (one.stands for one in said if one is not None and one.stands is not None)

    def standing(self) -> Iterator[Entry | None]:
        """Yields all corrected entries in order. Yields None wherever the session or the round advanced to another
        step.
        """
        for one in self._said:
            if one is None:
                yield None
            elif one.stands is not None:
                yield one.stands


def _corrected(entry: Entry, correction: Entry) -> tuple[Entry, Entry | None]:
    given = {name: value for name, value in correction.body.items() if name not in _OWN and value is not None}
    instead = correction.text("instead")
    if not given and not instead:
        return entry, None
    body: Mapping[str, object] = {**entry.body, **given}
    again = entry._replace(kind=instead or entry.kind, body=body)
    return again, again
