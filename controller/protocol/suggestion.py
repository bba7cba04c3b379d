"""An act that the status suggests to a person."""

from msgspec import Struct


class Suggestion(Struct, frozen=True):
    """An act that is possible now: `values` that are known already, and in `asks` the names of those still to be given.

    `person`: the person in charge of the hold, or the only permitted one at the table. `needs_pin` False: a dealer
    signed in over the connection gives no PIN again.
    """

    act: str
    values: dict[str, str]
    asks: list[str]
    who: list[str]
    person: int | None
    needs_pin: bool
