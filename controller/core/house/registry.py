"""The registry of a game: its acts, facts, deadlines, devices, watches and tells as one value."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from msgspec import Struct

from controller.core.engine.act import Act, Fact
from controller.core.house.evidence import HOUSE_EVIDENCE, Met
from controller.core.house.following import Follows, Tell, Watch
from controller.core.house.hold_table import Evidence
from controller.core.house.round_log import OfAnEntry
from controller.core.house.rule import ActRule
from controller.core.house.state import StateT
from controller.core.house.wanted import DeviceRules
from controller.core.setup import Setup
from controller.core.words import TableMs, Timer

FactT = TypeVar("FactT", bound=Fact)


class FactRule(Struct, Generic[StateT, FactT], frozen=True):
    """The row of one fact: the fact's name in the journal, its struct, and its effect. A fact is always recorded."""

    name: str
    fact: type[FactT]
    effect: Callable[[StateT, FactT, TableMs], StateT]


class Deadline(Struct, Generic[StateT], frozen=True):
    """A moment at which the state changes without an outside event. `due`: that moment; None if none is set. At that
    moment the fact `TimerFired` with this timer is recorded, and `passed` gives the new state.
    """

    timer: Timer
    due: Callable[[StateT], TableMs | None]
    passed: Callable[[StateT, TableMs], StateT]


class TwiceDeclaredError(Exception):
    """Raised if two rows have the same name, act, fact or timer."""


@dataclass(frozen=True, slots=True)
class Registry(Generic[StateT]):
    """All rows of one game. Raises TwiceDeclaredError if two rows have the same name, act, fact or timer."""

    state: type[StateT]
    initial: Callable[[Setup], StateT]
    acts: tuple[ActRule[Any, Any], ...]
    facts: tuple[FactRule[Any, Any], ...]
    deadlines: tuple[Deadline[Any], ...]
    watches: tuple[Watch, ...]
    tells: tuple[Tell, ...]
    devices: DeviceRules = ()  # devices that accept commands
    # the kinds of evidence that the table can have
    evidence: Mapping[Evidence, Met[Any]] = field(default_factory=lambda: HOUSE_EVIDENCE)
    # The functions that let the other hands play before the hand of a withdrawn act, and that ask that hand again.
    passed_over: Callable[[Any, Act], Any] | None = None
    asked_again: Callable[[Any, Act], Any] | None = None
    # The function that gives the state in which this event's card is owed although no hand waits for it; None
    # otherwise.
    in_vain: Callable[[Any, Act | Fact], Any | None] | None = None
    # The function that gives the act by which a hand ended after a request for a card; None for any other act.
    ended_by: Callable[[Act], Act | None] | None = None
    chips: tuple[type[Act], ...] = ()  # the acts that lay a jackpot bet or take one back
    by_act: dict[type[Act], ActRule[StateT, Any]] = field(init=False, repr=False, compare=False)
    by_fact: dict[type[Fact], FactRule[StateT, Any]] = field(init=False, repr=False, compare=False)
    act_named: dict[str, ActRule[StateT, Any]] = field(init=False, repr=False, compare=False)
    fact_named: dict[str, FactRule[StateT, Any]] = field(init=False, repr=False, compare=False)
    bets: frozenset[str] = field(init=False, repr=False, compare=False)  # acts that begin a round before its first step
    of_an_entry: frozenset[str] = field(init=False, repr=False, compare=False)  # acts that name an entry of the log
    follows: Follows = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_act", {rule.act: rule for rule in self.acts})
        object.__setattr__(self, "by_fact", {rule.fact: rule for rule in self.facts})
        object.__setattr__(self, "act_named", {rule.name: rule for rule in self.acts})
        object.__setattr__(self, "fact_named", {rule.name: rule for rule in self.facts})
        object.__setattr__(self, "bets", frozenset(rule.name for rule in self.acts if rule.begins_round))
        named = (rule.name for rule in self.acts if issubclass(rule.act, OfAnEntry))
        object.__setattr__(self, "of_an_entry", frozenset(named))
        object.__setattr__(self, "follows", Follows(self.watches, self.tells))
        timers = dict.fromkeys(deadline.timer for deadline in self.deadlines)
        names = self.act_named | self.fact_named
        rows = (len(names), len(self.by_act), len(self.by_fact), len(timers))
        if rows != (len(self.acts) + len(self.facts), len(self.acts), len(self.facts), len(self.deadlines)):
            raise TwiceDeclaredError
