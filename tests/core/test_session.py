"""The session of pt-csm through the core: opening, rounds, closing, and each refusal with its clause."""

from collections.abc import Callable

import pytest

from controller.core.custody.closing import (
    BeginUnloading,
    CompleteUnloading,
    ConfirmIrregularClosing,
    ProposeIrregularClosing,
)
from controller.core.custody.deck_check import ConfirmDeckCheck, EnterGrid
from controller.core.custody.desired import of_shuffler
from controller.core.custody.mixing import ConfirmMixing
from controller.core.custody.opening import (
    BeginLoading,
    CompleteLoading,
    ConfirmDisplay,
    ConfirmTakenOut,
    NumberDeckSet,
    OpenPacket,
    TakeOutLoading,
)
from controller.core.custody.putting_back import CollectCards, LeaveInRack
from controller.core.custody.state import FOREIGN
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.attendance import SignIn, SignOut
from controller.core.house.duties import ReportDuty
from controller.core.house.plain_session import IndicateClosing, OpenSession
from controller.core.words import Closing, HoldKind, Operation, Person, Role, RoundPhase, SessionPhase
from tests.core.table import CHIEF, DEALER, INSPECTOR, MANAGER, SETUP, CoreTable


@pytest.fixture
def table() -> CoreTable:
    return CoreTable()


def test_a_whole_session_accounts_for_every_card(table: CoreTable) -> None:
    table.open()
    assert (table.state.house.session, table.state.custody.book.inside, table.state.custody.book.rack) == (
        SessionPhase.IN_PLAY,
        311,
        1,
    )
    table.deal(1, 3, 5)
    assert table.state.game.phase is RoundPhase.PLAYING
    assert [(d.seat, d.purpose.value) for d in table.state.game.dealt] == [
        (1, "seat"), (3, "seat"), (5, "seat"), (0, "bank"), (1, "seat"), (3, "seat"), (5, "seat"), (0, "hole"),
    ]  # fmt: skip
    table.act(DrawCard, DEALER, seat=3)
    table.draw()
    table.finish_round()
    assert (table.state.custody.book.inside, table.state.custody.book.rack, table.state.game.phase) == (
        312,
        0,
        RoundPhase.IDLE,
    )
    table.close()
    assert (table.state.house.session, table.state.house.last_closing) == (SessionPhase.CLOSED, Closing.REGULAR)
    assert (table.state.house.tally.burned, table.state.house.tally.rounds, table.state.house.tally.loads) == (1, 1, 1)
    assert not table.state.house.holds
    assert table.state.house.closing_final


def test_the_burn_is_not_repeated(table: CoreTable) -> None:
    table.open()
    for _ in range(2):
        table.deal(2)
        table.finish_round()
    assert table.state.house.tally.burned == 1


def test_a_round_needs_the_burn_first(table: CoreTable) -> None:
    """Clause: pt.bj.10."""
    table.connect()
    table.display_and_mix()
    table.load(156, 156)
    table.act(CompleteLoading, DEALER)
    table.act(TakeBets, DEALER, seats=(1,))
    assert table.refuse(AnnounceNoMoreBets, DEALER) == "burn_is_done"


def test_loading_needs_the_chief_supervisor(table: CoreTable) -> None:
    """Clause: pt.bj.54d."""
    table.connect()
    table.display_and_mix()
    assert table.refuse(BeginLoading, DEALER) == "supervisor_is_present_for_loading"
    table.act(SignIn, INSPECTOR, operation=Operation.LOADING)
    assert table.refuse(BeginLoading, DEALER) == "supervisor_is_present_for_loading"


def test_the_order_of_display_mixing_and_loading(table: CoreTable) -> None:
    """Clauses: pt.bj.53a, pt.bj.53b."""
    table.connect()
    table.act(SignIn, DEALER, operation=Operation.TABLE)
    table.act(OpenSession, DEALER)
    assert table.refuse(ConfirmDisplay, DEALER) == "deck_set_is_numbered"
    table.act(NumberDeckSet, CHIEF, deck_set=1)
    assert table.refuse(ConfirmMixing, DEALER) == "display_is_confirmed"
    assert table.refuse(BeginLoading, DEALER) == "display_is_confirmed"
    table.act(ConfirmDisplay, DEALER)
    assert table.refuse(BeginLoading, DEALER) == "mixing_is_confirmed"


def test_one_packet_is_refused_taken_out_and_loaded_again(table: CoreTable) -> None:
    """Clauses: pt.bj.54b, pt.bj.54c."""
    table.connect()
    table.display_and_mix()
    table.load(312)
    assert table.refuse(CompleteLoading, DEALER) == "packets_are_enough"
    table.act(TakeOutLoading, CHIEF)
    while table.status.inside:
        table.unload_one()
    table.act(ConfirmTakenOut, CHIEF)
    table.load(200, 112)
    table.act(CompleteLoading, DEALER)
    assert (table.state.house.tally.loads, table.state.house.tally.failed_loads) == (1, 1)


def test_a_card_short_is_refused_with_both_figures(table: CoreTable) -> None:
    table.connect()
    table.display_and_mix()
    table.load(156, 155)
    assert table.refuse(CompleteLoading, DEALER) == "cards_are_all_loaded"
    assert table.last is not None
    assert table.last.refusal is not None
    assert dict(table.last.refusal.values) == {"counted": "311", "expected": "312", "difference": "-1"}


def test_one_loading_a_session(table: CoreTable) -> None:
    """Clause: pt.bj.54c."""
    table.open()
    table.deal(1)
    table.finish_round()
    table.act(SignIn, CHIEF, operation=Operation.LOADING)
    assert table.refuse(BeginLoading, DEALER) == "loading_is_not_done_yet"


@pytest.mark.parametrize("loads", [0, 2])
def test_how_often_the_machine_is_loaded_is_the_profiles_figure(loads: int) -> None:
    """pt.bj.54c: the figure 0 means that the law names no number of loadings."""
    table = CoreTable(replace(SETUP, parameters=replace(SETUP.parameters, loads_per_session=loads)))
    table.open()
    table.act(SignIn, CHIEF, operation=Operation.LOADING)
    assert table.refuse(BeginLoading, DEALER) == "session_is_at_this_step"


def test_unloading_needs_closing_and_the_chief_supervisor(table: CoreTable) -> None:
    """Clause: pt.bj.55a."""
    table.open()
    assert table.refuse(BeginUnloading, DEALER) == "closing_is_indicated"
    table.act(IndicateClosing, DEALER)
    assert table.refuse(BeginUnloading, DEALER) == "supervisor_is_present_for_unloading"


def test_a_late_bet_is_refused(table: CoreTable) -> None:
    """Clause: pt.bj.13."""
    table.open()
    table.deal(1)
    assert table.refuse(TakeBets, DEALER, seats=(7,)) == "bets_are_not_closed"


@pytest.mark.parametrize("seats", [(), (0,), (8,), (1, 1)])
def test_seats_must_exist(table: CoreTable, seats: tuple[int, ...]) -> None:
    table.open()
    assert table.refuse(TakeBets, DEALER, seats=seats) == "seats_exist"


def test_another_dealer_than_the_one_at_the_table_is_refused(table: CoreTable) -> None:
    table.open()
    act = TakeBets(Person(12), Role.DEALER, (1,))
    refusal = table.put(act).refusal
    assert refusal is not None
    assert refusal.guard == "actor_is_the_dealer_at_table"


def test_leftovers_go_in_with_the_next_round(table: CoreTable) -> None:
    """Clauses: pt.bj.60a, pt.bj.60b."""
    table.open()
    table.deal(1, 2)
    table.act(ConfirmSettled, DEALER)
    table.act(CollectCards, DEALER)
    table.act(LeaveInRack, DEALER)
    assert (table.state.custody.book.rack, table.state.custody.book.inside) == (7, 305)
    table.deal(1)
    table.finish_round()
    assert (table.state.custody.book.rack, table.state.custody.book.inside) == (0, 312)


def test_a_lapse_of_presence_in_a_packet_locks_the_feed_and_holds(table: CoreTable) -> None:
    """Clause: pt.bj.54d."""
    table.connect()
    table.display_and_mix()
    table.load()
    table.act(OpenPacket, CHIEF)
    assert of_shuffler(table.state).feed_open
    table.act(SignOut, CHIEF)
    assert not of_shuffler(table.state).feed_open
    assert [h.kind for h in table.state.house.holds] == [HoldKind.SUPERVISOR_ABSENT]
    table.act(SignIn, CHIEF, operation=Operation.LOADING)
    assert of_shuffler(table.state).feed_open
    assert not table.state.house.holds


def test_a_card_missing_at_the_deck_check_holds_and_ends_irregular(table: CoreTable) -> None:
    """pt.bj.55b: the deck set has one more 2C in place of the sixth AC."""
    table.open()
    table.act(IndicateClosing, DEALER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    table.act(BeginUnloading, DEALER)
    while table.status.inside:
        table.unload_one()
    table.act(CompleteUnloading, DEALER)
    table.act(EnterGrid, DEALER, counts=(5, 7) + (6,) * 50, foreign=1)
    table.act(ConfirmDeckCheck, DEALER)
    details = dict(table.state.house.holds[0].details)
    assert (details["missing"], details["duplicate"], details["foreign"]) == ("ACx1", "2Cx1", "1")
    assert table.state.house.session is SessionPhase.CHECKING
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    assert (table.state.house.session, table.state.house.last_closing) == (SessionPhase.CLOSED, Closing.IRREGULAR)
    assert [d.kind.value for d in table.state.house.duties] == ["report-irregular-closing"]
    assert not table.state.house.closing_final
    table.act(OpenSession, DEALER)
    assert table.refuse(NumberDeckSet, CHIEF, deck_set=1) == "deck_set_is_not_refused"
    table.act(ReportDuty, MANAGER, duty=table.state.house.duties[0].id, reference="SRIJ 2026/114")
    assert table.state.house.closing_final


def test_a_foreign_card_read_while_unloading_is_found(table: CoreTable) -> None:
    table.open()
    table.act(IndicateClosing, DEALER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    table.act(BeginUnloading, DEALER)
    table.count_out()
    table.read(FOREIGN)
    assert table.state.custody.found_foreign == 1


ATTEMPTS: list[Callable[[CoreTable], str]] = [
    lambda t: t.refuse(OpenPacket, DEALER),
    lambda t: t.refuse(ConfirmIrregularClosing, CHIEF),
]


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_a_wrong_role_is_refused(table: CoreTable, attempt: Callable[[CoreTable], str]) -> None:
    assert attempt(table) == "role_may"
