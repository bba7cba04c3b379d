"""Decides on an update by a table of possible refusals. The first refusal that applies is shown to people."""

from collections.abc import Callable
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct

from controller.core.words import Role
from controller.journal.root import Release


@unique
class Refusal(StrEnum):
    """The reason why an update is refused. The catalogue has its sentences under `update.refused`."""

    NO_FILE = "no-file"
    CUT_SHORT = "cut-short"
    SIGNATURE = "signature"
    OTHER_MACHINE = "other-machine"
    NO_RELEASE = "no-release"
    OLDER = "older"
    ON_TRIAL = "on-trial"
    TABLE_OPEN = "table-open"
    PEOPLE = "people"
    OTHER_FILE = "other-file"
    NOT_WRITTEN = "not-written"
    JOURNAL = "journal"


class Offer(Struct, frozen=True):
    """The signed description of an update file, read before anything else in the file is opened. `says`: the text for
    people.
    """

    machine: str
    release: Release | None
    says: str


class Card(Struct, frozen=True):
    """The memory card's state for a decision. `own`: the release of the running root file system. `seen`: the newest
    release in the journal.

    `is_closed`: True if no session is open at the table. `is_on_trial`: True if the running root file system is in its
    first start.
    """

    machine: str
    own: Release | None
    seen: Release | None
    is_closed: bool
    is_on_trial: bool


NEEDED: Final = frozenset({Role.TECHNICIAN, Role.CHIEF_SUPERVISOR})

_RULES: Final[tuple[tuple[Refusal, Callable[[Offer, Card], bool]], ...]] = (
    (Refusal.OTHER_MACHINE, lambda offer, card: offer.machine != card.machine),
    (Refusal.NO_RELEASE, lambda offer, _: offer.release is None),
    (Refusal.OLDER, lambda offer, card: _is_older(offer.release, card)),
    (Refusal.ON_TRIAL, lambda _, card: card.is_on_trial),
    (Refusal.TABLE_OPEN, lambda _, card: not card.is_closed),
)
"""Each refusal with its condition. `bundle` has already refused each file that is not a signed root."""


def may_be_offered(offer: Offer, card: Card) -> Refusal | None:
    """Returns the first reason to refuse an update before people are asked to sign; None if there is no reason."""
    return next((refusal for refusal, holds in _RULES if holds(offer, card)), None)


def may_be_installed(offer: Offer, card: Card, signed: frozenset[Role]) -> Refusal | None:
    """Returns the first reason to refuse an installation; None if there is no reason. `signed`: the roles of the people
    who have signed.

    Checks all reasons again, since the table may have opened while people signed.
    """
    return may_be_offered(offer, card) or (None if signed >= NEEDED else Refusal.PEOPLE)


def may_go_back(signed: frozenset[Role]) -> Refusal | None:
    """Returns the refusal of a return to the previous root file system; None if two people have signed the return. An
    older release and an open table are permitted.
    """
    return None if signed >= NEEDED else Refusal.PEOPLE


def _is_older(release: Release | None, card: Card) -> bool:
    known = [one for one in (card.own, card.seen) if one is not None]
    return release is not None and any(release < one for one in known)
