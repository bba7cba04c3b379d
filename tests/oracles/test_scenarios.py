"""Every written scenario of every profile, judged by the oracles: what is lawful there they have nothing against."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.config.profile import GameName
from controller.scenario import words
from controller.scenario.play import play
from controller.scenario.text import read_scenarios
from simulators.oracles.figures import figures_bound_by
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
