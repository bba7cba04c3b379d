"""Ports in real time, on real pseudo-terminals: bytes, unplugging, links, a peer that does not read."""

import os
import select
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from simulators.pty_port import OUTBOUND_BUFFER_BYTES, LinkInUseError, PtyHost, PtyPort
from tests.endings import HANGS_S
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


class EchoDevice:
    """Sends back its input; counts the calls that give it the time."""

    def __init__(self) -> None:
        self.heard = bytearray()
        self.to_send = bytearray()
        self.times = 0
        self.due_s: float | None = None

    def receive_data(self, data: bytes, now_s: float) -> None:
        self.heard += data
        self.to_send += data

    def data_to_send(self) -> bytes:
        data = bytes(self.to_send)
        self.to_send.clear()
        return data

    def next_time_s(self) -> float | None:
        return self.due_s

    def on_time(self, now_s: float) -> None:
        self.times += 1
        self.due_s = None


class Peer:
    """A controller's part at the link, without its code."""

    def __init__(self, link: Path) -> None:
        self.descriptor = os.open(link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)

    def send(self, data: bytes) -> None:
        while data:
            assert select.select([], [self.descriptor], [], HANGS_S)[1]
            data = data[os.write(self.descriptor, data) :]

    def hear(self, size: int) -> bytes:
        heard = b""
        while len(heard) < size and select.select([self.descriptor], [], [], HANGS_S)[0]:
            heard += os.read(self.descriptor, size - len(heard))
        return heard

    def close(self) -> None:
        os.close(self.descriptor)

    def __enter__(self) -> "Peer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "ttySHUF"


def test_every_byte_value_passes_unchanged_both_ways(link: Path) -> None:
    every_byte = bytes(range(256)) * 4
    with PtyHost() as host:
        port = host.add(link, EchoDevice(), baud_rate=None)
        with Peer(link) as peer:
            peer.send(every_byte)
            assert peer.hear(len(every_byte)) == every_byte
        assert port.lost_bytes == 0


def test_an_adapter_gives_all_bytes_after_its_time(link: Path) -> None:
    """An adapter sends only whole packets before its timer ends, and all bytes after it."""
    with PtyHost() as host:
        port = host.add(link, EchoDevice(), baud_rate=None, latency_s=3600.0)
        with Peer(link) as peer:
            peer.send(bytes(70))
            assert peer.hear(62) == bytes(62)
        port.unplug()
        assert port.lost_bytes == 8
    with PtyHost() as host:
        host.add(link, EchoDevice(), latency_s=0.016)
        with Peer(link) as peer:
            peer.send(b"card")
            assert peer.hear(4) == b"card"


def test_several_devices_are_served_by_one_thread(tmp_path: Path) -> None:
    before = threading.active_count()
    with PtyHost() as host:
        links = [tmp_path / name for name in ("a", "b", "c")]
        for link in links:
            host.add(link, EchoDevice())
        peers = [Peer(link) for link in links]
        for number, peer in enumerate(peers):
            peer.send(bytes([number]) * 10)
        assert [peer.hear(10) for peer in peers] == [b"\0" * 10, b"\1" * 10, b"\2" * 10]
        assert threading.active_count() == before + 1
        for peer in peers:
            peer.close()


def test_a_peer_may_close_and_another_open(link: Path) -> None:
    with PtyHost() as host:
        host.add(link, EchoDevice())
        for _ in range(3):
            with Peer(link) as peer:
                peer.send(b"hello")
                assert peer.hear(5) == b"hello"


def test_wire_speed_holds_both_ways(link: Path) -> None:
    with PtyHost() as host:
        host.add(link, EchoDevice(), baud_rate=10_000)  # 1 ms a byte
        with Peer(link) as peer:
            began_s = time.monotonic()
            peer.send(bytes(200))
            assert peer.hear(200) == bytes(200)
            assert time.monotonic() - began_s >= 0.2


def test_a_sender_that_is_too_fast_is_held_back_and_nothing_is_lost(link: Path) -> None:
    device = EchoDevice()
    with PtyHost() as host:
        host.add(link, device)
        with Peer(link) as peer:
            peer.send(bytes(30_000))
            assert host.call(lambda _: len(device.heard)) < 30_000
            assert len(peer.hear(30_000)) == 30_000


def test_unplugging_hangs_up_the_peer_and_removes_the_link(link: Path) -> None:
    with PtyHost() as host:
        port = host.add(link, EchoDevice())
        peer = Peer(link)
        port.unplug()
        assert not link.is_symlink()
        assert select.select([peer.descriptor], [], [], HANGS_S)[0]
        with pytest.raises(OSError, match="Input/output error"):
            os.write(peer.descriptor, b"x")
        peer.close()


def test_plugged_in_again_the_same_link_works(link: Path) -> None:
    with PtyHost() as host:
        port = host.add(link, EchoDevice())
        for _ in range(5):
            port.unplug()
            port.unplug()
            port.plug()
            port.plug()
            with Peer(link) as peer:
                peer.send(b"again")
                assert peer.hear(5) == b"again"


def test_an_unplugged_device_runs_on_and_its_bytes_are_lost(link: Path) -> None:
    device = EchoDevice()
    with PtyHost() as host:
        port = host.add(link, device)
        port.unplug()

        def speak(now_s: float) -> None:
            device.to_send += b"nobody hears"
            device.due_s = now_s + 0.01

        host.call(speak)
        wait_for(lambda: host.call(lambda _: device.times) == 1)
        assert port.lost_bytes == 12
        port.plug()
        with Peer(link) as peer:
            peer.send(b"back")
            assert peer.hear(4) == b"back"


def test_a_peer_that_does_not_read_costs_bytes_and_neither_time_nor_memory(link: Path) -> None:
    device = EchoDevice()
    with PtyHost() as host:
        port = host.add(link, device, baud_rate=None)
        with Peer(link) as peer:
            sent = fill(port)
            used_s = time.process_time()
            threading.Event().wait(0.3)
            assert time.process_time() - used_s < 0.1, "the loop spins"
            sent += port.inject(bytes(OUTBOUND_BUFFER_BYTES + 1))
            peer.send(b"ping" * 10_000)
            wait_for(lambda: host.call(lambda _: len(device.heard)) == 40_000)
            assert port.lost_bytes > 0
            sent += 40_000 - port.lost_bytes
            assert len(peer.hear(sent)) == sent


def fill(port: PtyPort) -> int:
    """Injects bytes until the kernel's and our own buffer are full; returns the number of bytes that had room."""
    sent, deadline_s = 0, time.monotonic() + HANGS_S
    while len(port._unwritten) < OUTBOUND_BUFFER_BYTES:
        assert time.monotonic() < deadline_s, "never full"
        sent += port.inject(bytes(4096))
    return sent


def test_hands_get_answer_and_error_of_what_they_do(link: Path) -> None:
    with PtyHost() as host:
        assert host.call(lambda now_s: now_s) <= time.monotonic()
        assert host.call(lambda _: host.call(lambda _: "nested")) == "nested"
        with pytest.raises(KeyError):
            host.call(lambda _: {}["missing"])
        host.add(link, EchoDevice())


def test_closing_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    with PtyHost() as host:
        host.add(tmp_path / "a", EchoDevice())
        host.add(tmp_path / "b", EchoDevice()).unplug()
        assert (tmp_path / "a").is_symlink()
    assert list(tmp_path.iterdir()) == []
    host.close()


def test_a_host_that_never_started_closes_too(link: Path) -> None:
    host = PtyHost()
    host.add(link, EchoDevice())
    host.close()
    assert not link.is_symlink()


def test_a_living_simulator_keeps_its_link(link: Path) -> None:
    with PtyHost() as host:
        host.add(link, EchoDevice())
        with PtyHost() as other, pytest.raises(LinkInUseError, match="another simulator"):
            other.add(link, EchoDevice())
        with Peer(link) as peer:
            peer.send(b"mine")
            assert peer.hear(4) == b"mine"


def test_the_link_of_a_killed_simulator_is_replaced(link: Path) -> None:
    program = (
        "import sys, pathlib; from simulators.pty_port import PtyHost\n"
        "class Mute:\n"
        "    def receive_data(self, data, now_s): pass\n"
        "    def data_to_send(self): return b''\n"
        "    def next_time_s(self): return None\n"
        "    def on_time(self, now_s): pass\n"
        "host = PtyHost(); host.add(pathlib.Path(sys.argv[1]), Mute())\n"
        "print('plugged', flush=True); sys.stdin.read()\n"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(link)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"plugged\n"
        with PtyHost() as host, pytest.raises(LinkInUseError):
            host.add(link, EchoDevice())
        child.kill()
    assert link.is_symlink()
    with PtyHost() as host:
        host.add(link, EchoDevice())
        with Peer(link) as peer:
            peer.send(b"new")
            assert peer.hear(3) == b"new"
    assert list(link.parent.iterdir()) == []


@pytest.mark.parametrize("what", ["file", "foreign link"])
def test_what_is_no_link_of_ours_is_left_alone(link: Path, what: str) -> None:
    if what == "file":
        link.write_text("precious")
    else:
        link.symlink_to("/dev/null")
    with PtyHost() as host, pytest.raises(LinkInUseError, match="no simulator's link"):
        host.add(link, EchoDevice())
    assert [entry.name for entry in link.parent.iterdir()] == [link.name]
