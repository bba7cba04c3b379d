"""Notices and refusals, which a decision contains, and the acts that may be asked for.

A notice or a refusal is a key with values; the shell's catalogue has the sentence for it.
"""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.words import Role

Values = tuple[tuple[str, str], ...]
"""Named values of a sentence, in a fixed order."""


@unique
class Why(StrEnum):
    """The reason for a rule that has no clause in the table's law."""

    POST = "post"  # each act has a post that answers for it
    STEP = "step"  # acts are done step by step
    HOLD = "hold"  # cards, record or device are in doubt
    ASKED = "asked"  # a request has to be possible
    RECORD = "record"  # record and table have to agree


class Refusal(Struct, frozen=True, gc=False):
    """The reason why an act is refused: the guard that failed, its rule, and the posts that may ask for the act. The
    catalogue has its sentences under `guard`. `because`: the refusal of an earlier act of the round, if that refusal is
    why a correction is refused. People then read both reasons, and `rule` is the rule of that earlier act's refusal.
    """

    guard: str
    rule: str
    values: Values = ()
    who: tuple[Role, ...] = ()
    why: Why = Why.RECORD
    because: "Refusal | None" = None


class Notice(Struct, frozen=True, gc=False):
    """A notice to the people at the table. `rule`: for a notice of an amount, the rule whose clause is shown beside the
    amount; "" for any other notice.
    """

    key: str
    values: Values = ()
    rule: str = ""


class Permitted(Struct, frozen=True, gc=False):
    """An act and the posts that may ask for it. `refusal`: the refusal that the act would get now, or None if the act
    is permitted.
    """

    act: str
    who: tuple[Role, ...]
    refusal: Refusal | None = None
