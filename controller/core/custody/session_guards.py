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
from controller.core.engine.act import Act
from controller.core.house.guard import Guard
from controller.core.house.hold_table import BEYOND_MENDING
from controller.core.house.holds import holds_of
from controller.core.house.state import Hold
from controller.core.state import State
from controller.core.words import Device, HoldKind, RoundPhase, SessionPhase


def _deck_set_is_usable(state: State, act: Act | None) -> bool:
    return not isinstance(act, a.NumberDeckSet) or act.deck_set not in state.custody.refused_deck_sets


def _deck_set_is_a_number(_state: State, act: Act | None) -> bool:
    return not isinstance(act, a.NumberDeckSet) or 0 < act.deck_set < 1_000_000


DECK_SET_IS_NOT_REFUSED = Guard("deck_set_is_not_refused", "pt.bj.55b", _deck_set_is_usable, needs_act=True)
DECK_SET_IS_A_NUMBER = Guard("deck_set_is_a_number", "pt.bj.7b", _deck_set_is_a_number, needs_act=True)
DECK_SET_IS_NUMBERED = Guard("deck_set_is_numbered", "pt.bj.7b", lambda state, _act: state.custody.deck_set is not None)
_BEFORE_DISPLAY = (SessionPhase.CLOSED, SessionPhase.OPENED)
DISPLAY_IS_CONFIRMED = Guard(
    "display_is_confirmed",
    "pt.bj.53a",
    lambda state, _act: (
        state.setup.procedure.opening_check is OpeningCheck.NONE or state.house.session not in _BEFORE_DISPLAY
    ),
)
MIXING_IS_CONFIRMED = Guard(
    "mixing_is_confirmed",
    "pt.bj.53b",
    lambda state, _act: (
        state.setup.procedure.shuffle_passes == 0
        or state.house.session not in (*_BEFORE_DISPLAY, SessionPhase.DISPLAYED)
    ),
)


def _may_be_loaded_again(state: State) -> bool:
    """`loads_per_session` is 0 where the law names no number; the tally's loadings are those of the session."""
    most = state.setup.parameters.loads_per_session
    return state.house.session is SessionPhase.CLOSED or not most or state.house.tally.loads < most


LOADING_IS_NOT_DONE_YET = Guard("loading_is_not_done_yet", "pt.bj.54c", lambda state, _act: _may_be_loaded_again(state))
COUNTS_ARE_SETTLED = Guard("counts_are_settled", "pt.bj.55b", lambda state, _act: not holds_of(state, HoldKind.COUNT))
SHUFFLER_IS_READY = Guard(
    "shuffler_is_ready",
    "pt.bj.53c",
    lambda state, _act: (
        state.devices.shuffler.link.connected
        and state.devices.shuffler.status is not None
        and state.devices.shuffler.status.counts_known
        and not state.devices.shuffler.status.lid_open
        and not state.devices.shuffler.status.jammed
    ),
)
SHUFFLER_IS_EMPTY = Guard(
    "shuffler_is_empty",
    "pt.bj.57a",
    lambda state, _act: state.devices.shuffler.status is not None and state.devices.shuffler.status.inside == 0,
    lambda state, _act: (
        ("inside", _figure(state.devices.shuffler.status.inside if state.devices.shuffler.status else None)),
    ),
)
READER_IS_READY = Guard(
    "reader_is_ready",
    "pt.bj.17a",
    lambda state, _act: state.devices.reader.link.connected or not state.setup.has_reader,
)
PACKET_IS_OPEN = Guard("packet_is_open", "pt.bj.54b", lambda state, _act: state.custody.packet_open)
PACKET_IS_CLOSED = Guard("packet_is_closed", "pt.bj.54b", lambda state, _act: not state.custody.packet_open)
PACKETS_ARE_ENOUGH = Guard(
    "packets_are_enough",
    "pt.bj.54b",
    lambda state, _act: sum(1 for packet in state.custody.packets if packet) >= state.setup.parameters.min_packets,
    lambda state, _act: (
        ("packets", str(sum(1 for packet in state.custody.packets if packet))),
        ("needed", str(state.setup.parameters.min_packets)),
    ),
)
CARDS_ARE_ALL_LOADED = Guard(
    "cards_are_all_loaded",
    "pt.bj.3a",
    lambda state, _act: state.custody.book.inside == state.setup.cards,
    lambda state, _act: (
        ("counted", str(state.custody.book.inside)),
        ("expected", str(state.setup.cards)),
        ("difference", f"{state.custody.book.inside - state.setup.cards:+d}"),
    ),
)
NOTHING_IS_INSIDE = Guard(
    "nothing_is_inside",
    "pt.bj.57a",
    lambda state, _act: (
        state.house.irregular
        or not state.setup.has_shuffler  # taken out by hand: the deck check counts them
        or (state.custody.book.inside + state.custody.book.jammed_inside == 0 and _device_empty(state))
    ),
    lambda state, _act: (("inside", str(state.custody.book.inside)),),
)


def _figure(value: int | None) -> str:
    return "?" if value is None else str(value)


def _device_empty(state: State) -> bool:
    return state.devices.shuffler.status is not None and state.devices.shuffler.status.inside == 0


# --- closing


def _round_is_over(clause: str) -> Guard:
    return Guard(
        "round_is_over",
        clause,
        lambda state, _act: state.game.phase is RoundPhase.IDLE,
        lambda state, _act: (("round", state.game.phase.value),),
    )


ROUND_IS_OVER_AT_THE_CLOSING = _round_is_over("pt.bj.57a")
ROUND_IS_OVER_AT_AN_INTERRUPTION = _round_is_over("pt.bj.12")
ROUND_IS_OVER_BEFORE_THE_SHUFFLE = _round_is_over("pt.bj.11b")
CLOSING_IS_INDICATED = Guard(
    "closing_is_indicated",
    "pt.bj.55a",
    lambda state, _act: state.house.session in {SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING},
)


def _grid_is_whole(_state: State, act: Act | None) -> bool:
    match act:
        case a.EnterGrid(counts=counts, foreign=foreign):
            return len(counts) == 52 and min(*counts, foreign) >= 0
        case _:
            return True


GRID_IS_WHOLE = Guard("grid_is_whole", "pt.bj.55b", _grid_is_whole, needs_act=True)


def _is_sorted_by_back(state: State, act: Act | None) -> bool:
    match act:
        case a.EnterGrid(back=back):
            return back in (range(1, backs(state) + 1) if backs(state) > 1 else (None,))
        case _:
            return True


GRID_IS_OF_ONE_BACK = Guard(
    "grid_is_of_one_back",
    "br.decks.2",
    _is_sorted_by_back,
    lambda state, _act: (("backs", str(backs(state))),),
    needs_act=True,
)
EVERY_BACK_IS_COUNTED = Guard("every_back_is_counted", "br.decks.2", lambda state, _act: grids_are_whole(state))


EVERY_CARD_IS_ENTERED = Guard(
    "every_card_is_entered",
    "pt.bj.55b",
    lambda state, _act: state.house.irregular or not not_entered(state),
    lambda state, _act: (("left", str(not_entered(state))), ("cards", str(state.custody.book.outside))),
)
NOTHING_CONTRADICTS_THE_GRID = Guard(
    "nothing_contradicts_the_grid",
    "pt.bj.55b",
    lambda state, _act: (
        state.house.irregular
        or bool(deck_check_figures(state))
        or not any(map(contradicts_the_reader, state.house.holds))
    ),
    lambda state, _act: (("figures", less_than_was_read(state)),),
)


def _in_the_way_of_the_check(state: State) -> tuple[Hold, ...]:
    """A count is answered by the deck check itself, and decks are checked without a reader, too."""
    return tuple(
        hold
        for hold in state.house.holds
        if hold.kind is not HoldKind.COUNT and not (hold.kind is HoldKind.DEVICE_LOST and hold.device is Device.SHOE)
    )


OTHER_HOLDS_ARE_ENDED = Guard(
    "other_holds_are_ended",
    "pt.bj.55b",
    lambda state, _act: state.house.irregular or not _in_the_way_of_the_check(state),
    lambda state, _act: (("hold", next((hold.kind.value for hold in _in_the_way_of_the_check(state)), "")),),
)
A_COUNT_CANNOT_BE_MENDED = Guard(
    "a_count_cannot_be_mended",
    "pt.bj.55b",
    lambda state, _act: any(hold.kind in BEYOND_MENDING for hold in state.house.holds),
)
IRREGULAR_CLOSING_IS_PROPOSED = Guard(
    "irregular_closing_is_proposed", "pt.bj.55b", lambda state, _act: state.house.irregular_proposed_by is not None
)


def _two_people(state: State, act: Act | None) -> bool:
    return act is None or act.person != state.house.irregular_proposed_by


TWO_PEOPLE_CLOSE = Guard("two_people_close", "pt.bj.55b", _two_people, needs_act=True)
NO_COMPLAINT_IS_OPEN = Guard(
    "no_complaint_is_open", "pt.bj.61", lambda state, _act: not holds_of(state, HoldKind.COMPLAINT)
)
