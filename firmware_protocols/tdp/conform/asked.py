"""The questions that the device owes an answer, and the frames that it has to drop, which have none."""

from collections import Counter
from collections.abc import Collection
from typing import Final

from firmware_protocols.tdp.conform.told import Finding
from firmware_protocols.tdp.link import PROTOCOL_MAJOR, FrameKind, Header

ANSWERED: Final = (FrameKind.COMMAND, FrameKind.HEARTBEAT)
"""The kinds of frame that have an answer under their own number."""
_DUTY: Final = {FrameKind.COMMAND: "5.3", FrameKind.HEARTBEAT: "7.2"}


class Hellos:
    """The HELLOs said and not yet answered, by opening, and those of this major, which may open a session."""

    def __init__(self) -> None:
        self._owed: Counter[int] = Counter()
        self._open, self._doubtful = set[int](), set[int]()  # doubtful: by a HELLO that is to be dropped

    def said(self, header: Header, payload: bytes) -> None:
        """Takes a HELLO of the host. One with a boot or a number may be taken by mistake, but where one of another
        major is said behind it, the IDENTITY answers that.
        """
        opening = header.host_opening
        self._owed[opening] += 1
        if payload[:1] != bytes((PROTOCOL_MAJOR,)):
            self._open -= self._doubtful & {opening}
            return
        is_wrong = bool(header.device_boot or header.number) and opening not in self._open
        self._doubtful = self._doubtful | {opening} if is_wrong else self._doubtful - {opening}
        self._open.add(opening)

    def may_open(self, opening: int) -> bool:
        """True where an IDENTITY of this opening may answer a HELLO that has opened a session; only once for each."""
        is_so = opening in self._open
        self._open.discard(opening)
        return is_so

    def missed(self, opening: int) -> str:
        """The duty that another frame of this opening breaks: that to answer the HELLO which has opened it, or 3.6."""
        return "4.1" if opening in self._open - self._doubtful else "3.6"

    def answered(self, opening: int) -> Finding:
        """The test of an IDENTITY."""
        self._owed[opening] -= 1
        return "4.1", self._owed[opening] >= 0, f"IDENTITY to no HELLO of opening {opening}"


class Asked:
    """The answers due, by session. One too many is charged to the reason for which its frame was to be dropped."""

    def __init__(self) -> None:
        self._owed: Counter[tuple[int, int, int]] = Counter()  # by opening, kind and number
        self._dropped: dict[tuple[int, int, int], str] = {}  # the duty to drop such a frame

    def asks(self, opening: int, kind: int, number: int) -> None:
        """Takes a frame of the host that may be answered."""
        self._owed[opening, kind, number] += 1

    def is_wrong(self, opening: int, kinds: Collection[int], number: int, duty: str) -> None:
        """Takes a frame that `duty` has the device drop; by its fault it may be read as one of `kinds`."""
        self._dropped |= dict.fromkeys(((opening, kind, number) for kind in kinds), duty)

    def reason(self, opening: int, otherwise: str, known: Collection[str]) -> str:
        """The duty that an answer in this opening breaks: that to drop the frame which it answers, or `otherwise`."""
        duties = (duty for (of, *_rest), duty in self._dropped.items() if of == opening and otherwise not in known)
        return next(duties, otherwise)

    def begins(self, opening: int) -> None:
        """Takes a new session: what was asked in the session before is answered no more."""
        self._owed = Counter({asked: times for asked, times in self._owed.items() if asked[0] == opening})

    def answered(self, opening: int, to: FrameKind, number: int, known: Collection[str]) -> Finding:
        """The test of an answer; `known`: duties that are known to be broken, and explain it."""
        asked = (opening, to, number)
        self._owed[asked] -= 1
        is_so, duty = self._owed[asked] >= 0, _DUTY[to]
        if not is_so and asked in self._dropped and duty not in known:
            self._owed[asked], duty = 0, self._dropped[asked]
        return duty, is_so, f"an answer more than {to.name} {number} was said"
