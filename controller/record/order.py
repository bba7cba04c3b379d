"""The order that the controller sends through a pipe to the process that makes a record."""

from msgspec import Struct

from controller.catalogue import Language
from controller.protocol.record import RecordKind


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """An order for one record of the journal at `path`. `staff`: the path of the staff file with people's names."""

    path: str
    what: RecordKind
    session: int
    round: int
    language: Language
    staff: str
