"""Former people. The name stays with the number until two people remove it; no other person ever gets the number."""

from datetime import date, timedelta
from hashlib import sha256

from msgspec import Struct

from controller.core.words import Person


class FormerMember(Struct, frozen=True):
    """A former person, who may do nothing, and whose name older entries may show. `line`: the digest of the person's
    last line in the staff file.

    `left`: the day of the removal; None where the clock was not trusted then.
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
    """The digest of a line of the staff file with these values. The salted hash of a PIN among them keeps names from
    being guessed.
    """
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
