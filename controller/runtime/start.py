"""The state with which a run begins, taken from the journal."""

from typing import Final

from msgspec import Struct

from controller.core.house.facts import ControllerStarted
from controller.core.house.state import State
from controller.journal.errors import StorageFailed
from controller.journal.tree import NO_TREE, Tree
from controller.runtime.configuration import NOT_READ_YET, Configured
from controller.runtime.game import AnyGame
from controller.staff.known import NOBODY_KNOWN, StaffKnown
from controller.staff.lockout import Lockout

SEAL_KEY_REPLACED: Final = "seal-key-replaced"
"""The first word of a start's finding that another key of the seals is in use than at the last start."""


class Start(Struct, frozen=True):
    """The state after the journal's last entry, and the first entry that this run will write (`started`).

    `damage`: the reason why the journal may not be written; the table is then held, and no event is acknowledged.
    `failed`: the failure of a write at this start; the table is then held until a write succeeds. Each is None without
    such a fault.
    """

    game: AnyGame
    state: State
    last_seq: int
    head: bytes
    table_ms: int
    lockout: Lockout
    started: ControllerStarted
    damage: str | None = None
    failed: StorageFailed | None = None
    entries: int = 0  # the number of entries in the journal
    staff: StaffKnown = NOBODY_KNOWN
    configured: Configured = NOT_READ_YET
    tree: Tree = NO_TREE  # over the entries up to the last one
    round_first: int = 0  # the first entry of the round under way; 0: none, or not known
