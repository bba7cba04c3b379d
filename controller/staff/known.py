"""Who the casino's people were when the journal last said so, and what is otherwise now. Pure."""

from hashlib import sha256
from typing import Final

from msgspec import Struct

from controller.core.words import Person, Role
from controller.staff.book import StaffBook, StaffMember


class StaffEntry(Struct, frozen=True, gc=False):
    """One person as the journal knows people: no name and no hash. `digest` is of all that the staff file has."""

    number: Person
    role: Role
    digest: str


class StaffKnown(Struct, frozen=True, gc=False):
    """Everybody, by number. `digest`: of the whole file; "" while nobody has looked."""

    digest: str = ""
    people: tuple[StaffEntry, ...] = ()


NOBODY_KNOWN: Final = StaffKnown()


class StaffChanged(Struct, frozen=True, gc=False):
    """The staff file says something else than before: who came, who changed (role, PIN, badge, name), who left."""

    digest: str
    added: tuple[StaffEntry, ...] = ()
    changed: tuple[StaffEntry, ...] = ()
    removed: tuple[Person, ...] = ()


def known_of(book: StaffBook) -> StaffKnown:
    """What a journal may know of a staff book."""
    people = tuple(_entry(member) for member in sorted(book.people, key=lambda one: one.number))
    cost = book.cost
    parts = (f"{cost.memory_kib} {cost.time_cost} {cost.parallelism}", *(one.digest for one in people))
    return StaffKnown(sha256("\0".join(parts).encode()).hexdigest(), people)


def change_between(before: StaffKnown, now: StaffKnown) -> StaffChanged | None:
    """What to record; None where nothing changed."""
    if before.digest == now.digest:
        return None
    old, new = _by_number(before), _by_number(now)
    return StaffChanged(
        digest=now.digest,
        added=tuple(one for number, one in new.items() if number not in old),
        changed=tuple(one for number, one in new.items() if number in old and old[number] != one),
        removed=tuple(number for number in old if number not in new),
    )


def after_change(before: StaffKnown, change: StaffChanged) -> StaffKnown:
    """Who is known behind the entry of a change."""
    people = _by_number(before) | {one.number: one for one in (*change.added, *change.changed)}
    left = (one for number, one in sorted(people.items()) if number not in change.removed)
    return StaffKnown(change.digest, tuple(left))


def _by_number(known: StaffKnown) -> dict[Person, StaffEntry]:
    return {one.number: one for one in known.people}


def _entry(member: StaffMember) -> StaffEntry:
    parts = (str(member.number), member.name, member.role.value, member.pin_hash, member.badge)
    return StaffEntry(member.number, member.role, sha256("\0".join(parts).encode()).hexdigest()[:32])
