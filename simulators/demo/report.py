"""The report at the end of a demo: the oracles' judgement, and the document of `--json` (DESIGN section 5)."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct, field

from controller.protocol.status import Status
from simulators.demo.house import House
from simulators.demo.judged import Evidence, sighting_in, violations
from simulators.demo.killer import Kill
from simulators.demo.physical import PhysicalBook
from simulators.demo.segments import SegmentTail
from simulators.demo.stage import Played
from simulators.oracles.export_entries import Entry
from simulators.oracles.export_reader import read_export_file

KILLED = -9
"""The exit code of a killed controller: it is started again, which is no fault."""


class Evening(Struct):
    """The results of one demo, collected until the table has closed."""

    played: Played
    physical: PhysicalBook
    deck: Mapping[int, str]  # number and face of every card that was ever brought in
    decks: int
    jackpot_cents: int
    seed: int
    kills: list[Kill] = field(default_factory=list)
    starts: int = 1
    exit_code: int | None = 0
    began_s: float = 0.0
    wall_seconds: float = 0.0

    @property
    def last_status(self) -> Status:
        return msgspec.json.decode(self.played.status, type=Status)


def evidence(house: House, evening: Evening) -> Evidence | None:
    """Verifies and exports the journal in `house` with the real `sabot journal`, and returns the evidence on `evening`
    for the oracles. Returns None if the export fails.
    """
    verified = journal_command(house, "verify", str(house.journal), "--json")
    if journal_command(house, "export", str(house.journal), "--out", str(house.export)) is None:
        return None
    status = evening.last_status
    pool_cents = None if status.jackpot is None else status.jackpot.amount_cents
    return Evidence(
        deck=evening.deck,
        physical=evening.physical,
        looks=evening.played.looks,
        sightings=[*evening.played.sightings, sighting_in(evening.played.status)],
        export=read_export_file(house.export),
        head=status.journal.head,
        tally=status.tally,
        verified=verified is not None,
        pool_cents=pool_cents,
        sign_cents=None if pool_cents is None else evening.jackpot_cents,
    )


def document(house: House, evening: Evening) -> dict[str, object]:
    """Returns the JSON document of the demo `evening`. The document has the oracles' judgement only if the demo reached
    its end.
    """
    found = _own_violations(evening)
    entries = SegmentTail(house.journal).new_entries()
    if evening.played.is_over:
        evidenced = evidence(house, evening)
        found += ["journal: it cannot be read"] if evidenced is None else violations(evidenced)
    return _document(evening, entries, found) | {
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


def _document(evening: Evening, entries: Sequence[Entry], found: Sequence[str]) -> dict[str, object]:
    status, places = evening.last_status, Counter(evening.physical.places)
    withdrawn, _spare = places.pop("withdrawn", 0), places.pop("spare", 0)
    tally, counts = Counter(status.tally), status.counts or {}
    done = Counter(entry.kind for entry in entries if not entry.refused)
    refused = Counter(entry.kind for entry in entries if entry.refused)
    cards = 52 * evening.decks
    return {
        "rounds": tally["rounds"],
        "cards_drawn": tally["drawn"],
        "cards_inside": counts.get("inside", 0),
        "cards_in_discard": counts.get("rack", 0),
        "cards_unloaded": cards * done["complete-unloading"],
        "burned": tally["burned"],
        "jams_raised": tally["jams_raised"],
        "jams_cleared": tally["jams_cleared"],
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
        "cards_loaded": cards * (done["complete-loading"] + done["fill-shoe"]),
        "duties_reported": done["report-duty"],
        "duties_open": [duty.kind for duty in status.duties],
        "refused": dict(sorted(refused.items())),
        "kills": [
            {"entries": kill.entries, "last": kill.last, "at_s": round(kill.at_s - evening.began_s, 3)}
            for kill in evening.kills
        ],
        "controller_starts": evening.starts,
        "wall_seconds": round(evening.wall_seconds, 1),
        "passed": not found,
    }


def journal_command(house: House, *words: str) -> str | None:
    """Runs `sabot journal` with the arguments `words` and returns the output; None if the command fails. The command's
    messages on stderr are written to the controller's log in `house`.
    """
    command = [sys.executable, "-m", "controller.cli.main", "journal", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    with house.log.open("a", encoding="utf-8") as log:
        log.write(done.stderr)
    return done.stdout if done.returncode == 0 else None


def print_document(made: dict[str, object]) -> None:
    """Prints exactly one JSON document on stdout."""
    print(json.dumps(made, ensure_ascii=False, indent=2), flush=True)
