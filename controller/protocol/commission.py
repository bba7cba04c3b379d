"""The messages between the commissioning service and the panel: JSON lines, with one question open at a time.

A client asks for the open question (`ask`), answers it (`answer`) or takes back the last answer (`back`). `answer` and
`back` carry the number of the question that the client shows. The answer to each request is the question open
afterwards. A request with another number, or one that the question does not permit, changes nothing.
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct


@unique
class Input(StrEnum):
    """The way in which a person answers a question."""

    CHOICE = "choice"
    TEXT = "text"
    NUMBER = "number"
    YES_NO = "yes-no"
    PIN = "pin"
    BADGE = "badge"  # a badge held to the reader answers it; the person may go on without one
    READ = "read"  # a text to read: the person goes on after it
    WAIT = "wait"  # work goes on, in the program or at the device
    OVER = "over"  # the table has closed for the first time


@unique
class Do(StrEnum):
    ASK = "ask"
    ANSWER = "answer"
    BACK = "back"


@unique
class Capitals(StrEnum):
    """The letters that are typed as capitals without a touch of their key."""

    NONE = ""
    WORDS = "words"  # the first of each word
    ALL = "all"


class Choice(Struct, frozen=True):
    value: str
    label: str


class Code(Struct, frozen=True):
    """A text that the panel shows as a QR code, with its label."""

    label: str
    text: str


class Question(Struct, frozen=True):
    """One question of the commissioning. `said`: sentences about faults in the last answer; `usual`: the answer that
    the form already shows.

    `noted`: sentences about what was found; `if_empty`: the sentence about an empty answer; `capitals`: the letters
    with which the keyboard begins; `length`: the number of digits after which the answer goes by itself, 0 for none.
    """

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
    noted: tuple[str, ...] = ()
    if_empty: str = ""
    capitals: Capitals = Capitals.NONE
    length: int = 0


class Request(Struct, frozen=True, forbid_unknown_fields=True):
    do: Do
    number: int = 0
    answer: str = ""


LONGEST_REQUEST: Final = 4096
ANSWERS: Final = frozenset({Input.CHOICE, Input.TEXT, Input.NUMBER, Input.YES_NO, Input.PIN, Input.BADGE, Input.READ})
"""The kinds of question that a person answers or goes on from; the others wait for work, or end the commissioning."""

YES: Final = "yes"
NO: Final = "no"
