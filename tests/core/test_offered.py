"""The offered acts, by the profile's choice: the guard that refuses, with its values."""

from controller.core.choices import Misdealt
from controller.core.custody.corrections import MoveCard, ReportMisdealt
from controller.core.custody.rulings import MakeRuling
from controller.core.custody.state import Card, Dealt
from controller.core.custody.turning import TurnCard, TurnHoleCard
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import refused
from controller.core.house.hold_acts import AttendHold, ConfirmHold
from controller.core.house.permitted import is_permitted, offered, permitted, permitted_act, who_may_ask
from controller.core.house.state import Hold
from controller.core.words import Device, HoldId, HoldKind, HoldPhase, Purpose, Role, TableMs
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, D, dealt, held

OPEN = Dealt(1, Purpose.SEAT, card=Card("9D"))
HIDDEN = Dealt(1, Purpose.SEAT, face_down=4)


def test_what_is_offered_is_what_nobody_would_be_refused_without_its_values() -> None:
    lid = Hold(HoldId(1), HoldKind.LID, HoldPhase.RAISED, TableMs(0), Device.SHUFFLER)
    state = changed(dealt(), holds=(lid,))
    assert list(offered(TABLE, state)) == [(one.act, one.who) for one in permitted(TABLE, state) if one.refusal is None]
    assert (is_permitted(TABLE, state, AttendHold), is_permitted(TABLE, state, ConfirmHold)) == (True, False)
    assert who_may_ask(TABLE, state, AttendHold) == (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
    assert who_may_ask(TABLE, state, ConfirmHold) == ()


def rectified_where_seen(*cards: Dealt) -> BlackjackState:
    """Makes a table whose profile no casino has: a seen misdealt card is moved, an unseen one is discarded."""
    state = dealt(*cards)
    procedure = replace(state.setup.procedure, misdealt_seen=Misdealt.RECTIFY, misdealt_unseen=Misdealt.DISCARD)
    return changed(state, setup=replace(state.setup, procedure=procedure))


def refuses(state: BlackjackState, act: Act) -> str:
    refusal = refused(TABLE, state, act)
    return "" if refusal is None else refusal.guard


def test_what_becomes_of_a_misdealt_card_the_profile_says_for_seen_and_unseen_ones() -> None:
    """Clauses: pt.bj.18d, mo.5.1.2a."""
    state = rectified_where_seen(*DEAL, OPEN)
    assert refuses(state, ReportMisdealt(*D, seen=True)) == "error_is_not_to_be_rectified"
    assert refuses(state, ReportMisdealt(*D, seen=False)) == ""
    assert refuses(state, MoveCard(*D, 0)) == ""
    assert refuses(rectified_where_seen(*DEAL, HIDDEN), MoveCard(*D, 0)) == "error_is_rectified_here"


def rectified_where_unseen(*cards: Dealt) -> BlackjackState:
    """Makes a table with a shuffler in Portugal: an unseen misdealt card is moved, a seen one is discarded."""
    state = dealt(*cards)
    procedure = replace(state.setup.procedure, misdealt_seen=Misdealt.DISCARD, misdealt_unseen=Misdealt.RECTIFY)
    return changed(state, setup=replace(state.setup, procedure=procedure))


def test_an_unseen_card_is_put_right_and_a_report_of_a_seen_one_is_still_offered() -> None:
    """Clauses: pt.bj.18f, mo.5.1.2a."""
    state = rectified_where_unseen(*DEAL, OPEN)
    assert refuses(state, ReportMisdealt(*D, seen=False)) == "error_is_not_to_be_rectified"
    assert refuses(state, ReportMisdealt(*D, seen=True)) == ""
    assert refuses(state, MoveCard(*D, 0)) == ""
    assert is_permitted(TABLE, state, ReportMisdealt)
    assert not is_permitted(TABLE, rectified_where_unseen(*DEAL[:1]), ReportMisdealt)
    assert refuses(rectified_where_unseen(*DEAL, HIDDEN), MoveCard(*D, 0)) == ""


def test_a_card_to_be_turned_without_a_face_is_refused_with_the_act_that_gives_it() -> None:
    """Clauses: pt.bj.17b, mo.6.2."""
    hole = refused(TABLE, dealt(*DEAL), TurnHoleCard(*D, None, None))
    players = refused(TABLE, dealt(*DEAL, HIDDEN, profile="mo-csm"), TurnCard(*D, 1, 3, None, None))
    assert hole is not None
    assert players is not None
    assert hole.values == (("turning", "turn-hole-card"),)
    assert players.values == (("turning", "turn-card --value seat=1 --value position=3"),)


def test_a_ruling_is_offered_to_the_authority_alone() -> None:
    """Clause: br.staff.3."""
    owed = held(dealt(*DEAL[:3], profile="br"), HoldKind.RULING, details=(("cause", "dispute"),))
    assert permitted_act(TABLE, owed, MakeRuling).who == (Role.TABLE_INSPECTOR,)
    assert permitted_act(TABLE, owed, TakeBets).who == (Role.DEALER,)
