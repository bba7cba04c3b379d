"""Tests that the jam lamp lights by itself when the controller dies: keeps the lamp dark until this process is killed.

    python -m drivers.dark_lamp PORT LINE ACTIVE_LOW

LINE is the line's number on its chip, or `-` for a pseudo-terminal; ACTIVE_LOW is 1 or 0. The process prints `dark`
once the relay has power.
"""

import sys
import time
from typing import Final

from drivers.gpio_port import open_gpio
from drivers.lamp import AGAIN_S
from drivers.parts import POWER
from drivers.ports import Port
from drivers.serial_port import open_serial

NO_LINE: Final = "-"
HELD: Final = "dark"


def main(path: str, line: str, active_low: str) -> None:
    """Powers the lamp's relay, which keeps the lamp dark; never returns. Raises PortError."""
    port: Port = open_serial(path) if line == NO_LINE else _line(path, line, active_low)
    port.write(POWER)
    print(HELD, flush=True)
    while True:
        time.sleep(AGAIN_S)
        port.write(POWER)


def _line(path: str, line: str, active_low: str) -> Port:
    return open_gpio(path, int(line), is_output=True, active_low=active_low == "1")


if __name__ == "__main__":
    main(*sys.argv[1:])
