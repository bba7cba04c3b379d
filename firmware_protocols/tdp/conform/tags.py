"""The right tag of a frame: of a check's own frames, and of a paired device's answers."""

from enum import Enum, auto
from typing import Final

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.link import FrameKind, Header


class Own(Enum):
    """Stands for the key that PROTOCOL.md gives to each kind of frame."""

    OWN = auto()


OWN: Final = Own.OWN


def has_its_tag(proof: HostProof, header: Header, raw: bytes) -> bool:
    """True where a paired device has tagged this frame as its kind requires."""
    match header.kind:
        case FrameKind.IDENTITY:
            return proof.takes_identity(header, raw)
        case FrameKind.NOT_PROVEN:
            return header.tag == NO_TAG
        case _:
            return proof.takes(header, raw)
