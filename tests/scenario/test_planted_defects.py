"""Defects of the procedure, planted in production code: a written scenario finds each.

Each is a patch made by a test and removed after it, never a switch. Defects that time, devices and restarts reveal are
planted in worlds (tests/world/defects.py).
"""

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from controller.core.custody import corrections, counting, drawing, mixing, outage, reader, rulings, set_aside, shoe
from controller.core.custody import evidence as guards_holds
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import deal
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house import deciding
from controller.core.house import rule as rows
from controller.core.house.attendance import CHIEF_PRESENT_FOR_LOADING, CHIEF_PRESENT_FOR_UNLOADING
from controller.core.house.facts import DeviceConnected
from controller.core.house.hold_table import Evidence
from controller.core.words import HoldKind
from controller.scenario.play import play
from tests.scenario.test_written_scenarios import FILES, scenarios

Patch = Callable[[pytest.MonkeyPatch], None]


def nobodys_role_is_checked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deciding, "refused_by", lambda rule, state, act: deciding.first_failed(state, act, rule))


def nobody_need_be_present(patch: pytest.MonkeyPatch) -> None:
    absent = {guard.name for guard in (CHIEF_PRESENT_FOR_LOADING, CHIEF_PRESENT_FOR_UNLOADING)}
    for act, rule in list(TABLE.by_act.items()):
        kept = tuple(guard for guard in rule.guards if guard.name not in absent)
        patch.setitem(TABLE.by_act, act, dataclasses.replace(rule, guards=kept))


def without_holds(before: BlackjackState, after: BlackjackState) -> BlackjackState:
    return replace(after, house=replace(after.house, holds=before.house.holds, last_hold=before.house.last_hold))


def a_reconnect_ends_the_hold(patch: pytest.MonkeyPatch) -> None:
    row = TABLE.by_fact[DeviceConnected]

    def ending(state: BlackjackState, event: object, at_ms: object) -> BlackjackState:
        after = row.effect(state, event, at_ms)
        left = tuple(hold for hold in after.house.holds if hold.kind is not HoldKind.DEVICE_LOST)
        return replace(after, house=replace(after.house, holds=left))

    patch.setitem(TABLE.by_fact, DeviceConnected, replace(row, effect=ending))


def counts_are_not_compared(patch: pytest.MonkeyPatch) -> None:
    evidence = guards_holds._evidence
    patch.setattr(guards_holds, "_evidence", lambda kind, *of: kind is Evidence.COUNTS_AGREE or evidence(kind, *of))


def a_pending_card_holds_nothing(patch: pytest.MonkeyPatch) -> None:
    unexpected = drawing._unexpected_out
    patch.setattr(
        drawing,
        "_unexpected_out",
        lambda state, at_ms, **needs: without_holds(state, unexpected(state, at_ms, **needs)),
    )


def differences_are_not_watched(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(counting, "differences", lambda _state: ())


def a_jam_forbids_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rows, "forbidding", lambda _state, _permission: None)


def a_card_that_stands_can_be_corrected(patch: pytest.MonkeyPatch) -> None:
    for module in (corrections, rulings, set_aside):
        patch.setattr(module, "last_can_change", lambda state: bool(state.game.dealt))


def anybody_cuts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(mixing, "cut_is_offered_to", lambda state: (state.custody.shoe_game.players or (None,))[-1])


def a_shoe_is_never_over(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(shoe, "shoe_is_over", lambda _state: False)


def nothing_is_burnt_later(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(deal, "_round_burn_is_due", lambda _state, **_to: False)


def blind_time_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(outage, "after_blind_time", lambda state, _at_ms: state)


def a_card_of_the_shoe_holds_nothing(patch: pytest.MonkeyPatch) -> None:
    of_the_shoe = drawing.card_of_the_shoe

    def forgotten(state: BlackjackState, identity: Any, at_ms: Any) -> BlackjackState:  # noqa: ANN401 - as the patched
        after = of_the_shoe(state, identity, at_ms)
        is_pending = after.custody.book.pending > state.custody.book.pending
        return without_holds(state, after) if is_pending else after

    patch.setattr(reader, "card_of_the_shoe", forgotten)


DEFECTS: dict[Patch, str] = {
    nobodys_role_is_checked: "BX-02",
    nobody_need_be_present: "CL-02",
    a_reconnect_ends_the_hold: "XP-10f",
    counts_are_not_compared: "EM-02",
    a_pending_card_holds_nothing: "DC-30",
    differences_are_not_watched: "EM-05",
    a_jam_forbids_nothing: "BX-06",
    a_card_that_stands_can_be_corrected: "DM-07",
    anybody_cuts: "XP-10g",
    a_shoe_is_never_over: "XP-10h",
    nothing_is_burnt_later: "BU-07",
    blind_time_is_forgotten: "BX-09",
    a_card_of_the_shoe_holds_nothing: "XI-42",
}
"""By defect the scenario that is tried first: the scenario that found it when the row was written."""


@pytest.mark.parametrize(("plant", "first"), DEFECTS.items(), ids=[plant.__name__ for plant in DEFECTS])
def test_a_planted_defect_is_found(plant: Patch, first: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    written = [one for path in FILES for one in scenarios(path)]
    written.sort(key=lambda one: one.id != first)
    assert any(play(one).failure is not None for one in written), "no scenario finds it"
