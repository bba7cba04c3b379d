"""The errors of this package, and the reasons for rejecting received bytes."""

from enum import StrEnum


class RejectReason(StrEnum):
    """The reason why received bytes were rejected. The value is the word used in counters and events."""

    BAD_COBS = "bad-cobs"  # not a COBS block: noise, a lost byte, a wrong baud rate
    BAD_LENGTH = "bad-length"  # shorter or longer than its kind can be
    BAD_CRC = "bad-crc"  # a frame that was damaged on its way
    BAD_CHECKSUM = "bad-checksum"  # the same, in a protocol with a sum or XOR
    NOISE = "noise"  # bytes outside any frame
    OVERSIZE = "oversize"  # no delimiter within the longest frame
    UNEXPECTED_TAG = "unexpected-tag"  # the sender signs its frames, and the receiver has no key for it
    UNPROVEN = "unproven"  # no tag, or a tag made with another key
    UNKNOWN_KIND = "unknown-kind"
    WRONG_DIRECTION = "wrong-direction"  # the receiver's own kind of frame comes back: a loop in the cable
    UNKNOWN_MESSAGE = "unknown-message"
    OUT_OF_BOUNDS = "out-of-bounds"  # a value that its table does not allow
    WRONG_SESSION = "wrong-session"  # of another opening or another boot
    CUT_SHORT = "cut-short"  # another frame begins where this one should go on
    REPEATED_NUMBER = "repeated-number"  # other content under the number of the frame before


class ProtocolError(Exception):
    """The base class of the errors of this package."""


class FrameError(ProtocolError):
    """Received bytes are invalid, by a fault of the sender or of the line. `reason`: the fault."""

    def __init__(self, reason: RejectReason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}" if detail else str(reason))
        self.reason = reason
        self.detail = detail


class ValueOutOfBounds(ProtocolError):  # noqa: N818 (the name says what is wrong)
    """The caller has passed a value that the protocol does not allow."""


class LinkBusy(ProtocolError):  # noqa: N818 (the name says what is wrong)
    """A command cannot be sent now: another one waits for its answer, or no device is identified. `change_command`
    raises it if no command waits for an answer.
    """


class UnknownCard(ProtocolError):  # noqa: N818 (the name says what is wrong)
    """A text or a byte that means no card."""
