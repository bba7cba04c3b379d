"""The character that numbers the telegrams of an Angel Eye. It distinguishes copies from new telegrams, and tells how
many are missing.

The shoe sends each telegram three times with one character, and the next telegram with the next character. The order is
`1` to `9`, then `A`, `B`...; the maker does not publish its end. `9`, `F` and `Z` are taken as possible ends: `1` or
`0` may follow one of them without a loss, as long as no later character was seen. A loss of exactly one whole turn
cannot be seen, so any time without an open port counts as a loss.
"""

from typing import Final

ORDER: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ENDS: Final = "9FZ"
_STARTS: Final = "01"


def missed_between(last: int, now: int, highest: int = 0) -> int:
    """Returns the least number of telegrams that the shoe can have sent between the telegrams with the characters
    `last` and `now`.

    `highest`: the latest character in the order that the host has seen, so that the order cannot end before it; 0 for
    none.
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
    """Returns the later of the characters `one` and `other` in the order of a shoe's numbering. A character outside
    this order counts as the earliest.
    """
    return max(one, other, key=lambda number: ORDER.find(chr(number)))
