"""The journal records each person who is added, changed or removed. It recognises a staff book, and reveals no PIN."""

from dataclasses import replace
from datetime import date

from msgspec import structs

from controller.core.words import Person, Role
from controller.staff import Forgotten, HashCost, StaffBook, StaffKnown, known_of
from controller.staff.known import StaffChanged, after_change, change_between

CHEAP = HashCost(memory_kib=8, time_cost=1, parallelism=1)
ANA = (12, "Ana Reis", Role.CHIEF_SUPERVISOR, "471108")
RUI = (3, "Rui Sá", Role.DEALER, "480091")
DAY = date(2026, 11, 27)


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
    promoted = two.without(3, DAY).with_person(3, "Rui Sá", Role.CHIEF_SUPERVISOR, "480091")
    assert change(known_of(two), known_of(promoted)).changed[0].role is Role.CHIEF_SUPERVISOR
    assert change(known_of(two), known_of(one)).removed == (3,)
    assert change_between(known_of(two), known_of(two)) is None


def test_neither_name_nor_hash_stands_in_what_the_journal_gets() -> None:
    book = StaffBook(cost=CHEAP).with_person(*ANA)
    told = repr(change(StaffKnown(), known_of(book)))
    assert "Ana" not in told
    assert book.people[0].pin_hash.rsplit("$", 1)[1] not in told


def test_a_name_that_is_cut_is_told_once_with_the_number_and_with_who_cut_it() -> None:
    book = StaffBook(cost=CHEAP).with_person(*ANA).with_person(*RUI)
    left = book.without(3, DAY)
    cut = left.forgetting(Forgotten(Person(3), Person(7), Person(12), DAY), 0)
    told = change(known_of(left), known_of(cut))
    assert [(one.number, one.room_manager, one.chief_supervisor, one.on) for one in told.forgotten] == [
        (3, 7, 12, "2026-11-27")
    ]
    later = change(known_of(cut), known_of(cut.with_pin(12, "903317")))
    assert later.forgotten == ()


def test_a_day_that_is_given_later_is_a_change() -> None:
    undated = StaffBook(cost=CHEAP).with_person(*RUI).without(3, None)
    told = change(known_of(undated), known_of(undated.without(3, DAY)))
    assert (told.added, told.changed, told.removed, told.forgotten) == ((), (), (), ())


def test_no_name_can_be_tried_against_what_the_journal_has_of_those_who_have_left() -> None:
    left = StaffBook(cost=CHEAP).with_person(*RUI).without(3, DAY)
    other = replace(left, former=(structs.replace(left.former[0], name="Ana Reis"),))
    assert known_of(left) == known_of(other), "the name is in no digest, since all else that a digest is of is known"
