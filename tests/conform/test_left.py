"""The state in which the checks leave a device at their end, and what a person must do at it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.catalogue import Language, sentence
from firmware_protocols.tdp.conform.bench import Deed, Statement
from firmware_protocols.tdp.conform.left import left
from firmware_protocols.tdp.conform.line import Host, Skipped
from firmware_protocols.tdp.conform.making import make_check
from firmware_protocols.tdp.conform.own_key import paired
from firmware_protocols.tdp.shoe import ShoeApply
from simulators.devices.firmware import pairable
from simulators.devices.rig import Rig
from simulators.devices.shoe import SimulatedShoe
from tests.conform.broken.table import KINDS, NOW_S, device_of
from tests.conform.line import VirtualLine
from tests.conform.test_conform import BY_NAME, QUICK, conform, good, host_of, plugged_in

pytestmark = pytest.mark.waits

CANNOT_COUNT = Statement(parts={"recount": False})
KEYS = (
    *("nothing", "silent", "has-key", "counts-until-recount", "counts-for-good", "jammed", "lid-open"),
    *("path-blocked", "error", "lamp-lit", "shows", "events"),
)


def without_events(host: Host) -> set[str]:
    return {one for one in left(host) if not one.startswith("events:")}


@pytest.mark.parametrize(
    ("kind", "statement", "says"),
    [
        ("shoe", None, "counts-for-good"),
        ("shuffler", None, "counts-until-recount"),
        ("shuffler", CANNOT_COUNT, "counts-for-good"),
    ],
)
def test_a_device_that_forgot_is_left_so(kind: str, statement: Statement | None, says: str) -> None:
    host = host_of(device_of(kind, KINDS[kind]), statement=statement)
    host.open()
    assert not {one for one in left(host) if one.startswith("counts")}
    assert make_check(BY_NAME["lost-counts-are-said"], host).broken is None
    assert says in left(host)


def test_a_recount_ends_it() -> None:
    """A shuffler's last checks leave it with known counts where a recount is behind `forget`."""
    host = host_of(device_of("shuffler", KINDS["shuffler"]))
    host.open()
    assert make_check(BY_NAME["unknown-counts-release-nothing"], host).broken is None
    assert not {one for one in left(host) if one.startswith("counts")}


@pytest.mark.parametrize(
    ("kind", "deeds", "says"),
    [
        ("shuffler", (Deed.LID_OPEN,), {"lid-open"}),
        ("shuffler", (Deed.JAM,), {"jammed", "path-blocked"}),
        ("shoe", (Deed.FAULT,), {"error"}),
        ("shoe", (), {"nothing"}),
        ("display", (), {"nothing"}),
    ],
)
def test_what_stands_is_said(kind: str, deeds: tuple[Deed, ...], says: set[str]) -> None:
    host = host_of(device_of(kind, KINDS[kind]))
    host.open()
    for deed in deeds:
        host.hand(deed)
    host.acknowledge(host.status()[1])
    assert set(left(host)) == says


@pytest.mark.parametrize(
    ("kind", "check"), [("value-display", "what-is-shown-stays"), ("slots", "what-is-shown-stays")]
)
def test_a_picture_that_stays_is_said(kind: str, check: str) -> None:
    host = host_of(device_of(kind, KINDS[kind]))
    assert "shows" not in left(host)
    make_check(BY_NAME[check], host)
    assert "shows" in left(host)
    host.hand(Deed.POWER)
    assert "shows" not in left(host)


def test_a_lamp_without_a_jam_is_said() -> None:
    host = host_of(device_of("shuffler", KINDS["shuffler"]))
    lit = [_is_lit_behind(host, "heartbeats-are-answered") for _ in range(2)]
    assert sorted(lit) == [False, True]


def _is_lit_behind(host: Host, check: str) -> bool:
    make_check(BY_NAME[check], host)
    return "lamp-lit" in left(host)


def test_events_that_wait_are_counted() -> None:
    host = host_of(device_of("shoe", KINDS["shoe"]))
    host.open()
    host.apply(ShoeApply(locked=False))
    host.acknowledge(1)
    host.hand(Deed.EVENT, 2)
    assert left(host) == ("events:2",)


class NoHandsAtLast(Rig):
    """The switch inside is turned on once, and not again."""

    times = 0

    def do(self, deed: Deed, times: int, meanwhile: Callable[[], None]) -> bool:
        self.times += deed is Deed.PAIR
        return self.times < 2 and super().do(deed, times, meanwhile)


def test_a_key_that_could_not_be_taken_away_is_said() -> None:
    device = pairable(SimulatedShoe)(now_s=NOW_S)
    virtual = VirtualLine(device, NOW_S)
    host = Host(virtual, device._schema, 1000, is_simulated=True, bench=NoHandsAtLast(device, virtual.now_s))
    host.open()
    with pytest.raises(Skipped), paired(host):
        pass
    assert left(host) == ("has-key",)


def test_a_device_that_is_gone_is_said() -> None:
    device = SimulatedShoe(now_s=NOW_S)
    host = host_of(device)
    host.open()
    device.hang(NOW_S, for_s=600)
    assert left(host) == ("silent",)


@pytest.mark.parametrize("language", [Language.EN, Language.PT])
@pytest.mark.parametrize("key", KEYS)
def test_each_state_has_its_sentence(key: str, language: Language) -> None:
    assert sentence(f"cli.conform-left.{key}", {"deed": "3"}, language)


def test_a_maker_reads_how_the_device_is_left(tmp_path: Path) -> None:
    with plugged_in(good, tmp_path / "shoe") as port:
        said = conform(port, *QUICK).stdout.splitlines()
        document = json.loads(conform(port, *QUICK, "--json").stdout)
    assert said[-2].startswith("left       Events of these checks wait, 1 of them")
    assert document["left"] == [said[-2].removeprefix("left").lstrip()]


# --- the names of checks


def test_a_name_that_is_none_brings_the_near_ones_and_no_list(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "nothing")
    said = [conform(nowhere, "--kind", "shoe", "--check", name) for name in ("a-shoe-lock", "TDP-6.99", "list")]
    assert [one.returncode for one in said] == [2, 2, 2]
    assert "a-shoe-locks" in said[0].stderr
    assert "TDP-6.9," in said[1].stderr
    for one in said:
        assert "--list-checks" in one.stderr
        assert len(one.stderr) < 300


def test_all_names_are_listed_without_a_port() -> None:
    said = conform("--list-checks").stdout.splitlines()
    assert len(said) == len(BY_NAME)
    assert "a-shoe-locks  TDP-5.9 TDP-11.4  (shoe)" in said
    rows = json.loads(conform("--list-checks", "--json").stdout)
    assert [row["name"] for row in rows] == list(BY_NAME)
