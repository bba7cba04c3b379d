"""The steps of each jam, recounted from the entries: raised, attended, cleared, let go by the machine, confirmed."""

from simulators.books.export import Entry
from simulators.books.journal_book import JamRecord
from simulators.books.rules import whole


class JamSteps:
    """Which entry took which step of which jam."""

    def __init__(self, jams: list[JamRecord]) -> None:
        self._jams = jams
        self._attended: dict[int, int] = {}  # hold: entry
        self._cleared: dict[int, int] = {}

    def take(self, entry: Entry) -> None:
        """One entry more."""
        match entry.kind:
            case "shuffler-jammed":
                self._raised(entry)
            case "attend-hold":
                self._attended[entry.number("hold")] = entry.seq
            case "clear-hold":
                self._cleared[entry.number("hold")] = entry.seq
            case "jam-released":
                self._released(entry)
            case "confirm-hold":
                self._confirmed(entry)
            case _:
                pass

    def _raised(self, entry: Entry) -> None:
        """The machine may say of the same jam again."""
        number = whole(entry.part("status"), "jams")
        if all(jam.number != number for jam in self._jams):
            self._jams.append(JamRecord(number, entry.seq))

    def _released(self, entry: Entry) -> None:
        """The machine goes on: that jam's hold is the one that was cleared last."""
        for jam in self._jams:
            cleared = max((seq for seq in self._cleared.values() if seq < entry.seq), default=0)
            if not jam.released and cleared > jam.raised:
                hold = next(number for number, seq in self._cleared.items() if seq == cleared)
                jam.released, jam.cleared, jam.attended = entry.seq, cleared, self._attended.get(hold, 0)

    def _confirmed(self, entry: Entry) -> None:
        cleared = self._cleared.get(entry.number("hold"), 0)
        for jam in self._jams:
            if jam.cleared and jam.cleared == cleared and not jam.confirmed:
                jam.confirmed = entry.seq
