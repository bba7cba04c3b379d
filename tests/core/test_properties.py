"""The invariants of the core hold after any events in any order."""

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.core.custody.desired import of_shoe, of_shuffler
from controller.core.custody.state import DECK, FOREIGN, Book
from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACT_RULES, TABLE
from controller.core.house.deciding import Decision, next_of
from controller.core.house.facts import ControllerStarted, DeviceLost, JournalFailed, JournalRestored, TimerFired
from controller.core.house.hold_table import hold_rule
from controller.core.house.permitted import permitted
from controller.core.house.pool_export import code_of
from controller.core.house.rule import ActRule
from controller.core.house.wanted import Wished, desired_by, safest_by
from controller.core.jackpot_rules import Marking
from controller.core.words import (
    Cause,
    Cents,
    Device,
    DutyId,
    HoldId,
    JamPlace,
    Operation,
    OutageOutcome,
    Outcome,
    Permission,
    Place,
    Purpose,
)
from tests.core.table import DEALER, ROLES, SETUP, CoreTable
from tests.night import examples
from tests.pool_lines import EXPORT, OWN, SOURCE, receipt_line

SMALL = replace(SETUP, decks=1, parameters=replace(SETUP.parameters, reserve_cards_per_hand=2))

VALUES = {
    "operation": st.sampled_from(Operation),
    "deck_set": st.integers(0, 3),
    "seats": st.lists(st.integers(0, 8), max_size=4).map(tuple),
    "seat": st.integers(0, 8),
    "round": st.none() | st.integers(0, 3),
    "position": st.integers(0, 3),
    "card": st.sampled_from((*DECK[:6], FOREIGN)),
    "replacement": st.sampled_from(DECK[:6]),
    "salt": st.none(),
    "hold": st.integers(1, 12).map(HoldId),
    "duty": st.integers(1, 4).map(DutyId),
    "source": st.sampled_from(Place),
    "target": st.sampled_from(Place),
    "count": st.integers(-1, 3),
    "rack": st.integers(0, 60),
    "table": st.integers(0, 3),
    "pending": st.integers(0, 3),
    "in_hand": st.integers(0, 3),
    "inside": st.integers(0, 60),
    "burnt": st.integers(0, 3),
    "outside": st.integers(0, 60),
    "seal_differs": st.booleans(),
    "amount": st.sampled_from((Cents(0), Cents(1_000), Cents(1_050), Cents(30_000))),
    "bettor": st.none() | st.integers(0, 9),
    "consent": st.none() | st.booleans(),
    "accepted": st.none() | st.booleans(),
    "bet": st.sampled_from(SideBet),
    "hand": st.none() | st.integers(0, 3),
    "others": st.none() | st.just((2, 3)),
    "reference": st.sampled_from(("", "SRIJ 1")),
    "incident": st.integers(1, 9),
    "kept_at": st.sampled_from(("", "vault 3")),
    "computer": st.sampled_from(("", "00000000000000aa")),
    "export": st.sampled_from((None, "JP1", EXPORT, OWN)),
    "code": st.just(code_of(EXPORT)),
    "receipt": st.sampled_from(("", receipt_line(SOURCE, OWN))),
    "verified": st.booleans(),
    "journal_at": st.just("1.7.00112233445566ff"),
    "signature": st.just("00"),
    "words": st.sampled_from(("", "The third card was mine.")),
    "upheld": st.booleans(),
    "became": st.sampled_from(OutageOutcome),
    "seen": st.booleans(),
    "cause": st.sampled_from(Cause),
    "outcome": st.sampled_from(Outcome),
    "marking": st.sampled_from(Marking),
    "deck": st.integers(0, 7),
    "passes": st.integers(0, 4),
    "behind": st.none() | st.integers(0, 60),
    "counted": st.just((52,)),
    "cards": st.lists(st.sampled_from((*DECK[:6], FOREIGN)), max_size=3).map(tuple),
    "counts": st.sampled_from(((1,) * 52, (1,) * 51, (0, 2) + (1,) * 50)),
    "foreign": st.integers(0, 1),
    "back": st.none() | st.integers(0, 3),
    "entry": st.integers(0, 12),
    "hour": st.integers(-1, 24),
    "minute": st.integers(0, 60),
    "second": st.integers(0, 60),
    "also": st.sampled_from((None, (2,), (3, 4))),
    "before": st.integers(0, 12),
    "adds": st.sampled_from(("insure", "place-bet", "place-side-bet", "stand", "make-ruling")),
    "instead": st.sampled_from((None, "stand", "draw-card", "double-down", "place-bet", "make-ruling")),
}


class FullyTold(CoreTable):
    """Compares the notices of each event with those of every row, also of rows whose parts have not changed."""

    def put(self, event: Fact | Act) -> Decision:
        before = self.state
        decision = super().put(event)
        if decision.refusal is None:
            assert decision.notices == told_by_every_row(before, decision.state)
        return decision


def told_by_every_row(before: BlackjackState, after: BlackjackState) -> tuple[Notice, ...]:
    standing = [row for row in TABLE.tells if row.needs(before.setup)]
    asked = [row for row in standing if not row.in_round or after.game.phase in row.in_round]
    return tuple(notice for row in asked for notice in row.asked(before, after))


class AnyOrder(RuleBasedStateMachine):
    """Acts and facts in orders that never occur at a table, and in usual ones."""

    def __init__(self) -> None:
        super().__init__()
        self.table = FullyTold(SMALL)
        self.wished: tuple[Wished, ...] = ()  # at the state before

    @initialize(opened=st.booleans())
    def begin(self, opened: bool) -> None:
        if opened:
            self.table.open()

    @rule(data=st.data(), act_rule=st.sampled_from(ACT_RULES), right=st.booleans())
    def act(self, data: st.DataObject, act_rule: ActRule, right: bool) -> None:
        person = data.draw(st.sampled_from([p for p, role in ROLES.items() if not right or role in act_rule.who]))
        values = {
            name: data.draw(VALUES[name]) for name in act_rule.act.__struct_fields__ if name not in {"person", "role"}
        }
        before = self.table.state
        decision = self.table.put(act_rule.act(person=person, role=ROLES[person], **values))
        assert decision.refusal is None or decision.state is before

    @rule(seats=st.lists(st.integers(1, 7), min_size=1, max_size=3, unique=True).map(tuple))
    def take_bets(self, seats: tuple[int, ...]) -> None:
        self.table.put(TakeBets(DEALER, ROLES[DEALER], seats))
        self.table.put(AnnounceNoMoreBets(DEALER, ROLES[DEALER]))

    @rule()
    def card_out(self) -> None:
        if self.table.status.inside:
            self.table.count_out()

    @rule()
    def owed_card(self) -> None:
        if self.table.status.inside and of_shuffler(self.table.state).release_after == self.table.status.cards_out:
            self.table.count_out()
            self.table.read()

    @rule(readable=st.booleans())
    def read(self, readable: bool) -> None:
        self.table.read(readable=readable)

    @rule()
    def card_in(self) -> None:
        self.table.card_in()

    @rule(place=st.sampled_from(JamPlace), cards=st.integers(0, 2))
    def jam(self, place: JamPlace, cards: int) -> None:
        self.table.jam(place, cards)

    @rule()
    def clear_path(self) -> None:
        self.table.clear_path()

    @rule(is_open=st.booleans())
    def lid(self, is_open: bool) -> None:
        self.table.lid(is_open=is_open)

    @rule(device=st.sampled_from(Device))
    def lose(self, device: Device) -> None:
        self.table.put(DeviceLost(device, "unplugged"))

    @rule(boot=st.integers(1, 2))
    def connect(self, boot: int) -> None:
        self.table.connect(boot=boot)

    @rule()
    def restart(self) -> None:
        self.table.put(ControllerStarted(2, SMALL, "c", "r", "0", ()))

    @rule(failed=st.booleans())
    def journal(self, failed: bool) -> None:
        self.table.put(JournalFailed("disk full") if failed else JournalRestored())

    @rule(ms=st.integers(0, 4000))
    def wait(self, ms: int) -> None:
        """Lets time pass: each timer that becomes due fires, and its deadline is over."""
        self.table.wait(ms)
        for _ in range(8):
            due = next_of(TABLE.deadlines, self.table.state)
            if due is None or due[0] > self.table.now:
                return
            self.table.put(TimerFired(due[1]))
        raise AssertionError(f"a deadline that never passes: {due}")

    @invariant()
    def places_hold_no_less_than_nothing(self) -> None:
        book = self.table.state.custody.book
        assert all(getattr(book, name) >= 0 for name in Book.__struct_fields__)

    @invariant()
    def a_hold_forbids(self) -> None:
        state = self.table.state
        wanted = of_shuffler(state)
        forbidden = {p for hold in state.house.holds for p in hold_rule(hold.kind).forbids}
        assert wanted.release_after in {None, state.devices.shuffler.counted_out}
        assert Permission.DRAW not in forbidden or wanted.release_after is None
        assert Permission.FEED not in forbidden or not wanted.feed_open
        assert Permission.UNLOAD not in forbidden or not wanted.unload
        assert wanted.lamp == any(hold_rule(hold.kind).lights_lamp for hold in state.house.holds)

    @invariant()
    def a_hole_card_has_no_face_before_it_is_turned(self) -> None:
        for dealt in self.table.state.game.dealt:
            if dealt.purpose is Purpose.HOLE and dealt.card is not None:
                assert isinstance(dealt.face_down, int)

    @invariant()
    def safest_of_a_state_with_itself_is_the_state(self) -> None:
        wanted, again = (desired_by(TABLE.devices, self.table.state) for _ in range(2))
        assert safest_by(TABLE.devices, wanted, again) == wanted

    @invariant()
    def the_reader_at_the_mouth_is_open_where_cards_may_come_by_themselves(self) -> None:
        wanted = desired_by(TABLE.devices, self.table.state)
        assert wanted.devices[Device.SHOE] == of_shoe(self.table.state)

    @invariant()
    def a_wish_stays_only_where_it_would_be_the_same(self) -> None:
        state = self.table.state
        wishes = desired_by(TABLE.devices, state, *self.wished)
        assert wishes == desired_by(TABLE.devices, state)
        self.wished = (Wished(state, wishes),)

    @invariant()
    def every_act_is_decided(self) -> None:
        assert len(permitted(TABLE, self.table.state)) == len(ACT_RULES)


AnyOrder.TestCase.settings = settings(
    max_examples=examples(35), stateful_step_count=50, suppress_health_check=list(HealthCheck)
)
TestAnyOrder = AnyOrder.TestCase
