"""The end of a demo: the books are closed and compared, and the document of `--json` is made (DESIGN section 5)."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from simulators.books.compare import Books, violations
from simulators.books.export import read_export
from simulators.books.journal_book import JournalBook
from simulators.books.physical import PhysicalBook
from simulators.books.recount_shoe import recount
from simulators.books.segments import SegmentTail
from simulators.books.status_book import StatusBook, read_status_book
from simulators.demo.house import House
from simulators.demo.killer import Kill
from simulators.demo.stage import Played

KILLED = -9
"""How a controller ends that somebody killed: then it is started again, and that is no fault of its own."""


@dataclass(slots=True)
class Evening:
    """Everything that is known when the table has ended."""

    played: Played
    physical: PhysicalBook
    jackpot_cents: int
    seed: int
    kills: list[Kill] = field(default_factory=list)
    starts: int = 1
    exit_code: int | None = 0
    began_s: float = 0.0
    wall_seconds: float = 0.0


def close_books(house: House, evening: Evening) -> Books | None:
    """The three books at the end; the journal is verified and exported by the real `sabot journal`. None: it cannot."""
    verified = _journal(house, "verify", str(house.journal), "--json")
    exported = _journal(house, "export", str(house.journal), "--out", str(house.export))
    if exported is None:
        return None
    export = read_export(house.export)
    snapshots = evening.played.snapshots
    return Books(
        physical=evening.physical,
        status=read_status_book(msgspec.json.decode(evening.played.status)),
        export=export,
        journal=recount((snapshot.status.seq for snapshot in snapshots), has_shuffler=house.has_shuffler).run(
            export.entries
        ),
        snapshots=snapshots,
        verified=verified is not None,
    )


def document(house: House, evening: Evening) -> dict[str, object]:
    """The JSON document. An evening that was broken off is told as far as it went, and its books are not compared."""
    found = _own_violations(evening)
    status = read_status_book(msgspec.json.decode(evening.played.status))
    entries = SegmentTail(house.journal).new_entries()
    journal = JournalBook()
    if not evening.played.is_over:
        journal = recount(has_shuffler=house.has_shuffler).run(entries)
    elif (books := close_books(house, evening)) is None:
        found.append("journal: it cannot be read")
    else:
        entries, journal = books.export.entries, books.journal
        found += violations(books)
    return _document(evening, status, journal, found) | {
        "journal": str(house.journal),
        "journal_entries": len(entries),
        "journal_head": entries[-1].chain if entries else "",
        "violations": found,
    }


def _own_violations(evening: Evening) -> list[str]:
    found = list(evening.played.dark_moments)
    if evening.played.stalled:
        found.append(evening.played.stalled)
    elif not evening.played.is_over:
        found.append("the demo was stopped before the table had closed")
    if evening.exit_code not in {0, KILLED} and not evening.played.stalled:
        found.append(f"the controller ended with exit code {evening.exit_code}")
    return found


def _document(evening: Evening, status: StatusBook, journal: JournalBook, found: Sequence[str]) -> dict[str, object]:
    places = Counter(evening.physical.places)
    withdrawn, _spare = places.pop("withdrawn", 0), places.pop("spare", 0)
    return {
        "rounds": journal.rounds,
        "cards_drawn": journal.drawn,
        "cards_inside": status.places["inside"],
        "cards_in_discard": status.places["rack"] + journal.left_in_rack,
        "cards_unloaded": journal.unloaded,
        "burned": journal.burned,
        "jams_raised": len(journal.jams),
        "jams_cleared": sum(jam.went_by_the_procedure for jam in journal.jams),
        "jackpot_cents": evening.jackpot_cents,
        "physical": {
            "cards": dict(sorted(places.items())),
            "total": sum(places.values()),
            "withdrawn": withdrawn,
            "drawn": evening.physical.drawn,
            "order": evening.physical.order,
            "burned": evening.physical.burned,
            "faults": dict(sorted(evening.physical.faults_met.items())),
            "unplugged": dict(sorted(evening.physical.unplugged.items())),
            "restarts": {device: boot - 1 for device, boot in evening.physical.boots.items()},
        },
        "seed": evening.seed,
        "cards_loaded": journal.loaded,
        "duties_opened": journal.duties_opened,
        "duties_open": list(status.duties),
        "refused": dict(sorted(journal.refused.items())),
        "kills": [
            {"entries": kill.entries, "last": kill.last, "at_s": round(kill.at_s - evening.began_s, 3)}
            for kill in evening.kills
        ],
        "controller_starts": evening.starts,
        "wall_seconds": round(evening.wall_seconds, 1),
        "passed": not found,
    }


def _journal(house: House, *words: str) -> str | None:
    """What `sabot journal` prints; None where it fails."""
    command = [sys.executable, "-m", "controller.cli.main", "journal", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    with house.log.open("a", encoding="utf-8") as log:
        log.write(done.stderr)
    return done.stdout if done.returncode == 0 else None


def print_document(made: dict[str, object]) -> None:
    """Exactly one JSON document on stdout."""
    print(json.dumps(made, ensure_ascii=False, indent=2), flush=True)
