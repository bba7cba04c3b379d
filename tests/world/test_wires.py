"""Lines: wire speed, order, and the effect of each trouble on bytes or on their time."""

import pytest

from simulators.world.clock import VirtualClock, chance
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.wires import ADAPTER_S, BYTE_S, Line, LineTrouble

FRAME = b"\0\x05hello\0"


class Watched:
    """A line, with its device's received bytes and their times."""

    def __init__(self) -> None:
        self.clock = VirtualClock(0.0)
        self.line = Line(self.clock)
        self.received: list[tuple[float, bytes]] = []
        self.met = 0
        self.line.down.deliver = lambda data: self.received.append((self.clock.now_s, data))

    def harm(self, harm: K, until_s: float = 1.0, share: float = 1.0) -> None:
        self.line.down.troubles.append(LineTrouble(harm, until_s, share, 0.5, chance(1), self._meets))

    def send(self, *frames: bytes) -> list[bytes]:
        for frame in frames:
            self.line.send_down(frame)
        self.clock.at(5.0, lambda: None)
        while self.clock.now_s < 5.0:
            self.clock.step()
        return [data for _, data in self.received]

    def _meets(self) -> None:
        self.met += 1


@pytest.fixture
def watched() -> Watched:
    return Watched()


def test_bytes_take_their_time_and_keep_their_order(watched: Watched) -> None:
    assert watched.send(FRAME, b"\0second\0") == [FRAME, b"\0second\0"]
    first_s, second_s = (at_s for at_s, _ in watched.received)
    assert first_s == pytest.approx(len(FRAME) * BYTE_S + ADAPTER_S, abs=1e-5)
    assert second_s == pytest.approx(first_s + 8 * BYTE_S, abs=1e-5)


@pytest.mark.parametrize(
    ("harm", "arrives"), [(K.LINK_LOSS, 0), (K.LINK_CUT, 0), (K.LINK_DUPLICATION, 2), (K.LINK_CORRUPTION, 1)]
)
def test_harm_changes_bytes_and_is_counted(watched: Watched, harm: K, arrives: int) -> None:
    watched.harm(harm)
    assert len(watched.send(FRAME)) == arrives
    assert watched.met == 1
    assert all((data == FRAME) is (harm is K.LINK_DUPLICATION) for _, data in watched.received)


@pytest.mark.parametrize("harm", [K.LINK_DELAY, K.LINK_STALL])
def test_harm_changes_time_and_keeps_the_order(watched: Watched, harm: K) -> None:
    watched.harm(harm)
    assert watched.send(FRAME, b"\0second\0") == [FRAME, b"\0second\0"]
    assert watched.received[0][0] > 2 * ADAPTER_S
    assert harm is K.LINK_DELAY or watched.received[0][0] > 1.0


def test_harm_that_is_over_does_nothing(watched: Watched) -> None:
    watched.clock.at(2.0, lambda: None)
    watched.harm(K.LINK_LOSS)
    watched.clock.step()
    assert watched.send(FRAME) == [FRAME]
    assert watched.met == 0


def test_a_pulled_cable_loses_what_is_under_way(watched: Watched) -> None:
    lost = []
    watched.line.on_unplugged = lambda: lost.append(True)
    watched.line.send_down(FRAME)
    watched.line.unplug()
    watched.line.unplug()
    assert watched.send(FRAME) == []
    assert lost == [True]
    watched.line.plug()
    watched.line.send_down(FRAME)
    watched.clock.step()
    assert [data for _, data in watched.received] == [FRAME]
