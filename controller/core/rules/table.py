"""Who may do what in a round, with a correction, at a hold: one row an act. What a row says stands in act_rule.py."""

from controller.core import acts as a
from controller.core.effects import outage
from controller.core.guards import cards as gc
from controller.core.guards import corrections as gx
from controller.core.guards import holds as gh
from controller.core.guards import people as gp
from controller.core.guards import round as gr
from controller.core.guards import session as gs
from controller.core.guards import shoe as gz
from controller.core.round_table import RoundTrigger
from controller.core.rules.act_rule import (
    CARDS_LIE,
    CHIEF,
    DEALER,
    DEALER_OR_CHIEF,
    HOLD_PEOPLE,
    ActRule,
    P,
    R,
    S,
)
from controller.core.words import Role

TABLE_RULES: tuple[ActRule, ...] = (
    # round
    ActRule(
        a.TakeBets,
        DEALER,
        "pt.bj.13",
        (gr.SEATS_EXIST, gr.BETS_ARE_NOT_CLOSED, gz.SHOE_IS_NOT_OVER),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
    ),
    ActRule(
        a.CancelBets,
        DEALER,
        "pt.bj.13",
        round=RoundTrigger.BETS_CANCELLED,
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.AnnounceNoMoreBets,
        DEALER,
        "pt.bj.48b",
        (gr.BURN_IS_DONE, gz.LAST_ROUND_IS_ANNOUNCED, gr.CARDS_ARE_ENOUGH),
        round=RoundTrigger.ANNOUNCED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        devices=(gr.DEVICES_ARE_READY,),
    ),
    ActRule(
        a.DrawCard,
        DEALER,
        "pt.bj.18c",
        (
            gr.SEATS_EXIST,
            gr.HAND_IS_IN_PLAY,
            gr.NO_CARD_IS_OWED,
            gr.A_CARD_IS_INSIDE,
            gr.PLACE_IS_IN_TURN,
            gr.HOLE_CARD_IS_TURNED,
        ),
        in_session=(S.IN_PLAY,),
        in_round=(R.PLAYING,),
        needs=P.DRAW,
    ),
    ActRule(
        a.TurnHoleCard,
        DEALER,
        "pt.bj.17b",
        (gr.HOLE_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
    ),
    ActRule(
        a.TurnCard,
        DEALER,
        "mo.6.2",  # at once where the player has gone beyond 21; [R] on a claim, and at the settlement
        (gr.PLAYERS_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
    ),
    ActRule(
        a.ConfirmSettled,
        DEALER,
        "pt.bj.23",
        (gr.NO_CARD_IS_OWED, gr.PLAYERS_CARDS_ARE_SHOWN, gz.LAST_ROUND_IS_ANNOUNCED),
        round=RoundTrigger.SETTLED,
        needs=P.BET,
    ),
    ActRule(
        a.CollectHand,
        DEALER,
        "pt.bj.58",
        (gr.HAND_LIES_ON_THE_TABLE, gr.NO_CARD_IS_OWED, gr.HAND_IS_SHOWN),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
    ActRule(a.CollectCards, DEALER, "pt.bj.59a", round=RoundTrigger.COLLECTED, needs=P.BET),
    ActRule(
        a.BeginPuttingBack,
        DEALER,
        "pt.bj.59b",
        (gr.NO_COMPLAINT_IS_OPEN, gr.CARDS_ARE_TO_GO_BACK),
        round=RoundTrigger.PUTTING_BACK_BEGUN,
        in_session=(S.IN_PLAY,),
        needs=P.PUT_BACK,
        devices=(gs.SHUFFLER_IS_READY,),
    ),
    ActRule(a.EndPuttingBack, DEALER, "pt.bj.59b", round=RoundTrigger.PUTTING_BACK_ENDED, needs=P.PUT_BACK),
    ActRule(a.LeaveInRack, DEALER, "pt.bj.60a", (gx.NO_OTHER_RULING_IS_OWED,), round=RoundTrigger.LEFT_IN_RACK),
    # corrections and rulings
    ActRule(
        a.ReportMisdealt,
        DEALER_OR_CHIEF,
        "pt.bj.18d",
        (
            gr.NO_CARD_IS_OWED,
            gx.NO_CARD_IS_SET_ASIDE,
            gx.A_CARD_CAN_BE_CORRECTED,
            gx.ERROR_IS_NOT_TO_BE_RECTIFIED,
            gx.NO_OTHER_RULING_IS_OWED,
        ),
        in_round=CARDS_LIE,
    ),
    ActRule(
        a.MoveCard,
        DEALER_OR_CHIEF,
        "mo.5.1.2a",
        (gx.LAST_CARD_IS_PROVISIONAL, gr.SEATS_EXIST, gx.CARD_GOES_WHERE_IT_IS_OWED, gx.ERROR_IS_RECTIFIED_HERE),
        in_round=CARDS_LIE,
    ),
    ActRule(
        a.ReportHoleExposed,
        DEALER_OR_CHIEF,
        "pt.bj.17c",
        (gx.EXPOSED_CARD_IS_DISCARDED, gx.HOLE_CARD_IS_THE_LAST),
        in_round=(R.PLAYING,),
    ),
    ActRule(
        a.ReportExtraCard,
        DEALER_OR_CHIEF,
        "pt.bj.19b",
        (
            gr.NO_CARD_IS_OWED,
            gx.NO_CARD_IS_SET_ASIDE,
            gx.A_CARD_CAN_BE_CORRECTED,
            gx.LAST_CARD_IS_THE_BANKS,
            gx.NO_OTHER_RULING_IS_OWED,
        ),
        in_round=(R.PLAYING,),
    ),
    ActRule(
        a.ReportFaceUpCard,
        DEALER_OR_CHIEF,
        "br.inc.2",
        (gx.LAST_CARD_IS_PROVISIONAL,),
        in_round=CARDS_LIE,
    ),
    ActRule(
        a.RetractCard,
        DEALER_OR_CHIEF,
        "pt.bj.17a",
        (gz.NO_SHUFFLER_COUNTS, gx.LAST_CARD_IS_PROVISIONAL, gx.LAST_CARD_WAS_SAID),
    ),
    ActRule(
        a.RenameCard,
        DEALER_OR_CHIEF,
        "pt.bj.17b",
        (gx.CARD_WAS_READ_OFF, gx.NO_OTHER_CARD_COMES_FIRST),
        in_round=CARDS_LIE,
    ),
    ActRule(
        a.CallForCount,
        DEALER_OR_CHIEF,
        "pt.bj.55b",
        (gz.NO_SHUFFLER_COUNTS, gs.COUNTS_ARE_SETTLED),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.CallForRuling,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        "br.inc.1",
        (gx.NO_RULING_IS_OWED,),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.MakeRuling,
        (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        "br.inc.1",
        (gx.RULING_IS_OWED, gx.ACTOR_IS_THE_AUTHORITY, gx.OUTCOME_IS_POSSIBLE),
    ),
    # holds and incidents
    ActRule(
        a.AttendHold,
        HOLD_PEOPLE,
        "pt.bj.51d",
        (gh.HOLD_STANDS, gh.ACTOR_MAY_END_THE_HOLD),
    ),
    ActRule(a.CallTechnician, CHIEF, "pt.bj.51e", (gh.HOLD_STANDS, gh.HOLD_IS_ATTENDED)),
    ActRule(a.AttestRepair, (Role.TECHNICIAN,), "pt.bj.51e", (gh.HOLD_STANDS, gh.TECHNICIAN_WAS_CALLED)),
    ActRule(
        a.ClearHold,
        HOLD_PEOPLE,
        "pt.bj.51d",
        (
            gh.HOLD_STANDS,
            gh.ACTOR_MAY_END_THE_HOLD,
            gh.HOLD_IS_ATTENDED,
            gh.HOLD_IS_NOT_CLEARED_YET,
            gh.CALLED_TECHNICIAN_CLEARS,
            gh.REPAIR_IS_ATTESTED,
            gh.SPARE_DEVICE_IS_BOUND,
            *gh.EVIDENCE_GUARDS,
        ),
    ),
    ActRule(
        a.ConfirmHold,
        CHIEF,
        "pt.bj.51d",
        (
            gh.HOLD_STANDS,
            gh.ACTOR_MAY_END_THE_HOLD,
            gh.HOLD_IS_CLEARED,
            gh.SPARE_DEVICE_IS_BOUND,
            *gh.EVIDENCE_GUARDS,
        ),
    ),
    ActRule(
        a.StateCardsMoved, CHIEF, "pt.bj.51d", (gh.A_HOLD_IS_ATTENDED, gc.MOVE_IS_POSSIBLE, gc.CARDS_STAY_AT_THE_TABLE)
    ),
    ActRule(
        a.StateCount,
        CHIEF,
        "pt.bj.55b",
        (
            gh.A_HOLD_IS_ATTENDED,
            gc.COUNT_IS_POSSIBLE,
            gc.CARDS_STAY_AT_THE_TABLE,
            gc.SHUFFLER_COUNT_IS_KNOWN,
        ),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        a.StateWholeCount,
        CHIEF,
        "pt.bj.55b",
        (gz.NO_SHUFFLER_COUNTS, gh.A_HOLD_IS_ATTENDED, gc.COUNT_IS_POSSIBLE, gc.CARDS_STAY_AT_THE_TABLE),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        a.StateOutage,
        CHIEF,
        outage.CLAUSE,
        (outage.OUTAGE_IS_TO_BE_STATED, gh.A_HOLD_IS_ATTENDED, outage.CHIEF_HAS_NOT_STATED_IT),
    ),
    ActRule(a.ConfirmOutage, DEALER, outage.CLAUSE, (outage.OUTAGE_IS_TO_BE_STATED, outage.CHIEF_HAS_STATED_IT)),
    ActRule(a.NameCard, DEALER, "pt.bj.17a", (gc.CARD_WAITS_FOR_ITS_NAME,)),
    ActRule(
        a.ReportDamagedCard,
        DEALER_OR_CHIEF,
        "pt.bj.51a",
        (gc.NO_CARD_IS_DAMAGED_YET, gc.A_CARD_IS_OUT, gc.CARD_BELONGS_TO_THE_DECKS),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        a.ReplaceCard,
        CHIEF,
        "pt.bj.51a",
        (
            gc.CARD_IS_DAMAGED,
            gp.CHIEF_PRESENT_FOR_HOLD,
            gc.ALONE_IF_AUTHORISED,
            gc.REPLACEMENT_IS_THE_SAME_CARD,
        ),
    ),
    ActRule(
        a.RecordAuthorisation,
        (Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER, Role.REGULATOR),
        "pt.bj.5c",
        (gc.CARD_IS_DAMAGED, gc.WHOLE_DECK_IS_REPLACED, gc.REFERENCE_IS_GIVEN),
    ),
    ActRule(
        a.ReplaceDeck,
        CHIEF,
        "pt.bj.5b",
        (gc.CARD_IS_DAMAGED, gc.WHOLE_DECK_IS_REPLACED, gc.DECK_EXISTS, gp.CHIEF_PRESENT_FOR_HOLD),
    ),
    ActRule(a.RecordComplaint, DEALER_OR_CHIEF, "pt.bj.61", (gr.SEATS_EXIST, gr.COMPLAINT_IS_IN_TIME)),
    ActRule(a.DecideComplaint, CHIEF, "pt.bj.61", (gr.COMPLAINT_IS_OPEN, gx.COMPLAINT_IS_FOR_THE_ACTOR)),
    ActRule(a.ReportDuty, (Role.ROOM_MANAGER,), "pt.bj.51b", (gc.DUTY_IS_OPEN, gc.REFERENCE_IS_GIVEN)),
)
