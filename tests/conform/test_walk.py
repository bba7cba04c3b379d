"""The walk of the conformance checks: it reports nothing at a good device, and finds faults that no check looks for."""

import pytest

from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.lot import Lot
from firmware_protocols.tdp.conform.own_key import paired
from firmware_protocols.tdp.conform.suite import CHECKS, Status, make_checks, verdicts
from firmware_protocols.tdp.conform.walk import STEPS, walk
from simulators.devices.firmware import pairable
from simulators.devices.rig import Rig
from tests.conform.broken.table import KINDS, NOW_S, TABLE, Broken, device_of
from tests.conform.line import StallingLine
from tests.conform.test_conform import host_of

pytestmark = pytest.mark.waits

BY_THE_WALK_ALONE = (
    "ReadsOnWhereTheErrorCameInSilence",
    "RefusesAllInTroubleWith48",
)


def walked(host: Host, seed: int, *, is_paired: bool = False) -> dict[str, str]:
    """The duties that a walk has found broken, with the finding."""
    host.open()
    if not is_paired:
        walk(host, seed, STEPS)
    else:
        with paired(host):
            host.watch.is_locked_by_right = True
            walk(host, seed, STEPS)
    return {number: one.found for number, one in host.watch.breaks.items()}


@pytest.mark.drawn(6, of="walks")
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("kind", KINDS)
def test_a_walk_says_nothing_of_a_good_device(kind: str, seed: int) -> None:
    assert walked(host_of(device_of(kind, KINDS[kind])), seed) == {}


@pytest.mark.drawn(6, of="walks")
@pytest.mark.parametrize("seed", range(50))
@pytest.mark.parametrize("kind", KINDS)
def test_a_walk_says_nothing_of_a_good_paired_device(kind: str, seed: int) -> None:
    assert walked(host_of(device_of(kind, pairable(KINDS[kind]))), seed, is_paired=True) == {}


@pytest.mark.parametrize("name", BY_THE_WALK_ALONE)
def test_a_walk_finds_what_no_check_looks_for(name: str) -> None:
    [broken] = [one for one in TABLE if one.made.__name__ == name]
    others = [check.name for check in CHECKS if not check.of_unbroken]
    found = {only: judged(broken, only) for only in ((), tuple(others))}
    assert found == {(): {broken.number}, tuple(others): set()}


def judged(broken: Broken, only: tuple[str, ...]) -> set[str]:
    """The duties that these checks find broken; all checks where none is named."""
    host = host_of(broken.device())
    return {one.number for one in verdicts(host, make_checks(host, only=only)) if one.status is Status.BROKEN}


class RealRig(Rig):
    """Hands at a device that is taken for a real one, on a line that is late."""

    is_quick = False


@pytest.mark.drawn(2, of="walks")
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", KINDS)
def test_a_stall_is_no_fault_of_the_device(kind: str, seed: int) -> None:
    device = device_of(kind, KINDS[kind])
    stalling = StallingLine(device, NOW_S, seed, 0.5)
    bench = RealRig(device, stalling.now_s)
    assert walked(Host(stalling, device._schema, 1000, is_simulated=True, moves=True, bench=bench), seed) == {}


@pytest.mark.parametrize("seed", [0, 7, 23])
@pytest.mark.parametrize("kind", KINDS)
def test_the_moments_beside_a_long_stall_prove_nothing(kind: str, seed: int) -> None:
    """Stalls of nearly two seconds make frames and statuses late, and no reply of them counts."""
    device = device_of(kind, KINDS[kind])
    stalling = StallingLine(device, NOW_S, seed, 1.9)
    bench = RealRig(device, stalling.now_s)
    assert walked(Host(stalling, device._schema, 1000, is_simulated=True, moves=True, bench=bench), seed) == {}


def test_a_walk_without_hands_ends_in_time() -> None:
    host = host_of(device_of("shoe", KINDS["shoe"]), hands=False)
    begun_s = host.line.now_s()
    assert walked(host, 1) == {}
    assert host.line.now_s() - begun_s < 200


def test_the_same_seed_draws_the_same() -> None:
    first, second, other = (Lot(seed) for seed in (1, 1, 2))
    drawn = [[lot.below(1000) for _ in range(50)] for lot in (first, second, other)]
    assert drawn[0] == drawn[1] != drawn[2]
