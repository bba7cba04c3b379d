"""`sabot journal show --story`: where a round's story begins and ends, whose the cards are, and what people read."""

from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.cli.main import main
from controller.core import acts as a
from controller.core.cards import DECK
from controller.core.words import Device, Operation
from simulators.disk import MemoryStorage
from tests.runtime.bench import CHIEF, DEALER, SETUP, Bench
from tests.runtime.keep import evening
from tests.runtime.shown import documents, heard, shown, with_one_more, written

SEEN = ("2C", "3C", "4C", "5C", "6C")
"""The cards that lie in the rack after the burn and one round."""


def one_round(bench: Bench) -> None:
    """A whole round, its cards left in the rack."""
    bench.deal()
    for act in (a.TurnHoleCard, a.ConfirmSettled, a.CollectCards, a.LeaveInRack):
        bench.act(act, DEALER)


def closed(bench: Bench) -> None:
    """The closing, up to the deck check."""
    bench.act(a.IndicateClosing, DEALER)
    bench.act(a.SignIn, CHIEF, operation=Operation.UNLOADING)
    bench.act(a.BeginUnloading, DEALER)
    for card in (card for card in DECK if card not in SEEN):
        bench.shuffler.card_out(bench.now_s)
        bench.shoe.card_passed(card, bench.now_s)
        bench.run(0.05)
    bench.run(0.2)
    bench.act(a.CompleteUnloading, DEALER)
    bench.act(a.EnterCards, DEALER, cards=SEEN)
    bench.act(a.ConfirmDeckCheck, DEALER)


@pytest.fixture(scope="module")
def two_sessions() -> MemoryStorage:
    """Each of a round."""
    bench = Bench()
    bench.play()
    one_round(bench)
    closed(bench)
    bench.play()
    one_round(bench)
    return bench.storage


def test_a_story_is_of_one_session(
    two_sessions: MemoryStorage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(two_sessions, tmp_path / "journal")
    assert main(["journal", "show", path, "--round", "1", "--story"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "1, 2. Say which with --session N" in told.err
    assert {one["session"] for one in documents(capsys, path, "--session", "2", "--round", "1", "--story")} == {2}


def test_a_story_ends_with_its_round(
    two_sessions: MemoryStorage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(two_sessions, tmp_path / "journal")
    kinds = [one["kind"] for one in documents(capsys, path, "--session", "1", "--round", "1", "--story")]
    assert (kinds[0], kinds[-1]) == ("take-bets", "leave-in-rack")
    every = [one["kind"] for one in documents(capsys, path, "--session", "1", "--round", "1")]
    assert "confirm-deck-check" in every
    assert main(["journal", "show", path, "--session", "1", "--round", "0", "--story"]) == 1
    assert capsys.readouterr().out == ""


def test_cards_that_are_put_back_are_of_the_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(evening(), tmp_path / "journal")
    kinds = [one["kind"] for one in documents(capsys, path, "--round", "1", "--story")]
    assert kinds[-2:] == ["card-counted-in", "end-putting-back"]


@dataclass
class WithoutReader(Bench):
    """A table at which nobody and nothing names the cards."""

    def start(self) -> None:
        self.setup = replace(SETUP, has_reader=False)
        self.peers.pop(Device.SHOE, None)
        super().start()

    def draw(self, card: str | None) -> None:
        assert card is None
        self.shuffler.card_out(self.now_s)
        self.run(0.2)


def test_whose_a_card_is_that_nobody_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = WithoutReader()
    bench.load()
    bench.draw(None)
    for act, values in ((a.TakeBets, {"seats": (3,)}), (a.AnnounceNoMoreBets, {})):
        bench.act(act, DEALER, **values)
    for _ in range(4):
        bench.draw(None)
    story = shown(capsys, written(bench.storage, tmp_path / "journal"), "--round", "1", "--story")
    assert [line for line in heard(story) if " is for " in line] == [
        "a card is for seat 3",
        "a card is for the bank",
        "a card is for seat 3",
        "a card, face down, is for the bank",
    ]


def test_where_cards_that_were_moved_by_hand_came_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b'{"count":1,"person":21,"role":"chief_supervisor","source":"jammed","target":"rack"}'
    bench = Bench()
    bench.play()
    path = with_one_more(bench, "state-cards-moved", body, tmp_path)
    assert 'source="jammed"' in shown(capsys, path).splitlines()[-1]
    assert "source=" not in shown(capsys, path, "--device", "shuffler")  # the number of a device's event
