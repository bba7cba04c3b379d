"""An act that a status offers to a person."""

from msgspec import Struct


class Suggestion(Struct, frozen=True):
    """An act that somebody may ask for now: the values that are known, the names of those still to be given.

    `person`: who of those who may is known to be here; None where nobody is. `needs_pin` False: a dealer who has signed
    in over the connection gives no PIN again.
    """

    act: str
    values: dict[str, str]
    asks: list[str]
    who: list[str]
    person: int | None
    needs_pin: bool
