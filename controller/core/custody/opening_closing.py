"""The session's own acts: display, loading, unloading, deck check, irregular closing (pt.bj.53 to 57)."""

from controller.core.custody import acts as a
from controller.core.custody.books import move
from controller.core.custody.damage import decks_go_at_closing
from controller.core.custody.deck_check import deck_check_figures
from controller.core.custody.game import game_of
from controller.core.custody.numbers import followed
from controller.core.custody.session_table import CardTrigger
from controller.core.custody.set_aside import discard_set_aside
from controller.core.custody.state import NO_CARDS_FOUND, Book, CardStateT, Join, ShoeGame
from controller.core.engine.replacing import replace
from controller.core.house.hold_table import BEYOND_MENDING
from controller.core.house.holds import ask_for_recount, end_holds, open_duty, raise_hold
from controller.core.house.people import end_presence
from controller.core.house.state import session_moved, without_round
from controller.core.words import Closing, DutyKind, HoldKind, Operation, Role, SessionPhase, TableMs


def open_session(state: CardStateT, _act: a.OpenSession, _at_ms: TableMs) -> CardStateT:
    return _baseline(_opened(state))


def number_deck_set(state: CardStateT, act: a.NumberDeckSet, _at_ms: TableMs) -> CardStateT:
    return replace(state, custody=replace(state.custody, deck_set=act.deck_set))


def open_packet(state: CardStateT, _act: a.OpenPacket, _at_ms: TableMs) -> CardStateT:
    return replace(state, custody=replace(state.custody, packet_open=True, packets=(*state.custody.packets, 0)))


def close_packet(state: CardStateT, _act: a.ClosePacket, _at_ms: TableMs) -> CardStateT:
    return replace(state, custody=replace(state.custody, packet_open=False))


def complete_loading(state: CardStateT, _act: a.CompleteLoading, _at_ms: TableMs) -> CardStateT:
    tally = replace(state.house.tally, loads=state.house.tally.loads + 1)
    return end_presence(replace(state, house=replace(state.house, tally=tally)), Operation.LOADING)


def take_out_loading(state: CardStateT, _act: a.TakeOutLoading, _at_ms: TableMs) -> CardStateT:
    """A card that went in uncounted would stay inside: how many are to come out, the slots must say."""
    tally = replace(state.house.tally, failed_loads=state.house.tally.failed_loads + 1)
    return ask_for_recount(replace(state, house=replace(state.house, tally=tally)))


def confirm_taken_out(state: CardStateT, _act: a.ConfirmTakenOut, _at_ms: TableMs) -> CardStateT:
    """The next loading is of the whole deck set (pt.bj.3a, 54c): a card in the rack lies with the others, too."""
    book = _all_outside(state.custody.book, foreign=0)
    return replace(state, custody=replace(state.custody, packets=(), book=book))


def abandon_opening(state: CardStateT, _act: a.AbandonOpening, _at_ms: TableMs) -> CardStateT:
    return replace(state, custody=replace(state.custody, deck_set=None))


def begin_unloading(state: CardStateT, _act: a.BeginUnloading, _at_ms: TableMs) -> CardStateT:
    return ask_for_recount(state)


def complete_unloading(state: CardStateT, _act: a.CompleteUnloading, at_ms: TableMs) -> CardStateT:
    return decks_go_at_closing(
        replace(
            state, custody=replace(state.custody, book=_all_outside(state.custody.book, state.custody.read_out_foreign))
        ),
        at_ms,
    )


def propose_irregular_closing(state: CardStateT, act: a.ProposeIrregularClosing, _at_ms: TableMs) -> CardStateT:
    return replace(state, house=replace(state.house, irregular_proposed_by=act.person))


def indicate_closing(state: CardStateT, _act: a.IndicateClosing, _at_ms: TableMs) -> CardStateT:
    return _tidied(state)


def _baseline(state: CardStateT) -> CardStateT:
    """The shuffler's counts as the session finds them: what it counted before was not this deck set."""
    status = state.devices.shuffler.status
    if status is None:
        return state
    return replace(state, devices=replace(state.devices, shuffler=followed(state.devices.shuffler, status)))


def _tidied(state: CardStateT) -> CardStateT:
    """No round comes any more: what lies aside for one, or on the table yet, joins the rack's cards (pt.bj.55b)."""
    state = discard_set_aside(state)
    return replace(
        state, custody=replace(state.custody, book=move(state.custody.book, "table", "rack", state.custody.book.table))
    )


def _opened(state: CardStateT) -> CardStateT:
    """A new session: its own counts begin."""
    state = without_round(state)
    return replace(
        state,
        house=replace(
            state.house,
            session_number=state.house.session_number + 1,
            last_closing=Closing.NONE,
            tally=replace(state.house.tally, loads=0, failed_loads=0),
        ),
        custody=replace(
            state.custody,
            deck_set=None,
            heard_up_to=0,
            shoe_game=ShoeGame(),
            book=replace(Book(), outside=state.setup.cards),
            replaced_alone=(),
            found=NO_CARDS_FOUND,
            found_foreign=0,
            found_by_back=(),
            read_out=NO_CARDS_FOUND,
            read_out_foreign=0,
            join=Join(),
        ),
        game=replace(state.game, number=0),
        devices=replace(state.devices, reader=replace(state.devices.reader, unseen=0)),
    )


def _all_outside(book: Book, foreign: int) -> Book:
    """The shuffler is empty; what lay in the discard rack joins its cards (pt.bj.55b, 60a).

    `foreign`: cards of no deck that the reader saw among those that came out.
    """
    seen = min(foreign, book.total)
    return replace(Book(), outside=book.total - seen, withdrawn=book.withdrawn, foreign=book.foreign + seen)


def decks_are_irregular(state: CardStateT, _act: a.ConfirmDeckCheck, at_ms: TableMs) -> CardStateT | None:
    """Decks with a missing or surplus card hold the session, unless an irregular closing has been decided."""
    figures = deck_check_figures(state)
    if not figures or state.house.irregular:
        return None
    return raise_hold(state, HoldKind.COUNT, at_ms, details=figures, needs_count=True)


def confirm_deck_check(state: CardStateT, _act: a.ConfirmDeckCheck, at_ms: TableMs) -> CardStateT:
    return _closed(game_of(state).complaints_owed(state, at_ms))


def confirm_irregular_closing(state: CardStateT, _act: a.ConfirmIrregularClosing, at_ms: TableMs) -> CardStateT:
    """Chief supervisor and room manager end what cannot be mended: a duty to report, the deck set refused."""
    causes = "; ".join(
        " ".join(value for key, value in hold.details if value and key != "cause") or hold.kind.value
        for hold in state.house.holds
        if hold.kind in BEYOND_MENDING
    )
    state = open_duty(
        state,
        DutyKind.REPORT_IRREGULAR_CLOSING,
        Role.ROOM_MANAGER,
        at_ms,
        (("deck_set", str(state.custody.deck_set or "-")), ("causes", causes)),
    )
    if state.custody.damaged is not None:  # its report is owed all the same (pt.bj.51b)
        card = (("card", state.custody.damaged),)
        state = open_duty(state, DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, at_ms, card)
    game = game_of(state)
    state = game.stakes_go_back(discard_set_aside(_end_holds_of_cards(game.complaints_owed(state, at_ms))))
    refused = (
        state.custody.refused_deck_sets
        if state.custody.deck_set is None
        else (*state.custody.refused_deck_sets, state.custody.deck_set)
    )
    was_checking = state.house.session is SessionPhase.CHECKING
    state = without_round(state, over=True)
    state = replace(
        state,
        house=replace(state.house, irregular=True, irregular_proposed_by=None),
        custody=replace(
            state.custody,
            refused_deck_sets=refused,
            damaged=None,
            damaged_at_check=False,
            authorised="",
            packet_open=False,
            join=Join(),
        ),
    )
    if not was_checking:
        return state
    return _closed(session_moved(state, CardTrigger.DECK_CHECK_CONFIRMED))


def lapse_proposal(_before: CardStateT, state: CardStateT, _at_ms: TableMs) -> CardStateT:
    """A proposed irregular closing is over when the holds that called for it are."""
    if state.house.irregular_proposed_by is None or any(hold.kind in BEYOND_MENDING for hold in state.house.holds):
        return state
    return replace(state, house=replace(state.house, irregular_proposed_by=None))


def _end_holds_of_cards(state: CardStateT) -> CardStateT:
    """What held for cards of this session is over with it; machine and journal are still to be mended."""
    outliving = (HoldKind.JAM, HoldKind.LID, HoldKind.DEVICE_LOST, HoldKind.JOURNAL_FAULT)
    return end_holds(state, lambda hold: hold.kind not in outliving)


def _closed(state: CardStateT) -> CardStateT:
    """The session is over; the report is final only when no duty is open (pt.bj.51b)."""
    state = end_presence(_end_holds_of_cards(state), Operation.UNLOADING)
    return replace(
        state,
        house=replace(
            state.house,
            last_closing=Closing.IRREGULAR if state.house.irregular else Closing.REGULAR,
            closing_final=not state.house.duties,
            irregular=False,
            irregular_proposed_by=None,
        ),
        custody=replace(
            state.custody,
            packets=(),
            burned=0,
            book=replace(Book(), outside=state.setup.cards, foreign=state.custody.book.foreign),
        ),
    )
