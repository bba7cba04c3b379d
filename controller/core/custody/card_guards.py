"""Guards of what people say about cards: moved by hand, counted, named, damaged."""

from controller.core.choices import BurnPlace
from controller.core.custody import acts as a
from controller.core.custody.books import in_place, shoe_count
from controller.core.custody.cards import FOREIGN
from controller.core.custody.damage import deck_goes
from controller.core.custody.state import CardState
from controller.core.engine.act import Act
from controller.core.house.duty_guards import is_a_reference
from controller.core.house.guard import ActGuard, Guard
from controller.core.house.holds import holds_of
from controller.core.words import HoldKind, Place, RoundPhase, SessionPhase

MOVES: dict[Place, tuple[Place, ...]] = {
    Place.JAMMED: (Place.IN_HAND, Place.RACK, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.IN_HAND: (Place.TABLE, Place.RACK, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.PENDING: (Place.RACK, Place.IN_HAND, Place.BURNT, Place.OUTSIDE, Place.FOREIGN),
    Place.INSIDE: (Place.IN_HAND, Place.RACK, Place.OUTSIDE),
    Place.BURNT: (Place.IN_HAND, Place.RACK, Place.INSIDE),
    Place.RACK: (Place.IN_HAND, Place.INSIDE, Place.OUTSIDE, Place.FOREIGN),
    Place.TABLE: (Place.IN_HAND,),
    Place.OUTSIDE: (Place.IN_HAND, Place.INSIDE),
}
"""Where people may say that cards went, by hand, while a hold is attended."""


def _move_is_possible(state: CardState, act: Act | None) -> bool:
    match act:
        case a.StateCardsMoved(source=source, target=target, count=count):
            is_a_place = target is not Place.BURNT or state.setup.procedure.burn_place is BurnPlace.BURNT
            return is_a_place and target in MOVES.get(source, ()) and 0 < count <= in_place(state.custody.book, source)
        case _:
            return True


MOVE_IS_POSSIBLE = ActGuard[CardState, Act]("move_is_possible", "pt.bj.51d", _move_is_possible)


def _at_the_table(state: CardState, act: Act | None) -> int | None:
    """Cards that would be left on the table, or in a hand above it; None: the act does not say."""
    match act:
        case a.StateCount(table=table, in_hand=in_hand):
            return table + in_hand
        case a.StateWholeCount(table=table, in_hand=in_hand) if not state.setup.is_dealt_by_word:
            return table + in_hand
        case a.StateCardsMoved(source=Place.IN_HAND, target=target, count=count) if target is not Place.TABLE:
            return state.custody.book.table + state.custody.book.in_hand - count
        case _:
            return None


def _dealt_cards_lie(state: CardState, act: Act | None) -> bool:
    left = _at_the_table(state, act)
    is_open = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    return not is_open or left is None or left >= len(state.game.dealt)


DEALT_CARDS_LIE_ON_THE_TABLE = ActGuard[CardState, Act](
    "dealt_cards_lie_on_the_table",
    "pt.bj.17a",
    _dealt_cards_lie,
    lambda state, _act: (("dealt", str(len(state.game.dealt))),),
)


_OUTSIDE_IS_A_PLACE = tuple(
    phase for phase in SessionPhase if phase not in {SessionPhase.LOADED, SessionPhase.IN_PLAY, SessionPhase.CLOSING}
)


def _stays_at_the_table(state: CardState, act: Act | None) -> bool:
    """Between loading and unloading a card lies in the machine, on the table, in the rack or in a hand."""
    match act:
        case a.StateCardsMoved(target=Place.OUTSIDE) if act.count > 0:
            return state.house.session in _OUTSIDE_IS_A_PLACE
        case a.StateCount(outside=outside) | a.StateWholeCount(outside=outside) if outside > 0:
            return state.house.session in _OUTSIDE_IS_A_PLACE
        case _:
            return True


CARDS_STAY_AT_THE_TABLE = ActGuard[CardState, Act](
    "cards_stay_at_the_table",
    "pt.bj.55b",
    _stays_at_the_table,
    lambda state, _act: (("session", state.house.session.value),),
)


_TABLE_IS_BARE = (SessionPhase.CLOSING, SessionPhase.UNLOADING, SessionPhase.CHECKING)


def _count_is_possible(state: CardState, act: Act | None) -> bool:
    """No place holds less than nothing, and once the closing is indicated the table lies bare.

    Burnt cards that go to the rack are counted there.
    """
    match act:
        case a.StateCount(rack=rack, table=table, pending=pending, in_hand=in_hand, outside=outside):
            least = min(rack, table, pending, in_hand, outside)
        case a.StateWholeCount(burnt=burnt) if burnt and state.setup.procedure.burn_place is not BurnPlace.BURNT:
            return False
        case a.StateWholeCount(rack=rack, table=table, in_hand=in_hand, outside=outside):
            least = min(act.inside, rack, table, act.burnt, in_hand, outside)
        case _:
            return True
    return least >= 0 and (table == 0 or state.house.session not in _TABLE_IS_BARE)


COUNT_IS_POSSIBLE = ActGuard[CardState, Act]("count_is_possible", "pt.bj.55b", _count_is_possible)
SHUFFLER_COUNT_IS_KNOWN = Guard[CardState](
    "shuffler_count_is_known",
    "pt.bj.51e",
    lambda state: (
        shoe_count(state) is not None
        if not state.setup.has_shuffler
        else state.devices.shuffler.link.connected
        and state.devices.shuffler.status is not None
        and state.devices.shuffler.status.inside is not None
    ),
)
CARD_WAITS_FOR_ITS_NAME = Guard[CardState](
    "card_waits_for_its_name", "pt.bj.17a", lambda state: bool(holds_of(state, HoldKind.UNREAD_CARD))
)


def _card_belongs(_state: CardState, act: Act | None) -> bool:
    match act:
        case a.ReportDamagedCard(card=card):
            return card != FOREIGN
        case a.ReplaceCard(replacement=card):
            return card != FOREIGN
        case _:
            return True


CARD_BELONGS_TO_THE_DECKS = ActGuard[CardState, Act]("card_belongs_to_the_decks", "pt.bj.3b", _card_belongs)
A_CARD_IS_OUT = Guard[CardState](
    "a_card_is_out", "pt.bj.51a", lambda state: state.custody.book.total > state.custody.book.inside
)
NO_CARD_IS_DAMAGED_YET = Guard[CardState](
    "no_card_is_damaged_yet", "pt.bj.51a", lambda state: state.custody.damaged is None
)
ALONE_IF_AUTHORISED = Guard[CardState](
    "card_alone_is_authorised",
    "pt.bj.5c",
    lambda state: not deck_goes(state) or bool(state.custody.authorised),
)
WHOLE_DECK_IS_REPLACED = Guard[CardState]("whole_deck_is_replaced", "pt.bj.5b", deck_goes)


def _deck_exists(state: CardState, act: Act | None) -> bool:
    return not isinstance(act, a.ReplaceDeck) or 1 <= act.deck <= state.setup.decks


DECK_EXISTS = ActGuard[CardState, Act](
    "deck_exists",
    "pt.bj.3a",
    _deck_exists,
    lambda state, _act: (("decks", str(state.setup.decks)),),
)
CARD_IS_DAMAGED = Guard[CardState]("card_is_damaged", "pt.bj.51a", lambda state: state.custody.damaged is not None)


def _same_card(state: CardState, act: Act | None) -> bool:
    return not isinstance(act, a.ReplaceCard) or act.replacement == state.custody.damaged


REPLACEMENT_IS_THE_SAME_CARD = ActGuard[CardState, Act](
    "replacement_is_the_same_card",
    "pt.bj.51a",
    _same_card,
    lambda state, _act: (("damaged", state.custody.damaged or ""),),
)


def _reference_is_given(_state: CardState, act: Act | None) -> bool:
    return not isinstance(act, a.RecordAuthorisation) or is_a_reference(act.reference)


REFERENCE_IS_GIVEN = ActGuard[CardState, Act]("reference_is_given", "pt.bj.51b", _reference_is_given)
