"""The status document: what the table is doing, why it is held, what is next, who may; in the table's language.

Built from the latest state, so that a hold is seen at once; what is not durable yet is marked, and what may be done
next comes from the durable state alone. No face of a card and no count by rank stands here.
"""

from operator import attrgetter
from typing import Final

from controller.catalogue import Language, sentence
from controller.catalogue.words import duty_text, fitting, hold_words, variants_of
from controller.core.choices import ComplaintWindow
from controller.core.custody.deck_check import grid_cards, grids_entered
from controller.core.custody.evidence import is_met
from controller.core.custody.game import next_owed
from controller.core.custody.shoe import shoe_is_over
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.turning import places_face_down
from controller.core.house.hold_table import forbids, hold_rule
from controller.core.house.people import roles_in
from controller.core.house.state import Duty, Hold, Presence, Tally
from controller.core.jurisdictions import clause_in
from controller.core.setup import Setup
from controller.core.words import HoldKind, HoldPhase, Operation, Place, Role, RoundPhase, SessionPhase
from controller.device_status import device_status, power_status
from controller.journal.codec import canonical_digest
from controller.journal.noted import code_of
from controller.money_status import money_status
from controller.protocol.status import (
    DutyStatus,
    EvidenceStatus,
    FaceDownStatus,
    HoldStatus,
    JournalStatus,
    LoadingStatus,
    NextStatus,
    NoticeStatus,
    OwedStatus,
    PresentStatus,
    PuttingBackStatus,
    Status,
    StepState,
)
from controller.runtime.health import SLOW_AFTER_S
from controller.runtime.kernel import Runtime
from controller.scene import scene_of
from controller.shoe_status import shoe_status
from controller.steps import plan_of
from controller.surroundings import Surroundings
from controller.table_status import backs, figures


class StatusMaker:
    """Makes the status of one runtime. What depends on a state alone is made once for each state."""

    def __init__(self, runtime: Runtime, language: Language, surroundings: Surroundings | None = None) -> None:
        self._runtime = runtime
        self._language = language
        self._around = Surroundings() if surroundings is None else surroundings
        self._next_of: BlackjackState | None = None
        self._next: list[NextStatus] = []
        self._digest_of: BlackjackState | None = None
        self._digest = ""
        self._last_seats: list[int] = []

    def status(self, now_s: float, notices: list[NoticeStatus]) -> Status:
        state, setup = self._runtime.ledger.latest, self._runtime.ledger.latest.setup
        return Status(
            table=setup.table,
            simulated=setup.simulated,
            language=self._language.value,
            profile=setup.profile,
            machine=setup.procedure.machine.value,
            state=state_sentence(state, self._language),
            session=state.house.session.value,
            session_number=state.house.session_number,
            round=state.game.phase.value,
            round_number=state.game.number,
            seats=list(state.game.seats),
            collected=[seat for seat in state.game.seats if seat in state.game.collected],
            owed=self._owed(),
            face_down=[FaceDownStatus(*place) for place in places_face_down(self._runtime.ledger.durable)],
            holds=[self._hold(hold) for hold in state.house.holds],
            counts=counts(state),
            loading=LoadingStatus(list(state.custody.packets), state.custody.packet_open),
            putting_back=PuttingBackStatus(state.game.put_back_due, state.game.put_back),
            shoe=shoe_status(state),
            grids_entered=grids_entered(state),
            grid_cards=grid_cards(state),
            present=[_present(presence, setup) for presence in state.house.present],
            next=self._permitted(),
            duties=[_duty(duty, self._language) for duty in state.house.duties],
            notices=notices,
            tally={name: getattr(state.house.tally, name) for name in _TALLY},
            journal=self._journal(now_s),
            devices={
                device.value: device_status(supervisor, now_s, self._language)
                for device, supervisor in self._runtime.devices.supervisors.items()
            }
            | self._around.devices(self._language),
            presented=self._around.presented_now(now_s),
            power=power_status(self._around.undervoltage, self._language),
            software=self._around.software,
            hands=backs(self._runtime.ledger.durable),
            money=money_status(self._runtime.ledger.durable),
            figures=figures(self._runtime.ledger.durable),
            last_seats=self._seats_now(state),
            scene=scene_of(state),
            state_digest=self._digest_now(state),
        )

    def _hold(self, hold: Hold) -> HoldStatus:
        setup, rule = self._runtime.ledger.latest.setup, hold_rule(hold.kind)
        variants, who = variants_of(setup.procedure), who_goes_on(setup, hold)
        words = hold_words(hold, self._language, variants)
        plan = plan_of(self._runtime.ledger.latest, hold, who, self._language, variants)
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
            recorded=hold in self._runtime.ledger.durable.house.holds,
            priority=rule.priority,
            clause=clause_in(rule.clause, setup.profile),
            forbids=[one.value for one in rule.forbids if forbids(hold.kind, hold.device, one)],
            evidence=evidence(self._runtime.ledger.latest, hold),
            technician_called=hold.technician_called,
        )

    def _seats_now(self, state: BlackjackState) -> list[int]:
        self._last_seats = list(state.game.seats) or self._last_seats
        return self._last_seats

    def _owed(self) -> OwedStatus | None:
        owed = next_owed(self._runtime.ledger.durable)
        return None if owed is None else OwedStatus(owed.purpose.value, owed.seat)

    def _permitted(self) -> list[NextStatus]:
        if self._runtime.trouble() is not None:
            return []
        durable = self._runtime.ledger.durable
        if self._next_of is not durable:
            self._next_of = durable
            is_over = durable.game.phase is RoundPhase.IDLE
            self._next = [
                NextStatus(act, [role.value for role in who])
                for act, who in self._runtime.offered()
                if not (is_over and act == _SAYS_NOTHING_BETWEEN_ROUNDS)
            ]
        return self._next

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
        """What the inspection's book is given at this entry; "" before the first."""
        head, ledger = self._runtime.head, self._runtime.ledger
        return code_of(ledger.latest.house.session_number, ledger.durable_seq, head) if head else ""

    def _digest_now(self, state: BlackjackState) -> str:
        if self._digest_of is not state:
            self._digest_of, self._digest = state, canonical_digest(state)
        return self._digest


def evidence(state: BlackjackState, hold: Hold) -> list[EvidenceStatus]:
    """What must be true before the hold goes on, and whether it is."""
    rule = hold_rule(hold.kind)
    asked = [(one, "clear") for one in rule.to_clear] + [(one, "confirm") for one in rule.to_confirm]
    return [EvidenceStatus(one.value, is_met(one, state, hold), to) for one, to in asked]


def _present(presence: Presence, setup: Setup) -> PresentStatus:
    is_for_good = presence.operation is Operation.TABLE
    until = None if is_for_good else presence.confirmed_ms + setup.parameters.presence_timeout_ms
    return PresentStatus(presence.person, presence.role.value, presence.operation.value, until)


def state_sentence(state: BlackjackState, language: Language) -> str:
    """What the table is doing, in one sentence."""
    if state.house.holds:
        kinds = ",".join(dict.fromkeys(hold.kind.value for hold in state.house.holds))
        return sentence("state.held", {"kinds": kinds}, language)
    variants = variants_of(state.setup.procedure)
    if state.house.session is not SessionPhase.IN_PLAY:
        return sentence(fitting(f"state.session.{state.house.session.value}", variants), (), language)
    is_over = ("over",) if state.game.phase is RoundPhase.IDLE and shoe_is_over(state) else ()
    return sentence(fitting(f"state.round.{state.game.phase.value}", (*is_over, *variants)), (), language)


def counts(state: BlackjackState) -> dict[str, int]:
    """How many cards are in each place, and the deck set's total."""
    book = state.custody.book
    return dict(zip(_PLACES, _COUNTED(book), strict=True)) | {"total": book.total}


_PLACES: Final = tuple(place.value for place in Place)
_COUNTED: Final = attrgetter(*_PLACES)
_TALLY: Final = Tally.__struct_fields__

_SAYS_NOTHING_BETWEEN_ROUNDS: Final = "end-putting-back"
"""It may be said then, since it has ended with its last card, and changes nothing: nobody is told to."""


def who_goes_on(setup: Setup, hold: Hold) -> tuple[Role, ...]:
    """The posts that may take this hold's next step at this table."""
    is_incident = setup.procedure.complaints is ComplaintWindow.INSPECTOR_DECIDES
    if hold.kind is HoldKind.RULING or (hold.kind is HoldKind.COMPLAINT and is_incident):
        return (setup.procedure.incident_authority,)
    return roles_in(setup, who_may_go_on(hold))


def who_may_go_on(hold: Hold) -> tuple[Role, ...]:
    """The roles that may take this hold's next step."""
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
