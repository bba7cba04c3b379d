"""The session of a table without cards: its opening, the announced closing, its end."""

from typing import Any

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CHIEF, DEALER, FINAL_MS, SUPERVISORS, ActRule, unchanged
from controller.core.house.session_table import SessionTrigger
from controller.core.house.state import StateT, with_house, without_round
from controller.core.house.undoing import by
from controller.core.words import Closing, Permission, Role, RoundPhase, TableMs


class OpenSession(Act, frozen=True):
    pass


class IndicateClosing(Act, frozen=True):
    pass


class TakeBackClosing(Act, frozen=True):
    """A person takes back a closing that was indicated by mistake, and play goes on."""


class EndSession(Act, frozen=True):
    """Ends the session of a table without cards. A session with cards ends by its deck check."""


def open_session(state: StateT, _act: OpenSession, _at_ms: TableMs) -> StateT:
    """Returns `state` with a new session: the session's number grows by one, and rounds are numbered from 1 again. The
    caller has already set the session's phase.
    """
    state = without_round(state)
    state = replace(state, game=replace(state.game, number=0))
    number = state.house.session_number + 1
    return with_house(state, session_number=number, last_closing=Closing.NONE, closing_final=True)


def end_session(state: StateT, _act: EndSession, _at_ms: TableMs) -> StateT:
    """Returns `state` with a regular closing recorded. The session's report is final if no duty is open (pt.bj.51b).
    The caller has already set the session's phase.
    """
    return with_house(state, last_closing=Closing.REGULAR, closing_final=not state.house.duties)


PLAIN_SESSION_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "open-session",
        OpenSession,
        DEALER,
        open_session,
        session=SessionTrigger.SESSION_OPENED,
        needs=Permission.BET,
        undone=by("indicate-closing"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "indicate-closing",
        IndicateClosing,
        (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER),
        unchanged,
        session=SessionTrigger.CLOSING_INDICATED,
        in_round=(RoundPhase.IDLE,),
        needs=Permission.CLOSE,
        hold_ms=FINAL_MS,
        undone=by("take-back-closing"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "take-back-closing",
        TakeBackClosing,
        SUPERVISORS,
        unchanged,
        session=SessionTrigger.CLOSING_TAKEN_BACK,
        needs=Permission.BET,
        undone=by("indicate-closing"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "end-session",
        EndSession,
        CHIEF,
        end_session,
        (DIFFERENCES_ARE_SETTLED,),
        session=SessionTrigger.SESSION_ENDED,
        needs=Permission.CLOSE,
        hold_ms=FINAL_MS,
        undone=by("open-session"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
