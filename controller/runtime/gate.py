"""The gate checks a client's request and the person's PIN before an act reaches the runtime. Sans-IO.

A shell calls `step` and carries out its outputs. PINs are hashed in a thread, one at a time. The gate checks the
lockout directly before each hash, so many tries at once gain nothing.

A person is identified by the PIN in the request, by badge and key, or by a sign-in on the connection. A sign-in at a
shared screen is too weak for an attestation. The second person of an act for two always gives the PIN.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from msgspec import Struct

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.house.attendance import SignIn
from controller.core.house.manner import Credential, Manner
from controller.core.house.rule import ActRule, second_posts
from controller.core.words import Person, Role
from controller.journal.writer_logic import Batch
from controller.protocol.check import Problem
from controller.runtime.act_values import Field, make_act, parse_values
from controller.runtime.answers import Answer, Failed, Trouble, Vouched
from controller.runtime.kernel import Runtime, SpokenTo
from controller.runtime.log_events import LogEvent
from controller.staff.lockout import TerminalName

MOST_CHECKS = 16
"""The most PINs that may wait for their hash. A hash takes about 0.1 s, so no person waits for more than some seconds.
"""


@dataclass(frozen=True, slots=True)
class Asked:
    """A client's request for an act. `vouched`: the role of a person whom a `credential` other than a PIN has
    identified; None if the PIN in the request must identify the person.
    """

    act: str
    person: int | None
    pin: str | None = field(repr=False)
    values: Mapping[str, str]
    terminal: TerminalName = ""
    vouched: Role | None = None
    credential: Credential = Credential.SHARED_SCREEN

    @property
    def is_weak(self) -> bool:
        """True if only a sign-in at a shared screen identifies the person: too weak for an attestation."""
        return self.vouched is not None and self.credential is Credential.SHARED_SCREEN


class BadValues(Struct, frozen=True, gc=False):
    """The answer that the values in a request do not fit the act. `problems`: one for each bad value."""

    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class PinCheck:
    """The output with a PIN that the caller must hash. The caller then calls `Gate.checked` with the person's role, or
    with None for a wrong PIN.

    `act`: None for a sign-in without an act. `fields`: the act's values.
    """

    ticket: int
    person: int
    pin: str = field(repr=False)
    act: type[Act] | None  # None for a sign-in without an act
    fields: Mapping[str, Field]
    terminal: TerminalName = ""


class Answered(Struct, frozen=True, gc=False):
    """The output that gives `answer` to the client whose request has the number `ticket`."""

    ticket: int
    answer: Answer | BadValues


class Noticed(Struct, frozen=True, gc=False):
    """The output with notices for people at the table. The journal entries of these notices are on the disk."""

    notices: tuple[Notice, ...]


class Happened(Struct, frozen=True, gc=False):
    """The output with events for the log."""

    log_events: tuple[LogEvent, ...]


Output: TypeAlias = Batch | SpokenTo | PinCheck | Answered | Noticed | Happened
"""The values that a step may yield, in the order in which it yields them."""


class Gate:
    """Checks clients' requests before they reach the runtime of one table. At most one PIN is hashed at a time."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._registry = runtime.game.registry
        self._waiting: deque[PinCheck] = deque()
        self._is_out = False
        self._answers: list[tuple[int, Answer | BadValues]] = []

    def step(self, now_s: float) -> Iterator[Output]:
        """Yields the runtime's outputs, then the next PIN to hash, the answers, the notices, and the log events. To be
        called after each input to the gate, the runtime or a supervisor. The caller must exhaust the iterator.
        """
        runtime = self._runtime
        yield from runtime.step(now_s)
        if self._waiting and (check := self.next_check(now_s)) is not None:
            yield check
        if self._answers or runtime.replies.ready:
            for ticket, answer in self.answers():
                yield Answered(ticket, answer)
        if runtime.notices:
            noticed, runtime.notices = tuple(runtime.notices), []
            yield Noticed(noticed)
        if runtime.log.kept:
            yield Happened(runtime.log.drain())

    def ask(self, ticket: int, asked: Asked, now_s: float) -> None:
        """Receives `asked`, a client's request for an act. The next or a later `step` yields the answer with the number
        `ticket`, even if the gate does not accept the request.
        """
        rule = self._registry.act_named.get(asked.act)
        trouble = self._runtime.trouble() or self._trouble_with(rule, asked)
        if rule is None or trouble is not None:
            self._fail(ticket, trouble or Trouble.UNKNOWN_ACT)
            return
        act: type[Act] = rule.act
        fields = parse_values(act, asked.values)
        if isinstance(fields, list):
            self._answers.append((ticket, BadValues(tuple(fields))))
        elif asked.person is None:
            self._fail(ticket, Trouble.PERSON_MISSING)
        elif asked.vouched is not None:
            made = make_act(act, asked.person, asked.vouched, fields)
            if asked.is_weak and rule.attested_if is not None and rule.attested_if(made):
                self._fail(ticket, Trouble.PIN_MISSING)
            else:
                self._runtime.act(ticket, made, now_s, asked.terminal, asked.credential)
        elif asked.pin is None:
            self._fail(ticket, Trouble.PIN_MISSING)
        elif len(self._waiting) >= MOST_CHECKS:
            self._fail(ticket, Trouble.BUSY)
        else:
            self._waiting.append(PinCheck(ticket, asked.person, asked.pin, act, fields, asked.terminal))

    def sign_in(self, ticket: int, person: int, pin: str, terminal: TerminalName) -> None:
        """Receives a client's sign-in without an act, whose PIN must be checked. A later `step` yields the answer with
        the number `ticket`.
        """
        trouble = self._runtime.trouble() or (Trouble.BUSY if len(self._waiting) >= MOST_CHECKS else None)
        if trouble is not None:
            self._fail(ticket, trouble)
        else:
            self._waiting.append(PinCheck(ticket, person, pin, None, {}, terminal))

    def next_check(self, now_s: float) -> PinCheck | None:
        """Returns the next PIN to hash. None while another PIN is being hashed, or if no request waits.

        First answers the waiting requests of locked-out people, or all waiting requests while no act can be decided.
        """
        while self._waiting and not self._is_out:
            check = self._waiting.popleft()
            if (trouble := self._runtime.trouble()) is not None:
                self._fail(check.ticket, trouble)
                continue
            wait_ms = self._runtime.lockout.wait_ms(check.person, self._runtime.table_ms(now_s), check.terminal)
            if wait_ms == 0:
                self._is_out = True
                return check
            self._runtime.minute.kept_away(Person(check.person))
            self._answers.append((check.ticket, Failed(Trouble.LOCKED_OUT, wait_ms=wait_ms)))
        return None

    def checked(self, check: PinCheck, role: Role | None, now_s: float) -> None:
        """Receives the result of a PIN's check: the person's role, or None for a wrong PIN, which is recorded. After a
        right PIN answers a sign-in, or passes the act to the runtime.
        """
        self._is_out = False
        if role is None:
            act = self._registry.by_act[SignIn if check.act is None else check.act].name
            self._runtime.pin_refused(check.ticket, Person(check.person), act, now_s, check.terminal)
        elif check.act is None:
            self._answers.append((check.ticket, Vouched(Person(check.person), role)))
        else:
            made = make_act(check.act, check.person, role, check.fields)
            self._runtime.act(check.ticket, made, now_s, check.terminal, Credential.PIN)

    def not_checked(self, check: PinCheck) -> None:
        """Answers the request of `check`, whose PIN could not be tested, with STAFF_UNREADABLE. Counts no wrong PIN."""
        self._is_out = False
        self._fail(check.ticket, Trouble.STAFF_UNREADABLE)

    def answers(self) -> list[tuple[int, Answer | BadValues]]:
        """Returns the answers that may be given now, each with its ticket, and forgets them."""
        taken, self._answers = self._answers, []
        return [*taken, *self._runtime.replies.take()]

    def _trouble_with(self, rule: ActRule[Any, Any] | None, asked: Asked) -> Trouble | None:
        """Returns the reason why the gate does not accept a request: an unknown act, a missing person or a missing PIN.
        None if the gate accepts it.

        A PIN is needed if the act's rule says so, from the second person of an act for two, and for an attestation at a
        shared screen.
        """
        if rule is None:
            return Trouble.UNKNOWN_ACT
        completes = asked.vouched in second_posts(self._runtime.ledger.latest, rule.name)
        attests = rule.manner is Manner.ATTESTS and asked.is_weak
        return Trouble.PIN_MISSING if asked.pin is None and (rule.own_pin or completes or attests) else None

    def _fail(self, ticket: int, trouble: Trouble) -> None:
        self._answers.append((ticket, Failed(trouble)))
