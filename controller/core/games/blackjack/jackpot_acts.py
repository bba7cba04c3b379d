"""What people say of jackpot bets, collection and prizes: one row for each act."""

from typing import Any, Final

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.round import of_the_round
from controller.core.games.blackjack.acts import (
    ChooseJackpotMarking,
    CollectJackpotBets,
    PayJackpot,
    PayJackpotByHand,
    PlaceJackpotBet,
    RaiseJackpot,
    WithdrawJackpotBet,
)
from controller.core.games.blackjack.bets.place import SEAT_EXISTS
from controller.core.games.blackjack.decisions.one_hand import HANDS_ARE_FOLLOWED
from controller.core.games.blackjack.jackpot_effects import (
    collect_jackpot_bets,
    pay_jackpot,
    pay_jackpot_by_hand,
    place_jackpot_bet,
    raise_jackpot,
    withdraw_jackpot_bet,
)
from controller.core.games.blackjack.jackpot_guards import (
    A_PRIZE_IS_DUE,
    CHIP_LIES_THERE,
    CHIPS_LIE_THERE,
    JACKPOT_BETS_ARE_OPEN,
    JACKPOT_IS_COLLECTED,
    JACKPOT_IS_PLAYED,
    JACKPOT_IS_TO_BE_COLLECTED,
    MARKING_IS_MANUAL,
    ONE_CHIP_EACH,
    PLAYER_HAS_A_MAIN_BET,
    PLAYER_SITS_THERE,
    POOL_COVERS_THE_PRIZE,
    PRIZE_IS_PAID_AT_THE_TABLE,
    SLOTS_ARE_EMPTIED_TOGETHER,
    SMALLER_PRIZES_ARE_PAID,
    prize_takes_two,
    raise_differs,
)
from controller.core.games.blackjack.jackpot_slots import (
    CHIPS_ARE_SAID,
    JACKPOT_IS_NOT_COLLECTED,
    MARKING_IS_ANOTHER,
    SLOTS_ARE_HERE,
    SLOTS_TELL_OF_EACH_CHIP,
    choose_marking,
)
from controller.core.house.hold_table import P
from controller.core.house.jackpot_acts import JACKPOT_IS_SURE
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CHIEF, DEALER, DELIBERATE_MS, SUPERVISORS, ActRule, SecondPerson
from controller.core.house.sign import SIGN_SHOWS_THE_POOL
from controller.core.words import Role, SessionPhase

JACKPOT_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-jackpot-bet",
        PlaceJackpotBet,
        DEALER,
        of_the_round(place_jackpot_bet),
        (
            HANDS_ARE_FOLLOWED,
            JACKPOT_IS_PLAYED,
            CHIPS_ARE_SAID,
            SEAT_EXISTS,
            JACKPOT_BETS_ARE_OPEN,
            PLAYER_SITS_THERE,
            PLAYER_HAS_A_MAIN_BET,
            ONE_CHIP_EACH,
            JACKPOT_IS_SURE,
            SIGN_SHOWS_THE_POOL,
        ),
        needs=P.BET,
        money=Money.LAID,
    ),
    ActRule(
        "withdraw-jackpot-bet",
        WithdrawJackpotBet,
        DEALER,
        of_the_round(withdraw_jackpot_bet),
        (HANDS_ARE_FOLLOWED, CHIPS_ARE_SAID, SEAT_EXISTS, JACKPOT_BETS_ARE_OPEN, CHIP_LIES_THERE),
        money=Money.LAID,
    ),
    ActRule(
        "collect-jackpot-bets",
        CollectJackpotBets,
        DEALER,
        of_the_round(collect_jackpot_bets),
        (
            *(HANDS_ARE_FOLLOWED, JACKPOT_IS_TO_BE_COLLECTED, CHIPS_LIE_THERE, SLOTS_ARE_EMPTIED_TOGETHER),
            SLOTS_TELL_OF_EACH_CHIP,
        ),
        needs=P.BET,
        money=Money.LAID,
    ),
    ActRule(
        "choose-jackpot-marking",
        ChooseJackpotMarking,
        (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        choose_marking,
        (SLOTS_ARE_HERE, JACKPOT_IS_NOT_COLLECTED, MARKING_IS_ANOTHER),
        in_session=(SessionPhase.IN_PLAY,),
        hold_ms=DELIBERATE_MS,
        money=Money.LAID,
    ),
    ActRule(
        "raise-jackpot",
        RaiseJackpot,
        DEALER,
        of_the_round(raise_jackpot),
        (HANDS_ARE_FOLLOWED, MARKING_IS_MANUAL, JACKPOT_IS_COLLECTED),
        needs=P.BET,
        second=SecondPerson(SUPERVISORS, "other-raise", raise_differs),
        money=Money.SIGN,
    ),
    ActRule(
        "pay-jackpot",
        PayJackpot,
        DEALER,
        of_the_round(pay_jackpot),
        (
            *(CORRECTIONS_ARE_AGREED, A_PRIZE_IS_DUE, SMALLER_PRIZES_ARE_PAID, POOL_COVERS_THE_PRIZE),
            PRIZE_IS_PAID_AT_THE_TABLE,
        ),
        second=SecondPerson(SUPERVISORS, "prize", prize_takes_two),
        hold_ms=DELIBERATE_MS,
        money=Money.PRIZE,
    ),
    ActRule(
        "pay-jackpot-by-hand",
        PayJackpotByHand,
        CHIEF,
        of_the_round(pay_jackpot_by_hand),
        (CORRECTIONS_ARE_AGREED, A_PRIZE_IS_DUE, SMALLER_PRIZES_ARE_PAID, POOL_COVERS_THE_PRIZE),
        second=SecondPerson((Role.TABLE_INSPECTOR, Role.ROOM_MANAGER), "prize", prize_takes_two),
        hold_ms=DELIBERATE_MS,
        money=Money.PRIZE,
    ),
)
