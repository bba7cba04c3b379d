"""Makes the status document in one language: the table's state, its holds, and the acts possible next with their roles.

The acts possible next come from the durable state alone. All other parts come from the latest state, so that people see
them at once; a part that is not on the disk yet is marked. The status has no card's face except one that a hold or duty
names (damaged, or in doubt), and no count by rank except in a deck check.
"""

from typing import Final

from controller.catalogue import Language, sentence
from controller.catalogue.sentences import fitting
from controller.catalogue.words import duty_text, hold_words, variants_of
from controller.config.notice_clauses import clause_behind
from controller.core.choices import ComplaintWindow
from controller.core.engine.replacing import replace
from controller.core.house.correct_entry import difference_told
from controller.core.house.hold_table import forbids, hold_rule
from controller.core.house.holds import rule_of
from controller.core.house.people import roles_in
from controller.core.house.round_log import Difference
from controller.core.house.state import Duty, Hold, Presence, State, Tally
from controller.core.house.waiting import Lapsed, Waiting
from controller.core.setup import Setup
from controller.core.words import HoldKind, HoldPhase, Operation, Role, SessionPhase
from controller.journal.noted_code import code_of
from controller.protocol.jackpot import LinkedStatus
from controller.protocol.status import (
    DifferenceStatus,
    DutyStatus,
    EvidenceStatus,
    HoldStatus,
    JournalStatus,
    LapsedStatus,
    NoticeStatus,
    PresentStatus,
    Status,
    StepState,
    WaitingStatus,
)
from controller.runtime.act_values import values_as_typed
from controller.runtime.game import AnyGame
from controller.runtime.health import SLOW_AFTER_S
from controller.runtime.kernel import Runtime
from controller.screen.device_status import device_status, power_status
from controller.screen.log_entries import correction_told, is_of_this_log, values_told
from controller.screen.scene import scene_of
from controller.screen.steps import plan_of
from controller.screen.surroundings import Surroundings
from controller.screen.table_view import TableView

AGE_STEP_S: Final = 5


class StatusMaker:
    """Makes the status of one running table in one language. `view`: makes the part without words, which is the same in
    all languages.
    """

    def __init__(
        self,
        runtime: Runtime,
        language: Language,
        surroundings: Surroundings | None = None,
        view: TableView | None = None,
    ) -> None:
        self._runtime = runtime
        self._view = TableView(runtime) if view is None else view
        self._language = language
        self._around = Surroundings() if surroundings is None else surroundings
        self._last_seats: list[int] = []

    def status(self, now_s: float, notices: list[NoticeStatus]) -> Status:
        ledger, screen, game = self._runtime.ledger, self._view.screen, self._view.part()
        state, setup = ledger.latest, ledger.latest.setup
        return Status(
            table=setup.table,
            simulated=setup.simulated,
            language=self._language.value,
            profile=setup.profile,
            machine=setup.procedure.machine.value,
            state=state_sentence(self._runtime.game, state, self._language),
            session=state.house.session.value,
            session_number=state.house.session_number,
            round=state.game.phase.value,
            round_number=state.game.number,
            seats=list(game.seats),
            collected=game.collected,
            owed=screen.owed(ledger.durable),
            face_down=game.face_down,
            holds=[
                hold_status(self._runtime.game, state, self._runtime.ledger.durable, hold, self._language)
                for hold in state.house.holds
            ],
            counts=game.counts,
            loading=game.loading,
            putting_back=game.putting_back,
            shoe=game.shoe,
            grids_entered=game.grids_entered,
            grid_cards=game.grid_cards,
            present=[_present(presence, setup) for presence in state.house.present],
            next=self._view.next(),
            waiting=waiting_status(self._runtime.game, ledger.durable, self._language),
            lapsed=lapsed_status(self._runtime.game, ledger.durable, self._language),
            differences=differences_status(state, self._language),
            duties=[_duty(duty, self._language) for duty in state.house.duties],
            notices=notices,
            tally=_tally(state),
            journal=self._journal(now_s),
            devices={
                device.value: device_status(supervisor, now_s, self._language)
                for device, supervisor in self._runtime.devices.supervisors.items()
            }
            | self._around.devices(self._language),
            presented=self._around.presented_now(now_s),
            power=power_status(self._around.undervoltage, self._language),
            software=self._around.software,
            hands=game.hands,
            money=game.money,
            jackpot=game.jackpot,
            jackpot_export=game.jackpot_export,
            linked=self._aged(game.linked, now_s),
            wheel=game.wheel,
            figures=game.figures,
            last_seats=self._seats_now(game.seats),
            recording_days=setup.parameters.days_of_recordings,
            scene=scene_of(state, screen.owed(state)),
            state_digest=self._view.digest(),
        )

    def _aged(self, linked: LinkedStatus | None, now_s: float) -> LinkedStatus | None:
        """Returns the status of the linked pool with the age of the floor's report. The age is rounded down to
        AGE_STEP_S, so that it changes seldom.
        """
        if linked is None:
            return None
        age_s = max(0, self._runtime.table_ms(now_s) - linked.since) // 1000
        return replace(linked, age_s=age_s - age_s % AGE_STEP_S)

    def _seats_now(self, seats: tuple[int, ...]) -> list[int]:
        self._last_seats = list(seats) or self._last_seats
        return self._last_seats

    def _journal(self, now_s: float) -> JournalStatus:
        ledger, health = self._runtime.ledger, self._runtime.health
        since_s = ledger.waiting_since_s
        lag_s = 0.0 if since_s is None else max(0.0, now_s - since_s)
        return JournalStatus(
            seq=ledger.durable_seq,
            head=self._runtime.head.hex(),
            code=self._code(),
            lag_ms=round(lag_s * 1000),
            slow=lag_s >= SLOW_AFTER_S,
            waiting=ledger.waiting,
            condition=health.condition.value,
            reason=health.reason,
            second_copy=self._around.second_copy_now(now_s),
        )

    def _code(self) -> str:
        """Returns the code of the last durable entry, for the inspectors' book; "" before the first entry."""
        head, ledger = self._runtime.head, self._runtime.ledger
        return code_of(ledger.latest.house.session_number, ledger.durable_seq, head) if head else ""


def hold_status(game: AnyGame, latest: State, durable: State, hold: Hold, language: Language) -> HoldStatus:
    """Returns the part of the status about one open hold of the state `latest`, with its steps and conditions.
    `recorded` in the result is True if the state `durable` has the hold, too.
    """
    setup, rule = latest.setup, hold_rule(hold.kind)
    variants, who = variants_of(setup.procedure), who_goes_on(setup, hold)
    words = hold_words(hold, language, variants)
    plan = plan_of(game.registry, game.screen().steps, latest, hold, who, language, variants)
    return HoldStatus(
        id=f"H{hold.id}",
        kind=hold.kind.value,
        phase=hold.phase.value,
        device=hold.device.value if hold.device else None,
        place=words.place,
        text=words.text,
        steps=[step.text for step in plan],
        step=next((number for number, step in enumerate(plan, 1) if step.state is StepState.NEXT), 0),
        plan=plan,
        who=[role.value for role in who],
        since=hold.raised_ms,
        place_code=hold.place.value if hold.place else "",
        attended_by=hold.attended_by,
        times=hold.times,
        recorded=hold in durable.house.holds,
        priority=rule.priority,
        clause=clause_behind(setup.profile, rule_of(hold)),
        forbids=[one.value for one in rule.forbids if forbids(hold.kind, hold.device, one)],
        evidence=evidence(game, latest, hold),
        technician_called=hold.technician_called,
        cause=hold.cause,
        about=dict(hold.details),
    )


def evidence(game: AnyGame, state: State, hold: Hold) -> list[EvidenceStatus]:
    """Returns the conditions for clearing the hold and for ending it, each with True if the condition is met now."""
    rule, known = hold_rule(hold.kind), game.registry.evidence
    asked = [(one, "clear") for one in rule.to_clear] + [(one, "confirm") for one in rule.to_confirm]
    return [EvidenceStatus(one.value, known[one](state, hold), to) for one, to in asked if one in known]


def waiting_status(game: AnyGame, state: State, language: Language) -> list[WaitingStatus]:
    """Returns the part of the status about the acts that wait for a second person."""
    return [_waiting(game, state, one, language) for one in state.house.waiting]


def _waiting(game: AnyGame, state: State, one: Waiting, language: Language) -> WaitingStatus:
    values, label = _asked(game, state, one, language)
    who = [role.value for role in one.second]
    said = {"label": label, "role": one.role.value, "person": str(one.person), "who": " ".join(who)}
    text = sentence("waiting.text", said, language)
    return WaitingStatus(one.act, values, text, one.person, one.role.value, who, one.since_ms)


def _asked(game: AnyGame, state: State, one: Waiting, language: Language) -> tuple[dict[str, str], str]:
    """Returns the values of a request as a person types them, and the words for the request."""
    values = values_as_typed(game.registry.act_named[one.act].act, one.values)
    label = sentence(f"act.{one.act}.label", (), language)
    told = correction_told(state, values, language) or values_told(one.act, values, language)
    return values, f"{label} ({told})" if told else label


def lapsed_status(game: AnyGame, state: State, language: Language) -> list[LapsedStatus]:
    """Returns the part of the status about the acts that have ceased to wait for a second person.

    Without a correction of an earlier round, which people can no longer ask for.
    """
    found = (_lapsed(game, state, one, language) for one in state.house.lapsed)
    return [one for one in found if one is not None]


def _lapsed(game: AnyGame, state: State, one: Lapsed, language: Language) -> LapsedStatus | None:
    request = one.request
    values, label = _asked(game, state, request, language)
    if not is_of_this_log(state, values, request.since_ms):
        return None
    said = {"label": label, "role": request.role.value, "person": str(request.person), "cause": one.cause.value}
    return LapsedStatus(request.act, sentence("lapsed.text", said, language), one.at_ms)


def differences_status(state: State, language: Language) -> list[DifferenceStatus]:
    """Returns the amounts that the table must still pay or take back after corrections of the round's log."""
    return [_difference(one, language) for one in state.log.differences]


def _difference(one: Difference, language: Language) -> DifferenceStatus:
    told = difference_told(one)
    text = sentence(f"notice.{told.key}", told.values, language)
    return DifferenceStatus(one.seat, one.player, one.amount, text, one.hand)


def _present(presence: Presence, setup: Setup) -> PresentStatus:
    is_for_good = presence.operation is Operation.TABLE
    until = None if is_for_good else presence.confirmed_ms + setup.parameters.presence_timeout_ms
    return PresentStatus(presence.person, presence.role.value, presence.operation.value, until)


def state_sentence(game: AnyGame, state: State, language: Language) -> str:
    """Returns the state of the table as one sentence."""
    if state.house.holds:
        kinds = ",".join(dict.fromkeys(hold.kind.value for hold in state.house.holds))
        return sentence("state.held", {"kinds": kinds}, language)
    variants = variants_of(state.setup.procedure)
    if state.house.session is not SessionPhase.IN_PLAY:
        return sentence(fitting(f"state.session.{state.house.session.value}", variants), (), language)
    words = (*game.screen().round_words(state), *variants)
    return sentence(fitting(f"state.round.{state.game.phase.value}", words), (), language)


_TALLY: Final = Tally.__struct_fields__
_OF_CARDS: Final = frozenset(("drawn", "burned", "loads", "failed_loads", "jams_raised", "jams_cleared", "retried"))


def _tally(state: State) -> dict[str, int]:
    """Returns the table's counters by name, with counters of cards only at a table with cards."""
    names = _TALLY if state.custody is not None else [name for name in _TALLY if name not in _OF_CARDS]
    return {name: getattr(state.house.tally, name) for name in names}


def who_goes_on(setup: Setup, hold: Hold) -> tuple[Role, ...]:
    """Returns the roles that may take the next step of the hold at a table with this setup."""
    is_incident = setup.procedure.complaints is ComplaintWindow.INSPECTOR_DECIDES
    if hold.kind is HoldKind.RULING or (hold.kind is HoldKind.COMPLAINT and is_incident):
        return (setup.procedure.incident_authority,)
    return roles_in(setup, who_may_go_on(hold))


def who_may_go_on(hold: Hold) -> tuple[Role, ...]:
    """Returns the roles that may take the next step of the hold by the rule of its kind. A table's setup may change
    these roles.
    """
    rule = hold_rule(hold.kind)
    if rule.ended_by:
        return rule.ended_by
    match hold.phase:
        case HoldPhase.RAISED:
            return rule.attend
        case HoldPhase.ATTENDED:
            return rule.clear
        case HoldPhase.CLEARED | HoldPhase.ENDED:
            return rule.confirm


def _duty(duty: Duty, language: Language) -> DutyStatus:
    text = duty_text(duty, language)
    return DutyStatus(f"D{duty.id}", duty.kind.value, duty.who.value, duty.since_ms, text)
