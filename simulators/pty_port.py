"""Serves simulated devices in real time on pseudo-terminals, with links at given paths, all in one thread.

A port can be unplugged and plugged in again: both descriptors are closed and the link is removed, as if a USB cable
were pulled. Bytes travel at the speed of the wire. A peer that does not read loses bytes and blocks nothing. Simulated
hands act on a device through `PtyHost.call`, between two turns of the loop.
"""

import contextlib
import fcntl
import os
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from simulators.devices.base import SimulatedDevice
from simulators.devices.wire import Adapter, PacedWire
from simulators.spoken import SpokenError

DEFAULT_BAUD_RATE = 115_200
# The room in a serial chip and its driver before the sender is held back (in) or bytes are lost (out).
INBOUND_BUFFER_BYTES = 256
OUTBOUND_BUFFER_BYTES = 64 * 1024
# A full pseudo-terminal does not always wake its writer once the reader has made room, so the port polls.
LOOK_AGAIN_S = 0.02

T = TypeVar("T")


class LinkInUseError(SpokenError):
    """The path belongs to a running simulator, or has a file that is no simulator's link."""


class LinkClaim:
    """The exclusive right to a link's path, as a locked file beside the link. The kernel drops the lock when the
    process ends.
    """

    def __init__(self, link: Path) -> None:
        """Takes a free path, or the path of a simulator that has ended. Raises LinkInUseError for any other path."""
        self._link = link
        self._lock_path = link.with_name(f".{link.name}.lock")
        self._lock = self._take_lock()
        try:
            self._remove_stale_link()
        except LinkInUseError:
            self.release()
            raise

    def point_to(self, target: str) -> None:
        """Makes the link point to `target`, atomically: at no time does a process see a missing or half-made link."""
        new = self._link.with_name(f".{self._link.name}.new")
        new.unlink(missing_ok=True)
        new.symlink_to(target)
        new.replace(self._link)

    def remove_link(self) -> None:
        """Removes the link."""
        self._link.unlink(missing_ok=True)

    def release(self) -> None:
        """Gives up the right to the path.

        Deletes the lock file before unlocking it, so that no other process locks a file that is about to be deleted.
        """
        self._lock_path.unlink(missing_ok=True)
        os.close(self._lock)

    def _take_lock(self) -> int:
        while True:
            lock = os.open(self._lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                os.close(lock)
                raise LinkInUseError("link-taken", path=self._link) from error
            if self._is_still_there(lock):
                return lock
            os.close(lock)  # its owner removed the file between `open` and `flock`: try again

    def _is_still_there(self, lock: int) -> bool:
        try:
            return os.path.samestat(os.fstat(lock), self._lock_path.stat())
        except FileNotFoundError:
            return False

    def _remove_stale_link(self) -> None:
        if self._link.is_symlink() and str(self._link.readlink()).startswith("/dev/pts/"):
            self._link.unlink()
        elif os.path.lexists(self._link):
            raise LinkInUseError("no-link", path=self._link)


class PtyPort:
    """One device on one pseudo-terminal, made by `PtyHost.add`. All methods may be called from any thread."""

    def __init__(
        self, host: "PtyHost", link: Path, device: SimulatedDevice, baud_rate: int | None, latency_s: float
    ) -> None:
        self.link = link
        self.device = device
        self.lost_bytes = 0  # bytes that the device sent and no host read
        self._host = host
        self._claim = LinkClaim(link)
        self._inbound = PacedWire(baud_rate)
        self._outbound = PacedWire(baud_rate)
        self._adapter = Adapter(latency_s)
        self._unwritten = bytearray()
        self._master = -1
        self._slave = -1

    @property
    def plugged(self) -> bool:
        """True while the cable is plugged in."""
        return self._master >= 0

    def plug(self) -> None:
        """Plugs the cable in: makes a new pseudo-terminal, and the link to it."""
        self._host.call(lambda _: self._open())

    def unplug(self) -> None:
        """Pulls the cable; bytes on the way are lost. The device goes on working."""
        self._host.call(lambda _: self._close())

    def inject(self, data: bytes) -> int:
        """Puts noise on the line: bytes that no device sent. Returns the number of bytes that found room."""
        return self._host.call(lambda now_s: self._inject(data, now_s))

    # ---- only for the host's loop, under its lock

    def step(self, now_s: float) -> None:
        """Moves bytes in both directions, and lets the device do the work that is due."""
        if self.plugged:
            self._read(now_s)
        if data := self._inbound.pop(now_s):
            self.device.receive_data(data, now_s)
        due_s = self.device.next_time_s()
        if due_s is not None and due_s <= now_s:
            self.device.on_time(now_s)
        self._send(self.device.data_to_send(), now_s)
        if self.plugged:
            self._write(now_s)

    def next_time_s(self, now_s: float) -> float | None:
        """Returns the time at which `step` is due next if no bytes come from outside; None if no call is due."""
        look_again_s = now_s + LOOK_AGAIN_S if self._unwritten else None
        times = (
            self._inbound.next_time_s(),
            self._outbound.next_time_s(),
            self._adapter.next_time_s(),
            self.device.next_time_s(),
            look_again_s,
        )
        return min((time_s for time_s in times if time_s is not None), default=None)

    def wanted(self) -> tuple[int, int]:
        """Returns the pseudo-terminal's descriptor and the poll mask with which to wait for it. Mask 0: wait only for a
        time.
        """
        reading = select.POLLIN if self._inbound.pending < INBOUND_BUFFER_BYTES else 0
        return self._master, reading | (select.POLLOUT if self._unwritten else 0)

    def shut(self) -> None:
        """Unplugs the cable for good, and gives up the right to the link's path."""
        self._close()
        self._claim.release()

    def _open(self) -> None:
        if self.plugged:
            return
        self._master, self._slave = os.openpty()
        # The other end stays open, too. Otherwise every close by the peer would look like a broken line.
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._claim.point_to(os.ttyname(self._slave))

    def _close(self) -> None:
        if not self.plugged:
            return
        self._claim.remove_link()
        for descriptor in (self._master, self._slave):
            os.close(descriptor)
        self._master = self._slave = -1
        self._inbound.clear()
        self.lost_bytes += self._outbound.clear() + self._adapter.clear() + len(self._unwritten)
        self._unwritten.clear()

    def _read(self, now_s: float) -> None:
        room = INBOUND_BUFFER_BYTES - self._inbound.pending
        if room > 0:
            with contextlib.suppress(BlockingIOError):
                self._inbound.push(os.read(self._master, room), now_s)

    def _send(self, data: bytes, now_s: float) -> None:
        if self.plugged and self._room() >= len(data):
            self._outbound.push(data, now_s)
        else:
            self.lost_bytes += len(data)

    def _inject(self, data: bytes, now_s: float) -> int:
        taken = data[: self._room()] if self.plugged else b""
        self._outbound.push(taken, now_s)
        return len(taken)

    def _room(self) -> int:
        return max(0, OUTBOUND_BUFFER_BYTES - self._outbound.pending - len(self._unwritten))

    def _write(self, now_s: float) -> None:
        self._unwritten += self._adapter.take(self._outbound.pop(now_s), now_s)
        if self._unwritten:
            with contextlib.suppress(BlockingIOError):
                del self._unwritten[: os.write(self._master, self._unwritten)]


class PtyHost:
    """Serves ports in one thread and by one clock, from `start` to `close` or while the context is open."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._ports: list[PtyPort] = []
        self._lock = threading.RLock()  # a hook of one device may touch a second device
        self._wake_out, self._wake_in = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="pty-host")
        self._stopping = False
        self._closed = False

    @property
    def is_alive(self) -> bool:
        """True while the ports are served: from `start` to `close`, unless a device raises an error."""
        return self._thread.is_alive()

    def add(
        self,
        link: Path,
        device: SimulatedDevice,
        *,
        baud_rate: int | None = DEFAULT_BAUD_RATE,
        latency_s: float = 0.0,
    ) -> PtyPort:
        """Plugs a device in at `link`, and returns its port. Raises LinkInUseError.

        `baud_rate`: None if bytes arrive at once. `latency_s`: the latency timer of the simulated USB adapter; 0: no
        adapter.
        """
        port = PtyPort(self, link, device, baud_rate, latency_s)
        port.plug()
        with self._lock:
            self._ports.append(port)
        self._wake()
        return port

    def call(self, function: Callable[[float], T]) -> T:
        """Calls `function(now_s)` between two turns of the loop and returns its result. Simulated hands act on devices
        by this method.
        """
        with self._lock:
            result = function(self.clock())
        self._wake()
        return result

    def look(self, at: Callable[[], T]) -> T:
        """Calls `at()` between two turns of the loop, and returns its result. The loop is not woken afterwards, so `at`
        must change nothing at a device.
        """
        with self._lock:
            return at()

    def start(self) -> None:
        """Begins to serve the ports."""
        self._thread.start()

    def close(self) -> None:
        """Stops the thread, unplugs all devices and removes their links; a second call does nothing."""
        self._stopping = True
        self._wake()
        if self._thread.ident is not None:
            self._thread.join()
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for port in self._ports:
                port.shut()
            os.close(self._wake_in)
            os.close(self._wake_out)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _run(self) -> None:
        while not self._stopping:
            with self._lock:
                now_s = self.clock()
                for port in self._ports:
                    port.step(now_s)
                wanted = [port.wanted() for port in self._ports if port.plugged]
                times = [due_s for port in self._ports if (due_s := port.next_time_s(now_s)) is not None]
            self._wait(wanted, min(times, default=None))

    def _wait(self, wanted: list[tuple[int, int]], until_s: float | None) -> None:
        poller = select.poll()
        poller.register(self._wake_out, select.POLLIN)
        for descriptor, mask in wanted:
            if mask:
                poller.register(descriptor, mask)
        wait_ms = None if until_s is None else max(0.0, (until_s - self.clock()) * 1000)
        # `poll` rounds up, so that a time that is nearly due does not make the loop spin.
        poller.poll(wait_ms)
        with contextlib.suppress(BlockingIOError):
            os.read(self._wake_out, 4096)

    def _wake(self) -> None:
        with self._lock:
            if not self._closed:
                with contextlib.suppress(BlockingIOError):
                    os.write(self._wake_in, b"w")
