"""A scripted person's view, made by hand for a test."""

from msgspec.structs import replace

from controller.core.games.blackjack.table import ACT_RULES, ACTS, NAMES
from controller.core.words import HoldKind, HoldPhase, Role, RoundPhase, SessionPhase
from controller.protocol.status import DeviceStatus, EvidenceStatus, NextStatus, StepState, StepStatus
from controller.protocol.suggestion import Suggestion
from simulators.people.choices import Choices
from simulators.people.doing import View
from simulators.people.sight import LyingCard, Sight
from simulators.people.status import PresentPerson, ShownHold, TableStatus

CHOICES = Choices(seed=7)
DEALER, CHIEF, MANAGER, TECHNICIAN = 11, 21, 31, 41
DEALER_HERE = PresentPerson(DEALER, Role.DEALER, "table")
ONLY_AFTER_SOMETHING = {"state-outage", "confirm-outage", "agree-corrections"}
EVERY_ACT = [
    NextStatus(NAMES[rule.act], [role.value for role in rule.who])
    for rule in ACT_RULES
    if NAMES[rule.act] not in ONLY_AFTER_SOMETHING
]
CONNECTED = {name: DeviceStatus(connected=True) for name in ("shuffler", "shoe", "jackpot_display")}
IN_PLAY = {"inside": 311, "rack": 1}


def allowed(*acts: str) -> list[NextStatus]:
    """Exactly these acts, for the roles that their rows name."""
    assert all(act in ACTS for act in acts)
    return [entry for entry in EVERY_ACT if entry.act in acts]


def status(
    session: SessionPhase = SessionPhase.IN_PLAY, round_: RoundPhase = RoundPhase.IDLE, **changes: object
) -> TableStatus:
    """A table in play, one card in the rack, the dealer present, and every act listed; `changes`: other fields."""
    fields: dict[str, object] = {
        "session_number": 1,
        "round_number": 1,
        "seats": (1, 3),
        "counts": IN_PLAY,
        "next": EVERY_ACT,
        "present": (DEALER_HERE,),
        "devices": CONNECTED,
        "state_digest": "d",
    }
    return TableStatus(session=session, round=round_, **(fields | changes))


NEXT_ACT = {HoldPhase.RAISED: "attend-hold", HoldPhase.ATTENDED: "clear-hold", HoldPhase.CLEARED: "confirm-hold"}


def hold(kind: HoldKind, phase: HoldPhase = HoldPhase.RAISED, *, lacks: str = "", **fields: object) -> ShownHold:
    """A hold whose next step is offered to everybody, unless it lacks evidence."""
    evidence = [EvidenceStatus(lacks, met=False, to="clear")] if lacks else []
    plan = [] if lacks else [step(NEXT_ACT[phase])]
    return ShownHold(id="H1", kind=kind, phase=phase, **{"evidence": evidence, "plan": plan} | fields)


def step(act: str, **values: str) -> StepStatus:
    """The next step: this act, about hold H1 unless another is named."""
    roles = [role.value for role in Role]
    offer = Suggestion(act, values or {"hold": "H1"}, [], roles, None, needs_pin=True)
    return StepStatus(act, "", StepState.NEXT, roles, [offer])


def view(shown: TableStatus, sight: Sight | None = None, **changes: object) -> View:
    """A look at `shown`; without `sight`, the cards lie as in the book."""
    seen = sight if sight is not None else Sight(rack=shown.count("rack"), shown_inside=shown.count("inside"))
    base = View(status=shown, sight=seen, choices=CHOICES, person=DEALER, rounds=5)
    return replace(base, **changes)


def table(*cards: tuple[int, str | None]) -> tuple[LyingCard, ...]:
    """Cards on the table: seat and face, None face down."""
    return tuple(LyingCard(seat, face) for seat, face in cards)
