"""The opening of a session: the deck set is numbered and displayed, a shuffler is loaded in packets (pt.bj.53, 54)."""

from typing import Any, Final

from msgspec import UNSET
from msgspec.structs import replace

from controller.core.choices import OpeningCheck
from controller.core.custody.books import all_outside, counts_taken
from controller.core.custody.state import (
    NO_CARDS_FOUND,
    Book,
    CardState,
    CardStateT,
    CardTrigger,
    Join,
    ShoeGame,
    with_custody,
    with_round,
)
from controller.core.engine.act import Act
from controller.core.house.attendance import CHIEF_PRESENT_FOR_LOADING
from controller.core.house.hold_table import P, forbids
from controller.core.house.holds import ask_for_recount, holds_of
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import end_presence
from controller.core.house.plain_session import OpenSession
from controller.core.house.rule import CHIEF, DEALER, DEALER_OR_CHIEF, ActGuard, ActRule, Guard, S, unchanged
from controller.core.house.session_table import SessionTrigger
from controller.core.house.state import with_house, with_reader, with_tally, without_round
from controller.core.house.undoing import Never, by, never
from controller.core.words import Closing, HoldKind, Operation, SessionPhase, TableMs


class NumberDeckSet(Act, frozen=True):
    deck_set: int


class ConfirmDisplay(Act, frozen=True):
    pass


class BeginLoading(Act, frozen=True):
    pass


class OpenPacket(Act, frozen=True):
    pass


class ClosePacket(Act, frozen=True):
    pass


class CompleteLoading(Act, frozen=True):
    pass


class TakeOutLoading(Act, frozen=True):
    pass


class ConfirmTakenOut(Act, frozen=True):
    pass


class AbandonOpening(Act, frozen=True):
    """Closes the session again while no cards are loaded and no round was played."""


DECK_SET_IS_NOT_REFUSED = ActGuard[CardState, NumberDeckSet](
    "deck_set_is_not_refused", lambda state, act: act.deck_set not in state.custody.refused_deck_sets
)
DECK_SET_IS_A_NUMBER = ActGuard[CardState, NumberDeckSet](
    "deck_set_is_a_number", lambda _state, act: 0 < act.deck_set < 1_000_000
)
DECK_SET_IS_NUMBERED = Guard[CardState]("deck_set_is_numbered", lambda state: state.custody.deck_set is not None)
_BEFORE_DISPLAY = (SessionPhase.CLOSED, SessionPhase.OPENED)
DISPLAY_IS_CONFIRMED = Guard[CardState](
    "display_is_confirmed",
    lambda state: (
        state.setup.procedure.opening_check is OpeningCheck.NONE or state.house.session not in _BEFORE_DISPLAY
    ),
)
MIXING_IS_CONFIRMED = Guard[CardState](
    "mixing_is_confirmed",
    lambda state: (
        state.setup.procedure.shuffle_passes == 0
        or state.house.session not in (*_BEFORE_DISPLAY, SessionPhase.DISPLAYED)
    ),
)


def _may_be_loaded_again(state: CardState) -> bool:
    """True if the session had fewer loadings than `loads_per_session` (0: no limit), or if the table is closed."""
    most = state.setup.parameters.loads_per_session
    return state.house.session is SessionPhase.CLOSED or not most or state.house.tally.loads < most


LOADING_IS_NOT_DONE_YET = Guard[CardState]("loading_is_not_done_yet", _may_be_loaded_again)
COUNTS_ARE_SETTLED = Guard[CardState]("counts_are_settled", lambda state: not holds_of(state, HoldKind.COUNT))
SHUFFLER_IS_READY = Guard[CardState](
    "shuffler_is_ready",
    lambda state: (
        (known := state.devices.shuffler).link.connected
        and (status := known.status) is not None
        and (status.counts_known and not status.lid_open and not status.jammed)
    ),
)
SHUFFLER_IS_EMPTY = Guard[CardState](
    "shuffler_is_empty",
    lambda state: _slots_filled(state) == 0,
    lambda state: (("inside", "?" if (inside := _slots_filled(state)) is None else str(inside)),),
)
READER_IS_READY = Guard[CardState](
    "reader_is_ready", lambda state: state.devices.reader.link.connected or not state.setup.has_reader
)
PACKET_IS_OPEN = Guard[CardState]("packet_is_open", lambda state: state.custody.packet_open)
PACKET_IS_CLOSED = Guard[CardState]("packet_is_closed", lambda state: not state.custody.packet_open)
PACKETS_ARE_ENOUGH = Guard[CardState](
    "packets_are_enough",
    lambda state: _packets(state) >= state.setup.parameters.min_packets,
    lambda state: (("packets", str(_packets(state))), ("needed", str(state.setup.parameters.min_packets))),
)
CARDS_ARE_ALL_LOADED = Guard[CardState](
    "cards_are_all_loaded",
    lambda state: state.custody.book.inside == state.setup.cards,
    lambda state: (
        ("counted", str(state.custody.book.inside)),
        ("expected", str(state.setup.cards)),
        ("difference", f"{state.custody.book.inside - state.setup.cards:+d}"),
    ),
)
NOTHING_IS_INSIDE = Guard[CardState](
    "nothing_is_inside",
    lambda state: (
        not state.setup.has_shuffler  # the cards are taken out by hand, and the deck check counts them
        or (state.house.irregular and not _is_unloading(state))
        or (state.custody.book.inside + state.custody.book.jammed_inside == 0 and _slots_filled(state) == 0)
    ),
    lambda state: (("inside", str(state.custody.book.inside)),),
)


LOADING_IS_OUT = replace(NOTHING_IS_INSIDE, rule="loading_is_out")  # no clause covers a failed loading


def _is_unloading(state: CardState) -> bool:
    own = (hold for hold in state.house.holds if hold.kind not in _OF_OTHERS)
    keeps = any(forbids(hold.kind, hold.device, P.UNLOAD) for hold in own)
    return state.house.session is SessionPhase.UNLOADING and not keeps and bool(_slots_filled(state))


_OF_OTHERS: Final = frozenset({HoldKind.JOURNAL_FAULT, HoldKind.SUPERVISOR_ABSENT})
"""Kinds of holds that end without the shuffler, which unloads after them."""


def _packets(state: CardState) -> int:
    return sum(1 for packet in state.custody.packets if packet)


def _slots_filled(state: CardState) -> int | None:
    status = state.devices.shuffler.status
    return None if status is None else status.inside


MACHINE_IS_A_SHUFFLER = Guard[CardState]("machine_is_a_shuffler", lambda state: state.setup.has_shuffler)
CARDS_ARE_DISPLAYED_HERE = Guard[CardState](
    "cards_are_displayed_here",
    lambda state: state.setup.procedure.opening_check is OpeningCheck.DISPLAY,
)
NOTHING_WAS_PLAYED = Guard[CardState]("nothing_was_played", lambda state: state.game.number == 0)


def number_deck_set(state: CardStateT, act: NumberDeckSet, _at_ms: TableMs) -> CardStateT:
    return with_custody(state, deck_set=act.deck_set)


def open_packet(state: CardStateT, _act: OpenPacket, _at_ms: TableMs) -> CardStateT:
    return with_custody(state, packet_open=True, packets=(*state.custody.packets, 0))


def close_packet(state: CardStateT, _act: ClosePacket, _at_ms: TableMs) -> CardStateT:
    return with_custody(state, packet_open=False)


def complete_loading(state: CardStateT, _act: CompleteLoading, _at_ms: TableMs) -> CardStateT:
    return end_presence(with_tally(state, loads=state.house.tally.loads + 1), Operation.LOADING)


def take_out_loading(state: CardStateT, _act: TakeOutLoading, _at_ms: TableMs) -> CardStateT:
    """The state with one failed loading more, and with a recount requested, which finds a card left inside."""
    return ask_for_recount(with_tally(state, failed_loads=state.house.tally.failed_loads + 1))


def confirm_taken_out(state: CardStateT, _act: ConfirmTakenOut, _at_ms: TableMs) -> CardStateT:
    """The state with all cards outside, including those of the rack: the whole set is loaded anew (pt.bj.3a, 54c)."""
    return with_custody(state, packets=(), book=all_outside(state.custody.book, foreign=0))


def abandon_opening(state: CardStateT, _act: AbandonOpening, _at_ms: TableMs) -> CardStateT:
    return with_custody(state, deck_set=None)


def open_session(state: CardStateT, _act: OpenSession, _at_ms: TableMs) -> CardStateT:
    """The state at the start of a session, with no deck set yet and all cards outside. The caller has already moved the
    session's step.

    Rounds, loadings and counts begin anew. The shuffler's earlier counts belong to no deck set.
    """
    state = with_round(without_round(state), number=0)
    number = state.house.session_number + 1
    state = with_house(state, session_number=number, last_closing=Closing.NONE, closing_final=True)
    state = counts_taken(with_reader(with_tally(state, loads=0, failed_loads=0), unseen=0))
    return with_custody(
        state,
        deck_set=None,
        kept_moved_by=UNSET,
        heard_up_to=0,
        shoe_game=ShoeGame(),
        book=Book(outside=state.setup.cards),
        replaced_alone=(),
        found=NO_CARDS_FOUND,
        found_foreign=0,
        found_in_place=0,
        found_by_back=(),
        read_out=NO_CARDS_FOUND,
        read_out_foreign=0,
        join=Join(),
    )


OPENING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "open-session",
        OpenSession,
        DEALER,
        open_session,
        session=SessionTrigger.SESSION_OPENED,
        needs=P.BET,
        undone=by("indicate-closing"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "number-deck-set",
        NumberDeckSet,
        CHIEF,
        number_deck_set,
        (DECK_SET_IS_A_NUMBER, DECK_SET_IS_NOT_REFUSED),
        in_session=(S.OPENED,),
        undone=by("abandon-opening"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "confirm-display",
        ConfirmDisplay,
        DEALER,
        unchanged,
        (CARDS_ARE_DISPLAYED_HERE, DECK_SET_IS_NUMBERED),
        session=CardTrigger.DISPLAY_CONFIRMED,
        undone=by("abandon-opening"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
LOADING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "begin-loading",
        BeginLoading,
        DEALER,
        unchanged,
        (
            MACHINE_IS_A_SHUFFLER,
            LOADING_IS_NOT_DONE_YET,
            COUNTS_ARE_SETTLED,
            DISPLAY_IS_CONFIRMED,
            MIXING_IS_CONFIRMED,
            DECK_SET_IS_NUMBERED,
            CHIEF_PRESENT_FOR_LOADING,
        ),
        session=CardTrigger.LOADING_BEGUN,
        needs=P.FEED,
        devices=(SHUFFLER_IS_READY, SHUFFLER_IS_EMPTY, READER_IS_READY),
        undone=by("take-out-loading"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "open-packet",
        OpenPacket,
        CHIEF,
        open_packet,
        (CHIEF_PRESENT_FOR_LOADING, PACKET_IS_CLOSED),
        in_session=(S.LOADING,),
        needs=P.FEED,
        dealer_if_unwatched=True,
        undone=by("close-packet"),
        money=Money.NONE,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "close-packet",
        ClosePacket,
        CHIEF,
        close_packet,
        (PACKET_IS_OPEN,),
        in_session=(S.LOADING,),
        dealer_if_unwatched=True,
        undone=by("open-packet"),
        money=Money.NONE,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "complete-loading",
        CompleteLoading,
        DEALER_OR_CHIEF,
        complete_loading,
        (
            LOADING_IS_NOT_DONE_YET,
            CHIEF_PRESENT_FOR_LOADING,
            PACKET_IS_CLOSED,
            PACKETS_ARE_ENOUGH,
            CARDS_ARE_ALL_LOADED,
        ),
        session=CardTrigger.LOADING_COMPLETED,
        needs=P.DRAW,
        undone=by("begin-unloading"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "take-out-loading",
        TakeOutLoading,
        CHIEF,
        take_out_loading,
        (CHIEF_PRESENT_FOR_LOADING, PACKET_IS_CLOSED),
        session=CardTrigger.TAKING_OUT_BEGUN,
        needs=P.UNLOAD,
        dealer_if_unwatched=True,
        undone=by("begin-loading"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "confirm-taken-out",
        ConfirmTakenOut,
        CHIEF,
        confirm_taken_out,
        (CHIEF_PRESENT_FOR_LOADING, LOADING_IS_OUT),
        session=CardTrigger.TAKEN_OUT,
        needs=P.UNLOAD,
        dealer_if_unwatched=True,
        undone=by("begin-loading"),
        money=Money.NONE,
        manner=Manner.ATTESTS,
    ),
)
ABANDONING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "abandon-opening",
        AbandonOpening,
        DEALER_OR_CHIEF,
        abandon_opening,
        (NOTHING_WAS_PLAYED,),
        session=CardTrigger.OPENING_ABANDONED,
        needs=P.CLOSE,
        undone=never(Never.ENDED),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
