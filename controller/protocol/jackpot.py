"""The jackpot in the status: the pool's contents, prizes and movements."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.protocol.amount import units


class PrizeStatus(Struct, frozen=True):
    """The prize to be paid next to the player `bettor` at `seat`. `covered` False: the pool has less than the prize."""

    seat: int
    bettor: int
    cents: int
    covered: bool = True


class JackpotMoveStatus(Struct, frozen=True):
    """One movement of the pool, with the pool's amount after it."""

    kind: str
    pool_cents: int
    bets: int = 0
    cents: int = 0
    millionths: int = 0  # of a transfer: its amount in millionths of a currency unit
    seat: int = 0
    level: str = "pool"  # of a transfer: the account that gives the amount
    target: str = "pool"  # of a transfer: the account that gets it


class PoolPoint(Struct, frozen=True, array_like=True):
    """One movement of the pool for a chart. `number`: counted since the pool began; `pool_cents`: the pool after it."""

    number: int
    wall_ms: int
    kind: str
    pool_cents: int


class JackpotStatus(Struct, frozen=True):
    """The jackpot in the status: the pool, the round's chips, wins and payments, and the sign and the slots."""

    amount_cents: int
    bet_cents: int = 0
    marking: str = "manual"
    chips: list[int] = []  # this round's seats with a chip
    marked: list[int] = []  # the seats whose chips were collected and replaced by markers
    is_collected: bool = False
    increment_cents: int = 0  # the amount by which this round's bets raise the sign
    raised_cents: int | None = None  # the amount that the dealer has entered
    won: list[int] = []  # the seats with an unpaid prize
    paid: list[int] = []  # the seats to which a prize was paid in this round
    next_prize: PrizeStatus | None = None
    reserve_cents: int = 0
    overflow_cents: int = 0
    meters: dict[str, int] = {}  # amounts in millionths, and counts
    is_approved: bool = True  # False: the configuration has other parameters than the approved ones
    sign: str = "none"  # or `lost`, `unconfirmed`, `read` (by a person), `differs`, `pool` (it shows the pool)
    slots: str = "none"  # or `told` (the slots report their chips), `lost`, `set-aside` (people report the chips)
    astray: list[int] = []  # the seats with a chip in the slot but no bet
    broken: list[int] = []  # the seats with a failed sensor
    moved: int = 0  # the number of movements since the pool began
    moves: list[JackpotMoveStatus] = []  # the last movements, the newest at the end


class JackpotExportStatus(Struct, frozen=True):
    """A move of the pool from the table's computer to another one, or from another one to the table's."""

    computer: str  # this computer's name
    asked: str = ""  # a computer's name, an export or its code, or an amount; the last two with a reference
    export: str = ""  # the last export made here
    asked_for: str = ""  # the act that waits for a second person, with the value `asked`
    asked_table: str = ""  # of a pool that waits to be taken over: its table, its computer and its amount
    asked_computer: str = ""
    asked_cents: int = 0
    code: str = ""  # the code of `export`
    is_received: bool = False  # the receipt for `export` was shown here
    receipt: str = ""  # the receipt for the last pool taken over here


@unique
class FloorSays(StrEnum):
    """The state of the floor's reports on the linked pool."""

    NOTHING = "nothing"  # since this start
    HEARD = "heard"
    AWAY = "away"  # no report for too long


class LinkedHitStatus(Struct, frozen=True):
    """A hit of the linked pool that is not fully paid."""

    seats: list[int]  # the seats that share the prize; empty where the table's record does not have the hit
    entry: str  # epoch and number of the hit's entry
    cents: int | None = None  # None until the floor has decided the amount
    next_seat: int | None = None  # the seat that is paid next
    next_cents: int = 0  # its share


class LinkedStatus(Struct, frozen=True):
    """The linked pool as the floor last reported it. `cents`: None before the first report.

    `since`: the table time (ms) of that report, or of the start. `age_s`: the report's age, rounded down to five
    seconds.
    """

    pool: str
    floor: FloorSays
    cents: int | None = None
    number: int = 0
    since: int = 0
    age_s: int = 0
    hits: list[LinkedHitStatus] = []


def export_said(export: JackpotExportStatus) -> list[tuple[str, dict[str, str]]]:
    """Returns the sentences with the codes that people need to move the pool of `export`. Each is a catalogue key under
    `status` with its values.
    """
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
