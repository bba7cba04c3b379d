"""The wait after wrong PINs doubles, has an upper bound, survives a restart, and is each person's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.staff import Lockout, wait_after_ms
from controller.staff.lockout import A_MINUTE_MS, FORGOTTEN_MS, LONGEST_WAIT_MS, MANY, MANY_ELSEWHERE, TERMINAL_WAIT_MS

tries = st.lists(st.tuples(st.integers(1, 3), st.integers(0, 400_000), st.booleans()), max_size=40)


def fold(lockout: Lockout, entries: list[tuple[int, int, bool]]) -> Lockout:
    now_ms = 0
    for person, after_ms, right in entries:
        now_ms += after_ms
        lockout = lockout.after(person, now_ms, right=right)
    return lockout


def test_the_wait_doubles_from_one_second_to_five_minutes() -> None:
    waits = [wait_after_ms(wrong) for wrong in range(13)]
    assert waits == [
        0,
        1_000,
        2_000,
        4_000,
        8_000,
        16_000,
        32_000,
        64_000,
        128_000,
        256_000,
        300_000,
        300_000,
        300_000,
    ]
    assert wait_after_ms(10**9) == 300_000


def test_a_wrong_pin_delays_the_next_try_and_a_right_one_ends_it() -> None:
    lockout = Lockout().after(12, 5_000, right=False)
    assert [lockout.wait_ms(12, at_ms) for at_ms in (5_000, 5_999, 6_000, 9_000)] == [1_000, 1, 0, 0]
    lockout = lockout.after(12, 6_000, right=False)
    assert lockout.wait_ms(12, 6_000) == 2_000
    assert lockout.after(12, 8_000, right=True).wait_ms(12, 8_000) == 0
    assert lockout.after(12, 8_000, right=True).after(12, 8_000, right=False).wait_ms(12, 8_000) == 1_000


def test_nobody_else_waits() -> None:
    assert Lockout().after(12, 0, right=False).wait_ms(13, 0) == 0


def wrong_at(terminal: str, times: int, person: int | None = None) -> Lockout:
    lockout = Lockout()
    for number in range(times):
        lockout = lockout.after(person or 100 + number, number * 1000, right=False, terminal=terminal)
    return lockout


def test_nobody_waits_at_one_terminal_for_what_was_typed_at_another() -> None:
    lockout = wrong_at("1001/tablet", 30, person=12)
    assert lockout.wait_ms(12, 30_000, "1001/tablet") > 200_000
    assert lockout.wait_ms(12, 30_000, "1001/table-screen") == 0


def test_a_terminal_with_ten_wrong_pins_waits_a_little_whoever_asks_and_never_long() -> None:
    assert wrong_at("1001", MANY - 1).wait_ms(7, 9_000, "1001") == 0
    lockout = wrong_at("1001", MANY)
    assert [lockout.wait_ms(7, at_ms, "1001") for at_ms in (9_000, 24_000)] == [TERMINAL_WAIT_MS, 0]
    assert wrong_at("1001", 1000).wait_ms(7, 999_000, "1001") == TERMINAL_WAIT_MS
    assert lockout.wait_ms(7, 9_000, "1002") == 0
    later_ms = FORGOTTEN_MS + 2_000
    assert lockout.after(7, later_ms, right=False, terminal="1001").wait_ms(8, later_ms, "1001") == 0


def test_what_is_an_hour_old_counts_for_nothing_and_is_not_kept() -> None:
    lockout = wrong_at("1001", MANY)
    assert lockout.wrong_within_the_hour(FORGOTTEN_MS - 1) == MANY
    assert lockout.wrong_within_the_hour(FORGOTTEN_MS + 8_000) == 1
    later = lockout.after(7, FORGOTTEN_MS + 9_000, right=False, terminal="1002")
    assert set(later.tries) == {("1002", 7)}
    assert set(later.of_terminal) == {"1002"}


MOST_A_MINUTE = 20
"""The most wrong PINs in a minute, checked at all terminals of one user except the table's (SECURITY.md)."""


def tried(asked: list[tuple[str, int]]) -> list[int]:
    """The times in ms at which wrong PINs, each for another person, are checked. `asked`: terminal and ms of each."""
    lockout, now_ms, checked = Lockout(), 0, list[int]()
    for number, (terminal, after_ms) in enumerate(asked):
        now_ms += after_ms
        if lockout.wait_ms(number, now_ms, terminal) == 0:
            checked.append(now_ms)
            lockout = lockout.after(number, now_ms, right=False, terminal=terminal)
    return checked


def most_within_a_minute(times: list[int]) -> int:
    return max((sum(first <= time < first + A_MINUTE_MS for time in times) for first in times), default=0)


@given(st.lists(st.tuples(st.integers(1, 30).map("7/panel-{}".format), st.integers(0, 9_000)), max_size=200))
def test_from_however_many_terminals_few_are_checked_a_minute(asked: list[tuple[str, int]]) -> None:
    assert most_within_a_minute(tried(asked)) <= MOST_A_MINUTE


@pytest.mark.slow
def test_an_hour_s_guessing_from_everywhere_at_once_is_bounded_and_goes_on() -> None:
    """An hour's guessing is bounded and not blocked: ten tries a second from 254 addresses, in turn or one by one."""
    for terminals in ([f"7/panel-{number % 254}" for number in range(36_000)], ["7/panel-1", "7/panel-2"] * 18_000):
        times = tried([(terminal, 100) for terminal in terminals])
        assert most_within_a_minute(times) <= MOST_A_MINUTE
        assert 2 * 60 < len(times) <= MOST_A_MINUTE * 60


def sprayed(terminals: int) -> Lockout:
    lockout = Lockout()
    for number in range(terminals):
        lockout = lockout.after(12, number, right=False, terminal=f"7/panel-{number}")
    return lockout


def test_a_screen_without_wrong_pins_waits_later_than_one_that_has_some_and_never_for_itself() -> None:
    few, many = sprayed(MANY_ELSEWHERE + 1), sprayed(2 * MANY_ELSEWHERE)
    now_ms = 2 * MANY_ELSEWHERE
    assert few.wait_ms(13, now_ms, "7/panel-0") > 0
    assert few.wait_ms(13, now_ms, "7/tablet") == 0
    assert many.wait_ms(13, now_ms, "7/tablet") > 0
    assert many.wait_ms(13, A_MINUTE_MS + now_ms, "7/tablet") == 0
    alone = wrong_at("7/tablet", MANY - 1)
    assert alone.wait_ms(7, MANY * 1000, "7/tablet") == 0


def test_nothing_that_is_typed_elsewhere_keeps_anybody_waiting_at_the_table_or_at_another_user_s() -> None:
    lockout = sprayed(200)
    assert lockout.wait_ms(12, 200, "7/screen") == 0
    assert lockout.wait_ms(12, 200, "8/tablet") == 0
    at_table = wrong_at("7/screen", MANY)
    assert at_table.wait_ms(12, 9_000, "7/screen") == TERMINAL_WAIT_MS
    assert at_table.wait_ms(12, 9_000, "7/tablet") == 0, "nor the other way round"


@given(tries, tries)
def test_a_restart_in_between_changes_nothing(
    before: list[tuple[int, int, bool]], after: list[tuple[int, int, bool]]
) -> None:
    whole = fold(Lockout(), before + after)
    end_of_before_ms = sum(after_ms for _person, after_ms, _right in before)
    rebuilt = fold(Lockout(), before)
    now_ms = end_of_before_ms
    for person, after_ms, right in after:
        now_ms += after_ms
        rebuilt = rebuilt.after(person, now_ms, right=right)
    assert rebuilt == whole


@given(tries, st.integers(1, 4), st.integers(0, 10**9))
def test_no_wait_is_longer_than_the_longest(entries: list[tuple[int, int, bool]], person: int, later_ms: int) -> None:
    lockout = fold(Lockout(), entries)
    now_ms = sum(after_ms for _person, after_ms, _right in entries)
    assert 0 <= lockout.wait_ms(person, now_ms + later_ms) <= LONGEST_WAIT_MS
    assert lockout.wait_ms(person, now_ms + LONGEST_WAIT_MS) == 0
