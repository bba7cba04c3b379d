"""A journal's export as the books take it: read by the oracles' reader, which is the only one here."""

from dataclasses import dataclass, field
from pathlib import Path

from simulators.oracles.export_reader import Entry, read_export_file

__all__ = ["Entry", "Export", "read_export"]


@dataclass(slots=True)
class Export:
    """The entries as far as they could be read, and what is wrong with the file, each a plain sentence."""

    entries: list[Entry] = field(default_factory=list)
    head: str = ""
    faults: list[str] = field(default_factory=list)


def read_export(path: Path) -> Export:
    """Reads and checks a whole export: chain, numbering, last line."""
    read = read_export_file(path)
    return Export(read.entries, read.head, [str(fault) for fault in read.faults])
