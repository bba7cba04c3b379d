"""The status leaves out a notice that asks people for something, once nothing is asked any more."""

from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.house.state import Waiting
from controller.core.words import Person, Role, TableMs
from controller.daemon.language_views import is_open
from tests.core.table import SETUP

ASKED = Notice("second-person-asked", (("act", "correct-entry"), ("role", "dealer"), ("who", "chief_supervisor")))


def waiting_for(*acts: str) -> BlackjackState:
    state, second = initial_state(SETUP), (Role.CHIEF_SUPERVISOR,)
    waits = tuple(Waiting(act, (), Person(12), Role.DEALER, second, TableMs(0)) for act in acts)
    return replace(state, house=replace(state.house, waiting=waits))


def test_a_second_person_is_asked_for_only_as_long_as_the_act_waits() -> None:
    assert is_open(ASKED, waiting_for("correct-entry"))
    assert not is_open(ASKED, waiting_for())
    assert not is_open(ASKED, waiting_for("pay-jackpot"))


def test_what_happened_is_told_however_the_table_goes_on() -> None:
    assert is_open(Notice("bets-open"), waiting_for())
