"""Who may open, load and close, when: one row an act. What a row says stands in act_rule.py."""

from controller.core import acts as a
from controller.core import guards_people as gp
from controller.core import guards_round as gr
from controller.core import guards_session as gs
from controller.core import guards_shoe as gz
from controller.core.act_rule import (
    ANYONE,
    CHIEF,
    DEALER,
    DEALER_OR_CHIEF,
    OPENING,
    ActRule,
    P,
    R,
    S,
)
from controller.core.session_table import SessionTrigger
from controller.core.words import Role

OPENING_RULES: tuple[ActRule, ...] = (
    # people
    ActRule(a.SignIn, ANYONE, "pt.bj.54d", (gp.OPERATION_FITS_THE_ROLE,)),
    ActRule(a.SignOut, ANYONE, "pt.bj.54d", (gp.ACTOR_IS_SIGNED_IN, gp.DEALER_LEAVES_BETWEEN_ROUNDS)),
    # opening and loading
    ActRule(a.OpenSession, DEALER, "pt.bj.7a", session=SessionTrigger.SESSION_OPENED, needs=P.BET),
    ActRule(
        a.NumberDeckSet,
        CHIEF,
        "pt.bj.7b",
        (gs.DECK_SET_IS_A_NUMBER, gs.DECK_SET_IS_NOT_REFUSED),
        in_session=(S.OPENED,),
    ),
    ActRule(
        a.ConfirmDisplay,
        DEALER,
        "pt.bj.53a",
        (gz.CARDS_ARE_DISPLAYED_HERE, gs.DECK_SET_IS_NUMBERED),
        session=SessionTrigger.DISPLAY_CONFIRMED,
    ),
    ActRule(
        a.ConfirmMixing,
        DEALER,
        "pt.bj.53b",
        (
            gz.CARDS_ARE_MIXED_BY_HAND,
            gs.DISPLAY_IS_CONFIRMED,
            gs.DECK_SET_IS_NUMBERED,
            gz.DECKS_ARE_SHUFFLED,
            gz.CARDS_ARE_COUNTED_AGAIN,
            gr.NO_COMPLAINT_IS_OPEN,
        ),
        session=SessionTrigger.MIXING_CONFIRMED,
    ),
    # shoe and box
    ActRule(
        a.ConfirmCount,
        DEALER,
        "br.prep.2b",
        (gz.DECKS_ARE_COUNTED_HERE, gs.DECK_SET_IS_NUMBERED, gz.DECKS_ARE_WHOLE, gz.CARDS_ARE_ALL_IN_THE_MIX),
        session=SessionTrigger.DECKS_COUNTED,
    ),
    ActRule(
        a.ShuffleDeck,
        DEALER,
        "br.prep.4a",
        (gz.DECKS_ARE_SHUFFLED_ONE_BY_ONE, gz.DECK_IS_NOT_SHUFFLED_YET, gz.PASSES_ARE_ENOUGH),
        in_session=(S.DISPLAYED, S.GATHERED),
    ),
    ActRule(
        a.StatePlayers,
        DEALER,
        "pt.bj.8b",
        (gz.CARDS_ARE_CUT, gz.PLAYERS_SIT_AT_SEATS),
        in_session=(*OPENING, S.GATHERED, S.LOADED, S.IN_PLAY),
        in_round=(R.IDLE,),
    ),
    ActRule(
        a.RefuseCut,
        DEALER,
        "pt.bj.8d",
        (gz.CARDS_ARE_CUT, gz.CUT_GOES_IN_TURN),
        in_session=(S.MIXED,),
    ),
    ActRule(
        a.ConfirmCut,
        (Role.DEALER, Role.TABLE_INSPECTOR),
        "pt.bj.8a",
        (gz.CARDS_ARE_CUT, gz.PLAYERS_ARE_STATED, gz.CUT_GOES_IN_TURN, gz.CUT_FALLS_TO_THE_RIGHT_PERSON),
        session=SessionTrigger.CUT_MADE,
    ),
    ActRule(
        a.PlaceWarningCard,
        DEALER,
        "pt.bj.9a",
        (gz.WARNING_CARD_IS_USED, gz.WARNING_CARD_LIES_RIGHT),
        in_session=(S.CUT,),
    ),
    ActRule(
        a.FillShoe,
        DEALER,
        "pt.bj.9c",
        (gz.MACHINE_IS_FILLED_BY_HAND, gz.WARNING_CARD_IS_PLACED),
        session=SessionTrigger.SHOE_FILLED,
        needs=P.FEED,
    ),
    ActRule(
        a.ConfirmCardDealt,
        DEALER,
        "pt.bj.17a",
        (gz.NO_SHUFFLER_COUNTS, gz.A_CARD_IS_OWED),
        needs=P.DRAW,
    ),
    ActRule(
        a.ReportWarningCard,
        DEALER,
        "pt.bj.11a",
        (gz.WARNING_CARD_IS_USED, gz.WARNING_CARD_IS_INSIDE),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.AnnounceLastRound,
        DEALER,
        "pt.bj.11a",
        (gz.LAST_ROUND_IS_TOLD, gz.WARNING_CARD_IS_OUT),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.GatherCards,
        DEALER,
        "pt.bj.11b",
        (
            gz.MACHINE_IS_FILLED_BY_HAND,
            gs.ROUND_IS_OVER_BEFORE_THE_SHUFFLE,
            gz.CARDS_MAY_BE_SHUFFLED,
        ),
        session=SessionTrigger.CARDS_GATHERED,
        needs=P.CLOSE,
    ),
    ActRule(
        a.SpreadCards,
        DEALER,
        "pt.bj.12",
        (gz.CARDS_MAY_BE_SPREAD, gs.ROUND_IS_OVER_AT_AN_INTERRUPTION),
        session=SessionTrigger.CARDS_GATHERED,
        needs=P.CLOSE,
    ),
    ActRule(
        a.BeginLoading,
        DEALER,
        "pt.bj.53c",
        (
            gz.MACHINE_IS_A_SHUFFLER,
            gs.LOADING_IS_NOT_DONE_YET,
            gs.COUNTS_ARE_SETTLED,
            gs.DISPLAY_IS_CONFIRMED,
            gs.MIXING_IS_CONFIRMED,
            gs.DECK_SET_IS_NUMBERED,
            gp.CHIEF_PRESENT_FOR_LOADING,
        ),
        session=SessionTrigger.LOADING_BEGUN,
        needs=P.FEED,
        devices=(gs.SHUFFLER_IS_READY, gs.SHUFFLER_IS_EMPTY, gs.READER_IS_READY),
    ),
    ActRule(
        a.OpenPacket,
        CHIEF,
        "pt.bj.54b",
        (gp.CHIEF_PRESENT_FOR_LOADING, gs.PACKET_IS_CLOSED),
        in_session=(S.LOADING,),
        needs=P.FEED,
    ),
    ActRule(a.ClosePacket, CHIEF, "pt.bj.54b", (gs.PACKET_IS_OPEN,), in_session=(S.LOADING,)),
    ActRule(
        a.CompleteLoading,
        DEALER_OR_CHIEF,
        "pt.bj.54b",
        (
            gs.LOADING_IS_NOT_DONE_YET,
            gp.CHIEF_PRESENT_FOR_LOADING,
            gs.PACKET_IS_CLOSED,
            gs.PACKETS_ARE_ENOUGH,
            gs.CARDS_ARE_ALL_LOADED,
        ),
        session=SessionTrigger.LOADING_COMPLETED,
        needs=P.DRAW,
    ),
    ActRule(
        a.TakeOutLoading,
        CHIEF,
        "pt.bj.54c",
        (gp.CHIEF_PRESENT_FOR_LOADING, gs.PACKET_IS_CLOSED),
        session=SessionTrigger.TAKING_OUT_BEGUN,
        needs=P.UNLOAD,
    ),
    ActRule(
        a.ConfirmTakenOut,
        CHIEF,
        "pt.bj.54c",
        (gp.CHIEF_PRESENT_FOR_LOADING, gs.NOTHING_IS_INSIDE),
        session=SessionTrigger.TAKEN_OUT,
        needs=P.UNLOAD,
    ),
    ActRule(
        a.AbandonOpening,
        DEALER_OR_CHIEF,
        "pt.bj.7a",
        (gz.NOTHING_WAS_PLAYED,),
        session=SessionTrigger.OPENING_ABANDONED,
        needs=P.CLOSE,
    ),
)

CLOSING_RULES: tuple[ActRule, ...] = (
    # closing
    ActRule(
        a.IndicateClosing,
        (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER),
        "pt.bj.55a",
        (gs.ROUND_IS_OVER_AT_THE_CLOSING,),
        session=SessionTrigger.CLOSING_INDICATED,
        needs=P.CLOSE,
    ),
    ActRule(
        a.BeginUnloading,
        DEALER,
        "pt.bj.55a",
        (gs.CLOSING_IS_INDICATED, gp.CHIEF_PRESENT_FOR_UNLOADING),
        session=SessionTrigger.UNLOADING_BEGUN,
        needs=P.UNLOAD,
    ),
    ActRule(
        a.CompleteUnloading,
        DEALER,
        "pt.bj.55a",
        (gp.CHIEF_PRESENT_FOR_UNLOADING, gs.NOTHING_IS_INSIDE),
        session=SessionTrigger.UNLOADING_COMPLETED,
        needs=P.UNLOAD,
    ),
    ActRule(a.EnterCards, DEALER, "pt.bj.55b", in_session=(S.CHECKING,)),
    ActRule(a.EnterGrid, DEALER, "pt.bj.55b", (gs.GRID_IS_WHOLE, gs.GRID_IS_OF_ONE_BACK), in_session=(S.CHECKING,)),
    ActRule(
        a.ConfirmDeckCheck,
        DEALER,
        "pt.bj.55b",
        (gp.CHIEF_PRESENT_FOR_UNLOADING, gs.OTHER_HOLDS_ARE_ENDED, gs.NOTHING_IS_INSIDE, gs.EVERY_BACK_IS_COUNTED),
        session=SessionTrigger.DECK_CHECK_CONFIRMED,
    ),
    ActRule(
        a.ProposeIrregularClosing,
        CHIEF,
        "pt.bj.55b",
        (gs.A_COUNT_CANNOT_BE_MENDED,),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        a.ConfirmIrregularClosing,
        (Role.ROOM_MANAGER,),
        "pt.bj.55b",
        (gs.IRREGULAR_CLOSING_IS_PROPOSED, gs.A_COUNT_CANNOT_BE_MENDED, gs.TWO_PEOPLE_CLOSE),
        session=SessionTrigger.IRREGULAR_CLOSING_CONFIRMED,
    ),
)
