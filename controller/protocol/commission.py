"""The commissioning's socket: one question stands at a time, as JSON lines that the service and the panel share.

A client asks what stands (`ask`), answers it (`answer`, with the number of the question that its page showed), or takes
the last answer back (`back`). It is always told the question that stands then. Answers to another one do nothing.
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct


@unique
class Input(StrEnum):
    """How a question is answered."""

    CHOICE = "choice"
    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes-no"
    PIN = "pin"
    READ = "read"  # nothing is asked: it is read, and gone on from
    WAIT = "wait"  # something is being done, here or by hands at the device
    OVER = "over"  # the table has closed for the first time


@unique
class Do(StrEnum):
    ASK = "ask"
    ANSWER = "answer"
    BACK = "back"


class Choice(Struct, frozen=True):
    value: str
    label: str


class Code(Struct, frozen=True):
    """A text for a camera, under its name."""

    label: str
    text: str


class Question(Struct, frozen=True):
    """`said`: what was wrong before; `usual`: what is taken where nothing is changed."""

    number: int
    input: Input
    text: str
    language: str
    usual: str = ""
    choices: tuple[Choice, ...] = ()
    said: tuple[str, ...] = ()
    codes: tuple[Code, ...] = ()
    may_be_empty: bool = False
    may_go_back: bool = False


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    do: Do
    number: int = 0
    answer: str = ""


LONGEST_REQUEST: Final = 4096
ANSWERS: Final = frozenset({Input.CHOICE, Input.TEXT, Input.NUMBER, Input.YES_NO, Input.PIN, Input.READ})
"""A page that waits for a person."""

YES: Final = "yes"
NO: Final = "no"
