"""Runs supervised devices in a real asyncio loop on real ptys; the same loop serves the devices' peers."""

import asyncio
import os
import selectors
import threading
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from ptys import PtyLine
from tdp_peer import TdpPeer

from controller.devices.device_kinds import TDP_KINDS
from drivers.backoff import Backoff
from drivers.driver import MakeDriver
from drivers.events import DriverEvent
from drivers.expected import ExpectedDevice
from drivers.ports import Port
from drivers.serial_io import SerialShell
from drivers.serial_port import open_serial
from drivers.supervisor import DeviceSupervisor
from drivers.tdp_driver import make_tdp_driver
from tests.endings import HANGS_S

T = TypeVar("T")
P = ParamSpec("P")
PATIENCE_S = HANGS_S


class CountingSelector(selectors.EpollSelector):
    """Counts the turns of the loop, which shows a spinning loop."""

    def __init__(self) -> None:
        super().__init__()
        self.turns = 0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self.turns += 1
        return super().select(timeout)


def run_in_loop(main: Callable[[], Coroutine[None, None, T]]) -> T:
    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(CountingSelector())) as runner:
        return runner.run(main())


def in_loop(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Makes a test of one coroutine run in a loop of its own."""

    @wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        run_in_loop(partial(test, *args, **kwargs))

    return run


def turns() -> int:
    selector = asyncio.get_running_loop()._selector
    assert isinstance(selector, CountingSelector)
    return selector.turns


class LoopPeer:
    """Serves a peer at the far end of a pty."""

    def __init__(self, peer: TdpPeer, line: PtyLine) -> None:
        self.peer = peer
        self.line = line
        self.loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._served = -1

    def plug(self) -> None:
        if self.line.far_end < 0:
            self.line.plug()
        self._served = self.line.far_end
        self.loop.add_reader(self._served, self._read)
        self.turn()

    def unplug(self) -> None:
        self.stop()
        self.line.unplug()

    def stop(self) -> None:
        """Makes the device hang: the line stays open, and no code serves it."""
        if self._served >= 0:
            self.loop.remove_reader(self._served)
            self._served = -1
        if self._timer is not None:
            self._timer.cancel()

    def turn(self) -> None:
        """Sends the peer's output and sets its timer; called after each change to the peer."""
        data = self.peer.link.data_to_send()
        if data and self._served >= 0:
            os.write(self._served, data)
        if self._timer is not None:
            self._timer.cancel()
        due_s = self.peer.link.next_timeout_s()
        self._timer = None if due_s is None else self.loop.call_at(due_s, self._time_has_come)

    def _read(self) -> None:
        self.peer.receive_data(os.read(self._served, 4096), self.loop.time())
        self.turn()

    def _time_has_come(self) -> None:
        self.peer.link.handle_timeout(self.loop.time())
        self.turn()


class Device:
    """One supervisor and its shell, which record the events, and the openings and closings of the port."""

    def __init__(
        self,
        path: str,
        make_driver: MakeDriver,
        *,
        wrap: Callable[[Port], Port] = lambda port: port,
        backoff: Backoff | None = None,
    ) -> None:
        self.path = path
        self.happened: list[DriverEvent] = []
        self.opened_by: list[threading.Thread] = []
        self.supervisor = DeviceSupervisor("device", make_driver, backoff or Backoff(), lambda: 0.0)
        self._wrap = wrap
        self._news = asyncio.Event()
        file = None if "://" in path else path
        self.shell = SerialShell(asyncio.get_running_loop(), self.supervisor, self._open, self._changed, file)

    def _open(self) -> Port:
        self.opened_by.append(threading.current_thread())
        return self._wrap(open_serial(self.path))

    def _changed(self) -> None:
        self.happened += self.supervisor.events()
        if self.supervisor.awaits_answer and self.supervisor.desired is not None:
            self.supervisor.apply(self.supervisor.desired, asyncio.get_running_loop().time())
        self._news.set()

    def names(self) -> list[str]:
        return [type(event).__name__ for event in self.happened]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until the condition is true; checks it after each input of the shell."""
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def until_connected(self, times: int = 1) -> None:
        await self.until(lambda: self.names().count("DeviceConnected") == times)

    async def until_lost(self, times: int = 1) -> None:
        await self.until(lambda: self.names().count("DeviceLost") == times)


def tdp_device(peer: TdpPeer, line: PtyLine, *, wrap: Callable[[Port], Port] = lambda port: port) -> Device:
    expected = ExpectedDevice(TDP_KINDS[peer.kind], simulated=True)
    return Device(line.path, make_tdp_driver(expected, start_number=1, committed=lambda: (0, 0)), wrap=wrap)
