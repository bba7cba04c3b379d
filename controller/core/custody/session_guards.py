"""Guards of opening, loading, closing: deck set, packets, what is inside the machine, the deck check."""

from controller.core.choices import OpeningCheck
from controller.core.custody import acts as a
from controller.core.custody.deck_check import (
    backs,
    contradicts_the_reader,
    deck_check_figures,
    grids_are_whole,
    less_than_was_read,
    not_entered,
)
from controller.core.custody.state import CardState
from controller.core.engine.act import Act
from controller.core.house.guard import ActGuard, Guard
from controller.core.house.hold_table import BEYOND_MENDING
from controller.core.house.holds import holds_of
from controller.core.house.state import Hold
from controller.core.words import Device, HoldKind, RoundPhase, SessionPhase


def _deck_set_is_usable(state: CardState, act: Act | None) -> bool:
    return not isinstance(act, a.NumberDeckSet) or act.deck_set not in state.custody.refused_deck_sets


def _deck_set_is_a_number(_state: CardState, act: Act | None) -> bool:
    return not isinstance(act, a.NumberDeckSet) or 0 < act.deck_set < 1_000_000


DECK_SET_IS_NOT_REFUSED = ActGuard[CardState, Act]("deck_set_is_not_refused", "pt.bj.55b", _deck_set_is_usable)
DECK_SET_IS_A_NUMBER = ActGuard[CardState, Act]("deck_set_is_a_number", "pt.bj.7b", _deck_set_is_a_number)
DECK_SET_IS_NUMBERED = Guard[CardState](
    "deck_set_is_numbered", "pt.bj.7b", lambda state: state.custody.deck_set is not None
)
_BEFORE_DISPLAY = (SessionPhase.CLOSED, SessionPhase.OPENED)
DISPLAY_IS_CONFIRMED = Guard[CardState](
    "display_is_confirmed",
    "pt.bj.53a",
    lambda state: (
        state.setup.procedure.opening_check is OpeningCheck.NONE or state.house.session not in _BEFORE_DISPLAY
    ),
)
MIXING_IS_CONFIRMED = Guard[CardState](
    "mixing_is_confirmed",
    "pt.bj.53b",
    lambda state: (
        state.setup.procedure.shuffle_passes == 0
        or state.house.session not in (*_BEFORE_DISPLAY, SessionPhase.DISPLAYED)
    ),
)


def _may_be_loaded_again(state: CardState) -> bool:
    """`loads_per_session` is 0 where the law names no number; the tally's loadings are those of the session."""
    most = state.setup.parameters.loads_per_session
    return state.house.session is SessionPhase.CLOSED or not most or state.house.tally.loads < most


LOADING_IS_NOT_DONE_YET = Guard[CardState]("loading_is_not_done_yet", "pt.bj.54c", _may_be_loaded_again)
COUNTS_ARE_SETTLED = Guard[CardState](
    "counts_are_settled", "pt.bj.55b", lambda state: not holds_of(state, HoldKind.COUNT)
)
SHUFFLER_IS_READY = Guard[CardState](
    "shuffler_is_ready",
    "pt.bj.53c",
    lambda state: (
        state.devices.shuffler.link.connected
        and state.devices.shuffler.status is not None
        and state.devices.shuffler.status.counts_known
        and not state.devices.shuffler.status.lid_open
        and not state.devices.shuffler.status.jammed
    ),
)
SHUFFLER_IS_EMPTY = Guard[CardState](
    "shuffler_is_empty",
    "pt.bj.57a",
    lambda state: state.devices.shuffler.status is not None and state.devices.shuffler.status.inside == 0,
    lambda state: (
        ("inside", _figure(state.devices.shuffler.status.inside if state.devices.shuffler.status else None)),
    ),
)
READER_IS_READY = Guard[CardState](
    "reader_is_ready",
    "pt.bj.17a",
    lambda state: state.devices.reader.link.connected or not state.setup.has_reader,
)
PACKET_IS_OPEN = Guard[CardState]("packet_is_open", "pt.bj.54b", lambda state: state.custody.packet_open)
PACKET_IS_CLOSED = Guard[CardState]("packet_is_closed", "pt.bj.54b", lambda state: not state.custody.packet_open)
PACKETS_ARE_ENOUGH = Guard[CardState](
    "packets_are_enough",
    "pt.bj.54b",
    lambda state: sum(1 for packet in state.custody.packets if packet) >= state.setup.parameters.min_packets,
    lambda state: (
        ("packets", str(sum(1 for packet in state.custody.packets if packet))),
        ("needed", str(state.setup.parameters.min_packets)),
    ),
)
CARDS_ARE_ALL_LOADED = Guard[CardState](
    "cards_are_all_loaded",
    "pt.bj.3a",
    lambda state: state.custody.book.inside == state.setup.cards,
    lambda state: (
        ("counted", str(state.custody.book.inside)),
        ("expected", str(state.setup.cards)),
        ("difference", f"{state.custody.book.inside - state.setup.cards:+d}"),
    ),
)
NOTHING_IS_INSIDE = Guard[CardState](
    "nothing_is_inside",
    "pt.bj.57a",
    lambda state: (
        state.house.irregular
        or not state.setup.has_shuffler  # taken out by hand: the deck check counts them
        or (state.custody.book.inside + state.custody.book.jammed_inside == 0 and _device_empty(state))
    ),
    lambda state: (("inside", str(state.custody.book.inside)),),
)


def _figure(value: int | None) -> str:
    return "?" if value is None else str(value)


def _device_empty(state: CardState) -> bool:
    return state.devices.shuffler.status is not None and state.devices.shuffler.status.inside == 0


# --- closing


def _round_is_over(clause: str) -> Guard[CardState]:
    return Guard[CardState](
        "round_is_over",
        clause,
        lambda state: state.game.phase is RoundPhase.IDLE,
        lambda state: (("round", state.game.phase.value),),
    )


ROUND_IS_OVER_AT_THE_CLOSING = _round_is_over("pt.bj.57a")
ROUND_IS_OVER_AT_AN_INTERRUPTION = _round_is_over("pt.bj.12")
ROUND_IS_OVER_BEFORE_THE_SHUFFLE = _round_is_over("pt.bj.11b")
CLOSING_IS_INDICATED = Guard[CardState](
    "closing_is_indicated",
    "pt.bj.55a",
    lambda state: state.house.session in {SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING},
)


def _grid_is_whole(_state: CardState, act: Act | None) -> bool:
    match act:
        case a.EnterGrid(counts=counts, foreign=foreign):
            return len(counts) == 52 and min(*counts, foreign) >= 0
        case _:
            return True


GRID_IS_WHOLE = ActGuard[CardState, Act]("grid_is_whole", "pt.bj.55b", _grid_is_whole)


def _is_sorted_by_back(state: CardState, act: Act | None) -> bool:
    match act:
        case a.EnterGrid(back=back):
            return back in (range(1, backs(state) + 1) if backs(state) > 1 else (None,))
        case _:
            return True


GRID_IS_OF_ONE_BACK = ActGuard[CardState, Act](
    "grid_is_of_one_back",
    "br.decks.2",
    _is_sorted_by_back,
    lambda state, _act: (("backs", str(backs(state))),),
)
EVERY_BACK_IS_COUNTED = Guard[CardState]("every_back_is_counted", "br.decks.2", grids_are_whole)


EVERY_CARD_IS_ENTERED = Guard[CardState](
    "every_card_is_entered",
    "pt.bj.55b",
    lambda state: state.house.irregular or not not_entered(state),
    lambda state: (("left", str(not_entered(state))), ("cards", str(state.custody.book.outside))),
)
NOTHING_CONTRADICTS_THE_GRID = Guard[CardState](
    "nothing_contradicts_the_grid",
    "pt.bj.55b",
    lambda state: (
        state.house.irregular
        or bool(deck_check_figures(state))
        or not any(map(contradicts_the_reader, state.house.holds))
    ),
    lambda state: (("figures", less_than_was_read(state)),),
)


def _in_the_way_of_the_check(state: CardState) -> tuple[Hold, ...]:
    """A count is answered by the deck check itself, and decks are checked without a reader, too."""
    return tuple(
        hold
        for hold in state.house.holds
        if hold.kind is not HoldKind.COUNT and not (hold.kind is HoldKind.DEVICE_LOST and hold.device is Device.SHOE)
    )


OTHER_HOLDS_ARE_ENDED = Guard[CardState](
    "other_holds_are_ended",
    "pt.bj.55b",
    lambda state: state.house.irregular or not _in_the_way_of_the_check(state),
    lambda state: (("hold", next((hold.kind.value for hold in _in_the_way_of_the_check(state)), "")),),
)
A_COUNT_CANNOT_BE_MENDED = Guard[CardState](
    "a_count_cannot_be_mended",
    "pt.bj.55b",
    lambda state: any(hold.kind in BEYOND_MENDING for hold in state.house.holds),
)
IRREGULAR_CLOSING_IS_PROPOSED = Guard[CardState](
    "irregular_closing_is_proposed", "pt.bj.55b", lambda state: state.house.irregular_proposed_by is not None
)


def _two_people(state: CardState, act: Act | None) -> bool:
    return act is None or act.person != state.house.irregular_proposed_by


TWO_PEOPLE_CLOSE = ActGuard[CardState, Act]("two_people_close", "pt.bj.55b", _two_people)
NO_COMPLAINT_IS_OPEN = Guard[CardState](
    "no_complaint_is_open", "pt.bj.61", lambda state: not holds_of(state, HoldKind.COMPLAINT)
)
