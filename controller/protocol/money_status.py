"""The part of a status about bets and money at a table of cards: stakes, amounts due, limits."""

from msgspec import Struct

from controller.protocol.suggestion import Suggestion


class BetStatus(Struct, frozen=True):
    """One player's bet on a hand. `bettor`: his seat; a standing player has a number higher than the last seat's."""

    bettor: int
    stake_cents: int
    is_doubled: bool = False


class StakedHandStatus(Struct, frozen=True):
    """A hand that is played for money: `3`, or `3/2` for the second hand after a split. No face and no total.

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
    """The result of one stake for the player: `amount` in currency units with its sign, and `payment`, the reason for
    it.

    `rate`: the payout, as units paid for units staked ("3:2"); `flag`: the reason why the amount cannot be paid
    unchanged; `decided`: the amount that people pay instead; `clause`: None where no law's clause says the rule.
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
    """The bounds of a bet, and the smallest chip. `step_cents`: every bet is a multiple of this amount."""

    minimum_cents: int = 0
    maximum_cents: int = 0
    chip_cents: int = 0
    step_cents: int = 0


class SideStakeStatus(Struct, frozen=True):
    """A player's stake on a side bet in this round."""

    seat: int
    bettor: int
    bet: str
    stake_cents: int


class LaidStatus(Struct, frozen=True):
    """The sum of a player's bets on a place before any double or split."""

    seat: int
    bettor: int
    stake_cents: int


class MoneyStatus(Struct, frozen=True):
    """The round's money: `turn` (`bank`, or a hand), the hands, the amounts due or last settled, and the bank's result.

    `is_decided`: the bank's cards are complete, and `amounts` holds all amounts of the round. `choices`: the acts of
    all decisions that this table's law knows. `decisions`: the acts that are possible now, the hand in turn first.
    `closed`: the acts refused to the hand in turn, each with the guard that refuses it. `side_bets`: the side bets of
    the table; `side`: the stakes on them. `last`: the bets of the round that is over, as corrected; None from the next
    round's first bet on.
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
    last: list[LaidStatus] | None = None
