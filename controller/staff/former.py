"""Former people: the name stays with the number until two people cut it; the number stays for ever."""

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
        """The first day on which the name may be cut; None while the days do not count yet."""
        return None if self.left is None else self.left + timedelta(days=days)


class Forgotten(Struct, frozen=True):
    """A number whose name room manager and chief supervisor have cut, and the day of it."""

    number: Person
    room_manager: Person
    chief_supervisor: Person
    on: date


def line_digest(*parts: str) -> str:
    """The digest of a line of the staff file; its salted hash of a PIN keeps names from being guessed."""
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
