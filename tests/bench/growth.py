"""G36, G37: the cost of a table's past for an event, and of a status while hands are played. G15 has the cost for a
start.

One session of a table in virtual time, which follows hands, money and jackpot. The first measured WINDOW rounds begin
with the tenth; the last WINDOW rounds are measured as well. `--scale 100` plays the 100,000 rounds of the issue's row
(an hour).
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import Final, TypeVar

import msgspec

from controller.catalogue import Language
from controller.config.model import Tracks
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import RoundPhase
from controller.daemon.language_views import LanguageViews
from controller.journal.storage import DirectoryStorage
from controller.screen.surroundings import Surroundings
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.world import World, make_world
from tests.bench.rows import Goal, Plan, Row, ratios, say, spread
from tests.reachable import held_bytes

ROUNDS: Final = 1_000
FIRST, WINDOW = 10, 20
SEED: Final = 1  # a table with a jackpot and with slots
NOT_COUNTED: Final = ("simulators", "tests", "msgspec", "controller.journal.seals")
STATUS, STATUS_JSON = "a whole status while hands are played", "its JSON alone"
ONE_ACT, ALL_ACTS = "the form of one act", "the list of all acts"
GROWS_AT_MOST: Final = Goal(1.1, gates=False)


T = TypeVar("T")


class Forgetful(dict[object, object]):
    """A dictionary that keeps nothing: what a world notes for its oracles would grow with the play."""

    def __setitem__(self, _key: object, _value: object) -> None:
        return


class Window:
    """The measurements of WINDOW rounds in microseconds: of an entry with its devices, and of people's questions."""

    def __init__(self) -> None:
        self.entries: list[float] = []
        self.asked: dict[str, list[float]] = {what: [] for what in (STATUS, STATUS_JSON, ONE_ACT, ALL_ACTS)}
        self.at_end: dict[str, float] = {}


class Grown:
    """A table that plays one session, measured in two windows."""

    def __init__(self, rounds: int, storage: DirectoryStorage) -> None:
        self.world = _world(rounds, storage)
        self._starts = {FIRST: Window(), rounds - WINDOW: Window()}
        self.windows: Mapping[str, Window] = dict(zip(("early", "late"), self._starts.values(), strict=True))
        self._views: LanguageViews | None = None
        self._began: tuple[int, float] | None = None  # the round's first entry, and the processor time there
        self._aside_s = 0.0  # spent for measuring, since then

    def durable(self, seq: int, state: BlackjackState, _waiting: int) -> None:
        began_s, number = process_time(), state.game.number
        window = next((one for first, one in self._starts.items() if first <= number < first + WINDOW), None)
        if window is None:
            return
        if state.game.phase is RoundPhase.PLAYING:
            self._ask(window)
        if state.game.phase is RoundPhase.COLLECTED and not window.at_end:
            window.at_end = self._sizes()
        self._aside_s += process_time() - began_s
        self._count_entries(window, seq, state.game.phase)

    def _count_entries(self, window: Window, seq: int, phase: RoundPhase) -> None:
        """Notes the cost of an entry of each round, from its bets to its cards in the rack."""
        if phase is RoundPhase.BETTING and self._began is None:
            self._began, self._aside_s = (seq, process_time()), 0.0
        if phase is RoundPhase.COLLECTED and self._began is not None:
            first, began_s = self._began
            window.entries.append(1e6 * (process_time() - began_s - self._aside_s) / (seq - first))
            self._began = None

    def _ask(self, window: Window) -> None:
        run, now_s = self.world.host.run, self.world.clock.now_s
        assert run is not None
        if self._views is None:
            self._views = LanguageViews(run.runtime, Language.PT, Surroundings())
        view, views = self._views.of("pt"), self._views
        status = _timed(window.asked[STATUS], lambda: views.status(view, now_s))
        _timed(window.asked[STATUS_JSON], lambda: msgspec.json.encode(status))
        _timed(window.asked[ONE_ACT], lambda: views.acts(view, "draw-card"))
        _timed(window.asked[ALL_ACTS], lambda: views.acts(view))

    def _sizes(self) -> dict[str, float]:
        run = self.world.host.run
        assert run is not None
        return {
            "bytes held": held_bytes((run.runtime, run.gate, self._views), without=NOT_COUNTED).total(),
            "descriptors": len(os.listdir("/proc/self/fd")),  # noqa: PTH208 - only their number
        }


def _timed(taken: list[float], asked: Callable[[], T]) -> T:
    """The answer; `taken` gets its microseconds of processor time."""
    began_s = process_time()
    answer = asked()
    taken.append(1e6 * (process_time() - began_s))
    return answer


def _world(rounds: int, storage: DirectoryStorage) -> World:
    world = make_world(WorldPlan(SEED, rounds + FIRST, tracks=Tracks.HANDS, decks=1))
    world.heads, world.witness.seen = Forgetful(), Forgetful()
    world.host.disk.storage = storage
    return world


def run(plan: Plan) -> list[Row]:
    rounds = plan.count(ROUNDS)
    with TemporaryDirectory() as name, DirectoryStorage(Path(name) / "journal") as storage:
        grown = Grown(rounds, storage)
        grown.world.on_durable = grown.durable
        say(f"  {rounds} rounds in virtual time")
        run_to_end(grown.world, lambda: grown.world.witness.rounds >= rounds)
    return _rows(grown.windows["early"], grown.windows["late"], rounds)


def _rows(early: Window, late: Window, rounds: int) -> list[Row]:
    late_over_early = f"in round {rounds:,} of a session over round {FIRST}"
    took = {
        "a durable entry with its devices": (late.entries, early.entries, "us"),
        **{what: (late.asked[what], early.asked[what], "us") for what in (STATUS, ONE_ACT, ALL_ACTS)},
        **{name: ([late.at_end[name]], [early.at_end[name]], "") for name in early.at_end},
    }
    rows = [
        Row(
            "G36",
            f"{what}, {late_over_early}",
            ratios([median(after)], [median(before)]),
            {"late": spread(after), "early": spread(before)},
            unit,
            GROWS_AT_MOST,
        )
        for what, (after, before, unit) in took.items()
    ]
    figure = ratios(late.asked[STATUS], late.asked[STATUS_JSON])
    beside = {what: spread(values) for what, values in late.asked.items()}
    return [*rows, Row("G37", f"{STATUS}, over {STATUS_JSON}", figure, beside, "us")]
