"""The reasons for which a device sends an EVENT (PROTOCOL.md, section 6). Each reason is a duty of its own."""

from enum import Enum, auto


class Why(Enum):
    """The reason why a device sends an EVENT at a certain moment."""

    NEW = auto()  # it was made
    SESSION = auto()  # a session was opened
    END = auto()  # a silence ended
    ACK = auto()  # others were acknowledged
    SHORT = auto()  # the retry time since an ACK, which has made it short again
    TIME = auto()  # the retry time, any other
