"""Who may do what in a round, with a correction, a ruling, a complaint. One row an act (act_rule.py)."""

from typing import Any

from controller.core.custody.complaints import ACTOR_IS_THE_AUTHORITY
from controller.core.custody.drawing import NO_SHUFFLER_COUNTS
from controller.core.custody.game import SEAT_PLAYS
from controller.core.custody.mixing import NO_COMPLAINT_IS_OPEN
from controller.core.custody.opening import COUNTS_ARE_SETTLED, SHUFFLER_IS_READY
from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED, SHOE_IS_NOT_OVER
from controller.core.games.blackjack import acts as a
from controller.core.games.blackjack import correction_guards as gx
from controller.core.games.blackjack import corrections, turning
from controller.core.games.blackjack import hand_guards as gh
from controller.core.games.blackjack import round as played
from controller.core.games.blackjack import round_guards as gr
from controller.core.games.blackjack.agreement import (
    CORRECTIONS_ARE_AGREED,
    corrects,
    payment_takes_two,
)
from controller.core.games.blackjack.bet_guards import HOLDERS_HAVE_BET
from controller.core.games.blackjack.jackpot_guards import CARDS_ARE_NOT_TO_STAY, NO_JACKPOT_IS_OWED
from controller.core.house.hold_table import P
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import (
    CARDS_LIE,
    DEALER,
    DEALER_OR_CHIEF,
    DELIBERATE_MS,
    SUPERVISORS,
    ActRule,
    R,
    S,
    SecondPerson,
)
from controller.core.words import Role

ROUND_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "take-bets",
        a.TakeBets,
        DEALER,
        of_the_round(played.take_bets),
        (
            gh.BETS_ARE_LAID_ONE_BY_ONE,
            gr.SEATS_EXIST,
            gr.BETS_ARE_NOT_CLOSED,
            gr.SEATS_HAVE_NO_CARD_YET,
            gr.BETS_STAY,
            SHOE_IS_NOT_OVER,
        ),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
        money=Money.NONE,
    ),
    ActRule(
        "cancel-bets",
        a.CancelBets,
        DEALER,
        of_the_round(played.cancel_bets),
        round=RoundTrigger.BETS_CANCELLED,
        in_session=(S.LOADED, S.IN_PLAY),
        money=Money.LAID,
    ),
    ActRule(
        "announce-no-more-bets",
        a.AnnounceNoMoreBets,
        DEALER,
        of_the_round(played.announce_no_more_bets),
        (gr.BURN_IS_DONE, LAST_ROUND_IS_ANNOUNCED, gr.CARDS_ARE_ENOUGH, HOLDERS_HAVE_BET),
        round=RoundTrigger.ANNOUNCED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        devices=(gr.DEVICES_ARE_READY,),
        money=Money.NONE,
    ),
    ActRule(
        "draw-card",
        a.DrawCard,
        DEALER,
        of_the_round(played.draw_card),
        (
            SEAT_PLAYS,
            gr.HAND_IS_IN_PLAY,
            gr.NO_CARD_IS_OWED,
            gr.A_CARD_IS_INSIDE,
            gr.PLACE_IS_IN_TURN,
            gr.HOLE_CARD_IS_TURNED,
            *gh.CARD_MAY_BE_DRAWN,
            gh.HAND_IS_IN_TURN,
        ),
        in_session=(S.IN_PLAY,),
        in_round=(R.PLAYING,),
        needs=P.DRAW,
        instead=played.deal_card_set_aside,
        money=Money.DECIDED,
    ),
    ActRule(
        "turn-hole-card",
        a.TurnHoleCard,
        DEALER,
        of_the_round(turning.turn),
        (gr.HOLE_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED, gh.EVERY_HAND_IS_OVER),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
        instead=turning.face_disputed,
        money=Money.NAMED,
    ),
    ActRule(
        "turn-card",
        a.TurnCard,
        DEALER,
        of_the_round(
            turning.turn
        ),  # at once where the player has gone beyond 21; [R] on a claim, and at the settlement
        (gr.PLAYERS_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
        instead=turning.face_disputed,
        money=Money.NAMED,
    ),
    ActRule(
        "state-card",
        a.StateCard,
        DEALER,
        of_the_round(turning.stated),
        (gx.NO_DEVICE_READS, gx.OPEN_CARD_HAS_NO_NAME),
        in_round=CARDS_LIE,
        money=Money.SEEN,
    ),
    ActRule(
        "confirm-settled",
        a.ConfirmSettled,
        DEALER,
        of_the_round(played.confirm_settled),
        (
            NO_JACKPOT_IS_OWED,
            CORRECTIONS_ARE_AGREED,
            gr.NO_CARD_IS_OWED,
            gr.PLAYERS_CARDS_ARE_SHOWN,
            gh.EVERY_HAND_IS_OVER,
            gh.CARDS_ARE_KNOWN,
            *gh.BANK_HAS_PLAYED,
            LAST_ROUND_IS_ANNOUNCED,
        ),
        round=RoundTrigger.SETTLED,
        needs=P.BET,
        second=SecondPerson(SUPERVISORS, "payment", payment_takes_two),
        money=Money.PAID,
    ),
    ActRule(
        "collect-hand",
        a.CollectHand,
        DEALER,
        of_the_round(played.collect_hand),
        (gr.HAND_LIES_ON_THE_TABLE, gr.NO_CARD_IS_OWED, gr.HAND_IS_SHOWN, gh.HAND_HAS_ENDED, CARDS_ARE_NOT_TO_STAY),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.NONE,
    ),
    ActRule(
        "collect-cards",
        a.CollectCards,
        DEALER,
        of_the_round(played.collect_cards),
        (NO_JACKPOT_IS_OWED,),
        round=RoundTrigger.COLLECTED,
        needs=P.BET,
        money=Money.NONE,
    ),
    ActRule(
        "begin-putting-back",
        a.BeginPuttingBack,
        DEALER,
        of_the_round(played.begin_putting_back),
        (NO_JACKPOT_IS_OWED, NO_COMPLAINT_IS_OPEN, gr.CARDS_ARE_TO_GO_BACK),
        round=RoundTrigger.PUTTING_BACK_BEGUN,
        in_session=(S.IN_PLAY,),
        needs=P.PUT_BACK,
        devices=(SHUFFLER_IS_READY,),
        money=Money.NONE,
    ),
    ActRule(
        "end-putting-back",
        a.EndPuttingBack,
        DEALER,
        of_the_round(played.end_putting_back),
        round=RoundTrigger.PUTTING_BACK_ENDED,
        in_session=(S.IN_PLAY,),
        needs=P.PUT_BACK,
        instead=played.putting_back_is_short,
        money=Money.NONE,
    ),
    ActRule(
        "leave-in-rack",
        a.LeaveInRack,
        DEALER,
        of_the_round(played.leave_in_rack),
        (NO_JACKPOT_IS_OWED, gx.NO_OTHER_RULING_IS_OWED),
        round=RoundTrigger.LEFT_IN_RACK,
        money=Money.NONE,
    ),
)

CORRECTION_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "report-misdealt",
        a.ReportMisdealt,
        DEALER_OR_CHIEF,
        corrects(corrections.report_misdealt),
        (
            gr.NO_CARD_IS_OWED,
            gx.NO_CARD_IS_SET_ASIDE,
            gx.A_CARD_CAN_BE_CORRECTED,
            gx.CARD_CAME_WHILE_PLAYERS_ASK,
            gx.ERROR_IS_NOT_TO_BE_RECTIFIED,
            gx.NO_OTHER_RULING_IS_OWED,
        ),
        in_round=CARDS_LIE,
        hold_ms=DELIBERATE_MS,
        money=Money.CORRECTED,
    ),
    ActRule(
        "move-card",
        a.MoveCard,
        DEALER_OR_CHIEF,
        corrects(corrections.move_card),
        (gx.LAST_CARD_IS_PROVISIONAL, SEAT_PLAYS, gx.CARD_GOES_WHERE_IT_IS_OWED, gx.ERROR_IS_RECTIFIED_HERE),
        in_round=CARDS_LIE,
        money=Money.CORRECTED,
    ),
    ActRule(
        "report-hole-exposed",
        a.ReportHoleExposed,
        DEALER_OR_CHIEF,
        corrects(corrections.report_hole_exposed),
        (gx.EXPOSED_CARD_IS_DISCARDED, gx.HOLE_CARD_IS_THE_LAST),
        in_round=(R.PLAYING,),
        money=Money.CORRECTED,
    ),
    ActRule(
        "report-extra-card",
        a.ReportExtraCard,
        DEALER_OR_CHIEF,
        corrects(corrections.report_extra_card),
        (
            gr.NO_CARD_IS_OWED,
            gx.NO_CARD_IS_SET_ASIDE,
            gx.AN_EXTRA_CARD_CAN_BE_CORRECTED,
            gx.LAST_CARD_IS_THE_BANKS,
            gx.NO_OTHER_RULING_IS_OWED,
        ),
        in_round=(R.PLAYING,),
        money=Money.CORRECTED,
    ),
    ActRule(
        "report-face-up-card",
        a.ReportFaceUpCard,
        DEALER_OR_CHIEF,
        corrects(corrections.report_face_up_card),
        (gx.LAST_CARD_IS_PROVISIONAL,),
        in_round=CARDS_LIE,
        money=Money.CORRECTED,
    ),
    ActRule(
        "retract-card",
        a.RetractCard,
        DEALER_OR_CHIEF,
        corrects(corrections.retract_card),
        (NO_SHUFFLER_COUNTS, gx.LAST_CARD_IS_PROVISIONAL, gx.LAST_CARD_WAS_SAID),
        money=Money.CORRECTED,
    ),
    ActRule(
        "rename-card",
        a.RenameCard,
        DEALER_OR_CHIEF,
        corrects(corrections.rename_card),
        (gx.CARD_WAS_READ_OFF, gx.NO_OTHER_CARD_COMES_FIRST),
        in_round=CARDS_LIE,
        money=Money.CORRECTED,
    ),
    ActRule(
        "call-for-count",
        a.CallForCount,
        DEALER_OR_CHIEF,
        corrections.call_for_count,
        (NO_SHUFFLER_COUNTS, COUNTS_ARE_SETTLED),
        in_session=(S.LOADED, S.IN_PLAY),
        money=Money.NONE,
    ),
    ActRule(
        "call-for-ruling",
        a.CallForRuling,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        corrections.call_for_ruling,
        (gx.NO_RULING_IS_OWED,),
        in_session=(S.LOADED, S.IN_PLAY),
        money=Money.NONE,
    ),
    ActRule(
        "make-ruling",
        a.MakeRuling,
        (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        corrections.make_ruling,
        (gx.RULING_IS_OWED, ACTOR_IS_THE_AUTHORITY, gx.OUTCOME_IS_POSSIBLE, gx.ONLY_AN_UNSEEN_CARD_GOES_ON),
        second=SecondPerson((*DEALER, *SUPERVISORS), "own-ruling", gx.ruling_is_his_alone),
        hold_ms=DELIBERATE_MS,
        money=Money.RULED,
    ),
)
