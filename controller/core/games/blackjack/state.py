"""One round of blackjack."""

from typing import Any, ClassVar

from msgspec import Struct

from controller.core.custody.cards import Card
from controller.core.engine.machine import ProcedureMachine
from controller.core.games.blackjack.round_table import ROUND
from controller.core.house.state import GameState
from controller.core.words import (
    Outcome,
    Person,
    Purpose,
    Role,
)


class Dealt(Struct, frozen=True, gc=False):
    """One card on the table: seat 0 is the bank. `face_down` numbers a card whose face nobody has seen."""

    seat: int
    purpose: Purpose
    face_down: int | None = None
    card: Card | None = None
    commitment: str | None = None
    disputed: bool = False  # people gave another face than the seal: after the hold for it theirs counts
    named: bool = False  # no reader, but people have said what it is


class Ruling(Struct, frozen=True, gc=False):
    """What was decided in an incident, and by whom."""

    outcome: Outcome
    person: Person
    role: Role
    stakes_back: tuple[int, ...] = ()  # the seats whose stakes go back


class Round(GameState, frozen=True, gc=False):
    """One round, from the bets to the cards put back; it begins and ends whole."""

    MACHINE: ClassVar[ProcedureMachine[Any, Any]] = ROUND

    seats: tuple[int, ...] = ()
    dealt: tuple[Dealt, ...] = ()
    collected: tuple[int, ...] = ()  # seats whose cards of this round lie in the rack already (pt.bj.58)
    asked: tuple[int, ...] = ()  # those of them that had asked for further cards (pt.bj.18c)
    turn_back: int | None = None  # seat that was passed over and may ask all the same; 0: whichever asks next
    requested: int | None = None  # seat that a further card was asked for; 0 the bank
    burned: int = 0  # cards burnt in this round (mo.4.2)
    provisional: bool = False  # the last card may still be corrected: no other card, no act of the round since
    last_ruling: Ruling | None = None  # of this round, or made since the last round ended
    put_back_due: int = 0
    put_back: int = 0
