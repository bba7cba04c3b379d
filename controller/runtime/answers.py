"""The possible answers to a person's request for an act, as data; the catalogue has their sentences."""

from enum import StrEnum, unique
from typing import TypeAlias

from msgspec import Struct

from controller.core.engine.decision import Notice, Refusal
from controller.core.house.state import State
from controller.core.words import Person, Role


@unique
class Trouble(StrEnum):
    """The reason why an act was not decided, or why its answer cannot be given."""

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

    `agreed`: the notice that this act agreed with another person's act; None if it did not.
    """

    seq: int
    act: str
    state: State
    agreed: Notice | None = None


class Refused(Struct, frozen=True, gc=False):
    """The act was refused. The entry of the refusal is durable; refusals beyond the limit of their rate get no entry of
    their own.

    `state`: the table's state, which is unchanged.
    """

    refusal: Refusal
    act: str
    state: State


class Failed(Struct, frozen=True, gc=False):
    """The act was not decided, or the journal failed before its decision was durable.

    `wait_ms`: how much longer a locked-out person must wait; None for any other trouble.
    """

    trouble: Trouble
    wait_ms: int | None = None


class Vouched(Struct, frozen=True, gc=False):
    """The answer to a sign-in without an act: the person and role that a PIN, or badge and key, have identified."""

    person: Person
    role: Role


Answer: TypeAlias = Done | Refused | Failed | Vouched
