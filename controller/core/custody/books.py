"""The book of the cards' places, and its comparison with the devices' own counts.

The shuffler's counts of cards, jams and recounts never decrease (PROTOCOL.md, section 9). A decrease shows that the
shuffler has lost its memory. A command that names an old count (a card release, an end of a jam, a recount request) is
then void, and the book continues from the lower counts at once. If the shuffler knows its counts, a hold stays open
until people have counted the cards. If not, the shuffler is asked to recount its slots.
"""

from msgspec import Struct

from controller.core.custody.state import Book, CardState, CardStateT, with_shoe_game
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.facts import ShufflerStatus
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import owes_leftovers, raise_hold
from controller.core.house.state import ShufflerKnown, with_devices
from controller.core.words import (
    Closing,
    Device,
    HoldCause,
    HoldKind,
    HoldPhase,
    Place,
    RoundPhase,
    SessionPhase,
    TableMs,
)

COUNTER_SPAN = 1 << 32
"""The number of values of a device's cumulative counts: 32 bits, after which they begin at 0 again."""

NUMBER_SPAN = 1 << 16
"""The number of values of a device's numbers of jams and recounts: 16 bits, after which they begin at 0 again."""

PLAUSIBLE_STEP = 1000
"""The most cards that can move between two events; a greater step of a counter is not believed."""

BEFORE_LOADING = (SessionPhase.OPENED, SessionPhase.DISPLAYED, SessionPhase.MIXED)
"""Steps with the deck set on the table and an empty shuffler (pt.bj.53)."""

NOTHING_LOADED = (
    SessionPhase.CLOSED,
    SessionPhase.OPENED,
    SessionPhase.DISPLAYED,
    SessionPhase.GATHERED,
    SessionPhase.MIXED,
    SessionPhase.CUT,
)
"""Steps at which no card of the deck set is inside the machine, so that a device may connect without a known count."""

_CARDS_MAY_BE_INSIDE = (
    SessionPhase.LOADING,
    SessionPhase.TAKING_OUT,
    SessionPhase.LOADED,
    SessionPhase.IN_PLAY,
    SessionPhase.CLOSING,
    SessionPhase.UNLOADING,
)


class Difference(Struct, frozen=True, gc=False):
    """A figure on which the book differs from the evidence: a device's count, or the size of the deck set."""

    what: str
    book: int
    evidence: int


def move(book: Book, source: str, target: str, count: int = 1) -> Book:
    """The book after `count` cards went from its field `source` to its field `target`. If `source` has fewer cards it
    becomes 0, and `target` still gets `count`: a fact is never refused.
    """
    have = getattr(book, source)
    changes = {source: have - min(have, count)}
    changes[target] = changes.get(target, getattr(book, target)) + count
    return replace(book, **changes)


def in_place(book: Book, place: Place) -> int:
    """The book's number of cards in one place. `JAMMED` counts the cards jammed in the feed and inside the machine."""
    return book.jammed if place is Place.JAMMED else int(getattr(book, place.value))


def move_between(book: Book, source: Place, target: Place, count: int) -> Book:
    """The book after people moved `count` cards by hand from `source` to `target`. Jammed cards leave the feed first,
    then the inside.
    """
    if source is not Place.JAMMED:
        return move(book, source.value, target.value, count)
    from_feed = min(book.jammed_feed, count)
    after = move(book, "jammed_feed", target.value, from_feed)
    return move(after, "jammed_inside", target.value, count - from_feed)


def cards_of_the_set(state: CardState, total: int) -> int:
    """The number that the book's total should be: the size of the deck set, or `total` if foreign cards explain the
    difference.

    A foreign card may have replaced a card of the set (pt.bj.3b); the deck check then names the missing card
    (pt.bj.55b).
    """
    cards, foreign = state.setup.cards, state.custody.book.foreign
    is_unloading = state.house.session is SessionPhase.UNLOADING
    seen = state.custody.read_out_foreign if is_unloading else 0  # foreign cards are counted out with the others
    return total if cards - foreign <= total <= cards + seen else cards


def is_older(one: int, than: int, span: int) -> bool:
    """True if the counter value `one` is earlier than the value `than`. The counter wraps at `span`."""
    return 0 < (than - one) % span < span // 2


def counter_step(before: int, now: int) -> int | None:
    """The number of cards from value `before` to value `now` of a device's cumulative count. None if this number is
    above PLAUSIBLE_STEP.
    """
    step = (now - before) % COUNTER_SPAN
    return step if step <= PLAUSIBLE_STEP else None


def differences(state: CardState) -> tuple[Difference, ...]:
    """All present differences: of the book from the devices' counts, and of its total from the deck set."""
    return (*_events_that_do_not_come(state), *_figures_that_differ(state))


def _events_that_do_not_come(state: CardState) -> tuple[Difference, ...]:
    """One difference for each connected device whose latest events have not arrived: they may report a card, a jam or a
    lid. Empty at a closed table, in the deck check and at an irregular closing.
    """
    if state.house.session in _ONLY_THE_SLOTS or state.house.irregular:
        return ()
    links = (("shuffler_events", state.devices.shuffler.link), ("shoe_events", state.devices.reader.link))
    return tuple(
        [Difference(what, one.taken, one.awaited) for what, one in links if one.connected and one.awaited > one.taken]
    )


def _figures_that_differ(state: CardState) -> tuple[Difference, ...]:
    if not state.setup.has_shuffler:
        return _shoe_differences(state)
    known = state.devices.shuffler
    status = known.status
    if status is None or not known.link.connected or not _shuffler_is_compared(state):
        return ()
    pairs = _slots(state, status.inside)
    if state.house.session not in _ONLY_THE_SLOTS:
        total = state.custody.book.total
        pairs += [
            ("cards_in", known.counted_in, status.cards_in),
            ("cards_out", known.counted_out, status.cards_out),
            ("total", total, cards_of_the_set(state, total)),
            *_passages_that_nobody_told(state),
        ]
    return _unequal(pairs)


def _unequal(pairs: list[tuple[str, int, int]]) -> tuple[Difference, ...]:
    return tuple([Difference(what, book, evidence) for what, book, evidence in pairs if book != evidence])


_ONLY_THE_SLOTS = (SessionPhase.CLOSED, SessionPhase.CHECKING)
"""Steps at which the machine only has to be empty; the deck check itself compares the cards (pt.bj.55a)."""


def _shuffler_is_compared(state: CardState) -> bool:
    """True if the shuffler's counts are to be compared with the book. False during an irregular closing, since cards
    may stay inside, and after it until the book has a card inside.
    """
    if state.house.session is SessionPhase.CLOSED:
        return state.house.last_closing is not Closing.IRREGULAR or state.custody.book.inside > 0
    return not state.house.irregular


def _slots(state: CardState, inside: int | None) -> list[tuple[str, int, int]]:
    """One entry: its name, and the number of cards inside by the book and by the shuffler. Empty if the shuffler
    reports no number or people work inside the machine.

    At a step at which the machine must be empty, equal numbers above 0 give 0 for the book, so that cards left inside
    are a difference.
    """
    if inside is None or _hands_are_in_the_machine(state):
        return []
    book = state.custody.book.inside + state.custody.book.jammed_inside
    must_be_empty = book == inside and state.house.session in _MUST_BE_EMPTY
    return [("inside", 0 if must_be_empty else book, inside)]


_MUST_BE_EMPTY = (*NOTHING_LOADED, SessionPhase.CHECKING)


def _shoe_differences(state: CardState) -> tuple[Difference, ...]:
    """The differences at a shoe or box: in the book's total, the reader's passages and the number of cards inside (not
    at closing and unloading). Empty while nothing is loaded and at an irregular closing.
    """
    if state.house.session not in _CARDS_MAY_BE_INSIDE or state.house.irregular:
        return ()
    cards = cards_of_the_set(state, state.custody.book.total)
    pairs = [("total", state.custody.book.total, cards), *_passages_that_nobody_told(state)]
    counted = shoe_count(state)
    if counted is not None and state.house.session not in _RUNNING_OUT:
        pairs.append(("inside", state.custody.book.inside, counted))
    return _unequal(pairs)


_RUNNING_OUT = (SessionPhase.CLOSING, SessionPhase.UNLOADING)


def shoe_count(state: CardState) -> int | None:
    """The number of cards in the shoe by the reader's count. None if the count is unknown or the reader is
    disconnected.
    """
    reader, filled_at = state.devices.reader, state.custody.shoe_game.filled_at
    figure = reader.passages if reader.heard is None else reader.heard
    if not reader.link.connected or filled_at is None or figure is None:
        return None
    return state.setup.cards - (figure - filled_at) % COUNTER_SPAN


def counted_inside(state: CardState) -> int | None:
    """The number of cards inside the machine by its own latest count. None if the machine has not reported one."""
    if state.setup.has_shuffler:
        return None if state.devices.shuffler.status is None else state.devices.shuffler.status.inside
    return shoe_count(state)


def _passages_that_nobody_told(state: CardState) -> list[tuple[str, int, int]]:
    """One entry: its name, and the number of cards that passed the reader by its events and by its own count. Empty if
    one of the two is unknown, the reader is not connected, or cards are taken out or unloaded.
    """
    reader = state.devices.reader
    if reader.passages is None or reader.heard is None or not reader.link.connected:
        return []
    if state.house.session in {SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}:
        return []
    return [("passages", reader.passages, reader.heard)]


def can_be_compared(state: CardState) -> bool:
    """True if the shuffler is connected and has reported its counts, or if its counts are not needed now."""
    is_out = state.house.session in (*BEFORE_LOADING, *_CARDS_MAY_BE_INSIDE)
    if not is_out or state.house.irregular or not state.setup.has_shuffler:
        return True
    return state.devices.shuffler.link.connected and state.devices.shuffler.status is not None


def _hands_are_in_the_machine(state: CardState) -> bool:
    status = state.devices.shuffler.status
    if status is not None and status.lid_open:
        return True
    for hold in state.house.holds:
        if hold.phase in {HoldPhase.RAISED, HoldPhase.ATTENDED} and hold_rule(hold.kind).opens_machine:
            return True
    return False


def feed_source(state: CardState) -> str | None:
    """The field of the book from which the next card should enter the machine. None if no card should enter."""
    if state.house.session is SessionPhase.LOADING and state.custody.packet_open:
        return "outside"
    if state.game.phase is RoundPhase.PUTTING_BACK and state.game.put_back < state.game.put_back_due:
        return "rack"
    return None


def rack_must_stay(state: CardState) -> bool:
    """True if the rack's cards are evidence: of a complaint, a damaged card or a dispute (pt.bj.61, pt.bj.51a)."""
    kinds = (HoldKind.COMPLAINT, HoldKind.DAMAGED_CARD, HoldKind.RULING)
    return any(hold.kind in kinds and not owes_leftovers(hold) for hold in state.house.holds)


def all_outside(book: Book, foreign: int) -> Book:
    """The book of an emptied machine: every card of the deck set counts as outside (pt.bj.55b, 60a). `foreign`: the
    number of cards that the reader found to belong to no deck of the table. These count as foreign.
    """
    seen = min(foreign, book.total)
    return Book(outside=book.total - seen, withdrawn=book.withdrawn, foreign=book.foreign + seen)


def followed(known: ShufflerKnown, status: ShufflerStatus) -> ShufflerKnown:
    """The record `known` of the shuffler, with the counts in `status` noted as included in the book."""
    return replace(
        known,
        counted_in=status.cards_in,
        counted_out=status.cards_out,
        counted_jams=status.jams,
        counted_recounts=status.recounts,
    )


def event_went_back(known: ShufflerKnown, status: ShufflerStatus) -> bool:
    """True if a count in an event's `status` is lower than the count in `known` that the book already includes."""
    for now, before, span in (
        (status.cards_in, known.counted_in, COUNTER_SPAN),
        (status.cards_out, known.counted_out, COUNTER_SPAN),
        (status.jams, known.counted_jams, NUMBER_SPAN),
        (status.recounts, known.counted_recounts, NUMBER_SPAN),
    ):
        if now != before and is_older(now, before, span):
            return True
    return False


def status_went_back(known: ShufflerKnown, status: ShufflerStatus) -> bool:
    """True if a count in `status` is lower than the book's count, or than the count that the shuffler reported last."""
    latest = known if known.status is None else followed(known, known.status)
    return event_went_back(known, status) or event_went_back(latest, status)


def counts_taken(state: CardStateT) -> CardStateT:
    """The state with the shuffler's last reported counts noted as included in the book. Unchanged without counts."""
    known = state.devices.shuffler
    return state if known.status is None else with_devices(state, shuffler=followed(known, known.status))


def hold_for_count(
    state: CardStateT, at_ms: TableMs, cause: HoldCause, figures: Values = (), *, device: Device | None = None
) -> CardStateT:
    """The state with a hold of the kind COUNT for `cause`. The hold ends only after people have counted every card, or
    at a closed table, which has no deck set. `figures`: the details of the hold.
    """
    kind, by_people = HoldKind.COUNT, state.house.session is not SessionPhase.CLOSED
    return raise_hold(state, kind, at_ms, device=device, cause=cause, details=figures, needs_count=by_people)


def begin_anew(state: CardStateT, status: ShufflerStatus, at_ms: TableMs) -> CardStateT:
    """The state that continues from the shuffler's decreased counts: with a hold for a count if the shuffler knows its
    counts, else with a requested recount.
    """
    state = numbered_from(with_devices(state, shuffler=followed(state.devices.shuffler, status)), status)
    return hold_for_count(state, at_ms, HoldCause.WENT_BACK) if status.counts_known else state


def numbered_from(state: CardStateT, status: ShufflerStatus) -> CardStateT:
    """The state that takes over the shuffler's numbers of jams and recounts; a jam that is present counts as new.

    A recount is requested if the shuffler does not know its counts.
    """
    before = (status.jams - status.jammed) % NUMBER_SPAN
    owed = (status.recounts + (not status.counts_known)) % NUMBER_SPAN
    return with_devices(state, jams_seen=before, jams_ended=before, recount_request=owed)


def passed_unseen(state: CardStateT, cards: int) -> CardStateT:
    """The state after people stated that `cards` cards left the shoe past its reader unseen. A negative number: cards
    came back.
    """
    filled_at = state.custody.shoe_game.filled_at
    return state if filled_at is None else with_shoe_game(state, filled_at=(filled_at - cards) % COUNTER_SPAN)
