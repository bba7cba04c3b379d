"""The requests for a second person that have lapsed, as the pages tell them."""

from typing import Final

from controller.panel.watch import Seen

TOLD_S: Final = 30.0
"""The time for which the pages tell of a request that people may also leave."""

STILL_DUE: Final = frozenset(
    (
        *("pay-jackpot", "pay-jackpot-by-hand", "pay-linked-prize", "pay-prizes", "confirm-return"),
        *("confirm-settled", "confirm-differences", "make-ruling", "rule-on-spin"),
    )
)
"""The acts without which the table does not go on: the pages tell of them until they are asked for again."""


def lapses_told(seen: Seen, now_s: float) -> tuple[str, ...]:
    """Returns the sentences on the lapsed requests that people may make again, at the time `now_s` of the wall clock.
    While a hold stops the play, people may make none of them again, and the result has a sentence for each.
    """
    status = seen.status
    if status is None:
        return ()
    possible = {one.act for one in status.next}
    since_s = {one.act: now_s - seen.heard_at + (seen.table_ms - one.since) / 1000 for one in status.lapsed}
    return tuple(
        one.text
        for one in status.lapsed
        if (one.act in possible or status.holds) and (one.act in STILL_DUE or since_s[one.act] < TOLD_S)
    )
