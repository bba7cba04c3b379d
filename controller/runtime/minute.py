"""Counts events for one entry a minute, and notices when the journal's second copy fails or works again."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from controller.core.words import Device, Person
from controller.runtime.entries import (
    FramesRejected,
    SecondCopyFailed,
    SecondCopyRestored,
    ShellOnly,
    SignInsKeptAway,
    Summed,
)
from drivers.supervisor import DeviceSupervisor

MOST_PEOPLE: Final = 16
"""The most people of one minute that are counted singly; further people are counted together under `OTHERS`."""

OTHERS: Final = Person(0)

MOST_SOURCES: Final = 16
"""The most pairs of source and kind that are counted singly in one minute; further pairs are counted together by kind.
"""


class Minute:
    """Counts events between two calls of `take`. `copy_trouble`: the reason why the second copy of the journal cannot
    be written; "" if it can be written.
    """

    def __init__(self) -> None:
        self.copy_trouble = ""
        self._copy_told = ""
        self._kept_away: Counter[Person] = Counter()
        self._rejected: dict[Device, int] = {}
        self._replaced: dict[Device, int] = {}
        self._summed: Counter[tuple[str, str]] = Counter()

    def kept_away(self, person: Person) -> None:
        """Counts a PIN that was tried for the locked-out person `person`. Each minute counts up to MOST_PEOPLE people
        one by one, and all further people together as OTHERS.
        """
        known = person in self._kept_away or len(self._kept_away) < MOST_PEOPLE
        self._kept_away[person if known else OTHERS] += 1

    def summed(self, source: str, what: str) -> None:
        """Counts an event of kind `what` from `source` without an entry of its own. Each minute counts up to
        MOST_SOURCES pairs of source and kind one by one, and further events under the source "".
        """
        known = (source, what) in self._summed or len(self._summed) < MOST_SOURCES
        self._summed[source if known else "", what] += 1

    def take(self, supervisors: Mapping[Device, DeviceSupervisor]) -> list[ShellOnly]:
        """Returns the records with the counts since the last call, and sets the counts back to 0.

        `supervisors`: the devices' supervisors, which count bad frames and replaced status reports.
        """
        return [*self._frames(supervisors), *self._people(), *self._too_many(supervisors), *self._copy()]

    def _frames(self, supervisors: Mapping[Device, DeviceSupervisor]) -> Iterator[ShellOnly]:
        for device, supervisor in supervisors.items():
            total = supervisor.frames_rejected
            if new := total - self._rejected.get(device, 0):
                self._rejected[device] = total
                yield FramesRejected(device, new)

    def _people(self) -> Iterator[ShellOnly]:
        kept, self._kept_away = self._kept_away, Counter()
        for person, count in sorted(kept.items()):
            yield SignInsKeptAway(person, count)

    def _too_many(self, supervisors: Mapping[Device, DeviceSupervisor]) -> Iterator[ShellOnly]:
        summed, self._summed = self._summed, Counter()
        for device, supervisor in supervisors.items():
            if new := supervisor.statuses_replaced - self._replaced.get(device, 0):
                self._replaced[device] = supervisor.statuses_replaced
                yield Summed(device.value, "figures", new)
        for (source, what), count in sorted(summed.items()):
            yield Summed(source, what, count)

    def _copy(self) -> Iterator[ShellOnly]:
        if self._copy_told != self.copy_trouble:
            self._copy_told = self.copy_trouble
            yield SecondCopyFailed(self.copy_trouble) if self.copy_trouble else SecondCopyRestored()
