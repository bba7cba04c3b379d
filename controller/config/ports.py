"""Checks the ports of a configuration against the device files that the computer has now."""

import os
import stat
from pathlib import Path
from typing import Final

from controller.config.keys import SECTIONS
from controller.config.problems import Problem, Said, shown
from controller.config.shape import WellFormed
from drivers.errors import system_word
from drivers.serial_port import is_pseudo_terminal
from drivers.tcp_port import socket_address
from drivers.usb_name import usb_name

_MEMORY: Final = 1
"""The system's number for /dev/null, /dev/zero and similar files, which accept everything."""


def check_ports(config: WellFormed, *, ports_may_be_missing: bool) -> list[Problem]:
    """Returns the problems of all well-formed ports, at most one for each port.

    A port must not be used twice. A device file must exist (unless `ports_may_be_missing`), be accessible and a
    terminal, and, at a real table, not belong to a simulator. USB and network ports are not examined.
    """
    problems = []
    used: dict[str, str] = {}
    for section in (section for section in SECTIONS if section.startswith("devices.")):
        key = f"{section}.port"
        if not config.has([key]):
            continue
        port = config.take(key, str)
        place = str(usb_name(port) or socket_address(port) or os.path.realpath(port))
        number = config.values.get(f"{section}.line")  # parts may share a chip, each with a line of its own
        other = used.setdefault(place if number is None else f"{place} {number}", section)
        problem = _check(config, key, port, may_be_missing=ports_may_be_missing)
        if problem is None and other != section:
            problem = _problem(key, "port-twice", (("other", other),))
        if problem is not None:
            problems.append(problem)
    return problems


def _check(config: WellFormed, key: str, port: str, *, may_be_missing: bool) -> Problem | None:
    values = (("port", shown(port)),)
    if usb_name(port) is not None or socket_address(port) is not None:
        return None  # a missing device is found when its port is opened
    try:
        found = Path(port).stat()
    except FileNotFoundError:
        return None if may_be_missing else _problem(key, "port-missing", values)
    except OSError as error:
        return _problem(key, "port-unreadable", (*values, ("detail", system_word(error))))
    if not stat.S_ISCHR(found.st_mode) or os.major(found.st_rdev) == _MEMORY:
        return _problem(key, "port-no-tty", values)
    if config.has(["table.simulated"]) and not config.take("table.simulated", bool) and is_pseudo_terminal(port):
        return _problem(key, "port-pty", values)
    return None


def _problem(key: str, name: str, values: tuple[tuple[str, str], ...]) -> Problem:
    return Problem(key, Said(f"config.wrong.{name}", values), Said(f"config.right.{name}", values))
