"""The effect of a doubt about a card, and the end of the doubt (custody/doubt.py)."""

from controller.core.custody.doubt import doubt_all
from controller.core.custody.drawing import read_again
from controller.core.custody.state import Card, Dealt, Identity, Join
from controller.core.custody.turning import RenameCard, TurnHoleCard
from controller.core.engine.replacing import replace
from controller.core.words import HoldKind, Purpose, TableMs
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, LAST, C, D, after, dealt, held

AT = TableMs(7)
DOUBTED = replace(LAST, card=None, doubted=(Card("9D"),))


def test_a_doubted_card_has_no_name_and_waits_for_no_further_reading() -> None:
    state = dealt(*DEAL[:3], replace(LAST, named=True, paired_ms=AT))
    one = doubt_all(state).game.dealt[-1]
    assert (one.card, one.named, one.paired_ms, one.doubted) == (None, False, None, (Card("9D"),))


def test_a_second_reading_is_the_last_cards_only_where_the_first_came_while_its_pair_was_open() -> None:
    state = dealt(*DEAL[:3], replace(LAST, paired_ms=AT))
    for follows_open in (False, True):
        join = Join(read=Identity(Card("AS"), None), read_ms=AT, follows_open=follows_open)
        again = read_again(changed(state, join=join), Identity(Card("KS"), None), AT)
        assert (again.game.dealt[-1].doubted is not None) == follows_open
        assert again.custody.join.read == Identity(None, None), "neither of the two is believed"


def test_the_hold_for_cards_without_a_face_ends_with_the_last_of_them() -> None:
    state = held(dealt(*DEAL[:2], replace(DOUBTED, doubted=(Card("4D"),)), DOUBTED), HoldKind.UNREAD_CARD)
    first = after(state, RenameCard(*C, 1, 2, Card("4D")))
    assert [hold.kind for hold in first.house.holds] == [HoldKind.UNREAD_CARD]
    assert after(first, RenameCard(*C, 1, 3, Card("9D"))).house.holds == ()


def test_a_doubted_card_that_is_turned_is_in_doubt_no_more() -> None:
    hole = Dealt(0, Purpose.HOLE, face_down=1, doubted=(Card("5S"),))
    turned = after(dealt(*DEAL[:3], hole), TurnHoleCard(*D, card=Card("5S"), salt=None))
    assert (turned.game.dealt[-1].card, turned.game.dealt[-1].doubted) == (Card("5S"), None)
