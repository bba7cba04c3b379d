"""Acts and facts in unexpected order, from any state of the written scenarios, in any profile.

tests/core/test_properties.py tries one table with its devices played; this tries all of them, whatever a device could
send next.
"""

from functools import cache

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from controller.config.profile import CARD_PROFILES
from controller.core.custody.desired import of_shuffler
from controller.core.custody.state import Book
from controller.core.custody.turning import TURNINGS
from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Permitted
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import ACT_RULES, NAMES, TABLE
from controller.core.house.deciding import decide_by, next_of
from controller.core.house.facts import TimerFired
from controller.core.house.hold_table import hold_rule
from controller.core.house.permitted import permitted
from controller.core.house.rule import ActRule
from controller.core.words import Person, TableMs, Timer
from tests.core.table import ROLES
from tests.core.test_properties import VALUES
from tests.night import examples
from tests.scenario.reached import states
from tests.scenario.test_every_state import facts_of

_MOST_TIMERS = 16


@cache
def _of_profile(profile: str) -> tuple[BlackjackState, ...]:
    return tuple(state for state in states() if state.setup.profile == profile)


class AnyProfile(RuleBasedStateMachine):
    """Begins anywhere; the invariants of the core hold after any event."""

    state: BlackjackState
    listed: tuple[Permitted, ...]  # the acts of this state
    read_off: tuple[int | None, ...]  # numbers of face-down cards that people have turned, and no reader had seen

    @initialize(data=st.data(), profile=st.sampled_from(sorted(CARD_PROFILES)))
    def begin(self, data: st.DataObject, profile: str) -> None:
        self.state = data.draw(st.sampled_from(_of_profile(profile)))
        self.now = TableMs(10_000_000)
        self.read_off = self._named()

    def _named(self) -> tuple[int | None, ...]:
        return tuple(dealt.face_down for dealt in self.state.game.dealt if dealt.card is not None)

    def _put(self, event: Fact | Act) -> None:
        before = self.state
        decision = decide_by(TABLE, before, event, self.now)
        self.state = decision.state
        if isinstance(event, TURNINGS):
            self.read_off = self._named()
        assert decision.refusal is None or (decision.state is before and isinstance(event, Act))

    @rule(data=st.data(), act_rule=st.sampled_from(ACT_RULES), here=st.booleans())
    def act(self, data: st.DataObject, act_rule: ActRule, here: bool) -> None:
        people = [one.person for one in self.state.house.present if one.role in act_rule.who] if here else []
        fitting = [person for person, role in ROLES.items() if role in act_rule.who]
        person = data.draw(st.sampled_from(people or fitting or [*ROLES]))
        values = {
            name: data.draw(VALUES[name]) for name in act_rule.act.__struct_fields__ if name not in {"person", "role"}
        }
        role = next((one.role for one in self.state.house.present if one.person == person), ROLES.get(person))
        if role is not None:
            self._put(act_rule.act(person=Person(person), role=role, **values))

    @rule(data=st.data())
    def allowed(self, data: st.DataObject) -> None:
        """Does an act that the table's own list allows now."""
        names = {one.act for one in self.listed if one.refusal is None}
        rows = [row for row in ACT_RULES if NAMES[row.act] in names]
        if rows:
            self.act(data, data.draw(st.sampled_from(rows)), here=True)

    @rule(data=st.data())
    def fact(self, data: st.DataObject) -> None:
        self._put(data.draw(st.sampled_from(list(facts_of(self.state)))))

    @rule(ms=st.integers(0, 200_000))
    def wait(self, ms: int) -> None:
        """Fires every due timer, which passes its deadline."""
        self.now = TableMs(self.now + ms)
        for _ in range(_MOST_TIMERS):
            due = next_of(TABLE.deadlines, self.state)
            if due is None or due[0] > self.now:
                return
            self._put(TimerFired(due[1]))
        raise AssertionError(f"a deadline that never passes: {next_of(TABLE.deadlines, self.state)}")

    @invariant()
    def no_place_holds_less_than_nothing(self) -> None:
        assert all(getattr(self.state.custody.book, name) >= 0 for name in Book.__struct_fields__)

    @invariant()
    def no_card_is_lost_in_silence(self) -> None:
        """The book has the deck set, counting named cards of no deck; or the table is held, or will be."""
        state, book = self.state, self.state.custody.book
        due = next_of(TABLE.deadlines, state)
        waits = due is not None and due[1] is Timer.COUNTS
        is_whole = book.total + book.foreign == state.setup.cards
        assert is_whole or state.house.holds or waits or state.house.irregular

    @invariant()
    def what_stands_forbids(self) -> None:
        wanted, state = of_shuffler(self.state), self.state
        forbidden = {one for hold in state.house.holds for one in hold_rule(hold.kind).forbids}
        assert wanted.release_after is None or "draw" not in {one.value for one in forbidden}

    @invariant()
    def a_card_that_lies_face_down_has_no_face(self) -> None:
        for dealt in self.state.game.dealt:
            is_turned = dealt.commitment is not None or dealt.disputed or dealt.face_down in self.read_off
            assert dealt.card is None or dealt.face_down is None or is_turned

    @invariant()
    def every_act_is_decided(self) -> None:
        self.listed = permitted(TABLE, self.state)
        assert len(self.listed) == len(ACT_RULES)


AnyProfile.TestCase.settings = settings(
    max_examples=examples(6), stateful_step_count=40, suppress_health_check=list(HealthCheck)
)
TestAnyProfile = pytest.mark.slow(AnyProfile.TestCase)
