"""The doctor's check of the units' limits on file descriptors.

A table without a free descriptor stops in the middle of a round.
"""

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from controller.config import Config
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import Host
from controller.doctor.service import unit_text

NEEDED: Final = {"sabot": 128, "sabot-panel": 640}
"""The descriptors that each unit needs.

The controller: 64 clients, 20 lines and parts, 24 files of journal, second copy and staff, 20 of the program itself.
The panel: 512 connections and 128 other descriptors (controller/machine/connections.py).
"""

_OPEN_FILES: Final = re.compile(r"open files +(\d+|unlimited)")
_IN_UNIT: Final = re.compile(r"^LimitNOFILE=(\d+|infinity)\b", re.MULTILINE)
_WITHOUT_END: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class Descriptors:
    """A unit's limit on file descriptors, and the number that its process has open. `open`: None if the unit does not
    run, or if the doctor's user may not read its process.
    """

    unit: str
    limit: int
    open: int | None = None

    @property
    def left(self) -> int | None:
        return None if self.open is None else self.limit - self.open


def descriptors(host: Host) -> Iterator[Descriptors]:
    """Yields the descriptors of each unit: those of its process, or the limit in the unit's file if no process runs.
    Skips a unit without process and limit.
    """
    for unit in NEEDED:
        running = _running(host, unit)
        if running is not None:
            yield running
        elif said := _IN_UNIT.findall(unit_text(host, unit)):
            yield Descriptors(unit, _number(said[-1]))


def _running(host: Host, unit: str) -> Descriptors | None:
    process = host.text(f"/sys/fs/cgroup/system.slice/{unit}.service/cgroup.procs").partition("\n")[0]
    found = _OPEN_FILES.search(host.text(f"/proc/{process}/limits")) if process else None
    if found is None:
        return None
    used: int | None = None
    with suppress(OSError):  # the process belongs to another user
        used = len(os.listdir(host.path(f"/proc/{process}/fd")))  # noqa: PTH208 - only their number
    return Descriptors(unit, _number(found[1]), used)


def _number(said: str) -> int:
    return int(said) if said.isdecimal() else _WITHOUT_END


def the_descriptors_suffice(host: Host, _config: Config) -> Iterator[Finding]:
    for one in descriptors(host):
        values = {"unit": f"{one.unit}.service", "limit": str(one.limit)}
        if one.limit < NEEDED[one.unit]:
            yield critical("descriptors-few", **values, needed=str(NEEDED[one.unit]))
        if one.open is not None and one.open > NEEDED[one.unit]:
            yield warning("descriptors-grow", **values, open=str(one.open), left=str(one.left))


DESCRIPTOR_CHECKS: Final[tuple[Check, ...]] = (the_descriptors_suffice,)
