"""The way from a client's request to a person's act, PIN checked. Sans-IO.

A shell takes a `step` and carries out what comes of it. A PIN is hashed in a thread, one at a time. A person's
waits are looked at when the hash would begin, so that many tries at once gain nothing. Every act names its person. It
carries that person's PIN, or comes over a connection that the person has signed in at. What he attests takes more than
being signed in at a screen that others use, too. A second person's half of an act for two always carries the PIN.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.house.attendance import SignIn
from controller.core.house.manner import Manner
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
"""PINs that may wait to be hashed: a hash takes about 0.1 s, and nobody should wait for longer than a few."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An act as a client asks for it.

    `vouched`: the person is known by another credential than a PIN of this request, and has this role. `is_own`: that
    credential was given for this act, or nobody else speaks there: it serves for what the person attests, too.
    """

    act: str
    person: int | None
    pin: str | None = field(repr=False)
    values: Mapping[str, str]
    terminal: TerminalName = ""
    vouched: Role | None = None
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class BadValues:
    """The values are none that this act takes."""

    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class PinCheck:
    """A PIN to be hashed; then tell `checked` the person's role, or None where it is wrong."""

    ticket: int
    person: int
    pin: str = field(repr=False)
    act: type[Act] | None  # None: to sign in, and nothing more
    fields: Mapping[str, Field]
    terminal: TerminalName = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer that may go to the client of `ticket` now."""

    ticket: int
    answer: Answer | BadValues


@dataclass(frozen=True, slots=True)
class Noticed:
    """People at the table should hear this; durable."""

    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class Happened:
    """The log should say this."""

    log_events: tuple[LogEvent, ...]


Output: TypeAlias = Batch | SpokenTo | PinCheck | Answered | Noticed | Happened
"""What a step wants carried out, in this order."""


class Gate:
    """Stands before one runtime. At most one check is out at a time."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._registry = runtime.game.registry
        self._waiting: deque[PinCheck] = deque()
        self._is_out = False
        self._answers: list[tuple[int, Answer | BadValues]] = []

    def step(self, now_s: float) -> Iterator[Output]:
        """The runtime's step, and then whom it concerns: a PIN is hashed, who asked is answered, people and log hear.

        To be called after anything was told to gate, runtime or a supervisor, and gone through to its end.
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
        """An act is asked for; what comes of it is answered under `ticket`."""
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
            self._runtime.act(ticket, make_act(act, asked.person, asked.vouched, fields), now_s, asked.terminal)
        elif asked.pin is None:
            self._fail(ticket, Trouble.PIN_MISSING)
        elif len(self._waiting) >= MOST_CHECKS:
            self._fail(ticket, Trouble.BUSY)
        else:
            self._waiting.append(PinCheck(ticket, asked.person, asked.pin, act, fields, asked.terminal))

    def sign_in(self, ticket: int, person: int, pin: str, terminal: TerminalName) -> None:
        """Somebody wants to be known before anything is asked for; answered under `ticket`."""
        trouble = self._runtime.trouble() or (Trouble.BUSY if len(self._waiting) >= MOST_CHECKS else None)
        if trouble is not None:
            self._fail(ticket, trouble)
        else:
            self._waiting.append(PinCheck(ticket, person, pin, None, {}, terminal))

    def next_check(self, now_s: float) -> PinCheck | None:
        """The PIN to hash now; None while one is out, or when nobody waits. Who is locked out is answered."""
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
        """The PIN that was out is right for a person of this role, or wrong (None)."""
        self._is_out = False
        if role is None:
            act = self._registry.by_act[SignIn if check.act is None else check.act].name
            self._runtime.pin_refused(check.ticket, Person(check.person), act, now_s, check.terminal)
        elif check.act is None:
            self._answers.append((check.ticket, Vouched(Person(check.person), role)))
        else:
            self._runtime.act(
                check.ticket, make_act(check.act, check.person, role, check.fields), now_s, check.terminal
            )

    def not_checked(self, check: PinCheck) -> None:
        """The PIN that was out could not be checked (the staff file cannot be read, say): no try of anybody's."""
        self._is_out = False
        self._fail(check.ticket, Trouble.STAFF_UNREADABLE)

    def answers(self) -> list[tuple[int, Answer | BadValues]]:
        """Takes the answers of gate and runtime that may be given now."""
        taken, self._answers = self._answers, []
        return [*taken, *self._runtime.replies.take()]

    def _trouble_with(self, rule: ActRule[Any, Any] | None, asked: Asked) -> Trouble | None:
        """The obstacle before any PIN is looked at; the word that completes an act for two takes a PIN."""
        if rule is None:
            return Trouble.UNKNOWN_ACT
        completes = asked.vouched in second_posts(self._runtime.ledger.latest, rule.name)
        attests = rule.manner is Manner.ATTESTS and asked.vouched is not None and not asked.is_own
        return Trouble.PIN_MISSING if asked.pin is None and (rule.own_pin or completes or attests) else None

    def _fail(self, ticket: int, trouble: Trouble) -> None:
        self._answers.append((ticket, Failed(trouble)))
