"""The record of one boot of a device, which `Watch` holds each new frame against."""

from collections import deque
from typing import Final

from msgspec import Struct, field

ON_THE_WAY_S: Final = 0.3  # until a sent frame must have arrived


class Break(Struct, frozen=True):
    """A duty that was broken, the finding, and the frames before it."""

    duty: str
    found: str
    frames: list[str]


class Book(Struct):
    """The record of one boot, by the numbers of its events.

    `events`: the bytes of each as first received. `counted`, `shown`: the counts, and the other fields that change only
    with an event, in the first reply whose newest event was this one. `stale`: events of a change whose status shows no
    change. `acked`: the last one acknowledged or lost, `lost`: the last one lost; `sure`: the last one whose ACK has
    surely arrived.
    """

    boot: int
    events: dict[int, bytes] = field(default_factory=dict)
    counted: dict[int, dict[str, int]] = field(default_factory=dict)
    shown: dict[int, list[object]] = field(default_factory=dict)
    stale: set[int] = field(default_factory=set)
    newest: int = 0
    acked: int = 0
    lost: int = 0
    acks: deque[tuple[float, int]] = field(default_factory=deque)
    sure: int = 0

    def hear_of_newest(self, number: int) -> None:
        """Notes that there is an event of this number."""
        self.newest = max(self.newest, number)

    def hear_of_oldest(self, oldest: int) -> None:
        """Notes the oldest event that the device still holds. Unacknowledged events before it are lost, and count as
        acknowledged.
        """
        if oldest > self.acked + 1:
            self.lost = self.acked = oldest - 1

    def surely_acked(self, now_s: float) -> int:
        """The last event acknowledged so long ago that the device must have received it."""
        while self.acks and now_s - self.acks[0][0] >= ON_THE_WAY_S:
            self.sure = max(self.sure, self.acks.popleft()[1])
        return self.sure
