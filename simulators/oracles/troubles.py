"""Reasons for which a table must hold, as an observer infers them from the facts, and how people end them.

An entry that raises a hold does not name the hold's number; the acts that end it name nothing but the number. Numbers
are given in the order in which holds are raised: that, and what a status has shown (`told`), joins the two.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(slots=True)
class Trouble:
    """One reason to hold. The same kind at the same device is one, whose cause came again."""

    kind: str
    device: str | None
    order: int  # the how-manieth
    raised: int  # the entry of the last cause
    since_ms: int
    phase: str = "raised"  # raised, attended, cleared
    seat: int = 0  # of a complaint: each seat has its own
    about: int = 0  # and for each round
    is_of_the_grid: bool = False  # the dealer's grid has less than the reader saw
    number: int | None = None  # known once somebody has named it
    attended_by: int | None = None
    technician_called: bool = False
    repaired_by: int | None = None
    needs_count: bool = False
    counted: bool = False
    is_of_a_card: bool = False  # a ruling on the last card that was dealt
    is_of_leftovers: bool = False  # a ruling on used cards that could not be put back (mo.2.2.4)
    instead_of: str = ""  # a spare device was ruled: not the one with this number ends it
    moved_in: int = 0  # cards that the machine moved while this stood
    moved_out: int = 0
    may_be_over: bool = False  # people have closed a damage of the journal since: its end may be among what was lost

    @property
    def name(self) -> str:
        """Its kind and number, as a violation names it."""
        return self.kind if self.number is None else f"{self.kind} H{self.number}"


class Troubles:
    """All that stand, in the order in which they were raised."""

    def __init__(self, told: Mapping[int, tuple[str, str | None]]) -> None:
        self.standing: list[Trouble] = []
        self._told = told
        self._raised = 0
        self._offset = 0  # number minus order, as far as it has shown itself
        self._ended: set[int] = set()

    def of(self, kind: str, device: str | None = None) -> Trouble | None:
        """The one of this kind at this device, if it stands."""
        return next((one for one in self.standing if (one.kind, one.device) == (kind, device)), None)

    def kinds(self) -> set[str]:
        """The kinds of all that stand."""
        return {one.kind for one in self.standing}

    @property
    def keep_the_machine_open(self) -> bool:
        """People are at a jam, or under the lid, and have not cleared it."""
        return any(one.kind in {"jam", "lid"} and one.phase != "cleared" for one in self.standing)

    def raise_(
        self,
        kind: str,
        device: str | None,
        seq: int,
        at_ms: int,
        *,
        needs_count: bool = False,
        seat: int = 0,
        about: int = 0,
    ) -> Trouble:
        """A cause has come, or come again: whoever had attended must attend again."""
        same = (
            one for one in self.standing if (one.kind, one.device, one.seat, one.about) == (kind, device, seat, about)
        )
        trouble = next(same, None)
        if trouble is None:
            self._raised += 1
            trouble = Trouble(kind, device, self._raised, seq, at_ms, seat=seat, about=about)
            self.standing.append(trouble)
        trouble.phase, trouble.raised, trouble.counted = "raised", seq, False
        trouble.needs_count = trouble.needs_count or needs_count
        return trouble

    def end(self, *kinds: str) -> None:
        """All of these kinds are over."""
        self.standing = [one for one in self.standing if one.kind not in kinds]

    def end_one(self, trouble: Trouble) -> None:
        """One is over."""
        if trouble.number is not None:
            self._ended.add(trouble.number)
        self.standing = [one for one in self.standing if one is not trouble]

    def numbered(self, number: int) -> Trouble | None:
        """The trouble that people mean by this number; None where the entries do not let one know."""
        known = next((one for one in self.standing if one.number == number), None)
        if known is not None or number in self._ended:
            return known
        found = self._as_told(number) or self._by_order(number)
        if found is not None:
            found.number = number
            self._offset = number - found.order
        return found

    def show(self, number: int, kind: str, device: str | None, seq: int, at_ms: int) -> None:
        """A status shows a hold; one that no entry has let expect stands all the same."""
        trouble = self.of(kind, device)
        if number not in self._ended and trouble is None:
            trouble = self.raise_(kind, device, seq, at_ms)
        if trouble is not None and trouble.number is None:
            trouble.number = number

    def people(self) -> set[int]:
        """All who attend something, or have mended it."""
        return {who for one in self.standing for who in (one.attended_by, one.repaired_by) if who is not None}

    def _as_told(self, number: int) -> Trouble | None:
        told = self._told.get(number)
        return None if told is None else self.of(*told)

    def _by_order(self, number: int) -> Trouble | None:
        """Of those that have no number yet: the only one, else the one whose turn this number is, else the first."""
        if number in self._told:
            return None
        free = [one for one in self.standing if one.number is None]
        in_turn = [one for one in free if one.order + self._offset == number]
        return next(iter(in_turn or free), None)
