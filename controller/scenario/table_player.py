"""The table of a scenario, for any game and without devices. This table gives the core one event at a time, and fires
timers. Only the core changes the table's state.
"""

from collections.abc import Mapping
from copy import copy
from typing import Final, Generic, Self

import msgspec

from controller.config.problems import Problem
from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice, Refusal
from controller.core.house.deciding import decide_by, next_of
from controller.core.house.facts import ControllerStarted, TimerFired
from controller.core.house.registry import Registry
from controller.core.house.state import Duty, Hold, StateT
from controller.core.setup import Setup
from controller.core.words import TableMs
from controller.journal.codec import canonical_digest
from controller.journal.signing import Signer
from controller.runtime.act_values import parse_values
from controller.runtime.linked import told_behind
from controller.runtime.pool_lines import place_in_journal, with_evidence
from controller.scenario.people import PEOPLE
from controller.scenario.settings import Head

MOST_TIMERS: Final = 1_000
_NUMBERED: Final = ("hold", "duty")


class Stopped(Exception):  # noqa: N818 (the name says what became of the scenario)
    """The scenario cannot continue. `what`: the end of a message key under `scenario.stopped`. `values`: the values in
    the message.
    """

    def __init__(self, what: str, problems: tuple[Problem, ...] = (), **values: str) -> None:
        super().__init__(what)
        self.what = what
        self.problems = problems
        self.values = tuple(values.items())


class TablePlayer(Generic[StateT]):
    """The table of a scenario, for any game: the table's state, the events so far, and the time."""

    def __init__(self, registry: Registry[StateT], setup: Setup) -> None:
        self.registry = registry
        self.state: StateT = registry.initial(setup)
        self.now_ms = 0
        self.refusal: Refusal | None = None
        self.head = Head(setup.profile)
        self.trace: list[Fact | Act] = []
        self.states: list[StateT] = []  # after each event of the trace
        self.notices: list[Notice] = []
        self._starts = 0
        self._findings: tuple[str, ...] = ()
        self.signer = Signer(bytes(32))  # the computer's signing key

    def copied(self) -> Self:
        """Returns an independent copy of the table."""
        twin = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, list | dict):
                setattr(twin, name, value.copy())
        return twin

    @property
    def owed(self) -> str:
        """Returns the card owed next, in the words of scenarios. "nothing" if no card is owed, and at a table without
        cards.
        """
        return "nothing"

    def imbalance(self) -> tuple[int, int] | None:
        """Returns the number of found cards and the expected number, if the two differ and no hold explains the
        difference. Returns None otherwise, and always at a table without cards.
        """
        return None

    def put(self, event: Fact | Act) -> None:
        """Gives one event to the core. Raises Stopped if a refused act has changed the state."""
        self.trace.append(event)
        before = self.state
        decision = decide_by(self.registry, before, event, TableMs(self.now_ms))
        self.state = decision.state
        self.states.append(decision.state)
        self.notices += decision.notices
        if isinstance(event, Act):
            self.refusal = decision.refusal
        if decision.refusal is not None and canonical_digest(before) != canonical_digest(self.state):
            raise Stopped("refusal-changed-the-state")
        if (told := told_behind(self.state, self._findings, len(self.trace) + 1)) is not None:
            self.put(told)

    def start(self, *findings: str, setup: Setup | None = None) -> None:
        """Starts the controller, with the new `setup` unless `setup` is None. The class of each game also connects the
        game's devices.
        """
        self.start_alone(*findings, setup=setup)

    def start_alone(self, *findings: str, setup: Setup | None = None) -> None:
        """Starts the controller without connecting a device."""
        self._starts += 1
        self._findings = findings
        key = self.signer.public_key
        self.put(ControllerStarted(self._starts, setup or self.state.setup, "", "", "", findings, key))

    def wait(self, ms: int) -> None:
        """Lets `ms` milliseconds of table time pass, and fires each timer that comes due in this time."""
        until = self.now_ms + ms
        for _ in range(MOST_TIMERS):
            due = next_of(self.registry.deadlines, self.state)
            if due is None or due[0] > until:
                break
            self.now_ms = max(self.now_ms, due[0])
            self.put(TimerFired(due[1]))
        self.now_ms = until

    def act(self, person: str, name: str, values: Mapping[str, str]) -> None:
        """Does the act `name` of a person, with its values as texts. The value for a hold or a duty may be its kind
        instead of its number.
        """
        self.put(self.made(person, name, values))

    def made(self, person: str, name: str, values: Mapping[str, str]) -> Act:
        """Returns the act `name` of a person, with the signature that some acts need. Raises Stopped for values that
        cannot be read.
        """
        number, role = PEOPLE[person]
        kind = self.registry.act_named[name].act
        fields = parse_values(kind, {key: self._numbered(key, text) for key, text in values.items()})
        if isinstance(fields, list):
            raise Stopped("values", act=name)
        sealed = {"salt": None} if "salt" in kind.__struct_fields__ else {}
        act: Act = msgspec.convert({"person": number, "role": role, **fields, **sealed}, kind)
        place = place_in_journal(self._findings, len(self.trace), bytes(32))
        return with_evidence(self.registry, act, self.state, place, self.signer.sign)

    def _numbered(self, key: str, text: str) -> str:
        """Returns the number of the open hold or duty whose kind is `text`. Returns a text that names no kind
        unchanged.

        If no hold or duty of this kind is open, returns an unused number: the core then refuses the act.
        """
        if key not in _NUMBERED or not any(letter.isalpha() for letter in text[1:]):
            return text
        state, is_hold = self.state, key == "hold"
        standing: tuple[Hold, ...] | tuple[Duty, ...] = state.house.holds if is_hold else state.house.duties
        none = (state.house.last_hold if is_hold else state.house.last_duty) + 1
        return next((str(one.id) for one in standing if one.kind.value == text), str(none))
