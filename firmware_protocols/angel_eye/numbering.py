"""The character that numbers an Angel Eye's telegrams: which telegram is a copy, and how many are gone between two.

The shoe sends each telegram three times under one character and takes the next one for the next telegram. The
order is `1` to `9`, then `A`, `B`...; where it begins again is not published. `9`, `F` and `Z` are taken as ends that
`1` or `0` may follow without anything missing, as long as no later character was seen. A loss of exactly a whole turn
cannot be seen: that is why time without the port counts as a loss of its own.
"""

from typing import Final

ORDER: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ENDS: Final = "9FZ"
_STARTS: Final = "01"


def missed_between(last: int, now: int, highest: int = 0) -> int:
    """Telegrams that were sent after the one numbered `last` and before the one numbered `now`, at least.

    `highest`: the latest character of the order that was ever seen; a turn is as long as that at least.
    """
    before, after = ORDER.find(chr(last)), ORDER.find(chr(now))
    if before < 0 or after < 0:
        return 0 if now == last + 1 else 1
    if after > before:
        return after - before - 1
    reached = max(before, ORDER.find(chr(highest)))
    end = next(place for place in map(ORDER.index, ENDS) if place >= reached)
    return end - before + after - min(after, len(_STARTS) - 1)


def later(one: int, other: int) -> int:
    """Which of two numbers stands later in the order; one that stands nowhere in it is the earliest."""
    return max(one, other, key=lambda number: ORDER.find(chr(number)))
