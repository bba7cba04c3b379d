"""The chips on the cloth and the bank's win in every written scenario of the wheel, computed again by the oracle."""

import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Final

import pytest

from controller.config.profile import GameName
from controller.core.engine.act import Act, Fact
from controller.core.setup import Setup
from controller.runtime.game import game_of
from controller.scenario.play import play
from controller.scenario.text import Scenario, read_scenarios
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import VOCABULARIES
from simulators.oracles.export_entries import Entry, Refusal
from simulators.oracles.spins import SpinSight, check_spins
from simulators.oracles.wheel import FRENCH

FILE: Final = Path(__file__).parents[1] / "scenarios" / "roulette.txt"
MONEY: Final = {"what lies on the cloth", "the bank's half cents"}


class Recorded(WheelPlayer):
    tables: ClassVar[list["Recorded"]] = []  # `play` makes its player itself

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.entries: list[Entry] = []
        self.seen: list[SpinSight] = []
        self.tables.append(self)

    def put(self, event: Fact | Act) -> None:
        super().put(event)
        kind, body = game_of("pt-roulette").codec.encode(event)
        refusal = self.refusal if isinstance(event, Act) else None
        told = None if refusal is None else Refusal("", None, refusal.rule)
        seq = len(self.entries) + 1
        self.entries.append(Entry(seq, 1, 0, 0, True, self.now_ms, kind, json.loads(bytes(body)), None, told, ""))
        state, stakes = self.state, dict[tuple[int, str], int]()
        for one in state.stakes:
            stakes[one.player, one.bet] = stakes.get((one.player, one.bet), 0) + one.cents
        at = (state.house.session.value, state.game.phase.value, state.game.result, None)
        self.seen.append(SpinSight(seq, (), *at, stakes, state.takings.half_cents))


def recorded(scenario: Scenario) -> Recorded | None:
    Recorded.tables.clear()
    wheel = VOCABULARIES[GameName.ROULETTE]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(VOCABULARIES, GameName.ROULETTE, replace(wheel, player=Recorded))
        assert play(scenario).failure is None
    return Recorded.tables[-1] if Recorded.tables else None


@pytest.mark.slow
def test_bets_and_takings_are_what_the_acts_make_them() -> None:
    stated = 0
    for scenario in read_scenarios(FILE.read_text("utf-8"))[0]:
        given = dict(scenario.settings)
        if "first_four" in given or (player := recorded(scenario)) is None:
            continue
        order = tuple(map(int, given["number_order"].split("-"))) if "number_order" in given else FRENCH
        found = check_spins(player.entries, player.seen, order)
        assert [one for one in found if one.rule in MONEY] == [], scenario.id
        stated += sum(one.kind == "state-bet" and not one.refused for one in player.entries)
    assert stated > 5
