"""The watch of the wires: a command after a reconnect is a fault only if the newest status already agrees with it."""

import pytest

from controller.core.words import Device
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.display import DISPLAY, DisplayApply, DisplayStatus
from firmware_protocols.tdp.link import DeviceIdentity, FrameKind, Header, build
from firmware_protocols.tdp.schema import DeviceKind
from simulators.world.watches import WireWatch

SIGN = DeviceIdentity(DeviceKind.DISPLAY, simulated=True, model="sign", serial="S1", firmware="1.0")


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def watch(told: list[str]) -> WireWatch:
    return WireWatch(told.append, holds=list, said_last=lambda: None)


def identity(status: DisplayStatus) -> bytes:
    body = rows.IDENTITY_LAYOUT.encode(rows.identity_body(SIGN, 1, 1))
    return build(Header(FrameKind.IDENTITY, 5, 1, 0), body + DISPLAY.encode_status(status))


def reply(status: DisplayStatus) -> bytes:
    body = rows.REPLY_LAYOUT.encode(rows.ReplyBody(0))
    return build(Header(FrameKind.HEARTBEAT_REPLY, 5, 1, 1), body + DISPLAY.encode_status(status))


def first_command(wanted: DisplayApply) -> bytes:
    return build(Header(FrameKind.COMMAND, 5, 1, 1), DISPLAY.encode_command(wanted))


@pytest.mark.parametrize(
    ("now", "findings"),
    [
        (DisplayStatus(100), 1),
        (DisplayStatus(100, fault_shown=True), 0),  # a stuck display that shows its last picture after a repair
    ],
)
def test_a_command_is_compared_with_the_newest_status(
    watch: WireWatch, told: list[str], now: DisplayStatus, findings: int
) -> None:
    watch.said(Device.JACKPOT_DISPLAY, identity(DisplayStatus(100)) + reply(now))
    watch.sent(Device.JACKPOT_DISPLAY, first_command(DisplayApply(100, fault=False)))
    assert len(told) == findings
