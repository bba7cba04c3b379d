"""Doubt about a card's face. If two counts or two readings compete for one card, neither is believed; people name it.

A reading is the face that the reader reports for a passing card; it is joined with the machine's count of that card. A
further reading, after a card was counted and read, may be of the same card or of the next one:

- While no card is owed, such a reading puts the card dealt last in doubt, however late it comes: a thief chooses how
  long the true card waits before the reader.
- While a card is owed, such a reading may be of the card dealt last only within the joining time. Even if it is then
  joined with the count of the next card, it may still be of the card before. So in a chain of such cards each reading
  may be of the card before. A reading without a count at the end of the chain casts doubt on every card of the chain.
"""

from typing import Final

from controller.core.custody.game import lies_face_up, next_owed, place_of
from controller.core.custody.state import (
    Card,
    CardState,
    CardStateT,
    Dealt,
    Identity,
    by_arrival,
    last_dealt,
    with_last,
    with_round,
)
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.holds import end_holds, holds_of, update_hold
from controller.core.words import HoldKind, Purpose, RoundPhase, SessionPhase, TableMs

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_NOTHING_READ: Final = Identity(None, None)
DOUBTED: Final = "doubted"
"""The name of the value by which a hold lists the doubted cards."""


def may_be_the_last_cards(state: CardState) -> bool:
    """True if a reading without a count may be of the card dealt last, which was already counted and read. False once a
    further card was asked for: a late reading would have raised a hold before that.
    """
    last = last_dealt(state) if state.game.dealt else None
    has_pair = last is not None and last.paired_ms is not None and state.game.requested is None
    return has_pair and state.game.phase in _CARDS_LIE


def is_open(state: CardState, at_ms: TableMs) -> bool:
    """True within the joining time (`join_ms`) after the card dealt last was counted and read.

    Another reading may then be of that card, even while a further card is owed.
    """
    paired_ms = last_dealt(state).paired_ms if may_be_the_last_cards(state) else None
    return paired_ms is not None and at_ms - paired_ms <= state.setup.parameters.join_ms


def face_down_number(state: CardState, at_ms: TableMs) -> int | None:
    """The number under which to seal the face that was just read. None if the core may know the face."""
    if state.house.session is SessionPhase.UNLOADING:
        return None
    join = state.custody.join
    if state.devices.reader.missing or state.devices.reader.unseen:  # the owner of this face is unknown
        return state.custody.face_down + 1
    if join.counted_ms is not None:
        wanted = join.counted_for
        face_up = wanted is not None and lies_face_up(state, wanted) and not join.contested
    else:
        owed = next_owed(state)
        is_next = owed is not None and lies_face_up(state, owed.purpose) and join.read is None
        face_up = is_next and not _may_be_hidden(state, at_ms)
    return None if face_up else state.custody.face_down + 1


def _may_be_hidden(state: CardState, at_ms: TableMs) -> bool:
    """True if a reading at a shuffler may still be of the card dealt last, which lies face down."""
    return state.setup.has_shuffler and is_open(state, at_ms) and last_dealt(state).face_down is not None


def reopened(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a new joining time for the card dealt last: a returned reader may report this card again.
    Unchanged if the card was not read.
    """
    last = last_dealt(state) if state.game.dealt else None
    return state if last is None or last.paired_ms is None else with_last(state, replace(last, paired_ms=at_ms))


def doubt_last(state: CardStateT, second: Identity = _NOTHING_READ) -> CardStateT:
    """The state with doubt about the face of the card dealt last, and about cards that may have exchanged readings with
    that card. `second`: the reading that contradicts the last card's first reading.
    """
    dealt, other = list(state.game.dealt), second.card
    for at in reversed(by_arrival(state)):
        one = dealt[at]
        dealt[at], other = _doubted(one, other), one.card
        if not one.follows_open:
            break
    return with_round(state, dealt=tuple(dealt))


def is_unread(one: Dealt) -> bool:
    """True if the card `one` lies face up and its face was neither read nor named. False for a doubted card."""
    return one.card is None and one.face_down is None and one.doubted is None


def unread_cards(state: CardState) -> tuple[Dealt, ...]:
    """The unread face-up cards in the order of the deal, without the card dealt last while its reading may come."""
    waits = state.custody.join.counted_for not in {None, Purpose.BURN}
    last = last_dealt(state) if waits and state.game.dealt else None
    return tuple([one for one in state.game.dealt if one is not last and is_unread(one)])


def end_unread(state: CardStateT) -> CardStateT:
    """The state without the hold for unread cards, once no unread card is left. At a table without a reader the hold is
    for one card only and ends at once.
    """
    if state.setup.has_reader and unread_cards(state):
        return state
    return end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)


def doubt_all(state: CardStateT) -> CardStateT:
    """The state with every face read in this round doubted. Unchanged unless cards are being dealt or played."""
    if state.game.phase not in _CARDS_LIE:
        return state
    dealt = state.game.dealt
    return with_round(state, dealt=tuple([one if one.paired_ms is None else _doubted(one, None) for one in dealt]))


def _doubted(one: Dealt, other: Card | None) -> Dealt:
    faces = tuple(card for card in (*(one.doubted or ()), one.card, other) if card is not None)
    return replace(one, card=None, commitment=None, named=False, paired_ms=None, doubted=faces)


def cards_to_name(state: CardState) -> tuple[Dealt, ...]:
    """The doubted face-up cards that people have not named yet. Empty while no cards lie on the table."""
    if state.game.phase not in _CARDS_LIE:
        return ()
    return tuple([one for one in state.game.dealt if one.doubted is not None and one.face_down is None])


def says_doubted(state: CardState) -> Values:
    """A value for sentences: place (seat/position; seat 0: the bank) and read faces of each card that needs a name."""
    named = [f"{place_of(state, one)}:{','.join(one.doubted or ()) or '-'}" for one in cards_to_name(state)]
    return ((DOUBTED, " ".join(named) or "-"),)


def watch_doubted(_before: CardStateT, after: CardStateT, _at_ms: TableMs) -> CardStateT:
    """The state in which each hold for an unexpected card lists the doubted cards that people must name now."""
    says = says_doubted(after)
    for hold in holds_of(after, HoldKind.UNEXPECTED_CARD):
        others = tuple([value for value in hold.details if value[0] != DOUBTED])
        was = tuple([value for value in hold.details if value[0] == DOUBTED])
        if was != says and (was or cards_to_name(after)):
            after = update_hold(after, replace(hold, details=(*others, *says)))
    return after
