"""Controls the lamp and the buzzer as the core wishes, and reads the key switch and the badge reader. Neither the key
nor a badge gives a right by itself. Key and badge together replace the PIN of one request (credentials.py). The status
shows key and badge.
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, TypeAlias

from controller.config import Config, PartConfig, PartKind
from controller.core.house.wanted import Desired
from controller.daemon.logs import Log
from controller.screen.surroundings import Part as PartState
from controller.screen.surroundings import Surroundings
from drivers.badge import BadgeReader
from drivers.badge_port import open_badge_reader
from drivers.key_switch import KeySwitch
from drivers.lamp import Buzzer, Lamp
from drivers.parts import Part, PartSupervisor
from drivers.ports import OpenPort, Port
from drivers.serial_io import SerialShell
from drivers.serial_port import is_pseudo_terminal, open_serial

MAKE: Final[Mapping[PartKind, Callable[[], Part]]] = {
    PartKind.LAMP: Lamp,
    PartKind.BUZZER: Buzzer,
    PartKind.KEY_SWITCH: KeySwitch,
    PartKind.BADGE_READER: BadgeReader,
}

TRIED_S: Final = 3.0
"""The time for which a lamp is lit when a technician tries it."""

OnBadge: TypeAlias = Callable[[str], None]
"""Called with the number of a badge that was held to the reader."""


class Parts:
    """The lamp, buzzer, key switch and badge reader of one table. All methods are called in the loop's thread."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, config: Config, around: Surroundings, log: Log, on_badge: OnBadge
    ) -> None:
        self._loop = loop
        self._around = around
        self._log = log
        self._on_badge = on_badge
        self._supervisors = {one.kind: PartSupervisor(one.kind.value, MAKE[one.kind]()) for one in config.parts}
        self._shells = [
            SerialShell(loop, self._supervisors[one.kind], part_opener(config, one), self._changed, one.port)
            for one in config.parts
        ]
        self._was_connected: dict[PartKind, bool] = {}
        self._is_wanted: bool | None = None  # the wished light of the lamp; None before the core's first wish
        self._tried_until_s = float("-inf")
        self._rejected = 0

    def start(self) -> None:
        """Begins to open the ports."""
        for shell in self._shells:
            shell.start()
        self._show()

    def bring_about(self, desired: Desired | None) -> None:
        """Switches the lamp as `desired` says, and sounds the buzzer when the lamp goes on. Does nothing if `desired`
        is None.
        """
        if desired is not None and desired.lamp is not self._is_wanted:
            self._is_wanted = desired.lamp
            self._show_lamp(rings=desired.lamp)

    def _show_lamp(self, *, rings: bool = False) -> None:
        if self._is_wanted is None:
            return
        lit = self._is_wanted or self._loop.time() < self._tried_until_s
        for supervisor in self._supervisors.values():
            match supervisor.part:
                case Lamp() as lamp:
                    lamp.light(lit=lit)
                case Buzzer() as buzzer if rings:
                    buzzer.alarm(self._loop.time())
                case _:
                    pass
        for shell in self._shells:
            shell.pump()
        self._show()

    def has(self, kind: PartKind) -> bool:
        return kind in self._supervisors

    def try_out(self, kind: PartKind) -> None:
        """Lights the lamp for TRIED_S seconds, or sounds the buzzer once, for a technician's test. A lamp that a hold
        has lit stays lit.
        """
        match self._supervisors[kind].part:
            case Lamp():
                self._tried_until_s = self._loop.time() + TRIED_S
                self._loop.call_later(TRIED_S + 0.01, self._show_lamp)
            case Buzzer() as buzzer:
                buzzer.alarm(self._loop.time())
            case _:
                pass
        self._show_lamp()

    async def stop(self) -> bool:
        """Closes the ports. The relay then loses its power, which lights the lamp. Returns False if a port hangs."""
        closed = await asyncio.gather(*(shell.stop() for shell in self._shells))
        return all(closed)

    # ---- within

    def _changed(self) -> None:
        for supervisor in self._supervisors.values():
            match supervisor.part:
                case KeySwitch() as key:
                    for is_on in key.turns():
                        self._log.say("key-turned", device=supervisor.name, state="on" if is_on else "off")
                case BadgeReader() as reader:
                    self._take_badges(reader)
                case _:
                    pass
        self._show()

    def _take_badges(self, reader: BadgeReader) -> None:
        rejected = sum(reader.rejected.values())
        if rejected != self._rejected:
            self._rejected = rejected
            self._log.say("badge-rejected", device=PartKind.BADGE_READER.value, total=rejected)
        for number in reader.shown():
            self._on_badge(number)

    def _show(self) -> None:
        for kind, supervisor in self._supervisors.items():
            self._tell_of_link(kind, supervisor)
            detail = supervisor.trouble.detail if supervisor.trouble else ""
            self._around.parts[kind.value] = PartState(
                supervisor.connected, supervisor.part.state, detail, supervisor.reconnects
            )

    def _tell_of_link(self, kind: PartKind, supervisor: PartSupervisor) -> None:
        before, now = self._was_connected.get(kind), supervisor.connected
        self._was_connected[kind] = now
        if now and not before:
            self._log.say("part-connected", device=kind.value, reconnects=supervisor.reconnects)
        elif before and not now:
            detail = supervisor.trouble.detail if supervisor.trouble else ""
            self._log.say("part-lost", device=kind.value, detail=detail)


def part_opener(config: Config, part: PartConfig) -> OpenPort:
    """Returns a function that opens the part's port. Only a simulated table may use a pseudo terminal as the port."""
    return partial(_open, part, simulated=config.table.simulated)


def _open(part: PartConfig, *, simulated: bool) -> Port:
    if simulated and is_pseudo_terminal(part.port):
        return open_serial(part.port)
    if part.line is None:
        return open_badge_reader(part.port)
    from drivers.gpio_port import open_gpio  # gpiod is needed only for lines of the computer

    is_output = part.kind in (PartKind.LAMP, PartKind.BUZZER)
    return open_gpio(part.port, part.line, is_output=is_output, active_low=part.active_low)
