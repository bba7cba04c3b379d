"""`sabot-sim train`: a dealer practises alone at a simulated table, with every other post scripted."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec

from controller.catalogue import language_of
from controller.config.profile import GAME_OF, PROFILES, USUAL_PROFILE
from controller.core.words import Role
from controller.journal.storage import write_whole
from simulators.demo.command import demo_of, panel_port, stop_signals
from simulators.demo.drills import DRILLS, Drill, drill_for, mistakes_in
from simulators.demo.house import furnish
from simulators.demo.options import DemoOptions
from simulators.demo.practised import (
    FASTEST,
    HASTE,
    ROUND_ENDS,
    Practice,
    Result,
    level_behind,
    result_of,
    results_in,
    tell,
    tell_pace,
)
from simulators.demo.segments import SegmentTail
from simulators.demo.talk import Ink, Talk
from simulators.spoken import said, spoken

RESULTS: Final = "results.json"
LOOK_S: Final = 0.2


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim train`, and `run` as the function of the subcommand."""
    text = spoken()
    names = ", ".join(drill.name for drill in DRILLS)
    parser.add_argument(
        "--profile",
        default=USUAL_PROFILE,
        choices=PROFILES,
        help=text["help.profile"].format(known=", ".join(PROFILES)),
    )
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--drill", metavar="D", help=text["help.drill"].format(known=names))
    chosen.add_argument("--from-journal", type=Path, metavar="FILE", help=text["help.from-journal"])
    parser.add_argument("--seed", type=int, default=0, metavar="S", help=text["help.seed"])
    parser.add_argument("--state-dir", type=Path, metavar="DIR", help=text["help.results-dir"])
    parser.add_argument("--json", action="store_true", help=text["help.json"])
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs one practice. Returns 0 after a complete or stopped practice, 1 if the table failed, 2 for an unknown drill
    or an unreadable file.
    """
    known = {drill.name: drill for drill in DRILLS if drill.game is GAME_OF[arguments.profile]}
    try:
        name, is_chosen = _chosen(arguments, known)
    except (OSError, msgspec.MsgspecError):
        print(said("wrong.mistakes", file=arguments.from_journal), file=sys.stderr)
        return 2
    drill = known.get(name)
    if drill is None:
        names = ", ".join(known)
        print(said("wrong.drill", profile=arguments.profile, drill=arguments.drill, known=names), file=sys.stderr)
        return 2
    with ExitStack() as stack:
        is_stopping = stack.enter_context(stop_signals())
        kept: Path | None = arguments.state_dir
        directory = kept or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sabot-train-")))
        try:
            before = results_in(directory / RESULTS)
        except msgspec.MsgspecError:
            print(said("wrong.results", file=directory / RESULTS), file=sys.stderr)
            return 2
        talk = Talk(sys.stderr if arguments.json else sys.stdout, os.environ)
        if not is_chosen:
            talk.say("train.no-mistakes", Ink.STEP, file=str(arguments.from_journal), drill=name)
        return Run(arguments, drill, talk, directory, before).play(is_stopping)


def _chosen(arguments: argparse.Namespace, known: Mapping[str, Drill]) -> tuple[str, bool]:
    """Returns the name of the drill to practise, and False if the file of mistakes is empty and the drill therefore the
    usual one, else True. Raises OSError, msgspec.MsgspecError.
    """
    if arguments.from_journal is None:
        return arguments.drill or next(iter(known)), True
    mistakes = mistakes_in(arguments.from_journal)
    return drill_for(mistakes, known), bool(mistakes)


class Run:
    """One practice, from its first message to its result. `before`: the earlier results, oldest first."""

    def __init__(
        self, arguments: argparse.Namespace, drill: Drill, talk: Talk, directory: Path, before: list[Result]
    ) -> None:
        self._arguments, self._drill, self._talk, self._directory, self._before = (
            arguments,
            drill,
            talk,
            directory,
            before,
        )
        self._last = next((one for one in reversed(before) if one.drill == drill.name), None)
        self._level = level_behind(self._last, drill)

    def play(self, is_stopping: Callable[[], bool]) -> int:
        """Plays until the drill's rounds are over, or until `is_stopping` returns True because the trainee stops.
        Returns 1 if the table failed, else 0.
        """
        talk, drill = self._talk, self._drill
        rounds, name = str(drill.rounds), talk.text(f"train.drill.{drill.name}")
        talk.say("train.begin", Ink.STEP, drill=name, rounds=rounds)
        talk.say("train.level", Ink.STEP, level=str(self._level), most=str(FASTEST))
        options = self._options(_new_table(self._directory))
        house = furnish(options.state_dir or self._directory, language_of(os.environ), options)
        over = RoundsOver(SegmentTail(house.journal), drill.rounds)
        demo = demo_of(options.profile)(options, house, lambda: is_stopping() or over())
        demo.at_the_end = lambda: self._end(house.journal, {} if demo.heard is None else demo.heard.missed)
        return demo.run()

    def _options(self, table: Path) -> DemoOptions:
        drill, arguments = self._drill, self._arguments
        return DemoOptions(
            rounds=drill.rounds,
            seed=arguments.seed,
            profile=arguments.profile,
            tracks=drill.tracks,
            as_json=arguments.json,
            state_dir=table,
            panel_port=panel_port(None),
            faults=drill.faults,
            you=(Role.DEALER,),
            is_practice=True,
            opens=drill.opens,
            stack=drill.stack,
            haste=HASTE ** (self._level - 1),
        )

    def _end(self, journal: Path, missed: Mapping[str, int]) -> None:
        """Stores the result and prints it, while the page is still served."""
        arguments, last = self._arguments, self._last
        practice = Practice(self._drill, self._level, arguments.seed, arguments.profile, missed)
        result = result_of(journal, practice)
        document = msgspec.json.encode([*self._before, result])
        write_whole(self._directory / RESULTS, msgspec.json.format(document))
        if arguments.json:
            print(json.dumps({**msgspec.to_builtins(result), "last": msgspec.to_builtins(last)}))
            return
        tell(self._talk, result, last)
        tell_pace(self._talk, result, self._drill)
        self._talk.say("train.over", Ink.STEP)


def _new_table(directory: Path) -> Path:
    number = 1
    while (table := directory / f"table-{number}").exists():
        number += 1
    return table


class RoundsOver:
    """A callable that returns True once the journal has `rounds` finished rounds. Reads the journal every LOOK_S
    seconds.
    """

    def __init__(self, tail: SegmentTail, rounds: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._tail, self._left, self._now_s = tail, rounds, now_s
        self._next_s = 0.0

    def __call__(self) -> bool:
        if self._left > 0 and self._now_s() >= self._next_s:
            self._next_s = self._now_s() + LOOK_S
            self._left -= sum(one.kind in ROUND_ENDS and not one.refused for one in self._tail.new_entries())
        return self._left <= 0
