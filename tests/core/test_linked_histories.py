"""Random evenings of two tables and a floor that is away, late, doubled or older: no cent of the pool moves twice."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pytest

from controller.core.house.linked_acts import DecidedHere, LinkedPoolHeard, LinkedTold
from controller.core.jackpot_rules import CENT
from controller.core.linked_rules import BetsWhenAway
from tests.core.linked_table import AWAY_MS, EURO, Table

SEED: Final = 1_000 * EURO
RESET: Final = 500 * EURO
RATE_PPM: Final = 100_000
CHIP_ADDS: Final = EURO // 10
SUITS: Final = {"1": "S", "2": "H"}
ROUNDS: Final = 4


@dataclass
class Floor:
    """One pool with a reserve of a tenth, by POOLS.md; a repeated entry counts once."""

    seeds: int = SEED
    pool: int = SEED
    reserve: int = 0
    added: int = 0
    paid: int = 0
    decided: dict[tuple[str, int], int] = field(default_factory=dict)
    said: list[tuple[int, int]] = field(default_factory=list)
    _seen: set[tuple[str, int]] = field(default_factory=set)

    def takes(self, table: str, told: LinkedTold) -> None:
        if (table, told.seq) in self._seen:
            return
        self._seen.add((table, told.seq))
        for one in told.linked:
            self.added += one.micro
            self.reserve += one.micro // 10
            self.pool += one.micro - one.micro // 10
        for _ in told.linked_hits:
            self.decided[table, told.seq] = self.pool
            self.paid += self.pool
            self.seeds += RESET - min(self.reserve, RESET)
            self.pool, self.reserve = RESET, self.reserve - min(self.reserve, RESET)
        assert self.seeds + self.added == self.pool + self.reserve + self.paid


@dataclass
class Linked:
    """A table with a linked pool, and its uplink over a line that may be cut."""

    name: str
    table: Table
    floor: Floor
    carried: int = 0
    number: int = 0
    last: LinkedPoolHeard | None = None
    paid: dict[int, int] = field(default_factory=dict)  # cents by the entry of the hit
    most_due: int = 0  # returned chips lower the amount; later ones are reported only above it

    def carries(self, chance: random.Random) -> None:
        """Carries some of the table's reports to the floor, a few of them a second time.

        Carries a statement of the floor back, now and then an older one.
        """
        told = self.table.told()
        until = chance.randint(self.carried, len(told))
        for one in told[chance.randint(0, self.carried) : until]:
            self.floor.takes(self.name, one)
        self.carried = until
        self.hears(chance)

    def hears(self, chance: random.Random) -> None:
        if self.last is not None and chance.random() < 0.3:
            self.table.put(self.last)  # repeated or late
        self.number += 1
        hits = tuple(DecidedHere(1, seq, micro) for (of, seq), micro in self.floor.decided.items() if of == self.name)
        word = LinkedPoolHeard("gold", self.number, self.floor.pool, RATE_PPM, hits)
        if chance.random() < 0.8:
            self.table.put(word)
        self.last = word if self.last is None or chance.random() < 0.5 else self.last

    def pays(self) -> None:
        """Lets dealer and supervisor pay, seat by seat, each hit that the floor has decided."""
        table = self.table
        while table.linked.hits and table.linked.hits[0].micro is not None:
            hit = table.linked.hits[0]
            seat = hit.next_seat
            assert seat is not None
            self.paid[hit.seq] = self.paid.get(hit.seq, 0) + hit.share(seat)
            for who in ("dealer", "chief"):
                assert table.asks(who, "pay-linked-prize", seat=str(seat)) == ""

    def plays(self, chance: random.Random) -> Iterator[None]:
        """Plays one round, and yields between its steps, where the line may do anything."""
        table = self.table
        for seat in SUITS:
            table.does("bet", seat, "10")
            if table.linked.is_heard and chance.random() < 0.8:
                table.does("chip", seat)
        yield
        table.does("no-more-bets")
        self.most_due = max(self.most_due, table.linked.due)
        yield
        firsts = {seat: f"7{suit}" if chance.random() < 0.3 else "" for seat, suit in SUITS.items()}
        table.does("draw", *(firsts[seat] or f"10{suit}" for seat, suit in SUITS.items()), "KC")
        table.does("draw", *(firsts[seat] or f"9{suit}" for seat, suit in SUITS.items()), "10D")
        yield
        if is_void := chance.random() < 0.2:
            assert table.asks("dealer", "call-for-ruling", cause="dispute") == ""
            assert table.asks("chief", "make-ruling", outcome="round-void") == ""
        while table.held:
            yield
            self.pays()
        if not is_void:
            for seat in SUITS:
                table.does("stand", seat)
            table.does("bank-plays")
        table.does("collect")
        table.does("put-back")


@pytest.mark.parametrize("seed", range(12))
def test_whatever_the_line_does_each_chip_adds_once_and_each_hit_is_paid_its_one_amount(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    floor = Floor()
    lying = chance.choice(tuple(BetsWhenAway))
    tables = [Linked(name, Table(lying), floor) for name in ("BJ-1", "BJ-2")]
    for one in tables:
        one.hears(chance)
    for _ in range(ROUNDS):
        playing = [(one, one.plays(chance)) for one in tables]
        while playing:
            one, steps = chance.choice(playing)
            if next(steps, one) is one:
                playing.remove((one, steps))
            elif (fate := chance.random()) < 0.6:
                one.carries(chance)
            elif fate < 0.75:
                one.table.wait(AWAY_MS)
    for one in tables:
        for told in one.table.told():
            floor.takes(one.name, told)
        linked, pool = one.table.linked, one.table.state.house.pool
        assert pool is not None
        assert linked.due == pool.meters.bets * CHIP_ADDS
        assert linked.told == sum(added.micro for told in one.table.told() for added in told.linked) == one.most_due
        hits = {seq: micro // CENT for (of, seq), micro in floor.decided.items() if of == one.name}
        assert one.paid == hits
    assert floor.added == sum(one.table.linked.told for one in tables)
