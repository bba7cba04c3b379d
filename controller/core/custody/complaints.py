"""Complaints: the rounds about which players may still complain, and the duty for an undecided complaint.

pt.bj.61: players complain before the cards are put into the shuffler. The first card of the discard rack that goes in
ends the time for complaints about every round with cards in that rack. If no cards are put back, mixing the cards ends
the time. At the closing no cards are put back or mixed, so players may complain until the session is closed.
"""

from typing import Any

from controller.core.choices import ComplaintWindow
from controller.core.custody.state import CardState, CardStateT, with_custody
from controller.core.engine.act import Act
from controller.core.house.duties import open_duty
from controller.core.house.holds import end_holds, holds_of, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CHIEF, DEALER_OR_CHIEF, ActGuard, ActRule, Guard, LeavesPost
from controller.core.house.state import with_tally
from controller.core.house.undoing import Never, by, never
from controller.core.setup import Setup
from controller.core.words import MOST_PLAYERS, DutyKind, HoldKind, Role, RoundPhase, SessionPhase, TableMs


class RecordComplaint(Act, frozen=True):
    """A player complains about a round of this session. `round`: None for the last round that was announced. `bettor`:
    the number of a player who stands behind the seat, above all seats' numbers; None for the player at the seat.
    `words`: the player's own words, kept in the journal; no rule reads them.
    """

    seat: int
    round: int | None = None
    words: str | None = None
    bettor: int | None = None


class DecideComplaint(Act, frozen=True):
    """The decision on the oldest undecided complaint of the session. `upheld`: False if the complaint is rejected."""

    upheld: bool


def round_complained_of(state: CardState, act: RecordComplaint | None) -> int:
    """The round that the complaint `act` names. The last round if the complaint names no round, or `act` is None."""
    return state.game.number if act is None or act.round is None else act.round


def is_heard(state: CardState, round_number: int) -> bool:
    """True while complaints about round `round_number` of the session are still permitted."""
    if not 1 <= round_number <= state.game.number or state.house.session is SessionPhase.CLOSED:
        return False
    if state.setup.procedure.complaints is ComplaintWindow.INSPECTOR_DECIDES:
        return True  # every incident of the session is settled (br.inc.1)
    return round_number > state.custody.heard_up_to


def close_by_mixing(before: CardStateT, after: CardStateT, _at_ms: TableMs) -> CardStateT:
    """Returns `after` with complaints about all earlier rounds closed if people have mixed the cards since `before`.
    Returns `after` unchanged otherwise.
    """
    is_over = before.house.session is not SessionPhase.MIXED and after.house.session is SessionPhase.MIXED
    return with_custody(after, heard_up_to=after.game.number) if is_over else after


def close_by_feeding(before: CardStateT, after: CardStateT, _at_ms: TableMs) -> CardStateT:
    """Returns `after` with complaints about rounds with cards in the rack closed if a card has gone from the rack into
    the machine since `before`. Returns `after` unchanged otherwise.
    """
    was, book = before.custody.book, after.custody.book
    went_in = book.rack < was.rack and book.inside > was.inside
    return with_custody(after, heard_up_to=_last_in_the_rack(after)) if went_in else after


def _last_in_the_rack(state: CardState) -> int:
    """The number of the last round with cards in the discard rack. An open round's cards are still on the table."""
    is_open = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING, RoundPhase.SETTLED}
    return state.game.number - 1 if is_open else state.game.number


def record_complaint(state: CardStateT, act: RecordComplaint, at_ms: TableMs) -> CardStateT:
    """The state with the complaint counted, and a hold until its decision. The same complaint raises its hold again."""
    state = with_tally(state, complaints=state.house.tally.complaints + 1)
    stands = () if act.bettor in (None, act.seat) else (("behind", str(act.bettor)),)
    about = (("seat", str(act.seat)), ("round", str(round_complained_of(state, act))), *stands)
    known = (one.details for one in holds_of(state, HoldKind.COMPLAINT) if one.details[:-1] == about)
    details = next(known, (*about, ("person", str(act.person))))
    return raise_hold(state, HoldKind.COMPLAINT, at_ms, details=details)


def complaints_owed(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a duty for each undecided complaint. Called when the session ends."""
    for complaint in holds_of(state, HoldKind.COMPLAINT):
        state = open_duty(state, DutyKind.REPORT_UNDECIDED_COMPLAINT, Role.ROOM_MANAGER, at_ms, complaint.details)
    return state


def decide_complaint(state: CardStateT, _act: DecideComplaint, _at_ms: TableMs) -> CardStateT:
    """The state without the hold of the oldest complaint."""
    oldest = holds_of(state, HoldKind.COMPLAINT)[:1]
    return end_holds(state, lambda hold: hold in oldest)


SEAT_EXISTS = ActGuard[CardState, RecordComplaint](
    "seats_exist",
    lambda state, act: 1 <= act.seat <= state.setup.seats,
    lambda state, _act: (("seats", str(state.setup.seats)),),
)
PLAYER_HAS_A_NUMBER = ActGuard[Any, Any](
    "player_has_a_number", lambda _state, act: act.bettor is None or 1 <= act.bettor <= MOST_PLAYERS
)
COMPLAINT_IS_IN_TIME = ActGuard[CardState, RecordComplaint](
    "complaint_is_in_time",
    lambda state, act: is_heard(state, round_complained_of(state, act)),
    lambda state, act: (("round", str(round_complained_of(state, act))),),
    possible=lambda state: is_heard(state, round_complained_of(state, None)),
)
COMPLAINT_IS_OPEN = Guard[CardState]("complaint_is_open", lambda state: bool(holds_of(state, HoldKind.COMPLAINT)))


def _is_the_authority(setup: Setup, role: Role) -> bool:
    return role is setup.procedure.incident_authority


def _hears_complaints(setup: Setup, role: Role) -> bool:
    """True if this role may decide complaints: the incident authority alone if the profile treats complaints as
    incidents (br.inc.1), else every role.
    """
    return setup.procedure.complaints is not ComplaintWindow.INSPECTOR_DECIDES or _is_the_authority(setup, role)


def _guard_of_posts(name: str, leaves: LeavesPost) -> ActGuard[CardState, Act]:
    """Returns a guard that permits an act only to the posts for which `leaves` is True."""
    return ActGuard[CardState, Act](
        name,
        lambda state, act: leaves(state.setup, act.role),
        lambda state, _act: (("authority", state.setup.procedure.incident_authority.value),),
        leaves=leaves,
    )


ACTOR_IS_THE_AUTHORITY = _guard_of_posts("actor_is_the_authority", _is_the_authority)
COMPLAINT_IS_FOR_THE_ACTOR = _guard_of_posts("complaint_is_for_the_actor", _hears_complaints)


COMPLAINT_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "record-complaint",
        RecordComplaint,
        DEALER_OR_CHIEF,
        record_complaint,
        (SEAT_EXISTS, PLAYER_HAS_A_NUMBER, COMPLAINT_IS_IN_TIME),
        undone=by("decide-complaint"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "decide-complaint",
        DecideComplaint,
        CHIEF,
        decide_complaint,
        (COMPLAINT_IS_OPEN, COMPLAINT_IS_FOR_THE_ACTOR),
        undone=never(Never.DECIDED),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
