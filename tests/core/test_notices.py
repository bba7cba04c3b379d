"""People's notices of the difference between two states: each change once, and no others."""

from itertools import pairwise

from controller.core.choices import Cut
from controller.core.custody.state import Ruling, ShoeGame
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.state import Duty, Hold, Tally
from controller.core.words import (
    Device,
    DutyId,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    Outcome,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
)
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, dealt
from tests.core.table import CHIEF, DEALER, CoreTable

JAM = Hold(HoldId(1), HoldKind.JAM, HoldPhase.RAISED, TableMs(0), Device.SHUFFLER, JamPlace.MOUTH)


def keys(before: BlackjackState, after: BlackjackState) -> list[str]:
    return [notice.key for notice in TABLE.follows.told(before, after)]


def test_a_hold_is_told_of_when_it_comes_at_each_of_its_steps_and_when_it_ends() -> None:
    state = dealt(*DEAL)
    attended = replace(JAM, phase=HoldPhase.ATTENDED)
    called = replace(attended, technician_called=True)
    cleared = replace(called, phase=HoldPhase.CLEARED)
    again = replace(cleared, phase=HoldPhase.RAISED, times=2)
    life = [changed(state, holds=(one,) if one else ()) for one in (None, JAM, attended, called, cleared, again, None)]
    told = [keys(before, after) for before, after in pairwise(life)]
    assert told == [["hold-raised"], ["hold-attended"], [], ["hold-cleared"], ["hold-raised"], ["hold-ended"]]
    assert TABLE.follows.told(life[0], life[1])[0].values == (("id", "H1"), ("kind", "jam"), ("place", "mouth"))


def test_a_duty_is_told_of_when_it_comes_and_when_it_ends() -> None:
    first, second = (Duty(DutyId(n), DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, TableMs(0)) for n in (1, 2))
    one, both, other = (changed(dealt(), duties=open_) for open_ in ((first,), (first, second), (second,)))
    assert [(told.key, told.values[0]) for told in TABLE.follows.told(one, both)] == [("duty-opened", ("id", "D2"))]
    assert [(told.key, told.values[0]) for told in TABLE.follows.told(both, other)] == [("duty-ended", ("id", "D1"))]


def test_a_correction_a_ruling_and_stakes_that_go_back_are_told_once() -> None:
    state = changed(dealt(*DEAL), last_ruling=Ruling(Outcome.CONTINUE, CHIEF, Role.CHIEF_SUPERVISOR))
    assert keys(state, changed(state, tally=Tally(corrections=1))) == ["card-corrected"]
    assert keys(state, changed(state, tally=Tally(drawn=1))) == []
    assert TABLE.follows.told(state, changed(state, tally=Tally(voided=1))) == (
        Notice("stakes-go-back", (("seats", "1"),)),
    )
    assert keys(changed(state, seats=()), changed(state, seats=(), tally=Tally(voided=1))) == []
    void = Ruling(Outcome.ROUND_VOID, CHIEF, Role.CHIEF_SUPERVISOR, (3, 4))
    assert TABLE.follows.told(state, changed(state, last_ruling=void, tally=Tally(voided=1))) == (
        Notice("ruling-made", (("outcome", "round-void"), ("role", "chief_supervisor"))),
        Notice("stakes-go-back", (("seats", "3 4"),)),
    )


def test_a_step_of_session_or_round_is_told() -> None:
    state = changed(dealt(), phase=RoundPhase.IDLE)
    closing = changed(state, session=SessionPhase.CLOSING)
    assert TABLE.follows.told(state, closing) == (Notice("session-step", (("session", "closing"),)),)
    betting = changed(state, phase=RoundPhase.BETTING)
    assert TABLE.follows.told(state, betting) == (Notice("round-step", (("round", "betting"), ("number", "2"))),)


def test_what_people_hear_of_an_act_is_what_it_changed(table: CoreTable) -> None:
    assert [told.key for told in table.act(TakeBets, DEALER, seats=(1,)).notices] == ["round-step"]
    table.jam()
    assert table.last is not None
    assert [told.key for told in table.last.notices] == ["hold-raised"]


# --- shoe and box


def at_a_shoe(game: ShoeGame, session: SessionPhase = SessionPhase.IN_PLAY, *, number: int = 2) -> BlackjackState:
    state = changed(dealt(profile="pt-shoe"), phase=RoundPhase.IDLE, number=number)
    return changed(state, session=session, shoe_game=game)


def of_the_shoe(before: ShoeGame, after: ShoeGame) -> list[str]:
    return keys(at_a_shoe(before), at_a_shoe(after))


def test_a_warning_card_at_another_place_than_the_rule_s_is_told_when_it_is_placed() -> None:
    """Clause: pt.bj.9a."""
    assert of_the_shoe(ShoeGame(), ShoeGame(behind=60)) == ["warning-card-off"]
    assert of_the_shoe(ShoeGame(behind=60), ShoeGame(behind=60, out=1)) == []
    assert of_the_shoe(ShoeGame(), ShoeGame(behind=50)) == []


def test_a_warning_card_that_does_not_come_is_told_once_when_it_is_overdue() -> None:
    """Clause: pt.bj.9a."""
    told = [
        of_the_shoe(ShoeGame(expected=252, out=out), ShoeGame(expected=252, out=out + 1)) for out in (256, 257, 258)
    ]
    assert told == [[], ["warning-card-overdue"], []]


def test_the_last_round_is_told_where_the_cards_alone_make_it_so() -> None:
    """Clause: mo.1.3."""
    assert of_the_shoe(ShoeGame(), ShoeGame(last_round=2)) == ["last-round-begins"]
    assert of_the_shoe(ShoeGame(last_round=2), ShoeGame(last_round=2, announced=True)) == []
    out = ShoeGame(expected=252, measured=250, last_round=2)
    assert of_the_shoe(ShoeGame(expected=252), out) == ["warning-card-out"]


def test_the_cut_is_offered_when_the_cards_are_mixed_and_to_each_seat_in_turn() -> None:
    """Clause: pt.bj.8b."""
    sitting, later = ShoeGame(players=(2, 4)), ShoeGame(players=(2, 4), cut_refused=(2,))
    gathered, mixed = (at_a_shoe(sitting, session) for session in (SessionPhase.GATHERED, SessionPhase.MIXED))
    assert mixed.setup.procedure.cut is Cut.SEAT_ORDER
    offered = Notice("cut-offered", (("seat", "2"),))
    assert TABLE.follows.told(gathered, mixed) == (offered, Notice("session-step", (("session", "mixed"),)))
    assert TABLE.follows.told(mixed, changed(mixed, shoe_game=later)) == (Notice("cut-offered", (("seat", "4"),)),)
    assert keys(mixed, changed(mixed, shoe_game=replace(sitting, counted_again=True))) == []
    assert keys(gathered, changed(gathered, shoe_game=later)) == []
