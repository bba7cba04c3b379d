"""The staff book admits and refuses people's PINs, at a known cost."""

import time
from datetime import date, timedelta

import pytest

from controller.core.words import Person, Role
from controller.staff import Forgotten, HashCost, StaffBook, StaffMember, StaffRefused, check_pin
from controller.staff.common_pins import is_common
from tests.night import IS_NIGHT

CHEAP = HashCost(memory_kib=64, time_cost=1, parallelism=1)
DAY = date(2026, 11, 27)


@pytest.fixture
def book() -> StaffBook:
    book = StaffBook(cost=CHEAP).with_person(12, "Ana Reis", Role.CHIEF_SUPERVISOR, "471108")
    return book.with_person(3, "Rui Sá", Role.DEALER, "480012345678")


def test_nobody_is_in_a_new_book() -> None:
    assert StaffBook().people == ()


def test_the_right_pin_gives_the_role(book: StaffBook) -> None:
    assert book.verify(12, "471108") is Role.CHIEF_SUPERVISOR
    assert book.verify(3, "480012345678") is Role.DEALER


@pytest.mark.parametrize(
    ("person", "pin"),
    [
        (12, "471109"),
        (12, ""),
        (12, "471108 "),
        (12, "480012345678"),
        (3, "4800123456789"),  # longer than any PIN, and right up to there
        (13, "471108"),
        (-1, "471108"),
    ],
)
def test_anything_else_gives_nothing(book: StaffBook, person: int, pin: str) -> None:
    assert book.verify(person, pin) is None


def test_an_unknown_person_costs_what_a_wrong_pin_costs() -> None:
    cost = HashCost(memory_kib=4_096, time_cost=4, parallelism=1)
    book = StaffBook(cost=cost).with_person(12, "Ana", Role.DEALER, "471108")

    took_s: dict[int, list[float]] = {99: [], 12: []}
    for person in (99, 12) * 20:  # by turns, since a busy machine slows both
        start = time.process_time()
        assert book.verify(person, "9876") is None
        took_s[person].append(time.process_time() - start)
    assert 0.5 < min(took_s[99]) / min(took_s[12]) < 2


def test_the_same_pin_of_two_people_has_two_hashes(book: StaffBook) -> None:
    book = book.with_person(13, "Eva", Role.DEALER, "471108")
    assert len({member.pin_hash for member in book.people}) == 3


def test_a_hash_does_not_stand_where_a_book_is_printed(book: StaffBook) -> None:
    assert "argon2" not in repr(book)


@pytest.mark.parametrize("pin", ["", "47110", "1234567890123", "471a08", "４７１１０８", "1111", "4711", " 471108"])
def test_pins_that_are_none_are_refused(pin: str) -> None:
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
        StaffBook(cost=CHEAP).with_person(number, name, Role.DEALER, "471108")
    assert refused.value.key == f"staff.refused.{key}"


def test_a_number_belongs_to_one_person(book: StaffBook) -> None:
    with pytest.raises(StaffRefused):
        book.with_person(12, "Eva", Role.DEALER, "471108")
    with pytest.raises(StaffRefused):
        StaffBook((*book.people, book.people[0]), CHEAP)


def test_without(book: StaffBook) -> None:
    smaller = book.without(12, DAY)
    assert [member.number for member in smaller.people] == [3]
    assert smaller.verify(12, "471108") is None
    with pytest.raises(StaffRefused):
        smaller.without(12, DAY)


def test_a_number_of_somebody_who_has_left_is_given_to_nobody_else(book: StaffBook) -> None:
    left = book.without(12, DAY)
    with pytest.raises(StaffRefused, match="number-left"):
        left.with_person(12, "Eva", Role.DEALER, "471108")
    back = left.with_person(12, "Ana Reis", Role.DEALER, "471108")
    assert (back.verify(12, "471108"), back.former) == (Role.DEALER, ())
    cut = left.forgetting(Forgotten(Person(12), Person(7), Person(3), DAY), 0)
    for name in ("Eva", "Ana Reis"):
        with pytest.raises(StaffRefused, match="number-left"):
            cut.with_person(12, name, Role.DEALER, "471108")


def test_a_name_is_corrected_under_its_number(book: StaffBook) -> None:
    corrected = book.with_name(12, "Ana Reis Sá")
    assert [one.name for one in corrected.people if one.number == 12] == ["Ana Reis Sá"]
    assert corrected.verify(12, "471108") is Role.CHIEF_SUPERVISOR
    with pytest.raises(StaffRefused, match="unknown"):
        book.with_name(99, "Eva")


def test_a_name_is_cut_of_somebody_who_has_left_when_the_days_are_over(book: StaffBook) -> None:
    cut = Forgotten(Person(12), Person(7), Person(3), DAY + timedelta(days=30))
    with pytest.raises(StaffRefused, match="not-left"):
        book.forgetting(cut, 30)
    left = book.without(12, DAY)
    with pytest.raises(StaffRefused, match=r"too-early.*2026-12-28"):
        left.forgetting(cut, 31)
    gone = left.forgetting(cut, 30)
    assert (gone.former, gone.forgotten) == ((), (cut,))
    with pytest.raises(StaffRefused, match="unknown"):
        gone.forgetting(cut, 30)


def test_the_days_of_a_removal_without_a_day_count_from_the_one_that_is_given_later(book: StaffBook) -> None:
    undated = book.without(12, None)
    assert undated.verify(12, "471108") is None, "the removal itself waits for no clock"
    cut = Forgotten(Person(12), Person(7), Person(3), DAY + timedelta(days=30))
    with pytest.raises(StaffRefused, match="left-undated"):
        undated.forgetting(cut, 0)
    assert undated.without(12, None) == undated
    dated = undated.without(12, DAY)
    with pytest.raises(StaffRefused, match="too-early"):
        dated.forgetting(cut, 31)
    assert dated.forgetting(cut, 30).forgotten == (cut,)
    with pytest.raises(StaffRefused, match="unknown"):
        dated.without(12, DAY + timedelta(days=1))


@pytest.mark.parametrize("cost", [(7, 1, 1), (64, 0, 1), (64, 1, 0), (64, 1, 9), (2_097_152, 1, 1), (64, 21, 1)])
def test_a_cost_that_cannot_be(cost: tuple[int, int, int]) -> None:
    with pytest.raises(StaffRefused):
        HashCost(*cost)


@pytest.mark.parametrize(
    "pin_hash",
    [
        "",
        "471108",
        "$2b$12$abcdefghijklmnopqrstuv",
        "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$MTIzNDU2Nzg5MDEyMzQ1Ng",
        "$argon2id$v=19$m=4194304,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$MTIzNDU2Nzg5MDEyMzQ1Ng",
    ],
)
def test_a_hash_that_is_none_is_refused(pin_hash: str) -> None:
    with pytest.raises(StaffRefused):
        StaffMember(12, "Ana", Role.DEALER, pin_hash)


EQUAL = ("000000", "111111")
STEPS = ("123456", "654321", "890123", "135791", "1234567890")
BLOCKS = ("121212", "123123", "12341234", "112233", "665544", "123321", "456654", "001100")
WALKS = ("147258", "159753", "789456")


@pytest.mark.parametrize("pin", EQUAL + STEPS + BLOCKS + WALKS)
def test_pins_that_are_tried_first_are_refused(pin: str) -> None:
    with pytest.raises(StaffRefused) as refused:
        check_pin(pin)
    assert refused.value.key == "staff.refused.pin-common"


def test_few_pins_are_common() -> None:
    """All PINs are tried by night; every 41st by day, which favours no pattern of digits (111111 is 3003 times 37)."""
    every = 1 if IS_NIGHT else 41
    refused = every * sum(is_common(f"{number:06d}") for number in range(0, 1_000_000, every))
    assert 500 < refused < 3000, "less than 3 in 1000: nobody has to search for one"


def test_another_pin_is_the_only_one_from_then_on(book: StaffBook) -> None:
    changed = book.with_pin(12, "903317")
    assert changed.verify(12, "903317") is Role.CHIEF_SUPERVISOR
    assert changed.verify(12, "471108") is None
    assert changed.verify(3, "480012345678") is Role.DEALER
    for number, pin, key in ((99, "903317", "unknown"), (12, "90331", "pin-short"), (12, "123456", "pin-common")):
        with pytest.raises(StaffRefused) as refused:
            book.with_pin(number, pin)
        assert refused.value.key == f"staff.refused.{key}"


def test_a_pin_of_an_older_staff_file_that_is_too_short_opens_nothing() -> None:
    hashed = CHEAP.hasher().hash("4711")
    assert StaffBook((StaffMember(Person(12), "Ana", Role.DEALER, hashed),), CHEAP).verify(12, "4711") is None
