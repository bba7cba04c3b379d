"""Journals for the oracles, made entry by entry. The product's code makes only the setup in the first entry."""

from collections.abc import Mapping

from simulators.oracles.export_entries import Entry, Source, read_entry
from simulators.oracles.export_reader import Export
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import check_export
from simulators.oracles.sightings import SeenHold, Sighting
from tests.oracles.recorded_player import recorded_text

SETUP: Mapping[str, object] = read_entry(recorded_text("given mixed").payloads[0], "").body
CARDS = 312
STATUS: Mapping[str, object] = {
    "cards_in": 312,
    "cards_out": 0,
    "inside": 312,
    "jams": 0,
    "recounts": 0,
    "jammed": False,
    "path_blocked": False,
    "lid_open": False,
}


class Journal:
    """A journal that advances a tenth of a second with each entry. `sightings`: a status after each shown entry."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.sightings: list[Sighting] = []
        self.status = dict(STATUS)
        self.events = 0
        self.ms = 0
        self.boot = 1
        self.add("controller-started", **SETUP)
        self.connect("shuffler", boot=7, shuffler=self.status)
        self.connect("shoe", boot=3)

    def add(self, kind: str, **body: object) -> "Journal":
        return self.take(kind, body)

    def take(self, kind: str, body: Mapping[str, object], source: Source | None = None) -> "Journal":
        self.ms += 100
        seq = len(self.entries) + 1
        ns, chain = self.ms * 1_000_000, f"{seq:064x}"
        self.entries.append(Entry(seq, self.boot, ns, 0, True, self.ms, kind, body, source, None, chain))
        return self

    def wait(self, ms: int) -> "Journal":
        self.ms += ms
        return self

    def act(self, kind: str, role: str = "dealer", **body: object) -> "Journal":
        people = {"dealer": 11, "chief_supervisor": 21, "room_manager": 31, "technician": 41}
        return self.add(kind, person=people[role], role=role, **body)

    def connect(self, device: str, *, boot: int, serial: str = "", shuffler: object = None) -> "Journal":
        return self.add(
            "device-connected", device=device, serial=serial or f"SIM-{device}", boot=boot, shuffler=shuffler
        )

    def shuffler(self, kind: str = "shuffler-status-heard", *, number: int = 0, **status: object) -> "Journal":
        """Adds an event of the shuffler with new figures; without an event kind only the figures.

        Returns the journal.
        """
        self.status = self.status | status
        if kind == "shuffler-status-heard":
            return self.add(kind, status=self.status)
        self.events = number or self.events + 1
        body = {"source": {"boot": 7, "number": self.events}, "status": self.status}
        return self.take(kind, body, source=Source("shuffler", 7, self.events))

    def show(self, *holds: SeenHold, session: str = "in-play", digest: str | None = None, **counts: int) -> "Journal":
        """Adds a status after the last entry; a place without a number has no card. Returns the journal."""
        places = {"inside": CARDS} | counts
        self.sightings.append(Sighting(len(self.entries), holds, 0, session, "idle", places, digest))
        return self

    def rules(self) -> set[str]:
        """Returns the rules that this journal breaks."""
        figures = figures_bound_by(self.entries[0])
        return {one.rule for one in check_export(Export(entries=self.entries), figures, self.sightings)}
