"""The part of a status about bets and money at a table of cards: stakes, amounts due, limits."""

from msgspec import Struct

from controller.protocol.suggestion import Suggestion


class BetStatus(Struct, frozen=True):
    """One player's bet on a hand; `bettor`: the seat where he sits, or a number above the seats."""

    bettor: int
    stake_cents: int
    is_doubled: bool = False


class StakedHandStatus(Struct, frozen=True):
    """A hand that is played for money: `3`, or `3/2` where a pair was separated. No face and no total."""

    hand: str
    decides: int
    bets: list[BetStatus]
    insured_cents: int = 0
    is_over: bool = False
    is_collected: bool = False  # its cards lie in the discard rack, while the others play on
    is_out: bool = False  # lost, paid or given up: its cards may go there


class AmountStatus(Struct, frozen=True):
    """One stake's result, as the player sees it: `amount` in currency units with its sign, and the reason.

    `rate`: so much for so much of the stake; `flag`: it cannot be paid as it is; `decided`: what people pay instead;
    `clause` None: the rule is no law's.
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
    """The bounds of a bet at this table, and its smallest chip; `step_cents`: a bet is a multiple of it."""

    minimum_cents: int = 0
    maximum_cents: int = 0
    chip_cents: int = 0
    step_cents: int = 0


class SideStakeStatus(Struct, frozen=True):
    """The stake of a side bet of this round."""

    seat: int
    bettor: int
    bet: str
    stake_cents: int


class MoneyStatus(Struct, frozen=True):
    """The turn (`bank`, or a hand), the round's hands, the amounts due or settled last, the bank's result.

    `is_decided`: the bank's cards lie there, and `amounts` are all that the round brings. `choices`: the acts of all
    decisions that this table's law knows; `decisions`: what may be decided now, of the hand whose turn it is first;
    `closed`: what that hand may not decide, with the rule that is against it. `side_bets`: those that the table has;
    `side`: what lies on them.
    """

    turn: str = ""
    hands: list[StakedHandStatus] = []
    amounts: list[AmountStatus] = []
    bank: str = "0.00"
    is_decided: bool = False
    limits: LimitsStatus = LimitsStatus()
    choices: list[str] = []
    decisions: list[Suggestion] = []
    closed: dict[str, str] = {}
    side_bets: list[str] = []
    side: list[SideStakeStatus] = []
