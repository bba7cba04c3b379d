"""Named statements that must be true before an act is allowed. Each is one row: name, clause, predicate.

The catalogue has two sentences for every name here (`guard.<name>.reason` and `.remedy`), in every language. A guard
with `needs_act` looks at the act's own values and is passed over when only "what may be done next" is asked.
"""

from collections.abc import Callable
from dataclasses import dataclass

from controller.core import acts as a
from controller.core.books import can_be_compared, differences, in_place
from controller.core.cards import FOREIGN
from controller.core.decision import Values
from controller.core.hold_table import BEYOND_MENDING, Evidence, hold_rule
from controller.core.holds import forbidding, hold_of, holds_of
from controller.core.people import chief_is_present, dealer_at_table
from controller.core.state import Hold, State
from controller.core.words import (
    Device,
    HoldKind,
    HoldPhase,
    Operation,
    Permission,
    Place,
    Purpose,
    Role,
    RoundPhase,
    SessionPhase,
)

Check = Callable[[State, "a.Act | None"], bool]
Say = Callable[[State, "a.Act | None"], Values]


def _nothing(_state: State, _act: "a.Act | None") -> Values:
    return ()


@dataclass(frozen=True, slots=True)
class Guard:
    """A statement with its clause; `says` gives the values of its sentences."""

    name: str
    clause: str
    holds: Check
    says: Say = _nothing
    needs_act: bool = False


# --- people


def _chief_for(operation: Operation, clause: str) -> Guard:
    return Guard(
        f"supervisor_is_present_for_{operation.value}",
        clause,
        lambda state, _act: chief_is_present(state, operation),
        lambda _state, _act: (("operation", operation.value),),
    )


CHIEF_PRESENT_FOR_LOADING = _chief_for(Operation.LOADING, "pt.bj.54d")
CHIEF_PRESENT_FOR_UNLOADING = _chief_for(Operation.UNLOADING, "pt.bj.55a")
CHIEF_PRESENT_FOR_HOLD = _chief_for(Operation.HOLD, "pt.bj.51d")

DEALER_IS_AT_TABLE = Guard("dealer_is_at_table", "pt.bj.7a", lambda state, _act: dealer_at_table(state) is not None)
ACTOR_IS_THE_DEALER_AT_TABLE = Guard(
    "actor_is_the_dealer_at_table",
    "pt.bj.7a",
    lambda state, act: act is None or act.person == dealer_at_table(state),
    needs_act=True,
)


def _operation_fits(_state: State, act: a.Act | None) -> bool:
    match act:
        case a.SignIn(role=role, operation=operation):
            return (operation is Operation.TABLE) == (role is Role.DEALER)
        case _:
            return True


OPERATION_FITS_THE_ROLE = Guard("operation_fits_the_role", "pt.bj.54d", _operation_fits, needs_act=True)


def _dealer_may_leave(state: State, act: a.Act | None) -> bool:
    return act is None or act.role is not Role.DEALER or state.round is RoundPhase.IDLE


DEALER_LEAVES_BETWEEN_ROUNDS = Guard("dealer_leaves_between_rounds", "pt.bj.7a", _dealer_may_leave, needs_act=True)
ACTOR_IS_SIGNED_IN = Guard(
    "actor_is_signed_in",
    "pt.bj.54d",
    lambda state, act: any(act is None or p.person == act.person for p in state.present),
)


# --- opening and loading


def _deck_set_is_usable(state: State, act: a.Act | None) -> bool:
    return not isinstance(act, a.NumberDeckSet) or act.deck_set not in state.refused_deck_sets


def _deck_set_is_a_number(_state: State, act: a.Act | None) -> bool:
    return not isinstance(act, a.NumberDeckSet) or 0 < act.deck_set < 1_000_000


DECK_SET_IS_NOT_REFUSED = Guard("deck_set_is_not_refused", "pt.bj.55b", _deck_set_is_usable, needs_act=True)
DECK_SET_IS_A_NUMBER = Guard("deck_set_is_a_number", "pt.bj.7b", _deck_set_is_a_number, needs_act=True)
DECK_SET_IS_NUMBERED = Guard("deck_set_is_numbered", "pt.bj.7b", lambda state, _act: state.deck_set is not None)
_BEFORE_DISPLAY = (SessionPhase.CLOSED, SessionPhase.OPENED)
DISPLAY_IS_CONFIRMED = Guard(
    "display_is_confirmed", "pt.bj.53a", lambda state, _act: state.session not in _BEFORE_DISPLAY
)
MIXING_IS_CONFIRMED = Guard(
    "mixing_is_confirmed",
    "pt.bj.53b",
    lambda state, _act: state.session not in (*_BEFORE_DISPLAY, SessionPhase.DISPLAYED),
)
LOADING_IS_NOT_DONE_YET = Guard("loading_is_not_done_yet", "pt.bj.54c", lambda state, _act: not state.loaded_once)
SHUFFLER_IS_READY = Guard(
    "shuffler_is_ready",
    "pt.bj.53c",
    lambda state, _act: (
        state.shuffler.link.connected
        and state.shuffler.status is not None
        and state.shuffler.status.counts_known
        and not state.shuffler.status.lid_open
        and not state.shuffler.status.jammed
    ),
)
SHUFFLER_IS_EMPTY = Guard(
    "shuffler_is_empty",
    "pt.bj.57a",
    lambda state, _act: state.shuffler.status is not None and state.shuffler.status.inside == 0,
    lambda state, _act: (("inside", _figure(state.shuffler.status.inside if state.shuffler.status else None)),),
)
READER_IS_READY = Guard(
    "reader_is_ready",
    "pt.bj.17a",
    lambda state, _act: state.reader.link.connected or not state.setup.has_reader,
)
PACKET_IS_OPEN = Guard("packet_is_open", "pt.bj.54b", lambda state, _act: state.packet_open)
PACKET_IS_CLOSED = Guard("packet_is_closed", "pt.bj.54b", lambda state, _act: not state.packet_open)
PACKETS_ARE_ENOUGH = Guard(
    "packets_are_enough",
    "pt.bj.54b",
    lambda state, _act: sum(1 for packet in state.packets if packet) >= state.setup.parameters.min_packets,
    lambda state, _act: (
        ("packets", str(sum(1 for packet in state.packets if packet))),
        ("needed", str(state.setup.parameters.min_packets)),
    ),
)
CARDS_ARE_ALL_LOADED = Guard(
    "cards_are_all_loaded",
    "pt.bj.3a",
    lambda state, _act: state.book.inside == state.setup.cards,
    lambda state, _act: (
        ("counted", str(state.book.inside)),
        ("expected", str(state.setup.cards)),
        ("difference", f"{state.book.inside - state.setup.cards:+d}"),
    ),
)
NOTHING_IS_INSIDE = Guard(
    "nothing_is_inside",
    "pt.bj.57a",
    lambda state, _act: state.irregular or (state.book.inside + state.book.jammed_inside == 0 and _device_empty(state)),
    lambda state, _act: (("inside", str(state.book.inside)),),
)


def _figure(value: int | None) -> str:
    return "?" if value is None else str(value)


def _device_empty(state: State) -> bool:
    return state.shuffler.status is not None and state.shuffler.status.inside == 0


# --- round


def _seats_exist(state: State, act: a.Act | None) -> bool:
    match act:
        case a.TakeBets(seats=seats):
            return bool(seats) and all(1 <= seat <= state.setup.seats for seat in seats) and _once(seats)
        case a.DrawCard(seat=seat):
            return seat == 0 or seat in state.seats
        case a.RecordComplaint(seat=seat):
            return 1 <= seat <= state.setup.seats
        case _:
            return True


def _once(seats: tuple[int, ...]) -> bool:
    return len(dict.fromkeys(seats)) == len(seats)


SEATS_EXIST = Guard(
    "seats_exist",
    "pt.bj.2",
    _seats_exist,
    lambda state, _act: (("seats", str(state.setup.seats)),),
    needs_act=True,
)
BETS_ARE_NOT_CLOSED = Guard(
    "bets_are_not_closed",
    "pt.bj.13",
    lambda state, _act: state.round in {RoundPhase.IDLE, RoundPhase.BETTING},
)
BURN_IS_DONE = Guard("burn_is_done", "pt.bj.10", lambda state, _act: state.session is not SessionPhase.LOADED)
DEVICES_ARE_READY = Guard(
    "devices_are_ready",
    "pt.bj.17a",
    lambda state, act: SHUFFLER_IS_READY.holds(state, act) and READER_IS_READY.holds(state, act),
)


def _cards_needed(state: State) -> int:
    return (len(state.seats) + 1) * state.setup.parameters.reserve_cards_per_hand


CARDS_ARE_ENOUGH = Guard(
    "cards_are_enough",
    "pt.bj.60a",
    lambda state, _act: state.book.inside >= _cards_needed(state),
    lambda state, _act: (("inside", str(state.book.inside)), ("needed", str(_cards_needed(state)))),
)
A_CARD_IS_INSIDE = Guard("a_card_is_inside", "pt.bj.60a", lambda state, _act: state.book.inside > 0)
NO_CARD_IS_OWED = Guard(
    "no_card_is_owed",
    "pt.bj.17a",
    lambda state, _act: state.requested is None and state.join.counted_ms is None and state.join.read is None,
)
HOLE_CARD_IS_FACE_DOWN = Guard(
    "hole_card_is_face_down",
    "pt.bj.17b",
    lambda state, _act: any(d.purpose is Purpose.HOLE and d.card is None for d in state.dealt),
)


def _face_is_given(_state: State, act: a.Act | None) -> bool:
    return not isinstance(act, a.TurnHoleCard) or (act.card is not None and act.card != FOREIGN)


FACE_IS_GIVEN = Guard("face_is_given", "pt.bj.17b", _face_is_given, needs_act=True)
COMPLAINT_IS_IN_TIME = Guard(
    "complaint_is_in_time",
    "pt.bj.61",
    lambda state, _act: (
        state.round_number > 0
        and state.round is not RoundPhase.PUTTING_BACK
        and (state.book.rack + state.book.table > 0)
        and state.session is SessionPhase.IN_PLAY
    ),
)
NO_COMPLAINT_IS_OPEN = Guard(
    "no_complaint_is_open", "pt.bj.61", lambda state, _act: not holds_of(state, HoldKind.COMPLAINT)
)
COMPLAINT_IS_OPEN = Guard(
    "complaint_is_open", "pt.bj.61", lambda state, _act: bool(holds_of(state, HoldKind.COMPLAINT))
)


# --- holds


def _hold_in(act: a.Act | None, state: State) -> Hold | None:
    match act:
        case a.AttendHold(hold=n) | a.CallTechnician(hold=n) | a.AttestRepair(hold=n):
            return hold_of(state, n)
        case a.ClearHold(hold=n) | a.ConfirmHold(hold=n):
            return hold_of(state, n)
        case _:
            return None


HOLD_STANDS = Guard(
    "hold_stands",
    "pt.bj.51c",
    lambda state, act: bool(state.holds) if act is None else _hold_in(act, state) is not None,
)


def _actor_may(state: State, act: a.Act | None) -> bool:
    hold = _hold_in(act, state)
    if act is None or hold is None:
        return True
    rule = hold_rule(hold.kind)
    match act:
        case a.AttendHold():
            return act.role in rule.attend
        case a.ClearHold():
            return act.role in rule.clear
        case a.ConfirmHold():
            return act.role in rule.confirm
        case _:
            return bool(rule.attend)


ACTOR_MAY_END_THE_HOLD = Guard(
    "actor_may_end_the_hold",
    "pt.bj.51d",
    _actor_may,
    lambda state, act: (("hold", hold.kind.value if (hold := _hold_in(act, state)) else ""),),
    needs_act=True,
)


def _attended(state: State, act: a.Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.phase is not HoldPhase.RAISED


HOLD_IS_ATTENDED = Guard("hold_is_attended", "pt.bj.51d", _attended, needs_act=True)


def _not_cleared(state: State, act: a.Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.phase is not HoldPhase.CLEARED


HOLD_IS_NOT_CLEARED_YET = Guard("hold_is_not_cleared_yet", "pt.bj.51d", _not_cleared, needs_act=True)


def _cleared(state: State, act: a.Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.phase is HoldPhase.CLEARED


HOLD_IS_CLEARED = Guard("hold_is_cleared", "pt.bj.51d", _cleared, needs_act=True)


def _technician_was_called(state: State, act: a.Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.technician_called


TECHNICIAN_WAS_CALLED = Guard("technician_was_called", "pt.bj.51e", _technician_was_called, needs_act=True)


def _repair_is_attested(state: State, act: a.Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or not hold.technician_called or hold.technician is not None


REPAIR_IS_ATTESTED = Guard("repair_is_attested", "pt.bj.51e", _repair_is_attested, needs_act=True)

A_HOLD_IS_ATTENDED = Guard(
    "a_hold_is_attended",
    "pt.bj.51d",
    lambda state, _act: any(hold.phase is not HoldPhase.RAISED for hold in state.holds),
)


def _evidence(kind: Evidence, state: State, hold: Hold) -> bool:  # noqa: C901 - one case a word
    status = state.shuffler.status
    match kind:
        case Evidence.PATH_IS_CLEAR:
            return status is not None and not status.path_blocked
        case Evidence.LID_IS_CLOSED:
            return status is not None and not status.lid_open
        case Evidence.JAMMED_CARDS_ARE_STATED:
            return state.book.jammed == 0
        case Evidence.NO_CARD_IS_IN_HAND:
            return state.book.in_hand == 0
        case Evidence.NO_CARD_IS_PENDING:
            return state.book.pending == 0
        case Evidence.DEVICE_IS_CONNECTED:
            return _device_connected(state, hold)
        case Evidence.DEVICE_RUNS_AGAIN:
            return status is not None and not status.jammed
        case Evidence.RECOUNT_IS_DONE:
            return hold.recount_request is None or _recounted(state)
        case Evidence.COUNT_IS_STATED:
            return hold.counted or not hold.needs_count
        case Evidence.COUNTS_AGREE:
            return can_be_compared(state) and not differences(state)
        case Evidence.CARD_IS_REPLACED:
            return state.damaged is None
        case Evidence.JOURNAL_IS_WRITING:
            return not state.journal_failed


def _recounted(state: State) -> bool:
    """The shuffler has counted for the last request, and knows the figure."""
    status = state.shuffler.status
    return status is not None and status.recounts == state.recount_request and status.inside is not None


def _device_connected(state: State, hold: Hold) -> bool:
    match hold.device:
        case Device.SHUFFLER:
            return state.shuffler.link.connected
        case Device.SHOE:
            return state.reader.link.connected
        case Device.JACKPOT_DISPLAY | None:
            return True


def _evidence_guard(kind: Evidence, clause: str) -> Guard:
    def holds(state: State, act: a.Act | None) -> bool:
        hold = _hold_in(act, state)
        if hold is None:
            return True
        rule = hold_rule(hold.kind)
        asked = rule.to_clear if isinstance(act, a.ClearHold) else rule.to_confirm
        return kind not in asked or _evidence(kind, state, hold)

    return Guard(kind.value, clause, holds, _figures, needs_act=True)


def _figures(state: State, _act: a.Act | None) -> Values:
    found = "; ".join(f"{d.what} {d.book}/{d.evidence}" for d in differences(state))
    return (
        ("differences", found),
        ("jammed", str(state.book.jammed)),
        ("in_hand", str(state.book.in_hand)),
        ("pending", str(state.book.pending)),
    )


_EVIDENCE_CLAUSES: dict[Evidence, str] = {
    Evidence.PATH_IS_CLEAR: "pt.bj.51c",
    Evidence.LID_IS_CLOSED: "pt.bj.51d",
    Evidence.JAMMED_CARDS_ARE_STATED: "pt.bj.51d",
    Evidence.NO_CARD_IS_IN_HAND: "pt.bj.51d",
    Evidence.NO_CARD_IS_PENDING: "pt.bj.17a",
    Evidence.DEVICE_IS_CONNECTED: "pt.bj.51e",
    Evidence.DEVICE_RUNS_AGAIN: "pt.bj.51c",
    Evidence.RECOUNT_IS_DONE: "pt.bj.51e",
    Evidence.COUNT_IS_STATED: "pt.bj.51e",
    Evidence.COUNTS_AGREE: "pt.bj.51e",
    Evidence.CARD_IS_REPLACED: "pt.bj.51a",
    Evidence.JOURNAL_IS_WRITING: "pt.bj.51e",
}
EVIDENCE_GUARDS: tuple[Guard, ...] = tuple(_evidence_guard(kind, _EVIDENCE_CLAUSES[kind]) for kind in Evidence)


# --- statements about cards

_MOVES: dict[Place, tuple[Place, ...]] = {
    Place.JAMMED: (Place.IN_HAND, Place.RACK, Place.INSIDE, Place.OUTSIDE),
    Place.IN_HAND: (Place.RACK, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.PENDING: (Place.RACK, Place.IN_HAND, Place.OUTSIDE),
    Place.INSIDE: (Place.IN_HAND, Place.RACK, Place.OUTSIDE),
    Place.RACK: (Place.IN_HAND, Place.INSIDE, Place.OUTSIDE),
    Place.TABLE: (Place.IN_HAND,),
    Place.OUTSIDE: (Place.IN_HAND, Place.INSIDE),
}
"""Where people may say that cards went, by hand, while a hold is attended."""


def _move_is_possible(state: State, act: a.Act | None) -> bool:
    match act:
        case a.StateCardsMoved(source=source, target=target, count=count):
            return target in _MOVES.get(source, ()) and 0 < count <= in_place(state.book, source)
        case _:
            return True


MOVE_IS_POSSIBLE = Guard("move_is_possible", "pt.bj.51d", _move_is_possible, needs_act=True)


def _count_is_possible(_state: State, act: a.Act | None) -> bool:
    match act:
        case a.StateCount(rack=rack, table=table, pending=pending, in_hand=in_hand, outside=outside):
            return min(rack, table, pending, in_hand, outside) >= 0
        case _:
            return True


COUNT_IS_POSSIBLE = Guard("count_is_possible", "pt.bj.55b", _count_is_possible, needs_act=True)
SHUFFLER_COUNT_IS_KNOWN = Guard(
    "shuffler_count_is_known",
    "pt.bj.51e",
    lambda state, _act: (
        state.shuffler.link.connected and state.shuffler.status is not None and state.shuffler.status.inside is not None
    ),
)
CARD_WAITS_FOR_ITS_NAME = Guard(
    "card_waits_for_its_name", "pt.bj.17a", lambda state, _act: bool(holds_of(state, HoldKind.UNREAD_CARD))
)


def _card_belongs(_state: State, act: a.Act | None) -> bool:
    match act:
        case a.NameCard(card=card) | a.ReportDamagedCard(card=card) | a.ReplaceCard(replacement=card):
            return card != FOREIGN
        case _:
            return True


CARD_BELONGS_TO_THE_DECKS = Guard("card_belongs_to_the_decks", "pt.bj.3b", _card_belongs, needs_act=True)
NO_CARD_IS_DAMAGED_YET = Guard("no_card_is_damaged_yet", "pt.bj.51a", lambda state, _act: state.damaged is None)
CARD_IS_DAMAGED = Guard("card_is_damaged", "pt.bj.51a", lambda state, _act: state.damaged is not None)


def _same_card(state: State, act: a.Act | None) -> bool:
    return not isinstance(act, a.ReplaceCard) or act.replacement == state.damaged


REPLACEMENT_IS_THE_SAME_CARD = Guard(
    "replacement_is_the_same_card",
    "pt.bj.51a",
    _same_card,
    lambda state, _act: (("damaged", state.damaged or ""),),
    needs_act=True,
)


def _duty_is_open(state: State, act: a.Act | None) -> bool:
    return any(not isinstance(act, a.ReportDuty) or duty.id == act.duty for duty in state.duties)


DUTY_IS_OPEN = Guard("duty_is_open", "pt.bj.51b", _duty_is_open)


def _reference_is_given(_state: State, act: a.Act | None) -> bool:
    return not isinstance(act, a.ReportDuty) or 0 < len(act.reference.strip()) <= 80


REFERENCE_IS_GIVEN = Guard("reference_is_given", "pt.bj.51b", _reference_is_given, needs_act=True)


# --- closing

ROUND_IS_OVER = Guard(
    "round_is_over",
    "pt.bj.57a",
    lambda state, _act: state.round is RoundPhase.IDLE,
    lambda state, _act: (("round", state.round.value),),
)
CLOSING_IS_INDICATED = Guard(
    "closing_is_indicated",
    "pt.bj.55a",
    lambda state, _act: state.session in {SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING},
)


def _grid_is_whole(_state: State, act: a.Act | None) -> bool:
    match act:
        case a.EnterGrid(counts=counts, foreign=foreign):
            return len(counts) == 52 and min(*counts, foreign) >= 0
        case _:
            return True


GRID_IS_WHOLE = Guard("grid_is_whole", "pt.bj.55b", _grid_is_whole, needs_act=True)
OTHER_HOLDS_ARE_ENDED = Guard(
    "other_holds_are_ended",
    "pt.bj.55b",
    lambda state, _act: state.irregular or all(hold.kind is HoldKind.COUNT for hold in state.holds),
    lambda state, _act: (("hold", next((h.kind.value for h in state.holds if h.kind is not HoldKind.COUNT), "")),),
)
A_COUNT_CANNOT_BE_MENDED = Guard(
    "a_count_cannot_be_mended",
    "pt.bj.55b",
    lambda state, _act: any(hold.kind in BEYOND_MENDING for hold in state.holds),
)
IRREGULAR_CLOSING_IS_PROPOSED = Guard(
    "irregular_closing_is_proposed", "pt.bj.55b", lambda state, _act: state.irregular_proposed_by is not None
)


def _two_people(state: State, act: a.Act | None) -> bool:
    return act is None or act.person != state.irregular_proposed_by


TWO_PEOPLE_CLOSE = Guard("two_people_close", "pt.bj.55b", _two_people, needs_act=True)


# --- made from a row, not from a name


def permission_guard(permission: Permission) -> Guard:
    """No standing hold forbids this."""
    return Guard(
        "no_hold_forbids_it",
        "pt.bj.51c",
        lambda state, act: forbidding(state, permission) is None or _ends_what_cannot_be_mended(state, permission, act),
        lambda state, _act: (("hold", hold.kind.value if (hold := forbidding(state, permission)) else ""),),
    )


def _ends_what_cannot_be_mended(state: State, permission: Permission, act: a.Act | None) -> bool:
    """After an irregular closing the cards may be taken out by hand, whatever still stands (a dead device)."""
    asked = act is None or isinstance(act, a.CompleteUnloading)
    return state.irregular and permission is Permission.UNLOAD and asked


def session_guard(phases: tuple[SessionPhase, ...], clause: str) -> Guard:
    """The session is at the step where this act belongs."""
    return Guard(
        "session_is_at_this_step",
        clause,
        lambda state, _act: state.session in phases,
        lambda state, _act: (("session", state.session.value), ("needed", " ".join(p.value for p in phases))),
    )


def round_guard(phases: tuple[RoundPhase, ...], clause: str) -> Guard:
    """The round is at the step where this act belongs."""
    return Guard(
        "round_is_at_this_step",
        clause,
        lambda state, _act: state.round in phases,
        lambda state, _act: (("round", state.round.value), ("needed", " ".join(p.value for p in phases))),
    )
