"""The changes by acts on cards that were dealt, laid aside or corrected: each field, and each condition."""

from controller.core.choices import ExtraCard, Faces
from controller.core.custody.corrections import MoveCard, ReportExtraCard, RetractCard
from controller.core.custody.damage import RecordAuthorisation, ReplaceCard
from controller.core.custody.naming import NameCard
from controller.core.custody.rulings import CallForRuling, MakeRuling
from controller.core.custody.set_aside import give_set_aside
from controller.core.custody.state import FOREIGN, Card, Dealt, SetAside, ShoeGame
from controller.core.custody.turning import RenameCard, places_face_down
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.words import Cause, HoldKind, Outcome, Purpose, RoundPhase, TableMs
from tests.core.parts import changed
from tests.core.rows_out_of_reach import DAMAGED
from tests.core.states_by_hand import DEAL, LAST, C, D, after, dealt, held, waiting


def test_a_card_that_goes_to_a_hand_lies_aside_no_more_and_another_stays_nobodys() -> None:
    state = waiting(dealt(*DEAL[:3]), pending=2, card=Card("9D"))
    given = after(state, DrawCard(*D, 1))
    assert (given.custody.set_aside, given.custody.book.pending, given.game.dealt[-1]) == (None, 1, LAST)
    to_the_bank = give_set_aside(state, 0, TableMs(5))
    assert to_the_bank.game.dealt[-1].purpose is Purpose.BANK


def test_a_card_that_is_discarded_lies_aside_no_more_and_another_stays_nobodys() -> None:
    state = waiting(dealt(*DEAL[:3]), pending=2, card=Card("9D"))
    gone = after(state, ConfirmSettled(*D))
    assert (gone.custody.set_aside, gone.custody.book.pending) == (None, 1)
    stays = after(
        changed(state, set_aside=SetAside(Card("9D"), None, outlives_round=True)),
        ConfirmSettled(*D),
    )
    assert stays.custody.set_aside is not None


def test_a_card_kept_for_the_next_round_is_its_first() -> None:
    """Clause: mo.6.1b."""
    betting = changed(dealt(phase=RoundPhase.BETTING, profile="pt-csm"), provisional=False)
    state = waiting(betting, pending=2, card=Card("9D"), outlives=True)
    begun = after(state, AnnounceNoMoreBets(*D))
    assert (begun.custody.set_aside, begun.custody.book.pending, begun.game.dealt) == (None, 1, (LAST,))
    unseen = after(waiting(betting, pending=1, outlives=True), AnnounceNoMoreBets(*D))
    assert [hold.kind for hold in unseen.house.holds] == [HoldKind.UNREAD_CARD]


def test_a_card_kept_for_a_place_whose_cards_lie_face_down_has_its_number_and_its_seal() -> None:
    """Clauses: mo.5.2.1.1, mo.6.1b."""
    betting = changed(dealt(phase=RoundPhase.BETTING, profile="mo-csm"), provisional=False, face_down=4)
    hidden = replace(betting.setup, procedure=replace(betting.setup.procedure, player_cards=Faces.DOWN))
    state = changed(waiting(betting, pending=1), setup=hidden, set_aside=SetAside(None, "ab" * 32, outlives_round=True))
    begun = after(state, AnnounceNoMoreBets(*D))
    assert begun.game.dealt == (Dealt(1, Purpose.SEAT, face_down=5, commitment="ab" * 32),)
    assert begun.custody.face_down == 5


def test_a_card_that_is_moved_is_the_banks_or_the_places() -> None:
    """Clause: mo.5.1.2a."""
    state = dealt(*DEAL[:3], LAST, profile="mo-csm")
    moved = after(state, MoveCard(*D, 0))
    assert (moved.game.dealt[-1].seat, moved.game.dealt[-1].purpose) == (0, Purpose.BANK)
    back = after(changed(moved, provisional=True), MoveCard(*D, 1))
    assert (back.game.dealt[-1].seat, back.game.dealt[-1].purpose) == (1, Purpose.SEAT)
    hole = after(dealt(*DEAL, profile="mo-box"), MoveCard(*D, 0))
    assert hole.game.dealt[-1].purpose is Purpose.HOLE


def test_a_void_round_owes_no_card_and_corrects_none() -> None:
    state = changed(dealt(*DEAL[:3], LAST, profile="mo-csm"), requested=1)
    ruled = after(after(state, CallForRuling(*D, Cause.DEAL_BEYOND_REPAIR)), MakeRuling(*C, Outcome.ROUND_VOID))
    assert (ruled.game.requested, ruled.game.provisional, ruled.game.phase) == (None, False, RoundPhase.SETTLED)


def test_what_goes_on_after_a_ruling_may_be_corrected_while_no_card_is_nobodys() -> None:
    state = after(dealt(*DEAL[:3], LAST), CallForRuling(*D, Cause.DISPUTE))
    goes_on = MakeRuling(*C, Outcome.CONTINUE)
    assert after(state, goes_on).game.provisional
    pending = changed(state, book=replace(state.custody.book, inside=state.custody.book.inside - 1, pending=1))
    assert not after(pending, goes_on).game.provisional


def test_a_card_that_was_replaced_is_forgotten_with_where_it_was_found() -> None:
    state = changed(after(DAMAGED, RecordAuthorisation(*C, "SRIJ 4")), damaged_at_check=True)
    replaced = after(state, ReplaceCard(*C, Card("4D")))
    assert (replaced.custody.damaged, replaced.custody.damaged_at_check) == (None, False)


def test_a_bank_extra_card_that_may_be_valid_waits_over_the_round() -> None:
    """Clause: mo.6.1b."""
    extra = Dealt(0, Purpose.BANK, card=Card("9D"))
    state = dealt(*DEAL[:3], extra, extra, profile="mo-csm")
    valid = replace(state.setup, procedure=replace(state.setup.procedure, bank_extra_card=ExtraCard.VALID_IF_UNSEEN))
    kept = after(replace(state, setup=valid), ReportExtraCard(*D, seen=False))
    assert kept.custody.set_aside is not None
    assert kept.custody.set_aside.outlives_round


def test_a_card_that_was_said_and_is_not_dealt_was_never_out() -> None:
    """The table has no reader: people alone state the dealt cards."""
    setup = replace(dealt(profile="pt-shoe").setup, has_reader=False)
    state = changed(dealt(*DEAL[:1], phase=RoundPhase.DEALING), setup=setup, shoe_game=ShoeGame(out=9))
    back = after(state, RetractCard(*D))
    assert (back.custody.shoe_game.out, back.house.tally.drawn) == (8, -1)


def test_a_foreign_card_corrects_nothing_before_it() -> None:
    state = held(dealt(*DEAL, Dealt(1, Purpose.SEAT)), HoldKind.UNREAD_CARD)
    named = after(state, NameCard(*D, FOREIGN))
    assert not named.game.provisional
    assert (named.custody.book.foreign, named.game.requested) == (1, 1)


def test_where_cards_lie_face_down_is_known_by_place_and_position() -> None:
    state = dealt(*DEAL[:2], Dealt(1, Purpose.SEAT, face_down=3), DEAL[3])
    assert places_face_down(state) == ((1, 2), (0, 2))


def test_a_card_that_people_named_anew_is_one_that_people_named() -> None:
    named = dealt(*DEAL, Dealt(1, Purpose.SEAT, card=Card("9D"), named=True))
    again = after(named, RenameCard(*D, 1, 3, Card("9H")))
    assert again.game.dealt[-1] == Dealt(1, Purpose.SEAT, card=Card("9H"), named=True)
    seen = held(dealt(*DEAL), HoldKind.RULING, details=(("cause", "dispute"),))
    looked = after(seen, RenameCard(*C, 1, 1, Card("9H")))
    assert looked.game.dealt[0].named
