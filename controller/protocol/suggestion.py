"""The suggestion of an act to a person, as a part of the status."""

from msgspec import Struct


class Suggestion(Struct, frozen=True):
    """An act that is possible now. `values`: the act's known values. `asks`: the names of the values that a person must
    still give. `person`: the person in charge of the hold, or the only permitted person at the table, or None.
    `needs_pin`: False if a dealer who is signed in over the connection gives no PIN.
    """

    act: str
    values: dict[str, str]
    asks: list[str]
    who: list[str]
    person: int | None
    needs_pin: bool
