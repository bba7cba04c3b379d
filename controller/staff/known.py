"""Compares the casino's people as the journal last recorded them with the people in the present staff file. Pure."""

from hashlib import sha256
from typing import Final

from msgspec import Struct

from controller.core.words import Person, Role
from controller.staff.book import StaffBook
from controller.staff.former import Forgotten, FormerMember


class StaffEntry(Struct, frozen=True, gc=False):
    """One person as the journal records them, without name and PIN hash. `digest`: the digest of the person's line in
    the staff file.
    """

    number: Person
    role: Role
    digest: str


class NameCut(Struct, frozen=True, gc=False):
    """The removal of a person's name from the staff file by two people, on the day `on` (ISO 8601)."""

    number: Person
    room_manager: Person
    chief_supervisor: Person
    on: str


class StaffKnown(Struct, frozen=True, gc=False):
    """The casino's people as the journal last recorded them. `digest`: the digest of the staff file; "" before the
    first reading of the file.
    """

    digest: str = ""
    people: tuple[StaffEntry, ...] = ()
    forgotten: tuple[NameCut, ...] = ()


NOBODY_KNOWN: Final = StaffKnown()
STAFF_CHANGED: Final = "staff-changed"
"""The kind of the entry for a change of the staff file."""


class StaffChanged(Struct, frozen=True, gc=False):
    """The staff file has changed: people were added, changed (role, PIN, badge, name) or removed. `forgotten`: people
    whose name was removed from the file for good.
    """

    digest: str
    added: tuple[StaffEntry, ...] = ()
    changed: tuple[StaffEntry, ...] = ()
    removed: tuple[Person, ...] = ()
    forgotten: tuple[NameCut, ...] = ()


def known_of(book: StaffBook) -> StaffKnown:
    """Returns the part of a staff book that a journal may contain, without names and hashes of PINs."""
    members = sorted(book.people, key=lambda one: one.number)
    people = tuple(StaffEntry(one.number, one.role, one.line) for one in members)
    cost = book.cost
    parts = (
        f"{cost.memory_kib} {cost.time_cost} {cost.parallelism}",
        *(one.digest for one in people),
        *map(_left, book.former),
        *(f"cut {one.number} {one.room_manager} {one.chief_supervisor} {one.on}" for one in book.forgotten),
    )
    digest = sha256("\0".join(parts).encode()).hexdigest()
    return StaffKnown(digest, people, tuple(map(_cut, book.forgotten)))


def change_between(before: StaffKnown, now: StaffKnown) -> StaffChanged | None:
    """Returns the change to record in the journal; None if `before` and `now` are equal."""
    if before.digest == now.digest:
        return None
    old, new = _by_number(before), _by_number(now)
    return StaffChanged(
        digest=now.digest,
        added=tuple(one for number, one in new.items() if number not in old),
        changed=tuple(one for number, one in new.items() if number in old and old[number] != one),
        removed=tuple(number for number in old if number not in new),
        forgotten=tuple(one for one in now.forgotten if one not in before.forgotten),
    )


def after_change(before: StaffKnown, change: StaffChanged) -> StaffKnown:
    """Returns the known people after the recorded change `change`. `before`: the known people before the change."""
    people = _by_number(before) | {one.number: one for one in (*change.added, *change.changed)}
    left = (one for number, one in sorted(people.items()) if number not in change.removed)
    return StaffKnown(change.digest, tuple(left), (*before.forgotten, *change.forgotten))


def _by_number(known: StaffKnown) -> dict[Person, StaffEntry]:
    return {one.number: one for one in known.people}


def _left(one: FormerMember) -> str:
    """Returns the text about a former person that the digest of the staff file covers. It leaves out the name, which
    could be guessed from the digest.
    """
    return f"left {one.number} {one.line} {'' if one.left is None else one.left.isoformat()}"


def _cut(one: Forgotten) -> NameCut:
    return NameCut(one.number, one.room_manager, one.chief_supervisor, one.on.isoformat())
