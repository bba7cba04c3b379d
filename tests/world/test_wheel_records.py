"""Records of wheel worlds: each spin is one stretch of entries, and each refusal and notice has its words."""

from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.config.model import Tracks
from controller.record.session_summary import summary_of_session
from controller.record.shown import Shown, entries_shown
from controller.record.story import heard_with, refusal_words_of
from simulators.wheel.faults import OWN
from simulators.wheel.judge import GAME
from simulators.wheel.world import WheelWorld
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.plan import WorldPlan
from tests.drawn import every
from tests.runtime.shown import written

SEEDS = every(range(12), 3)
FAULTS = frozenset({K.MISTYPED, K.REBOOTED, *(row.kind for row in OWN)})
BETS = {"place-chips", "place-value-chips"}
FIRST = BETS | {"launch-ball", "ball-launched"}


def entries_of(seed: int, tracks: Tracks, path: Path) -> list[Shown]:
    """Runs the world of this seed, and returns the entries of its journal."""
    worlds: list[WheelWorld] = []
    GAME.run(WorldPlan(seed, 4, FAULTS, profile="pt-roulette", tracks=tracks), worlds.append)
    return list(entries_shown(Path(written(worlds[0].host.disk.storage, path))))


@pytest.mark.parametrize("tracks", [Tracks.BETS, Tracks.SPINS])
@pytest.mark.parametrize("seed", SEEDS)
def test_each_spin_is_one_stretch_from_its_first_bet_or_launch(seed: int, tracks: Tracks, tmp_path: Path) -> None:
    entries = entries_of(seed, tracks, tmp_path / "journal")
    assert all(one.decision is not None for one in entries)
    stretches = [
        (number, [one.entry.kind for one in spin])
        for number, spin in groupby(entries, lambda one: (one.session, one.round) if one.is_of_a_round else None)
        if number is not None
    ]
    assert [number for number, _ in stretches] == sorted({number for number, _ in stretches})
    assert stretches
    assert {kinds[0] for _, kinds in stretches} <= FIRST
    bets = [one for one in entries if one.entry.kind in BETS and one.entry.refusal is None]
    assert [one.entry for one in bets if not one.is_of_a_round] == []
    assert (tracks is Tracks.BETS) is bool(bets)
    assert {kinds[-1] for _, kinds in stretches[:-1]} == {"confirm-payments"}
    last = entries[-1].after
    assert last is not None
    sessions = range(1, last.house.session_number + 1)  # a closed table may be opened again
    evenings = [summary_of_session(entries, session) for session in sessions]
    tally = last.house.tally
    assert (sum(one.rounds for one in evenings), sum(one.voided for one in evenings)) == (tally.rounds, tally.voided)
    spins = Counter(session for (session, _number), _kinds in stretches)
    assert [one.rounds for one in evenings] == [spins[session] for session in sessions]
    assert evenings[-1].rounds == last.game.number


@pytest.mark.parametrize("seed", SEEDS)
def test_each_refusal_and_each_notice_has_its_words(seed: int, tmp_path: Path) -> None:
    entries = entries_of(seed, Tracks.BETS, tmp_path / "journal")
    assert any(one.entry.refusal is not None for one in entries)
    for one in entries:
        for language in Language:
            if one.entry.refusal is not None:
                words = refusal_words_of(one, language)
                assert words is not None, one.entry
                assert words.reason not in {"", one.entry.refusal.reason}
                assert words.remedy
            assert not [text for text in heard_with(one, language) if not text or "{" in text]
