"""A program written from FORMAT.md, "Which card lies where", alone finds each hand as the table had it."""

import ast
import json
from collections import defaultdict
from pathlib import Path
from typing import TypeAlias

import cards_by_text
import pytest

from controller.config.model import Tracks
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import RoundPhase
from controller.journal.export import text_of
from controller.journal.recovery import Walk
from simulators.world.card_game import GAME
from simulators.world.installation import SIGNER
from simulators.world.plan import WorldPlan
from simulators.world.world import World

Hands: TypeAlias = dict[tuple[int, int], list[str | None]]
"""The faces of each hand, by seat and number."""

ROUNDS = 4
PLACES = [
    *((profile, Tracks.HANDS) for profile in ("pt-csm", "pt-shoe", "mo-csm", "mo-shoe", "mo-box", "br", "house")),
    ("pt-csm", Tracks.CARDS),
    ("mo-shoe", Tracks.CARDS),
]
LYING = (RoundPhase.DEALING, RoundPhase.PLAYING, RoundPhase.SETTLED)


class _Table:
    """The hands of each round in the table's own state, with those that were collected."""

    def __init__(self) -> None:
        self.rounds: defaultdict[tuple[int, int], Hands] = defaultdict(dict)
        self.world: World | None = None

    def watch(self, world: World) -> None:
        self.world, judged = world, world.on_durable

        def durable(seq: int, state: BlackjackState, waiting: int) -> None:
            judged(seq, state, waiting)
            if state.game.phase in LYING:
                self.rounds[state.house.session_number, state.game.number].update(_hands(state))

        world.on_durable = durable

    def export(self) -> bytes:
        assert self.world is not None
        storage = self.world.host.disk.storage
        return text_of(Walk(storage), storage, SIGNER)


def _hands(state: BlackjackState) -> Hands:
    hands: defaultdict[tuple[int, int], list[str | None]] = defaultdict(list)
    for one in state.game.dealt:
        hands[one.seat, one.hand].append(one.card)
    return {**hands, **{(one.id.seat, one.id.index): [*one.kept] for one in state.game.stakes.hands if one.kept}}


def by_text(export: bytes) -> tuple[dict[tuple[int, int], Hands], list[str]]:
    """The hands of each round, and the kinds of entries for which a round is left out."""
    read, found, left = cards_by_text.Cards(), dict[tuple[int, int], Hands](), list[str]()
    entries = (json.loads(line).get("entry") for line in export.splitlines())
    for entry in (one for one in entries if isinstance(one, dict)):
        if entry["kind"] == "collect-cards" and entry["refusal"] is None and read.odd:
            left.append(read.odd)
        elif entry["kind"] == "collect-cards" and entry["refusal"] is None:
            hands = found[read.session, read.round] = {}
            for one in read.cards:
                hands.setdefault((one["seat"], one["hand"]), []).append(one["face"])
        read.take(entry)
    return found, left


@pytest.mark.parametrize(("profile", "tracks"), PLACES)
@pytest.mark.slow
def test_each_hand_is_found_as_the_table_had_it(profile: str, tracks: Tracks) -> None:
    compared = 0
    for seed in (1, 2):
        table = _Table()
        GAME.run(WorldPlan(seed, ROUNDS, profile=profile, tracks=tracks), table.watch)
        found, left = by_text(table.export())
        assert len(found) + len(left) == len(table.rounds)
        assert found == {number: table.rounds[number] for number in found}
        compared += len(found)
    assert compared >= ROUNDS  # of twice as many: rulings and holds leave the others out


def test_a_round_that_is_not_ended_is_told_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rounds are counted by their lines, and a complaint often stands in the last one."""
    bodies: dict[str, dict[str, object]] = {
        "open-session": {},
        "take-bets": {"seats": [4]},
        "announce-no-more-bets": {},
    }
    entries = [{"entry": {"kind": kind, "body": body, "refusal": None}} for kind, body in bodies.items()]
    (tmp_path / "evening.txt").write_text("\n".join(map(json.dumps, entries)))
    monkeypatch.setattr("sys.argv", ["cards_by_text.py", str(tmp_path / "evening.txt")])
    cards_by_text.main()
    assert capsys.readouterr().out == "session 1 round 1, not ended: no card\n"


def test_it_stands_alone() -> None:
    tree = ast.parse(Path(str(cards_by_text.__file__)).read_text("utf-8"))
    imported = [node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert set(imported) <= {"pathlib", "typing"}
