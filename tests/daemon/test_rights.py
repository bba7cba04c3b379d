"""A right belongs to one connection and one purpose, and ends with either."""

import asyncio
import socket

import pytest

from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.state import Hold, Presence
from controller.core.words import HoldId, HoldKind, HoldPhase, Operation, Person, Role, SessionPhase, TableMs
from controller.daemon.limits import terminal_of
from controller.daemon.rights import IDLE_S, Right, Rights, end_of, is_for, is_purpose, serves_shared
from controller.daemon.server import Client
from tests.core.table import SETUP

DEALER, OTHER, CHIEF = Person(11), Person(12), Person(21)


@pytest.fixture
def state() -> BlackjackState:
    """The state of a closed table without people."""
    return initial_state(SETUP)


def held(state: BlackjackState) -> BlackjackState:
    return replace(
        state, house=replace(state.house, holds=(Hold(HoldId(6), HoldKind.JAM, HoldPhase.RAISED, TableMs(0)),))
    )


def at_table(state: BlackjackState, person: Person) -> BlackjackState:
    return replace(
        state,
        house=replace(state.house, present=(Presence(person, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(0)),)),
    )


@pytest.mark.parametrize(
    ("purpose", "role", "expected"),
    [
        ("table", Role.DEALER, True),
        ("table", Role.CHIEF_SUPERVISOR, False),
        ("loading", Role.CHIEF_SUPERVISOR, True),
        ("loading", Role.DEALER, False),
        ("H6", Role.TECHNICIAN, True),
        ("H6", Role.DEALER, False),
        ("H", Role.CHIEF_SUPERVISOR, False),
        ("look", Role.REGULATOR, True),
        ("", Role.CHIEF_SUPERVISOR, False),
        ("everything", Role.CHIEF_SUPERVISOR, False),
    ],
)
def test_what_somebody_can_sign_in_for(purpose: str, role: Role, *, expected: bool) -> None:
    assert is_purpose(purpose, role) is expected


def test_a_right_for_a_hold_ends_with_that_hold(state: BlackjackState) -> None:
    right = Right(CHIEF, Role.CHIEF_SUPERVISOR, "H6", 0.0)
    assert end_of(right, held(state), 1.0) is None
    assert end_of(right, state, 1.0) == "over"


def test_three_idle_minutes_end_a_right_but_not_the_dealers(state: BlackjackState) -> None:
    chief, dealer = Right(CHIEF, Role.CHIEF_SUPERVISOR, "H6", 0.0), Right(DEALER, Role.DEALER, "table", 0.0)
    assert end_of(chief, held(state), IDLE_S - 0.1) is None
    assert end_of(chief, held(state), IDLE_S) == "idle"
    assert end_of(dealer, at_table(state, DEALER), 100 * IDLE_S) is None


def test_a_dealer_who_never_takes_the_post_is_signed_out_after_three_idle_minutes(state: BlackjackState) -> None:
    right = Right(DEALER, Role.DEALER, "table", 0.0)
    for table in (state, at_table(state, OTHER)):
        assert end_of(right, table, IDLE_S - 0.1) is None
        assert end_of(right, table, IDLE_S) == "idle"
    right.used_s = IDLE_S
    assert end_of(right, state, 2 * IDLE_S - 0.1) is None, "each use renews the minutes"


def test_a_dealer_who_is_relieved_is_signed_out(state: BlackjackState) -> None:
    right = Right(DEALER, Role.DEALER, "table", 0.0)
    assert end_of(right, at_table(state, OTHER), 1.0) is None, "he comes to relieve the other"
    assert end_of(right, at_table(state, DEALER), 1.0) is None
    assert end_of(right, at_table(state, OTHER), 2.0) == "relieved"


def test_a_right_for_the_loading_ends_once_it_is_done(state: BlackjackState) -> None:
    right = Right(CHIEF, Role.CHIEF_SUPERVISOR, "loading", 0.0)
    assert end_of(right, replace(state, house=replace(state.house, session=SessionPhase.MIXED)), 1.0) is None
    assert end_of(right, replace(state, house=replace(state.house, session=SessionPhase.LOADING)), 1.0) is None
    assert end_of(right, replace(state, house=replace(state.house, session=SessionPhase.LOADED)), 1.0) == "over"


def test_a_right_for_one_hold_says_nothing_of_another() -> None:
    right = Right(CHIEF, Role.CHIEF_SUPERVISOR, "H6", 0.0)
    assert is_for(right, {"hold": "H6"})
    assert is_for(right, {"hold": "6"})
    assert is_for(right, {"source": "jammed"})
    assert not is_for(right, {"hold": "H7"})
    assert not is_for(Right(CHIEF, Role.CHIEF_SUPERVISOR, "look", 0.0), {"hold": "H7"})
    assert is_for(Right(DEALER, Role.DEALER, "table", 0.0), {"hold": "H7"})


@pytest.mark.parametrize(
    ("purpose", "manner", "money", "values", "serves"),
    [
        ("H6", Manner.DECIDES, Money.NONE, {"hold": "H6"}, True),
        ("H6", Manner.DOES, Money.SEEN, {"source": "jammed"}, True),
        ("H6", Manner.DOES, Money.CORRECTED, {"card": "5C"}, False),  # the first half of a correction
        ("H6", Manner.DOES, Money.NONE, {"hold": "H7"}, False),
        ("H6", Manner.DECIDES, Money.RULED, {}, False),  # a ruling is another matter
        ("H6", Manner.DECIDES, Money.NONE, {"hold": "H7"}, False),
        ("H6", Manner.ATTESTS, Money.NONE, {"hold": "H6"}, False),
        ("loading", Manner.DOES, Money.NONE, {}, False),
        ("loading", Manner.DECIDES, Money.NONE, {}, False),
        ("look", Manner.DECIDES, Money.NONE, {}, False),
    ],
)
def test_where_others_touch_the_screen_a_right_serves_its_own_hold(
    purpose: str, manner: Manner, money: Money, values: dict[str, str], *, serves: bool
) -> None:
    assert serves_shared(Right(CHIEF, Role.CHIEF_SUPERVISOR, purpose, 0.0), manner, money, values) is serves


@pytest.mark.parametrize("operation", ["loading", "unloading"])
def test_whoever_watches_an_operation_needs_no_other_right_for_what_interrupts_it(operation: str) -> None:
    assert is_for(Right(CHIEF, Role.CHIEF_SUPERVISOR, operation, 0.0), {"hold": "H7"})


@pytest.mark.waits
@pytest.mark.parametrize(
    ("person", "screen", "renews"), [(CHIEF, "table", True), (OTHER, "table", False), (CHIEF, "panel-a", False)]
)
def test_a_credential_for_one_act_renews_that_persons_sign_in_at_the_same_screen(
    person: Person, screen: str, *, renews: bool
) -> None:
    right = Right(CHIEF, Role.CHIEF_SUPERVISOR, "H6", 0.0, terminal_of(0, "table"))

    async def go() -> None:
        here, there = socket.socketpair()
        _reader, writer = await asyncio.open_connection(sock=here)
        rights = Rights()
        rights.give(Client(writer, 1, 0, 0), right)
        rights.used_by(person, terminal_of(0, screen), 100.0)
        writer.close()
        there.close()

    asyncio.run(go())
    assert (right.used_s > 0) is renews
