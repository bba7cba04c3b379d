"""The status leaves out a notice that asks people for something, once nothing is asked any more."""

from unittest.mock import MagicMock

from controller.catalogue import Language
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.house.waiting import Waiting
from controller.core.words import Person, Role, TableMs
from controller.daemon.gate_requests import GateRequests
from controller.daemon.language_views import is_open
from controller.protocol.lines import Do, Request
from controller.runtime.agreed import agreed_by
from controller.runtime.answers import Done
from tests.core.table import SETUP

ASKED = Notice("second-person-asked", (("act", "correct-entry"), ("role", "dealer"), ("who", "chief_supervisor")))
AGREED = Notice(
    "second-agreed", (("person", "21"), ("role", "chief_supervisor"), ("first", "11"), ("act", "correct-entry"))
)


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


def test_the_person_who_has_agreed_is_told_by_number_too() -> None:
    """The panel names this person beside the round, where no line of the messages is in sight."""
    assert [agreed_by(one) for one in (AGREED, ASKED, Notice("bets-open"))] == [21, None, None]


def test_an_agreement_is_told_once() -> None:
    loop, answer = MagicMock(), Done(7, "correct-entry", waiting_for(), AGREED)
    requests = GateRequests(loop, *(MagicMock() for _ in range(2)), Language.EN, *(MagicMock() for _ in range(5)))
    requests._asked[1] = MagicMock(), Request(Do.ACT, 1, act="correct-entry"), MagicMock()
    requests._open_requests = MagicMock()
    requests.answer(1, answer)
    assert requests.take_agreed() == [AGREED]
    assert requests.take_agreed() == []
