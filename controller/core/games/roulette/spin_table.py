"""The phases of one spin (pt.rou.19 to 23): bets and launch, no more bets, then a number and
payments, or a null spin.
"""

from enum import StrEnum, unique

from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.words import RoundPhase as R


@unique
class SpinTrigger(StrEnum):
    LAUNCHED = "launched"
    BETS_CLOSED = "bets_closed"
    NULLED = "nulled"
    ANNOUNCED = "announced"
    PAID = "paid"
    REOPENED = "reopened"  # people state that its number or its null spin was entered wrongly


T = SpinTrigger

SPIN = ProcedureMachine(
    "spin",
    [
        Row(T.LAUNCHED, R.IDLE, R.SPINNING),
        Row(T.LAUNCHED, R.NULL_SPIN, R.SPINNING),  # pt.rou.22b
        Row(T.BETS_CLOSED, R.SPINNING, R.NO_MORE_BETS),
        Row(T.NULLED, R.SPINNING, R.NULL_SPIN),
        Row(T.NULLED, R.NO_MORE_BETS, R.NULL_SPIN),
        Row(T.ANNOUNCED, R.NO_MORE_BETS, R.PAYING),
        Row(T.PAID, R.PAYING, R.IDLE),
        Row(T.REOPENED, R.PAYING, R.NO_MORE_BETS),
        Row(T.REOPENED, R.NULL_SPIN, R.NO_MORE_BETS),
    ],
    initial=R.IDLE,
)
