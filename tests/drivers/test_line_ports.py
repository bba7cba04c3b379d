"""The ports of GPIO lines (gpiod with a simulated kernel) and of badge readers, even if they cannot be grabbed."""

import errno
import os
from pathlib import Path

import gpiod
import pytest
from gpiod.line import Bias, Direction, Edge, Value

from drivers.badge_port import BadgePort, open_badge_reader
from drivers.errors import PortBusy, PortError, PortFault, PortLost, PortMissing, PortRefused
from drivers.gpio_port import open_gpio


class PlayedRequest:
    """One line in the simulated kernel."""

    def __init__(self, settings: gpiod.LineSettings) -> None:
        self.settings = settings
        self.level = settings.output_value
        self.fd, self._other = os.pipe()
        self.edges = 0
        self.is_live = True
        self.fails_with: int | None = None
        self.history: list[Value] = []

    def __bool__(self) -> bool:
        return self.is_live

    def _check(self) -> None:
        if self.fails_with is not None:
            raise OSError(self.fails_with, os.strerror(self.fails_with))

    def set_value(self, _line: int, value: Value) -> None:
        self._check()
        self.level = value
        self.history.append(value)

    def get_value(self, _line: int) -> Value:
        self._check()
        return self.level

    def wait_edge_events(self, _within: int) -> bool:
        self._check()
        return self.edges > 0

    def read_edge_events(self, at_most: int) -> list[object]:
        count = min(at_most, self.edges)
        self.edges -= count
        return [object()] * count

    def release(self) -> None:
        self.is_live = False
        os.close(self.fd)
        os.close(self._other)


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> list[PlayedRequest]:
    made: list[PlayedRequest] = []

    def request_lines(path: str, config: dict[int, gpiod.LineSettings], consumer: str) -> PlayedRequest:
        assert (path, consumer) == ("/dev/sabot/gpio", "sabot")
        ((_line, settings),) = config.items()
        made.append(PlayedRequest(settings))
        return made[-1]

    monkeypatch.setattr(gpiod, "request_lines", request_lines)
    return made


def test_an_output_begins_and_ends_without_power(requests: list[PlayedRequest]) -> None:
    port = open_gpio("/dev/sabot/gpio", 17, is_output=True)
    (request,) = requests
    assert (request.settings.direction, request.settings.output_value) == (Direction.OUTPUT, Value.INACTIVE)
    assert port.write(b"1") == 1
    assert request.level is Value.ACTIVE
    assert port.write(b"10") == 2
    assert request.history == [Value.ACTIVE, Value.INACTIVE], "only the last level counts"
    port.write(b"1")
    assert port.read() == b""
    port.close()
    port.close()
    assert request.history[-1] is Value.INACTIVE
    assert not request.is_live


@pytest.mark.parametrize(("active_low", "bias"), [(False, Bias.PULL_DOWN), (True, Bias.PULL_UP)])
def test_an_input_is_pulled_towards_off_and_tells_its_level(
    requests: list[PlayedRequest], active_low: bool, bias: Bias
) -> None:
    port = open_gpio("/dev/sabot/gpio", 27, is_output=False, active_low=active_low)
    (request,) = requests
    assert (request.settings.edge_detection, request.settings.bias) == (Edge.BOTH, bias)
    assert request.settings.active_low is active_low
    assert port.fileno() == request.fd
    assert (port.read(), port.read()) == (b"0", b"")
    request.level, request.edges = Value.ACTIVE, 200
    assert (port.read(), port.read(), request.edges) == (b"1", b"", 0)
    assert port.write(b"1") == 1
    assert request.history == [], "an input is never driven"
    port.close()


@pytest.mark.parametrize("is_output", [True, False])
def test_a_chip_that_is_gone_is_a_lost_port(requests: list[PlayedRequest], is_output: bool) -> None:
    port = open_gpio("/dev/sabot/gpio", 17, is_output=is_output)
    requests[0].fails_with = errno.ENODEV
    with pytest.raises(PortLost):
        port.write(b"1") if is_output else port.read()
    port.close()
    assert not requests[0].is_live


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FileNotFoundError(errno.ENOENT, "no such file"), PortMissing),
        (OSError(errno.EBUSY, "busy"), PortBusy),
        (PermissionError(errno.EACCES, "denied"), PortRefused),
        (ValueError("line"), PortRefused),
    ],
)
def test_why_a_line_cannot_be_had(monkeypatch: pytest.MonkeyPatch, error: Exception, kind: type[PortError]) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(gpiod, "request_lines", refuse)
    with pytest.raises(kind, match=r"gpio 17: [A-Zs]"):
        open_gpio("/dev/sabot/gpio", 17, is_output=True)


def test_what_is_no_chip_is_refused_by_the_real_library(tmp_path: Path) -> None:
    with pytest.raises(PortRefused, match=PortFault.NO_CHIP):
        open_gpio("/dev/null", 1, is_output=True)
    with pytest.raises(PortMissing):
        open_gpio(str(tmp_path / "nothing"), 1, is_output=True)


# ---- readers


def test_what_cannot_be_grabbed_is_no_reader(tmp_path: Path) -> None:
    far, near = os.openpty()
    try:
        with pytest.raises(PortRefused, match=PortFault.NO_READER):
            open_badge_reader(os.ttyname(near))
    finally:
        os.close(far)
        os.close(near)
    with pytest.raises(PortMissing):
        open_badge_reader(str(tmp_path / "event0"))


def test_a_grabbed_reader_is_read_until_it_is_pulled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    grabbed: list[tuple[int, int]] = []
    monkeypatch.setattr("drivers.badge_port.fcntl.ioctl", lambda _fd, request, value: grabbed.append((request, value)))
    path = tmp_path / "event0"
    os.mkfifo(path)
    keep = os.open(path, os.O_RDWR)
    port = open_badge_reader(str(path))
    assert grabbed == [(0x40044590, 1)]
    assert port.read() == b""
    os.write(keep, b"x" * 24)
    assert port.read() == b"x" * 24
    assert port.write(b"abc") == 3
    os.close(keep)
    with pytest.raises(PortLost):
        port.read()
    port.close()
    port.close()


def test_another_program_s_reader_is_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object) -> None:
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr("drivers.badge_port.fcntl.ioctl", busy)
    with pytest.raises(PortBusy):
        open_badge_reader("/dev/null")


def test_a_reader_that_fails_is_lost() -> None:
    read_end, write_end = os.pipe()
    os.close(write_end)
    os.close(read_end)
    with pytest.raises(PortLost):
        BadgePort("/dev/input/by-id/badge", read_end).read()
