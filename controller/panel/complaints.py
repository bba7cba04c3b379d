"""Keeps the words of each complaint until a person has decided it, and shows them to that person.

The status has no words that people type: the controller stores them beside the journal. So the panel itself keeps, in
memory alone, the words that were typed at its pages.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from controller.panel.moment import Moment
from controller.panel.offer import Step
from controller.protocol.status import HoldStatus, Status

_RECORDS: Final = "record-complaint"
_MOST: Final = 64
"""The most complaints whose words are kept."""

Complaint: TypeAlias = tuple[str, str, str]
"""Seat, round, and the number of a player who stands behind the seat ("": the player at the seat)."""


class HeardWords:
    """The words of the undecided complaints."""

    def __init__(self) -> None:
        self._words: dict[Complaint, str] = {}
        self._held: set[Complaint] = set()  # the status has had a hold for these
        self._upheld: tuple[int, int] | None = None  # session and round in which a complaint was upheld here

    def take(self, steps: Iterable[Step], moment: Moment | None) -> None:
        """Stores the words of a complaint that was just recorded, after any earlier words on the same complaint."""
        for act, values in steps:
            words = values.get("words", "").strip() if act == _RECORDS else ""
            if words and moment is not None:
                one = _recorded(values, moment)
                self._words[one] = " · ".join(filter(None, (self._words.pop(one, ""), words)))
        while len(self._words) > _MOST:
            del self._words[next(iter(self._words))]

    def decide(self, steps: Iterable[Step], moment: Moment | None) -> None:
        """Notes an upheld complaint, until an entry is put right or another round begins."""
        for act, values in steps:
            if act == "decide-complaint" and values.get("upheld") == "yes" and moment is not None:
                self._upheld = _round_of(moment.status)
            elif act in _PUTS_RIGHT:
                self._upheld = None

    def is_to_be_put_right(self, status: Status) -> bool:
        """True if a complaint was upheld in this round and no person has yet put an entry right. (An upheld complaint
        demands a correction.)
        """
        return self._upheld == _round_of(status)

    def follow(self, holds: Iterable[HoldStatus]) -> None:
        """Deletes the words of each complaint whose hold has ended since the last call. `holds`: the holds that are
        open now.
        """
        now = {_of(hold) for hold in holds if hold.kind == "complaint"}
        self._words = {one: words for one, words in self._words.items() if one in now or one not in self._held}
        self._held = now & self._words.keys()

    def of(self, hold: HoldStatus) -> str:
        """Returns the words of the complaint that caused `hold`. Returns "" for a hold of another kind, and for a
        complaint without words.
        """
        return self._words.get(_of(hold), "") if hold.kind == "complaint" else ""


_PUTS_RIGHT: Final = frozenset({"correct-entry", "add-entry"})


def _round_of(status: Status) -> tuple[int, int]:
    return status.session_number, status.round_number


def _recorded(values: Mapping[str, str], moment: Moment) -> Complaint:
    seat, bettor = values.get("seat", ""), values.get("bettor", "")
    return seat, values.get("round") or str(moment.status.round_number), "" if bettor == seat else bettor


def _of(hold: HoldStatus) -> Complaint:
    return hold.about.get("seat", ""), hold.about.get("round", ""), hold.about.get("behind", "")
