"""Rows that no written scenario can show: prohibitions and demands of holds, and cases that events do not reach."""

import ast
from itertools import product
from pathlib import Path

import pytest

from controller import core
from controller.catalogue import has_key
from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.choices import ExtraCard, FaceUpCard, Misdealt
from controller.core.custody.corrections import ReportExtraCard, ReportFaceUpCard, ReportMisdealt
from controller.core.custody.damage import RecordAuthorisation, ReplaceCard, ReplaceDeck
from controller.core.custody.putting_back import CollectCards, LeaveInRack
from controller.core.custody.rulings import CallForRuling, MakeRuling
from controller.core.custody.state import Card, Dealt, Ruling, ShoeGame
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.notices import REMINDERS
from controller.core.house.permitted import permitted_act
from controller.core.words import Cause, Outcome, Purpose, Role, RoundPhase, SessionPhase, TableMs
from tests.core.holds_out_of_reach import HOLD_CASES
from tests.core.parts import changed
from tests.core.rows_out_of_reach import CASES, DAMAGED, Case
from tests.core.states_by_hand import DEAL, after, dealt, in_play
from tests.core.table import CHIEF, DEALER, INSPECTOR


@pytest.mark.parametrize("case", HOLD_CASES, ids=lambda case: case.guard or "allowed")
def test_a_hold_forbids_and_asks_for_no_less_and_no_more(case: Case) -> None:
    """Clauses: pt.bj.51a pt.bj.51c pt.bj.51d pt.bj.51e pt.bj.17a pt.bj.61 pt.bj.54d br.inc.1."""
    assert not case.fails()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.guard or "allowed")
def test_an_act_is_refused_by_its_guard(case: Case) -> None:
    """Clauses: pt.bj.55b pt.bj.54b pt.bj.60a mo.5.1.2a pt.bj.17c pt.bj.18f mo.1.2 pt.bj.53c pt.bj.5b pt.bj.5c.

    And pt.bj.51b pt.bj.3a pt.bj.51d pt.bj.17a mo.2.2.
    """
    assert not case.fails()


@pytest.mark.slow
def test_no_row_is_for_whatever_posts_there_are() -> None:
    """A new post has no rights, not even to sign in, until a row names it (pt.bj.54d)."""
    folder = Path(next(iter(core.__path__)))
    iterated = [
        f"{path.name}:{source.lineno}"
        for path in sorted(folder.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text()))
        for source in (node.args if isinstance(node, ast.Call) else [getattr(node, "iter", None)])
        if isinstance(source, ast.Name) and source.id == "Role"
    ]
    assert iterated == []


def test_a_whole_deck_or_with_authorisation_the_card_alone() -> None:
    """DC-05: pt.bj.5b pt.bj.5c: the deck of a damaged card is replaced; no report is owed for it."""
    state = after(DAMAGED, ReplaceDeck(CHIEF, Role.CHIEF_SUPERVISOR, 2))
    assert (state.custody.book.withdrawn, state.custody.damaged, state.house.duties) == (52, None, ())
    state = after(DAMAGED, RecordAuthorisation(CHIEF, Role.CHIEF_SUPERVISOR, "SRIJ 4"))
    state = after(state, ReplaceCard(CHIEF, Role.CHIEF_SUPERVISOR, Card("4D")))
    assert (state.custody.book.withdrawn, state.custody.damaged, state.custody.authorised) == (1, None, "")


def test_face_up_the_first_of_the_game_may_be_valid() -> None:
    """DM-20: mo.5.1.1: another is invalid, goes to the container, and its place gets the next."""
    report = ReportFaceUpCard(DEALER, Role.DEALER)
    first = changed(dealt(DEAL[0], phase=RoundPhase.DEALING, profile="mo-csm"), number=1)
    kept = replace(first.setup, procedure=replace(first.setup.procedure, face_up_card=FaceUpCard.VALID_IF_FIRST))
    assert after(replace(first, setup=kept), report).game.dealt == first.game.dealt
    assert after(first, report).game.dealt == ()
    third = after(dealt(*DEAL[:3], phase=RoundPhase.PLAYING, profile="mo-csm"), report)
    assert (len(third.game.dealt), third.game.phase, third.custody.book.burnt) == (2, RoundPhase.DEALING, 1)
    further = Dealt(1, Purpose.SEAT, card=Card("9D"))
    later = after(dealt(*DEAL[:3], further, profile="mo-csm"), report)
    assert (later.game.requested, len(later.game.dealt)) == (1, 3)


def test_the_banks_extra_card() -> None:
    """DM-23: mo.6.1b: removed; where the house says so, unseen, it stays the next card to be drawn."""
    extra = Dealt(0, Purpose.BANK, card=Card("9D"))
    state = dealt(*DEAL[:3], extra, extra, profile="mo-csm")
    assert after(state, ReportExtraCard(DEALER, Role.DEALER, seen=False)).custody.set_aside is None
    valid = replace(state.setup.procedure, bank_extra_card=ExtraCard.VALID_IF_UNSEEN)
    state = replace(state, setup=replace(state.setup, procedure=valid))
    kept = after(state, ReportExtraCard(DEALER, Role.DEALER, seen=False))
    assert kept.custody.set_aside is not None
    assert (kept.custody.book.pending, kept.custody.book.total) == (1, state.custody.book.total)
    assert after(state, ReportExtraCard(DEALER, Role.DEALER, seen=True)).custody.set_aside is None


@pytest.mark.parametrize(
    ("outcome", "rack", "aside"), [(Outcome.CARD_DISCARDED, 2, False), (Outcome.CARD_TO_NEXT, 1, True)]
)
def test_in_brazil_the_inspector_decides(outcome: Outcome, rack: int, *, aside: bool) -> None:
    """br.inc.1 br.staff.3: the round is held until the table inspector has decided, and who decided is recorded."""
    state = dealt(*DEAL[:3], Dealt(1, Purpose.SEAT, card=Card("9D")), profile="br")
    assert state.setup.procedure.misdealt_seen is Misdealt.INSPECTOR_DECIDES
    held = after(state, ReportMisdealt(DEALER, Role.DEALER, seen=True))
    assert [hold.kind.value for hold in held.house.holds] == ["ruling"]
    refusal = decide_by(TABLE, held, MakeRuling(CHIEF, Role.CHIEF_SUPERVISOR, outcome), TableMs(5)).refusal
    assert refusal is not None
    assert (refusal.guard, refusal.who) == ("actor_is_the_authority", (Role.TABLE_INSPECTOR,))
    assert permitted_act(TABLE, held, MakeRuling).who == (Role.TABLE_INSPECTOR,)
    ruled = after(held, MakeRuling(INSPECTOR, Role.TABLE_INSPECTOR, outcome))
    assert (ruled.custody.book.rack, ruled.custody.set_aside is not None, ruled.house.holds) == (rack, aside, ())
    assert ruled.game.last_ruling == Ruling(outcome, INSPECTOR, Role.TABLE_INSPECTOR)


def test_the_state_keeps_one_ruling_and_that_until_the_round_is_over() -> None:
    """Every incident of an evening in Brazil is a ruling (br.inc.1): the journal has them all, the state the last."""
    once = _ruled(dealt(*DEAL[:3], profile="br"))
    assert once.game.last_ruling == Ruling(Outcome.CONTINUE, INSPECTOR, Role.TABLE_INSPECTOR)
    state = _ruled(once)
    assert replace(state, house=replace(state.house, last_hold=once.house.last_hold)) == once
    state = after(state, ConfirmSettled(DEALER, Role.DEALER))
    state = after(state, CollectCards(DEALER, Role.DEALER))
    assert (state.game.phase, state.game.last_ruling) == (RoundPhase.IDLE, None)


def _ruled(state: BlackjackState) -> BlackjackState:
    state = after(state, CallForRuling(DEALER, Role.DEALER, Cause.DISPUTE))
    return after(state, MakeRuling(INSPECTOR, Role.TABLE_INSPECTOR, Outcome.CONTINUE))


def test_leftovers_hold_the_next_round_in_macau() -> None:
    """RC-08: mo.2.2.4: used cards that cannot be put back hold the table until it is decided, and by whom."""
    state = replace(dealt(*DEAL[:3], phase=RoundPhase.COLLECTED, profile="mo-csm"))
    held = after(state, LeaveInRack(DEALER, Role.DEALER))
    assert [(hold.kind.value, hold.details) for hold in held.house.holds] == [("ruling", (("cause", "leftovers"),))]
    refusal = decide_by(TABLE, held, TakeBets(DEALER, Role.DEALER, (1,)), TableMs(5)).refusal
    assert refusal is not None
    assert refusal.guard == "no_hold_forbids_it"
    ruled = after(held, MakeRuling(CHIEF, Role.CHIEF_SUPERVISOR, Outcome.CONTINUE))
    assert after(ruled, TakeBets(DEALER, Role.DEALER, (1,))).game.phase is RoundPhase.BETTING


def test_people_are_reminded_at_a_step() -> None:
    """pt.bj.7b pt.bj.24b pt.bj.54a pt.bj.58 mo.3.4 mo.6.5 mo.7.1 mo.20.2.

    br.prep.2a br.prep.3a br.talha.1 br.players.4a.
    """
    named = {profile: law(profile).reminders for profile in PROFILES}
    of_the_shoe = {"lay-open-in-rows-by-deck", "stakes-of-a-tie-stay-or-go", "insurance-is-invited"}
    portugal = {"load-with-care", "cards-out-of-play-to-the-rack", *of_the_shoe}
    macau = {
        "only-the-bank-handles-cards",
        "players-do-not-influence-others",
        "totals-are-announced-from-the-left",
        "points-are-announced-before-the-banks-second",
        "who-goes-beyond-21-shows-his-cards",
    }
    wheel = set(law("pt-roulette").reminders)
    brazil = {one.name for one in REMINDERS} - portugal - macau - wheel | {"insurance-is-invited"}
    said = {"pt-csm": portugal, "house": portugal, "br": brazil, "pt-roulette": wheel} | dict.fromkeys(
        ("mo-csm", "mo-shoe", "mo-box"), macau
    )
    assert {profile: set(names) for profile, names in named.items()} == {"pt-shoe": of_the_shoe} | said
    for one, names in product(REMINDERS, named.values()):
        setup = replace(in_play().setup, reminders=names)
        before = changed(in_play(), setup=setup, phase=RoundPhase.COLLECTED, session=SessionPhase.CLOSED)
        step = "session" if isinstance(one.at, SessionPhase) else "phase"
        assert (Notice(one.name) in TABLE.follows.told(before, changed(before, **{step: one.at}))) is (
            one.name in names
        )
        assert has_key(f"notice.{one.name}")


@pytest.mark.parametrize(
    ("out", "measured", "is_told"), [(263, None, False), (267, None, False), (268, None, True), (268, 262, False)]
)
def test_a_warning_card_that_does_not_come_is_asked_for_once(out: int, measured: int | None, is_told: bool) -> None:
    """pt.bj.9a pt.bj.11a: the question comes when the card is some cards late and no person has reported it."""
    game = ShoeGame(behind=50, expected=262, measured=measured, out=out)
    before, after = (changed(in_play(), shoe_game=one) for one in (replace(game, out=out - 1, measured=measured), game))
    told = Notice("warning-card-overdue", (("out", str(out)), ("expected", "262")))
    assert TABLE.follows.told(before, after) == ((told,) if is_told else ())
