"""Worlds of spins: a planted defect is found within a few seeds, by the words that report it."""

# ruff: noqa: ANN401 - a patch takes whatever the patched function takes

from collections.abc import Callable
from typing import Any

import pytest

from controller.config.model import Tracks
from controller.core.games.roulette import chips, payments, wheel
from controller.core.hand_rules import Rate
from firmware_protocols.cammegh.spins import SpinEvent, SpinTracker
from simulators.wheel import people
from simulators.wheel.faults import OWN
from simulators.wheel.judge import GAME
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.plan import WorldPlan
from simulators.world.result import End
from tests.drawn import every
from tests.world.defects_of_corrections import differences_are_forgotten, entry_put_right_is_not_worked_out_again

SEEDS = range(12)
MORE_SEEDS = range(40)
"""Seeds of worlds of four spins: few mistype a bet, and fewer notice it when its prize is paid."""
MISTYPED = frozenset({K.MISTYPED})


def pays_too_little(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(payments, "rate_of", lambda _chance, _rules: Rate(1, 3))


def holds_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(wheel, "_held", lambda state, *_: state)


def loses_spins(patch: pytest.MonkeyPatch) -> None:
    end = SpinTracker._end

    def forgetful(self: SpinTracker, spin: Any, number: int | None, events: list[SpinEvent], *more: Any) -> None:
        end(self, spin, number, [] if number in range(12) else events, *more)

    patch.setattr(SpinTracker, "_end", forgetful)


def believes_a_dark_display(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(chips, "colours_shown_wrong", lambda _state: ())


@pytest.mark.parametrize(
    ("plant", "faults", "tells"),
    [
        (pays_too_little, (), "the bank's half cents (pt.rou.27a)"),
        (holds_nothing, (K.BALL_WITH_ROTOR, K.NO_BALL), "an irregular spin holds the table"),
        (loses_spins, (), "was told as []"),
        (believes_a_dark_display, (K.REBOOTED,), "the display shows the value (pt.rou.9a)"),
    ],
)
def test_a_planted_defect_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], faults: tuple[K, ...], tells: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    plans = (WorldPlan(seed, 3, frozenset(faults), profile="pt-roulette", tracks=Tracks.BETS) for seed in SEEDS)
    assert any(tells in violation for plan in plans for violation in GAME.run(plan).violations)


@pytest.mark.parametrize(
    ("plant", "tells", "first"),
    [
        (differences_are_forgotten, "what a correction has changed is settled first", 20),
        (entry_put_right_is_not_worked_out_again, "what lies on the cloth (pt.rou.27a)", 2),
    ],
)
def test_a_defect_of_corrections_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], tells: str, first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The seed that found it when its row was written is tried before the others."""
    plant(monkeypatch)
    seeds = (first, *MORE_SEEDS)
    plans = (WorldPlan(seed, 4, MISTYPED, profile="pt-roulette", tracks=Tracks.BETS) for seed in seeds)
    assert any(tells in violation for plan in plans for violation in GAME.run(plan).violations)


@pytest.mark.drawn(3)
@pytest.mark.parametrize("kind", [*(row.kind for row in OWN), K.MISTYPED])
def test_each_kind_of_the_wheels_own_is_met_and_stood(kind: K) -> None:
    plans = (WorldPlan(seed, 3, frozenset({kind}), profile="pt-roulette", tracks=Tracks.BETS) for seed in SEEDS)
    results = next(result for result in map(GAME.run, plans) if kind.value in result.faults)
    assert (results.end, results.violations) == (End.CLOSED, ())


@pytest.mark.slow
def test_a_world_without_bets_breaks_nothing() -> None:
    """`tracks = "spins"`: people state the players without a bet, and no money is known."""
    tried = every(SEEDS, 3)
    results = [GAME.run(WorldPlan(seed, 3, GAME.kinds, profile="pt-roulette", tracks=Tracks.SPINS)) for seed in tried]
    assert {result.seed: result.violations for result in results if result.violations} == {}


def test_a_misread_number_that_nobody_contests_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check must be able to fail: people who go by the screen alone pay for the wrong number."""
    monkeypatch.setattr(people, "_is_misread", lambda _view: False)
    plan = WorldPlan(1, 3, frozenset({K.NUMBER_MISREAD}), profile="pt-roulette", tracks=Tracks.BETS)
    assert any("a misread number is contested (pt.rou.23)" in one for one in GAME.run(plan).violations)
