"""`sabot-sim device` as a child process: the port appears, speaks the protocol, and is removed at the end."""

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from wire_by_hand import frame

from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

HELLO = frame("01 01000000 00000000 00000000 0100 00000000 00000000")
SABOT_SIM = [sys.executable, "-c", "import sys; from simulators.cli import main; sys.exit(main())"]


def start(*arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*SABOT_SIM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def said_to_hello(link: Path) -> bytes:
    port = os.open(link, os.O_RDWR | os.O_NOCTTY)
    try:
        os.write(port, HELLO)
        said = b""
        while b"simulator" not in said and select.select([port], [], [], HANGS_S)[0]:
            said += os.read(port, 4096)
        return said
    finally:
        os.close(port)


@pytest.mark.parametrize("kind", ["shuffler", "shoe", "jackpot-display"])
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_device_is_there_until_it_is_ended(tmp_path: Path, kind: str, end: signal.Signals) -> None:
    link = tmp_path / "ttyDEV"
    with start("device", kind, "--protocol", "tdp", "--link", link, "--seed", 7) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == f"simulated {kind} at {link}; Ctrl-C ends it\n"
        assert b"simulator" in said_to_hello(link)
        child.send_signal(end)
        assert child.communicate(timeout=HANGS_S) == ("", "")
    assert child.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_wheel_plays_by_itself(tmp_path: Path) -> None:
    link = tmp_path / "ttyDEV"
    with start("device", "wheel", "--protocol", "cammegh", "--link", link, "--seed", 7) as child:
        assert child.stderr is not None
        assert child.stderr.readline() == f"simulated wheel at {link}; Ctrl-C ends it\n"
        port = os.open(link, os.O_RDWR | os.O_NOCTTY)
        said = b""
        while said.count(b"\n") < 2 and select.select([port], [], [], HANGS_S)[0]:
            said += os.read(port, 4096)
        os.close(port)
        child.send_signal(signal.SIGTERM)
        assert child.communicate(timeout=HANGS_S) == ("", "")
    assert said.startswith(b"*X;1;001;  ;0;")


def test_a_link_in_use_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "ttyDEV"
    link.write_text("precious")
    with start("device", "shoe", "--protocol", "tdp", "--link", link) as child:
        _, said = child.communicate(timeout=HANGS_S)
    assert (child.returncode, link.read_text()) == (2, "precious")
    assert "no simulator's link" in said


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with start("device", "shoe", "--protocol", "tdp", "--link", tmp_path / "no" / "ttyDEV") as child:
        _, said = child.communicate(timeout=HANGS_S)
    assert child.returncode == 2
    assert "there is no such file or directory" in said


@pytest.mark.parametrize(
    "arguments",
    [[], ["device"], ["device", "toaster", "--protocol", "tdp", "--link", "x"], ["device", "shoe", "--link", "x"]],
)
def test_wrong_usage_exits_2(arguments: list[str]) -> None:
    with start(*arguments) as child:
        _, said = child.communicate(timeout=HANGS_S)
    assert child.returncode == 2
    assert "usage: sabot-sim" in said


@pytest.mark.parametrize(
    ("kind", "protocol", "says"),
    [
        ("key-switch", "gpio", b"1"),
        ("badge-reader", "hid", b"\x01\x00\x1c\x00\x01"),
        ("lamp", "gpio", b""),
        ("buzzer", "gpio", b""),
    ],
)
def test_parts_are_played_too(tmp_path: Path, kind: str, protocol: str, says: bytes) -> None:
    """The command simulates parts, too: a key that turns, a badge that ends with Enter, a lamp, a buzzer."""
    link = tmp_path / "line"
    with start("device", kind, "--protocol", protocol, "--link", link, "--hand-every", 0.2) as child:
        assert child.stderr is not None
        child.stderr.readline()
        port = os.open(link, os.O_RDWR | os.O_NOCTTY)
        heard = b""
        while says not in heard and select.select([port], [], [], HANGS_S)[0]:
            heard += os.read(port, 4096)
        os.close(port)
        child.terminate()
        child.communicate(timeout=HANGS_S)
    assert child.returncode == 0
    assert says in heard


def test_what_nobody_speaks_is_wrong_usage(tmp_path: Path) -> None:
    with start("device", "lamp", "--protocol", "tdp", "--link", tmp_path / "line") as child:
        assert "no lamp speaks tdp" in child.communicate(timeout=HANGS_S)[1]
    assert child.returncode == 2


@pytest.mark.parametrize(("kind", "protocol"), [("shoe", "angel-eye"), ("key-switch", "gpio")])
def test_a_firmware_that_is_not_there_is_refused(tmp_path: Path, kind: str, protocol: str) -> None:
    line = tmp_path / "line"
    with start("device", kind, "--protocol", protocol, "--link", line, "--firmware", "c") as child:
        assert f"there is no {kind} for {protocol} with the firmware c" in child.communicate(timeout=HANGS_S)[1]
    assert child.returncode == 2
