"""People who have left: the name stays with the number until it is cut, and then the number stays alone."""

from dataclasses import dataclass
from datetime import date, timedelta
from hashlib import sha256

from controller.core.words import Person


@dataclass(frozen=True, slots=True)
class FormerMember:
    """Somebody without rights, whose name older entries can still be told with. `line`: the last one's digest."""

    number: Person
    name: str
    line: str
    left: date

    def kept_until(self, days: int) -> date:
        """The first day on which the name may be cut."""
        return self.left + timedelta(days=days)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """A number whose name was cut: by room manager and chief supervisor, on which day."""

    number: Person
    room_manager: Person
    chief_supervisor: Person
    on: date


def line_digest(*parts: str) -> str:
    """Of a line of the staff file: over the hash of its PIN with a random salt, so that no name can be tried."""
    return sha256("\0".join(parts).encode()).hexdigest()[:32]
