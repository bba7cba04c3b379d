"""The parts of the core's decision: notices and refusals, and the acts that may be asked for.

Sentences are not here: a notice or a refusal is a key with values; the catalogue of the shell has the words.
"""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.words import Role

Values = tuple[tuple[str, str], ...]
"""Named values of a sentence, in a fixed order."""


@unique
class Why(StrEnum):
    """The purpose of a rule that no clause of the table's law says."""

    POST = "post"  # each act has a post that answers for it
    STEP = "step"  # one step at a time
    HOLD = "hold"  # cards, record or device are in doubt
    ASKED = "asked"  # a request has to be possible
    RECORD = "record"  # record and table have to agree


class Refusal(Struct, frozen=True, gc=False):
    """Why an act is not allowed: the guard that failed, its rule and who may. Its words go by the guard's name."""

    guard: str
    rule: str
    values: Values = ()
    who: tuple[Role, ...] = ()
    why: Why = Why.RECORD


class Notice(Struct, frozen=True, gc=False):
    """Something that people at the table should hear. `rule`: of an amount, under which its clause is told with it."""

    key: str
    values: Values = ()
    rule: str = ""


class Permitted(Struct, frozen=True, gc=False):
    """An act and whether it may be asked for now; `refusal` says why not."""

    act: str
    who: tuple[Role, ...]
    refusal: Refusal | None = None
