"""The jackpot's pool by hand: written examples of clauses pt.bj.38 to 50, and what a false journal is told."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.oracles.pool import CENT, Movement, Pool, Prize, in_order, movement

# The fixture of the written scenarios: stake 1.00, rate 80 %, base 10,000.00.
PARAMETERS = {"stake_cents": 100, "rate": "0.8", "reset_cents": 1_000_000}
SMALL, MIDDLE, LARGEST = 20_000, 50_000, 0  # 6-7-8 of one suit, three 7s, three 7s of one suit
Body = dict[str, Any]


def entry(kind: str, **body: object) -> Body:
    return {"kind": f"jackpot-{kind}", "body": body}


BEGUN = (entry("parameters-set", **PARAMETERS), entry("started", cents=1_000_000))


def bets(count: int) -> Body:
    return entry("bets-collected", bets=count, stake_cents=100, rate="4/5")


def up_to(cents: int) -> tuple[Body, ...]:
    """The fixture's pool with as many bets as bring it there, and the rest laid in by the house."""
    count, rest = divmod(cents - 1_000_000, 80)
    return (*BEGUN, bets(count), entry("transferred", cents=rest, level="", target="pool"))


def pool_of(*entries: Body) -> Pool:
    pool = Pool()
    for one in entries:
        moved = movement(one)
        assert moved is not None
        pool.take(moved)
    return pool


def cents(pool: Pool) -> int:
    return pool.levels["pool"] // CENT


def test_an_entry_that_is_none_of_the_pools_is_passed_over() -> None:
    assert movement({"kind": "card-drawn", "body": {"card": "AS"}}) is None


@pytest.mark.parametrize(
    ("stake", "start", "is_enough"),
    [(100, 999_999, False), (100, 1_000_000, True), (250, 2_499_999, False), (250, 2_500_000, True)],
)
def test_jp_01_the_start_value(stake: int, start: int, is_enough: bool) -> None:
    parameters = entry("parameters-set", stake_cents=stake, rate="0.8", reset_cents=start)
    assert (pool_of(parameters, entry("started", cents=start)).wrong == []) == is_enough


@pytest.mark.parametrize(("chips", "grown"), [(4, 320), (3, 240), (0, 0)])
def test_jp_06_what_a_collection_adds(chips: int, grown: int) -> None:
    before, pool = cents(pool_of(*up_to(1_234_567))), pool_of(*up_to(1_234_567), bets(chips))
    assert (before, cents(pool) - before, pool.wrong) == (1_234_567, grown, [])


def test_jp_12_smallest_to_largest_and_the_remainder() -> None:
    prizes = [{"seat": 6}, {"seat": 4, "cents": MIDDLE}, {"seat": 2, "cents": SMALL}]
    pool = pool_of(*up_to(1_234_887), entry("hit", prizes=prizes))
    assert pool.owed == [(2, 20_000), (4, 50_000), (6, 1_164_887)]
    assert cents(pool) == 0
    for seat, paid in list(pool.owed):
        pool.take(Movement("paid", paid, number=seat, by_hand=seat == 6))
    pool.take(Movement("reset", 1_000_000))
    assert (cents(pool), pool.wrong) == (1_000_000, [])
    assert pool.meters["hits"] == 3
    assert pool.meters["paid"] == 1_234_887 * CENT
    assert pool.meters["paid_by_hand"] == 1_164_887 * CENT


def test_jp_14_two_largest_share_and_the_spare_cent_goes_by_seat() -> None:
    prizes = (Prize(6), Prize(3))
    assert in_order(1_164_887 * CENT, prizes) == ([(3, 582_444), (6, 582_443)], True)
    for largest in range(1, 8):
        paid, covers = in_order(1_164_887 * CENT + 9_999, [Prize(seat) for seat in range(largest)])
        assert covers
        assert sum(share for _seat, share in paid) == 1_164_887


def test_jp_16_without_the_largest_the_pool_only_drops() -> None:
    hit = entry("hit", prizes=[{"seat": 2, "cents": SMALL}])
    pool = pool_of(*up_to(1_234_887), hit, entry("paid", seat=2, cents=20_000), bets(1))
    assert (cents(pool), pool.wrong) == (1_214_887 + 80, [])


def test_jp_18_a_part_of_the_pool_is_rounded_down_to_cents() -> None:
    pool = pool_of(*up_to(1_234_887), entry("hit", prizes=[{"seat": 2, "percent": "10"}]))
    assert (pool.owed, cents(pool)) == ([(2, 123_488)], 1_111_399)


def test_all_parts_are_of_the_pool_before_the_first_prize() -> None:
    prizes = [Prize(5, percent=Fraction(10)), Prize(4, percent=Fraction(10)), Prize(1, percent=Fraction("33.333333"))]
    assert in_order(100_000 * CENT, prizes) == ([(4, 10_000), (5, 10_000), (1, 33_333)], True)


def test_a_pool_that_cannot_pay_stops_and_never_goes_below_nothing() -> None:
    prizes = (Prize(1, 30_000), Prize(2, 80_000), Prize(3, 30_000), Prize(7))
    assert in_order(100_000 * CENT, prizes) == ([(1, 30_000), (3, 30_000)], False)
    assert in_order(140_000 * CENT, prizes)[0] == [(1, 30_000), (3, 30_000), (2, 80_000), (7, 0)]
    low = (entry("parameters-set", stake_cents=1, rate="1", reset_cents=10_000), entry("started", cents=10_000))
    pool = pool_of(*low, entry("hit", prizes=[{"seat": 1, "cents": 10_001}]))
    assert (pool.wrong, cents(pool), pool.owed) == (["the pool does not cover the prizes"], 10_000, [])
    with_largest = pool_of(*low, entry("hit", prizes=[{"seat": 1, "cents": 10_001}, {"seat": 2}]))
    with_largest.take(Movement("reset", 10_000))
    assert "a reset that was not due" in with_largest.wrong


PRIZES = st.lists(
    st.tuples(st.integers(1, 7), st.integers(0, 300_000), st.integers(0, 10**8)).map(
        lambda one: Prize(one[0], one[1], Fraction(one[2], 10**6))
    ),
    max_size=7,
)


@given(st.integers(0, 10**11), PRIZES)
def test_no_prizes_take_more_than_the_pool_and_the_largest_leaves_less_than_a_cent(
    pool: int, prizes: list[Prize]
) -> None:
    paid, covers = in_order(pool, prizes)
    left = pool - sum(share for _seat, share in paid) * CENT
    has_largest = any(not one.cents and not one.percent for one in prizes)
    assert left >= 0
    assert not (covers and has_largest) or left < CENT
    assert not covers or sorted(seat for seat, _share in paid) == sorted(one.seat for one in prizes)


def test_less_than_a_cent_begins_the_next_pool() -> None:
    parameters = entry("parameters-set", stake_cents=100, rate="0.123456", reset_cents=1_000_000)
    one = entry("bets-collected", bets=1, stake_cents=100, rate="0.123456")
    hit = (entry("hit", prizes=[{"seat": 1}]), entry("paid", seat=1, cents=1_000_012))
    pool = pool_of(parameters, BEGUN[1], one, *hit, entry("reset", cents=1_000_000))
    assert pool.levels["pool"] == 1_000_000 * CENT + 3_456
    assert pool.wrong == []


def test_parameters_hold_from_the_next_reset_on() -> None:
    other = entry("parameters-set", stake_cents=100, rate="0.5", reset_cents=2_000_000)
    hit = (entry("hit", prizes=[{"seat": 1}]), entry("paid", seat=1, cents=1_000_080))
    by_half = entry("bets-collected", bets=1, stake_cents=100, rate="0.5")
    good = pool_of(*BEGUN, other, bets(1), *hit, entry("reset", cents=2_000_000), by_half)
    assert (good.wrong, cents(good)) == ([], 2_000_050)
    too_soon = pool_of(*BEGUN, other, by_half)
    assert too_soon.wrong == ["another stake or rate than approved"]
    old_amount = pool_of(*BEGUN, other, bets(1), *hit, entry("reset", cents=1_000_000))
    assert old_amount.wrong == ["another reset amount than approved"]


def test_a_reserve_grows_beside_the_pool_and_is_moved_into_it() -> None:
    reserve = entry("bets-collected", bets=10, stake_cents=100, rate="0.05", level="reserve")
    moved = entry("transferred", cents=50, level="reserve", target="pool")
    pool = pool_of(*BEGUN, reserve, moved)
    assert (cents(pool), pool.levels["reserve"], pool.wrong) == (1_000_050, 0, [])
    too_much = pool_of(*BEGUN, reserve, moved, moved)
    assert too_much.wrong == ["a level is below nothing"]


HIT = entry("hit", prizes=[{"seat": 2, "cents": SMALL}, {"seat": 4, "cents": MIDDLE}])
FALSE = [
    ((entry("paid", seat=2, cents=20_000),), "paid seat 2 20000, owed None"),
    ((HIT, entry("paid", seat=4, cents=50_000)), "paid seat 4 50000, owed (2, 20000)"),
    ((HIT, entry("paid", seat=2, cents=20_001)), "paid seat 2 20001, owed (2, 20000)"),
    ((HIT, HIT), "a hit while another one is owed"),
    ((entry("reset", cents=1_000_000),), "a reset that was not due"),
    ((HIT, *(entry("paid", seat=s, cents=c) for s, c in ((2, 20_000), (4, 50_000))), entry("reset", cents=1_000_000)),
     "a reset that was not due"),
    ((entry("hit", prizes=[{"seat": 1}]), entry("reset", cents=1_000_000)), "a reset that was not due"),
    ((entry("hit", prizes=[{"seat": 1}]), bets(1)), "bets while the pool waits for its reset"),
    ((entry("bets-collected", bets=1, stake_cents=200, rate="0.8"),), "another stake or rate than approved"),
    ((entry("bets-collected", bets=1, stake_cents=100, rate="0.9"),), "another stake or rate than approved"),
    ((entry("bets-collected", bets=1, stake_cents=1, rate="1/3", level="reserve"),), "10000/3 is no whole millionth"),
    ((entry("claimed", pool_cents=1_000_001),), "claimed {'pool_cents': 1000001}, found {'pool_cents': 1000000}"),
    ((bets(2), entry("claimed", contributions=0)), "claimed {'contributions': 0}, found {'contributions': 1600000}"),
]  # fmt: skip


@pytest.mark.parametrize(("entries", "expected"), FALSE)
def test_a_false_journal_is_told(entries: tuple[Body, ...], expected: str) -> None:
    assert expected in pool_of(*BEGUN, *entries).wrong


def test_true_claims_and_those_about_a_hit_that_is_still_owed_are_left_alone() -> None:
    true = entry("claimed", pool_cents=1_000_160, contributions=160 * CENT, hits=0, paid=0)
    pool = pool_of(*BEGUN, bets(2), true, HIT, entry("claimed", pool_cents=1_000_160))
    assert pool.wrong == []


def test_a_word_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(AttributeError):
        pool_of(entry("stolen", cents=1))


def test_what_is_paid_without_being_owed_leaves_the_books_open() -> None:
    wrong = pool_of(*BEGUN, entry("paid", seat=2, cents=1)).wrong
    assert f"{1_000_001 * CENT} millionths are there or paid, {1_000_000 * CENT} have come in" in wrong
