"""Every written scenario of every profile, judged by the oracles: what is lawful there they have nothing against."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.config.profile import GameName
from controller.scenario import words
from controller.scenario.play import play
from controller.scenario.text import Scenario, read_scenarios
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.pool import Pool, movement
from simulators.oracles.procedure import check_export
from tests.oracles.recorded_player import RecordedPlayer

WHEEL = "roulette"
FILES = sorted(
    path for path in (Path(__file__).parents[1] / "scenarios").glob("*.txt") if not path.name.startswith(WHEEL)
)

OFFERED = ("delivery", "offers")
"""Whose turn it is to draw without a word is the hands' own rule, which the recount does not know."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_no_written_scenario_breaks_a_rule(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cards = words.VOCABULARIES[GameName.BLACKJACK]
    monkeypatch.setitem(words.VOCABULARIES, GameName.BLACKJACK, replace(cards, player=RecordedPlayer))
    found: list[str] = []
    for scenario in read_scenarios(path.read_text("utf-8"))[0]:
        if OFFERED in scenario.settings:
            continue
        RecordedPlayer.last = None
        assert play(scenario).failure is None
        player = RecordedPlayer.last
        export = None if player is None else player.export()
        for sightings in () if player is None else ((), player.sightings):
            of_it = check_export(export, figures_bound_by(export.entries[0]), sightings)
            found += [f"{scenario.id}: {violation}" for violation in of_it]
    assert found == []


def test_each_pool_is_what_its_export_says() -> None:
    """Worked out again from the movements in the entries, by what knows nothing of the program."""
    moved = 0
    for scenario in read_scenarios((FILES[0].parent / "jackpot.txt").read_text("utf-8"))[0]:
        player = _played(scenario)
        pool = None if player is None else player.state.house.pool
        if player is None or pool is None:
            continue
        recount = Pool()
        for move in (one for entry in player.export().entries for one in entry.moved):
            found = movement({"kind": move["kind"], "body": move})
            assert found is not None
            recount.take(found)
            moved += 1
        assert (recount.wrong, recount.levels["pool"]) == ([], pool.millionths), scenario.id
        assert recount.meters["paid"] == pool.meters.paid
    assert moved > 100


def _played(scenario: Scenario) -> RecordedPlayer | None:
    RecordedPlayer.last = None
    cards = words.VOCABULARIES[GameName.BLACKJACK]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(words.VOCABULARIES, GameName.BLACKJACK, replace(cards, player=RecordedPlayer))
        assert play(scenario).failure is None
    return RecordedPlayer.last
