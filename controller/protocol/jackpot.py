"""The jackpot in the status: the pool's contents, prizes and movements."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.protocol.amount import units


class PrizeStatus(Struct, frozen=True):
    """The prize that is paid next, to the player `bettor` at `seat`. `covered` False: the pool contains too little for
    the prize.
    """

    seat: int
    bettor: int
    cents: int
    covered: bool = True


class JackpotMoveStatus(Struct, frozen=True):
    """One movement of the pool, with the pool's cents after it. Of a transfer, `millionths`: the amount in millionths
    of a currency unit; `level`, `target`: the account that gives the amount, and the account that gets it.
    """

    kind: str
    pool_cents: int
    bets: int = 0
    cents: int = 0
    millionths: int = 0
    seat: int = 0
    level: str = "pool"
    target: str = "pool"


class PoolPoint(Struct, frozen=True, array_like=True):
    """A movement of the pool, with the pool's cents after it. `number`: the movement's number in the pool's life."""

    number: int
    wall_ms: int
    kind: str
    pool_cents: int


class JackpotStatus(Struct, frozen=True):
    """The public part of the pool. `chips`, `marked`: seats of this round; `won`: seats with a prize that is not paid;
    `paid`: seats to which one was paid in this round.

    `increment_cents`: the amount by which this round's bets raise the sign; `raised_cents`: the amount that the dealer
    has entered. `meters`: amounts in millionths, and counts. `is_approved` False: the configuration has other
    parameters than the approved ones. `sign`: what is known of the sign: `none`, `lost`, `unconfirmed`, `read` (by a
    person), `differs` or `pool`. `slots`: `none`, `told` (the slots report their chips), `lost`, or `set-aside` (people
    report the chips). `astray`: seats with a chip in the slot but no bet; `broken`: seats with a failed sensor.
    `moved`: the number of movements in the pool's life; `moves`: the last movements, the newest at the end.
    """

    amount_cents: int
    bet_cents: int = 0
    marking: str = "manual"
    chips: list[int] = []
    marked: list[int] = []
    is_collected: bool = False
    increment_cents: int = 0
    raised_cents: int | None = None
    won: list[int] = []
    paid: list[int] = []
    next_prize: PrizeStatus | None = None
    reserve_cents: int = 0
    overflow_cents: int = 0
    meters: dict[str, int] = {}
    is_approved: bool = True
    sign: str = "none"
    slots: str = "none"
    astray: list[int] = []
    broken: list[int] = []
    moved: int = 0
    moves: list[JackpotMoveStatus] = []


class JackpotExportStatus(Struct, frozen=True):
    """The move of a pool to another computer. `computer`: this computer's name. `export`: the last export made here,
    and `code` its code; `is_received`: its receipt was shown here. `receipt`: the receipt for the last pool taken over
    here.

    `asked`: the value of the act `asked_for`, a request of the first of two people: a computer's name, an export or its
    code, or an amount; "" without one. For an export, `asked_table`, `asked_computer` and `asked_cents` say whose pool
    it is and how much is in it.
    """

    computer: str
    asked: str = ""
    export: str = ""
    asked_for: str = ""
    asked_table: str = ""
    asked_computer: str = ""
    asked_cents: int = 0
    code: str = ""
    is_received: bool = False
    receipt: str = ""


@unique
class FloorSays(StrEnum):
    """The state of the floor's reports on a linked pool."""

    NOTHING = "nothing"  # since this start
    HEARD = "heard"
    AWAY = "away"  # no report for too long


class LinkedHitStatus(Struct, frozen=True):
    """An unpaid hit of the linked pool. `seats`: the seats that share the prize; empty where the table's record does
    not have the hit. `cents`: None until the floor has decided the amount. `next_seat`, `next_cents`: the seat that is
    paid next, and its amount; `next_seat` is None where no seat is paid next. `entry`: epoch and number of the hit's
    entry.
    """

    seats: list[int]
    entry: str
    cents: int | None = None
    next_seat: int | None = None
    next_cents: int = 0


class LinkedStatus(Struct, frozen=True):
    """The linked pool as the floor last reported it; `cents` None before the first report.

    `since`: table time of that report, or of the start. `age_s`: the report's age, in steps of five seconds.
    """

    pool: str
    floor: FloorSays
    cents: int | None = None
    number: int = 0
    since: int = 0
    age_s: int = 0
    hits: list[LinkedHitStatus] = []


def export_said(export: JackpotExportStatus) -> list[tuple[str, dict[str, str]]]:
    """The sentences by which people move the pool, each as a key under `status` with its values."""
    said = [("jackpot-computer", {"computer": export.computer})]
    if export.asked_table:
        amount = units(export.asked_cents)
        of_export = {"table": export.asked_table, "computer": export.asked_computer, "amount": amount}
        said.append(("jackpot-asked-over", of_export))
    elif export.asked:
        said.append(("jackpot-asked", {"act": export.asked_for, "asked": export.asked}))
    if export.export:
        received = "jackpot-code-received" if export.is_received else "jackpot-code"
        said += [("jackpot-export", {"export": export.export}), (received, {"code": export.code})]
    return [*said, ("jackpot-receipt", {"receipt": export.receipt})] if export.receipt else said
