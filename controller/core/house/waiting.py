"""The requests of acts that need two people: those that wait for the second person, and those that have lapsed."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.words import Person, Role, TableMs


class Waiting(Struct, frozen=True, gc=False):
    """The first of two people's requests for an act. `second`: the posts that may make the second request."""

    act: str
    values: tuple[str, ...]
    person: Person
    role: Role
    second: tuple[Role, ...]
    since_ms: TableMs


@unique
class LapseCause(StrEnum):
    """The change that ended a request before a second person agreed."""

    START = "start"  # the controller started again
    SESSION = "session"
    SHIFT = "shift"
    DEALER = "dealer"  # another dealer is at the table, or none
    LEFT = "left"  # the person who asked has left
    CORRECTED = "corrected"
    HOLD = "hold"
    ASKED_ANEW = "asked-anew"  # the same act with other values, or by another person of its posts
    MATTER = "matter"  # the facts of the request itself
    ROUND = "round"  # a request about the whole round, in which something has changed


class Lapsed(Struct, frozen=True, gc=False):
    """A request that has ended without the second person, with the cause and the time."""

    request: Waiting
    cause: LapseCause
    at_ms: TableMs
