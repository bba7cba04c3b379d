"""The host's side of a proof, for one connection: which tags it believes, and the key of its session."""

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.link import FrameKind, Header, body_of
from firmware_protocols.tdp.link_rows import EVENT_LAYOUT, IDENTITY_LAYOUT
from firmware_protocols.tdp.proof import NONCE_BYTES, HostPairing, covered, is_proven, session_key


class HostProof:
    """`pairing` None: nothing is asked of the device, and nothing is proven."""

    def __init__(self, pairing: HostPairing | None) -> None:
        self._pairing = pairing
        self.is_asked = pairing is not None
        self.session: bytes | None = None  # the key that tags what is said in the session

    @property
    def pair_key(self) -> bytes | None:
        """The tag of a HELLO."""
        return None if self._pairing is None else self._pairing.key

    @property
    def nonce(self) -> bytes:
        """The bytes behind a HELLO."""
        return b"" if self._pairing is None else self._pairing.nonce

    def takes(self, header: Header, payload: bytes) -> bool:
        """A frame of the session, or one that denies it, has its tag."""
        key = self.pair_key if header.kind == FrameKind.NO_SESSION else self.session
        return not self.is_asked or (key is not None and is_proven(key, body_of(header, payload), header.tag))

    def takes_identity(self, header: Header, payload: bytes) -> bool:
        """An IDENTITY has the tag of the session that its nonce makes; the first that has it makes the session."""
        if self._pairing is None:
            return True
        nonce = payload[IDENTITY_LAYOUT.size :][:NONCE_BYTES]
        key = session_key(self._pairing.key, header.host_opening, header.device_boot, self._pairing.nonce, nonce)
        is_so = len(nonce) == NONCE_BYTES and is_proven(key, body_of(header, payload), header.tag)
        if is_so and self.session is None:
            self.session = key
        return is_so

    def plain(self, header: Header, payload: bytes) -> bytes:
        """The payload as it would be without a proof: no nonce behind the fields of IDENTITY, no card covered."""
        if header.kind == FrameKind.IDENTITY and header.tag != NO_TAG:
            return payload[: IDENTITY_LAYOUT.size] + payload[IDENTITY_LAYOUT.size + NONCE_BYTES :]
        if header.kind == FrameKind.EVENT:
            at = EVENT_LAYOUT.size
            return payload[:at] + self.uncovered(header.number, payload[at:])
        return payload

    def status_of(self, behind_identity: bytes) -> bytes:
        """The status block of an IDENTITY, without the nonce before it."""
        return behind_identity[NONCE_BYTES:] if self.is_asked else behind_identity

    def uncovered(self, number: int, event: bytes) -> bytes:
        """The event as the device means it."""
        if self._pairing is None or self.session is None:
            return event
        return covered(self.session, number, event, self._pairing.secret_at(event))
