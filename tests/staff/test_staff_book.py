"""People and PINs: who is let in, who is not, and at what cost."""

import time

import pytest

from controller.core.words import Role
from controller.staff import HashCost, StaffBook, StaffMember, StaffRefused, check_pin

CHEAP = HashCost(memory_kib=64, time_cost=1, parallelism=1)


@pytest.fixture
def book() -> StaffBook:
    book = StaffBook(cost=CHEAP).with_person(12, "Ana Reis", Role.CHIEF_SUPERVISOR, "4711")
    return book.with_person(3, "Rui Sá", Role.DEALER, "480012345678")


def test_nobody_is_in_a_new_book() -> None:
    assert StaffBook().people == ()


def test_the_right_pin_gives_the_role(book: StaffBook) -> None:
    assert book.verify(12, "4711") is Role.CHIEF_SUPERVISOR
    assert book.verify(3, "480012345678") is Role.DEALER


@pytest.mark.parametrize(
    ("person", "pin"),
    [
        (12, "4712"),
        (12, ""),
        (12, "4711 "),
        (12, "480012345678"),
        (3, "4800123456789"),  # longer than any PIN, and right up to there
        (13, "4711"),
        (-1, "4711"),
    ],
)
def test_anything_else_gives_nothing(book: StaffBook, person: int, pin: str) -> None:
    assert book.verify(person, pin) is None


def test_an_unknown_person_costs_what_a_wrong_pin_costs() -> None:
    cost = HashCost(memory_kib=4_096, time_cost=4, parallelism=1)
    book = StaffBook(cost=cost).with_person(12, "Ana", Role.DEALER, "4711")

    def fastest_s(person: int) -> float:
        took = []
        for _ in range(5):
            start = time.process_time()
            assert book.verify(person, "9876") is None
            took.append(time.process_time() - start)
        return min(took)

    assert 0.5 < fastest_s(99) / fastest_s(12) < 2


def test_the_same_pin_of_two_people_has_two_hashes(book: StaffBook) -> None:
    book = book.with_person(13, "Eva", Role.DEALER, "4711")
    assert len({member.pin_hash for member in book.people}) == 3


def test_a_hash_does_not_stand_where_a_book_is_printed(book: StaffBook) -> None:
    assert "argon2" not in repr(book)


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "１２３４", "1111", " 1234"])
def test_weak_pins_are_refused(pin: str) -> None:
    with pytest.raises(StaffRefused):
        check_pin(pin)
    with pytest.raises(StaffRefused):
        StaffBook(cost=CHEAP).with_person(1, "Ana", Role.DEALER, pin)


@pytest.mark.parametrize(
    ("number", "name", "key"),
    [(0, "Ana", "number"), (100_000, "Ana", "number"), (1, "", "name"), (1, "A\nna", "name"), (1, " ", "name")],
)
def test_a_person_has_a_number_and_a_name(number: int, name: str, key: str) -> None:
    with pytest.raises(StaffRefused) as refused:
        StaffBook(cost=CHEAP).with_person(number, name, Role.DEALER, "4711")
    assert refused.value.key == f"staff.refused.{key}"


def test_a_number_belongs_to_one_person(book: StaffBook) -> None:
    with pytest.raises(StaffRefused):
        book.with_person(12, "Eva", Role.DEALER, "4711")
    with pytest.raises(StaffRefused):
        StaffBook((*book.people, book.people[0]), CHEAP)


def test_without(book: StaffBook) -> None:
    smaller = book.without(12)
    assert [member.number for member in smaller.people] == [3]
    assert smaller.verify(12, "4711") is None
    with pytest.raises(StaffRefused):
        smaller.without(12)


@pytest.mark.parametrize("cost", [(7, 1, 1), (64, 0, 1), (64, 1, 0), (64, 1, 9), (2_097_152, 1, 1), (64, 21, 1)])
def test_a_cost_that_cannot_be(cost: tuple[int, int, int]) -> None:
    with pytest.raises(StaffRefused):
        HashCost(*cost)


@pytest.mark.parametrize(
    "pin_hash",
    [
        "",
        "4711",
        "$2b$12$abcdefghijklmnopqrstuv",
        "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$MTIzNDU2Nzg5MDEyMzQ1Ng",
        "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$MTIzNDU2Nzg5MDEyMzQ1Ng",
    ],
)
def test_a_hash_that_is_none_is_refused(pin_hash: str) -> None:
    with pytest.raises(StaffRefused):
        StaffMember(12, "Ana", Role.DEALER, pin_hash)
