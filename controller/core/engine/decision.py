"""What the core gives back: a decision (new state, notices, refusal), and what should be true of the devices.

Sentences are not here: a notice or a refusal is a key with values; the catalogue of the shell has the words.
"""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.words import Role

Values = tuple[tuple[str, str], ...]
"""Named values of a sentence, in a fixed order."""


@unique
class Why(StrEnum):
    """What a rule is for that no clause of the table's law says."""

    POST = "post"  # each act has a post that answers for it
    STEP = "step"  # one step at a time
    HOLD = "hold"  # cards, record or device are in doubt
    ASKED = "asked"  # what is asked for has to be possible
    RECORD = "record"  # record and table have to agree


class Refusal(Struct, frozen=True, gc=False):
    """Why an act is not allowed: the guard that failed, its rule and who may. Its words go by the guard's name."""

    guard: str
    rule: str
    values: Values = ()
    who: tuple[Role, ...] = ()
    why: Why = Why.RECORD


class Notice(Struct, frozen=True, gc=False):
    """Something that people at the table should hear."""

    key: str
    values: Values = ()


class Basis(Struct, frozen=True, gc=False):
    """The device that something is wanted of: it is decided for this one, in this boot, and for no other."""

    serial: str
    boot: int


class ShufflerDesired(Struct, frozen=True, gc=False):
    """What should be true of the shuffler; absolute, so that repeating it changes nothing."""

    basis: Basis
    release_after: int | None  # one card may leave while the device's own cards_out is this; None: locked
    feed_open: bool
    unload: bool
    lamp: bool
    jams_ended: int
    recount_request: int


class ShoeDesired(Struct, frozen=True, gc=False):
    basis: Basis
    locked: bool


class DisplayDesired(Struct, frozen=True, gc=False):
    basis: Basis
    amount_cents: int
    fault: bool


class Desired(Struct, frozen=True, gc=False):
    """What should be true of every device now."""

    shuffler: ShufflerDesired
    shoe: ShoeDesired
    display: DisplayDesired


class Permitted(Struct, frozen=True, gc=False):
    """An act and whether it may be asked for now; `refusal` says why not."""

    act: str
    who: tuple[Role, ...]
    refusal: Refusal | None = None
