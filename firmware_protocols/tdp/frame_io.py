"""One end's bytes: frames out of what arrived, a bounded buffer of what leaves, the counters of both."""

from collections.abc import Iterable, Iterator

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import FrameDecoder
from firmware_protocols.tdp.link import UNSENT_MAX, Header, LinkStats, build, parse

_PIECE = 4096  # bytes looked at in one go, so that a flood of tiny frames makes no long list


class FrameIo:
    """Parses frames of the other side and keeps at most UNSENT_MAX bytes for ours."""

    def __init__(self, *, from_device: bool) -> None:
        self.stats = LinkStats()
        self._from_device = from_device
        self._decoder = FrameDecoder()
        self._unsent = bytearray()

    def frames(self, data: bytes) -> Iterable[tuple[Header, bytes] | RejectReason]:
        """What these bytes complete: a header with its payload, or why there is none."""
        return () if self._decoder.hold(data) else self._completed(data)

    def _completed(self, data: bytes) -> Iterator[tuple[Header, bytes] | RejectReason]:
        for start in range(0, len(data), _PIECE):
            for body in self._decoder.feed(data[start : start + _PIECE]):
                yield self._parsed(body) if isinstance(body, bytes) else body
            self.stats.bytes_dropped = self._decoder.bytes_dropped

    def send(self, header: Header, payload: bytes = b"") -> None:
        """Queues a frame; drops and counts it when the port has taken nothing for long."""
        frame = build(header, payload)
        if len(self._unsent) + len(frame) > UNSENT_MAX:
            self.stats.frames_not_sent += 1
        else:
            self._unsent += frame

    def drain(self) -> bytes:
        """All queued bytes."""
        if not self._unsent:
            return b""
        data = bytes(self._unsent)
        self._unsent.clear()
        return data

    def _parsed(self, body: bytes) -> tuple[Header, bytes] | RejectReason:
        try:
            return parse(body, from_device=self._from_device)
        except FrameError as error:
            return error.reason
