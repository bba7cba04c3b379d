"""A whole evening while the controller is killed (kill -9) at 200 places that the journal names, and the devices run
on.

There are twenty runs of ten kills (by day one run); in each run two kills come within a second. The result must equal
that of the run of the same seed without kills: the same cards, counts and duties. No card is lost or counted twice, and
a jam stays a jam.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Final

import pytest

from controller.cli.main import main as sabot
from tests.demo.evenings import SIM, WARM, run_demo
from tests.in_process import run
from tests.night import IS_NIGHT

pytestmark = [pytest.mark.first, pytest.mark.waits]

RUNS: Final = 20
SEEDS: Final = (13, 40)  # one evening with a damaged card and its duty, one with a complaint
ROUNDS: Final = "2"

JAM: Final = (
    "shuffler-jammed", "attend-hold", "lid-opened", "jam-path-cleared", "lid-closed",
    "state-cards-moved", "clear-hold", "jam-released", "shuffler-recounted", "confirm-hold",
)  # fmt: skip


def kinds(*rows: tuple[str, range, range]) -> list[str]:
    """Returns places for kills: for each row these numbers of a kind of entry, with so many entries after each."""
    return [f"{kind}:{number}+{after}" for kind, numbers, behind in rows for number, after in product(numbers, behind)]


def each(count: int, *more: int) -> range:
    return range(count, *more) if more else range(1, count + 1)


HERE: Final = range(1)
PLACES: Final[dict[str, list[str]]] = {
    "loading": kinds(("card-counted-in", range(3, 300, 6), HERE)),
    "burn and deal": kinds(
        ("sign-in", each(1), HERE),
        ("complete-loading", each(1), range(3)),
        ("card-counted-out", each(14), HERE),
        ("card-read", each(14), HERE),
        ("take-bets", each(2), range(2)),
        ("announce-no-more-bets", each(2), range(2)),
    ),
    "jam": [f"{JAM[(run + 3 * after) % 10]}:1+{after}" for after in range(4) for run in range(10)],
    "putting back": kinds(
        ("confirm-settled", each(2), range(2)),
        ("collect-cards", each(2), range(7)),
        ("card-counted-in", range(313, 325), HERE),
    ),
    "closing": kinds(
        ("indicate-closing", each(1), range(3)),
        ("begin-unloading", each(1), range(4)),
        ("card-counted-out", range(30, 270, 8), HERE),
        ("complete-unloading", each(1), range(2)),
        ("confirm-deck-check", each(1), HERE),
    ),
}

KEYS: Final = {
    "rounds", "cards_drawn", "cards_inside", "cards_in_discard", "cards_unloaded", "burned", "jams_raised",
    "jams_cleared", "jackpot_cents", "physical", "journal", "journal_entries", "journal_head", "violations",
}  # fmt: skip
COMPARED: Final = (
    "rounds", "cards_drawn", "cards_inside", "cards_in_discard", "cards_unloaded", "cards_loaded", "burned",
    "jams_raised", "jams_cleared", "jackpot_cents", "duties_reported", "duties_open",
)  # fmt: skip
PHYSICAL: Final = ("cards", "total", "withdrawn", "drawn", "burned", "order", "faults", "unplugged", "restarts")


def places_of(run: int) -> list[str]:
    """Returns every twentieth place, beginning with number `run`; each phase has at least one."""
    return [place for places in PLACES.values() for place in places][run::RUNS]


Document = dict[str, object]


def play(seed: int, directory: Path, *places: str) -> tuple[int, Document]:
    kills = ["--kill-at", ",".join(places)] if places else []
    words = ("--rounds", ROUNDS, "--seed", str(seed), "--tracks", "cards", "--state-dir", str(directory), *kills)
    return run_demo(*words, sim=SIM if IS_NIGHT else WARM)


@pytest.fixture(scope="module")
def whole_evening(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], Document]:
    """Returns a function that plays a seed's evening without kills, once, and accounts for every card."""
    return cache(lambda seed: accounted(*play(seed, tmp_path_factory.mktemp("whole") / "table")))


def accounted(code: int, made: Document) -> Document:
    assert (code, made["violations"]) == (0, [])
    assert made.keys() >= KEYS
    assert (made["rounds"], made["burned"]) == (2, 1)
    assert made["jams_raised"] == made["jams_cleared"] == 1
    assert (made["cards_inside"], made["cards_in_discard"], made["cards_unloaded"]) == (0, 0, 312)
    assert (physical(made)["total"], physical(made)["drawn"]) == (312, made["cards_drawn"])
    journal = Path(str(made["journal"]))
    assert run(sabot, "journal", "verify", str(journal), "--head", str(made["journal_head"]), "--json").returncode == 0
    assert sorted(path.name for path in journal.parent.iterdir() if path.is_symlink() or path.is_socket()) == []
    return made


def test_the_places_are_two_hundred_different_ones_in_every_phase() -> None:
    runs = [places_of(run) for run in range(RUNS)]
    assert {len(places) for places in runs} == {10}
    assert len({place for places in runs for place in places}) == 200
    for places in PLACES.values():
        assert all(any(place in run for place in places) for run in runs)


@pytest.mark.drawn(1)
@pytest.mark.parametrize("number", range(RUNS))
def test_a_killed_evening_ends_like_the_whole_one(
    tmp_path: Path, whole_evening: Callable[[int], Document], number: int
) -> None:
    seed, places = SEEDS[number % len(SEEDS)], places_of(number)
    twice = places[number % len(places)]  # the second place is past already when the controller comes back
    code, killed = play(seed, tmp_path / "table", *places, twice)
    whole = whole_evening(seed)
    assert (code, killed["violations"]) == (0, [])
    assert {key: killed[key] for key in COMPARED} == {key: whole[key] for key in COMPARED}
    assert {key: physical(killed)[key] for key in PHYSICAL} == {key: physical(whole)[key] for key in PHYSICAL}
    kills = killed["kills"]
    assert isinstance(kills, list)
    assert len(kills) == 11
    assert killed["controller_starts"] >= 12
    times = [kill["at_s"] for kill in kills]
    assert min(later - earlier for earlier, later in pairwise(times)) < 1.0


def physical(document: Document) -> Document:
    part = document["physical"]
    assert isinstance(part, dict)
    return part
