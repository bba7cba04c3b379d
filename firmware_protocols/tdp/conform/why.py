"""The reasons of section 6 for which a device sends an EVENT: each is a duty of its own."""

from enum import Enum, auto


class Why(Enum):
    """The reason for which an EVENT is sent just then."""

    NEW = auto()  # it was made
    SESSION = auto()  # a session was opened
    END = auto()  # a silence ended
    ACK = auto()  # others were acknowledged
    SHORT = auto()  # the retry time since an ACK, which has made it short again
    TIME = auto()  # the retry time, any other
