"""The people of a casino: numbers, names, roles and the hashes of their PINs. There is no default account.

A PIN is checked by argon2id with the cost in the staff file. A wrong PIN and an unknown number get the same answer
after the same time.
"""

import base64
import re
import secrets
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import InvalidHashError, VerificationError, VerifyMismatchError
from argon2.low_level import Type
from msgspec import structs

from controller.core.words import Person, Role
from controller.protocol.lines import LARGEST_PERSON as LARGEST_NUMBER
from controller.staff.common_pins import is_common
from controller.staff.former import Forgotten, FormerMember, line_digest

HASH_BYTES: Final = 32
SALT_BYTES: Final = 16


class StaffRefused(Exception):  # noqa: N818 (the name says what became of it)
    """A staff file, or a change of it, is refused. `key`: the catalogue key of the sentence with the reason. `values`:
    the values for the sentence's placeholders.
    """

    def __init__(self, key: str, **values: str) -> None:
        super().__init__(f"{key} {values}" if values else key)
        self.key = f"staff.refused.{key}"
        self.values = tuple(values.items())


@dataclass(frozen=True, slots=True)
class HashCost:
    """The cost of one check of a PIN. The default is the cost that RFC 9106 recommends for little memory."""

    memory_kib: int = 65_536
    time_cost: int = 3
    parallelism: int = 4

    def __post_init__(self) -> None:
        """Raises StaffRefused for a cost that argon2 does not permit, or that would overload a small computer."""
        if not (
            1 <= self.parallelism <= 16
            and 8 * self.parallelism <= self.memory_kib <= 1_048_576
            and 1 <= self.time_cost <= 20
        ):
            raise StaffRefused("hash-cost")

    def hasher(self) -> PasswordHasher:
        return PasswordHasher(
            time_cost=self.time_cost,
            memory_cost=self.memory_kib,
            parallelism=self.parallelism,
            hash_len=HASH_BYTES,
            salt_len=SALT_BYTES,
            type=Type.ID,
        )


@dataclass(frozen=True, slots=True)
class StaffMember:
    """One person who may act. `badge`: the number of the person's badge, "" without a badge; a badge identifies the
    person and permits nothing by itself. Raises StaffRefused for an invalid number, name, hash or badge.
    """

    number: Person
    name: str
    role: Role
    pin_hash: str = field(repr=False)
    badge: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.number <= LARGEST_NUMBER:
            raise StaffRefused("number", number=str(self.number))
        _check_name(self.number, self.name)
        _check_hash(self.number, self.pin_hash)
        if self.badge and not re.fullmatch(r"[0-9A-F]{4,20}", self.badge):
            raise StaffRefused("badge", number=str(self.number))

    @property
    def line(self) -> str:
        """The digest of this person's line in the staff file, which the journal records."""
        return line_digest(str(self.number), self.name, self.role.value, self.pin_hash, self.badge)


def _check_name(number: Person, name: str) -> None:
    if not 1 <= len(name) <= 64 or not name.isprintable() or name.isspace():
        raise StaffRefused("name", number=str(number))


def _check_hash(number: Person, pin_hash: str) -> None:
    try:
        found = extract_parameters(pin_hash)
    except InvalidHashError as error:
        raise StaffRefused("pin-hash", number=str(number)) from error
    if found.type is not Type.ID:
        raise StaffRefused("pin-hash", number=str(number))
    HashCost(found.memory_cost, found.time_cost, found.parallelism)


@dataclass(frozen=True, slots=True)
class StaffBook:
    """The content of a staff file: the people who may act at the casino's tables (`people`), the people who have left
    (`former`), and the numbers whose names were removed (`forgotten`).
    """

    people: tuple[StaffMember, ...] = ()
    cost: HashCost = HashCost()
    former: tuple[FormerMember, ...] = ()
    forgotten: tuple[Forgotten, ...] = ()
    _nobody: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises StaffRefused if a number or badge occurs twice."""
        numbers = [member.number for member in self.people]
        numbers += [left.number for left in self.former] + [cut.number for cut in self.forgotten]
        for number in numbers:
            if numbers.count(number) > 1:
                raise StaffRefused("number-twice", number=str(number))
        badges = [member.badge for member in self.people if member.badge]
        for badge in badges:
            if badges.count(badge) > 1:
                raise StaffRefused("badge-twice", badge=badge)
        object.__setattr__(self, "_nobody", _hash_of_nobody(self.cost))

    def verify(self, person: int, pin: str) -> Role | None:
        """Returns the person's role if the PIN is right, and None for a wrong PIN. Takes equally long (0.1 s) for an
        unknown person. Raises StaffRefused if the hash cannot be computed.
        """
        member = self.member(person)
        pin_hash = self._nobody if member is None else member.pin_hash
        try:
            self.cost.hasher().verify(pin_hash, pin if SHORTEST_PIN <= len(pin) <= LONGEST_PIN else "")
        except VerifyMismatchError:
            return None
        except VerificationError as error:  # for example out of memory, which is no wrong PIN
            raise StaffRefused("not-checked", number=str(person)) from error
        return None if member is None else member.role

    def member(self, person: int) -> StaffMember | None:
        """Returns the person with this number; None if the book has no such person."""
        return next((member for member in self.people if member.number == person), None)

    def owner_of(self, badge: str) -> StaffMember | None:
        """Returns the person with this badge; None if no person has it."""
        return next((member for member in self.people if badge and member.badge == badge), None)

    def with_person(self, number: int, name: str, role: Role, pin: str, badge: str = "") -> "StaffBook":
        """Returns the book with a new person, or with a former person who returns with the same number and name.

        Raises StaffRefused for a weak PIN, an invalid number or name, or a badge or number that is taken. The numbers
        of other former people and of removed names are taken, too.
        """
        if self.member(number) is not None:
            raise StaffRefused("number-twice", number=str(number))
        left = self.former_member(number)
        if number in self.forgotten_numbers or (left is not None and left.name != name):
            raise StaffRefused("number-left", number=str(number))
        check_pin(pin)
        member = StaffMember(Person(number), name, role, self.cost.hasher().hash(pin), badge)
        former = tuple(one for one in self.former if one is not left)
        return replace(self, people=tuple(sorted((*self.people, member), key=lambda one: one.number)), former=former)

    def with_pin(self, number: int, pin: str) -> "StaffBook":
        """Returns the book with the PIN `pin` for the person with this number.

        Raises StaffRefused for a weak PIN or an unknown number.
        """
        member = self.member(number)
        if member is None:
            raise StaffRefused("unknown", number=str(number))
        check_pin(pin)
        changed = replace(member, pin_hash=self.cost.hasher().hash(pin))
        return replace(self, people=tuple(changed if one is member else one for one in self.people))

    def with_name(self, number: int, name: str) -> "StaffBook":
        """Returns the book with the name `name` for the person with this number.

        Raises StaffRefused for an unknown number or an invalid name.
        """
        member = self.member(number)
        if member is None:
            raise StaffRefused("unknown", number=str(number))
        return replace(self, people=tuple(replace(one, name=name) if one is member else one for one in self.people))

    def without(self, number: int, on: date | None) -> "StaffBook":
        """Returns the book with this person moved to the former people. Raises StaffRefused for an unknown number.

        `on`: the day of leaving; None if the clock is not trusted. A second call for a former person adds an unknown
        day.
        """
        member, undated = self.member(number), self.former_member(number)
        if member is None and undated is not None and undated.left is None:
            former = tuple(structs.replace(one, left=on) if one is undated else one for one in self.former)
            return replace(self, former=former)
        if member is None:
            raise StaffRefused("unknown", number=str(number))
        left = FormerMember(member.number, member.name, member.line, on)
        people = tuple(one for one in self.people if one is not member)
        return replace(self, people=people, former=(*self.former, left))

    def forgetting(self, cut: Forgotten, kept_days: int) -> "StaffBook":
        """Returns the book without the name of the former person in `cut`, who must have left at least `kept_days` days
        before.

        Raises StaffRefused for an unknown person, for one who has not left, for an unknown day of leaving, and before
        the days are over.
        """
        if self.member(cut.number) is not None:
            raise StaffRefused("not-left", number=str(cut.number))
        left = self.former_member(cut.number)
        if left is None:
            raise StaffRefused("unknown", number=str(cut.number))
        until = left.kept_until(kept_days)
        if until is None:
            raise StaffRefused("left-undated", number=str(cut.number))
        if cut.on < until:
            raise StaffRefused("too-early", number=str(cut.number), day=until.isoformat())
        former = tuple(one for one in self.former if one is not left)
        return replace(self, former=former, forgotten=(*self.forgotten, cut))

    def former_member(self, number: int) -> FormerMember | None:
        """Returns the former person with this number; None if the book has no such person."""
        return next((one for one in self.former if one.number == number), None)

    @property
    def forgotten_numbers(self) -> frozenset[int]:
        return frozenset(int(one.number) for one in self.forgotten)


SHORTEST_PIN: Final = 6
LONGEST_PIN: Final = 12


def check_pin(pin: str) -> None:
    """Raises StaffRefused unless the PIN is 6 to 12 digits that are not easily guessed."""
    if not re.fullmatch(rf"[0-9]{{{SHORTEST_PIN},{LONGEST_PIN}}}", pin):
        raise StaffRefused("pin-short")
    if is_common(pin):
        raise StaffRefused("pin-common")


def _hash_of_nobody(cost: HashCost) -> str:
    """Returns a hash of this cost that fits no PIN. With it, the check of an unknown person takes as long as that of a
    wrong PIN.
    """

    def text(size: int) -> str:
        return base64.b64encode(secrets.token_bytes(size)).decode("ascii").rstrip("=")

    parameters = f"m={cost.memory_kib},t={cost.time_cost},p={cost.parallelism}"
    return f"$argon2id$v=19${parameters}${text(SALT_BYTES)}${text(HASH_BYTES)}"
