"""The outcome of an act that a person asked for, as data; the words for it are the catalogue's."""

from enum import StrEnum, unique
from typing import TypeAlias

from msgspec import Struct

from controller.core.engine.decision import Refusal, Values
from controller.core.house.state import State
from controller.core.words import Person, Role


@unique
class Trouble(StrEnum):
    """Why an act was not even decided, or its answer cannot be given."""

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
    """The act was allowed, and its entry is durable. `state` is the one behind it."""

    seq: int
    act: str
    state: State


class Refused(Struct, frozen=True, gc=False):
    """The act was refused, and the attempt is durable. `state` is as it was before."""

    refusal: Refusal
    act: str
    state: State


class Failed(Struct, frozen=True, gc=False):
    """No decision, or none that may be told. `wait_ms`: how long a person is locked out."""

    trouble: Trouble
    values: Values = ()
    wait_ms: int | None = None


class Vouched(Struct, frozen=True, gc=False):
    """The PIN is right: whoever asked is this person, of this role. Nothing was done."""

    person: Person
    role: Role


Answer: TypeAlias = Done | Refused | Failed | Vouched
