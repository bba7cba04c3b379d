"""The readings of the journal over the socket."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.protocol.jackpot import PoolPoint


@unique
class RecordKind(StrEnum):
    """A reading of the journal."""

    STORY = "story"
    HOLDS = "holds"
    REFUSALS = "refusals"
    COMPLAINTS = "complaints"
    PEOPLE = "people"
    SUMMARY = "summary"
    CHECK = "check"
    POOL = "pool"
    INCIDENTS = "incidents"
    SHIFT = "shift"  # as the table stands
    HANDOVER = "handover"  # the last with both signatures


class RecordRow(Struct, frozen=True):
    """One entry in words; `heard`: whose card came with it, and what people at the table heard then."""

    seq: int
    when: str
    round: int
    text: str
    heard: list[str] = []


class RecordFigure(Struct, frozen=True):
    label: str
    value: str


class RecordDocument(Struct, frozen=True):
    """The result of a request; `text` is a sentence about it. `is_well`: of a check; None: nothing was checked.

    `page`: what the code under a printed story says; empty where there is none.
    """

    what: RecordKind
    title: str
    rows: list[RecordRow] = []
    figures: list[RecordFigure] = []
    text: str = ""
    is_well: bool | None = None
    pool: list[PoolPoint] = []
    page: str = ""
