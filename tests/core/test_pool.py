"""The jackpot's pool under any incident, compared with the check that shares no code with it."""

from itertools import product
from typing import Final

import msgspec
import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from controller.core.engine.replacing import replace
from controller.core.house import pool as p
from controller.core.jackpot_rules import CENT, Combination, JackpotRules, Marking, Prize
from controller.core.words import Cents
from simulators.oracles.pool import Pool as Recount
from simulators.oracles.pool import movement

_JACKS, _SEVENS, _ACES = (Combination((rank, rank)) for rank in ("J", "7", "A"))
PRIZES: Final = (Prize(1, _JACKS, Cents(20_000)), Prize(2, _SEVENS, part_ppm=333_333), Prize(3, _ACES))
SHARES: Final = tuple(product((10_000, 800_000, 333_300), (0, 50_000)))


def rules(bet: int, shares: tuple[int, int], limit: int) -> JackpotRules:
    start = Cents(10_000 * bet)
    rate, reserve = shares
    ceiling = Cents(start + limit if limit else 0)
    return JackpotRules(Marking.MANUAL, Cents(bet), rate, start, start, PRIZES, reserve, ceiling)


RULES: Final = st.builds(rules, st.sampled_from((100, 250)), st.sampled_from(SHARES), st.sampled_from((0, 1, 5_000)))
SEATS: Final = st.lists(st.integers(1, 7), min_size=1, max_size=7, unique=True)


class Pools(RuleBasedStateMachine):
    """Bets, hits, payments, additions, other parameters, and crashes at any moment."""

    @initialize(first=RULES)
    def begin(self, first: JackpotRules) -> None:
        self.told: list[p.Move] = []
        self.seen = 0
        self.pool = p.approved(None, first, "G-1")
        self._told(None)

    def _told(self, before: p.Pool | None) -> None:
        self.told += p.moves_between(before, self.pool)

    def _becomes(self, pool: p.Pool) -> None:
        before, self.pool = self.pool, pool
        self._told(before)

    @precondition(lambda self: not self.pool.owed)
    @rule(bets=st.integers(1, 7))
    def bets_are_collected(self, bets: int) -> None:
        was = self.pool.meters.contributions
        self._becomes(p.collected(self.pool, bets))
        each = sum(map(self.pool.rules.increment, (self.pool.rules.rate_ppm, self.pool.rules.reserve_ppm)))
        assert self.pool.meters.contributions - was == bets * each

    @precondition(lambda self: not self.pool.owed)
    @rule(bets=st.integers(1, 7))
    def a_round_is_void(self, bets: int) -> None:
        was = self.pool.millionths + self.pool.reserve + self.pool.overflow
        self._becomes(p.collected(self.pool, bets))
        self._becomes(p.returned(self.pool, bets))
        assert self.pool.millionths + self.pool.reserve + self.pool.overflow == was

    @precondition(lambda self: not self.pool.owed)
    @rule(seats=SEATS, ranks=st.lists(st.integers(1, 3), min_size=7, max_size=7))
    def combinations_win(self, seats: list[int], ranks: list[int]) -> None:
        won = [(seat, PRIZES[rank - 1]) for seat, rank in zip(seats, ranks, strict=False)]
        wins = tuple(p.Win(seat, seat, prize.rank, prize.cents, prize.part_ppm) for seat, prize in won)
        self._becomes(p.collected(self.pool, len(wins)))  # a player without a chip wins nothing
        self._becomes(p.hit(self.pool, wins))
        assert len(self.pool.owed) == len(wins)

    @precondition(lambda self: self.pool.owed)
    @rule(by_hand=st.booleans())
    def the_next_prize_is_paid(self, by_hand: bool) -> None:
        due = p.next_payment(self.pool)
        assert due is not None
        if not due.is_covered:
            assert p.paid(self.pool, by_hand=by_hand) is self.pool
            lacking = due.cents * CENT - self.pool.millionths
            self._becomes(p.moved_to(self.pool, lacking, p.Level.HOUSE, p.Level.POOL, "G-2"))
        resets, is_last = self.pool.meters.resets, due.owed.cents is None and len(self.pool.owed) == 1
        self._becomes(p.paid(self.pool, by_hand=by_hand))
        assert self.pool.meters.resets == resets + is_last

    @rule(other=RULES)
    def others_are_approved(self, other: JackpotRules) -> None:
        in_force = self.pool.rules
        self._becomes(p.approved(self.pool, other, "G-3"))
        assert self.pool.rules is in_force

    @rule()
    def the_controller_crashes(self) -> None:
        """Reads the pool back from the checkpoint, which must equal the written one."""
        self.pool = msgspec.json.decode(msgspec.json.encode(self.pool), type=p.Pool)

    @invariant()
    def nothing_is_lost(self) -> None:
        assert p.is_sound(self.pool)
        assert not p.is_sound(replace(self.pool, millionths=self.pool.millionths + 1))

    def teardown(self) -> None:
        """Recomputes every movement by code that knows nothing of this program."""
        recount = Recount()
        for move in self.told:
            body = msgspec.to_builtins(move)
            found = movement(
                {"kind": move.kind.value, "body": {key: one for key, one in body.items() if key != "kind"}}
            )
            assert found is not None
            recount.take(found)
        assert recount.wrong == []
        if self.told:
            assert recount.levels["pool"] == self.pool.millionths
            assert recount.meters["paid"] == self.pool.meters.paid
            assert recount.meters["by_hand"] == self.pool.meters.by_hand


TestPools = pytest.mark.slow(Pools.TestCase)
