"""The records of the journal that clients can request, and the answers that carry the records. A record has rows in
words, figures, or the points of a chart.
"""

from enum import StrEnum, unique

from msgspec import Struct

from controller.protocol.jackpot import PoolPoint


@unique
class RecordKind(StrEnum):
    """The kind of a record that a client can request."""

    STORY = "story"
    HOLDS = "holds"
    REFUSALS = "refusals"
    COMPLAINTS = "complaints"
    PEOPLE = "people"
    SUMMARY = "summary"
    CHECK = "check"
    POOL = "pool"
    INCIDENTS = "incidents"
    CHECKPOINT = "checkpoint"  # a request to witnesses, as a code
    SHIFT = "shift"  # the present shift
    HANDOVER = "handover"  # the last handover signed by both people


class RecordRow(Struct, frozen=True):
    """One entry of the journal in words. `heard`: the notices that people were shown with the entry, and the places of
    its cards. `may_be_marked`: True if the entry began an incident that has ended. A supervisor may then state where
    the incident's recording is kept. `is_done`: True if a supervisor has stated so.
    """

    seq: int
    when: str
    round: int
    text: str
    heard: list[str] = []
    may_be_marked: bool = False
    is_done: bool = False


class RecordFigure(Struct, frozen=True):
    label: str
    value: str


class RecordDocument(Struct, frozen=True):
    """The answer to a request for a record. `text`: a sentence about the record. `is_well`: the result of a check; None
    for other kinds. `page`: the text of the QR code under a printed story or a signed handover; "" for any other
    record.
    """

    what: RecordKind
    title: str
    rows: list[RecordRow] = []
    figures: list[RecordFigure] = []
    text: str = ""
    is_well: bool | None = None
    pool: list[PoolPoint] = []
    page: str = ""
