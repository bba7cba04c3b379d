"""Who may do what in a round, with a correction, a ruling, a complaint. One row an act (act_rule.py)."""

from typing import Any

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.putting_back import (
    NO_JACKPOT_IS_OWED,
    PUTTING_BACK_ACTS,
)
from controller.core.custody.round import NO_CARD_IS_OWED, RoundTrigger, of_the_round
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED, SHOE_IS_NOT_OVER
from controller.core.custody.turning import PLAYERS_CARDS_ARE_SHOWN, turning_acts
from controller.core.games.blackjack.acts import AnnounceNoMoreBets, CancelBets, CollectHand, ConfirmSettled, TakeBets
from controller.core.games.blackjack.amounts import payment_takes_two
from controller.core.games.blackjack.bet_guards import HOLDERS_HAVE_BET
from controller.core.games.blackjack.decisions.turns import (
    DRAWING_ACTS,
    EVERY_HAND_IS_OVER,
)
from controller.core.games.blackjack.hand_guards import (
    BANK_HAS_PLAYED,
    BETS_ARE_LAID_ONE_BY_ONE,
    CARDS_ARE_KNOWN,
    HAND_HAS_ENDED,
)
from controller.core.games.blackjack.jackpot_guards import CARDS_ARE_NOT_TO_STAY
from controller.core.games.blackjack.round import (
    announce_no_more_bets,
    cancel_bets,
    collect_hand,
    confirm_settled,
    take_bets,
)
from controller.core.games.blackjack.round_guards import (
    BETS_ARE_NOT_CLOSED,
    BETS_STAY,
    BURN_IS_DONE,
    CARDS_ARE_ENOUGH,
    DEVICES_ARE_READY,
    HAND_IS_SHOWN,
    HAND_LIES_ON_THE_TABLE,
    SEATS_EXIST,
    SEATS_HAVE_NO_CARD_YET,
)
from controller.core.house.hold_table import P
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import (
    DEALER,
    SUPERVISORS,
    ActRule,
    R,
    S,
    SecondPerson,
)

ROUND_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "take-bets",
        TakeBets,
        DEALER,
        of_the_round(take_bets),
        (
            BETS_ARE_LAID_ONE_BY_ONE,
            SEATS_EXIST,
            BETS_ARE_NOT_CLOSED,
            SEATS_HAVE_NO_CARD_YET,
            BETS_STAY,
            SHOE_IS_NOT_OVER,
        ),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
        money=Money.NONE,
    ),
    ActRule(
        "cancel-bets",
        CancelBets,
        DEALER,
        of_the_round(cancel_bets),
        round=RoundTrigger.BETS_CANCELLED,
        in_session=(S.LOADED, S.IN_PLAY),
        money=Money.LAID,
    ),
    ActRule(
        "announce-no-more-bets",
        AnnounceNoMoreBets,
        DEALER,
        of_the_round(announce_no_more_bets),
        (BURN_IS_DONE, LAST_ROUND_IS_ANNOUNCED, CARDS_ARE_ENOUGH, HOLDERS_HAVE_BET),
        round=RoundTrigger.ANNOUNCED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        devices=(DEVICES_ARE_READY,),
        money=Money.NONE,
    ),
    *DRAWING_ACTS,
    *turning_acts(EVERY_HAND_IS_OVER),
    ActRule(
        "confirm-settled",
        ConfirmSettled,
        DEALER,
        of_the_round(confirm_settled),
        (
            NO_JACKPOT_IS_OWED,
            CORRECTIONS_ARE_AGREED,
            NO_CARD_IS_OWED,
            PLAYERS_CARDS_ARE_SHOWN,
            EVERY_HAND_IS_OVER,
            CARDS_ARE_KNOWN,
            *BANK_HAS_PLAYED,
            LAST_ROUND_IS_ANNOUNCED,
        ),
        round=RoundTrigger.SETTLED,
        needs=P.BET,
        second=SecondPerson(SUPERVISORS, "payment", payment_takes_two),
        money=Money.PAID,
    ),
    ActRule(
        "collect-hand",
        CollectHand,
        DEALER,
        of_the_round(collect_hand),
        (HAND_LIES_ON_THE_TABLE, NO_CARD_IS_OWED, HAND_IS_SHOWN, HAND_HAS_ENDED, CARDS_ARE_NOT_TO_STAY),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.NONE,
    ),
    *PUTTING_BACK_ACTS,
)
