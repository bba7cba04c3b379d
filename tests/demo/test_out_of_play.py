"""A hand that is out of play: its owner, the moment of the act, and people's deeds with its cards."""

import pytest

from controller.core.words import HoldKind, RoundPhase
from controller.protocol.status import FaceDownStatus
from simulators.devices.cards import PhysicalCard
from simulators.kit import procedure_of
from simulators.people import hands as h
from simulators.people.choices import Choices
from simulators.people.dealer import deal, next_wanted
from simulators.people.doing import Ask, Touch, View
from simulators.people.holds import supervised_count
from simulators.people.mislaid import Laid
from simulators.people.out_of_play import carry, out_of_play, points
from simulators.people.room import Room
from simulators.people.sight import Sight
from tests.demo.views import hold, status, table, view

BUST = ((1, "10H"), (3, "9C"), (0, "6D"), (1, "6S"), (3, "8C"), (0, None), (1, "KD"))
BLACKJACK = ((1, "10H"), (3, "AC"), (0, "6D"), (1, "6S"), (3, "KC"), (0, None))


def playing(*cards: tuple[int, str | None], profile: str = "pt-csm", **changes: object) -> View:
    counts = {"inside": 311 - len(cards), "rack": 1, "table": len(cards)}
    shown = status(round_=RoundPhase.PLAYING, counts=counts, **changes)
    return view(shown, Sight(rack=1, table=table(*cards)), procedure=procedure_of(profile))


@pytest.mark.parametrize(
    ("faces", "wanted"), [(("AS", "KD"), 21), (("AS", "AD", "9C"), 21), (("AS", "9D", "5C"), 15), (("10S", "KD"), 20)]
)
def test_points_as_everybody_at_the_table_counts_them(faces: tuple[str, ...], wanted: int) -> None:
    assert points(list(faces)) == wanted


def test_whoever_is_beyond_21_is_out_of_play_and_the_dealer_says_so() -> None:
    """Clause: pt.bj.22a."""
    assert out_of_play(playing(*BUST)) == 1
    assert deal(playing(*BUST)) == Ask("collect-hand", {"seat": "1"})


def test_a_blackjack_is_paid_at_once_where_the_bank_cannot_have_one() -> None:
    """pt.bj.21b: not while its open card is a ten, not in Macau, and not a hand of 21 from three cards."""
    assert out_of_play(playing(*BLACKJACK)) == 3
    assert out_of_play(playing(*BLACKJACK[:2], (0, "QD"), *BLACKJACK[3:])) is None
    assert out_of_play(playing(*BLACKJACK, profile="mo-shoe")) is None
    assert out_of_play(playing((1, "5H"), (3, "AC"), (0, "6D"), (1, "6S"), (3, "4C"), (0, None), (3, "6C"))) is None


def test_what_lies_face_down_or_is_not_in_the_book_yet_is_nobodys_to_judge() -> None:
    hidden = (*BUST[:3], (1, None), *BUST[4:])
    assert out_of_play(playing(*hidden)) is None
    assert out_of_play(playing(*BUST, face_down=[FaceDownStatus(1, 2)])) is None


def test_hands_carry_what_the_book_has_collected_and_nothing_else() -> None:
    counts = {"inside": 304, "rack": 4, "table": 4}
    shown = status(round_=RoundPhase.PLAYING, counts=counts, collected=(1,))
    seen = view(shown, Sight(rack=1, table=table(*BUST)))
    assert carry(seen) == h.CollectHand(1, 3, 1, 1)
    assert deal(seen) == Touch(h.CollectHand(1, 3, 1, 1))
    carried = view(shown, Sight(rack=4, table=table(*(one for one in BUST if one[0] != 1))))
    assert carry(carried) is None
    held = status(round_=RoundPhase.PLAYING, counts=counts, collected=(1,), holds=(hold(HoldKind.COUNT),))
    assert deal(view(held, Sight(rack=1, table=table(*BUST)))) != Touch(h.CollectHand(1, 3, 1, 1))
    counting = view(held, Sight(rack=1, table=table(*BUST)), quiet_s=9.0)
    assert supervised_count(counting) == Touch(h.CollectHand(1, 3, 1, 1)), "and nobody else's cards, before he counts"


def test_a_hand_that_is_gone_gets_no_card_and_the_others_get_theirs() -> None:
    """The seats' first wishes change nothing; with no hand left the bank draws none either (pt.bj.22b)."""
    for seed in range(60):
        shown = status(round_=RoundPhase.PLAYING, collected=(1,))
        left = tuple(one for one in BUST if one[0] != 1)
        seen = view(shown, Sight(table=table(*left)), choices=Choices(seed))
        behind = [seat for seat in (3, 0) if seen.choices.further_cards(1, 1, seat)]
        assert next_wanted(seen) == next(iter(behind), None)
        nobody = status(round_=RoundPhase.PLAYING, collected=(1, 3))
        assert next_wanted(view(nobody, Sight(table=table((0, "6D"), (0, "9C"))), choices=Choices(seed))) is None


def test_the_room_remembers_the_hands_of_this_round_alone() -> None:
    cards = [PhysicalCard(number, "2C") for number in range(1, 5)]
    room = Room(None, {}, Choices(1), [], [])
    room.table = [Laid(cards[0], 1, face_down=False), Laid(cards[1], 3, face_down=False), Laid(cards[2], 1, False)]
    room.do(h.CollectHand(1, 2, 1, 4), 0.0)
    assert ([laid.seat for laid in room.gone], [card.number for card in room.rack]) == ([1, 1], [1, 3])
    assert [laid.seat for laid in room.table] == [3]
    room.do(h.CollectHand(3, 1, 1, 5), 0.0)
    assert [laid.seat for laid in room.gone] == [3]
