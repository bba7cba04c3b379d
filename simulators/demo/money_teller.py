"""Prints the money of a round in plain words: bets, decisions, payments and the jackpot."""

from collections.abc import Callable, Iterable

from controller.core.words import RoundPhase
from controller.protocol.amount import units
from simulators.demo.talk import Ink, Talk
from simulators.oracles.export_entries import Entry
from simulators.people.status import TableStatus, place_of


class MoneyTeller:
    """Prints the changes of a table's money since the last call of `look`."""

    def __init__(self, talk: Talk, *, tells_decisions: bool = True) -> None:
        """`tells_decisions`: True to print players' decisions. False for a trainee, who enters the decisions and has
        been told them as players' wishes.
        """
        self._talk, self._tells_decisions = talk, tells_decisions
        self._paid = 0
        self._won: tuple[int, int] | None = None

    def bets(self, status: TableStatus) -> str:
        """Returns the bets of the round in `status` as text, seat by seat; "" if the table does not track money."""
        hands = () if status.money is None else status.money.hands
        chips = () if status.jackpot is None else status.jackpot.chips
        told = []
        for hand in hands:
            seat, _ = place_of(hand.hand)
            amounts = " + ".join(units(bet.stake_cents) for bet in hand.bets)
            told.append(f"{seat} ({amounts}{self._talk.text('round.chip') if seat in chips else ''})")
        return ", ".join(told)

    def look(self, status: TableStatus, entries: Iterable[Entry], lay_open: Callable[[], None]) -> None:
        """Prints the decisions, payments and prizes since the last call. Before each of them it calls `lay_open`, which
        prints the cards on the table.
        """
        self._tell_decisions(entries, lay_open)
        self._tell_payments(status, lay_open)
        self._tell_jackpot(status, lay_open)

    def _tell_decisions(self, entries: Iterable[Entry], lay_open: Callable[[], None]) -> None:
        for entry in entries:
            key = f"play.{entry.kind}"
            if self._talk.knows(key) and not entry.refused:
                lay_open()
                if self._tells_decisions:
                    self._talk.say(key, Ink.HAND, seat=str(entry.number("seat")))

    def _tell_payments(self, status: TableStatus, lay_open: Callable[[], None]) -> None:
        money = status.money
        if money is None or status.round is not RoundPhase.SETTLED or status.round_number == self._paid:
            return
        self._paid = status.round_number
        lay_open()
        amounts = ", ".join(f"{one.hand} {one.amount}" for one in money.amounts)
        self._talk.say("round.paid" if amounts else "round.void", Ink.GOOD, amounts=amounts, bank=money.bank)

    def _tell_jackpot(self, status: TableStatus, lay_open: Callable[[], None]) -> None:
        jackpot = status.jackpot
        due = None if jackpot is None else jackpot.next_prize
        won = None if due is None else (due.seat, due.cents)
        if jackpot is None or won == self._won:
            return
        if self._won is not None:
            amount = units(jackpot.amount_cents)
            self._talk.say("jackpot.paid", Ink.GOOD, seat=str(self._won[0]), sign=amount)
        if due is not None:
            lay_open()
            self._talk.say("jackpot.won", Ink.ALERT, seat=str(due.seat), amount=units(due.cents))
        self._won = won
