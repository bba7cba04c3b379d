"""The golden file: the digests that must not change when code only moves, and one seed for each kind of fault.

`python -m tests.world.golden` (or `make golden`) plays the worlds and writes the file, which takes a minute and a half
of processor. The version of the rules comes first. Worlds that play otherwise under the same version are refused,
unless the simulators alone have changed, which `--same-rules` states.

Each profile has one row for each seed: the table's play, the journal, and the checkpoints, which also change with the
state's shape. The next rows give for each kind of fault a seed in which the table meets it by its story (stories.py); a
seed is kept while it does. The last rows are the journals and shelves of releases (tests/runtime/kept), each with the
digest of the state that it replays to, which a new field of the state changes, too.
"""

import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from controller.config.profile import PROFILES
from controller.core.rules_version import RULES_VERSION
from controller.runtime.replay import replay
from simulators.world.batch import usual_tracks
from simulators.world.games import world_game
from simulators.world.plan import WorldPlan
from simulators.world.result import Result
from simulators.world.speed import collected_seldom
from tests.runtime.keep import KEPT
from tests.runtime.shelf import SHELF, unpack
from tests.world.stories import STORIES, Story, first_met

FILE: Final = Path(__file__).with_name("worlds.golden")
SEEDS: Final = range(20)
ROUNDS: Final = 3
VERSION: Final = "rules"
FIRST_VERSION: Final = 1  # of a file without a version
SAME_RULES: Final = "--same-rules"
COLUMNS: Final = 5  # profile, seed, play, journal, state
SHOWN: Final = 16  # hexadecimal digits of each digest of a seed
NOT_KEPT: Final = (
    "Not kept: RULES_VERSION is the same, and the worlds below play otherwise. Where a recorded event leads elsewhere, "
    "raise it (controller/core/rules_version.py). Where the simulators alone have changed (another device at their "
    "tables, other people, a new act into which people err): make golden GOLDEN=--same-rules"
)
HEAD: Final = "# Generated (make golden). Per profile and seed: play, journal, checkpoints; per story its seed."
SHELVES: Final = sorted(KEPT.glob(f"*/{SHELF}"))
JOURNALS: Final = sorted({found.parent.relative_to(KEPT) for found in KEPT.glob("*/*/*.segment")})


def play(profile: str, seed: int) -> Result:
    """The present world of one seed."""
    with collected_seldom():
        game, tracks = world_game(profile), usual_tracks(profile)
        return game.run(WorldPlan(seed, ROUNDS, game.kinds, profile=profile, tracks=tracks))


def row(profile: str, result: Result) -> str:
    """The kept row of this world."""
    return f"{profile} {result.seed} {_parts(result)}"


def kept(name: str) -> list[str]:
    """The rows of a profile, or of the stories, in the file."""
    return [row for row in _file() if row.startswith(f"{name} ")]


def rules_kept(file: Sequence[str] | None = None) -> int:
    """The version of the rules under which the file was made."""
    found = [row.split()[1] for row in (_file() if file is None else file) if row.startswith(f"{VERSION} ")]
    return int(found[0]) if found else FIRST_VERSION


def played_otherwise(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Returns profile and seed of each world whose play differs between the two files."""
    was, now = _plays(before), _plays(after)
    return [world for world in now if world in was and was[world] != now[world]]


def refused(before: Sequence[str], after: Sequence[str], version: int) -> list[str]:
    """Returns the worlds that play otherwise under the same version of the rules; the golden file refuses them."""
    return played_otherwise(before, after) if version == rules_kept(before) else []


def _plays(file: Sequence[str]) -> dict[str, str]:
    """The play digest of each world, by profile and seed."""
    found = (row.split() for row in file)
    return {
        f"{row[0]} {row[1]}": row[2]
        for row in found
        if len(row) == len(("profile", "seed", "play", "journal", "state"))
    }


def seed_of(story: Story) -> int:
    """Returns the kept seed in which the table meets this fault; 1 for a fault that the file does not have."""
    met_in = dict(row.split()[1:] for row in kept("story"))
    return int(met_in.get(story.kind.value, 1))


def _file() -> list[str]:
    return FILE.read_text().splitlines() if FILE.exists() else []


def _parts(result: Result) -> str:
    digests = result.digests
    return " ".join(digest[:SHOWN] for digest in (digests.play, digests.journal, digests.state))


def _played(profile: str) -> list[str]:
    return [row(profile, play(profile, seed)) for seed in SEEDS]


def _searched(story: Story) -> str:
    return f"story {story.kind.value} {first_met(story, seed_of(story))}"


def replayed(journal: Path) -> str:
    """The kept row of this release's journal."""
    return f"journal {journal} {replay(KEPT / journal).state_digest}"


def shelved(shelf: Path) -> list[str]:
    """The kept row of each table on this release's shelf."""
    with TemporaryDirectory() as place:
        tables = unpack(shelf, Path(place))
        return [f"shelf {shelf.parent.name}/{one.name} {replay(one / 'journal').state_digest}" for one in tables]


def main() -> None:
    """Writes the golden file."""
    before = _file()
    with ProcessPoolExecutor() as pool:
        worlds = [row for of_profile in pool.map(_played, PROFILES) for row in of_profile]
        if SAME_RULES not in sys.argv and (worlds_refused := refused(before, worlds, RULES_VERSION)):
            sys.exit("\n".join([NOT_KEPT, *worlds_refused]))
        made = [
            *worlds,
            *pool.map(_searched, STORIES),
            *map(replayed, JOURNALS),
            *(row for one in SHELVES for row in shelved(one)),
        ]
    changed = len(set(made) - set(before))
    FILE.write_text("\n".join([HEAD, f"{VERSION} {RULES_VERSION}", *made]) + "\n")
    print(f"{FILE.name}: {changed} of {len(made)} rows changed", file=sys.stderr)


if __name__ == "__main__":
    main()
