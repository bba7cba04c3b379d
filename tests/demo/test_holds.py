"""Every kind of hold has a way out that the scripted people find, from any phase."""

import pytest

from controller.config.profile_file import law
from controller.core.engine.replacing import replace
from controller.core.words import Device, HoldKind, HoldPhase, Role, RoundPhase, SessionPhase
from simulators.devices.faults import Spot
from simulators.people import hands as h
from simulators.people.chief import supervise
from simulators.people.dealer import deal
from simulators.people.doing import Ask, Doing, Recall, Touch
from simulators.people.holds import MOVES, PATIENCE_S, next_statement
from simulators.people.manager import manage
from simulators.people.sight import Sight
from simulators.people.status import PresentPerson, ShownDuty
from simulators.people.technician import repair
from tests.demo.views import CHIEF, allowed, hold, status, step, table, view

K, P, S = HoldKind, HoldPhase, SessionPhase
CHIEF_HERE = PresentPerson(CHIEF, Role.CHIEF_SUPERVISOR, "hold")

NOT_PLAYED = {K.IRREGULAR_SPIN, K.MOVED_CHIPS, K.JACKPOT_OWED, K.JACKPOT_DOUBTED, K.LINKED_HIT}
"""The people of the demo play neither a wheel nor a jackpot yet."""

UNCOUNTED = hold(K.COUNT, P.ATTENDED, lacks="count_is_stated")
FOUR = (deal, supervise, repair, manage)
A_WAY_ON = {
    K.UNREAD_CARD: Sight(rack=1, table=table((1, "10H"))),
    K.COMPLAINT: Sight(rack=1, complaint=1),
    K.DAMAGED_CARD: Sight(rack=1, table=table((1, "10H")), damaged="10H"),
    K.DEVICE_LOST: Sight(rack=1, unplugged=(Device.SHOE,)),
    K.JAM: Sight(rack=1, jammed=1, stuck_at=Spot.MOUTH, jam_shown=True),
    K.LID: Sight(rack=1, lid_open=True),
    K.UNEXPECTED_CARD: Sight(rack=1, aside=1),
    K.COUNT: Sight(rack=1),
    K.SUPERVISOR_ABSENT: Sight(rack=1),
    K.JOURNAL_FAULT: Sight(rack=1),
    K.RULING: Sight(rack=1),
}


def words(doing: Doing) -> object:
    return doing.words if isinstance(doing, Ask) else doing


def test_every_kind_that_the_people_meet_has_a_way_on() -> None:
    assert set(HoldKind) - A_WAY_ON.keys() == NOT_PLAYED


@pytest.mark.parametrize("kind", A_WAY_ON)
@pytest.mark.parametrize("phase", [P.RAISED, P.ATTENDED, P.CLEARED])
def test_somebody_always_knows_what_to_do(kind: HoldKind, phase: HoldPhase) -> None:
    shown = status(round_=RoundPhase.DEALING, holds=(hold(kind, phase, device="shoe", about={"card": "10H"}),))
    look = view(shown, A_WAY_ON[kind])
    assert any(person(look) for person in FOUR)


@pytest.mark.parametrize("kind", HoldKind)
def test_when_nothing_helps_the_session_ends_irregular(kind: HoldKind) -> None:
    """The only exit from an unresolvable hold; each step is refused here, and time passes."""
    shown = status(
        holds=(hold(kind, P.CLEARED),), next=allowed("propose-irregular-closing", "confirm-irregular-closing")
    )
    look = view(shown, Sight(rack=2), quiet_s=PATIENCE_S)
    assert words(supervise(look)) == ("propose-irregular-closing",)
    assert words(manage(look)) == ("confirm-irregular-closing",)


# --- a jam


def jam(
    phase: HoldPhase, sight: Sight, counts: dict[str, int], session: SessionPhase = S.IN_PLAY, **more: object
) -> Doing:
    round_ = RoundPhase.DEALING if session is S.IN_PLAY else RoundPhase.IDLE
    shown = status(session, round_, holds=(hold(K.JAM, phase),), counts=counts, present=(CHIEF_HERE,))
    return supervise(view(shown, sight, **more))


BOOK = {"inside": 305, "rack": 1, "table": 5, "jammed": 1}
LAID = table(*[(1, "2C")] * 5)


def test_a_jam_goes_step_by_step() -> None:
    stuck = Sight(rack=1, table=LAID, jammed=1, stuck_at=Spot.MOUTH)
    assert words(jam(P.RAISED, stuck, BOOK)) == ("attend-hold", "hold=H1")
    assert jam(P.ATTENDED, stuck, BOOK) == Touch(h.AtShuffler.OPEN_LID)
    opened = Sight(rack=1, table=LAID, jammed=1, stuck_at=Spot.MOUTH, lid_open=True)
    assert jam(P.ATTENDED, opened, BOOK) == Touch(h.FreeJam(h.FreedTo.RACK))
    freed = Sight(rack=2, table=LAID, lid_open=True)
    assert jam(P.ATTENDED, freed, BOOK) == Touch(h.AtShuffler.CLOSE_LID)
    closed = Sight(rack=2, table=LAID)
    assert words(jam(P.ATTENDED, closed, BOOK)) == ("state-cards-moved", "count=1", "source=jammed", "target=rack")
    stated = {"inside": 305, "rack": 2, "table": 5}
    assert words(jam(P.ATTENDED, closed, stated)) == ("clear-hold", "hold=H1")
    assert words(jam(P.CLEARED, closed, stated)) == ("confirm-hold", "hold=H1")


def test_killed_in_the_middle_a_jam_goes_on_from_what_is_so() -> None:
    """The lid is open, the card in the rack, and no person attends any more: exactly the missing steps follow."""
    freed = Sight(rack=2, table=LAID, lid_open=True)
    assert words(jam(P.RAISED, freed, BOOK)) == ("attend-hold", "hold=H1")
    assert jam(P.ATTENDED, freed, BOOK) == Touch(h.AtShuffler.CLOSE_LID)


@pytest.mark.parametrize(
    ("session", "spot", "to"),
    [
        (S.LOADING, Spot.FEED, h.FreedTo.PACKET),
        (S.LOADING, Spot.CAROUSEL, h.FreedTo.INSIDE),
        (S.TAKING_OUT, Spot.MOUTH, h.FreedTo.OUTSIDE),
        (S.IN_PLAY, Spot.FEED, h.FreedTo.RACK),
        (S.UNLOADING, Spot.MOUTH, h.FreedTo.RACK),
    ],
)
def test_a_freed_card_goes_where_its_like_lie(session: SessionPhase, spot: Spot, to: h.FreedTo) -> None:
    sight = Sight(jammed=1, stuck_at=spot, lid_open=True)
    assert jam(P.ATTENDED, sight, {"inside": 311, "jammed": 1}, session) == Touch(h.FreeJam(to))


def test_a_card_put_back_into_its_slot_is_said_to_be_inside() -> None:
    doing = jam(P.ATTENDED, Sight(rack=1, table=LAID), BOOK)
    assert words(doing) == ("state-cards-moved", "count=1", "source=jammed", "target=inside")


def test_nobody_states_what_may_only_be_late() -> None:
    """A dealt card is still on its way into the book: the difference is not only the jammed card."""
    late = Sight(rack=2, table=table(*[(1, "2C")] * 6))
    assert words(jam(P.ATTENDED, late, BOOK)) == ("clear-hold", "hold=H1")


def test_what_is_broken_waits_for_the_technician() -> None:
    broken = Sight(rack=2, table=LAID, broken=True)
    assert words(jam(P.ATTENDED, broken, BOOK)) == ("call-technician", "hold=H1")
    called = Recall(last_done="call-technician")
    assert jam(P.ATTENDED, broken, BOOK, recall=called) == Touch(h.AtTable.CALL_TECHNICIAN_OVER)
    shown = status(holds=(hold(K.JAM, P.ATTENDED),))
    here = Sight(rack=2, broken=True, technician_here=True)
    assert repair(view(shown, here)) == Touch(h.AtTable.REPAIR_MACHINE)
    mended = Sight(rack=2, technician_here=True)
    due = status(holds=(hold(K.JAM, P.ATTENDED, plan=[step("attest-repair")]),))
    assert words(repair(view(due, mended))) == ("attest-repair", "hold=H1")
    done = status(holds=(hold(K.JAM, P.ATTENDED, plan=[]),))
    assert repair(view(done, mended)) is None
    assert repair(view(status(), mended)) == Touch(h.AtTable.TECHNICIAN_LEAVES)


def test_counts_that_do_not_agree_are_counted() -> None:
    """The chief waits until nothing moves, then states the cards in sight; a count that lacks a card is not stated."""
    shown = status(
        holds=(UNCOUNTED,),
        counts={"inside": 312, "rack": 0},
        present=(CHIEF_HERE,),
    )
    sight = Sight(rack=1, shown_inside=311)
    assert supervise(view(shown, sight)) is None
    counted = supervise(view(shown, sight, quiet_s=1.0))
    assert words(counted) == ("state-count", "in_hand=0", "outside=0", "pending=0", "rack=1", "table=0")
    missing = Sight(rack=0, shown_inside=311)
    assert supervise(view(shown, missing, quiet_s=1.0)) is None, "a count that is not whole is not stated"


def test_a_burnt_card_that_was_not_collected_with_its_round_is_collected_before_the_count() -> None:
    """The book has the card in the rack (mo.4.2); in its own place no supervised count covers it."""
    shown = status(
        round_=RoundPhase.PUTTING_BACK,
        holds=(UNCOUNTED,),
        counts={"inside": 311, "rack": 1},
    )
    shown = replace(shown, present=(CHIEF_HERE,))
    macau = law("mo-csm").procedure
    left = view(shown, Sight(burnt=1, shown_inside=311), quiet_s=1.0, procedure=macau)
    assert supervise(left) == Touch(h.CollectTable(1, 1))
    kept = view(shown, Sight(burnt=1, shown_inside=311), quiet_s=1.0, procedure=law("mo-box").procedure)
    assert supervise(kept) is None, "a count that the table would not find whole is not stated"


def test_cards_that_the_book_does_not_know_on_the_table_leave_it_before_the_count() -> None:
    shown = status(holds=(UNCOUNTED,), counts={"inside": 312}, present=(CHIEF_HERE,))
    sight = Sight(table=table((1, "2C")), shown_inside=311)
    assert supervise(view(shown, sight, quiet_s=1.0)) == Touch(h.TakeOffTable(1))


def test_a_card_that_belongs_to_nobody_goes_to_the_rack() -> None:
    book = {"inside": 310, "rack": 1, "pending": 1}
    shown = status(holds=(hold(K.UNEXPECTED_CARD, P.ATTENDED),), counts=book, present=(CHIEF_HERE,))
    assert supervise(view(shown, Sight(rack=1, aside=1))) == Touch(h.TidyAside())
    stated = supervise(view(shown, Sight(rack=2)))
    assert words(stated) == ("state-cards-moved", "count=1", "source=pending", "target=rack")


def test_a_card_laid_as_owed_that_the_book_calls_pending_is_taken_off_again() -> None:
    book = {"inside": 310, "rack": 1, "pending": 1}
    shown = status(holds=(hold(K.UNEXPECTED_CARD, P.ATTENDED),), counts=book, present=(CHIEF_HERE,))
    sight = Sight(rack=1, table=table((1, "2C")))
    assert supervise(view(shown, sight, quiet_s=1.0)) == Touch(h.TakeOffTable(1))


# --- other kinds


def test_a_lost_device_is_plugged_in_by_the_technician_and_confirmed_by_the_chief_supervisor() -> None:
    lost = hold(K.DEVICE_LOST, device="shoe")
    out = Sight(rack=1, unplugged=(Device.SHOE,))
    assert words(repair(view(status(holds=(lost,)), out))) == ("attend-hold", "hold=H1")
    attended = status(holds=(hold(K.DEVICE_LOST, P.ATTENDED, device="shoe"),))
    assert repair(view(attended, out)) == Touch(h.Plug(Device.SHOE))
    assert words(repair(view(attended, Sight(rack=1)))) == ("clear-hold", "hold=H1")
    cleared = status(holds=(hold(K.DEVICE_LOST, P.CLEARED, device="shoe"),))
    assert words(supervise(view(cleared, Sight(rack=1)))) == ("confirm-hold", "hold=H1")


def test_the_damaged_card_is_swapped_and_then_said_to_be() -> None:
    shown = status(
        round_=RoundPhase.DEALING,
        holds=(hold(K.DAMAGED_CARD, P.ATTENDED, about={"card": "10H"}),),
        counts={"inside": 310, "rack": 1, "table": 1},
        present=(CHIEF_HERE,),
    )
    damaged = Sight(rack=1, table=table((1, "10H")), damaged="10H")
    assert supervise(view(shown, damaged)) == Touch(h.AtTable.SWAP_DAMAGED)
    swapped = Sight(rack=1, table=table((1, "10H")), withdrawn=1)
    assert words(supervise(view(shown, swapped))) == ("replace-card", "replacement=10H")


def test_a_player_is_heard_before_the_complaint_is_decided() -> None:
    shown = status(round_=RoundPhase.COLLECTED, holds=(hold(K.COMPLAINT),))
    assert supervise(view(shown, Sight(rack=1, complaint=1))) == Touch(h.AtTable.HEAR_PLAYER)
    assert words(supervise(view(shown, Sight(rack=1))))[0] == "decide-complaint"


@pytest.mark.parametrize(("session", "operation"), [(S.LOADING, "loading"), (S.UNLOADING, "unloading")])
def test_an_absent_supervisor_comes_back_for_what_goes_on(session: SessionPhase, operation: str) -> None:
    shown = status(
        session, holds=(hold(K.SUPERVISOR_ABSENT, plan=[step("sign-in", operation=operation)]),), counts={"inside": 312}
    )
    assert words(supervise(view(shown))) == ("sign-in", f"operation={operation}")


def test_a_hold_that_is_not_recorded_yet_is_left_alone() -> None:
    shown = status(holds=(hold(K.JAM, recorded=False),))
    assert supervise(view(shown)) is None


def test_decks_that_are_irregular_in_truth_are_closed_by_two_people() -> None:
    shown = status(
        S.CHECKING, holds=(hold(K.COUNT),), present=(PresentPerson(CHIEF, Role.CHIEF_SUPERVISOR, "unloading"),)
    )
    assert words(supervise(view(shown, Sight(outside=311, faces=(("AS", 5),))))) == ("propose-irregular-closing",)


def test_duties_are_reported_when_the_table_has_closed() -> None:
    duties = (ShownDuty("D3", "report-damaged-card"),)
    acts = allowed("report-duty")
    assert manage(view(status(duties=duties, next=acts))) is None
    closed = manage(view(status(S.CLOSED, duties=duties, next=acts)))
    assert words(closed) == ("report-duty", "duty=D3", "reference=SRIJ 1/D3")


def test_statements_are_among_those_that_the_core_takes() -> None:
    from controller.core.custody.counting import MOVES as TAKEN  # the table that decides

    known = {(source.value, target.value) for source, targets in TAKEN.items() for target in targets}
    assert {(source, target) for source, targets in MOVES.items() for target in targets} <= known


def test_a_statement_never_moves_more_than_is_there() -> None:
    assert next_statement({"jammed": 1}, {"jammed": -1, "rack": 3, "inside": -2}) == ("jammed", "rack", 1)
    assert next_statement({}, {"inside": -1, "table": 1}) is None
