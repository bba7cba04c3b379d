"""The session, from closed to closed (pt.bj.53 to 57): which step leads where.

`irregular_closing_confirmed` is the one exit from a count that cannot be mended; it leads to unloading from wherever
cards may be inside, and from the deck check straight to its end.
"""

from enum import StrEnum, unique

from controller.core.choices import OpeningCheck
from controller.core.machine import ProcedureMachine, Row
from controller.core.words import SessionPhase as S


@unique
class SessionTrigger(StrEnum):
    SESSION_OPENED = "session_opened"
    DISPLAY_CONFIRMED = "display_confirmed"
    MIXING_CONFIRMED = "mixing_confirmed"
    LOADING_BEGUN = "loading_begun"
    LOADING_COMPLETED = "loading_completed"
    TAKING_OUT_BEGUN = "taking_out_begun"
    TAKEN_OUT = "taken_out"
    OPENING_ABANDONED = "opening_abandoned"
    BURN_DRAWN = "burn_drawn"
    CLOSING_INDICATED = "closing_indicated"
    UNLOADING_BEGUN = "unloading_begun"
    UNLOADING_COMPLETED = "unloading_completed"
    DECK_CHECK_CONFIRMED = "deck_check_confirmed"
    IRREGULAR_CLOSING_CONFIRMED = "irregular_closing_confirmed"


T = SessionTrigger

_DISPLAYED = ("opening_check", OpeningCheck.DISPLAY)

SESSION = ProcedureMachine(
    "session",
    S,
    T,
    [
        Row(T.SESSION_OPENED, S.CLOSED, S.OPENED),
        Row(T.DISPLAY_CONFIRMED, S.OPENED, S.DISPLAYED, only=_DISPLAYED),
        Row(T.MIXING_CONFIRMED, S.DISPLAYED, S.MIXED, only=_DISPLAYED),
        Row(T.LOADING_BEGUN, S.OPENED, S.LOADING, only=("opening_check", OpeningCheck.NONE)),  # mo.2.1.2
        Row(T.LOADING_BEGUN, S.MIXED, S.LOADING),
        Row(T.LOADING_COMPLETED, S.LOADING, S.LOADED),
        Row(T.TAKING_OUT_BEGUN, S.LOADING, S.TAKING_OUT),
        Row(T.TAKEN_OUT, S.TAKING_OUT, S.MIXED),
        Row(T.OPENING_ABANDONED, S.OPENED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.DISPLAYED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.MIXED, S.CLOSED),
        Row(T.BURN_DRAWN, S.LOADED, S.IN_PLAY),
        Row(T.CLOSING_INDICATED, S.LOADED, S.CLOSING),
        Row(T.CLOSING_INDICATED, S.IN_PLAY, S.CLOSING),
        Row(T.UNLOADING_BEGUN, S.CLOSING, S.UNLOADING),
        Row(T.UNLOADING_COMPLETED, S.UNLOADING, S.CHECKING),
        Row(T.DECK_CHECK_CONFIRMED, S.CHECKING, S.CLOSED),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.LOADING, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.TAKING_OUT, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.LOADED, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.IN_PLAY, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.CLOSING, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.UNLOADING, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.CHECKING, S.CHECKING),
    ],
    initial=S.CLOSED,
)
