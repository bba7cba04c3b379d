"""The decision on one event: every fact is recorded, and an act is allowed or refused.

The registry of a game has one row for each act and each fact. A refusal names the failed guard, its rule and the posts
that may ask. The state after a refusal is the very same object as before.
"""

from typing import Any, Final, Generic

from msgspec import Struct

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice, Refusal, Why
from controller.core.engine.replacing import replace
from controller.core.house.facts import TimerFired
from controller.core.house.lapses import with_lapsed
from controller.core.house.people import confirm_presence
from controller.core.house.registry import Deadline, FactRule, Registry
from controller.core.house.round_log import MOST_LOGGED, NO_LOG, OfTheLog, RoundLog, logged, text_of
from controller.core.house.rule import ActGuard, ActRule, AnyGuard, Case
from controller.core.house.second_person import asked_first, completed, waits_for_another, without_waits_for
from controller.core.house.state import State, StateT, round_moved, session_moved
from controller.core.house.undoing import Way
from controller.core.words import RoundPhase, SessionPhase, TableMs, Timer


class Decision(Struct, Generic[StateT], frozen=True, gc=False):
    """The state after an event, its notices, and the refusal if an act was not allowed."""

    state: StateT
    notices: tuple[Notice, ...] = ()
    refusal: Refusal | None = None


def decide_by(registry: Registry[StateT], state: StateT, event: Fact | Act, at_ms: TableMs) -> Decision[StateT]:
    """The decision on one event at table time `at_ms`: the new state, with the event in its log, or a refusal. The
    function is pure: equal states and events give equal decisions.
    """
    after = decided(registry, state, event, at_ms)
    if isinstance(after, Refusal):
        return Decision(state, refusal=after)
    log = _log_with(registry, state, after, event, at_ms)
    after = after if log is after.log else replace(after, log=log)
    if after.house.waiting and log.base != state.log.base:  # the log has begun anew, and its numbers with it
        after = without_waits_for(after, registry.of_an_entry)
    if state.house.waiting or state.house.lapsed:
        after = with_lapsed(registry, state, after, event, at_ms)
    return Decision(after, registry.follows.told(state, after))


def decided(
    registry: Registry[StateT], state: StateT, event: Fact | Act, at_ms: TableMs, *, is_agreed: bool = False
) -> StateT | Refusal:
    """The state after one event and all its consequences, or the refusal of the act. The event itself is not added to
    the round's log. `is_agreed`: the act needs two people and both have already asked, so the act does not wait.
    """
    if isinstance(event, Act):
        rule = registry.by_act[type(event)]
        refusal = refused_by(rule, state, event)
        if refusal is not None:
            return refusal
        known = confirm_presence(state, event.person, at_ms)
        after = done_by(rule, known, event, at_ms) if is_agreed else _asked_or_done(rule, known, event, at_ms)
    else:
        after = registry.by_fact[type(event)].effect(state, event, at_ms)
    return registry.follows.brought_about(state, after, at_ms)


def _log_with(registry: Registry[StateT], before: StateT, after: StateT, event: Fact | Act, at_ms: TableMs) -> RoundLog:
    """The round's log with `event` added. A log begins with a correctable act and ends when the next round begins."""
    rule = registry.by_act[type(event)] if isinstance(event, Act) else registry.by_fact[type(event)]
    is_entry, log = isinstance(rule, ActRule) and rule.undone.way is Way.ENTRY, after.log
    last = (after.house.last_hold, after.house.last_duty)
    if isinstance(event, OfTheLog):
        return logged(log, rule.name, event, at_ms, last, is_entry=False, is_back=True) if log.events else log
    is_over = log.is_over or _is_over(before, after)
    if is_over and after.house.session not in _IN_PLAY:
        return _ended(log)
    if log.is_over and _begins_another(after, rule):
        is_over, log = False, _ended(log)
    if not log.events or len(log.events) >= MOST_LOGGED:
        begun = replace(log, base="", events=())  # differences stay, and no entry number is used twice
        if not is_entry:
            return begun if log.events else log
        log = replace(begun, base=text_of(replace(before, log=NO_LOG)))
    is_half, event = _said(rule, before, event) if isinstance(event, Act) else (False, event)
    log = logged(log, rule.name, event, at_ms, last, is_entry=is_entry, is_back=is_half)
    return replace(log, is_over=is_over) if log.is_over is not is_over else log


_IN_PLAY: Final = (SessionPhase.IN_PLAY, SessionPhase.CLOSING)
"""The steps of a session at which the last round can still be corrected."""


def _ended(log: RoundLog) -> RoundLog:
    """The log after its round has ended: without entries, but with the unsettled differences."""
    return log if log is NO_LOG else replace(NO_LOG, differences=log.differences)


def _begins_another(after: State, rule: ActRule[StateT, Any] | FactRule[StateT, Any]) -> bool:
    """True if the next round begins: a bet is laid, or the round has left its first step."""
    is_bet = isinstance(rule, ActRule) and rule.begins_round
    return is_bet or after.game.phase is not RoundPhase.IDLE


def _said(rule: ActRule[StateT, Any] | FactRule[StateT, Any], state: StateT, act: Act) -> tuple[bool, Fact | Act]:
    """A pair: True if `act` is only the first of the two requests that it needs, and the act to be logged.

    At the second request the first person's act is logged.
    """
    if not isinstance(rule, ActRule):
        return False, act
    return waits_for_another(rule, state, act), completed(rule, state, act)[1]


def _is_over(before: State, after: State) -> bool:
    is_idle = after.game.phase is RoundPhase.IDLE and before.game.phase is not RoundPhase.IDLE
    return is_idle or (after.house.session is SessionPhase.CLOSED and before.house.session is not SessionPhase.CLOSED)


def refused(registry: Registry[StateT], state: StateT, act: Act) -> Refusal | None:
    """The refusal of `act`; None if the act is allowed. The person's post is tested first, then the guards in order."""
    return refused_by(registry.by_act[type(act)], state, act)


def refused_by(rule: ActRule[StateT, Any], state: StateT, act: Act) -> Refusal | None:
    """The refusal of `act` by the row `rule`, for the person's post or for a guard. None if the act is allowed."""
    state, act = completed(rule, state, act)
    if act.role not in rule.named_in(state.setup):
        named = _in_its_case(rule.posts_rule, rule.who_case, state, act)
        return Refusal("role_may", named, (("role", act.role.value),), rule.who_in(state.setup), Why.POST)
    return first_failed(state, act, rule)


def first_failed(state: StateT, act: Act | None, rule: ActRule[StateT, Any]) -> Refusal | None:
    """The refusal by the first guard in `rule` that fails. None if all guards are met.

    If `act` is None, the first guard that excludes every act fails.
    """
    guard = failed_guard(state, act, rule)
    if guard is None:
        return None
    says = guard.says(state, act) if isinstance(guard, ActGuard) else guard.says(state)
    case = guard.case if isinstance(guard, ActGuard) else None
    named, who = _in_its_case(guard.rule_in(state), case, state, act), rule.who_in(state.setup)
    if (behind := _reason_behind(guard, state, act)) is not None:
        return Refusal(guard.name, behind.rule, says, who, behind.why, behind)
    return Refusal(guard.name, named, says, who, guard.why)


def _reason_behind(guard: AnyGuard[StateT, Any], state: StateT, act: Act | None) -> Refusal | None:
    """The refusal of another act for which `guard` refuses `act`. None if the guard depends on no other act."""
    if act is None or not isinstance(guard, ActGuard) or guard.because is None:
        return None
    return guard.because(state, act)


def _in_its_case(rule: str, case: Case[StateT, Any] | None, state: StateT, act: Act | None) -> str:
    return rule if case is None or act is None or not case.is_met(state, act) else case.of(rule)


def failed_guard(state: StateT, act: Act | None, rule: ActRule[StateT, Any]) -> AnyGuard[StateT, Any] | None:
    """The first guard in `rule` that fails. None if all guards are met.

    If `act` is None, the first guard that excludes every act fails.
    """
    asked, answer = None, None
    for guard in rule.all_guards():
        if not isinstance(guard, ActGuard):
            holds = guard.holds(state)
        elif act is None:
            holds = guard.possible(state)
        elif guard.answered is None:
            holds = guard.holds(state, act)
        else:
            if guard.answered is not asked:
                asked, answer = guard.answered, guard.answered(state, act)
            holds = answer != guard.name
        if not holds:
            return guard
    return None


def _asked_or_done(rule: ActRule[StateT, Any], state: StateT, act: Act, at_ms: TableMs) -> StateT:
    if waits_for_another(rule, state, act):
        return asked_first(rule, state, act, at_ms)
    return done_by(rule, *completed(rule, state, act), at_ms)


def done_by(rule: ActRule[StateT, Any], state: StateT, act: Act, at_ms: TableMs) -> StateT:
    """The state after the act.

    The triggers of `rule` move session and round, and its effect changes the rest. If `rule.instead` gives a state,
    that state is the result, and nothing moves.
    """
    if rule.instead is not None and (held := rule.instead(state, act, at_ms)) is not None:
        return held
    if rule.session is not None:
        state = session_moved(state, rule.session)
    if rule.round is not None:
        state = round_moved(state, rule.round)
    return rule.effect(state, act, at_ms)


def next_of(deadlines: tuple[Deadline[StateT], ...], state: StateT) -> tuple[TableMs, Timer] | None:
    """The earliest deadline that is set, as its time and its timer. None if no deadline is set."""
    due = [(at, one.timer) for one in deadlines if (at := one.due(state)) is not None]
    return min(due, default=None)


def timer_rule(deadlines: tuple[Deadline[StateT], ...]) -> FactRule[StateT, TimerFired]:
    """The row of the fact `TimerFired`. The row's effect is the effect of the deadline with the fact's timer. The
    effect changes nothing if the deadline is gone or not reached yet.
    """
    by_timer = {deadline.timer: deadline for deadline in deadlines}

    def fired(state: StateT, event: TimerFired, at_ms: TableMs) -> StateT:
        deadline = by_timer[event.timer]
        due = deadline.due(state)
        return state if due is None or at_ms < due else deadline.passed(state, at_ms)

    return FactRule("timer-fired", TimerFired, fired)
