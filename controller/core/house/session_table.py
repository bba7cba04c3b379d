"""The steps of a session without cards: closed, in play, closing, closed. A session with cards has more steps."""

from enum import StrEnum, unique
from typing import Final

from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.words import SessionPhase as S


@unique
class SessionTrigger(StrEnum):
    SESSION_OPENED = "session_opened"
    CLOSING_INDICATED = "closing_indicated"
    CLOSING_TAKEN_BACK = "closing_taken_back"
    SESSION_ENDED = "session_ended"


T = SessionTrigger

PLAIN_SESSION: Final = ProcedureMachine(
    "session",
    (
        Row(T.SESSION_OPENED, S.CLOSED, S.IN_PLAY),
        Row(T.CLOSING_INDICATED, S.IN_PLAY, S.CLOSING),
        Row(T.CLOSING_TAKEN_BACK, S.CLOSING, S.IN_PLAY),
        Row(T.SESSION_ENDED, S.CLOSING, S.CLOSED),
    ),
    initial=S.CLOSED,
)
