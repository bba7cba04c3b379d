"""Cards that people count or move by hand; a supervised count that finds every card replaces the book's figures."""

from typing import Any, Final, TypeAlias

from controller.core.choices import BurnPlace
from controller.core.custody.agreement import discards
from controller.core.custody.books import (
    COUNTER_SPAN,
    cards_of_the_set,
    counted_inside,
    counts_taken,
    differences,
    hold_for_count,
    in_place,
    is_older,
    move_between,
)
from controller.core.custody.dealing_by_word import NO_SHUFFLER_COUNTS, owed_as_counted
from controller.core.custody.doubt import cards_to_name, doubt_all
from controller.core.custody.drawing import hold_doubted
from controller.core.custody.game import burns_at_start, may_come_again
from controller.core.custody.opening import COUNTS_ARE_SETTLED
from controller.core.custody.state import CardState, CardStateT, CardTrigger, with_custody, with_round, with_shoe_game
from controller.core.custody.taking_back import dealt_as_counted
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.hold_acts import A_HOLD_IS_ATTENDED
from controller.core.house.holds import holds_of, raise_hold, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.registry import Deadline
from controller.core.house.rule import CHIEF, DEALER_OR_CHIEF, DELIBERATE_MS, WHILE_OPEN, ActGuard, ActRule, Guard, S
from controller.core.house.state import ReaderKnown, session_moved, with_devices, with_house, with_tally
from controller.core.house.undoing import AGAIN, by
from controller.core.words import (
    Device,
    HoldCause,
    HoldKind,
    HoldPhase,
    Place,
    RoundPhase,
    SessionPhase,
    TableMs,
    Timer,
)


class StateCardsMoved(Act, frozen=True):
    """A person states that people moved `count` cards by hand from `source` to `target` while a hold is attended."""

    source: Place
    target: Place
    count: int


class StateCount(Act, frozen=True):
    """A supervised count of all cards outside the shuffler. The shuffler counts the cards inside itself."""

    rack: int
    table: int
    pending: int
    in_hand: int
    outside: int


class StateWholeCount(Act, frozen=True):
    """A supervised count of all cards, with the cards in the shoe or box. Only for a table without a shuffler."""

    inside: int
    rack: int
    table: int
    burnt: int
    in_hand: int
    outside: int


class CallForCount(Act, frozen=True):
    """A person finds that the cards on the table differ from the book. Only for a table without a shuffler."""


MOVES: dict[Place, tuple[Place, ...]] = {
    Place.JAMMED: (Place.IN_HAND, Place.RACK, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.IN_HAND: (Place.TABLE, Place.RACK, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.PENDING: (Place.RACK, Place.IN_HAND, Place.BURNT, Place.OUTSIDE, Place.FOREIGN),
    Place.INSIDE: (Place.IN_HAND, Place.RACK, Place.OUTSIDE),
    Place.BURNT: (Place.IN_HAND, Place.RACK, Place.INSIDE),
    Place.RACK: (Place.IN_HAND, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.TABLE: (Place.IN_HAND,),
    Place.OUTSIDE: (Place.IN_HAND, Place.INSIDE),
    Place.FOREIGN: (Place.IN_HAND, Place.RACK, Place.OUTSIDE),
}
"""The places to which people may move cards by hand while a hold is attended, by the place from which they come."""


def _move_is_possible(state: CardState, act: StateCardsMoved) -> bool:
    is_a_place = act.target is not Place.BURNT or state.setup.procedure.burn_place is BurnPlace.BURNT
    may_go = is_a_place and act.target in MOVES.get(act.source, ())
    return may_go and 0 < act.count <= in_place(state.custody.book, act.source)


MOVE_IS_POSSIBLE = ActGuard[CardState, StateCardsMoved]("move_is_possible", _move_is_possible)
_Count: TypeAlias = StateCount | StateWholeCount


def _at_the_table(state: CardState, act: StateCardsMoved | _Count) -> int | None:
    """The number of cards that the act would leave on the table and in people's hands. None if it need not be checked.

    No check is needed for a move that cannot lower the number, and for a whole count at a table where people state the
    dealt cards: that count corrects their statements.
    """
    match act:
        case StateCardsMoved(source=Place.IN_HAND, target=target, count=count) if target is not Place.TABLE:
            return state.custody.book.table + state.custody.book.in_hand - count
        case StateCount() | StateWholeCount() if isinstance(act, StateCount) or not state.setup.is_dealt_by_word:
            return act.table + act.in_hand
        case _:
            return None


def _dealt_cards_lie(state: CardState, act: StateCardsMoved | _Count) -> bool:
    left = _at_the_table(state, act)
    is_open = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    return not is_open or left is None or left >= len(state.game.dealt)


DEALT_CARDS_LIE_ON_THE_TABLE = ActGuard[CardState, StateCardsMoved | _Count](
    "dealt_cards_lie_on_the_table",
    _dealt_cards_lie,
    lambda state, _act: (("dealt", str(len(state.game.dealt))),),
)
_OUTSIDE_IS_A_PLACE = tuple(
    phase for phase in SessionPhase if phase not in {SessionPhase.LOADED, SessionPhase.IN_PLAY, SessionPhase.CLOSING}
)


def _stays_at_the_table(state: CardState, act: StateCardsMoved | _Count) -> bool:
    """True unless the act would put cards in the place OUTSIDE between loading and unloading."""
    match act:
        case StateCardsMoved(target=target, count=count):
            outside = count if target is Place.OUTSIDE else 0
        case StateCount(outside=outside) | StateWholeCount(outside=outside):
            pass
    return outside <= 0 or state.house.session in _OUTSIDE_IS_A_PLACE


CARDS_STAY_AT_THE_TABLE = ActGuard[CardState, StateCardsMoved | _Count](
    "cards_stay_at_the_table",
    _stays_at_the_table,
    lambda state, _act: (("session", state.house.session.value),),
)
_TABLE_IS_BARE = (SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING)


def _count_is_possible(state: CardState, act: _Count) -> bool:
    """True if no stated number is negative, and the number for the table is 0 once the closing is indicated. False for
    a number of burnt cards if the profile puts burnt cards in the rack, where they are counted.
    """
    elsewhere = (act.pending,) if isinstance(act, StateCount) else (act.inside, act.burnt)
    if isinstance(act, StateWholeCount) and act.burnt and state.setup.procedure.burn_place is not BurnPlace.BURNT:
        return False
    least = min(act.rack, act.table, act.in_hand, act.outside, *elsewhere)
    return least >= 0 and (act.table == 0 or state.house.session not in _TABLE_IS_BARE)


COUNT_IS_POSSIBLE = ActGuard[CardState, _Count]("count_is_possible", _count_is_possible)
SHUFFLER_COUNT_IS_KNOWN = Guard[CardState](
    "shuffler_count_is_known",
    lambda state: (
        counted_inside(state) is not None and (state.devices.shuffler.link.connected or not state.setup.has_shuffler)
    ),
)


def _is_attested(act: StateCardsMoved) -> bool:
    """True for a move that a person must attest: to FOREIGN, or of a pending card.

    Only the deck check can confirm a foreign card. A pending card would otherwise go to the next hand.
    """
    return act.target is Place.FOREIGN or act.source is Place.PENDING


def state_cards_moved(state: CardStateT, act: StateCardsMoved, _at_ms: TableMs) -> CardStateT:
    """The state with the cards moved in the book. During the putting back, every card that is then in the rack must
    also go back (pt.bj.59b). After a move into the machine, every known face may come out again.
    """
    book = move_between(state.custody.book, act.source, act.target, act.count)
    due = state.game.put_back + book.rack if state.game.phase is RoundPhase.PUTTING_BACK else state.game.put_back_due
    state = may_come_again(state) if act.target is Place.INSIDE else state
    return with_round(with_custody(state, book=book), put_back_due=due)


def state_count(state: CardStateT, act: _Count, at_ms: TableMs) -> CardStateT:
    """The state after people's count. A count that finds every card replaces the book's figures; the result is noted in
    each attended hold that needs a count. Unchanged if the number of cards inside is unknown.

    Such a whole count also corrects the record of the devices' figures, of the burn and of cards that people stated as
    dealt, and drops a proposed irregular closing.
    """
    inside = act.inside if isinstance(act, StateWholeCount) else counted_inside(state)
    if inside is None:
        return state
    book = replace(
        state.custody.book,
        rack=act.rack,
        table=act.table,
        burnt=act.burnt if isinstance(act, StateWholeCount) else state.custody.book.burnt,
        pending=act.pending if isinstance(act, StateCount) else 0,
        in_hand=act.in_hand,
        outside=act.outside,
        inside=inside,
        jammed_inside=0,
        jammed_feed=0,
    )
    whole = book.total == cards_of_the_set(state, book.total)
    if whole:  # the cause of a proposed irregular closing can be removed after all
        state = with_custody(with_house(state, irregular_proposed_by=None), book=book)
        state = with_round(counts_taken(state), put_back_due=state.game.put_back + act.rack)
        state = may_come_again(with_devices(state, reader=_figure_taken(state.devices.reader)))
        state = _nobodys_cards_hold(_as_they_lie(_shoe_counted(state, at_ms), act, at_ms), at_ms)
    figures = (("stated", str(book.total)), ("deck_set_cards", str(state.setup.cards)))
    for hold in state.house.holds:
        if hold.needs_count and hold.phase is HoldPhase.ATTENDED:
            state = update_hold(state, replace(hold, counted=whole, details=(*_without(hold.details), *figures)))
    return state


def call_for_count(state: CardStateT, _act: CallForCount, at_ms: TableMs) -> CardStateT:
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "called"),), needs_count=True)


def _nobodys_cards_hold(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for an unexpected card if a card other than the one laid aside is pending. Unchanged while
    such a hold is open.
    """
    of_nobody = state.custody.book.pending - (0 if state.custody.set_aside is None else 1)
    if of_nobody <= 0 or holds_of(state, HoldKind.UNEXPECTED_CARD):
        return state
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, cause=HoldCause.NOT_OWED)


def _figure_taken(reader: ReaderKnown) -> ReaderKnown:
    """The reader's record after people have counted all cards: no card counts as unseen. If the reader's own count
    differed from its events, the record continues from that count, and no card counts as missing.
    """
    if reader.heard is None:
        return replace(reader, unseen=0)
    return replace(reader, passages=reader.heard, heard=None, missing=0, unseen=0)


def _shoe_counted(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with the reader's count at the filling corrected, so that it fits the cards that people counted in the
    shoe. Unchanged at a shuffler.

    If the reader has counted more cards than came out, a card was held before the reader, and the faces read in this
    round are doubted.
    """
    if state.setup.has_shuffler:
        return state
    figure, out = state.devices.reader.passages, state.setup.cards - state.custody.book.inside
    before, filled_at = state.custody.shoe_game.filled_at, None if figure is None else (figure - out) % COUNTER_SPAN
    state = with_shoe_game(state, filled_at=filled_at)
    if before is None or filled_at is None or not is_older(before, filled_at, COUNTER_SPAN):
        return state
    doubted = doubt_all(state)
    if not cards_to_name(doubted):
        return doubted
    return hold_doubted(doubted, at_ms, HoldCause.MORE_READ, Device.SHOE, needs_count=False)


def _without(details: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    return tuple((key, value) for key, value in details if key not in {"stated", "deck_set_cards"})


def _as_they_lie(state: CardStateT, act: _Count, at_ms: TableMs) -> CardStateT:
    """The state with the number of burnt cards, or the cards stated as dealt, corrected by people's count at a shoe or
    box. Unchanged at a shuffler, and if it is too late to correct either.
    """
    if state.setup.has_shuffler:
        return state
    if state.house.session is SessionPhase.LOADED or _no_round_has_begun(state):
        return _burnt_as_counted(state)
    is_open = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    if not is_open or not state.setup.is_dealt_by_word:
        return state
    return owed_as_counted(dealt_as_counted(state, act), at_ms)


def _burnt_as_counted(state: CardStateT) -> CardStateT:
    burned = getattr(state.custody.book, state.setup.procedure.burn_place.value)
    state = with_tally(state, burned=state.house.tally.burned + burned - state.custody.burned)
    is_drawn = burned >= burns_at_start(state.setup)
    return session_moved(
        with_custody(state, burned=burned), CardTrigger.BURN_DRAWN if is_drawn else CardTrigger.BURN_MISSED
    )


def _no_round_has_begun(state: CardState) -> bool:
    """True in play while no round has begun since the filling: the burn can then be drawn again."""
    is_before = state.game.number < state.custody.shoe_game.first_round
    return state.house.session is SessionPhase.IN_PLAY and state.game.phase is RoundPhase.IDLE and is_before


COUNTS_BY_PEOPLE_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "state-cards-moved",
        StateCardsMoved,
        CHIEF,
        discards(state_cards_moved),
        (A_HOLD_IS_ATTENDED, MOVE_IS_POSSIBLE, CARDS_STAY_AT_THE_TABLE, DEALT_CARDS_LIE_ON_THE_TABLE),
        undone=AGAIN,
        money=Money.NOBODYS,
        manner=Manner.DOES,  # he moves the cards himself; counts and the attested end of the hold check this
        attested_if=_is_attested,
    ),
    ActRule(
        "state-count",
        StateCount,
        CHIEF,
        discards(state_count),
        (
            A_HOLD_IS_ATTENDED,
            COUNT_IS_POSSIBLE,
            CARDS_STAY_AT_THE_TABLE,
            DEALT_CARDS_LIE_ON_THE_TABLE,
            SHUFFLER_COUNT_IS_KNOWN,
        ),
        in_session=WHILE_OPEN,
        undone=AGAIN,
        money=Money.NOBODYS,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "state-whole-count",
        StateWholeCount,
        CHIEF,
        discards(state_count),
        (
            NO_SHUFFLER_COUNTS,
            A_HOLD_IS_ATTENDED,
            COUNT_IS_POSSIBLE,
            CARDS_STAY_AT_THE_TABLE,
            DEALT_CARDS_LIE_ON_THE_TABLE,
        ),
        in_session=WHILE_OPEN,
        undone=AGAIN,
        money=Money.CORRECTED,
        manner=Manner.ATTESTS,
    ),
)


CALLING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "call-for-count",
        CallForCount,
        DEALER_OR_CHIEF,
        call_for_count,
        (NO_SHUFFLER_COUNTS, COUNTS_ARE_SETTLED),
        in_session=(S.LOADED, S.IN_PLAY),
        hold_ms=DELIBERATE_MS,
        undone=by("state-count", "state-whole-count"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)


def _counts_deadline(state: CardState) -> TableMs | None:
    began = state.custody.differing_since_ms
    return None if began is None else TableMs(began + state.setup.parameters.difference_ms)


def _counts_differ(state: CardStateT, at_ms: TableMs) -> CardStateT:
    figures = "; ".join(f"{d.what} {d.book}/{d.evidence}" for d in differences(state))
    return hold_for_count(state, at_ms, HoldCause.DIFFERENCE, (("figures", figures),))


def watch_counts(_before: CardStateT, state: CardStateT, at_ms: TableMs) -> CardStateT:
    """Returns the state with the time at which the book and the devices' counts began to differ. The time is None while
    they agree, and while a hold for a count is open.
    """
    differ = bool(differences(state)) and not holds_of(state, HoldKind.COUNT)
    if differ == (state.custody.differing_since_ms is not None):
        return state
    return with_custody(state, differing_since_ms=at_ms if differ else None)


COUNTS_DEADLINE = Deadline(Timer.COUNTS, _counts_deadline, _counts_differ)
