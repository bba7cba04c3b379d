"""One end's bytes: frames from the bytes received, a bounded buffer of bytes to send, the counters of both."""

from collections.abc import Iterable, Iterator

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import TAG_BYTES, FrameDecoder, decode_frame, decode_signed
from firmware_protocols.tdp.link import UNSENT_MAX, Header, LinkStats, build, parse

_PIECE = 4096  # bytes decoded at once, so that a flood of tiny frames makes no long list


class FrameIo:
    """Parses frames from the other end, and holds at most UNSENT_MAX bytes of frames to send.

    `takes_tags`: a frame with a tag is accepted, and its header has the tag; otherwise it is rejected.
    """

    def __init__(self, *, from_device: bool, takes_tags: bool = False) -> None:
        self.stats = LinkStats()
        self._from_device = from_device
        self._takes_tags = takes_tags
        self._decoder = FrameDecoder(decode=decode_signed if takes_tags else decode_frame)
        self.unsent = bytearray()

    def frames(self, data: bytes) -> Iterable[tuple[Header, bytes] | RejectReason]:
        """The frames that these bytes complete: a header with its payload, or a reason for rejection."""
        if self._decoder.hold(data):
            return ()
        return self._completed(data) if len(data) <= _PIECE else self._in_pieces(data)

    def _in_pieces(self, data: bytes) -> Iterator[tuple[Header, bytes] | RejectReason]:
        for start in range(0, len(data), _PIECE):
            yield from self._completed(data[start : start + _PIECE])

    def _completed(self, piece: bytes) -> list[tuple[Header, bytes] | RejectReason]:
        found: list[tuple[Header, bytes] | RejectReason] = []
        for body in self._decoder.feed(piece):
            found.append(self._parsed(body) if isinstance(body, bytes) else body)
        self.stats.bytes_dropped = self._decoder.bytes_dropped
        return found

    def send(self, header: Header, payload: bytes = b"", key: bytes | None = None) -> None:
        """Queues a frame, tagged where a key is given. A frame beyond the buffer's room is dropped and counted."""
        frame = build(header, payload, key)
        if len(self.unsent) + len(frame) > UNSENT_MAX:
            self.stats.frames_not_sent += 1
        else:
            self.unsent += frame

    def drain(self) -> bytes:
        """Takes all queued bytes."""
        if not self.unsent:
            return b""
        data = bytes(self.unsent)
        self.unsent.clear()
        return data

    def _parsed(self, body: bytes) -> tuple[Header, bytes] | RejectReason:
        try:
            if self._takes_tags:
                return parse(body[:-TAG_BYTES], from_device=self._from_device, tag=body[-TAG_BYTES:])
            return parse(body, from_device=self._from_device)
        except FrameError as error:
            return error.reason
