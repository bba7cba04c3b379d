"""The floor's signature of a text on a linked pool. The signed bytes begin with a purpose of their own, so the
signature is never valid for a batch, a mark or an export.
"""

from typing import Final

from controller.journal.signing import Signer, is_signed
from controller.protocol.linked import PoolStatement, SignedPool, pool_in, pool_text

_PURPOSE: Final = b"sabot pool statement 1\n"


def signed_pool(statement: PoolStatement, signer: Signer) -> SignedPool:
    text = pool_text(statement)
    return SignedPool(text.decode(), signer.sign(_PURPOSE + text))


def is_of_the_floor(signed: SignedPool, public_key: str) -> bool:
    """True if the floor with the key `public_key` has signed the text on a pool in `signed`."""
    return is_signed(public_key, signed.signature, _PURPOSE + signed.statement.encode())


def read_pool(signed: SignedPool, public_key: str) -> PoolStatement | None:
    """Returns the figures of a linked pool in `signed`. Returns None if `public_key` has not signed the text, or if the
    text has no such figures.
    """
    return pool_in(signed) if is_of_the_floor(signed, public_key) else None
