"""The acts of a round as people have put them right: without one that was taken back, with other values, or another.

People name an act by its number in the round's list. The list begins with the first act that may be put right, ends
with the round, and counts every act that was allowed. What follows from the acts is worked out by whoever plays the
standing ones again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from simulators.oracles.export_entries import Entry

CORRECTIONS: Final = frozenset(("correct-entry", "correct-spin-entry"))
ABOUT_THE_LIST: Final = CORRECTIONS | {"confirm-differences"}
"""Acts that stand in no round's list."""

_OWN: Final = ("entry", "instead", "role", "person")


@dataclass(slots=True)
class _Said:
    """One entry; what stands in its place: None where it was taken back."""

    entry: Entry
    stands: Entry | None


@dataclass(slots=True)
class Acts:
    """Everything that was said, from the journal's beginning; None: a step at which nothing waits any more."""

    may_be_put_right: frozenset[str]  # acts of which one begins a list
    _said: list[_Said | None] = field(default_factory=list)
    _begin: int | None = None  # where the round's list begins

    def take(self, entry: Entry) -> None:
        """An entry that was not refused."""
        if self._begin is None and entry.kind in self.may_be_put_right:
            self._begin = len(self._said)
        self._said.append(_Said(entry, entry))

    def step(self) -> None:
        """Another step of session or round is seen."""
        self._said.append(None)

    def end_round(self) -> None:
        self._begin = None

    def put_right(self, correction: Entry) -> Entry | None:
        """From here on the act that it names stands as it says; the act that is meant, None where the list has none."""
        begin = len(self._said) if self._begin is None else self._begin
        acts = [one for one in self._said[begin:] if one is not None and one.entry.is_act]
        number = correction.number("entry")
        if not 0 < number <= len(acts):
            return None
        meant = acts[number - 1]
        meant.entry, meant.stands = _corrected(meant.entry, correction)
        return meant.entry

    def of_the_round(self) -> Iterator[Entry]:
        """The entries that stand since the round's list began."""
        said = () if self._begin is None else self._said[self._begin :]
        return (one.stands for one in said if one is not None and one.stands is not None)

    def standing(self) -> Iterator[Entry | None]:
        """The entries that stand, in their order, with the steps between."""
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
