"""The character that numbers an Angel Eye's telegrams: it tells copies from new telegrams, and how many are missing.

The shoe sends each telegram three times under one character, and the next telegram under the next character. The
order is `1` to `9`, then `A`, `B`...; its end is not published. `9`, `F` and `Z` are taken as ends: `1` or `0` may
follow one of them with nothing missing, as long as no later character was seen. A loss of exactly a whole turn
cannot be seen: therefore time without the port counts as a loss of its own.
"""

from typing import Final

ORDER: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ENDS: Final = "9FZ"
_STARTS: Final = "01"


def missed_between(last: int, now: int, highest: int = 0) -> int:
    """Returns the least number of telegrams sent between telegram `last` and telegram `now`, from their characters.

    `highest`: of all characters ever seen, the latest in the order, since the order does not end before it; 0 for none.
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
    """Returns the number that stands later in the order; a number outside the order counts as the earliest."""
    return max(one, other, key=lambda number: ORDER.find(chr(number)))
