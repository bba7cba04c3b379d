"""Bets and money in the status of a card table: stakes, amounts due, limits."""

from msgspec import Struct

from controller.protocol.suggestion import Suggestion


class BetStatus(Struct, frozen=True):
    """One player's bet on a hand. `bettor`: the player's seat; for a player without a seat, a number above the last
    seat's.
    """

    bettor: int
    stake_cents: int
    is_doubled: bool = False


class StakedHandStatus(Struct, frozen=True):
    """A hand with bets, without its cards and total. `hand`: `3` for the first hand of seat 3, `3/2` for the second
    after a split.

    `decides`: the number of the player who decides for all bets on the hand.
    """

    hand: str
    decides: int
    bets: list[BetStatus]
    insured_cents: int = 0
    is_over: bool = False
    is_collected: bool = False  # the hand's cards lie in the discard rack before the round ends
    is_out: bool = False  # lost, paid or surrendered: the cards may go to the rack


class AmountStatus(Struct, frozen=True):
    """The result of one stake: `amount` in currency units, "+" for the player and "-" for the bank; `payment`: the
    reason.

    `rate`: units paid for units staked ("3:2"); `flag`: the reason why chips cannot pay the amount exactly; `decided`:
    the amount that people pay instead; `clause`: the law's clause, None if no clause has the rule.
    """

    hand: str
    bettor: int
    payment: str
    stake_cents: int
    rate: str
    amount: str
    clause: str | None = None
    flag: str | None = None
    decided: str = ""


class LimitsStatus(Struct, frozen=True):
    """The limits of a bet, and the smallest chip. `step_cents`: each bet is a multiple of it."""

    minimum_cents: int = 0
    maximum_cents: int = 0
    chip_cents: int = 0
    step_cents: int = 0


class SideStakeStatus(Struct, frozen=True):
    """A player's stake on a side bet in the round."""

    seat: int
    bettor: int
    bet: str
    stake_cents: int


class LaidStatus(Struct, frozen=True):
    """The sum of one player's bets at a seat, before doubling or splitting."""

    seat: int
    bettor: int
    stake_cents: int


class MoneyStatus(Struct, frozen=True):
    """The round's money in the status: the hand in turn, bets, amounts due, possible decisions, and limits."""

    turn: str = ""  # `bank`, or a hand
    hands: list[StakedHandStatus] = []
    amounts: list[AmountStatus] = []  # those due now, or those of the last settlement
    bank: str = "0.00"  # the bank's result of all settled rounds
    is_decided: bool = False  # the bank's cards are complete, and `amounts` has all amounts of the round
    limits: LimitsStatus = LimitsStatus()
    choices: list[str] = []  # the acts of all decisions that the table's rules can allow
    decisions: list[Suggestion] = []  # the decisions possible now, those of the hand in turn first
    closed: dict[str, str] = {}  # the acts refused to the hand in turn, each with the guard that refuses it
    side_bets: list[str] = []  # the side bets that the table offers
    side: list[SideStakeStatus] = []
    last: list[LaidStatus] | None = None  # the bets of the round that is over; None from the next round's first bet on
