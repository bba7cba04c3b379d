"""Turns the runtime's results into documents for the socket, in one language."""

from collections.abc import Iterable
from typing import assert_never

from msgspec import Struct

from controller.catalogue import Language, sentence
from controller.catalogue.problems import problem_text
from controller.catalogue.sentences import Variants
from controller.catalogue.words import refusal_words
from controller.config.notice_clauses import clause_behind
from controller.core.engine.decision import Permitted, Refusal
from controller.core.house.state import State
from controller.daemon.open_requests import Decided
from controller.journal.codec import canonical_digest
from controller.protocol.lines import (
    ActDocument,
    Allowed,
    ErrorDocument,
    NotAllowed,
    NotDecided,
    RefusalDocument,
    RequestId,
)
from controller.protocol.status import StepState, StepStatus
from controller.protocol.suggestion import Suggestion
from controller.runtime.agreed import with_second_posts
from controller.runtime.answers import Done, Failed, Refused, Trouble
from controller.runtime.game import AnyGame
from controller.runtime.gate import BadValues
from controller.screen.offers import offered_values
from controller.screen.status import state_sentence, who_goes_on
from controller.screen.steps import plan_of
from controller.screen.suggestions import Values, remedy_acts
from controller.screen.who_may import needs_pin


class Speaker(Struct, frozen=True):
    """Makes documents about a table in one language. `variants`: the kinds of this table that may have sentences of
    their own.
    """

    game: AnyGame
    language: Language
    variants: Variants = ()

    def answer(self, request_id: RequestId, answer: Done | Refused | Failed | BadValues, given: Values) -> Decided:
        """Returns the document that answers a request for an act. `given`: the values in the request."""
        match answer:
            case Done():
                text = state_sentence(self.game, answer.state, self.language)
                after = self._next(answer.state, given)
                return Allowed(request_id, answer.seq, canonical_digest(answer.state), text, next=after)
            case Refused():
                return NotAllowed(
                    request_id,
                    self._refusal(answer.state, answer.refusal, answer.act, given),
                    canonical_digest(answer.state),
                )
            case Failed():
                return self.error(request_id, answer.trouble.value, wait_ms=answer.wait_ms)
            case BadValues():
                text = " ".join(problem_text(problem, self.language, is_typed=False) for problem in answer.problems)
                return NotDecided(request_id, ErrorDocument("bad-value", text))
            case _:
                assert_never(answer)

    def error(self, request_id: RequestId, code: str, *, wait_ms: int | None = None) -> NotDecided:
        """Returns an error with the catalogue's sentence `trouble.<code>`.

        `wait_ms`: the milliseconds after which another try makes sense; None if it is not known.
        """
        text = sentence(f"trouble.{code}", (), self.language)
        return NotDecided(request_id, ErrorDocument(code, text, wait_ms))

    def changed(self, request_id: RequestId, state: State) -> NotDecided:
        """Returns the error for an act requested from an outdated view of the table. Its sentence has the table's
        present state.
        """
        text = sentence("trouble.changed", {"state": state_sentence(self.game, state, self.language)}, self.language)
        return NotDecided(request_id, ErrorDocument("changed", text))

    def _next(self, state: State, given: Values) -> StepStatus | None:
        """Returns the next step of the hold that the act named, or of the first open hold if the act named none.

        Returns None without a hold, or if no step of the hold is next.
        """
        named = given.get("hold", "").upper().removeprefix("H")
        hold = next((one for one in state.house.holds if str(one.id) == named), None) or next(
            iter(state.house.holds), None
        )
        if hold is None:
            return None
        steps, who = self.game.screen().steps, who_goes_on(state.setup, hold)
        plan = plan_of(self.game.registry, steps, state, hold, who, self.language, self.variants)
        return next((step for step in reversed(plan) if step.state is StepState.NEXT), None)

    def acts(self, state: State, permitted: Iterable[Permitted], trouble: Trouble | None) -> list[ActDocument]:
        """Returns the document of each act in `state`. With a `trouble` no act is allowed, and the trouble is the
        reason.
        """
        return [self._act(state, one, trouble) for one in permitted]

    def _act(self, state: State, one: Permitted, trouble: Trouble | None) -> ActDocument:
        rule_name = clause = why = reason = remedy = None
        ways: list[Suggestion] = []
        if trouble is not None:
            reason = sentence(f"trouble.{trouble.value}", (), self.language)
        elif one.refusal is not None:
            refusal = self._refusal(state, one.refusal, one.act, {})
            rule_name, clause, why = refusal.rule, refusal.clause, refusal.why
            reason, remedy, ways = refusal.reason, refusal.remedy, refusal.remedy_acts
        rule = self.game.registry.act_named[one.act]
        offered = offered_values(self.game.screen().offers, state, rule, self.language, allowed=reason is None)
        return ActDocument(
            act=one.act,
            label=sentence(f"act.{one.act}.label", (), self.language),
            what=sentence(f"act.{one.act}.what", (), self.language),
            who=[role.value for role in one.who],
            allowed=reason is None,
            needs_pin=needs_pin(state, rule),
            hold_ms=rule.hold_ms,
            rule=rule_name,
            clause=clause,
            why=why,
            reason=reason,
            remedy=remedy,
            values=offered.values,
            combinations=offered.combinations,
            remedy_acts=ways,
        )

    def _refusal(self, state: State, refusal: Refusal, act: str, given: Values) -> RefusalDocument:
        refusal = with_second_posts(refusal, state, act)
        words = refusal_words(refusal, self.language, self.variants)
        who = [role.value for role in refusal.who]
        ways = remedy_acts(self.game.registry, state, refusal, act, given)
        clause = clause_behind(state.setup.profile, refusal.rule)
        why = None if clause else sentence(f"why.{refusal.why.value}", (), self.language)
        return RefusalDocument(refusal.guard, refusal.rule, clause, why, words.reason, words.remedy, who, ways)
