"""Cards that leave by the mouth or enter by the feed: the count of each card, and the identity that is joined with the
count.

A fact always moves cards in the book. A card that the procedure owes goes to its place. Any other card is pending,
belongs to no hand, and raises a hold.
"""

from typing import Final

from controller.core.custody.books import (
    NOTHING_LOADED,
    begin_anew,
    cards_of_the_set,
    counter_step,
    event_went_back,
    feed_source,
    followed,
    hold_for_count,
    move,
    rack_must_stay,
)
from controller.core.custody.doubt import doubt_last, is_open, says_doubted
from controller.core.custody.game import (
    Owed,
    burns_at_start,
    game_of,
    judged_again,
    lies_face_up,
    may_come_again,
    next_owed,
    place_to_lay,
)
from controller.core.custody.state import (
    FOREIGN,
    CardState,
    CardStateT,
    CardTrigger,
    Dealt,
    Identity,
    Join,
    laid_at,
    last_dealt,
    with_custody,
    with_last,
    with_round,
    with_shoe_game,
)
from controller.core.custody.taking_back import foreign_card, last_at
from controller.core.engine.act import Fact, Source
from controller.core.engine.replacing import replace
from controller.core.house.attendance import is_unwatched
from controller.core.house.facts import ShufflerStatus
from controller.core.house.holds import holds_of, raise_hold
from controller.core.house.registry import Deadline
from controller.core.house.state import session_moved, with_devices, with_reader, with_tally
from controller.core.words import Closing, Device, HoldCause, HoldKind, Purpose, SessionPhase, TableMs, Timer


class ShufflerFact(Fact, frozen=True):
    """A fact of the shuffler, with its counts after the event."""

    source: Source
    status: ShufflerStatus


def follow_counts(state: CardStateT, event: ShufflerFact, at_ms: TableMs) -> CardStateT:
    """The state in which the cards between the shuffler's last counts and the event's counts have moved in the book. A
    hold for a count is raised if the counts are unknown or their step is implausible.
    """
    known, status = state.devices.shuffler, event.status
    link = replace(known.link, boot=event.source.boot, taken=event.source.number)
    out = counter_step(known.counted_out, status.cards_out)
    into = counter_step(known.counted_in, status.cards_in)
    went_back = event_went_back(known, status)
    state = with_devices(state, shuffler=followed(replace(known, link=link, status=status), status))
    if went_back:
        state = begin_anew(state, status, at_ms)
    if went_back and status.counts_known and (out is None or into is None):
        return state  # a hold for it is open already
    if out is None or into is None or not status.counts_known:
        return _figures_unknown(state, status, at_ms)
    for _ in range(into):
        state = _card_in(state, at_ms)
    for _ in range(out):
        state = _card_out(state, at_ms)
    if not (into or out) or not state.house.holds or not is_unwatched(state, at_ms):
        return state
    return hold_for_count(state, at_ms, HoldCause.CARD_FED if into else HoldCause.UNWATCHED)


def _figures_unknown(state: CardStateT, status: ShufflerStatus, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a count after unknown or implausible counts (pt.bj.53c).

    Unchanged at a closed table, and for unknown counts while nothing is loaded.
    """
    counts_anew = state.house.session in NOTHING_LOADED and not status.counts_known
    if counts_anew or state.house.session is SessionPhase.CLOSED:
        return state
    return hold_for_count(state, at_ms, HoldCause.COUNTS_UNKNOWN)


_FED_BY_MISTAKE = ("rack", "outside", "burnt")
"""The usual places of a card fed by mistake, the likeliest first; no supervised count covers burnt cards."""


def _card_in(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state after a card entered by the feed. A hold is raised if no card should enter, or if the rack's cards must
    stay there.
    """
    state, source = may_come_again(state), feed_source(state)
    if source is None:
        source = next((place for place in _FED_BY_MISTAKE if getattr(state.custody.book, place)), "outside")
        state = with_custody(state, book=move(state.custody.book, source, "inside"))
        return hold_for_count(state, at_ms, HoldCause.CARD_FED)
    state = with_custody(state, book=move(state.custody.book, source, "inside"))
    if source == "rack":
        state = with_round(state, put_back=state.game.put_back + 1)
        return hold_for_count(state, at_ms, HoldCause.CARD_FED) if rack_must_stay(state) else state
    return with_custody(state, packets=(*state.custody.packets[:-1], state.custody.packets[-1] + 1))


def reports_come_late(state: CardState) -> bool:
    """True in the deck check of an irregular closing: the machine may still report cards that came out."""
    return state.house.session is SessionPhase.CHECKING and state.house.irregular


def _card_out(state: CardStateT, at_ms: TableMs) -> CardStateT:
    if state.house.session in {SessionPhase.UNLOADING, SessionPhase.TAKING_OUT} or reports_come_late(state):
        return _run_out(state, at_ms)
    if state.house.session in NOTHING_LOADED:
        return _out_of_an_empty_machine(state, at_ms)
    state = with_tally(state, drawn=state.house.tally.drawn + 1)
    owed = next_owed(state)
    return _unexpected_out(state, at_ms) if owed is None else owed_out(state, owed, at_ms)


def _run_out(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state after a card came out while the machine is emptied. A hold is raised if the set has fewer cards than
    came out.
    """
    was_empty = state.custody.book.inside + state.custody.book.jammed == 0 and not state.house.irregular
    state = with_custody(state, book=move(state.custody.book, "inside", "outside"))
    total = state.custody.book.total
    if not was_empty or total == cards_of_the_set(state, total):
        return state
    figures = (("counted", str(total)), ("expected", str(state.setup.cards)))
    return hold_for_count(state, at_ms, HoldCause.SURPLUS, figures)


def _out_of_an_empty_machine(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a card that came out while no cards were loaded. Unchanged at a closed table after an
    irregular closing, where cards left inside may be reported late.
    """
    is_closed = state.house.session is SessionPhase.CLOSED
    if is_closed and state.house.last_closing is Closing.IRREGULAR:
        return state  # the rest of the cards inside, reported late
    was_known = state.custody.book.inside > 0
    if not was_known:
        state = with_custody(state, book=move(state.custody.book, "outside", "inside"))
    state = _unexpected_out(state, at_ms, needs_count=not (was_known or is_closed))
    return with_custody(state, join=Join()) if is_closed else state


def is_ruled_on(state: CardState) -> bool:
    """True while a ruling on the card dealt last is owed. The card can then be corrected even after a further card."""
    return state.game.provisional and any(hold.cause in OF_A_CARD for hold in holds_of(state, HoldKind.RULING))


OF_A_CARD: Final = (HoldCause.MISDEALT_SEEN, HoldCause.MISDEALT_UNSEEN, HoldCause.EXTRA_CARD)
"""Causes of a ruling on one card."""


def _unexpected_out(state: CardStateT, at_ms: TableMs, *, needs_count: bool = False) -> CardStateT:
    """The state with a hold for a card that was not owed. If the card counted before it has no identity yet, this is a
    double feed, and neither card's identity is believed.
    """
    waiting = state.custody.join.counted_ms is not None
    state = with_round(state, provisional=is_ruled_on(state))
    state = with_custody(state, book=move(state.custody.book, "inside", "pending"))
    if waiting:
        return hold_doubted(
            _contested(state, at_ms), at_ms, HoldCause.DOUBLE_FEED, Device.SHUFFLER, needs_count=needs_count
        )
    join = Join(counted_ms=at_ms, follows_open=is_open(state, at_ms))
    state = with_custody(state, join=join if state.setup.has_reader else Join())
    kind, device = HoldKind.UNEXPECTED_CARD, Device.SHUFFLER
    return raise_hold(state, kind, at_ms, device=device, cause=HoldCause.NOT_OWED, needs_count=needs_count)


def _contested(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state in which two cards compete for one identity. No identity that comes for either card is believed."""
    purpose = state.custody.join.counted_for
    state = with_custody(state, join=Join(counted_ms=at_ms, contested=True))
    if purpose is None:
        return state
    return _joined(state if purpose is Purpose.BURN else doubt_last(_numbered(state, purpose)))


def owed_out(state: CardStateT, owed: Owed, at_ms: TableMs) -> CardStateT:
    join = state.custody.join
    state = lay(state, owed)
    if not state.setup.has_reader:
        return _joined(_numbered(state, owed.purpose))
    counted = Join(counted_ms=at_ms, counted_for=owed.purpose, follows_open=join.follows_open)
    waiting = with_custody(state, join=counted)
    if join.contested:
        return hold_doubted(_contested(waiting, at_ms), at_ms, HoldCause.TWO_READS, Device.SHOE)
    return waiting if join.read is None else attach(waiting, join.read, at_ms)


def card_of_the_shoe(state: CardStateT, identity: Identity, at_ms: TableMs, *, was_stated: bool = False) -> CardStateT:
    """The state after a card with this identity left the shoe or box, counted and read at once. A hold is raised if no
    card was owed. `was_stated`: people have stated the card, and the device has not reported it.
    """
    is_filled = state.house.session not in NOTHING_LOADED
    if is_filled:
        state = one_more_out(state)
    owed = next_owed(state)
    if owed is None:
        source = "inside" if is_filled else "outside"  # before the machine is filled all cards lie outside
        state = with_round(state, provisional=is_ruled_on(state))
        state = with_custody(state, book=move(state.custody.book, source, "pending"))
        return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, device=Device.SHOE, cause=HoldCause.NOT_OWED)
    laid = lay(state, owed, was_stated=was_stated)
    return attach(with_custody(laid, join=Join(counted_ms=at_ms, counted_for=owed.purpose)), identity, at_ms)


def one_more_out(state: CardStateT) -> CardStateT:
    return with_tally(with_shoe_game(state, out=state.custody.shoe_game.out + 1), drawn=state.house.tally.drawn + 1)


def lay(state: CardStateT, owed: Owed, source: str = "inside", *, was_stated: bool = False) -> CardStateT:
    """The state with the owed card moved in the book from `source` to the place where it is owed. A burnt card goes to
    the profile's place for burnt cards (pt.bj.10, mo.4.1.1), any other card to the table. `was_stated`: people have
    stated the card.
    """
    target = "table" if owed.seat is not None else state.setup.procedure.burn_place.value
    state = with_custody(state, book=move(state.custody.book, source, target))
    if owed.seat is not None:
        replaces = state.game.replaced_at is not None
        one = Dealt(owed.seat, owed.purpose, hand=owed.hand, was_stated=was_stated, replaces=replaces)
        state = laid_at(state, one, place_to_lay(state))
        return with_round(state, requested=None, requested_hand=1, replaced_at=None, provisional=True)
    state = with_tally(state, burned=state.house.tally.burned + 1)
    if state.house.session is SessionPhase.LOADED:
        return with_custody(state, burned=state.custody.burned + 1)
    return with_round(state, burned=state.game.burned + 1, provisional=is_ruled_on(state))  # a burnt card followed


def _numbered(state: CardStateT, purpose: Purpose) -> CardStateT:
    """The state with the next face-down number given to the last card. Unchanged for a burnt or face-up card."""
    if purpose is Purpose.BURN or lies_face_up(state, purpose):
        return state
    number = state.custody.face_down + 1
    return with_custody(with_last(state, replace(last_dealt(state), face_down=number)), face_down=number)


def attach(state: CardStateT, identity: Identity, at_ms: TableMs) -> CardStateT:
    """The state with the reader's identity joined to the counted card, and the time noted: a second reading of the card
    may come within the joining time.
    """
    join = state.custody.join
    if join.counted_for not in {None, Purpose.BURN}:
        state = with_last(state, replace(last_dealt(state), paired_ms=at_ms, follows_open=join.follows_open))
    return _identified(state, identity, at_ms)


def _identified(state: CardStateT, identity: Identity, at_ms: TableMs) -> CardStateT:
    """The state with the identity given to the counted card. A foreign card is removed. An unread face-up card raises a
    hold until people name it.
    """
    purpose = state.custody.join.counted_for
    if identity.card is None and identity.commitment is None:
        state = with_reader(state, faults=state.devices.reader.faults + 1)
    if purpose is not None and lies_face_up(state, purpose):
        if identity.card == FOREIGN:
            return foreign_card(with_custody(state, join=Join()), last_at(state), at_ms)
        last = replace(last_dealt(state), card=identity.card)
        state = judged_again(state, with_custody(with_last(state, last), join=Join()), last, at_ms)
        if identity.card is None:
            state = raise_hold(state, HoldKind.UNREAD_CARD, at_ms, details=(("seat", str(last.seat)),))
    elif purpose in {Purpose.HOLE, Purpose.SEAT}:
        face_down, commitment = state.custody.face_down, identity.commitment
        hidden = replace(last_dealt(state), face_down=face_down, commitment=commitment)
        state = with_custody(with_last(state, hidden), join=Join())
    else:
        state = with_custody(state, join=Join())
    return _joined(state)


def _joined(state: CardStateT) -> CardStateT:
    """The state after a card has both its count and its identity.

    After the last card of the burn after a loading, the session moves to its next step. After any other card the game's
    `card_arrived` is called.
    """
    if state.house.session is SessionPhase.LOADED and state.custody.burned >= burns_at_start(state.setup):
        return session_moved(state, CardTrigger.BURN_DRAWN)
    return game_of(state).card_arrived(state)


def _without_a_passage(state: CardStateT) -> CardStateT:
    """The state with one more card that the reader has not reported: as `missing` if the reader keeps its events and
    may report it later, else as `unseen`.
    """
    reader = state.devices.reader
    if reader.keeps_events:
        return with_reader(state, missing=reader.missing + 1)
    return with_reader(state, unseen=reader.unseen + 1)


def hold_doubted(
    state: CardStateT, at_ms: TableMs, cause: HoldCause, device: Device, *, needs_count: bool = True
) -> CardStateT:
    """The state with a hold for an unexpected card, raised for `cause`. The hold lists the cards whose readings are not
    believed.
    """
    details = (("cause", cause.value), *says_doubted(state))
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, device=device, details=details, needs_count=needs_count)


def read_again(state: CardStateT, identity: Identity, at_ms: TableMs) -> CardStateT:
    """The state with a hold after a second reading, `identity`, while the first reading waited for its count. Neither
    reading is believed.
    """
    join = state.custody.join
    state = doubt_last(state, identity) if join.follows_open else state
    state = with_custody(state, join=replace(join, read=Identity(None, None), contested=True))
    return hold_doubted(state, at_ms, HoldCause.TWO_READS, Device.SHOE)


def stray_read(state: CardStateT, identity: Identity, at_ms: TableMs, *, follows_open: bool) -> CardStateT:
    """The state with a hold for the reading `identity` without a count. `follows_open`: if True, the card dealt last is
    doubted, too.
    """
    state = doubt_last(state, identity) if follows_open else state
    return hold_doubted(state, at_ms, HoldCause.READ_WITHOUT_COUNT, Device.SHOE)


def join_expired(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state after a card's count or reading did not come in time. Without a reading the card stays unread, and
    people must name a face-up card. Without a count a hold is raised.
    """
    join, state = state.custody.join, with_custody(state, join=Join())
    if join.contested:
        return state
    if join.counted_ms is None:
        return stray_read(state, join.read or Identity(None, None), at_ms, follows_open=join.follows_open)
    state = _without_a_passage(state)
    if join.counted_for is not None:
        return _identified(with_custody(state, join=join), Identity(None, None), at_ms)
    if not join.follows_open:
        return state
    return hold_doubted(doubt_last(state), at_ms, HoldCause.DOUBLE_FEED, Device.SHUFFLER, needs_count=False)


def _join_deadline(state: CardState) -> TableMs | None:
    """The time at which a card's missing count or reading is late. None if nothing is missing, or if the device that
    owes it is disconnected.
    """
    join = state.custody.join
    is_counted = join.counted_ms is not None
    began, owing = (join.counted_ms, state.devices.reader) if is_counted else (join.read_ms, state.devices.shuffler)
    if began is None or not owing.link.connected:
        return None
    return TableMs(began + state.setup.parameters.join_ms)


JOIN_DEADLINE = Deadline(Timer.JOIN, _join_deadline, join_expired)
