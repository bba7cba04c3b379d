"""Complaints: which rounds may still be complained of, and what becomes of a complaint that nobody has decided.

pt.bj.61: before the cards are put into the shuffler; the first card that goes in closes the window for every round
whose cards lie in that heap. Where nothing is put back it is open until the cards are mixed. At the closing nothing
is put back or mixed any more: it stays open until the session is closed.
"""

from controller.core.choices import ComplaintWindow
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import acts as a
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.duties import open_duty
from controller.core.house.holds import holds_of, raise_hold
from controller.core.words import DutyKind, HoldKind, Role, RoundPhase, SessionPhase, TableMs


def round_complained_of(state: BlackjackState, act: a.RecordComplaint | None) -> int:
    """The round that a complaint names; the last one where it names none."""
    return state.game.number if act is None or act.round is None else act.round


def is_heard(state: BlackjackState, round_number: int) -> bool:
    """Whether complaints about this round of the session still come in time."""
    if not 1 <= round_number <= state.game.number or state.house.session is SessionPhase.CLOSED:
        return False
    if state.setup.procedure.complaints is ComplaintWindow.INSPECTOR_DECIDES:
        return True  # every incident of the session is settled (br.inc.1)
    return round_number > state.custody.heard_up_to


def close_by_mixing(before: BlackjackState, after: BlackjackState, _at_ms: TableMs) -> BlackjackState:
    """Closes the window behind the event that mixes the cards which were gathered."""
    is_over = before.house.session is SessionPhase.GATHERED and after.house.session is SessionPhase.MIXED
    return replace(after, custody=replace(after.custody, heard_up_to=after.game.number)) if is_over else after


def close_by_feeding(before: BlackjackState, after: BlackjackState, _at_ms: TableMs) -> BlackjackState:
    """Closes the window behind each event that puts cards of the rack into the machine."""
    went_in = (
        after.custody.book.rack < before.custody.book.rack and after.custody.book.inside > before.custody.book.inside
    )
    return replace(after, custody=replace(after.custody, heard_up_to=_last_in_the_rack(after))) if went_in else after


def _last_in_the_rack(state: BlackjackState) -> int:
    """The last round whose cards lie in the discard rack: those of an open one lie on the table."""
    is_open = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING, RoundPhase.SETTLED}
    return state.game.number - 1 if is_open else state.game.number


def record_complaint(state: BlackjackState, act: a.RecordComplaint, at_ms: TableMs) -> BlackjackState:
    """The table holds until it is decided."""
    state = replace(
        state, house=replace(state.house, tally=replace(state.house.tally, complaints=state.house.tally.complaints + 1))
    )
    about = (("seat", str(act.seat)), ("round", str(round_complained_of(state, act))))
    known = (one.details for one in holds_of(state, HoldKind.COMPLAINT) if one.details[: len(about)] == about)
    details = next(known, (*about, ("person", str(act.person))))
    return raise_hold(state, HoldKind.COMPLAINT, at_ms, details=details)


def owe_undecided(state: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """An irregular closing ends the session before somebody has decided them: they are not forgotten."""
    for complaint in holds_of(state, HoldKind.COMPLAINT):
        state = open_duty(state, DutyKind.REPORT_UNDECIDED_COMPLAINT, Role.ROOM_MANAGER, at_ms, complaint.details)
    return state
