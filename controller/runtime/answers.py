"""The possible answers to a person's request for an act, as data; the catalogue has their sentences."""

from enum import StrEnum, unique
from typing import TypeAlias

from msgspec import Struct

from controller.core.engine.decision import Notice, Refusal
from controller.core.house.state import State
from controller.core.words import Person, Role


@unique
class Trouble(StrEnum):
    """The reason why an act was not decided, or why the client cannot learn the decision."""

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
    """The answer that an act was permitted. The act's journal entry has the number `seq` and is on the disk. `state`:
    the table's state after the act. `agreed`: the notice that the act agreed with another person's act, or None.
    """

    seq: int
    act: str
    state: State
    agreed: Notice | None = None


class Refused(Struct, frozen=True, gc=False):
    """The answer that an act was refused. `state`: the table's state, which the act has left unchanged. The refusal's
    journal entry, if there is one, is on the disk. Refusals that come too fast get no entry of their own.
    """

    refusal: Refusal
    act: str
    state: State


class Failed(Struct, frozen=True, gc=False):
    """The answer that an act was not decided, or that the journal failed before the decision was on the disk.
    `wait_ms`: the milliseconds that a locked-out person must still wait; None for any other trouble.
    """

    trouble: Trouble
    wait_ms: int | None = None


class Vouched(Struct, frozen=True, gc=False):
    """The answer to a sign-in without an act: the person and the role that a PIN, or badge and key, have identified."""

    person: Person
    role: Role


Answer: TypeAlias = Done | Refused | Failed | Vouched
