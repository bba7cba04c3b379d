"""An Angel Eye on a real pty whose cable is pulled, in each state of its line."""

import asyncio
import os

import pytest
from loop_bench import Device, in_loop, turns
from ptys import PtyLine

from drivers.angel_eye_driver import make_angel_eye_driver
from drivers.backoff import Backoff
from drivers.events import CardsMayHavePassed, DeviceLost, LostReason, Reported, UnseenCause
from firmware_protocols.angel_eye.framing import ChecksumRule
from firmware_protocols.tdp.shoe import ShoeApply

pytestmark = pytest.mark.waits

CARD = bytes.fromhex("05 31 44 81 B8 03 34 46")
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")
QUICK = Backoff(first_s=0.02, cap_s=0.1)


def device_on(line: PtyLine) -> Device:
    make = make_angel_eye_driver(ChecksumRule.FROM_STX, simulated=True, committed=lambda: (0, 0))
    return Device(line.path, make, backoff=QUICK)


async def heard(line: PtyLine) -> bytes:
    return await asyncio.to_thread(line.hear, len(UNLOCK))


@pytest.mark.parametrize("state", ["idle", "half-a-frame", "between-copies", "command-outstanding", "command-answered"])
@in_loop
async def test_one_loss_one_return_and_what_is_desired_is_said_again(line: PtyLine, state: str) -> None:
    device = device_on(line)
    device.shell.start()
    await device.until_connected()
    match state:
        case "half-a-frame":
            line.send(CARD[:4])
        case "between-copies":
            line.send(CARD)
            await device.until(lambda: "Reported" in device.names())
        case "command-outstanding" | "command-answered":
            device.supervisor.apply(ShoeApply(locked=False), asyncio.get_running_loop().time())
            device.shell.pump()
            assert await heard(line) == UNLOCK
            if state == "command-answered":
                line.send(b"\x06")
                await device.until(lambda: "StatusHeard" in device.names())
    line.unplug()
    await device.until_lost()
    line.plug()
    await device.until_connected(2)
    if state.startswith("command"):
        assert await heard(line) == UNLOCK
    line.send(CARD * 2)
    if state == "between-copies":
        await device.until(lambda: device.supervisor.stats.good == 3)
    else:
        await device.until(lambda: "Reported" in device.names())
    assert await device.shell.stop()
    check(device, is_in_doubt=state == "command-outstanding")


def check(device: Device, *, is_in_doubt: bool) -> None:
    [loss] = [event for event in device.happened if isinstance(event, DeviceLost)]
    assert (loss.reason, loss.command_unknown) == (LostReason.PORT_LOST, is_in_doubt)
    assert sum(isinstance(event, Reported) for event in device.happened) == 1
    causes = [event.cause for event in device.happened if isinstance(event, CardsMayHavePassed)]
    assert causes == [UnseenCause.NOBODY_LISTENED] * 2


@in_loop
async def test_a_shoe_that_never_answers_is_lost_again_and_again_and_no_loop_turns(line: PtyLine) -> None:
    """On a one-way line the shoe answers no command: the supervisor reports a loss each time, and no loop spins."""
    device = device_on(line)
    device.supervisor.apply(ShoeApply(locked=False), asyncio.get_running_loop().time())
    device.shell.start()
    await device.until_lost()
    before = turns()
    await device.until_lost(2)
    assert turns() - before < 60
    assert await device.shell.stop()
    losses = [event for event in device.happened if isinstance(event, DeviceLost)]
    assert {loss.reason for loss in losses} == {LostReason.COMMAND_UNANSWERED}


@in_loop
async def test_noise_at_full_speed_is_counted_and_kept_out(line: PtyLine) -> None:
    device = device_on(line)
    device.shell.start()
    await device.until_connected()
    for _ in range(50):
        line.send(os.urandom(64).replace(b"\x05", b"x"))
        await asyncio.sleep(0)
    line.send(CARD)
    await device.until(lambda: "Reported" in device.names())
    assert await device.shell.stop()
    assert sum(device.supervisor.stats.rejected.values()) > 0
    assert device.names().count("CardsMayHavePassed") <= 2
