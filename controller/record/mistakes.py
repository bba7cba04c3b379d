"""The mistakes of the people at a table, by kind: refused acts, and corrected entries. The mistakes show the casino
what its people should practise. Mistakes are counted by act, and by person only if the casino wants it.
"""

import json
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from controller.core.house.rule import Guard
from controller.core.house.state import State
from controller.core.words import RoundPhase
from controller.record.shown import Shown
from controller.runtime.game import game_of


@unique
class MistakeKind(StrEnum):
    TOO_EARLY = "too-early"
    TOO_LATE = "too-late"
    WRONG_SEAT = "wrong-seat"  # the right act for the wrong player, place or hand
    WRONG_AMOUNT = "wrong-amount"
    FORGOTTEN = "forgotten"  # an announcement or an entry was left out
    WRONG_PERSON = "wrong-person"
    OTHER = "other"


OF_GUARD: Final = {
    guard: MistakeKind(kind)
    for kind, guards in tomllib.loads(Path(__file__).with_name("mistake_kinds.toml").read_text("utf-8")).items()
    for guard in guards
}
"""The kind of mistake by the guard that refused the act.

An unknown guard, in another program's journal, counts as OTHER.
"""

STEP_OF_ROUND: Final = "round_is_at_this_step"
BETS_ARE_OPEN: Final = (RoundPhase.BETTING, RoundPhase.SPINNING)
BEHIND_AN_ANNOUNCEMENT: Final = frozenset(
    {RoundPhase.DEALING, RoundPhase.PLAYING, RoundPhase.NO_MORE_BETS, RoundPhase.PAYING}
)

ADDED: Final = frozenset({"add-entry", "add-spin-entry"})
CORRECTED: Final = frozenset({"correct-entry", "correct-spin-entry"})
DEALING_ERRORS: Final = {"report-misdealt": MistakeKind.WRONG_SEAT, "move-card": MistakeKind.WRONG_SEAT}
"""The acts with which people report a card dealt to the wrong hand."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake. `guard`: the guard that refused the act; "" if the act was permitted and corrected later. `person`:
    0 if the journal names no person.
    """

    kind: MistakeKind
    act: str
    guard: str
    person: int
    seq: int


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The number of equal mistakes, with the first and the last entry. `person`: 0 if the count is not by person."""

    kind: MistakeKind
    act: str
    guard: str
    person: int
    count: int
    first: int
    last: int


def mistakes_of(entries: Iterable[Shown], session: int = 0, person: int = 0) -> Iterator[Mistake]:
    """Yields the mistakes in the order of the journal. `session`: the session, 0 for all. `person`: the person, 0 for
    all.
    """
    before: State | None = None
    for one in entries:
        after = None if one.decision is None else one.decision.state
        if one.is_act and session in (0, one.session):
            for found in _of_act(one, before, after):
                if person in (0, found.person):
                    yield found
        before = after


def together(mistakes: Iterable[Mistake], *, by_person: bool = False) -> list[Mistakes]:
    """Counts equal mistakes. Returns the counts sorted by kind and, within a kind, the most frequent first.
    `by_person`: if True, mistakes of different people are not equal.
    """
    found: dict[tuple[str, str, str, int], Mistakes] = {}
    for one in mistakes:
        person = one.person if by_person else 0
        key = (one.kind, one.act, one.guard, person)
        so_far = found.get(key, Mistakes(one.kind, one.act, one.guard, person, 0, one.seq, one.seq))
        found[key] = replace(so_far, count=so_far.count + 1, last=one.seq)
    order = list(MistakeKind)
    return sorted(found.values(), key=lambda one: (order.index(one.kind), -one.count, one.first))


def _of_act(one: Shown, before: State | None, after: State | None) -> Iterator[Mistake]:
    kind, seq = one.entry.kind, one.entry.seq
    if (refusal := one.entry.refusal) is not None:
        yield Mistake(_kind_of(one, refusal.reason, before), kind, refusal.reason, _number(one.body["person"]), seq)
    elif before is None or after is None or len(after.house.waiting) > len(before.house.waiting):
        return  # only the first of two people has asked: no correction yet
    elif kind in CORRECTED:
        yield _corrected(one, before)
    elif kind in ADDED:
        yield Mistake(MistakeKind.FORGOTTEN, str(one.body["adds"]), "", 0, seq)
    elif kind in DEALING_ERRORS:
        yield Mistake(DEALING_ERRORS[kind], kind, "", 0, seq)


def _kind_of(one: Shown, guard: str, before: State | None) -> MistakeKind:
    """Returns the kind of a mistake, by the guard that refused the act. An act refused because of the step of the round
    was too early, too late or forgotten.
    """
    if guard == STEP_OF_ROUND and before is not None:
        rule = game_of(before.setup.profile).registry.act_named.get(one.entry.kind)
        for of in () if rule is None else rule.all_guards():
            if isinstance(of, Guard) and of.name == guard:
                needed = dict(of.says(before))["needed"].split()
                return _of_step(before.game.phase, tuple(RoundPhase(word) for word in needed))
    return OF_GUARD.get(guard, MistakeKind.OTHER)


def _of_step(phase: RoundPhase, needed: tuple[RoundPhase, ...]) -> MistakeKind:
    """Returns the kind of the mistake to ask for an act at `phase`: too early, too late, or forgotten if an
    announcement is missing. `needed`: the phases that permit the act; IDLE among them never makes the act too late.
    """
    if phase in BETS_ARE_OPEN and not BEHIND_AN_ANNOUNCEMENT.isdisjoint(needed):
        return MistakeKind.FORGOTTEN
    order = list(RoundPhase)
    in_round = [order.index(step) for step in needed if step is not RoundPhase.IDLE]
    is_past = bool(in_round) and max(in_round) < order.index(phase)
    return MistakeKind.TOO_LATE if is_past else MistakeKind.TOO_EARLY


def _corrected(one: Shown, before: State) -> Mistake:
    was = before.log.of(_number(one.body["entry"]))
    person = 0 if was is None else _number(json.loads(was.event).get("person"))
    changes = {name for name, value in one.body.items() if value is not None}
    if changes & {"amount", "chips"}:
        kind = MistakeKind.WRONG_AMOUNT
    elif changes & {"seat", "hand", "bettor", "player", "bet"}:
        kind = MistakeKind.WRONG_SEAT
    else:
        kind = MistakeKind.OTHER
    return Mistake(kind, one.entry.kind if was is None else was.name, "", person, one.entry.seq)


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
