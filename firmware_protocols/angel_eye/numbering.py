"""The character that numbers an Angel Eye's telegrams: which telegram is a copy, and how many are gone between two.

The shoe sends each telegram three times under one character and takes the next one for the next telegram. The
order is `1` to `9`, then `A`, `B`...; where it begins again is not published. `9`, `F` and `Z` are therefore taken
as ends that `1` or `0` may follow without anything missing. A loss of exactly a whole turn cannot be seen: that
is why time without the port counts as a loss of its own.
"""

from typing import Final

ORDER: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ENDS: Final = "9FZ"
_FIRST: Final = "01"


def missed_between(last: int, now: int) -> int:
    """Telegrams that were sent after the one numbered `last` and before the one numbered `now`, at least."""
    a, b = ORDER.find(chr(last)), ORDER.find(chr(now))
    if a < 0 or b < 0:
        return 0 if now == last + 1 else 1
    if b > a:
        return b - a - 1
    if b < a and ORDER[a] in ENDS and ORDER[b] in _FIRST:
        return 0
    end = next(place for place in map(ORDER.index, "FZ") if place >= a)
    start = min(b, 1)
    return end - a + b - start
