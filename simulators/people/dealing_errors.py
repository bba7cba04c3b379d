"""Errors in dealing as plain data: where a card lies, where it belongs, and the act that reports it."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.words import Role


@unique
class DealingErrorKind(StrEnum):
    WRONG_SEAT = "wrong-seat"
    MISDEALT = "misdealt"  # dealt to a player without a request
    EXTRA_CARD = "extra-card"  # drawn by the bank beyond its rule
    HOLE_EXPOSED = "hole-exposed"
    FACE_UP_CARD = "face-up-card"  # came out of the machine face up


class DealingError(Struct, frozen=True):
    """One error in dealing, made with the last card on the table: where the card lies and where it belongs. Seat 0 is
    the bank.
    """

    kind: DealingErrorKind
    lies: int
    belongs: int  # the seat of its right place
    seen: bool = True  # a person has seen its face
    said_by: Role = Role.DEALER  # the person who reports it; the dealer waits for a chief supervisor


ACTS = {
    DealingErrorKind.WRONG_SEAT: "move-card",
    DealingErrorKind.MISDEALT: "report-misdealt",
    DealingErrorKind.EXTRA_CARD: "report-extra-card",
    DealingErrorKind.HOLE_EXPOSED: "report-hole-exposed",
    DealingErrorKind.FACE_UP_CARD: "report-face-up-card",
}
"""The act that reports each kind of error."""


def values_of(slip: DealingError) -> dict[str, str]:
    """Returns the values of the act that reports the error `slip`."""
    match slip.kind:
        case DealingErrorKind.WRONG_SEAT:
            return {"seat": str(slip.belongs)}
        case DealingErrorKind.MISDEALT | DealingErrorKind.EXTRA_CARD:
            return {"seen": "yes" if slip.seen else "no"}
        case DealingErrorKind.HOLE_EXPOSED | DealingErrorKind.FACE_UP_CARD:
            return {}
