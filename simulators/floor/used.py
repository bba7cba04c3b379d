"""Measures the processor time of processes with their descendants, and the disk space of a database."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg

_TICKS: Final = os.sysconf("SC_CLK_TCK")


def processor_s(pids: Sequence[int]) -> float:
    """Returns the processor seconds that the processes `pids` and their descendants have used, with ended children."""
    parents = {int(path.name): _fields(path) for path in Path("/proc").iterdir() if path.name.isdigit()}
    used, known = 0.0, set(pids)
    for pid in sorted(parents):
        fields = parents[pid]
        if fields and (pid in known or int(fields[1]) in known):
            known.add(pid)
            used += sum(int(one) for one in fields[11:15]) / _TICKS
    return used


def _fields(path: Path) -> list[str]:
    """Returns the fields of /proc/PID/stat from the state on; empty if the process has ended."""
    try:
        return (path / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


@dataclass(frozen=True, slots=True)
class Disk:
    """The size in bytes of a database, and of all write-ahead log that its server has written."""

    database: int
    log: int


def disk(conninfo: str) -> Disk:
    with psycopg.connect(conninfo) as connection:
        found = connection.execute(
            "select pg_database_size(current_database()), pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"
        ).fetchone()
    return Disk(0, 0) if found is None else Disk(int(found[0]), int(found[1]))
