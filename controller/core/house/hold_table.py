"""Holds: the state machine of each hold, and the row of each kind. A hold is a standing reason why play may not go on.

Several holds are open at once and end in any order; session and round keep their steps meanwhile. A fact *raises* a
hold. A permitted person *attends* it. It is *cleared* when the cause is gone (the device agrees), and it is *ended*
when a permitted person confirms, with the evidence of its row. If the same cause comes again, the hold goes back to
raised. Some kinds end by one act of their own (`ended_by`). Each kind has one row below, with its prohibitions, posts
and evidence. The steps for people are in the catalogue under its name.
"""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.words import Device, HoldKind, HoldPhase, Permission, Role

H = HoldPhase
P = Permission


@unique
class HoldTrigger(StrEnum):
    ATTENDED = "attended"
    CLEARED = "cleared"
    CONFIRMED = "confirmed"
    RECURRED = "recurred"
    RESOLVED = "resolved"  # by the act that ends its kind, or by an irregular closing


T = HoldTrigger

HOLD = ProcedureMachine(
    "hold",
    [
        Row(T.ATTENDED, H.RAISED, H.ATTENDED),
        Row(T.ATTENDED, H.ATTENDED, H.ATTENDED),
        Row(T.ATTENDED, H.CLEARED, H.ATTENDED),  # attended again, since work was left
        Row(T.CLEARED, H.ATTENDED, H.CLEARED),
        Row(T.CONFIRMED, H.CLEARED, H.ENDED),
        Row(T.RECURRED, H.RAISED, H.RAISED),
        Row(T.RECURRED, H.ATTENDED, H.RAISED),
        Row(T.RECURRED, H.CLEARED, H.RAISED),
        Row(T.RESOLVED, H.RAISED, H.ENDED),
        Row(T.RESOLVED, H.ATTENDED, H.ENDED),
        Row(T.RESOLVED, H.CLEARED, H.ENDED),
    ],
    initial=H.RAISED,
    final=(H.ENDED,),
)


@unique
class Evidence(StrEnum):
    """The statements that must be true before a hold is cleared or confirmed. Each has a guard of the same name."""

    PATH_IS_CLEAR = "path_is_clear"
    LID_IS_CLOSED = "lid_is_closed"
    JAMMED_CARDS_ARE_STATED = "jammed_cards_are_stated"
    NO_CARD_IS_IN_HAND = "no_card_is_in_hand"
    NO_CARD_IS_PENDING = "no_card_is_pending"
    DEVICE_IS_CONNECTED = "device_is_connected"
    DEVICE_OBEYS = "device_obeys"
    DEVICE_RUNS_AGAIN = "device_runs_again"
    RECOUNT_IS_DONE = "recount_is_done"
    COUNT_IS_STATED = "count_is_stated"
    COUNTS_AGREE = "counts_agree"
    CARD_IS_REPLACED = "card_is_replaced"
    JOURNAL_IS_WRITING = "journal_is_writing"
    OUTAGE_IS_STATED = "outage_is_stated"
    FACES_ARE_POSSIBLE = "faces_are_possible"
    DOUBTED_CARDS_ARE_NAMED = "doubted_cards_are_named"


E = Evidence


class HoldRule(Struct, frozen=True, gc=False):
    """The row of one kind of hold: the permissions that it takes away, the posts for each step, the evidence."""

    kind: HoldKind
    forbids: tuple[Permission, ...]
    attend: tuple[Role, ...] = ()
    clear: tuple[Role, ...] = ()
    to_clear: tuple[Evidence, ...] = ()
    confirm: tuple[Role, ...] = ()
    to_confirm: tuple[Evidence, ...] = ()
    recounts_on: HoldTrigger | None = None  # the step at which the shuffler is asked to count its own slots
    lights_lamp: bool = False
    of_a_device: bool = False  # its cause is a faulty device
    opens_machine: bool = False  # the person who attends it has the machine open, with hands in it
    tells_of_cards: bool = False  # cards have moved unknown to the table
    unresolvable: bool = False  # its row may be unable to end it: then the session is closed irregularly
    outlives_session: bool = False  # it stays open after the session
    answered_by_deck_check: bool = False
    each_its_own: bool = False  # with other details it is another hold, not the same one again
    ended_by: tuple[Role, ...] = ()  # posts for the one act that ends it: naming the card, deciding, signing in
    priority: int = 1  # 1: cards or record in doubt, play stands; 2: play waits for a person; 3: others


_ALL = (P.DRAW, P.FEED, P.UNLOAD, P.BET, P.PUT_BACK, P.CLOSE)
_CHIEF = (Role.CHIEF_SUPERVISOR,)
_CHIEF_OR_TECHNICIAN = (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
_HANDS_EMPTY_COUNTS_AGREE = (E.NO_CARD_IS_IN_HAND, E.COUNTS_AGREE)

HOLD_RULES: tuple[HoldRule, ...] = (
    HoldRule(
        HoldKind.JAM,
        _ALL,
        _CHIEF,
        _CHIEF_OR_TECHNICIAN,
        (E.PATH_IS_CLEAR, E.LID_IS_CLOSED, E.JAMMED_CARDS_ARE_STATED, E.NO_CARD_IS_IN_HAND),
        _CHIEF,
        (E.PATH_IS_CLEAR, E.LID_IS_CLOSED, E.DEVICE_RUNS_AGAIN, E.RECOUNT_IS_DONE, *_HANDS_EMPTY_COUNTS_AGREE),
        recounts_on=T.CLEARED,
        lights_lamp=True,
        of_a_device=True,
        opens_machine=True,
        unresolvable=True,
        outlives_session=True,
    ),
    HoldRule(
        HoldKind.LID,
        _ALL,
        _CHIEF,
        _CHIEF,
        (E.LID_IS_CLOSED, E.NO_CARD_IS_IN_HAND),
        _CHIEF,
        (E.LID_IS_CLOSED, E.RECOUNT_IS_DONE, *_HANDS_EMPTY_COUNTS_AGREE),
        recounts_on=T.CLEARED,
        lights_lamp=True,
        of_a_device=True,
        opens_machine=True,
        unresolvable=True,
        outlives_session=True,
    ),
    HoldRule(
        # The feed stays possible, since a found card is put back through it.
        HoldKind.COUNT,
        (P.DRAW, P.UNLOAD, P.BET, P.CLOSE),
        _CHIEF,
        _CHIEF,
        (E.RECOUNT_IS_DONE, E.OUTAGE_IS_STATED, E.COUNT_IS_STATED, E.NO_CARD_IS_IN_HAND),
        _CHIEF,
        _HANDS_EMPTY_COUNTS_AGREE,
        recounts_on=T.ATTENDED,
        tells_of_cards=True,
        unresolvable=True,
        answered_by_deck_check=True,
    ),
    HoldRule(
        HoldKind.UNEXPECTED_CARD,
        _ALL,
        _CHIEF,
        _CHIEF,
        (
            *(E.OUTAGE_IS_STATED, E.NO_CARD_IS_PENDING, E.COUNT_IS_STATED),
            *(E.DOUBTED_CARDS_ARE_NAMED, E.FACES_ARE_POSSIBLE, E.NO_CARD_IS_IN_HAND),
        ),
        _CHIEF,
        _HANDS_EMPTY_COUNTS_AGREE,
        tells_of_cards=True,
        unresolvable=True,
    ),
    HoldRule(
        # This hold cannot be ended where the card is gone without a name.
        HoldKind.UNREAD_CARD,
        (P.DRAW, P.BET, P.PUT_BACK, P.CLOSE),
        ended_by=(Role.DEALER,),
        unresolvable=True,
        priority=2,
    ),
    HoldRule(
        # This hold cannot be ended without a spare card of the same kind.
        HoldKind.DAMAGED_CARD,
        (P.DRAW, P.FEED, P.BET, P.PUT_BACK, P.CLOSE),
        _CHIEF,
        _CHIEF,
        (E.CARD_IS_REPLACED,),
        _CHIEF,
        (E.CARD_IS_REPLACED, E.NO_CARD_IS_IN_HAND),
        unresolvable=True,
        priority=2,
    ),
    HoldRule(
        HoldKind.DEVICE_LOST,
        _ALL,
        _CHIEF_OR_TECHNICIAN,
        _CHIEF_OR_TECHNICIAN,
        (E.DEVICE_IS_CONNECTED, E.DEVICE_OBEYS),
        _CHIEF,
        (E.DEVICE_IS_CONNECTED, E.DEVICE_OBEYS, *_HANDS_EMPTY_COUNTS_AGREE),
        of_a_device=True,
        unresolvable=True,
        outlives_session=True,
    ),
    HoldRule(HoldKind.COMPLAINT, (P.PUT_BACK, P.CLOSE), ended_by=_CHIEF, each_its_own=True, priority=2),
    HoldRule(HoldKind.SUPERVISOR_ABSENT, (P.FEED, P.UNLOAD), ended_by=_CHIEF, priority=3),
    HoldRule(
        HoldKind.JOURNAL_FAULT,
        _ALL,
        _CHIEF_OR_TECHNICIAN,
        _CHIEF_OR_TECHNICIAN,
        (E.JOURNAL_IS_WRITING,),
        _CHIEF,
        (E.JOURNAL_IS_WRITING, *_HANDS_EMPTY_COUNTS_AGREE),
        unresolvable=True,
        outlives_session=True,
    ),
    HoldRule(HoldKind.IRREGULAR_SPIN, (P.BET, P.CLOSE), ended_by=_CHIEF, priority=2),
    HoldRule(HoldKind.MOVED_CHIPS, (P.BET, P.CLOSE), ended_by=_CHIEF, priority=2),
    HoldRule(
        HoldKind.JACKPOT_OWED,
        (P.PUT_BACK, P.CLOSE),
        ended_by=(Role.DEALER, *_CHIEF),
        outlives_session=True,
        priority=2,
    ),
    HoldRule(
        HoldKind.LINKED_HIT,
        (P.BET, P.PUT_BACK, P.CLOSE),
        ended_by=(Role.DEALER, *_CHIEF, Role.ROOM_MANAGER),
        outlives_session=True,
        priority=2,
    ),
    HoldRule(  # The table plays on; no bet is taken on a pool in doubt.
        HoldKind.JACKPOT_DOUBTED,
        (),
        ended_by=(*_CHIEF, Role.ROOM_MANAGER),
        outlives_session=True,
        priority=3,
    ),
    HoldRule(HoldKind.RULING, _ALL, ended_by=(Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR), priority=2),
)


_NO_READER_IS_NEEDED = (P.UNLOAD, P.CLOSE)
"""Permissions that a lost reader does not take away: unloading, and a deck check by the dealer's grid."""


def forbids(kind: HoldKind, device: Device | None, permission: Permission) -> bool:
    """True if a hold of this kind, at this device, takes this permission away. For a lost card reader, unloading and
    closing stay possible.
    """
    is_needless = is_reader_lost(kind, device) and permission in _NO_READER_IS_NEEDED
    return permission in hold_rule(kind).forbids and not is_needless


def is_reader_lost(kind: HoldKind, device: Device | None) -> bool:
    """True if a hold of this kind, at this device, means that the card reader is lost."""
    return kind is HoldKind.DEVICE_LOST and device is Device.SHOE


def hold_rule(kind: HoldKind) -> HoldRule:
    """The row of this kind of hold."""
    return next(rule for rule in HOLD_RULES if rule.kind is kind)
