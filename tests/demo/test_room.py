"""The room conserves cards after any deeds of hands, and its incidents depend on seed and card alone."""

from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.core.words import Device, Purpose
from simulators.demo.incidents import OF_ANGEL_EYE, ORDER, Dispute, Kind, Prank, cards_of_round, plan
from simulators.devices.base import seeded
from simulators.devices.cards import make_cards
from simulators.devices.faults import (
    NO_FAULTS,
    DrawWhileLocked,
    FaultPlan,
    Jam,
    Misread,
    Overdraw,
    PresetTouched,
    ReversedCard,
    Spot,
)
from simulators.devices.shuffler import SimulatedShuffler
from simulators.oracles.cards import Checkpoint, check_cards
from simulators.people import hands as h
from simulators.people.choices import Choices
from simulators.people.dealing_errors import DealingError, DealingErrorKind
from simulators.people.room import Room
from tests.night import examples

CHOICES = Choices(seed=3)


@dataclass
class ToyCable:
    plugged: bool = True

    def plug(self) -> None:
        self.plugged = True

    def unplug(self) -> None:
        self.plugged = False


def new_room(faults: FaultPlan = NO_FAULTS) -> Room:
    shuffler = SimulatedShuffler(rng=seeded(1), now_s=0.0, faults=faults)
    cables = {device: ToyCable() for device in Device}
    return Room(shuffler, cables, CHOICES, outside=list(make_cards(6)), spare=list(make_cards(1, first_number=1001)))


ACTS = st.sampled_from(
    [
        h.HandOverPacket(100),
        h.AtShuffler.FEED_PACKET,
        h.AtShuffler.FEED_RACK,
        h.EmptyHopper(h.FreedTo.RACK),
        h.EmptyHopper(h.FreedTo.INSIDE),
        h.PullCard(Purpose.SEAT, 2, 1, 4),
        h.PullCard(Purpose.BURN, None, 1, 0),
        h.AtTable.TURN_HOLE_CARD,
        h.CollectTable(1, 4),
        h.AtShuffler.OPEN_LID,
        h.AtShuffler.CLOSE_LID,
        h.FreeJam(h.FreedTo.INSIDE),
        h.FreeJam(h.FreedTo.RACK),
        h.AtShuffler.EMPTY_TRAY,
        h.TidyAside(),
        h.TakeOffTable(2),
        h.PullWrongly(h.PullCard(Purpose.SEAT, 2, 1, 4), DealingError(DealingErrorKind.WRONG_SEAT, lies=5, belongs=2)),
        h.AboutDealingError.MOVE_LAID,
        h.AboutDealingError.FORGET_SLIP,
        h.AboutDealingError.SET_ASIDE,
        h.GiveAside(3),
        h.AboutDealingError.RULING_IS_CALLED,
        h.AboutDealingError.SEND_FOR_SPARE,
        h.AtTable.BRING_SPARE,
        h.AtTable.SWAP_DAMAGED,
        h.AtTable.HEAR_PLAYER,
        h.AtTable.ORDER_DECKS,
        h.Plug(Device.SHOE),
        h.AtTable.CALL_TECHNICIAN_OVER,
        h.AtTable.REPAIR_MACHINE,
        h.AtTable.TECHNICIAN_LEAVES,
    ]
)


@settings(max_examples=examples(30))
@given(st.lists(ACTS, max_size=60))
def test_hands_never_make_or_lose_a_card(acts: list[h.HandAct]) -> None:
    room = new_room(FaultPlan((Jam(1, Spot.FEED), Jam(40, Spot.CAROUSEL))))
    for number, act in enumerate(acts):
        room.do(act, number * 0.1)
        room.look()
    deck = {card.number: card.face for card in (*make_cards(6), *make_cards(1, first_number=1001))}
    listing = {place: [(one.number, one.face) for one in cards] for place, cards in room.cards_by_place().items()}
    assert check_cards(deck, [Checkpoint("at the end", listing)]) == []


def test_choices_are_a_function_of_seed_session_and_round() -> None:
    for ask in (
        lambda c: c.seats(1, 9),
        lambda c: [c.further_cards(1, 9, seat) for seat in range(8)],
        lambda c: c.packets(1),
        lambda c: [c.complaint(1, n) for n in range(60)],
        lambda c: [c.damaged_card(1, n) for n in range(60)],
    ):
        assert ask(Choices(5)) == ask(Choices(5))
        assert any(ask(Choices(seed)) != ask(Choices(5)) for seed in range(6, 12))


def test_packets_are_two_or_more_and_make_the_deck_set() -> None:
    for session in range(50):
        packets = CHOICES.packets(session)
        assert len(packets) >= 2
        assert sum(packets) == 312
        assert min(packets) > 0


def test_a_short_evening_sees_the_first_incidents_and_a_long_one_all_kinds() -> None:
    """A jam in the first round or two; no incident while the machine is loaded or unloaded."""
    for seed in range(40):
        choices = Choices(seed)
        short = plan(choices, rounds=2, sessions=1)
        drawn = 1 + sum(cards_of_round(choices, 1, number) for number in (1, 2))
        first = short.shuffler.faults[0]
        assert isinstance(first, Jam)
        assert first.at <= drawn
        assert all(fault.at <= drawn for fault in short.shoe.faults)
        long = plan(choices, rounds=50, sessions=1)
        assert len(long.pranks) >= 3
        assert any(isinstance(fault, Misread) for fault in long.shoe.faults)
        by_hand = [prank for prank in long.pranks if isinstance(prank, Prank)]
        assert {prank.pulls_cable for prank in by_hand} == {True, False}
        assert any(isinstance(prank, Dispute) for prank in long.pranks)
        assert [prank.at for prank in long.pranks] == sorted(prank.at for prank in long.pranks)
    assert {*ORDER, *OF_ANGEL_EYE} == set(Kind)


def test_an_angel_eye_at_the_mouth_meets_its_own_troubles_too() -> None:
    its_own = {Overdraw, DrawWhileLocked, ReversedCard, PresetTouched}
    for seed in range(10):
        shoe = plan(Choices(seed), 50, 1, "angel-eye").shoe
        assert its_own <= {type(fault) for fault in shoe.faults}
        assert not its_own & {type(fault) for fault in plan(Choices(seed), 50, 1).shoe.faults}


def test_a_card_is_damaged_only_while_there_is_a_spare_of_its_face() -> None:
    session, number = next((1, n) for n in range(1, 999) if CHOICES.damaged_card(1, n) == 1)
    for spares, damaged in ((True, True), (False, False)):
        room = new_room()
        room.spare = room.spare if spares else []
        give_a_card(room)
        room.do(h.PullCard(Purpose.SEAT, 1, session, number), 99.0)
        assert len(room.table) == 1
        assert (room.look().damaged is not None) is damaged


def give_a_card(room: Room) -> None:
    """Puts a card into the open mouth, as if a controller had asked for it."""
    room.shuffler.machine.put_in_hopper(room.outside[:40])
    del room.outside[:40]
    while room.shuffler.machine.feed():
        pass
    room.shuffler._presented = True


def test_a_prank_is_played_once() -> None:
    incidents = plan(CHOICES, rounds=50, sessions=1)
    at = incidents.pranks[0].at
    assert incidents.due(at - 2) is None
    assert incidents.due(at - 1) is incidents.done[0]
    assert incidents.due(at - 1) is None
