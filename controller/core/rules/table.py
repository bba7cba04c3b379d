"""Who may do what in a round: one row per act. What a row says stands in act_rule.py."""

from typing import Any

from controller.core import acts as a
from controller.core.effects import apply_acts as done
from controller.core.effects import turning
from controller.core.guards import corrections as gx
from controller.core.guards import round as gr
from controller.core.guards import session as gs
from controller.core.guards import shoe as gz
from controller.core.round_table import RoundTrigger
from controller.core.rules.act_rule import (
    DEALER,
    ActRule,
    P,
    R,
    S,
)

TABLE_RULES: tuple[ActRule[Any], ...] = (
    # round
    ActRule(
        "take-bets",
        a.TakeBets,
        DEALER,
        "pt.bj.13",
        done.of_the_round(done.take_bets),
        (gr.SEATS_EXIST, gr.BETS_ARE_NOT_CLOSED, gz.SHOE_IS_NOT_OVER),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
    ),
    ActRule(
        "cancel-bets",
        a.CancelBets,
        DEALER,
        "pt.bj.13",
        done.of_the_round(done.cancel_bets),
        round=RoundTrigger.BETS_CANCELLED,
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        "announce-no-more-bets",
        a.AnnounceNoMoreBets,
        DEALER,
        "pt.bj.48b",
        done.of_the_round(done.announce_no_more_bets),
        (gr.BURN_IS_DONE, gz.LAST_ROUND_IS_ANNOUNCED, gr.CARDS_ARE_ENOUGH),
        round=RoundTrigger.ANNOUNCED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        devices=(gr.DEVICES_ARE_READY,),
    ),
    ActRule(
        "draw-card",
        a.DrawCard,
        DEALER,
        "pt.bj.18c",
        done.of_the_round(done.draw_card),
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
        instead=done.deal_card_set_aside,
    ),
    ActRule(
        "turn-hole-card",
        a.TurnHoleCard,
        DEALER,
        "pt.bj.17b",
        done.of_the_round(turning.turn),
        (gr.HOLE_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
        instead=turning.face_disputed,
    ),
    ActRule(
        "turn-card",
        a.TurnCard,
        DEALER,
        "mo.6.2",
        done.of_the_round(
            turning.turn
        ),  # at once where the player has gone beyond 21; [R] on a claim, and at the settlement
        (gr.PLAYERS_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
        instead=turning.face_disputed,
    ),
    ActRule(
        "confirm-settled",
        a.ConfirmSettled,
        DEALER,
        "pt.bj.23",
        done.of_the_round(done.confirm_settled),
        (gr.NO_CARD_IS_OWED, gr.PLAYERS_CARDS_ARE_SHOWN, gz.LAST_ROUND_IS_ANNOUNCED),
        round=RoundTrigger.SETTLED,
        needs=P.BET,
    ),
    ActRule(
        "collect-hand",
        a.CollectHand,
        DEALER,
        "pt.bj.58",
        done.of_the_round(done.collect_hand),
        (gr.HAND_LIES_ON_THE_TABLE, gr.NO_CARD_IS_OWED, gr.HAND_IS_SHOWN),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
    ActRule(
        "collect-cards",
        a.CollectCards,
        DEALER,
        "pt.bj.59a",
        done.of_the_round(done.collect_cards),
        round=RoundTrigger.COLLECTED,
        needs=P.BET,
    ),
    ActRule(
        "begin-putting-back",
        a.BeginPuttingBack,
        DEALER,
        "pt.bj.59b",
        done.of_the_round(done.begin_putting_back),
        (gr.NO_COMPLAINT_IS_OPEN, gr.CARDS_ARE_TO_GO_BACK),
        round=RoundTrigger.PUTTING_BACK_BEGUN,
        in_session=(S.IN_PLAY,),
        needs=P.PUT_BACK,
        devices=(gs.SHUFFLER_IS_READY,),
    ),
    ActRule(
        "end-putting-back",
        a.EndPuttingBack,
        DEALER,
        "pt.bj.59b",
        done.of_the_round(done.end_putting_back),
        round=RoundTrigger.PUTTING_BACK_ENDED,
        needs=P.PUT_BACK,
        instead=done.putting_back_is_short,
    ),
    ActRule(
        "leave-in-rack",
        a.LeaveInRack,
        DEALER,
        "pt.bj.60a",
        done.of_the_round(done.leave_in_rack),
        (gx.NO_OTHER_RULING_IS_OWED,),
        round=RoundTrigger.LEFT_IN_RACK,
    ),
)
