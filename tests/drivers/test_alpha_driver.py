"""The Alpha driver in virtual time: its packets, its knowledge of the shown amount, faults, and losses of the link."""

from random import Random

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sign_bench import FAULT, SignBench, dead, intact

from drivers.alpha_driver import make_alpha_driver
from drivers.alpha_sign import LOST_AFTER_S, SET_UPS_AT_ONCE, TEXTS, AlphaSettings
from drivers.backoff import Backoff
from drivers.errors import DriverError, PortLost, PortMissing
from drivers.events import DeviceConnected, DeviceLost, DriverEvent, LostReason, Reported, StatusHeard, WrittenStatus
from drivers.supervisor import DeviceSupervisor
from firmware_protocols.tdp.display import DisplayApply, DisplayFaultCode, DisplayFaulted, DisplayStatus
from firmware_protocols.tdp.shoe import ShoeApply
from simulators.devices import alpha_sign
from tests.night import examples


def commands(bench: SignBench) -> list[bytes]:
    """The commands that the driver has sent, without their frames."""
    return [packet[packet.index(2) + 1 : -1] for packet in bench.written]


def writes(bench: SignBench, kind: bytes) -> list[bytes]:
    return [command for command in commands(bench) if command.startswith(kind)]


@pytest.fixture(params=[True, False], ids=["read back", "write only"])
def bench(request: pytest.FixtureRequest) -> SignBench:
    return SignBench(read_back=request.param, sign_answers=request.param)


def told(bench: SignBench, cents: int, *, fault_shown: bool = False) -> DisplayStatus:
    made = DisplayStatus if bench.settings.read_back else WrittenStatus
    return made(cents, fault_shown=fault_shown)


def test_an_amount_is_shown_within_two_seconds(bench: SignBench) -> None:
    bench.show(123_456)
    bench.run(2)
    assert bench.sign.shown == b"1234.56"
    assert bench.status == told(bench, 123_456)


def test_memory_and_text_are_written_once_and_the_amount_where_it_changes(bench: SignBench) -> None:
    bench.show(100)
    bench.run(20)
    for cents in (200, 200, 300):
        bench.show(cents)
        bench.run(5)
        assert bench.sign.shown_cents == cents
    assert writes(bench, b"E") == [b"E$AAL0040FF001BL00200000"]
    assert writes(bench, b"AA") == [b"AA\x1b b\x101"] * (1 if bench.settings.read_back else TEXTS)
    assert bench.ends == []


def test_what_can_be_read_is_not_written_again() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(60)
    assert writes(bench, b"G") == [b"G11.00"]


def test_what_cannot_be_read_is_written_again_but_not_what_may_wear_it() -> None:
    bench = SignBench(read_back=False, sign_answers=False)
    bench.show(100)
    bench.run(60)
    assert 25 <= len(writes(bench, b"G11.00")) <= 32
    assert (len(writes(bench, b"E")), len(writes(bench, b"AA"))) == (1, TEXTS)
    assert writes(bench, b"A0") == [b"A0"]


def test_a_sign_that_cannot_be_read_and_clears_its_memory_slowly_shows_the_amount(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The sign misses the first TEXT."""
    monkeypatch.setattr(alpha_sign, "CLEARING_TAKES_S", 1.5)
    bench = SignBench(read_back=False, sign_answers=False)
    bench.show(100)
    bench.run(5)
    assert bench.sign.shown_cents == 100


def test_a_set_up_that_is_there_already_is_left_alone() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(5)
    bench.open()
    bench.run(5)
    assert bench.sign.lay_outs == bench.sign.text_writes == bench.sign.string_writes == 1


def test_a_fault_hides_the_amount_and_gives_it_back(bench: SignBench) -> None:
    bench.show(100)
    bench.run(3)
    bench.show(100, fault=True)
    bench.run(1)
    assert bench.sign.shown == FAULT.encode()
    assert bench.status == told(bench, 100, fault_shown=True)
    bench.run(10)
    bench.show(150)
    bench.run(2)
    assert bench.sign.shown == b"1.50"
    assert bench.status == told(bench, 150)


def test_a_fault_left_by_another_run_is_taken_away(bench: SignBench) -> None:
    bench.show(100, fault=True)
    bench.run(3)
    bench.wanted = DisplayApply(100)
    bench.open()
    bench.run(3)
    assert bench.sign.shown == b"1.00"


def test_nothing_is_written_while_nothing_is_wanted(bench: SignBench) -> None:
    bench.run(10)
    assert not [command for command in commands(bench) if command[:1] in b"EAG"]
    assert bench.ends == []


def test_somebody_else_s_amount_is_a_fault_and_put_right() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(5)
    bench.sign.overwrite(b"8000000.00")
    told = bench.run(8)
    assert [event.event for event in told if isinstance(event, Reported)] == [
        DisplayFaulted(DisplayFaultCode.READ_BACK)
    ]
    assert StatusHeard(DisplayStatus(800_000_000)) in told
    assert bench.sign.shown == b"1.00"
    assert bench.status == DisplayStatus(100)


def test_a_sign_that_is_stuck_is_a_fault_once_and_not_written_to_in_a_loop() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(5)
    bench.sign.is_stuck = True
    bench.show(200)
    bench.run(30)
    assert bench.faults == 1
    assert bench.status == DisplayStatus(100)
    assert len(writes(bench, b"G")) < 25
    assert len(writes(bench, b"E")) == 1
    bench.sign.is_stuck = False
    bench.run(5)
    assert bench.sign.shown == b"2.00"


@pytest.mark.parametrize("forget_all", [False, True])
def test_a_sign_that_lost_power_is_set_up_where_it_needs_it(forget_all: bool) -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(5)
    bench.sign.lose_power(forget_all=forget_all)
    before = len(bench.written)
    bench.run(8)
    written = [one for one in commands(bench)[before:] if one[:1] in b"EAG"]
    assert written[0][:1] == (b"E" if forget_all else b"G"), "the memory first, where it is gone"
    assert bench.sign.shown == b"1.00"
    assert bench.sign.lay_outs == 1 + forget_all
    assert bench.faults == 1


def test_a_sign_that_does_not_keep_its_set_up_is_not_worn_out() -> None:
    bench = SignBench()
    bench.to_sign = lambda data: b"" if b"\x02E$" in data else data
    bench.show(100)
    bench.run(50)
    assert len(writes(bench, b"E")) == SET_UPS_AT_ONCE
    assert bench.faults == 1


def test_a_lost_byte_costs_nothing_but_time() -> None:
    bench = SignBench()
    for number in range(400):
        bench.to_sign = lambda data, number=number: data.replace(data[number % 30 : number % 30 + 1], b"", 1)
        bench.show(100 + number // 50)
        bench.run(0.1)
    bench.to_sign = intact
    bench.run(8)
    assert bench.sign.shown == b"1.07"


def test_silence_is_a_loss_after_five_seconds() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(3)
    bench.to_host = dead
    began_s = bench.now_s
    while not bench.ends:
        bench.run(0.1)
    assert LOST_AFTER_S - 1.6 <= bench.now_s - began_s <= LOST_AFTER_S + 0.2
    assert isinstance(bench.ends[0], DeviceLost)
    assert bench.ends[0].reason is LostReason.SILENT


def test_a_sign_that_never_answers_is_never_connected() -> None:
    bench = SignBench(sign_answers=False)
    bench.show(100)
    assert bench.run(12) == []
    assert len(bench.ends) == 2
    assert writes(bench, b"E") == []


def test_a_full_port_is_a_loss_for_a_sign_that_cannot_be_read() -> None:
    bench = SignBench(read_back=False, sign_answers=False)
    bench.show(100)
    bench.run(5)
    bench.port_takes = False
    bench.run(8)
    assert [end.reason for end in bench.ends if isinstance(end, DeviceLost)] == [LostReason.SILENT]


def test_a_write_under_way_at_a_loss_is_of_unknown_outcome() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(3)
    bench.to_host = dead
    bench.show(200)
    bench.run(5.3)
    assert bench.ends
    bench.open()
    before = len(bench.written)
    bench.to_host = intact
    bench.run(0.5)
    assert commands(bench)[before][:1] == b"F", "it is asked before anything is written"
    bench.run(3)
    assert bench.sign.shown == b"2.00"


def test_the_counters_tell_what_the_line_did() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(3)
    stats = bench.driver.stats
    assert stats.good > 4
    assert stats.rejected == {}
    assert stats.retransmissions == 0
    assert stats.rtt_ms is not None
    assert 20 <= stats.rtt_ms <= 100
    bench.to_host = lambda data: data.replace(b"\x03", b"\x05")
    bench.run(2)
    bench.driver.receive_data(b"\x15\x50", bench.now_s)
    stats = bench.driver.stats
    assert stats.rejected["bad-length"] >= 1
    assert stats.rejected["not-acknowledged"] == 1
    assert stats.retransmissions >= 1


def test_an_answer_that_nobody_asked_for_is_not_believed() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(3)
    lie = b"\x01000\x02G19.99\x03" + b"%04X" % (2 + sum(b"G19.99") + 3) + b"\x04"
    bench.run(0.2)
    while bench.driver._line.is_asking:
        bench.run(0.05)
    bench.driver.receive_data(lie, bench.now_s)
    assert bench.driver.stats.rejected == {"not-asked": 1}
    bench.run(3)
    assert bench.status == DisplayStatus(100)


def test_an_answer_to_another_question_is_not_believed() -> None:
    bench = SignBench()
    bench.show(100)
    bench.run(3)
    bench.to_sign = dead
    while not bench.driver._line.is_asking:
        bench.run(0.05)
    text = b"E$" if bench.written[-1][-3:-1] != b"F$" else b"A0"
    bench.driver.receive_data(b"\x01000\x02" + text + b"\x03%04X\x04" % (5 + sum(text)), bench.now_s)
    assert bench.driver.stats.rejected == {"not-asked": 1}
    assert bench.driver._line.is_asking


def test_a_sign_is_no_shoe() -> None:
    with pytest.raises(DriverError):
        SignBench().driver.apply(ShoeApply(locked=True), 100.0, is_answer=True)


def test_plugs_pulled_under_a_supervisor_one_lost_one_connected() -> None:
    """The plug is pulled at each step: a made connection is reported lost once, and the next one has another number."""
    sign = SignBench().sign
    for steps in range(40):
        made = make_alpha_driver(AlphaSettings(FAULT, simulated=True), lambda connection: 1000 + connection)
        supervisor = DeviceSupervisor("sign", made, Backoff(), lambda: 0.0)
        supervisor.apply(DisplayApply(100), 0.0)
        told: list[DriverEvent] = []
        now_s = _exchange(supervisor, sign, 0.0, steps, told)
        was_connected = supervisor.connected
        supervisor.port_lost(PortLost("/dev/sign", "hung up"), now_s)
        assert supervisor.wants_close
        supervisor.port_closed()
        supervisor.port_failed(PortMissing("/dev/sign", "not there"), now_s)
        supervisor.handle_timeout(now_s + 10.0)
        _exchange(supervisor, sign, now_s + 10.0, 40, told)
        events = [type(event) for event in told if isinstance(event, DeviceConnected | DeviceLost)]
        assert events == ([DeviceConnected, DeviceLost] if was_connected else []) + [DeviceConnected]
        assert supervisor.identity is not None
        assert supervisor.identity.boot == 1002
        assert sign.shown == b"1.00"


def _exchange(supervisor: DeviceSupervisor, sign: object, now_s: float, steps: int, told: list[DriverEvent]) -> float:
    """Exchanges bytes for `steps` steps of 0.05 s; appends the reports to `told` and returns the time of the end."""
    if supervisor.wants_open:
        supervisor.port_opened(now_s)
    for _ in range(steps):
        now_s += 0.05
        while data := supervisor.data_to_send():
            sign.receive_data(data, now_s)
        supervisor.receive_data(sign.data_to_send(), now_s)
        told += supervisor.events()
        if supervisor.awaits_answer:
            supervisor.apply(DisplayApply(100), now_s)
        supervisor.handle_timeout(now_s)
    return now_s


class SignMachine(RuleBasedStateMachine):
    """After any faults of line and sign, the sign shows the wished amount and the driver knows it."""

    @initialize(checksum=st.booleans(), seed=st.integers(0, 2**16))
    def begin(self, checksum: bool, seed: int) -> None:
        self.bench = SignBench(checksum=checksum)
        self.random = Random(seed)  # noqa: S311
        self.resets = 0
        self.bench.show(100)

    @rule(cents=st.integers(0, 10**9), fault=st.booleans())
    def show(self, cents: int, fault: bool) -> None:
        self.bench.show(cents, fault=fault)

    @rule(seconds=st.floats(0.05, 7))
    def wait(self, seconds: float) -> None:
        self.bench.run(seconds)

    @rule(forget_all=st.booleans())
    def lose_power(self, forget_all: bool) -> None:
        self.resets += 1
        self.bench.sign.lose_power(forget_all=forget_all)

    @rule(text=st.sampled_from([b"", b"9.99", b"hello", b"1.00"]))
    def overwrite(self, text: bytes) -> None:
        self.bench.sign.overwrite(text)

    @rule(noise=st.binary(max_size=40))
    def noise(self, noise: bytes) -> None:
        self.bench.driver.receive_data(noise, self.bench.now_s)

    @rule(to_sign=st.booleans(), rate=st.sampled_from([0.0, 0.01, 0.2, 1.0]))
    def damage(self, to_sign: bool, rate: float) -> None:
        self.resets += 1
        line = self._damaged if rate else intact
        self.rate = rate
        if to_sign:
            self.bench.to_sign = line
        else:
            self.bench.to_host = line

    def _damaged(self, data: bytes) -> bytes:
        """The bytes after the loss of some, or with a flipped bit."""
        made = bytearray()
        for byte in data:
            fate = self.random.random()
            if fate > self.rate:
                made.append(byte)
            elif fate < self.rate / 2:
                made.append(byte ^ 1 << self.random.randrange(7))
        return bytes(made)

    @rule()
    def heal(self) -> None:
        self.bench.to_sign = self.bench.to_host = intact
        self.bench.run(75)
        wanted = self.bench.wanted
        assert wanted is not None
        expected = FAULT.encode() if wanted.fault else b"%d.%02d" % divmod(wanted.cents, 100)
        assert self.bench.sign.shown == expected
        assert self.bench.status == DisplayStatus(wanted.cents, fault_shown=wanted.fault)

    @invariant()
    def a_loss_is_only_ever_silence(self) -> None:
        if hasattr(self, "bench"):
            assert {end.reason for end in self.bench.ends if isinstance(end, DeviceLost)} <= {LostReason.SILENT}


SignMachine.TestCase.settings = settings(max_examples=examples(25), stateful_step_count=20)
TestSignMachine = pytest.mark.slow(SignMachine.TestCase)
