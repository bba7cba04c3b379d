"""The jackpot's pool by hand: written examples of clauses pt.bj.38 to 50, and the faults of false journals."""

from typing import Any

import pytest

from simulators.oracles.pool import CENT, Pool, movement

# The fixture of the written scenarios: stake 1.00, rate 80 %, base 10,000.00.
PARAMETERS = {"stake_cents": 100, "rate_ppm": 800_000, "reset_cents": 1_000_000}
SMALL, MIDDLE, LARGEST = 20_000, 50_000, 0  # 6-7-8 of one suit, three 7s, three 7s of one suit
Body = dict[str, Any]


def entry(kind: str, **body: object) -> Body:
    return {"kind": f"jackpot-{kind}", "body": body}


BEGUN = (entry("parameters-set", **PARAMETERS), entry("started", cents=1_000_000))


def bets(count: int) -> Body:
    return entry("bets-collected", bets=count, stake_cents=100, rate_ppm=800_000)


def up_to(cents: int) -> tuple[Body, ...]:
    """Returns the fixture's pool with as many bets as fit into this amount; the house adds the rest."""
    count, rest = divmod(cents - 1_000_000, 80)
    return (*BEGUN, bets(count), entry("transferred", millionths=rest * CENT, level="", target="pool"))


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
    parameters = entry("parameters-set", stake_cents=stake, rate_ppm=800_000, reset_cents=start)
    assert (pool_of(parameters, entry("started", cents=start)).wrong == []) == is_enough


@pytest.mark.parametrize(("chips", "grown"), [(4, 320), (3, 240), (0, 0)])
def test_jp_06_what_a_collection_adds(chips: int, grown: int) -> None:
    before, pool = cents(pool_of(*up_to(1_234_567))), pool_of(*up_to(1_234_567), bets(chips))
    assert (before, cents(pool) - before, pool.wrong) == (1_234_567, grown, [])


def paid(seat: int, cents: int, **how: object) -> Body:
    return entry("paid", seat=seat, cents=cents, **how)


def test_jp_12_smallest_to_largest_and_the_remainder() -> None:
    wins = [{"seat": 6}, {"seat": 4, "cents": MIDDLE}, {"seat": 2, "cents": SMALL}]
    payments = (paid(2, 20_000), paid(4, 50_000), paid(6, 1_164_887, by_hand=True))
    pool = pool_of(*up_to(1_234_887), entry("hit", wins=wins), *payments, entry("reset", cents=1_000_000))
    assert (cents(pool), pool.wrong) == (1_000_000, [])
    assert pool.meters["hits"] == 3
    assert pool.meters["paid"] == 1_234_887 * CENT
    assert pool.meters["by_hand"] == 1_164_887 * CENT


def test_jp_14_two_largest_share_and_the_spare_cent_goes_by_seat() -> None:
    hit = entry("hit", wins=[{"seat": 6}, {"seat": 3}])
    assert pool_of(*up_to(1_164_887), hit, paid(3, 582_444), paid(6, 582_443)).wrong == []
    assert pool_of(*up_to(1_164_887), hit, paid(3, 582_443), paid(6, 582_444)).wrong != []


def test_jp_16_without_the_largest_the_pool_only_drops() -> None:
    hit = entry("hit", wins=[{"seat": 2, "cents": SMALL}])
    pool = pool_of(*up_to(1_234_887), hit, paid(2, 20_000), bets(1))
    assert (cents(pool), pool.wrong) == (1_214_887 + 80, [])


def test_jp_18_a_part_of_the_pool_is_rounded_down_to_cents() -> None:
    pool = pool_of(*up_to(1_234_887), entry("hit", wins=[{"seat": 2, "part_ppm": 100_000}]), paid(2, 123_488))
    assert (pool.wrong, cents(pool)) == ([], 1_111_399)


def test_all_parts_are_of_the_pool_before_the_first_prize() -> None:
    parts = ((5, 100_000), (4, 100_000), (1, 333_333))
    hit = entry("hit", wins=[{"seat": seat, "part_ppm": part} for seat, part in parts])
    payments = (paid(4, 100_000), paid(5, 100_000), paid(1, 333_333))
    assert pool_of(*BEGUN, hit, *payments).wrong == []


def test_a_pool_that_cannot_pay_is_paid_from_when_the_house_has_laid_in() -> None:
    hit, due = entry("hit", wins=[{"seat": 1, "cents": 1_000_001}]), paid(1, 1_000_001)
    assert pool_of(*BEGUN, hit, due).wrong != []
    laid_in = entry("transferred", millionths=CENT, level="", target="pool")
    assert pool_of(*BEGUN, hit, laid_in, due).wrong == []


def test_what_a_void_round_had_added_goes_out_again() -> None:
    back = entry("bets-returned", bets=3, stake_cents=100, rate_ppm=800_000)
    pool = pool_of(*BEGUN, bets(3), back)
    assert (cents(pool), pool.meters["contributions"], pool.wrong) == (1_000_000, 0, [])


def test_less_than_a_cent_begins_the_next_pool() -> None:
    parameters = entry("parameters-set", stake_cents=100, rate_ppm=123_456, reset_cents=1_000_000)
    one = entry("bets-collected", bets=1, stake_cents=100, rate_ppm=123_456)
    hit = (entry("hit", wins=[{"seat": 1}]), entry("paid", seat=1, cents=1_000_012))
    pool = pool_of(parameters, BEGUN[1], one, *hit, entry("reset", cents=1_000_000))
    assert pool.levels["pool"] == 1_000_000 * CENT + 3_456
    assert pool.wrong == []


def test_parameters_hold_from_the_next_reset_on() -> None:
    other = entry("parameters-set", stake_cents=100, rate_ppm=500_000, reset_cents=2_000_000)
    hit = (entry("hit", wins=[{"seat": 1}]), entry("paid", seat=1, cents=1_000_080))
    by_half = entry("bets-collected", bets=1, stake_cents=100, rate_ppm=500_000)
    good = pool_of(*BEGUN, other, bets(1), *hit, entry("reset", cents=2_000_000), by_half)
    assert (good.wrong, cents(good)) == ([], 2_000_050)
    too_soon = pool_of(*BEGUN, other, by_half)
    assert too_soon.wrong == ["another stake or rate than approved"]
    old_amount = pool_of(*BEGUN, other, bets(1), *hit, entry("reset", cents=1_000_000))
    assert old_amount.wrong == ["another reset amount than approved"]


def test_an_exported_pool_is_not_here_any_more_and_goes_on_where_it_is_taken_over() -> None:
    begun, whole = (*BEGUN, bets(2)), {"millionths": 1_000_160 * CENT}
    meters = {"seeds": 1_000_000 * CENT, "contributions": 160 * CENT, "bets": 2}
    gone = pool_of(*begun, entry("exported", **whole, meters=meters))
    assert (gone.wrong, gone.levels) == ([], {})
    assert pool_of(*begun, entry("exported", **whole, meters=meters | {"bets": 3})).wrong != []
    there = pool_of(BEGUN[0], entry("taken-over", **whole, meters=meters), bets(1))
    assert (there.wrong, cents(there), there.meters["bets"]) == ([], 1_000_240, 3)
    back = pool_of(BEGUN[0], entry("taken-back", **whole, meters=meters), bets(1))
    assert (back.levels, back.meters) == (there.levels, there.meters)
    assert pool_of(BEGUN[0], entry("taken-over", millionths=1, meters=meters)).wrong != []


def test_a_reserve_grows_beside_the_pool_and_is_moved_into_it() -> None:
    reserve = entry("bets-collected", bets=10, stake_cents=100, rate_ppm=50_000, level="reserve")
    moved = entry("transferred", millionths=50 * CENT, level="reserve", target="pool")
    pool = pool_of(*BEGUN, reserve, moved)
    assert (cents(pool), pool.levels["reserve"], pool.wrong) == (1_000_050, 0, [])
    too_much = pool_of(*BEGUN, reserve, moved, moved)
    assert too_much.wrong == ["a level is below nothing"]


HIT = entry("hit", wins=[{"seat": 2, "cents": SMALL}, {"seat": 4, "cents": MIDDLE}])
FALSE = [
    ((paid(2, 20_000),), "paid seat 2 20000, owed 0 0 of 1000000"),
    ((HIT, paid(4, 50_000)), "paid seat 4 50000, owed 2 20000 of 1000000"),
    ((HIT, paid(2, 20_001)), "paid seat 2 20001, owed 2 20000 of 1000000"),
    ((HIT, paid(2, 20_000), HIT), "a prize is owed again behind its payment"),
    ((entry("reset", cents=1_000_000),), "a reset that was not due"),
    ((HIT, *(entry("paid", seat=s, cents=c) for s, c in ((2, 20_000), (4, 50_000))), entry("reset", cents=1_000_000)),
     "a reset that was not due"),
    ((entry("hit", wins=[{"seat": 1}]), entry("reset", cents=1_000_000)), "a reset that was not due"),
    ((entry("hit", wins=[{"seat": 1}]), paid(1, 1_000_000), bets(1)), "bets while the pool waits for its reset"),
    ((entry("bets-collected", bets=1, stake_cents=200, rate_ppm=800_000),), "another stake or rate than approved"),
    ((entry("bets-collected", bets=1, stake_cents=100, rate_ppm=900_000),), "another stake or rate than approved"),
    ((entry("bets-collected", bets=1, stake_cents=1, rate_ppm=333_333, level="reserve"),),
     "333333/100 is no whole millionth"),
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
