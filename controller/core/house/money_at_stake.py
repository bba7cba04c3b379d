"""The money that depends on each act, and the protection against two people who would take money by it.

The question for each act: could two of dealer, player and chief supervisor take money by this act unseen? Each act's
row names its answer, one of `Money`. `AT_STAKE` has for each answer the way in which a second person agrees, the
further evidence, and the places where the act shows. The row itself (`second`) names the second person's posts and the
condition under which one is needed.
"""

from collections.abc import Mapping
from enum import StrEnum, unique
from typing import Final

from msgspec import Struct


@unique
class Money(StrEnum):
    """The kinds of money that can depend on an act. Each act's row names one; NONE if no money depends on the act."""

    NONE = "none"  # no stake, amount or pool depends on it
    LAID = "laid"  # stakes, before a card or number is known
    DECIDED = "decided"  # a player's choices, before the next card is known
    AT_ONCE = "at-once"  # a hand is paid before the settlement
    SEEN = "seen"  # the number, which lies open before all at the table
    NAMED = "named"  # a card that people name
    CORRECTED = "corrected"  # a card that was dealt is annulled, moved or named anew
    NOBODYS = "nobodys"  # a card that no hand has yet leaves the round, so that the next hand gets another one
    ENTRY = "entry"  # an entry of the round is corrected, with its consequences
    AGREED = "agreed"  # the second person's word on a correction
    RULED = "ruled"  # a round, spin or card counts, or does not
    HALVES = "halves"  # a round, spin or card counts or not, by two people's acts
    PAID = "paid"  # a payment by cards or number and stakes as recorded, or by chips as counted
    ROUNDED = "rounded"  # an amount is rounded to the table's chips
    PRIZE = "prize"  # a payment out of the pool
    CHIPS = "chips"  # moved chips are put back as they lay
    WORTH = "worth"  # the worth of chips without face value
    SIGN = "sign"  # the amount that players read on the sign
    POOL = "pool"  # the pool's amount, and its place
    PARAMETERS = "parameters"  # parameters of a pool that is not in play yet
    RECEIPT = "receipt"  # another computer has taken the pool over


@unique
class SecondBy(StrEnum):
    """The ways in which a second person agrees to an act."""

    NOBODY = "nobody"
    ROW = "row"  # he asks for the same; the row names the acts (`second`)
    LATER = "later"  # before anything is settled, paid or taken away (`agree-corrections`)
    OTHER_HALF = "other-half"  # his own act, or the same act again; the first alone has no effect


@unique
class Agrees(StrEnum):
    """The kinds of evidence, other than people, that must agree with an act."""

    BETS_ARE_OPEN = "bets-are-open"
    NOTHING_IS_KNOWN = "nothing-is-known"
    DEVICE = "device"
    RECORD = "record"
    WORTH = "worth"
    CHIP = "chip"
    TABLE_IS_CLOSED = "table-is-closed"
    SIGNATURE = "signature"
    REFERENCE = "reference"


@unique
class Shows(StrEnum):
    """The places where people see that an act was done."""

    CLOTH = "cloth"
    ROUND_LIST = "round-list"
    WAITING = "waiting"
    NOTICE = "notice"
    DISPLAY = "display"
    HOLD = "hold"
    SIGN = "sign"
    REPORT = "report"
    AUDIT = "audit"


class AtStake(Struct, frozen=True, gc=False):
    """The protection of one kind of money.

    `by`: the way in which a second person agrees; `agrees`: other evidence; `shows`: the places where the act shows
    besides the journal.
    """

    by: SecondBy
    agrees: tuple[Agrees, ...]
    shows: tuple[Shows, ...]


_A, _S, _BY = Agrees, Shows, SecondBy

AT_STAKE: Final[Mapping[Money, AtStake]] = {
    Money.NONE: AtStake(_BY.NOBODY, (), ()),
    Money.LAID: AtStake(_BY.NOBODY, (_A.BETS_ARE_OPEN,), (_S.CLOTH, _S.ROUND_LIST)),
    Money.DECIDED: AtStake(_BY.NOBODY, (_A.NOTHING_IS_KNOWN,), (_S.CLOTH, _S.ROUND_LIST)),
    Money.AT_ONCE: AtStake(_BY.ROW, (_A.RECORD,), (_S.CLOTH, _S.WAITING, _S.NOTICE, _S.ROUND_LIST)),
    Money.SEEN: AtStake(_BY.NOBODY, (_A.DEVICE,), (_S.CLOTH, _S.ROUND_LIST)),
    Money.NAMED: AtStake(_BY.LATER, (_A.DEVICE,), (_S.CLOTH, _S.ROUND_LIST)),
    Money.CORRECTED: AtStake(_BY.LATER, (), (_S.NOTICE, _S.ROUND_LIST, _S.REPORT)),
    Money.NOBODYS: AtStake(_BY.LATER, (), (_S.HOLD, _S.ROUND_LIST)),
    Money.ENTRY: AtStake(_BY.ROW, (_A.RECORD,), (_S.WAITING, _S.NOTICE, _S.ROUND_LIST, _S.REPORT)),
    Money.AGREED: AtStake(_BY.NOBODY, (), (_S.ROUND_LIST,)),
    Money.RULED: AtStake(_BY.ROW, (), (_S.HOLD, _S.WAITING, _S.NOTICE, _S.REPORT)),
    Money.HALVES: AtStake(_BY.OTHER_HALF, (), (_S.HOLD, _S.REPORT)),
    Money.PAID: AtStake(_BY.ROW, (_A.RECORD, _A.WORTH), (_S.WAITING, _S.NOTICE, _S.ROUND_LIST)),
    Money.ROUNDED: AtStake(_BY.NOBODY, (_A.RECORD, _A.CHIP), (_S.NOTICE, _S.ROUND_LIST)),
    Money.PRIZE: AtStake(_BY.ROW, (_A.DEVICE, _A.RECORD), (_S.HOLD, _S.WAITING, _S.NOTICE, _S.SIGN, _S.AUDIT)),
    Money.CHIPS: AtStake(_BY.ROW, (), (_S.HOLD, _S.WAITING, _S.ROUND_LIST)),
    Money.WORTH: AtStake(_BY.ROW, (), (_S.WAITING, _S.DISPLAY)),
    Money.SIGN: AtStake(_BY.ROW, (_A.RECORD,), (_S.WAITING, _S.NOTICE, _S.SIGN)),
    Money.POOL: AtStake(_BY.OTHER_HALF, (_A.REFERENCE,), (_S.HOLD, _S.NOTICE, _S.AUDIT)),
    Money.PARAMETERS: AtStake(_BY.NOBODY, (_A.TABLE_IS_CLOSED, _A.REFERENCE), (_S.NOTICE, _S.AUDIT)),
    Money.RECEIPT: AtStake(_BY.NOBODY, (_A.SIGNATURE,), (_S.HOLD, _S.AUDIT)),
}
