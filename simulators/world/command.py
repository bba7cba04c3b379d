"""`sabot-sim world`: plays many tables in virtual time, each from its seed, and reports faults, violations and one
digest.
"""

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.config.model import TRACKS_OF, Tracks
from controller.config.profile import GAME_OF, PROFILES, USUAL_PROFILE, GameName
from simulators.c.build import CompilerMissing, compiler
from simulators.device_kinds import Firmware
from simulators.spoken import said
from simulators.world.batch import Batch, usual_tracks
from simulators.world.fault_kinds import FaultKind
from simulators.world.games import world_game
from simulators.world.plan import WorldPlan
from simulators.world.result import Result
from simulators.world.shrink import shrink
from simulators.world.speed import Played, Samples, Speed, collected_seldom, report, sampled
from simulators.world.story import describe

SHRUNK_AT_MOST: Final = 3
SPEAKS_EVERY_S: Final = 2.0
HANDED_OUT: Final = 1000  # the most worlds that wait for a worker
FIRST: Final = -1
_KINDS_HELP: Final = "all (default), none, or some of: " + ", ".join(FaultKind)
_TRACKS_HELP: Final = "hands, or bets at a wheel: bets, decisions and money are played, too"

_PAIRED_HELP: Final = "every device proves itself, and somebody on the cables replays, swaps, keeps back and changes"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim world`, and the function of the subcommand."""
    parser.add_argument("--seeds", type=_seeds, required=True, metavar="A:B", help="seeds A up to but not B")
    parser.add_argument("--rounds", type=positive, required=True, metavar="N", help="rounds of each table")
    parser.add_argument("--profile", choices=PROFILES, default=USUAL_PROFILE, metavar="NAME", help=", ".join(PROFILES))
    parser.add_argument("--tracks", choices=tuple(Tracks), type=Tracks, help=_TRACKS_HELP)
    parser.add_argument(
        "--shuffler", choices=tuple(Firmware), type=Firmware, default=Firmware.PYTHON, help="its firmware"
    )
    parser.add_argument("--paired", action="store_true", help=_PAIRED_HELP)
    parser.add_argument("--faults", type=_kinds, default=("all", None), metavar="NAME[,NAME]", help=_KINDS_HELP)
    parser.add_argument("--keep", type=_numbers, metavar="N[,N]", help="of the planned faults these alone (one seed)")
    parser.add_argument(
        "--explain", type=int, nargs="?", const=FIRST, metavar="SEED", help="tell this world (or the first) as a story"
    )
    parser.add_argument("--jobs", type=positive, default=os.cpu_count() or 1, metavar="N", help="default: all cores")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Plays the batch of worlds and prints its report. With `--explain`, plays one world and prints its story.

    Returns 0 without violations. Returns 1 with violations or after an interrupt, and 2 if the options do not fit or
    the C compiler is missing.
    """
    (name, kinds), profile = arguments.faults, arguments.profile
    tracks = arguments.tracks or usual_tracks(profile)
    if (wrong := _unfit(profile, tracks, is_paired=arguments.paired)) is not None:
        print(wrong, file=sys.stderr)
        return 2
    kinds = world_game(profile).kinds if kinds is None else kinds
    how = (tracks, arguments.shuffler, arguments.paired)
    batch = Batch(arguments.seeds, arguments.rounds, name, kinds, arguments.keep, profile, *how)
    if batch.keep is not None and (wrong := _no_such_faults(batch)) is not None:
        print(wrong, file=sys.stderr)
        return 2
    if batch.firmware is Firmware.C:
        try:
            compiler()
        except CompilerMissing:
            print(said("wrong.no-compiler"), file=sys.stderr)
            return 2
    if arguments.explain is not None:
        seed = batch.seeds.start if arguments.explain == FIRST else arguments.explain
        return _explain(batch, seed, as_json=arguments.json)
    began_s = time.monotonic()
    samples = Samples()
    results: list[Result] = []
    with collected_seldom(), suppress(KeyboardInterrupt):  # then the report has the worlds so far
        _play(batch, arguments.jobs, results, samples)
    is_whole = len(results) == len(batch.seeds)
    if not is_whole:
        print(f"interrupted after {len(results)} of {len(batch.seeds)} worlds", file=sys.stderr)
    wall_s = time.monotonic() - began_s
    speed = Speed(sum((result.played for result in results), Played()), wall_s, samples.shares())
    for line in report(speed):
        print(line, file=sys.stderr)
    if others := batch.kinds_without_subject():
        print(f"no subject at these tables, so not counted: {', '.join(others)}", file=sys.stderr)
    failures = _failures(batch, [result for result in results if result.violations])
    print_report = _print_json if arguments.json else _print_text
    print_report(batch, results, failures, speed)
    return 1 if failures or not is_whole else 0


def _unfit(profile: str, tracks: Tracks, *, is_paired: bool) -> str | None:
    """Returns the reason why these options do not fit the profile; None if they do."""
    if tracks not in (possible := TRACKS_OF[GAME_OF[profile]]):
        return f"{profile} follows {' or '.join(possible)}"
    if is_paired and GAME_OF[profile] is GameName.ROULETTE:
        return f"no device of {profile} can be paired in a world"
    return None


class Failure(Struct, frozen=True):
    """A world with violations, and the smallest set of its faults found so far that still causes violations."""

    seed: int
    violations: tuple[str, ...]
    repeat: str
    repeat_short: str | None  # the command with the sufficient faults alone
    faults: tuple[str, ...]  # the sufficient faults, in words


# ---- running


def _play(batch: Batch, jobs: int, results: list[Result], samples: Samples) -> None:
    """Plays the batch. Stores each result before it prints the result, so that an interrupt loses no printed result."""
    progress = _Progress(batch)
    for result, taken in _results(batch, jobs):
        results.append(result)
        samples.counts += taken.counts
        progress.one_more(result)


def _results(batch: Batch, jobs: int) -> Iterator[tuple[Result, Samples]]:
    seeds = batch.seeds  # a range, so that no list of all seeds is made
    if jobs == 1 or len(seeds) == 1:
        yield from map(_run_sampled, map(batch.plan, seeds))
        return
    pool = ProcessPoolExecutor(min(jobs, len(seeds)), initializer=_left_to_the_parent)
    try:
        for start in range(0, len(seeds), HANDED_OUT):
            yield from pool.map(_run_sampled, map(batch.plan, seeds[start : start + HANDED_OUT]))
    finally:  # also after an interrupt: worlds under way are played to their end
        pool.shutdown(cancel_futures=True)


def _left_to_the_parent() -> None:
    """Makes a worker process ignore SIGINT. Ctrl-C reaches all processes, and the parent process ends its workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run_sampled(plan: WorldPlan) -> tuple[Result, Samples]:
    with sampled() as taken:
        return world_game(plan.profile).run(plan), taken


class _Progress:
    """Prints the progress on stderr every SPEAKS_EVERY_S seconds, and each world with violations at once."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._done = 0
        self._bad = 0
        self._spoken_s = time.monotonic()

    def one_more(self, result: Result) -> None:
        self._done += 1
        if result.violations:
            self._bad += 1
            print(f"seed {result.seed} fails: {self._batch.command(result.seed)}", file=sys.stderr, flush=True)
        if (now_s := time.monotonic()) - self._spoken_s >= SPEAKS_EVERY_S:
            self._spoken_s = now_s
            worlds = len(self._batch.seeds)
            print(f"{self._done} of {worlds} worlds, {self._bad} with violations", file=sys.stderr, flush=True)


def _failures(batch: Batch, failing: Sequence[Result]) -> list[Failure]:
    """Returns the failing worlds: the first SHRUNK_AT_MOST with a reduced set of faults, the others with all their
    faults. An interrupt ends the reducing.
    """
    failures: list[Failure] = []
    with suppress(KeyboardInterrupt):
        failures.extend(_cut_down(batch, result) for result in failing[:SHRUNK_AT_MOST])
    as_they_are = failing[len(failures) :]
    return failures + [Failure(one.seed, one.violations, batch.command(one.seed), None, ()) for one in as_they_are]


def _cut_down(batch: Batch, result: Result) -> Failure:
    print(f"seed {result.seed}: cutting its {len(result.met)} faults down", file=sys.stderr, flush=True)
    enough = shrink(result.met, partial(_still_fails, batch, result.seed))
    words = tuple(describe(fault, batch.game.rows) for fault in result.planned if fault.number in enough)
    repeat, repeat_short = batch.command(result.seed), batch.command(result.seed, enough)
    return Failure(result.seed, result.violations, repeat, repeat_short, words)


def _still_fails(batch: Batch, seed: int, numbers: tuple[int, ...]) -> bool:
    return bool(batch.game.run(batch.plan(seed, numbers)).violations)


def _no_such_faults(batch: Batch) -> str | None:
    """Returns the reason why `--keep` does not fit the batch; None if it fits. The option needs a single seed, and may
    name only faults of that seed's plan.
    """
    if len(batch.seeds) != 1:
        return "--keep takes one seed: the numbers are those of its own faults"
    whole = replace(batch.plan(batch.seeds.start), only=None)
    planned = {fault.number for fault in batch.game.planned(whole)}
    gone = sorted(set(batch.keep or ()) - planned)
    return f"seed {batch.seeds.start} has no fault {gone[0]}; it has {sorted(planned)}" if gone else None


def _explain(batch: Batch, seed: int, *, as_json: bool) -> int:
    story: list[str] = []
    tell: Callable[[str], None] = story.append if as_json else print
    result = batch.game.told(batch.plan(seed), tell)
    if as_json:
        document = {"seed": seed, "story": story, "end": result.end.value, "virtual_hours": result.virtual_s / 3600}
        document |= {"entries": result.entries, "digest": result.digests.whole, "violations": list(result.violations)}
        print(json.dumps(document, indent=2, sort_keys=True))
    else:
        minutes = result.virtual_s / 60
        print(f"ended: {result.end.value} after {minutes:.1f} min, {result.entries} entries, {result.digests.whole}")
        for violation in result.violations:
            print(f"VIOLATION {violation}")
    return 1 if result.violations else 0


# ---- reporting


def digest_of(results: Sequence[Result]) -> str:
    """Returns the SHA-256 (hex) of the digests of all results, in this order."""
    return sha256("".join(result.digests.whole for result in results).encode()).hexdigest()


def _counts(batch: Batch, results: Sequence[Result]) -> dict[str, int]:
    """Returns the number of faults that had an effect, by kind. A kind that is possible and had no effect has the
    number 0.
    """
    known = batch.kinds_with_a_subject()
    counts = Counter({row.kind.value: 0 for row in batch.game.rows if row.kind in known})
    for result in results:
        counts.update(result.faults)
    return dict(counts)


def _print_json(batch: Batch, results: Sequence[Result], failures: Sequence[Failure], speed: Speed) -> None:
    played = speed.played
    document = {
        "seeds": len(results),
        "rounds": batch.rounds,
        "virtual_hours": round(played.hours, 3),
        "wall_seconds": round(speed.wall_s, 3),
        "cpu_seconds": round(played.cpu_s, 3),
        "table_hours_per_second": round(played.of_cpu(played.hours), 3),
        "rounds_played": played.rounds,
        "rounds_per_table_hour": round(played.rounds_an_hour, 3),
        "rounds_per_second": round(played.of_cpu(played.rounds), 3),
        "entries": played.entries,
        "entries_per_second": round(played.of_cpu(played.entries), 1),
        "where_the_time_goes": speed.shares,
        "faults": _counts(batch, results),
        "faults_without_subject": batch.kinds_without_subject(),
        "ends": dict(Counter(result.end.value for result in results)),
        "violations": [
            {
                "seed": failure.seed,
                "violations": list(failure.violations),
                "repeat": failure.repeat,
                "repeat_short": failure.repeat_short,
                "faults": list(failure.faults),
            }
            for failure in failures
        ],
        "digest": digest_of(results),
    }
    print(json.dumps(document, indent=2, sort_keys=True))


def _print_text(batch: Batch, results: Sequence[Result], failures: Sequence[Failure], speed: Speed) -> None:
    hours = speed.played.hours
    print(f"{len(results)} worlds of {batch.rounds} rounds: {hours:.1f} table-hours in {speed.wall_s:.1f} s")
    for kind, count in _counts(batch, results).items():
        print(f"  {count:6}  {kind}")
    for failure in failures:
        print(f"seed {failure.seed} FAILS: {failure.repeat}")
        for violation in failure.violations:
            print(f"    {violation}")
        if failure.repeat_short is not None:
            print(f"  these faults are enough: {failure.repeat_short}")
            for words in failure.faults:
                print(f"    {words}")
    print(f"violations: {sum(len(failure.violations) for failure in failures)}, digest {digest_of(results)}")


# ---- arguments


def _seeds(text: str) -> range:
    first, colon, end = text.partition(":")
    if not colon or not first.isdecimal() or not end.isdecimal() or not int(first) < int(end) <= sys.maxsize:
        raise argparse.ArgumentTypeError(f"{text!r} is no range A:B with A < B")
    return range(int(first), int(end))


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 1 or more")
    return int(text)


def _numbers(text: str) -> tuple[int, ...]:
    if text == "none":
        return ()
    parts = text.split(",")
    if not all(part.isdecimal() for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is no list of numbers")
    return tuple(map(int, parts))


def _kinds(text: str) -> tuple[str, frozenset[FaultKind] | None]:
    """Parses `--faults`: returns its text and the kinds of fault that it names. For "all" the kinds are None, since
    they depend on the profile's game.
    """
    if text == "all":
        return text, None
    if text == "none":
        return text, frozenset()
    try:
        return text, frozenset(FaultKind(name) for name in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: all, none, or of {', '.join(FaultKind)}") from None
