"""The result of a practice: computed from the table's journal, stored with earlier results, and printed beside the
previous result.
"""

import os
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct, field

from controller.catalogue import language_of
from controller.core.words import SessionPhase
from controller.record.mistakes import mistakes_of
from controller.record.shown import Shown, entries_shown
from controller.record.story import refusal_words_of
from simulators.demo.drills import Drill
from simulators.demo.house import DEALER_GUEST
from simulators.demo.talk import Ink, Talk, kind_said

CLEAN: Final = 5.0
ROUGH: Final = 15.0
"""Errors in a hundred acts: up to CLEAN the next practice is faster, from ROUGH on slower."""

FASTEST: Final = 8
HASTE: Final = 0.8
"""The factor from level to level on the time of people and hands."""

ROUND_ENDS: Final = frozenset({"collect-cards", "confirm-payments"})
NOT_WANTED: Final = "not-wanted"
"""The kind that results before version 1.0.0-rc2 have for each mistake that only a practice shows."""


class Refusal(Struct, frozen=True):
    """The first refusal of a trainee's act by one guard, with its reason and remedy in words."""

    act: str
    guard: str
    clause: str | None
    reason: str
    remedy: str


class Result(Struct, frozen=True):
    """The result of a practice. `mistakes`: the number of the trainee's mistakes, by kind. `date`: the day on which the
    practice ended. `errors`: the number of acts that were refused or that no player wanted. `rounds_due`: the rounds of
    the drill.

    In a result that an older version of the program stored, `errors` is None and `rounds_due` is 0.
    """

    drill: str
    rounds: int
    seconds_a_round: float
    acts: int
    refusals_per_hundred: float
    mistakes: dict[str, int]
    refusals: list[Refusal]
    level: int = 1
    errors: int | None = None
    seed: int = 0
    profile: str = ""
    date: str = ""
    rounds_due: int = 0
    is_broken_off: bool = False

    @property
    def all_errors(self) -> int:
        """The number of errors. For an older result without `errors`, a number computed from refusals and mistakes."""
        refused = round(self.refusals_per_hundred * self.acts / 100)
        return refused + self.mistakes.get(NOT_WANTED, 0) if self.errors is None else self.errors

    @property
    def errors_per_hundred(self) -> float:
        return round(100 * self.all_errors / max(1, self.acts), 1)


class Practice(Struct, frozen=True):
    """The practised drill, with its level, seed and profile. `missed`: the number of acts that differ from players'
    wishes, by kind of mistake.
    """

    drill: Drill
    level: int = 1
    seed: int = 0
    profile: str = ""
    missed: Mapping[str, int] = field(default_factory=dict)


def level_behind(last: Result | None, drill: Drill) -> int:
    """Returns the level of the next practice of `drill`, from 1 to FASTEST. `last`: the result of the practice before
    it; None gives level 1.

    The level rises by one after a complete practice with few errors, and falls by one after a practice with many
    errors.
    """
    if last is None:
        return 1
    if last.errors_per_hundred >= ROUGH:
        return max(1, last.level - 1)
    is_clean = last.rounds >= drill.rounds and last.errors_per_hundred <= CLEAN
    return min(FASTEST, last.level + is_clean)


def result_of(journal: Path, practice: Practice) -> Result:
    """Computes the result of a practice from its journal."""
    entries = list(entries_shown(journal)) if journal.exists() else []  # ended before the controller has begun
    own = [one for one in entries if one.is_act and one.body["person"] == DEALER_GUEST]
    ends = [one.entry.wall_ms for one in own if one.entry.kind in ROUND_ENDS and one.entry.refusal is None]
    refused = sum(one.entry.refusal is not None for one in own)
    mistakes = Counter(one.kind.value for one in mistakes_of(entries, person=DEALER_GUEST)) + Counter(practice.missed)
    return Result(
        drill=practice.drill.name,
        rounds=len(ends),
        seconds_a_round=_seconds_a_round(own, ends),
        acts=len(own),
        refusals_per_hundred=round(100 * refused / len(own), 1) if own else 0.0,
        mistakes=dict(mistakes),
        refusals=_refusals(own),
        level=practice.level,
        errors=refused + sum(practice.missed.values()),
        seed=practice.seed,
        profile=practice.profile,
        date=time.strftime("%Y-%m-%d"),
        rounds_due=practice.drill.rounds,
        is_broken_off=len(ends) < practice.drill.rounds,
    )


def _seconds_a_round(own: list[Shown], ends: list[int]) -> float:
    in_play = [
        one.entry.wall_ms
        for one in own
        if one.decision is not None and one.decision.state.house.session is SessionPhase.IN_PLAY
    ]
    return round((ends[-1] - in_play[0]) / 1000 / len(ends), 1) if ends else 0.0


def _refusals(own: list[Shown]) -> list[Refusal]:
    """Returns the first refusal by each guard among the trainee's entries."""
    found: dict[str, Refusal] = {}
    for one in own:
        refusal = one.entry.refusal
        if refusal is not None and refusal.reason not in found:
            words = refusal_words_of(one, language_of(os.environ))
            reason, remedy = ("", "") if words is None else (words.reason, words.remedy)
            found[refusal.reason] = Refusal(one.entry.kind, refusal.reason, refusal.clause, reason, remedy)
    return list(found.values())


def results_in(path: Path) -> list[Result]:
    """Reads the stored results, oldest first. Raises msgspec.MsgspecError for a file of another kind."""
    return msgspec.json.decode(path.read_bytes(), type=list[Result]) if path.exists() else []


def tell(talk: Talk, result: Result, last: Result | None) -> None:
    """Prints `result`: mistakes by kind, and each refusal with clause and remedy. Prints `last`, the previous result,
    too, unless it is None.
    """
    talk.say("train.result", Ink.STEP, rounds=str(result.rounds), seconds=str(result.seconds_a_round))
    if result.is_broken_off:
        talk.say("train.broken-off", Ink.STEP, round=str(result.rounds + 1), rounds=str(result.rounds_due))
    talk.say("train.errors", Ink.STEP, **_figures(result))
    for kind, count in result.mistakes.items():
        talk.say("train.mistake", Ink.ALERT, kind=kind_said(talk, kind), count=str(count))
    for refusal in result.refusals:
        clause = refusal.clause or talk.text("train.ours")
        act = talk.label(refusal.act)
        talk.say("train.refusal", act=act, reason=refusal.reason, remedy=refusal.remedy, clause=clause)
    if result.acts and not result.all_errors and not result.mistakes:
        talk.say("train.well", Ink.GOOD)
    if last is not None:
        _tell_last(talk, last)
    talk.say("train.grey")


def tell_pace(talk: Talk, result: Result, drill: Drill) -> None:
    """Prints the level at which the next practice of this drill will be played."""
    level = level_behind(result, drill)
    is_faster, is_slower = level > result.level, level < result.level
    key = "train.faster" if is_faster else "train.slower" if is_slower else "train.same-pace"
    talk.say(key, Ink.STEP, level=str(level), clean=f"{CLEAN:.0f}", rounds=str(drill.rounds))


def _tell_last(talk: Talk, last: Result) -> None:
    kinds = ", ".join(f"{kind_said(talk, kind)}: {count}" for kind, count in last.mistakes.items())
    talk.say("train.last", Ink.STEP, **_figures(last))
    if last.date:
        given = str(last.level), str(last.seed)
        talk.say("train.last-about", level=given[0], seed=given[1], date=last.date, profile=last.profile)
    if kinds:
        talk.say("train.last-kinds", kinds=kinds)
    if last.is_broken_off:
        talk.say("train.last-broken-off", round=str(last.rounds + 1), rounds=str(last.rounds_due))


def _figures(one: Result) -> dict[str, str]:
    return {"errors": str(one.all_errors), "acts": str(one.acts), "share": f"{one.errors_per_hundred:.0f}"}
