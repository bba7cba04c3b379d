"""What the journal says of people: who came, changed, left; enough to know it again, nothing to guess a PIN from."""

from controller.core.words import Role
from controller.staff import HashCost, StaffBook, StaffKnown, known_of
from controller.staff.known import StaffChanged, after_change, change_between

CHEAP = HashCost(memory_kib=8, time_cost=1, parallelism=1)
ANA = (12, "Ana Reis", Role.CHIEF_SUPERVISOR, "471108")
RUI = (3, "Rui Sá", Role.DEALER, "480091")


def change(before: StaffKnown, now: StaffKnown) -> StaffChanged:
    found = change_between(before, now)
    assert found is not None
    assert after_change(before, found) == now, "whoever reads the entries knows as much as who wrote them"
    return found


def test_who_came_who_changed_and_who_left_is_told_each_with_number_and_role() -> None:
    one = StaffBook(cost=CHEAP).with_person(*ANA)
    first = change(StaffKnown(), known_of(one))
    assert [(person.number, person.role) for person in first.added] == [(12, Role.CHIEF_SUPERVISOR)]
    two = one.with_person(*RUI)
    assert [person.number for person in change(known_of(one), known_of(two)).added] == [3]
    other_pin = change(known_of(two), known_of(two.with_pin(3, "903317")))
    assert ([person.number for person in other_pin.changed], other_pin.added, other_pin.removed) == ([3], (), ())
    promoted = two.without(3).with_person(3, "Rui Sá", Role.CHIEF_SUPERVISOR, "480091")
    assert change(known_of(two), known_of(promoted)).changed[0].role is Role.CHIEF_SUPERVISOR
    assert change(known_of(two), known_of(one)).removed == (3,)
    assert change_between(known_of(two), known_of(two)) is None


def test_neither_name_nor_hash_stands_in_what_the_journal_gets() -> None:
    book = StaffBook(cost=CHEAP).with_person(*ANA)
    told = repr(change(StaffKnown(), known_of(book)))
    assert "Ana" not in told
    assert book.people[0].pin_hash.rsplit("$", 1)[1] not in told
