"""The outcome of an act that a person asked for, as data; the catalogue has its sentences."""

from enum import StrEnum, unique
from typing import TypeAlias

from msgspec import Struct

from controller.core.engine.decision import Notice, Refusal
from controller.core.house.state import State
from controller.core.words import Person, Role


@unique
class Trouble(StrEnum):
    """The reasons why an act was not decided, or why its answer cannot be given."""

    JOURNAL_FAULT = "journal-fault"
    BUSY = "busy"
    STOPPING = "stopping"
    UNKNOWN_ACT = "unknown-act"
    PERSON_MISSING = "person-missing"
    PIN_MISSING = "pin-missing"
    PIN_WRONG = "pin-wrong"
    LOCKED_OUT = "locked-out"
    STAFF_UNREADABLE = "staff-unreadable"


class Done(Struct, frozen=True, gc=False):
    """The act was allowed, and its entry, number `seq`, is durable. `state`: the table's state after the act.

    `agreed`: the notice that its person has agreed with another one; None for an act of one person alone.
    """

    seq: int
    act: str
    state: State
    agreed: Notice | None = None


class Refused(Struct, frozen=True, gc=False):
    """The act was refused. The entry of the refusal is durable; beyond the limit of refusals no entry is written.

    `state`: the table's state, which is unchanged.
    """

    refusal: Refusal
    act: str
    state: State


class Failed(Struct, frozen=True, gc=False):
    """The act was not decided, or the journal failed before its decision was durable.

    `wait_ms`: the rest of the lockout of a locked-out person; None for any other trouble.
    """

    trouble: Trouble
    wait_ms: int | None = None


class Vouched(Struct, frozen=True, gc=False):
    """A person and role, known by a right PIN, or by badge and key. No act was done."""

    person: Person
    role: Role


Answer: TypeAlias = Done | Refused | Failed | Vouched
