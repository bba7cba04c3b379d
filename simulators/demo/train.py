"""`sabot-sim train`: a dealer practises alone at a simulated table, with every other post scripted."""

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from controller.catalogue import language_of, sentence
from controller.config.model import Tracks
from controller.config.profile import GAME_OF, PROFILES, USUAL_PROFILE, GameName
from controller.core.words import Role, SessionPhase
from controller.journal.storage import write_whole
from controller.record.mistakes import MistakeKind, mistakes_of
from controller.record.shown import entries_shown
from controller.record.story import refusal_words_of
from simulators.demo.command import demo_of, panel_port, stop_signals
from simulators.demo.house import DEALER_GUEST, furnish
from simulators.demo.incidents import Kind
from simulators.demo.options import DemoOptions
from simulators.demo.played import Demo
from simulators.demo.segments import SegmentTail
from simulators.demo.talk import Ink, Talk
from simulators.devices.shuffler_model import NOTHING_FAVOURED, Favours
from simulators.spoken import said, spoken


class Drill(Struct, frozen=True):
    """One kind of practice, described by the message `train.drill.<name>`."""

    name: str
    game: GameName
    tracks: Tracks
    rounds: int
    faults: tuple[Kind, ...] = ()
    favours: Favours = NOTHING_FAVOURED
    opens: bool = False  # the dealer also opens the table; False: he relieves the dealer who has opened it
    acts: frozenset[str] = frozenset()  # the acts that it practises, with their mistakes


DRILLS: Final = (
    Drill("deal", GameName.BLACKJACK, Tracks.CARDS, 10, opens=True),
    Drill(
        "hands",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        acts=frozenset({"place-bet", "withdraw-bet", "stand", "double-down", "surrender", "draw-card"}),
    ),
    Drill(
        "pay",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        favours=Favours(frozenset({"A", "K", "Q", "J", "10"}), 0.8),
        acts=frozenset({"confirm-settled", "decide-amount", "confirm-differences", "take-even-money"}),
    ),
    Drill(
        "split",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        favours=Favours(frozenset({"8", "9"}), 0.8),
        acts=frozenset({"split-pair"}),
    ),
    Drill(
        "insurance",
        GameName.BLACKJACK,
        Tracks.HANDS,
        10,
        favours=Favours(frozenset({"A"}), 0.4),
        acts=frozenset({"insure"}),
    ),
    Drill(
        "jam",
        GameName.BLACKJACK,
        Tracks.CARDS,
        5,
        (Kind.JAM_AT_MOUTH, Kind.JAM_AT_FEED),
        acts=frozenset({"attend-hold", "clear-hold", "confirm-hold", "state-cards-moved", "call-technician"}),
    ),
    Drill("wheel", GameName.ROULETTE, Tracks.BETS, 10),
)
"""All drills. The first drill of a game is the usual one; it practises all acts that no other drill of the game has."""

CLEAN: Final = 5.0
ROUGH: Final = 15.0
"""Acts in a hundred, refused or wanted by no player: up to CLEAN the next practice is faster, from ROUGH on slower."""

FASTEST: Final = 8
HASTE: Final = 0.8
"""The factor from level to level on the time of people and hands."""

ROUND_ENDS: Final = frozenset({"collect-cards", "confirm-payments"})
NOT_WANTED: Final = "not-wanted"
"""The kind of a mistake that only a practice table knows: the table took the act, and no player had wanted it."""

RESULTS: Final = "results.json"
LOOK_S: Final = 0.2


class Refusal(Struct, frozen=True):
    """The first refusal of the trainee by one guard, with its reason and remedy in words."""

    act: str
    guard: str
    clause: str | None
    reason: str
    remedy: str


class Result(Struct, frozen=True):
    """The result of a practice. `mistakes`: the number of the trainee's mistakes, by kind."""

    drill: str
    rounds: int
    seconds_a_round: float
    acts: int
    refusals_per_hundred: float
    mistakes: dict[str, int]
    refusals: list[Refusal]
    level: int = 1


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
    """Runs one practice. Returns 0 after it, 1 where the table failed, 2 for an unknown drill or an unreadable file."""
    known = {drill.name: drill for drill in DRILLS if drill.game is GAME_OF[arguments.profile]}
    name = arguments.drill or next(iter(known))
    if arguments.from_journal is not None:
        try:
            name = drill_for(mistakes_in(arguments.from_journal), known)
        except (OSError, msgspec.MsgspecError):
            print(said("wrong.mistakes", file=arguments.from_journal), file=sys.stderr)
            return 2
    drill = known.get(name)
    if drill is None:
        names = ", ".join(known)
        print(said("wrong.drill", profile=arguments.profile, drill=arguments.drill, known=names), file=sys.stderr)
        return 2
    with ExitStack() as stack:
        kept: Path | None = arguments.state_dir
        directory = kept or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sabot-train-")))
        try:
            before = _results(directory / RESULTS)
        except msgspec.MsgspecError:
            print(said("wrong.results", file=directory / RESULTS), file=sys.stderr)
            return 2
        talk = Talk(sys.stderr if arguments.json else sys.stdout, os.environ)
        last = next((one for one in reversed(before) if one.drill == drill.name), None)
        level, rounds = level_behind(last, drill), str(drill.rounds)
        talk.say("train.begin", Ink.STEP, drill=talk.text(f"train.drill.{drill.name}"), rounds=rounds)
        talk.say("train.level", Ink.STEP, level=str(level), most=str(FASTEST))
        demo, code = _practise(arguments, drill, level, _new_table(directory))
        if code:
            return code
        result = result_of(demo.house.journal, drill, level, 0 if demo.heard is None else demo.heard.missed)
        write_whole(directory / RESULTS, msgspec.json.format(msgspec.json.encode([*before, result])))
        if arguments.json:
            print(json.dumps({**msgspec.to_builtins(result), "last": msgspec.to_builtins(last)}))
        else:
            tell(talk, result, last)
    return 0


class Counted(msgspec.Struct, frozen=True):
    """One line of `sabot journal mistakes --json`, without its person."""

    kind: MistakeKind
    act: str
    count: int


class Counts(msgspec.Struct, frozen=True):
    mistakes: list[Counted]


def mistakes_in(path: Path) -> list[Counted]:
    """Reads the counted mistakes from a file of `sabot journal mistakes --json`.

    Raises OSError, msgspec.MsgspecError.
    """
    return msgspec.json.decode(path.read_bytes(), type=Counts).mistakes


def drill_for(mistakes: Sequence[Counted], known: Mapping[str, Drill]) -> str:
    """The name of the drill that practises most of the mistakes; where there are none, the name of the usual drill."""
    usual, sums = next(iter(known)), Counter[str]()
    for one in mistakes:
        of_act = next((drill.name for drill in known.values() if one.act in drill.acts), usual)
        pays = "pay" if "pay" in known and one.kind is MistakeKind.WRONG_AMOUNT else of_act
        sums[pays] += one.count
    return sums.most_common(1)[0][0] if sums else usual


def level_behind(last: Result | None, drill: Drill) -> int:
    """Returns the level of the next practice, 1 to FASTEST; 1 where there was no practice before.

    The level rises by one after a clean and complete practice, and falls by one after a rough practice.
    """
    if last is None:
        return 1
    wrong = last.refusals_per_hundred + 100 * last.mistakes.get(NOT_WANTED, 0) / max(1, last.acts)
    if wrong >= ROUGH:
        return max(1, last.level - 1)
    is_clean = last.rounds >= drill.rounds and wrong <= CLEAN
    return min(FASTEST, last.level + is_clean)


def _new_table(directory: Path) -> Path:
    number = 1
    while (table := directory / f"table-{number}").exists():
        number += 1
    return table


def _practise(arguments: argparse.Namespace, drill: Drill, level: int, table: Path) -> tuple[Demo, int]:
    options = DemoOptions(
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
        favours=drill.favours,
        haste=HASTE ** (level - 1),
    )
    house = furnish(table, language_of(os.environ), options)
    with stop_signals() as is_stopping:
        over = RoundsOver(SegmentTail(house.journal), drill.rounds)
        demo = demo_of(options.profile)(options, house, lambda: is_stopping() or over())
        return demo, demo.run()


class RoundsOver:
    """A condition for the end of a practice: True once `rounds` rounds are played. Reads the journal at intervals."""

    def __init__(self, tail: SegmentTail, rounds: int, now_s: Callable[[], float] = time.monotonic) -> None:
        self._tail, self._left, self._now_s = tail, rounds, now_s
        self._next_s = 0.0

    def __call__(self) -> bool:
        if self._left > 0 and self._now_s() >= self._next_s:
            self._next_s = self._now_s() + LOOK_S
            self._left -= sum(one.kind in ROUND_ENDS and not one.refused for one in self._tail.new_entries())
        return self._left <= 0


def result_of(journal: Path, drill: Drill, level: int, missed: int) -> Result:
    """Computes the result of the trainee's practice from its journal; `missed`: the acts that no player wanted."""
    entries = list(entries_shown(journal))
    own = [one for one in entries if one.is_act and one.body["person"] == DEALER_GUEST]
    ends = [one.entry.wall_ms for one in own if one.entry.kind in ROUND_ENDS and one.entry.refusal is None]
    in_play = [
        one.entry.wall_ms
        for one in own
        if one.decision is not None and one.decision.state.house.session is SessionPhase.IN_PLAY
    ]
    refusals: dict[str, Refusal] = {}
    language = language_of(os.environ)
    for one in entries:
        refusal = one.entry.refusal
        if refusal is not None and one.body.get("person") == DEALER_GUEST and refusal.reason not in refusals:
            words = refusal_words_of(one, language)
            reason, remedy = ("", "") if words is None else (words.reason, words.remedy)
            refusals[refusal.reason] = Refusal(one.entry.kind, refusal.reason, refusal.clause, reason, remedy)
    refused = sum(one.entry.refusal is not None for one in own)
    return Result(
        drill=drill.name,
        rounds=len(ends),
        seconds_a_round=round((ends[-1] - in_play[0]) / 1000 / len(ends), 1) if ends else 0.0,
        acts=len(own),
        refusals_per_hundred=round(100 * refused / len(own), 1) if own else 0.0,
        mistakes=dict(Counter(one.kind.value for one in mistakes_of(entries, person=DEALER_GUEST)))
        | ({NOT_WANTED: missed} if missed else {}),
        refusals=list(refusals.values()),
        level=level,
    )


def _results(path: Path) -> list[Result]:
    """Reads the stored results, the oldest first. Raises msgspec.MsgspecError for a file of another kind."""
    return msgspec.json.decode(path.read_bytes(), type=list[Result]) if path.exists() else []


def tell(talk: Talk, result: Result, last: Result | None) -> None:
    """Prints the result, the result before it, the mistakes by kind, and each refusal with its clause and remedy."""
    talk.say("train.over", Ink.STEP)
    for key, one in (("train.result", result), ("train.last", last)):
        if one is not None:
            values = {"rounds": one.rounds, "seconds": one.seconds_a_round, "acts": one.acts}
            given = {name: str(value) for name, value in values.items()}
            talk.say(key, Ink.STEP, **given, refusals=str(one.refusals_per_hundred))
    for kind, count in result.mistakes.items():
        own = f"train.kind.{kind}"
        text = talk.text(own) if talk.knows(own) else sentence(f"cli.mistakes.kind.{kind}", (), talk.language)
        talk.say("train.mistake", Ink.ALERT, kind=text, count=str(count))
    for refusal in result.refusals:
        clause = refusal.clause or talk.text("train.ours")
        act = sentence(f"act.{refusal.act}.label", (), talk.language)
        talk.say("train.refusal", act=act, reason=refusal.reason, remedy=refusal.remedy, clause=clause)
    if not result.mistakes:
        talk.say("train.well", Ink.GOOD)
