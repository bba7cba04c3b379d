"""`sabot device trace`: a recorded line, or a live one, in words."""

import json
import os
import threading
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli import device_trace
from controller.cli.main import main
from simulators.devices.shoe import SimulatedShoe
from simulators.pty_port import PtyHost
from tests.in_process import run
from tests.protocols.golden_frames import GOLDEN

pytestmark = pytest.mark.waits

STORY = ("hello", "identity-shuffler", "ack", "command-apply", "answer-ok", "event-jammed", "no-session")


def captured(*names: str) -> bytes:
    return b"".join(b"\0" + GOLDEN[name].frame for name in names)


def traced(*words: str) -> list[str]:
    done = run(main, "device", "trace", *words)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_captured_line_is_told_frame_by_frame(tmp_path: Path) -> None:
    (tmp_path / "line").write_bytes(b"noise\0" + captured(*STORY)[:-1])
    said = traced(str(tmp_path / "line"))
    assert said[0] == "line    bad-cobs"
    assert [line.split()[0:2] for line in said[1:]] == [
        ["host", "HELLO"], ["device", "IDENTITY"], ["host", "ACK"], ["host", "COMMAND"],
        ["device", "ANSWER"], ["device", "EVENT"], ["device", "NO_SESSION"],
    ]  # fmt: skip
    assert said[4].endswith("apply release_until=4689 jams_ended=3 recount_request=1")
    assert "jammed place=3 cards=2" in said[6]


def test_hexadecimal_digits_are_bytes_too(tmp_path: Path) -> None:
    (tmp_path / "line").write_text(captured(*STORY).hex("\n"))
    assert len(traced(str(tmp_path / "line"))) == len(STORY)


def test_nobody_has_said_of_which_kind_it_is(tmp_path: Path) -> None:
    (tmp_path / "line").write_bytes(captured("event-card-out"))
    [raw] = traced(str(tmp_path / "line"))
    assert "card-out" not in raw
    [told] = traced(str(tmp_path / "line"), "--kind", "shuffler", "--json")
    assert json.loads(told) == {"at_s": None, "from": "device", "said": json.loads(told)["said"]}
    assert "card-out" in told


def test_a_long_file_is_read_in_pieces_and_frames_over_their_edges_are_whole(tmp_path: Path) -> None:
    times = 1 + 3 * 65_536 // len(captured(*STORY))
    (tmp_path / "line").write_bytes(captured(*STORY) * times)
    assert len(traced(str(tmp_path / "line"))) == times * len(STORY)


def test_a_file_of_any_size_is_not_read_into_memory(tmp_path: Path) -> None:
    with (tmp_path / "line").open("wb") as file:
        file.write(captured("hello") + b"\0")
        file.truncate(1 << 40)
    with closing(device_trace._of_file(tmp_path / "line")) as pieces:
        assert max(len(next(pieces)[1]) for _ in range(3)) <= 65_536


def test_digits_beyond_the_largest_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_trace, "LARGEST_DIGITS", 100)
    (tmp_path / "line").write_text("00" * 51)
    assert run(main, "device", "trace", str(tmp_path / "line")).returncode == 2


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "line").write_text("abc")  # half a byte at its end
    done = run(main, "device", "trace", str(tmp_path / "line"))
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


def test_a_line_on_which_nobody_speaks(tmp_path: Path) -> None:
    with PtyHost() as host:
        host.add(tmp_path / "shoe", SimulatedShoe(now_s=host.clock()), baud_rate=None)
        done = run(main, "device", "trace", str(tmp_path / "shoe"), "--seconds", "0.2")
    assert (done.returncode, done.stdout) == (0, "")
    assert "no frame" in done.stderr


def test_a_port_is_listened_to(tmp_path: Path) -> None:
    with PtyHost() as host:
        device = SimulatedShoe(now_s=host.clock())
        port = host.add(tmp_path / "shoe", device, baud_rate=None)
        is_over = threading.Event()

        def speak() -> None:
            while not is_over.wait(0.05):
                port.inject(captured("shoe-card-passed"))

        speaker = threading.Thread(target=speak)
        speaker.start()
        said = traced(str(tmp_path / "shoe"), "--kind", "shoe", "--seconds", "1")
        is_over.set()
        speaker.join()
    assert said
    assert all("card-passed passage=43" in line and " s  device  " in line for line in said)


def test_a_port_that_goes(tmp_path: Path) -> None:
    leader, follower = os.openpty()
    name = os.ttyname(follower)
    os.close(leader)
    try:  # while the follower is open no other process gets its number
        assert run(main, "device", "trace", name, "--seconds", "1").returncode == 2
    finally:
        os.close(follower)
