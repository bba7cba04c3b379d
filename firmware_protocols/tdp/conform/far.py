"""Numbers far from the present one. Each is the first that a firmware with too few bits for the number, or with a sign,
takes for another number.
"""

from collections.abc import Iterator
from typing import Final

from firmware_protocols.tdp.conform.parts import U16, U32, lock_of_shuffler
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus

FAR_RELEASES: Final = (2**8, 2**15, 2**16, U32 // 2 - 1)
FAR_REQUESTS: Final = (2**8, 2**15, U16 - 1)


def releases(now: ShufflerStatus) -> Iterator[ShufflerApply]:
    """Yields commands that release one card and many."""
    for many in (1, *FAR_RELEASES):
        yield lock_of_shuffler(now, release_until=(now.cards_out + many) % U32)


def recounts(now: ShufflerStatus) -> Iterator[ShufflerApply]:
    """Yields commands for recounts under the next number and under far ones."""
    for far in (1, *FAR_REQUESTS):
        yield lock_of_shuffler(now, recount_request=(now.recounts + far) % U16)
