"""What a table is played by: the rows of its rooms as one value, and what follows every event."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeAlias, TypeVar

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.engine.fact import Fact
from controller.core.house.act_rule import ActRule
from controller.core.state import State
from controller.core.words import TableMs, Timer

FactT = TypeVar("FactT", bound=Fact)


@dataclass(frozen=True, slots=True)
class FactRule(Generic[FactT]):
    """One fact, whole: its name in the journal, its struct, and the state after it. A fact is always taken."""

    name: str
    fact: type[FactT]
    effect: Callable[[State, FactT, TableMs], State]


@dataclass(frozen=True, slots=True)
class Deadline:
    """A moment at which something must be decided though nothing happens; a timer that fires is an event."""

    timer: Timer
    due: Callable[[State], TableMs | None]
    passed: Callable[[State, TableMs], State]


Watch: TypeAlias = Callable[[State, State, TableMs], State]
"""Looks at the state before an event and after it, and gives the state that follows."""
Tell: TypeAlias = Callable[[State, State], Iterable[Notice]]
"""What people should hear of a change."""


class TwiceDeclaredError(Exception):
    """Two rows have one name, or one act, fact or timer has two rows."""


@dataclass(frozen=True, slots=True)
class Registry:
    """Raises TwiceDeclaredError where it is made of rows that do not go together."""

    acts: tuple[ActRule[Any], ...]
    facts: tuple[FactRule[Any], ...]
    deadlines: tuple[Deadline, ...]
    watches: tuple[Watch, ...]
    tells: tuple[Tell, ...]
    by_act: dict[type[Act], ActRule[Any]] = field(init=False, repr=False, compare=False)
    by_fact: dict[type[Fact], FactRule[Any]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_act", {rule.act: rule for rule in self.acts})
        object.__setattr__(self, "by_fact", {rule.fact: rule for rule in self.facts})
        names = [*(rule.name for rule in self.acts), *(rule.name for rule in self.facts)]
        timers = [deadline.timer for deadline in self.deadlines]
        rows = (len(self.by_act), len(self.by_fact), len(dict.fromkeys(timers)))
        if len(dict.fromkeys(names)) != len(names) or rows != (len(self.acts), len(self.facts), len(timers)):
            raise TwiceDeclaredError
