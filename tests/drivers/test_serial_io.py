"""The shell around supervisors on real ptys: plugging, noise, full ports, hanging threads, several devices at once."""

import asyncio
import hashlib
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from loop_bench import PATIENCE_S, Device, LoopPeer, in_loop, run_in_loop, tdp_device, turns
from ptys import PtyLine
from tdp_peer import TdpPeer
from toy_driver import ToyDriver

from drivers import serial_io
from drivers.driver import DeviceDriver
from drivers.errors import PortMissing
from drivers.events import DeviceLost, LostReason, Reported
from drivers.ports import Port
from drivers.serial_io import SerialShell
from drivers.supervisor import SupervisorState
from drivers.trouble import TroubleCode
from drivers.wishes import ShufflerWish
from firmware_protocols.tdp.link import FrameKind, Header, build
from firmware_protocols.tdp.schema import DeviceKind

pytestmark = pytest.mark.waits

SHUFFLER = DeviceKind.SHUFFLER
NOISE_BYTES = 10_000_000


def as_it_is(port: Port) -> Port:
    return port


def shuffler_on(line: PtyLine, wrap: Callable[[Port], Port] = as_it_is) -> tuple[LoopPeer, Device]:
    peer = TdpPeer(SHUFFLER, now_s=asyncio.get_running_loop().time())
    return LoopPeer(peer, line), tdp_device(peer, line, wrap=wrap)


async def connected(line: PtyLine, wrap: Callable[[Port], Port] = as_it_is) -> tuple[LoopPeer, Device]:
    """Returns a peer and a device that are plugged in, started and identified."""
    served, device = shuffler_on(line, wrap)
    served.plug()
    device.shell.start()
    await device.until_connected()
    return served, device


@in_loop
async def test_a_device_connects_obeys_and_reports(line: PtyLine) -> None:
    served, device = await connected(line)
    device.supervisor.apply(ShufflerWish(release_after=0), served.loop.time())
    device.shell.pump()
    await device.until(lambda: served.peer.status.release_until == 1)
    served.peer.card_out(served.loop.time())
    served.turn()
    await device.until(lambda: isinstance(device.happened[-1], Reported))
    device.supervisor.acknowledge(1, 1)
    device.shell.pump()
    await device.until(lambda: served.peer.link.waiting_events == 0)
    assert await device.shell.stop()
    served.unplug()
    assert "DeviceLost" not in device.names()


@in_loop
async def test_each_unplugging_is_one_loss_and_each_replugging_one_connection(line: PtyLine) -> None:
    served, device = shuffler_on(line)
    served.plug()
    device.shell.start()
    for times in (1, 2):
        await device.until_connected(times)
        served.unplug()
        await device.until_lost(times)
        served.plug()
    await device.until_connected(3)
    await device.shell.stop()
    served.unplug()
    assert [name for name in device.names() if name != "StatusHeard"] == [
        "DeviceConnected",
        "DeviceLost",
    ] * 2 + ["DeviceConnected"]
    reasons = {event.reason for event in device.happened if isinstance(event, DeviceLost)}
    assert reasons == {LostReason.PORT_LOST}
    assert device.supervisor.stats.reconnects == 2


@in_loop
async def test_a_dead_port_does_not_turn_the_loop(line: PtyLine) -> None:
    served, device = await connected(line)
    served.unplug()
    await device.until_lost()
    before = turns()
    await asyncio.sleep(1.0)  # the measure itself: the turns of the loop in a second without the port
    assert turns() - before < 60
    await device.shell.stop()


@in_loop
async def test_a_dead_port_whose_close_hangs_does_not_turn_the_loop_either(line: PtyLine) -> None:
    release = threading.Event()

    class HangingClose(Wrapped):
        def close(self) -> None:
            release.wait()
            super().close()

    served, device = await connected(line, wrap=HangingClose)
    served.unplug()
    await device.until_lost()
    before = turns()
    await asyncio.sleep(0.5)
    assert turns() - before < 30
    assert len(device.opened_by) == 1  # never a second descriptor beside an open one
    served.plug()
    release.set()
    await device.until_connected(2)
    await device.shell.stop()
    served.unplug()


@in_loop
async def test_a_port_that_is_missing_is_found_when_it_appears(line: PtyLine) -> None:
    served, device = shuffler_on(line)
    served.unplug()
    device.shell.start()
    await device.until(lambda: device.supervisor.trouble is not None)
    assert device.supervisor.trouble is not None
    assert device.supervisor.trouble.code is TroubleCode.PORT_MISSING
    served.plug()
    await device.until_connected()
    await device.shell.stop()
    served.unplug()
    assert device.names().count("DeviceConnected") == 1


@in_loop
async def test_opening_and_closing_happen_in_threads_and_never_in_the_loop(line: PtyLine) -> None:
    closed_by: list[threading.Thread] = []

    class Watched(Wrapped):
        def close(self) -> None:
            closed_by.append(threading.current_thread())
            super().close()

    served, device = await connected(line, wrap=Watched)
    await device.shell.stop()
    served.unplug()
    assert threading.current_thread() not in [*device.opened_by, *closed_by]
    assert len(device.opened_by) == len(closed_by) == 1


@in_loop
async def test_a_reboot_of_the_device_is_a_loss_and_a_new_connection(line: PtyLine) -> None:
    served, device = await connected(line)
    served.peer.reboot(served.loop.time())
    await device.until_connected(2)
    await device.shell.stop()
    served.unplug()
    (lost,) = (event for event in device.happened if isinstance(event, DeviceLost))
    assert lost.reason is LostReason.REBOOTED


@in_loop
async def test_a_dead_device_does_not_disturb_the_others(line: PtyLine, tmp_path: Path) -> None:
    """One device is unplugged and one hangs in open for good: a third device never misses a heartbeat."""
    hung = threading.Event()

    pulled, first = shuffler_on(line)
    healthy_line = PtyLine(tmp_path / "ttyHEALTHY")
    healthy, second = shuffler_on(healthy_line)
    third = Device("nowhere", toy_drivers([]))
    third._open = lambda: hang(hung)
    third.shell = SerialShell(pulled.loop, third.supervisor, third._open, third._changed)
    for served in (pulled, healthy):
        served.plug()
    for device in (first, second, third):
        device.shell.start()
    await first.until_connected()
    await second.until_connected()
    pulled.unplug()
    await first.until_lost()
    heard = second.supervisor.stats.good
    await second.until(lambda: second.supervisor.stats.good >= heard + 3)
    assert second.names() == ["DeviceConnected"]
    hung.set()
    for device in (first, second, third):
        assert await device.shell.stop()
    healthy.unplug()


def frames_of_another_session() -> bytes:
    frame = build(Header(FrameKind.HEARTBEAT_REPLY, host_opening=77, device_boot=5, number=1), bytes(32))
    return frame * (65_536 // len(frame))


NOISE = {
    "random": hashlib.shake_256(b"noise").digest(65_536),
    "all-zero": bytes(65_536),
    "no-zero": b"\xff" * 65_536,
    "valid-frames-of-another-session": frames_of_another_session(),
}


@pytest.mark.parametrize("noise", NOISE.values(), ids=NOISE.keys())
@in_loop
async def test_ten_megabytes_of_noise_neither_starve_the_loop_nor_grow_memory(
    line: PtyLine, tmp_path: Path, noise: bytes
) -> None:
    received = [0]

    class Counted(Wrapped):
        def read(self) -> bytes:
            data = super().read()
            received[0] += len(data)
            return data

    noisy, _ = shuffler_on(line)
    first = tdp_device(noisy.peer, line, wrap=Counted)
    healthy, second = shuffler_on(PtyLine(tmp_path / "ttyHEALTHY"))
    healthy.plug()
    first.shell.start()
    second.shell.start()
    await second.until_connected()
    await first.until(lambda: first.supervisor.state is SupervisorState.LINKED)
    before = resident_bytes()
    worst_s = await slowest_turn_during(threading.Thread(target=flood, args=(line.far_end, noise)))
    assert received[0] > NOISE_BYTES / 10  # on a busy machine silence may close the port meanwhile
    assert worst_s < 0.2
    assert resident_bytes() - before < 5_000_000
    assert first.happened == []
    assert second.names() == ["DeviceConnected"]
    noisy.plug()
    await first.until_connected()  # the line works again
    for device in (first, second):
        await device.shell.stop()
    noisy.unplug()
    healthy.unplug()


@in_loop
async def test_noise_is_counted_by_reason(line: PtyLine) -> None:
    _, device = shuffler_on(line)
    device.shell.start()
    await device.until(lambda: device.supervisor.state is SupervisorState.LINKED)
    await slowest_turn_during(threading.Thread(target=flood, args=(line.far_end, NOISE["random"], 1_000_000)))
    await device.until(lambda: sum(device.supervisor.stats.rejected.values()) > 3_000)
    assert set(device.supervisor.stats.rejected) <= {
        "bad-cobs",
        "bad-length",
        "bad-crc",
        "oversize",
    }
    await device.shell.stop()


@in_loop
async def test_a_port_that_takes_little_at_a_time_gets_every_byte_in_order(line: PtyLine) -> None:
    message = hashlib.shake_256(b"message").digest(100_000)

    drivers: list[ToyDriver] = []
    device = Device(line.path, toy_drivers(drivers, message))
    device.shell.start()
    heard = bytearray()
    far_end, done, loop = line.far_end, asyncio.Event(), asyncio.get_running_loop()

    def read() -> None:
        heard.extend(os.read(far_end, 1000))
        if len(heard) >= len(message):
            done.set()

    await device.until(lambda: bool(drivers))
    loop.add_reader(far_end, read)
    async with asyncio.timeout(20):
        await done.wait()
    loop.remove_reader(far_end)
    assert bytes(heard) == message
    await device.shell.stop()


@in_loop
async def test_short_writes_lose_nothing(line: PtyLine) -> None:
    class Dribbling(Wrapped):
        def write(self, data: bytes) -> int:
            return super().write(data[:7])

    served, device = await connected(line, wrap=Dribbling)
    device.supervisor.apply(ShufflerWish(release_after=0), served.loop.time())
    device.shell.pump()
    await device.until(lambda: served.peer.status.release_until == 1)
    await device.shell.stop()
    served.unplug()
    assert served.peer.link.stats.rejected == {}


@in_loop
async def test_a_port_lost_while_writing_is_a_loss_told_after_the_call(line: PtyLine) -> None:
    """A port's loss is reported after `pump` has returned: the controller calls `pump` in the middle of its work."""
    served, device = await connected(line)
    served.unplug()
    device.supervisor.apply(ShufflerWish(release_after=0), served.loop.time())
    device.shell.pump()
    assert "DeviceLost" not in device.names()
    await device.until_lost()
    (lost,) = (event for event in device.happened if isinstance(event, DeviceLost))
    assert (lost.reason, lost.command_unknown) == (LostReason.PORT_LOST, True)
    await device.shell.stop()


@in_loop
async def test_timers_do_not_pile_up(line: PtyLine) -> None:
    served, device = await connected(line)
    for count in range(1, 30):
        device.supervisor.apply(ShufflerWish(recount_request=count), served.loop.time())
        device.shell.pump()
        await device.until(lambda count=count: served.peer.status.recounts == count)
    waiting = [timer for timer in served.loop._scheduled if not timer.cancelled()]
    assert len(waiting) <= 2  # the shell's and the peer's
    await device.shell.stop()
    served.unplug()


@in_loop
async def test_what_arrived_counts_before_time_is_said_to_have_passed(line: PtyLine) -> None:
    """A process that was stopped for long finds a sign of life behind much noise, and reports no silence."""
    served, device = await connected(line)
    loop, real_time = served.loop, served.loop.time
    served.stop()
    served.peer.card_out(real_time())
    line.send(b"\xff" * 10_000 + b"\0" + served.peer.link.data_to_send())
    loop.time = lambda: real_time() + 2.5
    await device.until(lambda: len(device.happened) > 1)
    assert device.names() == ["DeviceConnected", "Reported"]
    loop.time = real_time
    await device.shell.stop()


# Stopping


@in_loop
async def test_stopping_before_the_port_is_open_closes_it_when_it_comes(line: PtyLine) -> None:
    release = threading.Event()

    device = Device(line.path, toy_drivers([]), wrap=lambda port: waits(release, port))
    device.shell.start()
    asyncio.get_running_loop().call_later(0.05, release.set)
    assert await device.shell.stop()
    assert device.happened == []


@in_loop
async def test_stopping_twice_and_stopping_what_never_started_is_fine(line: PtyLine) -> None:
    device = Device(line.path, toy_drivers([]))
    assert await device.shell.stop()
    assert await device.shell.stop()
    device.shell.pump()
    assert device.opened_by == []


def test_a_stop_does_not_wait_for_ever_and_the_port_is_closed_in_the_end(
    line: PtyLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_io, "STOP_WITHIN_S", 0.05)
    release, made = threading.Event(), []

    def slow(port: Port) -> Port:
        made.append((threading.current_thread(), port))
        return waits(release, port)

    async def main() -> None:
        device = Device(line.path, toy_drivers([]), wrap=slow)
        device.shell.start()
        async with asyncio.timeout(PATIENCE_S):
            while not made:
                await asyncio.sleep(0)
        assert not await device.shell.stop()

    run_in_loop(main)
    release.set()  # the loop is closed: the thread itself gives the port back
    ((thread, port),) = made
    thread.join()
    assert port.fileno() == -1


@in_loop
async def test_a_port_that_opens_after_the_stop_was_given_up_is_closed(
    line: PtyLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serial_io, "STOP_WITHIN_S", 0.05)
    release, closed = threading.Event(), threading.Event()

    class NotedCode(Wrapped):
        def close(self) -> None:
            super().close()
            closed.set()

    device = Device(line.path, toy_drivers([]), wrap=lambda port: waits(release, NotedCode(port)))
    device.shell.start()
    assert not await device.shell.stop()
    release.set()
    async with asyncio.timeout(PATIENCE_S):
        while not closed.is_set():
            await asyncio.sleep(0)
    assert await device.shell.stop()


def test_an_opening_that_crashes_is_trouble_and_tried_again(line: PtyLine, monkeypatch: pytest.MonkeyPatch) -> None:
    crashed: list[str] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: crashed.append(str(args.exc_value)))

    def crash(port: Port) -> Port:
        port.close()
        raise ZeroDivisionError("a fault of ours")

    async def main() -> None:
        device = Device(line.path, toy_drivers([]), wrap=crash)
        device.shell.start()
        await device.until(lambda: device.supervisor.trouble is not None)
        assert device.supervisor.trouble is not None
        assert device.supervisor.trouble.code is TroubleCode.PORT_REFUSED
        assert device.supervisor.next_timeout_s() is not None
        await device.shell.stop()

    run_in_loop(main)
    assert crashed == ["a fault of ours"]


# Helpers


class Wrapped:
    """A port around another one, in which a test makes faults."""

    def __init__(self, port: Port) -> None:
        self._port = port

    def fileno(self) -> int:
        return self._port.fileno()

    def read(self) -> bytes:
        return self._port.read()

    def write(self, data: bytes) -> int:
        return self._port.write(data)

    def close(self) -> None:
        self._port.close()


def toy_drivers(made: list[ToyDriver], message: bytes = b"") -> Callable[[int, float], DeviceDriver]:
    """Makes drivers that each send `message` once, and puts them into `made`."""

    class OneMessage(ToyDriver):
        left = message

        def data_to_send(self) -> bytes:
            taken, self.left = self.left[:1000], self.left[1000:]
            return taken

        def next_timeout_s(self) -> float | None:
            return None

    def make(connection: int, now_s: float) -> DeviceDriver:
        made.append(OneMessage(connection, now_s))
        return made[-1]

    return make


def waits(release: threading.Event, port: Port) -> Port:
    release.wait()
    return port


def hang(release: threading.Event) -> Port:
    release.wait()
    raise PortMissing("nowhere", "in the end")


def flood(descriptor: int, noise: bytes, size: int = NOISE_BYTES) -> None:
    """Writes `size` bytes of noise, as fast as the line accepts them."""
    os.set_blocking(descriptor, True)
    sent = 0
    while sent < size:
        sent += os.write(descriptor, noise[sent % len(noise) :][:4096])
    os.set_blocking(descriptor, False)


async def slowest_turn_during(work: threading.Thread) -> float:
    """Runs the thread; returns the most processor seconds that the loop's thread took for one turn meanwhile."""
    worst_s = 0.0
    work.start()
    while work.is_alive():
        before_s = time.thread_time()
        await asyncio.sleep(0.005)
        worst_s = max(worst_s, time.thread_time() - before_s)
    work.join()
    return worst_s


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
