"""Counts the host's frames that the device must answer, and notes those that it must drop without an answer."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from firmware_protocols.tdp.conform.told import Finding
from firmware_protocols.tdp.link import PROTOCOL_MAJOR, FrameKind, Header

ANSWERED: Final = (FrameKind.COMMAND, FrameKind.HEARTBEAT)
"""The kinds of frame that have an answer under their own number."""
_DUTY: Final = {FrameKind.COMMAND: "5.3", FrameKind.HEARTBEAT: "7.2"}


class Hellos:
    """The HELLOs that wait for an answer, by opening, and the openings for which a HELLO may open a session."""

    def __init__(self) -> None:
        self._owed: Counter[int] = Counter()
        self._early: dict[int, int] = {}  # by opening of frames before the IDENTITY, the HELLOs that waited for it then
        self._open, self._doubtful = set[int](), set[int]()  # doubtful: by a HELLO that is to be dropped

    def said(self, header: Header, payload: bytes) -> None:
        """Notes a HELLO of the host. The device must drop a HELLO with a boot or a number. A faulty device may accept
        such a HELLO, so an IDENTITY may then open a session. If a HELLO of another major version follows, the IDENTITY
        counts as the answer to the later HELLO.
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
        """True if an IDENTITY with the opening `opening` may answer a HELLO that opens a session. At most one call for
        each such HELLO returns True.
        """
        is_so = opening in self._open
        self._open.discard(opening)
        return is_so

    def is_early(self, opening: int) -> bool:
        """True if a HELLO with the opening `opening` still waits for its IDENTITY. Another frame of this opening is
        then judged only when the IDENTITY comes.
        """
        if self._owed[opening] > 0:
            self._early.setdefault(opening, self._owed[opening])
        return opening in self._early

    def answered(self, opening: int) -> Iterator[Finding]:
        """Yields the findings about an IDENTITY of the opening `opening`. The IDENTITY breaks a duty if no HELLO of
        this opening waits for it. Frames that came before the IDENTITY break 3.6, or 4.1 if the host had to repeat the
        HELLO.
        """
        owed = self._owed[opening]
        self._owed[opening] -= 1
        yield "4.1", owed > 0, f"IDENTITY to no HELLO of opening {opening}"
        then = self._early.pop(opening, None)
        found = f"frames of opening {opening} come before its IDENTITY"
        yield "4.1" if then is not None and owed > then else "3.6", then is None, found


class Asked:
    """Counts, by session, the answers that the device still has to give. An answer too many breaks the duty to drop the
    frame that it answers.
    """

    def __init__(self) -> None:
        self._owed: Counter[tuple[int, int, int]] = Counter()  # by opening, kind and number
        self._dropped: dict[tuple[int, int, int], str] = {}  # the duty to drop such a frame
        self._begun = set[int]()  # the openings of all sessions

    def asks(self, opening: int, kind: int, number: int) -> None:
        """Notes a frame of the host, with these three fields of its header, that the device may answer."""
        self._owed[opening, kind, number] += 1

    def is_wrong(self, opening: int, kinds: Collection[int], number: int, duty: str) -> None:
        """Notes a frame that the device must drop by the duty `duty`. `kinds`: the kinds of frame for which a faulty
        device may mistake this frame.
        """
        self._dropped |= dict.fromkeys(((opening, kind, number) for kind in kinds), duty)

    def reason(self, opening: int, otherwise: str, known: Collection[str]) -> str:
        """Returns the duty that an answer in the opening `opening` breaks. If the device had to drop a frame of this
        opening, and `otherwise` is not in `known`, this is the duty to drop the frame. In all other cases, and for the
        opening of an earlier session, it is `otherwise`.
        """
        if opening in self._begun:
            return otherwise
        duties = (duty for (of, *_rest), duty in self._dropped.items() if of == opening and otherwise not in known)
        return next(duties, otherwise)

    def begins(self, opening: int) -> None:
        """Notes the new session with the opening `opening`. Frames of earlier sessions get no answer any more."""
        self._begun.add(opening)
        self._owed = Counter({asked: times for asked, times in self._owed.items() if asked[0] == opening})

    def answered(self, opening: int, to: FrameKind, number: int, known: Collection[str]) -> Finding:
        """Returns the finding about an answer. The answer breaks a duty if no frame waits for it. `known`: the duties
        that are known to be broken, which may explain an answer too many.
        """
        asked = (opening, to, number)
        self._owed[asked] -= 1
        is_so, duty = self._owed[asked] >= 0, _DUTY[to]
        if not is_so and asked in self._dropped and duty not in known:
            self._owed[asked], duty = 0, self._dropped[asked]
        return duty, is_so, f"an answer more than {to.name} {number} was said"
