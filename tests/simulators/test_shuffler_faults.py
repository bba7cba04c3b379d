"""The faults of the simulated shuffler: jams and their end, lid, retries, double feeds, miscounts."""

import pytest
from table_of_one import Table, jammed_table

from firmware_protocols.tdp.shuffler import (
    CardOut,
    CardRetried,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    Place,
    Recounted,
    ShufflerResult,
)
from simulators.devices.cards import PhysicalCard, make_cards
from simulators.devices.faults import (
    DoubleFeed,
    Jam,
    LidSprings,
    Miscount,
    Retry,
    Spot,
)
from simulators.devices.shuffler_firmware import FAST_PACE

# ---- jams


def test_a_jam_stops_everything_and_lights_the_lamp_without_being_told() -> None:
    table = Table(Jam(at=3, spot=Spot.MOUTH))
    table.load()
    table.release(10)
    assert len(table.pull() + table.pull()) == 2
    assert table.pull() == ()
    status = table.shuffler.status
    assert (status.jams, status.jammed, status.path_blocked, status.lamp_lit) == (1, True, True, True)
    assert (status.mouth_open, status.feed_open, status.release_until) == (False, False, 2)
    assert table.host.of_kind(Jammed) == [Jammed(Place.MOUTH, 1)]
    assert (status.cards_out, status.inside) == (2, 50)


def test_a_jam_at_the_feed_is_not_yet_counted_in() -> None:
    table = Table(Jam(at=5, spot=Spot.FEED, cards=2))
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(1.0)
    assert table.host.of_kind(Jammed) == [Jammed(Place.FEED, 2)]
    assert (table.status.cards_in, table.status.inside) == (4, 4)


def test_a_jam_in_the_carousel_is_counted_in() -> None:
    table = Table(Jam(at=5, spot=Spot.CAROUSEL))
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(1.0)
    assert table.host.of_kind(Jammed) == [Jammed(Place.CAROUSEL, 1)]
    assert (table.status.cards_in, table.status.inside) == (5, 5)


@pytest.mark.parametrize("order", [{"feed_open": 1}, {"unload": 1}, {"release_until": 1}, {"recount_request": 1}])
def test_nothing_moves_in_a_jam(order: dict[str, int]) -> None:
    table = jammed_table()
    assert table.order(**order) is ShufflerResult.REFUSED_JAMMED
    table.host.run(1.0)
    status = table.status
    assert not any((status.feed_open, status.unloading, status.mouth_open))
    assert (status.release_until, status.recounts) == (0, 0)


def test_a_refusal_still_does_what_locks_and_lights() -> None:
    table = Table(Jam(at=3, spot=Spot.MOUTH))
    table.load()
    table.draw(2)
    table.release(1)
    table.pull()
    assert table.order(feed_open=1, release_until=1, lamp=1) is ShufflerResult.REFUSED_JAMMED
    assert table.status.release_until == 1


def test_a_jam_ends_when_path_and_lid_are_well_and_people_say_so() -> None:
    table = jammed_table()
    assert table.order(jams_ended=1) is ShufflerResult.REFUSED_PATH_BLOCKED
    table.shuffler.open_lid(table.now_s)
    assert len(table.shuffler.take_jammed(table.now_s)) == 1
    assert table.order(jams_ended=1) is ShufflerResult.REFUSED_LID_OPEN
    table.shuffler.close_lid(table.now_s)
    assert table.status.jammed, "a clear path ends no jam"
    assert table.order(jams_ended=0) is ShufflerResult.OK
    assert table.status.jammed, "an older jam's end ends no jam"
    assert table.order(jams_ended=1) is ShufflerResult.OK
    status = table.status
    assert (status.jammed, status.lamp_lit, status.jams) == (False, False, 1)
    kinds = [type(event) for event in table.host.events[-5:]]
    assert kinds == [Jammed, LidOpened, PathCleared, LidClosed, JamEnded]


def test_after_a_jam_nothing_moves_until_it_is_ordered_anew() -> None:
    table = jammed_table()
    table.shuffler.take_jammed(table.now_s)
    table.order(jams_ended=1)
    assert table.pull() == ()
    assert len(table.draw(1)) == 1


def test_an_end_may_come_with_the_next_order() -> None:
    table = jammed_table()
    table.shuffler.take_jammed(table.now_s)
    assert table.order(jams_ended=1, release_until=1) is ShufflerResult.OK
    table.host.run(0.1)
    assert len(table.pull()) == 1


def test_the_lamp_is_the_hosts_too() -> None:
    table = Table()
    table.order(lamp=True)
    assert table.status.lamp_lit
    table.order(lamp=False)
    assert not table.status.lamp_lit


def test_the_host_cannot_put_out_the_lamp_of_a_jam() -> None:
    table = jammed_table()
    assert table.order(lamp=False) is ShufflerResult.OK
    assert table.status.lamp_lit


def test_part_of_a_jam_taken_out_clears_no_path() -> None:
    table = Table(Jam(at=1, spot=Spot.FEED, cards=3))
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(0.2)
    assert len(table.shuffler.take_jammed(table.now_s, at_most=2)) == 2
    assert table.host.of_kind(PathCleared) == []
    assert len(table.shuffler.take_jammed(table.now_s)) == 1
    table.host.run(0.1)
    assert table.host.of_kind(PathCleared) == [PathCleared()]


# ---- lid, recount, other faults


def test_the_lid_stops_everything_and_closing_it_starts_nothing() -> None:
    table = Table()
    table.load()
    table.release(3)
    table.shuffler.open_lid(table.now_s)
    assert table.pull() == ()
    assert table.order(release_until=3) is ShufflerResult.REFUSED_LID_OPEN
    table.shuffler.close_lid(table.now_s)
    assert table.pull() == ()
    assert table.host.events[-2:] == [LidOpened(), LidClosed()]
    assert len(table.draw(1)) == 1


def test_a_card_slipped_in_by_the_lid_is_found_by_a_recount_alone() -> None:
    table = Table()
    table.load()
    table.shuffler.open_lid(table.now_s)
    assert table.shuffler.put_inside_by_lid([PhysicalCard(99, "AS")], table.now_s) == ()
    assert table.order(recount_request=7) is ShufflerResult.REFUSED_LID_OPEN
    table.shuffler.close_lid(table.now_s)
    assert table.status.inside == 52
    assert table.order(recount_request=7) is ShufflerResult.OK
    table.host.run(FAST_PACE.recount_s + 0.01)
    assert table.host.events[-1] == Recounted(7, 53)
    assert (table.status.inside, table.status.recounts, table.status.cards_in) == (53, 7, 52)


def test_a_recount_served_is_not_done_again() -> None:
    table = Table()
    for _ in range(2):
        table.order(recount_request=1)
        table.host.run(1.0)
    assert table.host.of_kind(Recounted) == [Recounted(1, 0)]


def test_a_recount_can_be_withdrawn_before_its_end() -> None:
    table = Table()
    table.order(recount_request=1)
    table.order(recount_request=0)
    table.host.run(1.0)
    assert table.host.of_kind(Recounted) == []


def test_cards_taken_by_the_lid_are_not_counted() -> None:
    table = Table()
    table.load()
    table.shuffler.open_lid(table.now_s)
    assert len(table.shuffler.take_all_inside(table.now_s)) == 52
    assert (table.status.inside, table.status.cards_out) == (52, 0)


def test_a_double_feed_counts_two_and_locks() -> None:
    table = Table(DoubleFeed(at=1))
    table.load()
    table.release(1)
    assert len(table.pull()) == 2
    assert table.pull() == ()
    assert (table.status.cards_out, table.status.release_until) == (2, 1)
    assert len(table.host.of_kind(CardOut)) == len(table.passed) == 2


def test_a_miscount_lets_a_card_out_that_nobody_counted() -> None:
    table = Table(Miscount(at=1))
    table.load()
    table.release(1)
    assert len(table.pull()) == 1
    assert (table.status.cards_out, len(table.passed)) == (0, 1)
    assert len(table.pull()) == 1, "the release is by count, and the count has not moved"


@pytest.mark.parametrize(("spot", "place"), [(Spot.FEED, Place.FEED), (Spot.MOUTH, Place.MOUTH)])
def test_a_motion_freed_by_the_device_is_told_and_no_jam(spot: Spot, place: Place) -> None:
    table = Table(Retry(at=1, spot=spot, tries=3))
    table.load()
    table.release(1)
    cards = table.pull()
    table.host.run(1.0)
    assert len(cards or table.pull()) == 1
    assert table.host.of_kind(CardRetried) == [CardRetried(place, 3)]
    assert (table.status.jams, table.status.cards_in, table.status.cards_out) == (0, 52, 1)


def test_a_lid_that_springs_open_stops_a_feed() -> None:
    table = Table(LidSprings(at=10))
    table.shuffler.put_cards_in_hopper(make_cards(1), table.now_s)
    table.order(feed_open=True)
    table.host.run(1.0)
    assert (table.status.cards_in, table.status.lid_open, table.status.feed_open) == (10, True, False)


def test_faults_are_counted_when_met() -> None:
    table = Table(Retry(at=1, spot=Spot.FEED), Jam(at=400, spot=Spot.FEED))
    table.load()
    assert table.shuffler.faults_met == {"Retry": 1}
