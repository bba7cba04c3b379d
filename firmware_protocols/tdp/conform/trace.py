"""Turns the bytes on a line into words, frame by frame, for both directions."""

from collections.abc import Iterator, Mapping
from typing import Final

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG, TAG_BYTES, FrameDecoder, decode_signed
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.line import Schema
from firmware_protocols.tdp.conform.words import said_in
from firmware_protocols.tdp.link import FROM_DEVICE, FrameKind, Header, parse
from firmware_protocols.tdp.schema import DeviceKind

_HEX: Final = frozenset(b"0123456789abcdefABCDEF \r\n\t")


class Trace:
    """Turns captured bytes into words. `schema`: the schema of the device. If `schema` is None, the first IDENTITY
    names the kind of device, and `schemas` has the schema of this kind.
    """

    def __init__(self, schemas: Mapping[DeviceKind, Schema], schema: Schema | None = None) -> None:
        self._schemas = schemas
        self._schema = schema
        self._decoder = FrameDecoder(decode=decode_signed)

    def feed(self, data: bytes) -> Iterator[tuple[str, str]]:
        """Yields the sender of each frame and the frame in words. For bytes that are no frame, the sender is `line`."""
        for signed in self._decoder.feed(data):
            yield ("line", signed.value) if isinstance(signed, RejectReason) else self._said(signed)

    def _said(self, signed: bytes) -> tuple[str, str]:
        body, tag = signed[:-TAG_BYTES], signed[-TAG_BYTES:]
        is_devices = bool(body[0] & FROM_DEVICE)
        try:
            header, payload = parse(body, from_device=is_devices)
        except FrameError as error:
            return "line", str(error)
        self._look_at(header, payload)
        words = said_in(header, payload, self._schema, is_tagged=tag != NO_TAG)
        return "device" if is_devices else "host", words

    def _look_at(self, header: Header, payload: bytes) -> None:
        if self._schema is None and header.kind == FrameKind.IDENTITY:
            try:
                who, _status = rows.IDENTITY_LAYOUT.split(payload)
            except FrameError:
                return
            self._schema = self._schemas.get(who.kind)


def are_digits(captured: bytes) -> bool:
    """True if the bytes of a capture file are hexadecimal digits and white space. False for no bytes."""
    return bool(captured) and set(captured) <= _HEX


def bytes_of(captured: bytes) -> bytes:
    """The bytes of a line from a capture file. The file has the bytes themselves, or their hexadecimal digits. Raises
    ValueError for an odd number of digits.
    """
    return bytes.fromhex(captured.decode("ascii")) if are_digits(captured) else captured
