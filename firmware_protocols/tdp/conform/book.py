"""The record of one boot of a device: its events and statuses so far. `Watch` compares each new frame with them."""

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any, Final

from msgspec import Struct, field

from firmware_protocols.tdp.conform.told import Finding, counts, shown, status_lost
from firmware_protocols.tdp.link import Header
from firmware_protocols.tdp.link_rows import HELLO_LAYOUT, IdentityBody
from firmware_protocols.tdp.proof import NONCE_BYTES

_OF_A_HELLO: Final = (HELLO_LAYOUT.size, HELLO_LAYOUT.size + NONCE_BYTES)  # bytes


class Break(Struct, frozen=True):
    """A broken duty: the finding in words, and the frames before it."""

    duty: str
    found: str
    frames: list[str]


class Book(Struct):
    """The record of one boot. Events are named by their numbers. `newest`: the greatest number in any frame; `made`:
    the greatest in an IDENTITY or an EVENT. `before_start`: the last status before this boot. `events`: the bytes of
    each event as first received. `counted`: by newest event, the counts in the first reply with this newest event;
    `shown`: likewise, the other fields that change only with an event. `stale`: events that report a change which their
    status does not show. `acked`: the last event acknowledged or lost; `lost`: the last one lost. `acks`: the last
    ACKs, each with the value of `Arrivals.mark`; `sure`: the last event whose ACK has surely arrived.
    """

    boot: int
    before_start: Any = None
    events: dict[int, bytes] = field(default_factory=dict)
    counted: dict[int, dict[str, int]] = field(default_factory=dict)
    shown: dict[int, list[object]] = field(default_factory=dict)
    stale: set[int] = field(default_factory=set)
    newest: int = 0
    made: int = 0
    acked: int = 0
    lost: int = 0
    acks: deque[tuple[float, int]] = field(default_factory=deque)
    sure: int = 0

    def hear_of_newest(self, number: int) -> None:
        """Notes the event of this number as the newest, unless a greater number is known."""
        self.newest = max(self.newest, number)

    def hear_of_made(self, number: int) -> None:
        """Notes that event `number` exists. An IDENTITY or the EVENT itself has named this number."""
        self.made = max(self.made, number)
        self.hear_of_newest(number)

    def goes_on(self, body: IdentityBody) -> Finding:
        """Returns the finding about a further IDENTITY of this boot. The field `next_event` must be greater than every
        event that a frame has named so far.
        """
        is_one_less = body.next_event == self.newest
        otherwise = "9.1" if body.next_event <= self.made or is_one_less else "3.1"
        duty = "4.10" if is_one_less and self.newest > 2 else otherwise
        found = f"boot {self.boot} again, and its events begin anew: next {body.next_event}"
        return duty, body.next_event > self.newest, found

    def hear_of_oldest(self, oldest: int) -> None:
        """Notes the oldest event that the device still holds. Earlier events without an acknowledgement are lost, and
        count as acknowledged.
        """
        if oldest > self.acked + 1:
            self.lost = self.acked = oldest - 1

    def before(self, number: int) -> Iterator[bytes]:
        """Yields the events before event `number`, newest first, up to the first that was not received."""
        while (body := self.events.get(number := number - 1)) is not None:
            yield body

    def told_from(self, number: int, started: int, was: object) -> object:
        """Returns the status with which the change in event `number` is compared: `was`, the status in the event
        before. For the event after the event `started`, returns the last status of the earlier boot. `started`: the
        message id of that event.
        """
        is_first = number == 2 or self.events.get(number - 1, b"\0")[0] == started
        return self.before_start if is_first else was

    def commit(self, header: Header, payload: bytes) -> None:
        """Notes the last event that is on the host's disk according to a HELLO. Does nothing for a HELLO that the
        device must drop.
        """
        if len(payload) not in _OF_A_HELLO or payload[0] != 1 or header.device_boot or header.number:
            return
        hello = HELLO_LAYOUT.split(payload)[0]
        if hello.committed_boot == self.boot and hello.committed_number <= self.newest:
            self.acked = max(self.acked, hello.committed_number)

    def acknowledge(self, number: int, mark: float) -> None:
        """Notes an ACK of event `number`, with `mark`, the ACK's value of `Arrivals.mark`. Does nothing if the event
        was never made.
        """
        if number <= self.newest:
            self.acked = max(self.acked, number)
            self.acks.append((mark, number))

    def surely_acked(self, until: float) -> int:
        """Returns the last event whose ACK has surely arrived: the value that `acknowledge` got with this ACK is at
        most `until`.
        """
        while self.acks and self.acks[0][0] <= until:
            self.sure = max(self.sure, self.acks.popleft()[1])
        return self.sure


def of_reply(
    book: Book,
    newest: int,
    status: Any,  # noqa: ANN401 (any kind's)
    decoded: Callable[[bytes], tuple[object, Any]],
) -> Iterator[Finding]:
    """Yields the findings about the status in a reply. This status is compared with the newest event that the reply
    counts, if the host has received this event. Otherwise it is kept in `book` and compared when the event comes.
    """
    if newest in book.events:
        was = decoded(book.events[newest])[1]
        yield "3.1", counts(was) == counts(status), f"{status} with event {newest} the newest"
        is_so = status_lost(status, was) or getattr(was, "inside", 0) == getattr(status, "inside", 0)
        yield "10.34", is_so, f"EVENT {newest} has {was}, and behind it is {status}"
        is_new = newest in book.stale and newest not in book.shown
        is_so = not is_new or shown(was) == shown(status)
        yield "6.2", is_so, f"EVENT {newest} has {was}, and behind it is {status}"
    book.counted.setdefault(newest, counts(status))
    book.shown.setdefault(newest, shown(status))
