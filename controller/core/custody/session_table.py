"""The session of a table with cards, from closed to closed (pt.bj.53 to 57): which step leads where.

`irregular_closing_confirmed` is the one exit from a count that cannot be mended; it leads to unloading from wherever
the deck set is out, and from the deck check straight to its end.
"""

from enum import StrEnum, unique

from controller.core.choices import Cut, Machine, OpeningCheck
from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.house.session_table import SessionTrigger as H
from controller.core.words import SessionPhase as S


@unique
class CardTrigger(StrEnum):
    DISPLAY_CONFIRMED = "display_confirmed"
    DECKS_COUNTED = "decks_counted"
    MIXING_CONFIRMED = "mixing_confirmed"
    CUT_MADE = "cut_made"
    SHOE_FILLED = "shoe_filled"
    LOADING_BEGUN = "loading_begun"
    LOADING_COMPLETED = "loading_completed"
    TAKING_OUT_BEGUN = "taking_out_begun"
    TAKEN_OUT = "taken_out"
    OPENING_ABANDONED = "opening_abandoned"
    DECK_REPLACED = "deck_replaced"  # of a damaged card: nobody has seen the new one displayed
    BURN_DRAWN = "burn_drawn"
    BURN_MISSED = "burn_missed"  # people said it was drawn, and a whole count does not find it
    CARDS_GATHERED = "cards_gathered"
    UNLOADING_BEGUN = "unloading_begun"
    UNLOADING_COMPLETED = "unloading_completed"
    DECK_CHECK_CONFIRMED = "deck_check_confirmed"
    IRREGULAR_CLOSING_CONFIRMED = "irregular_closing_confirmed"


T = CardTrigger

_DISPLAYED = ("opening_check", OpeningCheck.DISPLAY)
_NOT_SHOWN = ("opening_check", OpeningCheck.NONE)
_SHUFFLER = ("machine", Machine.SHUFFLER)

SESSION = ProcedureMachine(
    "session",
    [
        Row(H.SESSION_OPENED, S.CLOSED, S.OPENED),
        Row(T.DISPLAY_CONFIRMED, S.OPENED, S.DISPLAYED, only=_DISPLAYED),
        Row(T.DECKS_COUNTED, S.OPENED, S.DISPLAYED, only=("opening_check", OpeningCheck.COUNT)),  # br.prep.2b
        Row(T.DECKS_COUNTED, S.GATHERED, S.GATHERED, only=("opening_check", OpeningCheck.COUNT)),  # br.prep.3b
        Row(T.MIXING_CONFIRMED, S.OPENED, S.MIXED, only=_NOT_SHOWN),  # mo.2.1.1a
        Row(T.MIXING_CONFIRMED, S.DISPLAYED, S.MIXED, unless=_NOT_SHOWN),
        Row(T.MIXING_CONFIRMED, S.GATHERED, S.MIXED, unless=_SHUFFLER),  # pt.bj.11b
        Row(T.CUT_MADE, S.MIXED, S.CUT, unless=("cut", Cut.NONE)),  # pt.bj.8a
        Row(T.SHOE_FILLED, S.CUT, S.LOADED, unless=_SHUFFLER),  # pt.bj.9c
        Row(T.LOADING_BEGUN, S.OPENED, S.LOADING, only=_NOT_SHOWN),  # mo.2.1.2
        Row(T.LOADING_BEGUN, S.MIXED, S.LOADING, only=_SHUFFLER),
        Row(T.LOADING_COMPLETED, S.LOADING, S.LOADED),
        Row(T.TAKING_OUT_BEGUN, S.LOADING, S.TAKING_OUT),
        Row(T.TAKEN_OUT, S.TAKING_OUT, S.MIXED),
        Row(T.DECK_REPLACED, S.DISPLAYED, S.OPENED, only=_DISPLAYED),  # pt.bj.5b, 7a
        Row(T.DECK_REPLACED, S.MIXED, S.OPENED, only=_DISPLAYED),
        Row(T.OPENING_ABANDONED, S.OPENED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.DISPLAYED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.MIXED, S.CLOSED),
        Row(T.OPENING_ABANDONED, S.CUT, S.CLOSED, unless=_SHUFFLER),
        Row(T.BURN_DRAWN, S.LOADED, S.IN_PLAY),
        Row(T.BURN_MISSED, S.IN_PLAY, S.LOADED, unless=_SHUFFLER),
        Row(T.CARDS_GATHERED, S.LOADED, S.GATHERED, unless=_SHUFFLER),
        Row(T.CARDS_GATHERED, S.IN_PLAY, S.GATHERED, unless=_SHUFFLER),  # pt.bj.11b, 12
        Row(H.CLOSING_INDICATED, S.GATHERED, S.CLOSING, unless=_SHUFFLER),
        Row(H.CLOSING_INDICATED, S.MIXED, S.CLOSING, unless=_SHUFFLER),  # for another shoe, which nobody plays any more
        Row(H.CLOSING_INDICATED, S.CUT, S.CLOSING, unless=_SHUFFLER),
        Row(H.CLOSING_INDICATED, S.LOADED, S.CLOSING),
        Row(H.CLOSING_INDICATED, S.IN_PLAY, S.CLOSING),
        Row(T.UNLOADING_BEGUN, S.CLOSING, S.UNLOADING),
        Row(T.UNLOADING_COMPLETED, S.UNLOADING, S.CHECKING),
        Row(T.DECK_CHECK_CONFIRMED, S.CHECKING, S.CLOSED),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.OPENED, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.DISPLAYED, S.UNLOADING, unless=_NOT_SHOWN),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.MIXED, S.UNLOADING),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.GATHERED, S.UNLOADING, unless=_SHUFFLER),
        Row(T.IRREGULAR_CLOSING_CONFIRMED, S.CUT, S.UNLOADING, unless=_SHUFFLER),
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
