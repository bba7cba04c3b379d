"""The asyncio shell around one supervised device: one non-blocking port, and short threads that open and close it.

The shell decides nothing. It carries bytes between port and supervisor, and tells the supervisor the time. After each
input it calls `on_change`, in which the controller takes the events. Opening and closing a real port takes seconds, so
threads do it, never the event loop.
"""

import asyncio
import threading
from collections.abc import Callable
from errno import ENOENT, errorcode
from pathlib import Path
from typing import Protocol

from drivers.errors import PortError, PortFault, PortLost, PortMissing, PortRefused
from drivers.ports import OpenPort, Port

STOP_WITHIN_S = 2.0  # a close that takes longer is left to the end of the process

_READS_BEFORE_TIMEOUT = 4  # so many reads come before a timeout, since bytes have arrived already; 16 KiB at most


class Supervised(Protocol):
    """A supervisor as the shell sees it. The supervisor asks the shell to open or close its port, and the shell reports
    the result.
    """

    name: str

    @property
    def wants_open(self) -> bool: ...

    @property
    def wants_close(self) -> bool: ...

    def next_timeout_s(self) -> float | None: ...

    def data_to_send(self) -> bytes: ...

    def port_opened(self, now_s: float) -> None: ...

    def port_failed(self, error: PortError, now_s: float) -> None: ...

    def port_lost(self, error: PortError, now_s: float) -> None: ...

    def port_closed(self) -> None: ...

    def receive_data(self, data: bytes, now_s: float) -> None: ...

    def handle_timeout(self, now_s: float) -> None: ...


class SerialShell:
    """Runs one supervisor on one port. All methods are called in the loop's thread."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        supervisor: Supervised,
        open_port: OpenPort,
        on_change: Callable[[], None],
        file: str | None = None,
    ) -> None:
        """Prepares the shell; `start` opens the port.

        `file`: the port's path if the port is a file. While this file is missing, no thread tries to open it.
        """
        self._loop = loop
        self._supervisor = supervisor
        self._open_port = open_port
        self._on_change = on_change
        self._file = file
        self._port: Port | None = None
        self._unsent = b""
        self._writer_is_added = False
        self._timer: asyncio.TimerHandle | None = None
        self._busy: asyncio.Future[None] | None = None  # set while a thread opens or closes
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._is_due = False  # True if the supervisor has had input, and may have output

    def start(self) -> None:
        """Begins to open the port."""
        self.pump()

    def pump(self) -> None:
        """Does all the work that the supervisor wants now. The caller must call this after each `apply` and
        `acknowledge`.
        """
        self._is_due = False
        if self._stopping:
            return
        if self._port is not None and not self._supervisor.wants_close:
            self._write(self._port)
        elif self._busy is None:
            self._open_or_close()
        self._set_timer()

    async def stop(self) -> bool:
        """Closes the port within STOP_WITHIN_S, without a report of a loss. Returns False if a thread is still opening
        or closing the port after that time.
        """
        self._stopping = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline_s = self._loop.time() + STOP_WITHIN_S
        while self._busy is not None or self._port is not None:
            if self._busy is None:
                self._begin_closing()
            if not await self._thread_ended(deadline_s - self._loop.time()):
                return False
        return True

    # Input

    def _readable(self) -> None:
        self._read()
        self._changed()

    def _read(self) -> bool:
        """Reads from the port once, so that a line full of noise leaves time for other devices. Returns False if no
        byte came or no port is open any more.
        """
        if self._port is None:
            return False
        try:
            data = self._port.read()
        except PortLost as error:
            self._supervisor.port_lost(error, self._loop.time())
            return False
        self._supervisor.receive_data(data, self._loop.time())
        return data != b""

    def _time_has_come(self, due_s: float) -> None:
        self._timer = None
        for _ in range(_READS_BEFORE_TIMEOUT):
            if not self._read():
                break
        self._supervisor.handle_timeout(max(due_s, self._loop.time()))
        self._changed()

    def _changed(self) -> None:
        if self._stopping:
            return
        self._is_due = True
        self._on_change()
        if self._is_due:
            self.pump()

    # Output

    def _write(self, port: Port) -> None:
        """Writes bytes until the port is full or the supervisor has no more. Asks the supervisor for bytes only when
        all earlier ones are written.
        """
        try:
            while data := self._unsent or self._supervisor.data_to_send():
                self._unsent = data[port.write(data) :]
                if self._unsent:
                    break
        except PortLost as error:
            self._supervisor.port_lost(error, self._loop.time())
            self._loop.call_soon(self._changed)  # not now: perhaps the controller itself is the caller
        else:
            if self._unsent or self._writer_is_added:
                self._watch_for_room(port.fileno())

    def _watch_for_room(self, descriptor: int) -> None:
        if self._unsent and not self._writer_is_added:
            self._loop.add_writer(descriptor, self.pump)
        elif self._writer_is_added and not self._unsent:
            self._loop.remove_writer(descriptor)
        self._writer_is_added = bool(self._unsent)

    def _unwatch(self) -> None:
        if self._port is not None:
            self._loop.remove_reader(self._port.fileno())
            self._loop.remove_writer(self._port.fileno())
            self._writer_is_added = False

    # Time

    def _set_timer(self) -> None:
        """Sets a timer for the supervisor's next timeout. Keeps an earlier timer, since cancelled timers would
        accumulate in the loop.
        """
        due_s = self._supervisor.next_timeout_s()
        if self._timer is not None:
            if due_s is not None and self._timer.when() <= due_s:
                return
            self._timer.cancel()
        self._timer = None if due_s is None else self._loop.call_at(due_s, self._time_has_come, due_s)

    # Threads, one at a time

    def _open_or_close(self) -> None:
        if self._port is not None:
            self._begin_closing()
        elif self._supervisor.wants_open:
            self._begin_opening()

    def _begin_opening(self) -> None:
        """Starts a thread that opens the port. Reports a missing file of the port at once, without a thread."""
        if self._file is None or not _is_gone(self._file):
            self._in_thread("open", self._open_in_thread)
        else:
            self._supervisor.port_failed(PortMissing(self._file, errorcode[ENOENT]), self._loop.time())
            self._loop.call_soon(self._changed)  # not now: perhaps the controller itself is the caller

    def _begin_closing(self) -> None:
        if self._port is None:
            return
        self._unwatch()  # comes first: a dead descriptor is always ready and would turn the loop without end
        port, self._port, self._unsent = self._port, None, b""
        self._in_thread("close", lambda: self._close_in_thread(port))

    def _in_thread(self, verb: str, work: Callable[[], None]) -> None:
        self._busy = self._loop.create_future()
        # A daemon: a driver that hangs in open or close must not keep the process from ending.
        self._thread = threading.Thread(target=work, name=f"{verb} {self._supervisor.name}", daemon=True)
        self._thread.start()

    def _open_in_thread(self) -> None:
        outcome: Port | PortError = PortRefused(self._supervisor.name, PortFault.CRASHED)
        try:
            outcome = self._open_port()
        except PortError as error:
            outcome = error
        finally:
            self._back_to_loop(lambda: self._opened(outcome), outcome)

    def _close_in_thread(self, port: Port) -> None:
        try:
            port.close()
        finally:
            self._back_to_loop(self._closed, None)

    def _back_to_loop(self, report: Callable[[], None], opened: Port | PortError | None) -> None:
        try:
            self._loop.call_soon_threadsafe(report)
        except RuntimeError:  # the loop was closed meanwhile and cannot get the port
            if opened is not None and not isinstance(opened, PortError):
                opened.close()

    def _opened(self, outcome: Port | PortError) -> None:
        self._thread_has_ended()
        if isinstance(outcome, PortError):
            self._supervisor.port_failed(outcome, self._loop.time())
        else:
            self._port = outcome
            self._use_port(outcome)
        self._changed()

    def _use_port(self, port: Port) -> None:
        if self._stopping:  # `stop` may have given up waiting
            self._begin_closing()
        else:
            self._loop.add_reader(port.fileno(), self._readable)
            self._supervisor.port_opened(self._loop.time())

    def _closed(self) -> None:
        self._thread_has_ended()
        self._supervisor.port_closed()
        self.pump()

    def _thread_has_ended(self) -> None:
        if self._thread is not None:
            self._thread.join()  # takes a short time: the call that reported was the thread's last
            self._thread = None
        if self._busy is not None:
            self._busy.set_result(None)
            self._busy = None

    async def _thread_ended(self, within_s: float) -> bool:
        if self._busy is None:
            return True
        done, _ = await asyncio.wait([self._busy], timeout=max(0.0, within_s))
        return bool(done)


def _is_gone(file: str) -> bool:
    try:
        Path(file).stat()
    except FileNotFoundError:
        return True
    except OSError:  # opening the port reports the fault
        return False
    return False
