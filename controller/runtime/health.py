"""The health of the journal: its condition, the reason for a failure, and the time of the next attempt to write."""

from enum import StrEnum, unique

from controller.journal.errors import Damage, JournalDamaged, JournalError, StorageFailed, StorageReason

RETRY_FIRST_S = 1.0  # seconds; short, since a disk may be full only for a moment
RETRY_CAP_S = 10.0  # seconds until a replaced disk is found at the latest; each try cuts, syncs and verifies
SLOW_AFTER_S = 1.0  # people learn of an entry that waits for more than these seconds


@unique
class Journaling(StrEnum):
    """The condition of the journal."""

    WRITING = "writing"
    FAILED = "failed"  # writing is tried again at intervals
    DAMAGED = "damaged"  # the contents do not verify; no writing until people have closed the damage


def damage_reason(damage: Damage) -> str:
    """The text in the status for a damaged journal: the kind of the damage and the first entry that does not verify."""
    return f"{damage.reason.value}, #{damage.first_bad_seq}"


def failure_reason(error: JournalError) -> str:
    """The text in the status for a failed journal: a StorageReason, or the kind of a damage with its entry."""
    match error:
        case StorageFailed():
            return error.reason.value
        case JournalDamaged():
            return damage_reason(error.damage)
        case _:
            return StorageReason.OTHER.value


class JournalHealth:
    """The journal's condition, and the time from which its writer may get the next batch."""

    def __init__(self) -> None:
        self.condition = Journaling.WRITING
        self.is_settled = True
        """True if the medium surely has the entries that were read at the start."""
        self.reason = ""
        self._retry_at_s: float | None = None
        self._delay_s = RETRY_FIRST_S

    @property
    def is_writing(self) -> bool:
        return self.condition is Journaling.WRITING

    @property
    def retry_at_s(self) -> float | None:
        """The monotonic second of the next attempt after a failure; None if none is planned."""
        return self._retry_at_s

    def may_write(self, now_s: float) -> bool:
        """True if the journal's writer may get a batch at `now_s`."""
        match self.condition:
            case Journaling.WRITING:
                return True
            case Journaling.FAILED:
                return self._retry_at_s is not None and now_s >= self._retry_at_s
            case Journaling.DAMAGED:
                return False

    def failed(self, error: JournalError, now_s: float) -> None:
        """Notes that a batch failed, and plans the next attempt. After a damage no attempt is planned."""
        if isinstance(error, JournalDamaged):
            self.damaged(failure_reason(error))
            return
        self._delay_s = RETRY_FIRST_S if self.is_writing else min(2 * self._delay_s, RETRY_CAP_S)
        self.condition, self.reason = Journaling.FAILED, failure_reason(error)
        self._retry_at_s = now_s + self._delay_s

    def damaged(self, reason: str) -> None:
        """Notes that the journal's contents do not verify. The journal is not written from then on."""
        self.condition, self.reason, self._retry_at_s = Journaling.DAMAGED, reason, None

    def failed_at_start(self, error: StorageFailed, now_s: float) -> None:
        """Notes that the storage failed at the start: the entries that were read may not be on the disk. The runtime
        acknowledges no event until a batch has been written.
        """
        self.failed(error, now_s)
        self.is_settled = False

    def handed_out(self) -> None:
        """Notes that the writer has a batch. The writer's report comes before any further attempt is planned."""
        self._retry_at_s = None

    def wrote(self) -> None:
        """Notes that a batch was written: the journal's condition is WRITING again."""
        self.condition, self.reason, self._retry_at_s = Journaling.WRITING, "", None
        self.is_settled = True
