"""The host's part of the proof by which a device shows its identity: checks the device's tags, and makes the session's
key.
"""

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.link import FrameKind, Header, body_of
from firmware_protocols.tdp.link_rows import EVENT_LAYOUT, IDENTITY_LAYOUT
from firmware_protocols.tdp.proof import NONCE_BYTES, HostPairing, covered, is_proven, session_key


class HostProof:
    """Checks the proof of the device at one connection. `pairing`: None if the device needs no proof."""

    def __init__(self, pairing: HostPairing | None) -> None:
        self._pairing = pairing
        self.is_asked = pairing is not None
        self.session: bytes | None = None  # the key for tags within the session

    @property
    def pair_key(self) -> bytes | None:
        """The key for the tag of a HELLO; None without proof."""
        return None if self._pairing is None else self._pairing.key

    @property
    def nonce(self) -> bytes:
        """The host's nonce, to be sent after the fields of a HELLO; b"" without proof."""
        return b"" if self._pairing is None else self._pairing.nonce

    def takes(self, header: Header, payload: bytes) -> bool:
        """True if the frame has the right tag, and is a frame of the session or a NO_SESSION."""
        key = self.pair_key if header.kind == FrameKind.NO_SESSION else self.session
        return key is not None and is_proven(key, body_of(header, payload), header.tag)

    def takes_identity(self, header: Header, payload: bytes) -> bool:
        """True if no proof is needed, or if the tag of an IDENTITY fits the session key that follows from the
        IDENTITY's nonce. The first such IDENTITY sets the session's key.
        """
        if self._pairing is None:
            return True
        nonce = payload[IDENTITY_LAYOUT.size :][:NONCE_BYTES]
        key = session_key(self._pairing.key, header.host_opening, header.device_boot, self._pairing.nonce, nonce)
        is_so = len(nonce) == NONCE_BYTES and is_proven(key, body_of(header, payload), header.tag)
        if is_so and self.session is None:
            self.session = key
        return is_so

    def plain(self, header: Header, payload: bytes) -> bytes:
        """Returns the payload as a device without proof would send it: an IDENTITY without its nonce, an event with its
        card decrypted.
        """
        if header.kind == FrameKind.IDENTITY and header.tag != NO_TAG:
            return payload[: IDENTITY_LAYOUT.size] + payload[IDENTITY_LAYOUT.size + NONCE_BYTES :]
        if header.kind == FrameKind.EVENT:
            at = EVENT_LAYOUT.size
            return payload[:at] + self.uncovered(header.number, payload[at:])
        return payload

    def status_of(self, behind_identity: bytes) -> bytes:
        """Returns the status block in an IDENTITY. `behind_identity`: the bytes after the fields of the IDENTITY; with
        proof they begin with a nonce.
        """
        return behind_identity[NONCE_BYTES:] if self.is_asked else behind_identity

    def uncovered(self, number: int, event: bytes) -> bytes:
        """Returns the event with its card decrypted. Without proof, returns the event unchanged."""
        if self._pairing is None or self.session is None:
            return event
        return covered(self.session, number, event, self._pairing.secret_at(event))
