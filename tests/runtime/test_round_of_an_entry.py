"""FORMAT.md's rule for the session and round of an entry agrees with the replay, on the tables of the shelf.

The rule is written here as the page says it: from the kinds of entries alone.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.config.model import Tracks
from controller.core.choices import BetsClose
from controller.core.custody.rulings import CallForRuling
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.words import Cause
from controller.journal.round_count import RoundCount
from controller.record.shown import Shown, entries_shown
from simulators.world.games import world_game
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from tests.runtime.bench import DEALER, SETUP, Bench
from tests.runtime.keep import KEPT
from tests.runtime.shelf import SHELF, unpack
from tests.runtime.shown import written
from tests.runtime.wheel_evening import play

SHELVES = sorted(KEPT.glob(f"*/{SHELF}"))
ENDS_BETS = frozenset({"announce-no-more-bets", "launch-ball"})
FIRST_BETS = frozenset({"take-bets", "place-bet", "place-chips", "place-value-chips"})
ENDS_PLAY = frozenset({"collect-cards", "confirm-outage", "confirm-payments"})


def by_the_rule(entries: list[Shown]) -> Iterator[tuple[int, int]]:
    session = ended = 0
    is_bet = is_played = is_back = False
    for kind in ((one.entry.kind if one.entry.refusal is None else "") for one in entries):
        if kind == "open-session":
            session, ended, is_bet, is_played, is_back = session + 1, 0, False, False, False
        elif kind in ENDS_BETS:
            ended, is_bet, is_played, is_back = ended + (not is_back), False, True, False
        elif kind == "put-ball-back":
            is_back = True
        elif kind in FIRST_BETS and not is_played:
            is_bet = True
        elif kind in ENDS_PLAY:
            is_played = False
        yield session, ended + is_bet


def by_the_verifier(entries: list[Shown]) -> Iterator[int]:
    """The rounds as a proof that begins with the first entry shows them."""
    count = RoundCount()
    for one in entries:
        count.take(one.entry)
        yield count.round


@pytest.mark.slow
def test_the_rule_of_the_page_gives_what_a_replay_gives(tmp_path: Path) -> None:
    rounds = set()
    for table in (one for shelf in SHELVES for one in unpack(shelf, tmp_path / shelf.parent.name)):
        shown = list(entries_shown(table / "journal"))
        assert [(one.session, one.round) for one in shown] == list(by_the_rule(shown)), table.name
        assert [one.round for one in shown] == list(by_the_verifier(shown)), table.name
        rounds |= {one.round for one in shown}
    assert rounds >= {0, 1, 2}


def test_a_round_begins_with_the_first_bet_where_the_table_follows_each(tmp_path: Path) -> None:
    plan = WorldPlan(1, 2, profile="mo-shoe", tracks=Tracks.HANDS)
    world = world_game(plan.profile).make(plan)
    run_to_end(world)
    for file in world.host.disk.storage.list():
        (tmp_path / file.name).write_bytes(world.host.disk.storage.read(file.name))
    shown = list(entries_shown(tmp_path))
    assert "place-bet" in {one.entry.kind for one in shown}
    assert [(one.session, one.round) for one in shown] == list(by_the_rule(shown))
    assert [one.round for one in shown] == list(by_the_verifier(shown))


def test_a_spin_that_is_launched_again_after_a_null_one_is_the_same_round(tmp_path: Path) -> None:
    play(tmp_path / "wheel").stop()
    shown = list(entries_shown(tmp_path / "wheel"))
    assert "put-ball-back" in {one.entry.kind for one in shown}
    assert [(one.session, one.round) for one in shown] == list(by_the_rule(shown))
    assert [one.round for one in shown] == list(by_the_verifier(shown))


def test_a_bet_during_the_deal_is_of_the_round_that_is_dealt(tmp_path: Path) -> None:
    """Clause: house.4."""
    procedure = replace(SETUP.procedure, bets_close=BetsClose.OWN_FIRST_CARD)
    bench = Bench(setup=replace(SETUP, procedure=procedure))
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1, 4))
    bench.act(AnnounceNoMoreBets, DEALER)
    bench.act(TakeBets, DEALER, seats=(1, 4, 6))
    bench.act(CallForRuling, DEALER, cause=Cause.DISPUTE)
    shown = list(entries_shown(Path(written(bench.storage, tmp_path / "journal"))))
    assert [one.round for one in shown if one.entry.kind in FIRST_BETS] == [1, 1]
    assert [(one.session, one.round) for one in shown] == list(by_the_rule(shown))
    assert [one.round for one in shown] == list(by_the_verifier(shown))
