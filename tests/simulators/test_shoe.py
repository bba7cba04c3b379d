"""The simulated reader: passages, misreads, errors, lock, power; in virtual time."""

import pytest
from table_of_one import Table
from virtual_host import VirtualHost

from firmware_protocols.cards import card_byte
from firmware_protocols.tdp.common import Query, StartCause
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import (
    SHOE,
    CardPassed,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ShoeApply,
    ShoeCommand,
    ShoeEvent,
    ShoeResult,
    ShoeStarted,
    ShoeStatus,
)
from simulators.devices.cards import WARNING_CARD, PhysicalCard, make_cards
from simulators.devices.faults import AnyFault, FaultPlan, Misread, ReaderError, Reboot, UnseenPassage, WrongRead
from simulators.devices.shoe import SimulatedShoe

Host = VirtualHost[ShoeStatus, ShoeCommand, ShoeEvent]


def shoe_and_host(*faults: AnyFault, has_lock: bool = True) -> tuple[SimulatedShoe, Host]:
    shoe = SimulatedShoe(now_s=0.0, faults=FaultPlan(faults), has_lock=has_lock)
    host: Host = VirtualHost(SHOE, shoe)
    host.run(0.0)
    return shoe, host


def passed(*faces: str, faults: tuple[AnyFault, ...] = ()) -> list[ShoeEvent]:
    shoe, host = shoe_and_host(*faults)
    for number, face in enumerate(faces, 1):
        shoe.card_passes(PhysicalCard(number, face), host.now_s)
    host.run(0.0)
    return host.events[1:]


def test_it_says_what_it_is() -> None:
    _, host = shoe_and_host()
    identity = host.identity
    assert identity is not None
    assert (identity.kind, identity.simulated) == (DeviceKind.SHOE, True)
    assert host.events == [ShoeStarted(StartCause.POWER_ON)]


def test_each_card_that_passes_is_numbered_and_read() -> None:
    assert passed("AC", "10H", "KS", "QD") == [
        CardPassed(1, 0x11),
        CardPassed(2, 0x3A),
        CardPassed(3, 0x4D),
        CardPassed(4, 0x2C),
    ]


@pytest.mark.parametrize("face", ["JOKER", "advertising card"])
def test_a_card_of_no_deck_is_foreign(face: str) -> None:
    assert passed(face) == [CardPassed(1, 0x5F)]


def test_a_misread_passes_unread_and_is_counted() -> None:
    assert passed("AC", "AC", faults=(Misread(at=1),)) == [CardPassed(1, 0x00), CardPassed(2, 0x11)]


def test_a_wrong_read_is_another_card() -> None:
    assert passed("AC", "AC", faults=(WrongRead(at=2, face="2C"),)) == [CardPassed(1, 0x11), CardPassed(2, 0x12)]


def test_a_wrong_read_waits_for_a_card_that_it_is_not() -> None:
    assert passed("AC", "2C", faults=(WrongRead(at=1, face="AC"),)) == [CardPassed(1, 0x11), CardPassed(2, 0x11)]


def test_an_unseen_passage_is_not_counted() -> None:
    assert passed("AC", "2C", faults=(UnseenPassage(at=1),)) == [CardPassed(1, 0x12)]


def test_a_reader_in_error_counts_and_does_not_read() -> None:
    shoe, host = shoe_and_host(ReaderError(at=1, code=2))
    for number in (1, 2):
        shoe.card_passes(PhysicalCard(number, "AC"), host.now_s)
    assert host.status.error
    shoe.clear_error(host.now_s)
    shoe.clear_error(host.now_s)
    assert not host.status.error
    assert host.events[1:] == [
        CardPassed(1, 0x11),
        ReaderErrorRaised(2),
        CardPassed(2, 0x00),
        ReaderErrorCleared(2),
    ]


def test_passages_survive_a_loss_of_power_unless_forgotten() -> None:
    shoe, host = shoe_and_host(Reboot(at=3), Reboot(at=4, forget_counts=True))
    for number in (1, 2, 3):
        shoe.card_passes(PhysicalCard(number, "AC"), host.now_s)
    host.run(3.0)
    host.connect()
    assert (host.status.passages, host.status.counts_unknown) == (3, False)
    shoe.card_passes(PhysicalCard(4, "AC"), host.now_s)
    host.run(3.0)
    host.connect()
    assert (host.status.passages, host.status.counts_unknown) == (0, True)


def test_a_card_that_passes_a_dead_reader_is_not_seen() -> None:
    shoe, host = shoe_and_host()
    shoe.reboot(host.now_s, off_s=5.0)
    shoe.card_passes(PhysicalCard(1, "AC"), host.now_s)
    host.run(6.0)
    host.connect()
    assert host.status.passages == 0


def test_a_shoe_gives_cards_from_its_magazine_when_unlocked() -> None:
    shoe, host = shoe_and_host()
    cards = make_cards(1)
    shoe.put_cards(cards)
    assert shoe.draw_card(host.now_s) is None
    assert host.ask(ShoeApply(locked=False)) == ShoeResult.OK
    assert not host.status.locked
    assert shoe.draw_card(host.now_s) == cards[0]
    assert host.ask(ShoeApply(locked=True)) == ShoeResult.OK
    assert shoe.draw_card(host.now_s) is None
    assert shoe.cards() == cards[1:]
    assert shoe.take_all_cards() == cards[1:]


def test_the_warning_card_comes_out_and_is_no_passage() -> None:
    shoe, host = shoe_and_host()
    first, second = make_cards(1)[:2]
    shoe.put_cards([first, PhysicalCard(0, WARNING_CARD), second])
    assert host.ask(ShoeApply(locked=False)) == ShoeResult.OK
    drawn = [shoe.draw_card(host.now_s) for _ in range(3)]
    host.run(0.0)
    assert [card.face for card in drawn if card] == [first.face, WARNING_CARD, second.face]
    assert [event.passage for event in host.events if isinstance(event, CardPassed)] == [1, 2]


def test_a_silent_host_and_a_new_one_lock_the_shoe() -> None:
    shoe, host = shoe_and_host()
    host.ask(ShoeApply(locked=False))
    host.cable_in = False
    host.run(2.1)
    assert (shoe.status.locked, shoe.status.host_silent) == (True, True)
    host.cable_in = True
    host.connect()
    host.ask(ShoeApply(locked=False))
    host.connect()
    assert host.status.locked


def test_a_shoe_with_48_events_waiting_refuses_to_unlock() -> None:
    shoe, host = shoe_and_host()
    host.acknowledges = False
    for number in range(48):
        shoe.card_passes(PhysicalCard(number, "AC"), host.now_s)
    assert host.ask(ShoeApply(locked=False)) == ShoeResult.REFUSED_HOST_SILENT
    assert host.status.locked


def test_a_reader_without_a_lock_says_so() -> None:
    _, host = shoe_and_host(has_lock=False)
    assert host.ask(ShoeApply(locked=True)) == ShoeResult.OK
    assert not host.status.locked
    assert host.ask(Query()) == ShoeResult.OK


def test_at_a_shufflers_mouth_it_sees_what_leaves() -> None:
    shoe, host = shoe_and_host()
    table = Table(on_card_passed=shoe.card_passes)
    table.load()
    cards = table.draw(3)
    host.run(table.now_s)
    assert host.events[1:] == [CardPassed(number, card_byte(card.face)) for number, card in enumerate(cards, 1)]
