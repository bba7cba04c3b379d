"""The jackpot in the status document: what is in the pool, what was won, what moved it."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.protocol.amount import units


class PrizeStatus(Struct, frozen=True):
    """The prize of the jackpot that is paid next; not `covered`: the pool does not reach for it."""

    seat: int
    bettor: int
    cents: int
    covered: bool = True


class JackpotMoveStatus(Struct, frozen=True):
    """One movement of the pool, `pool_cents` being what it held behind it."""

    kind: str
    pool_cents: int
    bets: int = 0
    cents: int = 0
    millionths: int = 0
    seat: int = 0
    level: str = "pool"
    target: str = "pool"


class PoolPoint(Struct, frozen=True, array_like=True):
    """The `number`th movement of the jackpot's pool in its life, and what it held behind it."""

    number: int
    wall_ms: int
    kind: str
    pool_cents: int


class JackpotStatus(Struct, frozen=True):
    """The public part of the pool; `chips` and `marked` are seats of this round, `won` seats with a prize.

    `increment_cents`: by how much this round's bets raise the sign, `raised_cents` what the dealer has entered.
    `meters`: amounts in millionths, and how often. `is_approved` False: the configuration has other parameters.
    `sign`: what is known of it: `none`, `lost`, `unconfirmed`, `read` (by a person), `differs` or `pool`.
    `slots`: `none`, `told` (they say which chips lie), `lost`, or `set-aside`: people say it in their place.
    `astray`: seats in whose slots a chip lies that is not played for; `broken`: those whose sensor fails.
    `moved`: how often the pool was moved in its life; `moves`: the last movements, the newest at the end.
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
    """A pool's way to another computer. `computer`: this one's name; `export`: the last that was made here.

    `asked`: what the first of two people has asked for, by the act `asked_for`: a computer's name, an export or its
    code, an amount. Of an export that is asked for, `asked_table`, `asked_computer` and `asked_cents` say whose pool
    it is and how much is in it; its code is read at the other computer.
    `code`: of `export`; `is_received`: its receipt was shown. `receipt`: of the pool that was taken over here last.
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
    """How much the floor has said of a linked pool."""

    NOTHING = "nothing"  # since this start
    HEARD = "heard"
    AWAY = "away"  # nothing for too long


class LinkedHitStatus(Struct, frozen=True):
    """A hit of the linked pool that is not paid. `seats` share it; none: the table's record does not have the hit.

    `cents`: None until the floor has said the amount. `next_seat` is paid `next_cents`. `entry`: epoch and number.
    """

    seats: list[int]
    entry: str
    cents: int | None = None
    next_seat: int | None = None
    next_cents: int = 0


class LinkedStatus(Struct, frozen=True):
    """The linked pool by the floor's last word: `cents` None before the first one.

    `since`: table time of that word, or of the start. `age_s`: how long ago, in steps of five seconds.
    """

    pool: str
    floor: FloorSays
    cents: int | None = None
    number: int = 0
    since: int = 0
    age_s: int = 0
    hits: list[LinkedHitStatus] = []


def export_said(export: JackpotExportStatus) -> list[tuple[str, dict[str, str]]]:
    """The sentences of the catalogue under `status`, each with its values: what people read here and give there."""
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
