"""Journals that the production code really wrote: no false alarm, in whatever order things happen; and planted defects.

The walk (walk.py) does what no table does, too: hands feed cards into a locked machine and pull them out of it, which
the monitor rightly calls so.
"""

import dataclasses
from collections.abc import Callable
from functools import cache

import pytest

from controller.core.custody import drawing
from controller.core.custody import evidence as guards_holds
from controller.core.custody.counting import watch_counts
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import all_acts as a
from controller.core.games.blackjack import table as decide
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACTS, TABLE
from controller.core.house import deciding
from controller.core.house import rule as rows
from controller.core.house.attendance import CHIEF_PRESENT_FOR_LOADING, CHIEF_PRESENT_FOR_UNLOADING
from controller.core.house.facts import DeviceConnected
from controller.core.house.hold_table import Evidence
from controller.core.words import Device, HoldKind
from controller.journal.entry import encode_entry
from simulators.oracles.export_reader import read_export
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import check_export
from tests.core.parts import changed
from tests.core.table import DEALER
from tests.oracles.lines import export_of
from tests.oracles.recorded import RecordedTable
from tests.oracles.walk import OF_OTHER_PROFILES, SMALL, Walk
from tests.runtime.bench import CHIEF as BENCH_CHIEF
from tests.runtime.bench import DEALER as BENCH_DEALER
from tests.runtime.bench import Bench

OF_THE_WALKS_HANDS = {
    "nothing moves in a jam",
    "loading is watched",
    "unloading is watched",
    "reader before the next card",
}
"""Cards that come and go though the machine is locked: nobody's fault but the walk's."""

SEEDS = (*range(10), 11)  # the last one loses its controller amid a round
SHARES_OF_FAULTS = (0.0, 0.03, 0.15)
STEPS = 400


@cache
def walked(seed: int, faults: float) -> RecordedTable:
    return Walk(seed, faults=faults).go(STEPS)


def names(table: RecordedTable, *, with_sightings: bool) -> set[str]:
    found = check_export(table.export(), table.figures(), table.sightings if with_sightings else ())
    return {violation.rule for violation in found}


@pytest.mark.parametrize("with_sightings", [True, False])
@pytest.mark.parametrize("faults", SHARES_OF_FAULTS)
def test_no_false_alarm_whatever_happens(faults: float, with_sightings: bool) -> None:
    found: set[str] = set()
    for seed in SEEDS:
        found |= names(walked(seed, faults), with_sightings=with_sightings)
    assert found <= OF_THE_WALKS_HANDS
    assert faults or not found


def test_the_walk_goes_everywhere() -> None:
    """Otherwise it would show nothing: rounds are settled, holds confirmed, sessions closed, one way and the other."""
    tables = [walked(seed, faults) for seed in SEEDS for faults in SHARES_OF_FAULTS]
    kinds = {entry.kind for table in tables for entry in table.export().entries if not entry.refused}
    assert set(ACTS) - kinds - OF_OTHER_PROFILES <= {
        "confirm-taken-out",
        "abandon-opening",
        "take-out-loading",
        "attest-repair",
        "report-extra-card",
        "move-card",
    }


def test_a_table_without_a_reader() -> None:
    table = RecordedTable(replace(SMALL, has_reader=False))
    table.open()
    table.deal(1, 2)
    table.act(a.ConfirmSettled, DEALER)
    table.act(a.CollectCards, DEALER)
    table.act(a.BeginPuttingBack, DEALER)
    for _ in range(table.state.custody.book.rack):
        table.card_in()
    table.act(a.EndPuttingBack, DEALER)
    assert names(table, with_sightings=True) == set()


def test_the_real_runtime_with_a_jam_a_kill_and_a_slow_disk() -> None:
    bench = Bench()
    bench.play()
    bench.deal()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    bench.act(a.AttendHold, BENCH_CHIEF, hold=bench.latest.house.holds[0].id)
    bench.kill()
    bench.start()
    bench.run(1)
    bench.act(a.AttendHold, BENCH_CHIEF, hold=bench.latest.house.holds[0].id)
    bench.shuffler.clear_path(bench.now_s)
    bench.run(0.3)
    if bench.latest.custody.book.jammed:
        bench.act(
            a.StateCardsMoved, BENCH_CHIEF, source="jammed", target="rack", count=bench.latest.custody.book.jammed
        )
    bench.act(a.ClearHold, BENCH_CHIEF, hold=bench.latest.house.holds[0].id)
    bench.run(1)
    bench.disk_s = 2.0
    bench.unplug(Device.SHOE)
    bench.run(5)
    bench.plug(Device.SHOE)
    bench.run(10)
    bench.refused(a.ConfirmSettled, BENCH_DEALER)
    payloads = [bytes(payload) for payload in stored(bench)]
    export = read_export(export_of(payloads))
    assert {"shuffler-jammed", "device-lost", "turn-hole-card"} & {entry.kind for entry in export.entries}
    assert check_export(export, figures_bound_by(export.entries[0])) == []


def stored(bench: Bench) -> list[bytes]:
    return [encode_entry(entry) for entry in bench.entries()]


# --- defects, planted here and nowhere else


def nobodys_role_is_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deciding, "refused_by", lambda rule, state, act: deciding.first_failed(state, act, rule))


def nobody_need_be_present(patch: pytest.MonkeyPatch) -> None:
    absent = {guard.name for guard in (CHIEF_PRESENT_FOR_LOADING, CHIEF_PRESENT_FOR_UNLOADING)}
    for act, rule in list(TABLE.by_act.items()):
        kept = tuple(guard for guard in rule.guards if guard.name not in absent)
        patch.setitem(TABLE.by_act, act, dataclasses.replace(rule, guards=kept))


def a_reconnect_ends_the_hold(patch: pytest.MonkeyPatch) -> None:
    row = TABLE.by_fact[DeviceConnected]

    def ending(state: BlackjackState, event: object, at_ms: object) -> BlackjackState:
        after = row.effect(state, event, at_ms)
        return replace(
            after,
            house=replace(after.house, holds=tuple(h for h in after.house.holds if h.kind is not HoldKind.DEVICE_LOST)),
        )

    patch.setitem(TABLE.by_fact, DeviceConnected, dataclasses.replace(row, effect=ending))


def counts_are_not_compared(patch: pytest.MonkeyPatch) -> None:
    evidence = guards_holds._evidence
    patch.setattr(guards_holds, "_evidence", lambda kind, *of: kind is Evidence.COUNTS_AGREE or evidence(kind, *of))


def a_pending_card_holds_nothing(patch: pytest.MonkeyPatch) -> None:
    unexpected = drawing._unexpected_out

    def forgotten(state: BlackjackState, at_ms: object, **needs: bool) -> BlackjackState:
        return changed(unexpected(state, at_ms, **needs), holds=state.house.holds, last_hold=state.house.last_hold)

    patch.setattr(drawing, "_unexpected_out", forgotten)


def differences_are_not_watched(patch: pytest.MonkeyPatch) -> None:
    watches = tuple(watch for watch in TABLE.watches if watch is not watch_counts)
    patch.setattr(decide, "TABLE", dataclasses.replace(TABLE, watches=watches))


def a_jam_forbids_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rows, "forbidding", lambda _state, _permission: None)


DEFECTS = (
    (nobodys_role_is_checked, "role of ", 0),
    (nobody_need_be_present, "chief supervisor at ", 6),
    (a_reconnect_ends_the_hold, "waits for the end of device-lost", 0),
    (counts_are_not_compared, "counts are compared", 2),
    (a_pending_card_holds_nothing, "waits for the end of unexpected-card", 29),
    (differences_are_not_watched, "difference is held", 10),
    (a_jam_forbids_nothing, "waits for the end of jam", 1),
)
"""With the seed that is tried first: the walk that found it when the row was written."""


@pytest.mark.parametrize(("plant", "rule", "first"), DEFECTS, ids=[plant.__name__ for plant, _, _ in DEFECTS])
def test_a_planted_defect_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], rule: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    for seed in (first, *range(60)):
        if any(name.startswith(rule) for name in names(Walk(seed, faults=0.05).go(STEPS), with_sightings=False)):
            return
    pytest.fail("not found within 60 walks")
