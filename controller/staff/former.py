"""Former people. The name stays with the number until two people remove it; no other person ever gets the number."""

from datetime import date, timedelta
from hashlib import sha256

from msgspec import Struct

from controller.core.words import Person


class FormerMember(Struct, frozen=True):
    """A former person, without rights, whose name older entries may show. `line`: the digest of the last line.

    `left`: the day of the removal; None where the clock of that moment was not trusted.
    """

    number: Person
    name: str
    line: str
    left: date | None

    def kept_until(self, days: int) -> date | None:
        """Returns the first day on which the name may be removed; None where the day of leaving is unknown."""
        return None if self.left is None else self.left + timedelta(days=days)


class Forgotten(Struct, frozen=True):
    """A number whose name was removed by a room manager and a chief supervisor, and the day of the removal."""

    number: Person
    room_manager: Person
    chief_supervisor: Person
    on: date


def line_digest(*parts: str) -> str:
    """Returns the digest of a line of the staff file. The salted hash in the line keeps names from being guessed."""
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
