"""Which tag a frame has by rights: of what the checks say, and of what a paired device answers."""

from enum import Enum, auto
from typing import Final

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.link import FrameKind, Header


class Own(Enum):
    """The key that a kind of frame is tagged by where it is said as the text says."""

    OWN = auto()


OWN: Final = Own.OWN


def has_its_tag(proof: HostProof, header: Header, raw: bytes) -> bool:
    """A paired device has said this frame under the tag of its kind."""
    match header.kind:
        case FrameKind.IDENTITY:
            return proof.takes_identity(header, raw)
        case FrameKind.NOT_PROVEN:
            return header.tag == NO_TAG
        case _:
            return proof.takes(header, raw)
