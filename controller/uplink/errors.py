"""Why nothing can be carried just now. Each is told, and tried again."""

from enum import StrEnum, unique

from controller.protocol.carried import Finding, Said


class Trouble(Exception):  # noqa: N818 (the name says what there is)
    """Its word and its detail go into the log."""

    event = "trouble"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class TableAway(Trouble):
    """The controller does not answer, or has nothing to sign."""

    event = "table-away"


class SegmentUnreadable(Trouble):
    """The journal's segment does not have what the controller has signed."""

    event = "segment-unreadable"


class FloorAway(Trouble):
    """The floor does not answer, or not as it should."""

    event = "floor-away"


class WitnessAway(Trouble):
    """A witness does not answer."""

    event = "witness-away"


class WitnessRefuses(Trouble):
    """A witness does not sign, or what it signs is not right; `forked` and `ahead` are matters for people."""

    event = "witness-refuses"


class FloorRefuses(Trouble):
    """The floor does not take what this table has; `findings` say why."""

    event = "floor-refuses"

    def __init__(self, said: Said, findings: list[Finding]) -> None:
        super().__init__(said.value)
        self.findings = findings


@unique
class Event(StrEnum):
    """The uplink's messages besides its troubles."""

    CONNECTED = "floor-connected"
    FOUND = "floor-found"
    SIGNED = "witness-signed"
    NOT_WITNESSED = "floor-not-witnessed"
