"""A shoe and its driver over a line that loses, repeats and damages, with restarts of either.

Every telegram becomes one event in order, or the number of the lost ones is reported; no command is executed twice.
"""

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from drivers.angel_eye_driver import BOOT, make_angel_eye_driver
from drivers.backoff import Backoff
from drivers.errors import PortLost
from drivers.events import CardsMayHavePassed, DeviceConnected, DeviceLost, Reported, UnseenCause
from drivers.supervisor import DeviceSupervisor
from firmware_protocols.angel_eye.codec import encode_command, encode_telegram
from firmware_protocols.angel_eye.framing import ChecksumRule, encode_block, encode_interrupt
from firmware_protocols.angel_eye.words import ErrorRaised, Lock, PresetChanged, Started, Telegram
from firmware_protocols.tdp.shoe import ShoeApply
from simulators.devices.angel_eye import NUMBERS, SimulatedAngelEye
from tests.night import examples

MOST_LOST = 5
"""The most losses in a row: a loss of a whole turn of numbers cannot be detected, and no text promises it."""

UNLOCK = encode_block(encode_command(Lock(locked=False)))


class Line(RuleBasedStateMachine):
    """The shoe sends telegrams that each have a number of their own; the driver's events are compared with them."""

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0
        self.rng = Random(0)  # noqa: S311 (where the damage is; the same in each run)
        self.durable = (0, 0)
        self.told: list[int] = []  # serials of the telegrams, as events
        self.gap = 0  # reported as missing since the last of them
        self.anew = True  # the state before is unknown: a connection, a start of the shoe
        self.serial = 0
        self.lost = 0  # in a row
        self.in_doubt = False  # an unlock was sent, and its effect is unknown
        self.shoe = SimulatedAngelEye()
        self.shoe.data_to_send()
        self.start_host()

    # ---- the host

    def start_host(self) -> None:
        make = make_angel_eye_driver(ChecksumRule.FROM_STX, simulated=True, committed=lambda: self.durable)
        self.host = DeviceSupervisor("shoe", make, Backoff(), lambda: 0.0)
        self.connect()

    def connect(self) -> None:
        while not self.host.wants_open:
            self.now_s = max(self.now_s, self.host.next_timeout_s() or self.now_s) + 0.01
            self.host.port_closed()
            self.host.handle_timeout(self.now_s)
        self.host.port_opened(self.now_s)
        self.in_doubt = False
        self.look()

    def look(self) -> None:
        for event in self.host.events():
            match event:
                case DeviceConnected():
                    self.anew = True
                case CardsMayHavePassed(UnseenCause.GAP, missed):
                    assert missed
                    self.gap += missed
                case Reported():
                    self.take(event)
                case _:
                    pass
        if self.host.awaits_answer and self.host.desired is not None:
            self.host.apply(self.host.desired, self.now_s)

    def take(self, event: Reported) -> None:
        assert event.number > self.durable[1] or event.boot != self.durable[0]
        self.durable = BOOT, event.number
        match event.event:
            case PresetChanged(value=value, address=address):
                serial = int(address + value)
                before = self.told[-1] if self.told else 0
                assert serial > before, "once and in order"
                assert self.anew or serial - before - 1 == self.gap, "a loss is a number"
                self.told.append(serial)
                self.anew, self.gap = False, 0
            case Started():
                self.anew, self.gap = True, 0
            case _:
                pass

    def hear(self, data: bytes) -> None:
        for at in range(len(data)):  # however it is cut
            self.host.receive_data(data[at : at + 1], self.now_s)
        self.look()
        self.move_down()

    def move_down(self, *, arrives: bool = True) -> None:
        sent = self.host.data_to_send()
        if UNLOCK in sent:
            assert not self.in_doubt, "an unlock was said again without knowing"
            self.in_doubt = True
        if sent and arrives:
            self.shoe.receive_data(sent, self.now_s)
            answer = self.shoe.data_to_send()
            assert self.telegrams_in(answer) <= 1
            if answer:
                self.in_doubt = False
                self.anew = self.anew or self.telegrams_in(answer) > 0  # it took a number of its own
                self.hear(answer)
        if self.host.wants_close:
            self.look()
            self.host.port_closed()
            self.connect()

    @staticmethod
    def telegrams_in(data: bytes) -> int:
        return data.count(b"\x05") // 3

    # ---- the shoe's telegrams

    def next_telegram(self) -> bytes:
        """Makes the shoe send its next telegram; returns one copy of the telegram's bytes."""
        self.serial += 1
        text = f"{self.serial:06d}"
        self.shoe.touch_preset(text[:2], text[2:])
        copies = self.shoe.data_to_send()
        return copies[: len(copies) // 3]

    @rule()
    def clean(self) -> None:
        self.hear(self.next_telegram() * 3)
        self.lost = 0

    @rule(good=st.integers(0, 2), repeats=st.integers(1, 3))
    def damaged(self, good: int, repeats: int) -> None:
        """Sends one telegram: a whole copy and damaged ones, which may come twice."""
        frame = self.next_telegram()
        copies = [self.spoilt(frame) for _ in range(3)]
        copies[good] = frame * repeats
        self.hear(b"".join(copies))
        self.lost = 0

    @precondition(lambda self: self.lost < MOST_LOST)
    @rule(is_damaged=st.booleans())
    def lose(self, *, is_damaged: bool) -> None:
        frame = self.next_telegram()
        self.lost += 1
        if is_damaged:
            self.hear(self.spoilt(frame) + self.spoilt(frame))

    @rule()
    def noise(self) -> None:
        self.hear(self.rng.randbytes(self.rng.randrange(1, 12)).replace(b"\x06", b"").replace(b"\x15", b""))

    @rule()
    def reboot_shoe(self) -> None:
        self.shoe.reboot(self.now_s, off_s=0.1)
        self.now_s += 0.2
        self.shoe.on_time(self.now_s)
        self.lost = 0
        self.hear(self.shoe.data_to_send())

    def spoilt(self, frame: bytes) -> bytes:
        """The frame with one bit flipped, or some bytes lost."""
        if self.rng.random() < 0.5:
            at = self.rng.randrange(1, len(frame))
            return frame[:at]
        damaged = bytearray(frame)
        damaged[self.rng.randrange(len(frame))] ^= 1 << self.rng.randrange(8)
        return bytes(damaged)

    # ---- the host's side

    @rule(locked=st.booleans(), arrives=st.booleans())
    def desire(self, *, locked: bool, arrives: bool) -> None:
        self.host.apply(ShoeApply(locked=locked), self.now_s)
        self.move_down(arrives=arrives)

    @rule(wait_s=st.sampled_from([0.1, 0.6, 1.1, 6.0]))
    def wait(self, wait_s: float) -> None:
        self.now_s += wait_s
        self.host.handle_timeout(self.now_s)
        self.look()
        self.move_down()

    @rule()
    def restart_host(self) -> None:
        """Restarts the host between the copies of one telegram."""
        frame = self.next_telegram()
        self.host.receive_data(frame, self.now_s)  # the shoe's report on itself comes after the other copies
        self.look()
        self.start_host()
        self.hear(frame * 2)
        self.lost = 0

    @rule()
    def pull_the_cable(self) -> None:
        self.host.port_lost(PortLost("shoe", "pulled"), self.now_s)
        ends = [event for event in self.host.events() if isinstance(event, DeviceLost)]
        assert len(ends) == 1
        self.host.port_closed()
        self.connect()

    @invariant()
    def one_connection(self) -> None:
        assert self.host.connected

    @invariant()
    def a_command_is_executed_only_as_it_was_sent(self) -> None:
        assert all(isinstance(command, Lock) for command in self.shoe.commands)


TestLine = pytest.mark.slow(Line.TestCase)
TestLine.settings = settings(max_examples=examples(60), stateful_step_count=50, suppress_health_check=list(HealthCheck))


def test_the_simulated_shoe_numbers_as_the_real_one() -> None:
    shoe = SimulatedAngelEye()
    said: list[Telegram] = [Started(), *[ErrorRaised(3, halted=False)] * 20]
    for _ in said[1:]:
        shoe.raise_error(3, halted=False)
    frames = [
        encode_interrupt(NUMBERS[place % len(NUMBERS)], encode_telegram(telegram)) * 3
        for place, telegram in enumerate(said)
    ]
    assert shoe.data_to_send() == b"".join(frames)
