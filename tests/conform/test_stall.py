"""All checks on a line that stalls for up to two seconds: they blame a good device for nothing."""

import pytest

from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.suite import Status, make_checks, verdicts
from simulators.devices.firmware import pairable
from tests.conform.broken.table import KINDS, NOW_S, device_of
from tests.conform.line import StallingLine
from tests.conform.test_walk import RealRig
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits

STALL_S = 2.0
CASES = [(kind, seed) for kind in KINDS for seed in range(3, 28)] if IS_NIGHT else [("shuffler", 4), ("shoe", 25)]


@pytest.mark.parametrize(("kind", "seed"), CASES)
def test_a_stall_costs_a_good_device_no_number(kind: str, seed: int) -> None:
    device = device_of(kind, pairable(KINDS[kind]))
    line = StallingLine(device, NOW_S, seed, STALL_S)
    bench = RealRig(device, line.now_s)
    host = Host(line, device._schema, 1000, is_simulated=True, moves=True, bench=bench)
    found = verdicts(host, make_checks(host))
    assert {one.number: one.why for one in found if one.status is Status.BROKEN} == {}
