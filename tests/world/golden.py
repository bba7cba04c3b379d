"""The golden digests of worlds: what must not change when code only moves.

`python -m tests.world.golden` (or `make golden`) plays the worlds and writes them: about a minute of processor. Each
profile has the digest that `sabot-sim world --seeds 0:20 --rounds 3 --profile NAME` prints, then one row per seed: what
the table did, what the journal holds, and the checkpoints, which also change when the state is only cut otherwise.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from controller.config.profile import PROFILES
from simulators.world.command import digest_of
from simulators.world.run import ALL_KINDS, Result, run_world
from simulators.world.speed import collected_seldom
from simulators.world.world import WorldPlan

FILE: Final = Path(__file__).with_name("worlds.golden")
SEEDS: Final = range(20)
ROUNDS: Final = 3
SHOWN: Final = 16  # hexadecimal digits of each digest of a seed
HEAD: Final = "# Generated (make golden). Per profile the whole digest; per seed: play, journal, checkpoints.\n"


def played(profile: str) -> list[str]:
    """The rows of one profile, from its worlds as they play now."""
    with collected_seldom():
        results = [run_world(WorldPlan(seed, ROUNDS, ALL_KINDS, profile=profile)) for seed in SEEDS]
    whole = f"{profile} {SEEDS.start}:{SEEDS.stop} {digest_of(results)}"
    return [whole, *(f"{profile} {result.seed} {_parts(result)}" for result in results)]


def kept(profile: str) -> list[str]:
    """The rows of one profile, from the file."""
    return [row for row in FILE.read_text().splitlines() if row.startswith(f"{profile} ")]


def _parts(result: Result) -> str:
    digests = result.digests
    return " ".join(digest[:SHOWN] for digest in (digests.play, digests.journal, digests.state))


def main() -> None:
    """Write the file."""
    with ProcessPoolExecutor() as pool:
        rows = [row for of_profile in pool.map(played, PROFILES) for row in of_profile]
    changed = len(set(rows) - set(FILE.read_text().splitlines() if FILE.exists() else ()))
    FILE.write_text(HEAD + "\n".join(rows) + "\n")
    print(f"{FILE.name}: {changed} of {len(rows)} rows changed", file=sys.stderr)


if __name__ == "__main__":
    main()
