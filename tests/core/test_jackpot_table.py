"""A table that plays for a jackpot, with any incident: no bet is lost or counted twice, and no hit is lost.

The table is the core's own, and the events so far are its record. After a crash it begins again from that record, with
or without the last act, of which no person had an answer yet. After every step, code that the core does not share
(simulators/oracles/pool.py) recomputes the pool from the record.
"""

from dataclasses import dataclass, field, replace
from typing import Final

import msgspec
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.core.engine.act import Act, Fact
from controller.core.games.blackjack.jackpot.cards import seats_that_win, seats_with_chips
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.holds import holds_of
from controller.core.house.pool import Move, Pool, is_sound, levels_of, moves_between, next_payment
from controller.core.house.pool_export import code_of, name_of
from controller.core.words import HoldKind, RoundPhase, TableMs
from controller.journal.signing import Signer
from controller.scenario.player import Player
from controller.scenario.settings import Head
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from simulators.oracles.pool import CENT, movement
from simulators.oracles.pool import Pool as Recount
from tests.night import examples

WORDS: Final = vocabulary_of("pt-csm").steps
PRIZES: Final = ("1 J-J-coloured 12000.00", "2 7-7-coloured 10%", "3 A-A-suited rest")
PAIRS: Final = {"nothing": ("9S", "5H"), "fixed": ("JS", "JC"), "part": ("7S", "7C"), "largest": ("AS", "AS")}
SEATS: Final = (1, 4, 7)
MARKING: Final = st.sampled_from(
    ({"jackpot": "manual"}, {"jackpot": "automatic"}, {"jackpot": "automatic", "jackpot_slots": "yes"})
)
SETTINGS: Final = st.fixed_dictionaries(
    {"jackpot_start": st.just("20000.00"), "jackpot_rate": st.sampled_from(("80", "33.3333"))},
    optional={
        "jackpot_limit": st.just("20002.00"),
        "jackpot_reserve_rate": st.just("5"),
        "jackpot_pay_by_hand_from": st.just("1000.00"),
    },
)
DEALS: Final = st.lists(st.tuples(st.booleans(), st.sampled_from((*PAIRS, "largest"))), min_size=3, max_size=3)


HAPPENS: Final = (
    *("round",) * 12,
    *("crash", "crash without last", "crash without last"),
    *("sign lost", "sign late", "sign promises more", "restore", "parameters", "trigger twice"),
    *("moves",) * 3,
    *("slots lost", "chip moves"),
)


class Recorded(Player):
    """A player that keeps its events with their times and their movements of the pool."""

    def __init__(self, given: dict[str, str], computer: int = 0) -> None:
        settings = (*given.items(), ("jackpot_display", "yes"))
        super().__init__(make_table("pt-csm", settings, PRIZES).setup)
        self.head = Head("pt-csm", settings, tuple(PRIZES))
        self.computer, self.signer = computer, Signer(bytes([computer]) * 32)
        self.record: list[tuple[Fact | Act, int, tuple[Move, ...]]] = []
        self._first, self._from = self.state, 0

    def checkpoint(self) -> None:
        """Makes the present state the one from which a crash begins."""
        self._first, self._from = self.state, len(self.record)

    def put(self, event: Fact | Act) -> None:
        before, at = self.state, len(self.record)
        decision = decide_by(TABLE, before, event, TableMs(self.now_ms))
        moves = moves_between(before.house.pool, decision.state.house.pool)
        self.record.insert(at, (event, self.now_ms, moves))
        super().put(event)

    def crash(self, *, without_last: bool) -> None:
        """Ends the process, perhaps without the last act and its consequences.

        Starts the next process from the record.
        """
        while without_last and not isinstance(self.record.pop()[0], Act):
            pass
        state = self._first
        for event, at_ms, _moves in self.record[self._from :]:
            state = decide_by(TABLE, state, event, TableMs(at_ms)).state
        assert without_last or state == self.state
        self.state = state
        self.start()


@dataclass(frozen=True)
class Cloth:
    """The table as people see it: bets with a valid collection, prizes won, and prizes not paid yet."""

    bets: int = 0
    hits: int = 0
    unpaid: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()  # the chips of this round
    pairs: dict[int, str] = field(default_factory=dict)


class Evening(RuleBasedStateMachine):
    @initialize(given=SETTINGS, marking=MARKING, is_changed=st.booleans())
    def begin(self, given: dict[str, str], marking: dict[str, str], *, is_changed: bool) -> None:
        given |= marking
        self.given, self.table = given, Recorded(given)
        self.cloth, self.before_act, self.slots_before = Cloth(), None, self.table.slots
        self.table.start()
        self._does("manager: approve-jackpot reference=G-1")
        if is_changed:  # other parameters apply from the next reset on
            self._does("reconfigured jackpot_bet 2.00", "manager: approve-jackpot reference=G-2")
        self._does("in-play")
        self.table.checkpoint()

    def _does(self, *steps: str) -> None:
        self.before_act: Cloth | None = None
        for step in steps:
            word, *rest = step.split()
            if word.endswith(":"):
                self.table.act(word[:-1], rest[0], dict(value.split("=") for value in rest[1:]))
            else:
                WORDS[word].do(self.table, tuple(rest))

    @property
    def pool(self) -> Pool:
        pool = self.table.state.house.pool
        assert pool is not None
        return pool

    def _is(self, *phases: RoundPhase) -> bool:
        return self.table.state.game.phase in phases

    @property
    def _is_collected(self) -> bool:
        return self.table.state.game.jackpot.is_collected

    @rule(deals=DEALS, is_void=st.sampled_from((False, False, False, True)), what=st.sampled_from(HAPPENS))
    def something_happens(self, deals: list[tuple[bool, str]], what: str, *, is_void: bool) -> None:
        """Makes the next event of a round happen, or an incident."""
        match what:
            case "crash" | "crash without last":
                self._the_controller_crashes(without_last=what != "crash")
            case "sign lost":
                self._the_sign_is_lost_and_comes_back(seconds=60)
            case "sign late" | "sign promises more":
                self._the_sign_promises_more(seconds=1 if what == "sign late" else 60)
            case "restore" if self._is(RoundPhase.IDLE):
                self._it_comes_back_from_a_backup()
            case "moves" if self._is(RoundPhase.IDLE) and self.pool.approved is None:
                self._it_moves_to_another_computer()
            case "slots lost" if self._has_slots:
                self._does("lost jackpot-slots", "back jackpot-slots")
            case "chip moves" if self._has_slots and self._is(RoundPhase.DEALING):
                self._a_chip_comes_or_goes(SEATS[len([lays for lays, _pair in deals if lays]) % len(SEATS)])
            case "parameters":
                self._parameters_are_left_alone_while_it_is_open()
            case "trigger twice" if self._is_collected:
                self._collection_is_triggered_twice()
            case _:
                self._round_goes_on(deals, is_void=is_void)

    def _round_goes_on(self, deals: list[tuple[bool, str]], *, is_void: bool) -> None:
        match self.table.state.game.phase:
            case RoundPhase.IDLE:
                self._bets_are_laid(deals)
            case RoundPhase.BETTING:
                self._bets_are_closed()
            case RoundPhase.DEALING if self.cloth.chips and not self._is_collected:
                if self._has_slots and not deals[0][0]:
                    self._a_chip_comes_or_goes(SEATS[len(self.cloth.chips) - 1])
                self._chips_are_collected()
            case RoundPhase.DEALING:
                self._cards_are_dealt(is_dealt=not is_void)
            case RoundPhase.SETTLED:
                self._cards_go_back()
            case RoundPhase.PLAYING if self.cloth.unpaid:
                self._the_next_prize_is_paid()
            case RoundPhase.PLAYING:
                self._the_round_is_settled()
            case phase:
                raise AssertionError(phase)

    # --- a round

    def _bets_are_laid(self, deals: list[tuple[bool, str]]) -> None:
        chips = [seat for seat, (lays, _pair) in zip(SEATS, deals, strict=True) if lays]
        self._does(*(f"bet {seat} 10" for seat in SEATS))
        laid = []
        for seat in chips:
            self._does(f"slot-chip {seat}" if self._has_slots else f"dealer: place-jackpot-bet seat={seat}")
            laid += [seat] if self.table.refusal is None else []
        laid = list(self.table.slots.chips) if self._has_slots else laid
        pairs = {seat: pair for seat, (_lays, pair) in zip(SEATS, deals, strict=True)}
        self.cloth = replace(self.cloth, chips=tuple(laid), pairs=pairs)

    @property
    def _has_slots(self) -> bool:
        return "jackpot_slots" in self.given

    def _bets_are_closed(self) -> None:
        self._does("dealer: announce-no-more-bets")
        assert seats_with_chips(self.table.state) == self.cloth.chips

    def _a_chip_comes_or_goes(self, seat: int) -> None:
        """Lays a new chip, or takes one away, after the announcement: neither chip plays."""
        self._does(f"{'slot-empty' if seat in self.table.slots.chips else 'slot-chip'} {seat}")

    def _chips_are_collected(self) -> None:
        before, slots = self.cloth, self.table.slots
        chips = tuple(seat for seat in before.chips if seat in slots.chips or not self._has_slots)
        self._does("dealer: collect-jackpot-bets")
        assert self.table.refusal is None
        assert seats_with_chips(self.table.state) == chips
        assert not self._has_slots or {*slots.chips} - {*self.table.slots.chips} == {*chips}
        self.cloth = replace(before, bets=before.bets + len(chips), chips=chips)
        self.before_act, self.slots_before = before, slots

    def _collection_is_triggered_twice(self) -> None:
        pool = self.pool
        self._does("dealer: collect-jackpot-bets")
        assert self.table.refusal is not None
        assert self.pool is pool

    def _cards_are_dealt(self, *, is_dealt: bool) -> None:
        """Deals all cards of the round, or lets the round be void before it has begun."""
        if not is_dealt:
            self._becomes_void()
            return
        first, second = ([self.cloth.pairs[seat] for seat in SEATS] for _ in range(2))
        faces = (*(PAIRS[one][0] for one in first), "10D", *(PAIRS[one][1] for one in second), "10H")
        self._does("draw " + " ".join(faces))
        won = tuple(seat for seat in self.cloth.chips if self.cloth.pairs[seat] != "nothing")
        self.cloth = replace(self.cloth, hits=self.cloth.hits + len(won), unpaid=won)

    def _becomes_void(self) -> None:
        """Makes the round void: the increments of its bets go out of the pool, unless a player has won."""
        back = len(self.cloth.chips) if self._is_collected else 0
        self._does("dealer: call-for-ruling cause=dispute", "chief: make-ruling outcome=round-void")
        self.cloth = replace(self.cloth, bets=self.cloth.bets - back, chips=())

    def _the_next_prize_is_paid(self) -> None:
        due = next_payment(self.pool)
        assert due is not None
        if not due.is_covered:
            lacking = due.cents - self.pool.cents
            self._does(f"chief: lay-into-jackpot amount={lacking // 100}.{lacking % 100:02} reference=house")
        before = self.cloth
        self._does(f"dealer: pay-jackpot seat={due.owed.seat}")
        if self.table.refusal is None:
            self._does(f"chief: pay-jackpot seat={due.owed.seat}")
        else:
            self._does(*(f"{who}: pay-jackpot-by-hand seat={due.owed.seat}" for who in ("chief", "manager")))
        assert self.table.refusal is None
        left = tuple(seat for seat in before.unpaid if seat != due.owed.seat)
        self.cloth, self.before_act = replace(before, unpaid=left), before
        self.slots_before = self.table.slots

    def _the_round_is_settled(self) -> None:
        self._does("players-done", "bank-plays", "dealer: confirm-settled")
        assert (self.table.refusal is not None) is bool(self.cloth.unpaid)
        if not self.cloth.unpaid:
            self._cards_go_back()

    def _cards_go_back(self) -> None:
        self._does("dealer: collect-cards")
        assert self.table.refusal is None, self.table.refusal
        self._does("put-back")
        self.cloth = replace(self.cloth, chips=())

    # --- incidents

    def _the_controller_crashes(self, *, without_last: bool) -> None:
        loses = without_last and self.before_act is not None
        if loses and self.before_act is not None:
            self.cloth, self.table.slots = self.before_act, self.slots_before  # chips that were not durable are gone
        self.before_act = None
        self.table.crash(without_last=loses)

    def _the_sign_is_lost_and_comes_back(self, seconds: int) -> None:
        self._does("lost jackpot-display", f"wait {seconds}", "back jackpot-display")

    def _the_sign_promises_more(self, seconds: int) -> None:
        more = (self.pool.cents + 1) // 100 + 1
        self._does(f"sign-says {more}.00", f"wait {seconds}")
        assert bool(holds_of(self.table.state, HoldKind.JACKPOT_DOUBTED)) is (seconds > 5)
        self._does("sign-follows")
        self._end_the_doubt()

    def _it_comes_back_from_a_backup(self) -> None:
        self._does("restored")
        self._end_the_doubt()

    def _it_moves_to_another_computer(self) -> None:
        """Closes the table and moves its pool to another computer, which then plays on."""
        gone, pool = self.table, self.pool
        other = Recorded(self.given, gone.computer + 1)
        other.start()
        name = name_of(other.state.house.handover)
        self._does("close", *(f"{who}: export-jackpot computer={name}" for who in ("chief", "manager")))
        assert gone.refusal is None
        self.table = other
        export = gone.state.house.handover.export
        code = code_of(export)
        self._does(f"manager: take-over-jackpot export={export} code={code}", f"chief: take-over-jackpot code={code}")
        assert other.refusal is None
        assert not holds_of(other.state, HoldKind.JACKPOT_DOUBTED)
        assert (levels_of(self.pool), self.pool.meters) == (levels_of(pool), pool.meters)
        self._does("in-play")
        other.checkpoint()

    def _end_the_doubt(self) -> None:
        """Lets two people state the amount of the meters; no money moves."""
        pool = self.pool
        if not holds_of(self.table.state, HoldKind.JACKPOT_DOUBTED):
            return
        amount = f"{pool.cents // 100}.{pool.cents % 100:02}"
        for person in ("chief", "manager"):
            self._does(f"{person}: state-jackpot amount={amount}" + " reference=SRIJ-1" * (person == "manager"))
            assert self.table.refusal is None, (self.table.refusal, amount)
        assert not holds_of(self.table.state, HoldKind.JACKPOT_DOUBTED)
        assert self.pool is pool

    def _parameters_are_left_alone_while_it_is_open(self) -> None:
        pool = self.pool
        self._does("manager: approve-jackpot reference=G-3")
        assert self.table.refusal is not None
        assert self.pool is pool

    # --- invariants

    @invariant()
    def every_bet_and_every_hit_is_there_once(self) -> None:
        pool = self.pool
        assert is_sound(pool)
        assert (pool.meters.bets, pool.meters.hits) == (self.cloth.bets, self.cloth.hits)
        assert seats_that_win(self.table.state) == self.cloth.unpaid or set(self.cloth.unpaid) == {
            one.seat for one in pool.owed
        }
        assert bool(holds_of(self.table.state, HoldKind.JACKPOT_OWED)) is bool(self.cloth.unpaid)

    @invariant()
    def the_record_makes_the_pool(self) -> None:
        recount = Recount()
        for _event, _at_ms, moves in self.table.record:
            for move in moves:
                one = movement({"kind": move.kind.value, "body": msgspec.to_builtins(move)})
                assert one is not None
                recount.take(one)
        assert recount.wrong == []
        pool, levels = self.pool, recount.levels
        assert (levels["pool"], levels["reserve"], levels["overflow"]) == (pool.millionths, pool.reserve, pool.overflow)
        names = ("seeds", "contributions", "transfers", "paid", "hits")
        assert [recount.meters[name] for name in names] == [getattr(pool.meters, name) for name in names]
        assert levels["pool"] // CENT == pool.cents


TestEvenings = pytest.mark.slow(Evening.TestCase)
TestEvenings.settings = settings(max_examples=examples(8), stateful_step_count=50, phases=(Phase.generate,))
