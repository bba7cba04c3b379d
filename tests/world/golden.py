"""The golden file of worlds: the digests that must not change when code only moves, and a seed per kind of fault.

`python -m tests.world.golden` (or `make golden`) plays the worlds and writes it: a minute and a half of processor. Each
profile has one row per seed: what the table did, what the journal holds, and the checkpoints, which also change when
the state is only cut otherwise. Behind them stands per kind of fault a seed in which the table meets it as its story
says (stories.py); it is kept for as long as it does.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from controller.config.profile import PROFILES
from simulators.world.batch import usual_tracks
from simulators.world.games import world_game
from simulators.world.plan import WorldPlan
from simulators.world.result import Result
from simulators.world.speed import collected_seldom
from tests.world.stories import STORIES, Story, first_met

FILE: Final = Path(__file__).with_name("worlds.golden")
SEEDS: Final = range(20)
ROUNDS: Final = 3
SHOWN: Final = 16  # hexadecimal digits of each digest of a seed
HEAD: Final = "# Generated (make golden). Per profile and seed: play, journal, checkpoints; per story its seed."


def play(profile: str, seed: int) -> Result:
    """The world of one seed, as it plays now."""
    with collected_seldom():
        game, tracks = world_game(profile), usual_tracks(profile)
        return game.run(WorldPlan(seed, ROUNDS, game.kinds, profile=profile, tracks=tracks))


def row(profile: str, result: Result) -> str:
    """What is kept of this world."""
    return f"{profile} {result.seed} {_parts(result)}"


def kept(name: str) -> list[str]:
    """The rows of a profile, or of the stories, in the file."""
    return [row for row in _file() if row.startswith(f"{name} ")]


def seed_of(story: Story) -> int:
    """The seed in which the table meets this fault; 1 for a fault that is new."""
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


def main() -> None:
    """Write the file."""
    with ProcessPoolExecutor() as pool:
        worlds = pool.map(_played, PROFILES)
        stories = list(pool.map(_searched, STORIES))
    made = [*(row for of_profile in worlds for row in of_profile), *stories]
    changed = len(set(made) - set(_file()))
    FILE.write_text("\n".join([HEAD, *made]) + "\n")
    print(f"{FILE.name}: {changed} of {len(made)} rows changed", file=sys.stderr)


if __name__ == "__main__":
    main()
