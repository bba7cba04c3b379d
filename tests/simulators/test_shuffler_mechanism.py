"""The shuffler's mechanism: cards are conserved, only motions draw, each fault has its effect."""

from collections import Counter

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from simulators.devices.base import seeded
from simulators.devices.cards import PhysicalCard, Place, make_cards, numbers
from simulators.devices.faults import (
    AnyFault,
    DoubleFeed,
    FaultBook,
    FaultPlan,
    Jam,
    Miscount,
    Retry,
    Spot,
)
from simulators.devices.shuffler_model import (
    BUFFER_LOW,
    SLOT_CAPACITY,
    Freed,
    Passed,
    ShufflerMechanism,
    Stuck,
)


def mechanism(*faults: AnyFault, seed: int = 1) -> ShufflerMechanism:
    return ShufflerMechanism(seeded(seed), FaultBook(FaultPlan(faults)))


def loaded(*faults: AnyFault, seed: int = 1, decks: int = 6) -> ShufflerMechanism:
    machine = mechanism(*faults, seed=seed)
    machine.put_in_hopper(make_cards(decks))
    while machine.can_feed:
        machine.feed()
    return machine


def dealt(machine: ShufflerMechanism, count: int) -> list[int]:
    cards: list[int] = []
    for _ in range(count):
        motion = machine.deal()
        assert isinstance(motion, Passed)
        cards.extend(numbers(motion.cards))
    return cards


def place_of(machine: ShufflerMechanism, place: Place) -> tuple[PhysicalCard, ...]:
    return machine.cards_by_place()[place]


def test_six_decks_are_312_distinct_cards_six_of_each_face() -> None:
    cards = make_cards(6)
    assert len(set(cards)) == 312
    assert set(Counter(card.face for card in cards).values()) == {6}
    assert {card.face for card in cards} >= {"AS", "10H", "KD", "2C"}


def test_the_same_seed_and_motions_give_the_same_cards() -> None:
    assert dealt(loaded(seed=7), 312) == dealt(loaded(seed=7), 312)


def test_another_seed_gives_other_cards() -> None:
    assert dealt(loaded(seed=7), 312) != dealt(loaded(seed=8), 312)


def test_cards_come_out_in_an_order_that_is_not_the_one_they_went_in() -> None:
    out = dealt(loaded(), 312)
    assert sorted(out) == list(range(1, 313))
    assert out != sorted(out)


def test_which_slot_is_ejected_is_drawn_too() -> None:
    first_cards = set()
    for seed in range(8):
        machine = mechanism(seed=seed)
        machine.lid_open = True
        machine.put_inside(make_cards(6))
        machine.lid_open = False
        first_cards.add(dealt(machine, 1)[0])
    assert len(first_cards) > 1


def test_a_full_carousel_takes_no_more() -> None:
    machine = loaded(decks=8)
    assert (machine.inside, len(place_of(machine, Place.HOPPER))) == (380, 36)
    dealt(machine, 1)
    assert machine.can_feed


def test_a_card_just_put_back_does_not_come_before_the_buffer_is_drained() -> None:
    machine = loaded()
    first = dealt(machine, 1)
    behind_the_mouth = len(place_of(machine, Place.BUFFER))
    machine.put_in_hopper([PhysicalCard(first[0], "AS")])
    machine.feed()
    assert first[0] not in dealt(machine, behind_the_mouth)


def test_asking_what_can_move_draws_nothing() -> None:
    asked, silent = loaded(), loaded()
    for _ in range(5):
        assert asked.can_deal
        assert not asked.can_feed
        asked.cards_by_place()
    assert dealt(asked, 40) == dealt(silent, 40)


def test_a_jam_at_the_feed_holds_cards_that_were_not_counted() -> None:
    machine = mechanism(Jam(at=3, spot=Spot.FEED, cards=2))
    machine.put_in_hopper(make_cards(1))
    motions = [machine.feed() for _ in range(3)]
    assert motions[2] == Stuck(Spot.FEED, 2)
    assert (machine.inside, machine.path_blocked, machine.can_feed) == (2, True, False)
    assert numbers(machine.take_jammed()) == (3, 4)
    assert machine.can_feed


def test_a_jam_in_the_carousel_while_feeding_holds_cards_that_were_counted() -> None:
    machine = mechanism(Jam(at=5, spot=Spot.CAROUSEL))
    machine.put_in_hopper(make_cards(1))
    for _ in range(4):
        machine.feed()
    motion = machine.feed()
    assert isinstance(motion, Passed)
    assert (motion.counted, motion.stuck) == (1, Stuck(Spot.CAROUSEL, 1))
    assert numbers(place_of(machine, Place.JAMMED)) == (5,)


def test_a_jam_in_the_carousel_is_reached_through_the_lid_alone() -> None:
    machine = mechanism(Jam(at=1, spot=Spot.CAROUSEL))
    machine.put_in_hopper(make_cards(1))
    machine.feed()
    assert machine.take_jammed() == ()
    machine.lid_open = True
    assert numbers(machine.take_jammed()) == (1,)


def test_a_jam_in_the_carousel_while_dealing_lets_no_card_out() -> None:
    machine = loaded(Jam(at=320, spot=Spot.CAROUSEL, cards=3))
    dealt(machine, 7)
    assert machine.deal() == Stuck(Spot.CAROUSEL, 3)
    assert machine.inside == 312 - 7 - 3


def test_a_jam_at_the_mouth_holds_a_card_that_was_not_counted_out() -> None:
    machine = loaded(Jam(at=57, spot=Spot.MOUTH))
    dealt(machine, 56)
    assert machine.deal() == Stuck(Spot.MOUTH, 1)
    assert machine.deal() is None
    assert len(machine.take_jammed()) == 1
    assert len(dealt(machine, 1)) == 1


def test_part_of_a_jam_taken_out_leaves_the_path_blocked() -> None:
    machine = loaded(Jam(at=1, spot=Spot.MOUTH, cards=3))
    machine.deal()
    assert len(machine.take_jammed(2)) == 2
    assert machine.path_blocked
    assert len(machine.take_jammed()) == 1
    assert not machine.path_blocked


@pytest.mark.parametrize("spot", [Spot.FEED, Spot.MOUTH])
def test_a_retry_moves_no_card_and_the_next_motion_does(spot: Spot) -> None:
    machine = mechanism(Retry(at=1, spot=spot, tries=2))
    machine.put_in_hopper(make_cards(1))
    move = machine.feed if spot is Spot.FEED else machine.deal
    if spot is Spot.MOUTH:
        machine.feed()
    assert move() == Freed(spot, 2)
    assert isinstance(move(), Passed)


def test_a_double_feed_lets_two_cards_out_and_a_miscount_lets_one_out_unseen() -> None:
    machine = loaded(DoubleFeed(at=2), Miscount(at=10))
    assert isinstance(machine.deal(), Passed)
    double = machine.deal()
    assert isinstance(double, Passed)
    assert (len(double.cards), double.counted) == (2, 2)
    dealt(machine, 6)
    unseen = machine.deal()
    assert isinstance(unseen, Passed)
    assert (len(unseen.cards), unseen.counted) == (1, 0)


def test_a_fault_whose_number_was_jumped_over_is_met_at_the_next() -> None:
    machine = loaded(DoubleFeed(at=2), Jam(at=3))
    dealt(machine, 2)
    assert machine.deal() == Stuck(Spot.MOUTH, 1)


def test_a_fault_is_met_once_and_counted_when_met() -> None:
    book = FaultBook(FaultPlan((Jam(at=2), Jam(at=2), Jam(at=2, spot=Spot.FEED))))
    assert book.take(Jam, 1, Spot.MOUTH) is None
    assert book.take(Jam, 2, Spot.MOUTH) == Jam(at=2)
    assert book.take(Jam, 3, Spot.MOUTH) == Jam(at=2)
    assert book.take(Jam, 4, Spot.MOUTH) is None
    assert book.met == {"Jam": 2}


def test_nothing_moves_with_the_lid_open() -> None:
    machine = loaded()
    machine.put_in_hopper([PhysicalCard(400, "JOKER")])
    machine.lid_open = True
    assert (machine.feed(), machine.deal(), machine.expel()) == (None, None, None)


def test_hands_reach_inside_through_an_open_lid_alone() -> None:
    machine = loaded()
    slipped = PhysicalCard(400, "AS", "red")
    assert machine.put_inside([slipped]) == (slipped,)
    assert machine.take_inside() == ()
    machine.lid_open = True
    assert machine.put_inside([slipped]) == ()
    assert len(machine.take_inside()) == 313


JAMS = st.builds(Jam, at=st.integers(1, 60), spot=st.sampled_from(Spot), cards=st.integers(1, 4))
DOUBLES = st.builds(
    DoubleFeed,
    at=st.integers(1, 60),
    spot=st.sampled_from([Spot.FEED, Spot.MOUTH]),
    counted=st.integers(0, 3),
)
RETRIES = st.builds(Retry, at=st.integers(1, 60), spot=st.sampled_from([Spot.FEED, Spot.MOUTH]))


class Conservation(RuleBasedStateMachine):
    """After any deeds of hands and mechanism each card is there once, and no place has too many cards."""

    @initialize(
        faults=st.lists(JAMS | DOUBLES | RETRIES, max_size=6), seed=st.integers(0, 99), count=st.integers(0, 104)
    )
    def begin(self, faults: list[AnyFault], seed: int, count: int) -> None:
        self.all_cards = make_cards(2)
        self.hand = list(self.all_cards)
        self.machine = ShufflerMechanism(seeded(seed), FaultBook(FaultPlan(tuple(faults))))
        self.load(count)
        self.feed(count)

    @rule(count=st.integers(0, 104))
    def load(self, count: int) -> None:
        self.machine.put_in_hopper(self.hand[:count])
        del self.hand[:count]

    @rule(count=st.integers(1, 60))
    def feed(self, count: int) -> None:
        for _ in range(count):
            self.machine.feed()

    @rule(count=st.integers(1, 60))
    def deal(self, count: int) -> None:
        for _ in range(count):
            motion = self.machine.deal()
            if isinstance(motion, Passed):
                self.hand.extend(motion.cards)

    @rule(count=st.integers(1, 60))
    def expel(self, count: int) -> None:
        for _ in range(count):
            self.machine.expel()

    @rule(lid_open=st.booleans())
    def move_lid(self, *, lid_open: bool) -> None:
        self.machine.lid_open = lid_open

    @rule(count=st.integers(0, 3))
    def take_some_jammed(self, count: int) -> None:
        self.hand.extend(self.machine.take_jammed(count))

    @rule()
    def take_everything_in_reach(self) -> None:
        for taken in (
            self.machine.take_jammed(),
            self.machine.take_from_hopper(),
            self.machine.take_from_tray(),
            self.machine.take_inside(),
        ):
            self.hand.extend(taken)

    @rule(count=st.integers(0, 104))
    def put_inside(self, count: int) -> None:
        left = self.machine.put_inside(self.hand[:count])
        self.hand[:count] = left

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        inside = [card for cards in self.machine.cards_by_place().values() for card in cards]
        assert Counter(inside) + Counter(self.hand) == Counter(self.all_cards)

    @invariant()
    def what_the_sensors_say_is_so(self) -> None:
        places = self.machine.cards_by_place()
        assert self.machine.inside == len(places[Place.SLOTS]) + len(places[Place.BUFFER])
        assert self.machine.path_blocked == bool(places[Place.JAMMED]) == (self.machine.stuck is not None)
        # One more than a slot holds, when two cards go into the last place at once.
        assert len(places[Place.BUFFER]) <= BUFFER_LOW + SLOT_CAPACITY + 1
        assert len(places[Place.SLOTS]) <= 38 * SLOT_CAPACITY + 1


TestConservation = pytest.mark.slow(Conservation.TestCase)
