"""The device's end of a TDP link that can be paired (PROTOCOL.md, section 18). Without a key it works like a
DeviceLink.
"""

from typing import Final

from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import (
    PAIRING_S,
    PROTOCOL_MINOR,
    CommandReceived,
    DeviceIdentity,
    FrameIo,
    FrameKind,
    Header,
    body_of,
)
from firmware_protocols.tdp.proof import (
    KEY_BYTES,
    NONCE_BYTES,
    DevicePairing,
    covered,
    is_key,
    is_proven,
    session_key,
)

_FLAGS: Final = (b"\0", b"\1")


class PairableLink(DeviceLink):
    """The link of a device that can be paired. While the device is paired, each session has a key of its own.
    `pairing`: has the pair's key, which a PAIR changes. The caller must store the key for the next boots.
    """

    def __init__(self, identity: DeviceIdentity, boot: int, now_s: float, pairing: DevicePairing) -> None:
        super().__init__(replace(identity, minor=max(identity.minor, PROTOCOL_MINOR)), boot, now_s)
        self._io = FrameIo(from_device=False, takes_tags=True)
        self.stats = self._io.stats
        self._pairing = pairing
        self._key: bytes | None = None  # the session's key
        self._host_nonce = self._nonce = b""  # the session's nonces; empty without proof
        self._is_news = False  # the frame in hand is no copy of an earlier one
        self._pulses = 0  # the newest heartbeat of a proven session
        self._window_until_s: float | None = None
        self._paired_by: int | None = None  # the opening in which the key was given

    @property
    def is_paired(self) -> bool:
        """True while the device has a key."""
        return self._pairing.key is not None

    @property
    def must_lock(self) -> bool:
        """True while the switch for pairing is on, and in each state in which a DeviceLink must lock."""
        return super().must_lock or self._window_until_s is not None

    def allow_pairing(self, now_s: float) -> None:
        """Notes that a person has turned on the switch inside the device. The device accepts a key for PAIRING_S from
        now on.
        """
        self._window_until_s = now_s + PAIRING_S

    def handle_timeout(self, now_s: float) -> None:
        if self._window_until_s is not None and now_s >= self._window_until_s:
            self._window_until_s = None
            if self.is_paired and self._key is None:
                self._leave()
        super().handle_timeout(now_s)

    def next_timeout_s(self) -> float | None:
        times_s = (super().next_timeout_s(), self._window_until_s)
        return min((time_s for time_s in times_s if time_s is not None), default=None)

    # ---- receiving ----

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_of_giver = (header.host_opening, header.device_boot) == (self._paired_by, self._boot)
        is_pair = header.kind == FrameKind.PAIR and header.tag == NO_TAG
        if is_pair and is_of_giver and is_key(self._pairing.key, payload):
            self._say_paired(header)  # the first PAIRED was lost
        else:
            super()._receive(header, payload, now_s)

    def _expect(self, header: Header, payload: bytes) -> None:
        if header.tag != NO_TAG and not self.is_paired:
            raise FrameError(RejectReason.UNEXPECTED_TAG)
        is_ours = (header.host_opening, header.device_boot) == (self._opening, self._boot)
        if header.kind == FrameKind.PAIR and not is_ours:
            raise FrameError(RejectReason.WRONG_SESSION, "PAIR")
        self._is_news = is_ours and header.kind == FrameKind.PAIR and self._key is None and header.tag == NO_TAG
        if is_ours and header.kind not in {FrameKind.HELLO, FrameKind.PAIR}:
            if not self._has_tag(self._key, header, payload):
                raise FrameError(RejectReason.UNPROVEN)
            self._is_news = self._key is None or (
                self._is_whole(header.kind, payload) and self._says_something_new(header)
            )

    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        return header.tag == NO_TAG if key is None else is_proven(key, body_of(header, payload), header.tag)

    def _is_whole(self, kind: int, payload: bytes) -> bool:
        """True if the payload is valid for this kind of frame. The link drops other frames, no signs of life to it."""
        match kind:
            case FrameKind.ACK:
                return not payload
            case FrameKind.HEARTBEAT:
                return payload in _FLAGS
            case _:
                return True

    def _says_something_new(self, header: Header) -> bool:
        match header.kind:
            case FrameKind.COMMAND:
                return header.number == self._command + 1
            case FrameKind.ACK:
                return self._oldest() <= header.number < self._next_event
            case _:
                return header.number > self._pulses

    def _heard(self, now_s: float) -> None:
        """Counts a frame as a sign of life. With proof, counts only a new frame, since a recorder at the cable can
        repeat an old one.
        """
        if self._is_news:
            super()._heard(now_s)

    def _take(self, header: Header, payload: bytes) -> None:
        if header.kind == FrameKind.PAIR:
            self._take_pair(header, payload)
        else:
            super()._take(header, payload)

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if not self._is_news:
            self.stats.duplicates += 1
            return
        super()._take_heartbeat(number, payload)
        self._pulses = number

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if not self._is_of_the_pair(header, payload):
            self._deny(FrameKind.NOT_PROVEN, header.host_opening, now_s)
            raise FrameError(RejectReason.UNPROVEN)
        nonce = b"" if header.tag == NO_TAG else payload[rows.HELLO_LAYOUT.size :]
        if header.tag != NO_TAG and len(nonce) != NONCE_BYTES:
            raise FrameError(RejectReason.BAD_LENGTH, "HELLO without its nonce")
        self._is_news = not nonce
        if header.host_opening == self._opening and nonce != self._host_nonce:
            self._replace_silent(header)
        was = self._opening
        super()._greet(header, payload.removesuffix(nonce), now_s)
        if self._opening != was:
            self._begin_session(header.host_opening, nonce)

    def _say_who_it_is(self, opening: int) -> None:
        """Sends IDENTITY without a tag to a host that speaks another major version."""
        super()._send_identity(opening)

    def _is_of_the_pair(self, header: Header, payload: bytes) -> bool:
        """True if a HELLO has a tag that fits the pair's key. Without a tag, True if the device is unpaired or its
        switch is on.
        """
        if header.tag == NO_TAG and self._window_until_s is not None:
            return True
        return self._has_tag(self._pairing.key, header, payload)

    def _replace_silent(self, header: Header) -> None:
        """Ends the session for a HELLO with the same opening and another nonce. Raises FrameError unless the host is
        silent.
        """
        if not self._silent:
            raise FrameError(RejectReason.WRONG_SESSION, f"opening {header.host_opening} has another nonce")
        self._opening = None

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._pulses, self._host_nonce, self._nonce, self._key = 0, host_nonce, b"", None
        if host_nonce and self._pairing.key is not None:
            self._nonce = self._pairing.draw()
            self._key = session_key(self._pairing.key, opening, self._boot, host_nonce, self._nonce)

    def _refuse_session(self, header: Header, now_s: float) -> None:
        self._deny(FrameKind.NO_SESSION, header.host_opening, now_s, self._pairing.key)
        raise FrameError(RejectReason.WRONG_SESSION)

    # ---- pairing ----

    def _take_pair(self, header: Header, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise FrameError(RejectReason.BAD_LENGTH, f"{len(key)} bytes in PAIR")
        if self._window_until_s is None or self._key is not None or header.tag != NO_TAG:
            raise FrameError(RejectReason.OUT_OF_BOUNDS, "no key is taken now")
        self._pairing.key = None if is_key(None, key) else key
        self._window_until_s, self._paired_by = None, header.host_opening
        self._say_paired(header)
        self._leave()

    def _say_paired(self, header: Header) -> None:
        self._io.send(Header(FrameKind.PAIRED, header.host_opening, self._boot, 0), b"", self._pairing.key)

    def _leave(self) -> None:
        """Ends the session. The device then counts as without a host."""
        self._opening = self._greeting = self._pulse = self._retry_at_s = self._key = None
        self._host_nonce = self._nonce = b""
        self._silent, self._is_asked_again, self._asked_more = True, False, 0
        self._also_greeted = []
        self._unanswered.clear()
        self._happened = [one for one in self._happened if not isinstance(one, CommandReceived)]

    # ---- sending ----

    def _send_identity(self, opening: int) -> None:
        if self._key is None or opening == self._opening:  # the key of a session before is gone
            header = Header(FrameKind.IDENTITY, opening, self._boot, 0)
            self._io.send(header, self._identity_fields() + self._nonce + self._status, self._key)

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None:
            head, event = payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :]
            payload = head + covered(self._key, number, event, self._pairing.secret_at(event))
        self._io.send(self._header(kind, number), payload, self._key)
