"""Former people. A name stays with its number until two people remove it. No other person ever gets the number."""

from datetime import date, timedelta
from hashlib import sha256

from msgspec import Struct

from controller.core.words import Person


class FormerMember(Struct, frozen=True):
    """A former person. This person may do nothing, but old journal entries may show the name. `line`: the digest of the
    person's last line in the staff file. `left`: the day of leaving; None if the clock was not trusted on that day.
    """

    number: Person
    name: str
    line: str
    left: date | None

    def kept_until(self, days: int) -> date | None:
        """Returns the first day on which the name may be removed; None if the day of leaving is unknown."""
        return None if self.left is None else self.left + timedelta(days=days)


class Forgotten(Struct, frozen=True):
    """The removal of a former person's name: the room manager and the chief supervisor who have removed it, and the
    day.
    """

    number: Person
    room_manager: Person
    chief_supervisor: Person
    on: date


def line_digest(*parts: str) -> str:
    """Returns the digest of the staff file's line with these values. A name cannot be guessed from it, since one of the
    values is the salted hash of a PIN.
    """
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
