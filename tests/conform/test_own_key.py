"""The checks at a device that already has a key: of another host, or of an earlier run that was cut short."""

from pathlib import Path

import pytest

from firmware_protocols.tdp.conform import line, own_key
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.shoe import SHOE
from simulators.devices.firmware import pairable
from simulators.devices.rig import Rig
from simulators.devices.shoe import SimulatedShoe
from simulators.pty_port import PtyHost
from tests.conform.broken.table import NOW_S
from tests.conform.line import VirtualLine
from tests.conform.test_conform import conform

pytestmark = pytest.mark.waits

OTHERS = bytes(range(32, 64))
QUICK = ("--kind", "shoe", "--check", "TDP-7.2")


def with_key(key: bytes, now_s: float) -> SimulatedShoe:
    device = pairable(SimulatedShoe)(now_s=now_s)
    device.pairing.key = key
    return device


@pytest.mark.parametrize(("key", "is_taken"), [(own_key.KEY, True), (OTHERS, False)])
def test_a_key_of_the_checks_is_taken_back_and_no_other(key: bytes, is_taken: bool) -> None:
    device = with_key(key, NOW_S)
    virtual = VirtualLine(device, NOW_S)
    host = Host(virtual, SHOE, 1000, is_simulated=True, bench=Rig(device, virtual.now_s))
    with pytest.raises(line.Broken):
        host.open()
    assert host.is_denied
    assert own_key.take_back(host) is is_taken
    if is_taken:
        Host(virtual, SHOE, 2000, is_simulated=True).open()


def test_a_maker_reads_that_another_host_has_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "IDENTIFY_WITHIN_S", 0.5)
    link = tmp_path / "shoe"
    with PtyHost() as ports:
        device = with_key(OTHERS, ports.clock())
        ports.add(link, device, baud_rate=None)
        done = conform(str(link), *QUICK)
    assert done.returncode == 1
    assert "paired with another host" in done.stderr
