"""Changes a medium like an attacker who knows the journal's format and has no key."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from controller.journal.entry import Entry, encode_entry
from controller.journal.format import RecordEncoder, segment_name
from controller.journal.recovery import Recovery
from controller.journal.storage import DirectoryReader
from controller.journal.verify import entries_of
from tests.daemon.rig import CHIEF

BY_CHIEF = {"person": CHIEF, "role": "chief_supervisor"}
ENDS_THE_HOLD: tuple[tuple[str, dict[str, object]], ...] = (
    ("frames-rejected", {"count": 3, "device": "shoe"}),
    ("sign-in", {"operation": "loading", **BY_CHIEF}),
    ("attend-hold", {"hold": 1, **BY_CHIEF}),
    ("clear-hold", {"hold": 1, **BY_CHIEF}),
    ("confirm-hold", {"hold": 1, **BY_CHIEF}),
)
"""The kinds and bodies of the attacker's entries; the first is no act and ends no hold."""


def last_of(journal: Path) -> int:
    with DirectoryReader(journal) as storage:
        return Recovery(storage).next_seq - 1


def lengthen(second: Path, told: Sequence[tuple[str, dict[str, object]]] = ENDS_THE_HOLD) -> None:
    """Appends entries with right numbers, checksums and chain values to the second copy, which takes no key."""
    *_, before = entries_of(second)
    with DirectoryReader(second) as storage:
        tip = Recovery(storage).tip()
    encoder, data = RecordEncoder(tip.head, tip.next_seq), b""
    for kind, body in told:
        raw = msgspec.Raw(msgspec.json.encode(body, order="sorted"))
        values = {name: getattr(before, name) for name in ("boot", "mono_ns", "table_ms", "wall_ms", "wall_synced")}
        data += encoder.encode(encode_entry(Entry(body=raw, kind=kind, seq=encoder.next_seq, **values)))
    with (second / segment_name(tip.segment)).open("ab") as file:
        file.write(data)
