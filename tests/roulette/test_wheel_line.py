"""In two hours of a wheel's line no spin is lost or doubled, and each irregular spin raises a hold at the table."""

from collections.abc import Iterator
from random import Random
from typing import get_args

import pytest

from controller.core.games.roulette.wheel import SpinEnded, WheelHeard, WheelLost
from controller.core.words import Device, HoldKind, RoundPhase, SessionPhase, TableMs
from controller.devices.device_lines import line_of
from controller.devices.event_answers import answer_to
from controller.games.roulette import WheelSide
from controller.journal.seals import SealKey, SealStore
from controller.scenario.table import make_table
from controller.scenario.wheel_player import WheelPlayer
from drivers.cammegh_driver import BOOT, CammeghDriver, WheelStatus, make_cammegh_driver
from drivers.errors import DriverError
from drivers.events import DeviceConnected, DeviceLost, DriverEvent, LostReason, Reported
from firmware_protocols.cammegh import spins
from firmware_protocols.tdp.shoe import ShoeApply
from simulators.devices.base import seeded
from simulators.devices.faults import BadSpin, Damage, DamagedLine, Fault, FaultPlan, SpinGoesWrong
from simulators.devices.wheel import SimulatedWheel
from simulators.disk import MemoryStorage
from tests.drivers.toy_driver import taken

TWO_HOURS_S = 7200.0
SPINS, LINES = 140, 14_000  # about so many occur in two hours


class Room:
    """A wheel that launches by itself, its line, the table, and people who do the next step."""

    def __init__(self, wheel: SimulatedWheel) -> None:
        self.wheel = wheel
        self.driver = CammeghDriver(0, 0.0, simulated=True)
        self.side = WheelSide(SealStore(SealKey(bytes(32), created=False), MemoryStorage(), bytes))
        self.table = WheelPlayer(make_table("pt-roulette", []).setup)
        self.table.start_alone()
        self.announced: list[int] = []
        self.holds = 0
        self._dealers = ("dealer", "second-dealer")
        self._act("sign-in", operation="table")
        self._act("open-session")

    def hear(self, data: bytes, now_s: float) -> None:
        self.table.wait(max(0, round(now_s * 1000) - self.table.now_ms))
        self.driver.handle_timeout(now_s)
        self.driver.receive_data(data, now_s)
        for event in taken(self.driver):
            self.take(event)
            self.serve()

    def take(self, event: DriverEvent) -> None:
        state = self.table.state
        fact = self.side.fact(Device.ROULETTE_WHEEL, event, state, state, TableMs(0))
        before = {(hold.id, hold.times) for hold in state.house.holds}
        if fact is not None:
            self.table.put(fact)
        self.holds += len({(hold.id, hold.times) for hold in self.table.state.house.holds} - before)

    def serve(self) -> None:
        """Lets people do the next steps until there are none."""
        while self._next():
            assert self.table.refusal is None, self.table.refusal

    def _next(self) -> bool:
        state = self.table.state
        if state.house.holds:
            details = dict(state.house.holds[0].details)
            stands = state.ball_runs and details["number"] != "-"
            is_over = state.ball_runs and isinstance(self.table.trace[-1], SpinEnded)
            outcome = "number-stands" if stands else "null" if is_over else "goes-on"
            number = {"number": details["number"]} if stands else {}
            return self._act("rule-on-spin", "chief", outcome=outcome, **number)
        if state.spinner is not None and state.spinner.is_over:
            self._dealers = self._dealers[::-1]
            return self._act("sign-in", operation="table")
        if state.wheel.ball_is_due and state.game.phase is RoundPhase.IDLE:
            return self._act("change-ball")
        if state.game.phase is RoundPhase.NULL_SPIN and not state.game.ball_is_back:
            return self._act("put-ball-back", "chief", number=str(state.wheel.last_number or 0))
        if state.game.phase is RoundPhase.NO_MORE_BETS and state.game.result is not None:
            self.announced.append(state.game.result)
            return self._act("announce-number", number=str(state.game.result))
        return state.game.phase is RoundPhase.PAYING and self._act("confirm-payments")

    def _act(self, name: str, who: str = "", /, **values: str) -> bool:
        self.table.act(who or self._dealers[0], name, values)
        return True


def plan(rng: Random) -> FaultPlan:
    """Random faults in a fifth of the spins and in a thirtieth of the lines."""
    kinds, ways = list(SpinGoesWrong), list(Damage)
    bad: list[Fault] = [BadSpin(at, rng.choice(kinds)) for at in sorted(rng.sample(range(1, SPINS), SPINS // 5))]
    lines = [DamagedLine(at, rng.choice(ways)) for at in sorted(rng.sample(range(1, LINES), LINES // 30))]
    return FaultPlan((*bad, *lines))  # type: ignore[arg-type]


def pieces(wheel: SimulatedWheel, rng: Random) -> Iterator[tuple[bytes, float]]:
    """Yields the wheel's bytes of two hours in pieces of 0.1 to 0.6 s, each with its time."""
    now_s = 0.0
    while now_s < TWO_HOURS_S:
        now_s += rng.choice((0.1, 0.2, 0.6))
        wheel.on_time(now_s)
        yield wheel.data_to_send(), now_s


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_two_hours_of_a_bad_line(seed: int) -> None:
    """pt.rou.21b, pt.rou.22a, pt.rou.23: the announced numbers are the wheel's, once each, in its order."""
    rng = seeded(seed)
    room = Room(SimulatedWheel(rng=rng, faults=plan(rng)))
    for data, now_s in pieces(room.wheel, rng):
        room.hear(data, now_s)
    played = [one for one in room.wheel.spins if one.ended_s is not None and one.ended_s < TWO_HOURS_S - 5]
    numbers = [one.number for one in played if one.number is not None and one.wrong is not SpinGoesWrong.NOT_LAUNCHED]
    assert room.announced[: len(numbers)] == numbers
    assert len(room.announced) <= len(numbers) + 1
    assert len(numbers) > 100
    assert room.holds >= sum(one.wrong is not None for one in played) > 20
    assert room.driver.stats.rejected


# --- the driver alone


def test_a_wheel_is_known_by_its_port_and_told_nothing() -> None:
    driver = CammeghDriver(7, 0.0, simulated=True)
    [connected] = taken(driver)
    assert isinstance(connected, DeviceConnected)
    assert (connected.identity.kind, connected.identity.serial, connected.status) == (None, "", WheelStatus())
    driver.acknowledge(BOOT, 9)
    assert (driver.end, driver.command_outstanding, driver.data_to_send()) == (None, False, b"")
    with pytest.raises(DriverError):
        driver.apply(ShoeApply(locked=True), 0.0, is_answer=True)


def test_what_a_line_tells_is_numbered_beyond_every_earlier_connection() -> None:
    """The line of a recorded spin: two statuses agree, the number is sent twice."""
    lines = b"*X;2;002;31;0;146;1\r\n" * 2 + b"*X;3;002;31;0;170;0\r\n" * 2 + b"*X;4;002;31;0;172;0\r\n" * 2
    numbers = []
    for connection in (1, 2):
        driver = make_cammegh_driver(simulated=True, start_number=3)(connection, 0.0)
        driver.receive_data(lines + b"28\r\n*X;5;002;28;0;172;0\r\n", 1.0)
        _, *told = taken(driver)
        assert all(isinstance(one, Reported) for one in told)
        events = [one.event for one in told if isinstance(one, Reported)]
        assert events[0] == spins.LineHeard()
        assert events[-1] == spins.SpinEnded(2, 28, ())
        numbers += [one.number for one in told if isinstance(one, Reported)]
        assert driver.next_timeout_s() == 3.0
        driver.handle_timeout(4.0)
        assert [one.event for one in taken(driver) if isinstance(one, Reported)] == [spins.LineSilent()]
    assert numbers == sorted(set(numbers))


EVENTS: dict[type, spins.SpinEvent] = {
    type(event): event
    for event in (
        *(spins.BallLaunched(1, clockwise=True), spins.BetsClosed(1), spins.SpinEnded(1, 4, (spins.Trouble.OVERDUE,))),
        *(spins.SpinsUnseen(2, 4), spins.NumberChanged(1, 4, 5), spins.SpinOverdue(1)),
        *(spins.WarningsChanged(spins.Warnings.SENSOR_BROKEN), spins.LineSilent(), spins.LineHeard()),
    )
}


@pytest.mark.parametrize("kind", get_args(spins.SpinEvent))
def test_everything_that_a_line_tells_has_its_fact_its_answer_and_its_words(kind: type) -> None:
    event = Reported(BOOT, 1, EVENTS[kind], WheelStatus())
    room = Room(SimulatedWheel(rng=seeded(0)))
    room.take(event)
    held = [hold.kind for hold in room.table.state.house.holds]
    row = answer_to(event)
    assert held == ([HoldKind.IRREGULAR_SPIN] if row.hold or kind is spins.SpinEnded else [])
    line = line_of(event)
    assert line is not None
    assert line["event"] == spins.WORDS[kind]


def test_a_port_that_is_lost_is_a_wheel_that_is_not_heard() -> None:
    room = Room(SimulatedWheel(rng=seeded(0)))
    lost = DeviceLost(LostReason.PORT_LOST, "", command_unknown=False)
    state = room.table.state
    assert room.side.fact(Device.ROULETTE_WHEEL, lost, state, state, TableMs(0)) is None
    room.table.put(WheelHeard())
    state = room.table.state
    assert room.side.fact(Device.ROULETTE_WHEEL, lost, state, state, TableMs(0)) == WheelLost("port-lost")
    assert state.house.session is SessionPhase.IN_PLAY
