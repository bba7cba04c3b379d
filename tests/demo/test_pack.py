"""A pack that people mix, cut and fill: no card is lost, the warning card lies near its place, and decks are replaced
whole.
"""

from collections import Counter

from controller.core.choices import Machine
from controller.core.words import Purpose
from simulators.devices.cards import deck_set, spare_deck
from simulators.devices.magazine import Box
from simulators.kit import procedure_of
from simulators.people import hands as h
from simulators.people.choices import Choices
from simulators.people.pack import NEAR, WarningCardIs, pack_for
from simulators.people.room import Room

BACKS = 2
PULL = h.PullCard(Purpose.SEAT, 1, 1, 1)


def filled_room() -> Room:
    """Makes a room with two decks of two back colours in a machine without a lock.

    Fifty cards are behind the warning card.
    """
    pack = pack_for(Machine.SHOE, Box(), 7)
    room = Room(
        None,
        {},
        Choices(7, cards=104),
        list(deck_set(2, BACKS)),
        list(spare_deck(BACKS)),
        pack=pack,
        procedure=procedure_of("pt-shoe"),
    )
    for hand in (h.AtPack.MIX_CARDS, h.AtPack.CUT_CARDS, h.LayWarningCard(50), h.FillMachine()):
        room.do(hand, 0.0)
    return room


def numbers(room: Room) -> Counter[int]:
    return Counter(card.number for cards in room.cards_by_place().values() for card in cards)


def test_the_warning_card_comes_out_near_its_place_and_is_laid_away_when_cards_are_gathered() -> None:
    room = filled_room()
    out = 0
    while (look := room.look().pack) is not None and look.warning_card is WarningCardIs.IN_MACHINE:
        room.do(PULL, 0.0)
        out = len(room.table)
    assert abs(out - 54) <= NEAR
    before = numbers(room)
    room.do(h.GatherCards(), 0.0)
    assert (
        numbers(room) == before == Counter({**dict.fromkeys(range(1, 105), 1), **dict.fromkeys(range(1001, 1105), 1)})
    )
    assert len(room.outside) == 104
    pack = room.look().pack
    assert pack is not None
    assert (pack.is_mixed, pack.is_cut, pack.warning_card) == (False, False, WarningCardIs.AWAY)


def test_another_mixing_gives_another_order() -> None:
    room = filled_room()
    first = room.cards_by_place()["magazine"]
    for hand in (h.GatherCards(), h.AtPack.MIX_CARDS, h.AtPack.CUT_CARDS, h.FillMachine()):
        room.do(hand, 0.0)
    assert sorted(card.number for card in room.cards_by_place()["magazine"]) == sorted(card.number for card in first)
    assert room.cards_by_place()["magazine"] != first


def test_a_deck_goes_whole_wherever_its_cards_lie() -> None:
    room = filled_room()
    for _ in range(6):
        room.do(PULL, 0.0)
    room.damaged = [room.table[2].card.number]
    deck = (room.damaged[0] - 1) // 52 + 1
    faces = [laid.card.face for laid in room.table]
    before = numbers(room)
    room.do(h.AtTable.SWAP_DECK, 0.0)
    sight = room.look()
    assert (sight.swapped_deck, sight.damaged, sight.new_deck_is_ready) == (deck, None, False)
    assert sorted(card.number for card in room.withdrawn) == list(range(52 * deck - 51, 52 * deck + 1))
    assert [laid.card.face for laid in room.table] == faces
    assert numbers(room) == before
    in_game = [*(laid.card for laid in room.table), *room.cards_by_place()["magazine"]]
    assert Counter((card.face, card.back) for card in in_game) == Counter(
        (card.face, card.back) for card in deck_set(2, BACKS)
    )
