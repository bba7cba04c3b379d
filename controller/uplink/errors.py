"""The reasons why the uplink cannot go on with the floor or a witness. After logging one, the uplink tries again."""

from enum import StrEnum, unique

from controller.protocol.carried import Finding, Said


class Trouble(Exception):  # noqa: N818 (the name says what there is)
    """The base class of the reasons why the uplink cannot go on. `event`, `detail`: the texts for the log."""

    event = "trouble"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class TableAway(Trouble):
    """The controller does not answer, answers wrongly, or has nothing to sign."""

    event = "table-away"


class SegmentUnreadable(Trouble):
    """The journal's segment lacks entries on which the controller has signed a statement."""

    event = "segment-unreadable"


class FloorAway(Trouble):
    """The floor does not answer, or answers wrongly."""

    event = "floor-away"


class WitnessAway(Trouble):
    """A witness does not answer, so its signature is missing."""

    event = "witness-away"


class WitnessRefuses(Trouble):
    """A witness does not sign, or signs wrongly. `detail`: the witness's name and the reason. If the reason is `forked`
    or `ahead`, people must act.
    """

    event = "witness-refuses"


class FloorRefuses(Trouble):
    """The floor refuses this table's entries. `findings`: the floor's findings about this table; empty if the floor has
    sent none.
    """

    event = "floor-refuses"

    def __init__(self, said: Said, findings: list[Finding]) -> None:
        super().__init__(said.value)
        self.findings = findings


@unique
class Event(StrEnum):
    """The events in the uplink's log that are no troubles."""

    CONNECTED = "floor-connected"
    FOUND = "floor-found"
    SIGNED = "witness-signed"
    NOT_WITNESSED = "floor-not-witnessed"
