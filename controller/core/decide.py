"""The core's one door: an event with its time in, a decision out.

A fact is always taken. An act is allowed, or refused with the guard that failed, its clause and who may; a refusal
leaves the state as it was, the very same value.
"""

from typing import assert_never

from msgspec import Struct

from controller.core import acts as a
from controller.core import events as e
from controller.core.cards.faces import watch_faces
from controller.core.choices import PutBack
from controller.core.deadlines import timer_fired, watch_counts
from controller.core.decision import Notice, Refusal
from controller.core.effects.apply_acts import (
    apply_deck_check,
    apply_hold_act,
    apply_round_act,
    apply_signing,
    apply_statement,
    people_left,
    putting_back_is_short,
)
from controller.core.effects.corrections import (
    attribution_stands,
    correct,
    deal_set_aside,
    give_set_aside,
    lapse_set_aside,
    leftovers_hold_the_round,
    ruling_on_leftovers,
)
from controller.core.effects.damage import decks_go_at_closing
from controller.core.effects.opening_closing import (
    apply_session_act,
    confirm_deck_check,
    confirm_irregular_closing,
    lapse_proposal,
)
from controller.core.effects.outage import after_sealing, apply_outage, interrupted, played_on, watch_outage
from controller.core.effects.people import confirm_presence
from controller.core.effects.shoe_game import apply_shoe_act, warning_card_out
from controller.core.effects.turning import face_disputed, face_is_committed, turned
from controller.core.facts.cards_moving import card_dealt_by_hand, follow_counts
from controller.core.facts.devices import connected, heard, lost, missed, taken
from controller.core.facts.reader import card_read, reader_heard
from controller.core.facts.shuffler import ShufflerFact, beyond_counts
from controller.core.facts.unkept import (
    after_blind_time,
    card_reversed,
    cards_may_have_passed,
    preset_changed,
    reader_restarted,
)
from controller.core.guards.guard import Guard
from controller.core.holds import raise_hold
from controller.core.jurisdictions import clause_in
from controller.core.notices import notices_between
from controller.core.replacing import replace
from controller.core.round_table import ROUND
from controller.core.rules import ActRule, rule_for
from controller.core.session_table import SESSION
from controller.core.state import State
from controller.core.words import Device, HoldKind, Operation, SessionPhase, TableMs


class Decision(Struct, frozen=True, gc=False):
    """The state after an event, what people should hear, and the refusal where an act was not allowed."""

    state: State
    notices: tuple[Notice, ...] = ()
    refusal: Refusal | None = None


def decide(state: State, event: e.Fact | a.Act, at_ms: TableMs) -> Decision:
    """Decides one event at table time `at_ms`. Pure: the same events give the same states."""
    if isinstance(event, a.ByPerson):
        refusal = refused(state, event)
        if refusal is not None:
            return Decision(state, refusal=refusal)
        after = _act(confirm_presence(state, event.person, at_ms), event, at_ms)
    else:
        after = _fact(state, event, at_ms)
    after = watch_faces(state, after, at_ms)
    after = watch_outage(state, lapse_set_aside(lapse_proposal(watch_counts(after, at_ms))), at_ms)
    return Decision(after, notices_between(state, after))


def refused(state: State, act: a.Act) -> Refusal | None:
    """The first reason why this act is not allowed; None where it is."""
    rule = rule_for(act)
    if act.role not in rule.named_in(state.setup):
        clause, values = clause_in(rule.clause, state.setup.profile), (("role", act.role.value),)
        return Refusal("role_may", clause, values, rule.who_in(state.setup))
    return first_failed(state, act, rule)


def first_failed(state: State, act: a.Act | None, rule: ActRule) -> Refusal | None:
    """What the first guard of the row that does not hold says."""
    guard = failed_guard(state, act, rule)
    if guard is None:
        return None
    return Refusal(guard.name, guard.cited(state), guard.says(state, act), rule.who_in(state.setup))


def failed_guard(state: State, act: a.Act | None, rule: ActRule) -> Guard | None:
    """The first guard of the row that does not hold; guards about the act's values are passed over without an act."""
    for guard in rule.all_guards():
        if (act is not None or not guard.needs_act) and not guard.holds(state, act):
            return guard
    return None


def _fact(state: State, event: e.Fact, at_ms: TableMs) -> State:  # noqa: C901 - one case a kind of fact
    match event:
        case e.CardCountedOut() | e.CardCountedIn() | e.CardRetried():  # what comes with every card stands first
            return _of_the_shuffler(state, event, at_ms)
        case e.CardRead():
            return card_read(state, event, at_ms)
        case e.ControllerStarted():
            return _started(state, event, at_ms)
        case e.ControllerStopped():
            return state
        case e.TimerFired():
            return timer_fired(state, event.timer, at_ms)
        case e.JournalFailed():
            failed = replace(state, journal_failed=True)
            return raise_hold(failed, HoldKind.JOURNAL_FAULT, at_ms, details=(("reason", event.reason),))
        case e.JournalRestored():
            return replace(state, journal_failed=False)
        case e.DeviceConnected():
            return connected(state, event, at_ms)
        case e.DeviceLost():
            return lost(state, event, at_ms)
        case e.DeviceRefused():
            return lost(state, e.DeviceLost(event.device, f"{event.what} {event.expected}/{event.found}"), at_ms)
        case e.EventsMissed():
            return missed(state, event, at_ms)
        case e.CardsMayHavePassed():
            return cards_may_have_passed(state, event, at_ms)
        case e.ShufflerStatusHeard():
            return heard(state, event.status, at_ms)
        case e.ReaderStatusHeard():
            return reader_heard(state, event.passages)
        case e.ReaderRestarted():
            return reader_restarted(taken(state, Device.SHOE, event.source), at_ms)
        case e.CardReversed():
            return card_reversed(taken(state, Device.SHOE, event.source), at_ms)
        case e.PresetChanged():
            return preset_changed(taken(state, Device.SHOE, event.source), at_ms)
        case e.ReaderNoted(what="cut-card") if not state.setup.has_shuffler:
            return warning_card_out(taken(state, Device.SHOE, event.source), at_ms)
        case e.ReaderErrorRaised() | e.ReaderErrorCleared() | e.ReaderNoted():
            return taken(state, Device.SHOE, event.source)
        case e.DeviceStarted():
            return taken(state, event.device, event.source)
        case e.PersonRemoved():
            return people_left(state, tuple(p for p in state.present if p.person == event.person), at_ms)
        case e.DisplayFaulted():
            return taken(state, Device.JACKPOT_DISPLAY, event.source)
        case _:
            return _of_the_shuffler(state, event, at_ms)


def _of_the_shuffler(state: State, event: ShufflerFact, at_ms: TableMs) -> State:
    return beyond_counts(follow_counts(state, event.source, event.status, at_ms), event, at_ms)


def _started(state: State, event: e.ControllerStarted, at_ms: TableMs) -> State:
    """A start, or a restart: nothing is connected yet, nobody but the dealer is known to be here, holds stand."""
    gone = tuple(p for p in state.present if p.operation is not Operation.TABLE)
    state = interrupted(people_left(state, gone, at_ms), at_ms)
    due = None if state.session is SessionPhase.CLOSED else TableMs(at_ms + state.setup.parameters.devices_due_ms)
    state = replace(
        state,
        start_number=event.start_number,
        setup=event.setup,
        devices_due_ms=due,
        shuffler=replace(state.shuffler, link=replace(state.shuffler.link, connected=False)),
        reader=replace(state.reader, link=replace(state.reader.link, connected=False)),
        display=replace(state.display, link=replace(state.display.link, connected=False)),
    )
    state = after_blind_time(after_sealing(state, event.findings, at_ms), at_ms)
    return _fresh_book(state) if state.session is SessionPhase.CLOSED else state


def _fresh_book(state: State) -> State:
    elsewhere = state.book.total - state.book.outside
    return replace(state, book=replace(state.book, outside=max(0, state.setup.cards - elsewhere)))


def _act(state: State, act: a.Act, at_ms: TableMs) -> State:  # noqa: C901 - one case a family of acts
    match act:
        case a.SignIn() | a.SignOut():
            return apply_signing(state, act, at_ms)
        case a.AttendHold() | a.CallTechnician() | a.AttestRepair() | a.ClearHold() | a.ConfirmHold():
            return apply_hold_act(state, act, at_ms)
        case a.EndPuttingBack() if state.put_back != state.put_back_due:
            return putting_back_is_short(state, at_ms)
        case (
            a.ReportMisdealt()
            | a.MoveCard()
            | a.ReportHoleExposed()
            | a.ReportExtraCard()
            | a.ReportFaceUpCard()
            | a.RetractCard()
            | a.RenameCard()
            | a.CallForCount()
            | a.CallForRuling()
            | a.MakeRuling()
        ):
            return correct(state, act, at_ms)
        case a.DrawCard() if state.set_aside is not None:
            return give_set_aside(state, act.seat, at_ms)
        case a.ConfirmCardDealt():
            return card_dealt_by_hand(state, at_ms)
        case a.ReportWarningCard():
            return warning_card_out(state, at_ms)
        case a.CollectCards() if state.setup.procedure.put_back is PutBack.NONE:
            collected = _step(apply_round_act(attribution_stands(state, act), act), act)
            left = a.LeaveInRack(act.person, act.role)  # nothing is put back: the round is over
            return _step(apply_round_act(collected, left), left)
        case a.TurnHoleCard() | a.TurnCard() if not face_is_committed(state, act):
            return face_disputed(state, act, at_ms)
        case a.TurnHoleCard() | a.TurnCard():
            return played_on(turned(attribution_stands(state, act), act, at_ms))
        case a.LeaveInRack() if leftovers_hold_the_round(state):
            return _step(apply_round_act(ruling_on_leftovers(state, at_ms), act), act)
        case a.AnnounceNoMoreBets():
            return deal_set_aside(played_on(_step(apply_round_act(attribution_stands(state, act), act), act)), at_ms)
        case (
            a.TakeBets()
            | a.CancelBets()
            | a.DrawCard()
            | a.ConfirmSettled()
            | a.CollectHand()
            | a.CollectCards()
            | a.BeginPuttingBack()
            | a.EndPuttingBack()
            | a.LeaveInRack()
        ):
            return played_on(_step(apply_round_act(attribution_stands(state, act), act), act))
        case (
            a.StateCardsMoved()
            | a.StateCount()
            | a.StateWholeCount()
            | a.NameCard()
            | a.ReportDamagedCard()
            | a.ReplaceCard()
            | a.ReplaceDeck()
            | a.RecordAuthorisation()
            | a.RecordComplaint()
            | a.DecideComplaint()
            | a.ReportDuty()
        ):
            return apply_statement(state, act, at_ms)
        case a.StateOutage() | a.ConfirmOutage():
            return apply_outage(state, act)
        case a.EnterCards() | a.EnterGrid():
            return apply_deck_check(state, act, at_ms)
        case a.ConfirmDeckCheck():
            return confirm_deck_check(state, at_ms)
        case a.ConfirmIrregularClosing():
            return confirm_irregular_closing(state, at_ms)
        case (
            a.ConfirmCount()
            | a.ShuffleDeck()
            | a.ConfirmMixing()
            | a.StatePlayers()
            | a.RefuseCut()
            | a.ConfirmCut()
            | a.PlaceWarningCard()
            | a.FillShoe()
            | a.AnnounceLastRound()
            | a.GatherCards()
            | a.SpreadCards()
        ):
            return _step(apply_shoe_act(state, act), act)
        case (
            a.OpenSession()
            | a.NumberDeckSet()
            | a.ConfirmDisplay()
            | a.BeginLoading()
            | a.OpenPacket()
            | a.ClosePacket()
            | a.CompleteLoading()
            | a.TakeOutLoading()
            | a.ConfirmTakenOut()
            | a.AbandonOpening()
            | a.IndicateClosing()
            | a.BeginUnloading()
            | a.ProposeIrregularClosing()
        ):
            return _step(apply_session_act(state, act), act)
        case a.CompleteUnloading():
            return decks_go_at_closing(_step(apply_session_act(state, act), act), at_ms)
        case _:
            assert_never(act)


def _step(state: State, act: a.Act) -> State:
    """Moves session and round by the triggers of the act's row."""
    rule = rule_for(act)
    session = SESSION.target(state.session, rule.session) if rule.session else state.session
    round_ = ROUND.target(state.round, rule.round) if rule.round else state.round
    return replace(state, session=session or state.session, round=round_ or state.round)
