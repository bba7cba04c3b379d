"""The head of a Merkle tree as RFC 6962 2.1 defines it, by recursion; it shares nothing with the controller."""

from collections.abc import Sequence
from hashlib import sha256


def head_of(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    return sha256(b"\x01" + head_of(leaves[:left]) + head_of(leaves[left:])).digest()
