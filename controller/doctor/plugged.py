"""Finds the port at which a device of a kind answers. People then need not know the ports."""

import time
from collections.abc import Iterable
from functools import partial
from random import SystemRandom
from typing import Final

from controller.core.words import Device
from controller.devices.device_kinds import KINDS
from controller.doctor.hands_on import SESSIONS_PER_S
from controller.runtime.devices import STARTS_IN_OPENING, tdp_supervisor
from drivers.open_port import open_port
from drivers.running import Running
from drivers.supervisor import DeviceSupervisor
from drivers.trouble import TroubleCode

LISTENS_FOR_S: Final = 3.0
"""Seconds for which a port is tried. Another device is known at once; only a silent port takes as long."""


def port_of(kind: Device, ports: Iterable[str], *, simulated: bool, deals: bool) -> str | None:
    """Returns the first of the ports at which a device of this kind answers by TDP, or None. Tells the device nothing
    else.

    `simulated`: True if a pseudo-terminal may be a port. `deals`: False for a shoe that reads at a shuffler's mouth.
    """
    if KINDS[kind].tdp is None:
        return None
    return next((port for port in ports if _answers(kind, port, simulated=simulated, deals=deals)), None)


def _answers(kind: Device, port: str, *, simulated: bool, deals: bool) -> bool:
    make = tdp_supervisor(
        kind,
        None,
        simulated=simulated,
        start_number=_start_number(),
        jitter=SystemRandom().random,
        deals=deals,
    )
    supervisor = make(lambda: (0, 0))
    opener = partial(open_port, port, refuse_pseudo_terminal=not simulated)
    with Running(supervisor, opener, lambda _now_s: None) as running:
        running.until(lambda: supervisor.connected or _is_another(supervisor), LISTENS_FOR_S)
        return supervisor.connected


def _is_another(supervisor: DeviceSupervisor) -> bool:
    return supervisor.trouble is not None and supervisor.trouble.code is not TroubleCode.SILENT


def _start_number() -> int:
    """Returns a number for the session that no earlier search had, and that the device's next test will not have."""
    return (int(SESSIONS_PER_S * time.time()) + STARTS_IN_OPENING // 2) % STARTS_IN_OPENING
