"""Serial ports on real ptys: their input, and the errors of a full, dead, missing, held or wrong port."""

import fcntl
import os
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial
from ptys import PtyLine
from pytest_mock import MockerFixture

from drivers.errors import PortBusy, PortError, PortLost, PortMissing, PortRefused
from drivers.ports import READ_AT_MOST_BYTES, Port
from drivers.serial_port import Framing, SerialPort, is_pseudo_terminal, open_serial
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

EVERY_BYTE = bytes(range(256))


@pytest.fixture
def port(line: PtyLine) -> Iterator[SerialPort]:
    port = open_serial(line.path)
    yield port
    port.close()


def test_every_byte_passes_unchanged_both_ways(line: PtyLine, port: Port) -> None:
    line.send(EVERY_BYTE)
    assert port.read() == EVERY_BYTE
    assert port.write(EVERY_BYTE) == 256
    assert line.hear(256) == EVERY_BYTE


def test_silence_reads_as_nothing(port: Port) -> None:
    assert port.read() == b""


def test_writing_nothing_is_no_error(port: Port) -> None:
    assert port.write(b"") == 0


def test_one_read_is_bounded(line: PtyLine, port: Port) -> None:
    flood = bytes(2 * READ_AT_MOST_BYTES)
    sent = os.write(line.far_end, flood)
    assert sent > READ_AT_MOST_BYTES
    assert 0 < len(port.read()) <= READ_AT_MOST_BYTES


def test_input_that_waited_before_opening_is_discarded(line: PtyLine) -> None:
    line.send(b"said before anybody listened")
    port = open_serial(line.path)
    assert port.read() == b""
    line.send(b"now")
    assert port.read() == b"now"
    port.close()


def test_a_device_that_reads_nothing_fills_the_port_and_nobody_waits(port: Port) -> None:
    taken = 0
    for _ in range(1000):
        now = port.write(bytes(1024))
        taken += now
        if now == 0:
            break
    assert now == 0
    assert 0 < taken < 1000 * 1024


def test_an_unplugged_port_is_lost_when_read_and_when_written(line: PtyLine, port: Port) -> None:
    line.unplug()
    with pytest.raises(PortLost, match="hung-up"):
        port.read()
    with pytest.raises(PortLost, match=r": E[A-Z]+$"):
        port.write(b"x")


def test_a_far_end_that_closed_alone_is_a_lost_port(line: PtyLine, port: Port) -> None:
    os.close(line.far_end)
    line.far_end = os.open("/dev/null", os.O_RDONLY)
    with pytest.raises(PortLost):
        port.read()


def test_a_closed_port_is_lost_and_closing_again_does_nothing(port: Port) -> None:
    port.close()
    port.close()
    assert port.fileno() == -1
    with pytest.raises(PortLost):
        port.read()
    with pytest.raises(PortLost):
        port.write(b"x")


def test_closing_after_the_unplug_never_raises(line: PtyLine, port: Port) -> None:
    line.unplug()
    port.close()


def test_closing_discards_what_the_device_never_took(line: PtyLine, port: Port) -> None:
    while port.write(bytes(1024)):
        pass
    port.close()  # the test's own time limit would end a close that drains


def test_a_port_that_is_not_there_is_missing(tmp_path: Path) -> None:
    with pytest.raises(PortMissing) as caught:
        open_serial(str(tmp_path / "ttyNONE"))
    assert caught.value.path == str(tmp_path / "ttyNONE")


def test_a_link_that_leads_nowhere_is_missing(tmp_path: Path) -> None:
    """A link to a missing file is a missing port. (A closed pty's number may be another process's by now.)"""
    link = tmp_path / "ttyGONE"
    link.symlink_to("/dev/pts/99999999")
    with pytest.raises(PortMissing):
        open_serial(str(link))


def test_a_second_opener_is_told_that_the_port_is_held(line: PtyLine, port: Port) -> None:
    with pytest.raises(PortBusy):
        open_serial(line.path)
    port.close()
    open_serial(line.path).close()


@pytest.mark.parametrize("baud_rate", [-1, "fast"])
def test_a_senseless_speed_is_refused(line: PtyLine, baud_rate: int) -> None:
    with pytest.raises(PortRefused):
        open_serial(line.path, baud_rate=baud_rate)


@pytest.mark.parametrize("path", ["/dev/null", ""])
def test_what_is_no_serial_port_is_refused(path: str) -> None:
    with pytest.raises((PortRefused, PortMissing)):
        open_serial(path)


def test_a_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("no port")
    with pytest.raises(PortRefused):
        open_serial(str(file))


def test_a_url_is_a_path_like_any_other() -> None:
    """A URL counts as a path: pyserial would otherwise open loop://, spy:// and rfc2217:// from a configuration."""
    with pytest.raises(PortMissing):
        open_serial("loop://")


def test_a_port_without_permission_is_refused(line: PtyLine) -> None:
    os.chmod(line.path, 0)  # noqa: PTH101
    script = (
        "import os, sys; sys.dont_write_bytecode = True\n"
        "from drivers.serial_port import open_serial\n"
        "from drivers.errors import PortRefused\n"
        "os.getuid() == 0 and os.setuid(65534)\n"
        "try: open_serial(sys.argv[1])\n"
        "except PortRefused: print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", script, line.path], capture_output=True, text=True, timeout=HANGS_S)
    assert (done.stdout.strip(), done.stderr) == ("refused", "")


def test_a_pty_is_known_as_one_through_its_link(line: PtyLine, tmp_path: Path) -> None:
    assert is_pseudo_terminal(line.path)
    assert not is_pseudo_terminal("/dev/null")
    assert not is_pseudo_terminal(str(tmp_path))
    assert not is_pseudo_terminal(str(tmp_path / "nothing"))


def test_seven_bits_can_be_asked_of_a_pty_as_often_as_one_likes(line: PtyLine) -> None:
    for _ in range(2):
        open_serial(line.path, baud_rate=9600, framing=Framing.SEVEN_EVEN_ONE).close()


def test_what_the_system_says_is_the_reason() -> None:
    with pytest.raises(PortRefused) as refused:
        open_serial("/dev/null")
    assert refused.value.reason == "ENOTTY"


def test_a_pty_is_refused_where_the_table_is_not_simulated(line: PtyLine) -> None:
    with pytest.raises(PortRefused, match="pseudo-terminal") as caught:
        open_serial(line.path, refuse_pseudo_terminal=True)
    open_serial(line.path).close()  # it was not left locked, though `caught` keeps all of its frames
    assert caught.value.path == line.path


def test_dtr_stays_up_when_the_port_is_closed(line: PtyLine, port: SerialPort) -> None:
    assert not termios.tcgetattr(port.fileno())[2] & termios.HUPCL


def test_an_adapter_is_asked_to_pass_small_frames_on(line: PtyLine, mocker: MockerFixture) -> None:
    """A pty has no such mode, like many an adapter: it opens all the same."""
    asked = mocker.spy(serial.Serial, "set_low_latency_mode")
    open_serial(line.path).close()
    assert [call.args[1] for call in asked.call_args_list] == [True]
    assert isinstance(asked.spy_exception, ValueError)


def test_the_kernels_lock_is_not_left_on_a_pty(line: PtyLine, port: SerialPort) -> None:
    """The kernel's exclusive lock (TIOCEXCL) is not left on a pty, where it would lock out a restarted controller."""
    get_exclusive = 0x80045440  # TIOCGEXCL
    held = fcntl.ioctl(port.fileno(), get_exclusive, struct.pack("i", 0))
    assert struct.unpack("i", held) == (0,)


def test_every_error_is_a_port_error_with_path_and_reason() -> None:
    for kind in (PortMissing, PortBusy, PortRefused, PortLost):
        error = kind("/dev/ttyX", "why")
        assert isinstance(error, PortError)
        assert (error.path, error.reason, str(error)) == ("/dev/ttyX", "why", "/dev/ttyX: why")
