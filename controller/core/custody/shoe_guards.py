"""Guards of shoe and box: opening count, shuffle, cut, warning card, filling, last round, gathering, spreading."""

from controller.core.choices import Cut, CutFallback, OpeningCheck, WarningCard
from controller.core.custody import acts as a
from controller.core.custody.owed import burns_at_start, next_owed
from controller.core.custody.shoe_game import (
    cards_behind,
    cut_is_offered_to,
    last_round_is_told,
    one_round,
    shoe_is_over,
    warning_card_is_used,
)
from controller.core.custody.state import CardState
from controller.core.engine.act import Act
from controller.core.house.guard import ActGuard, Guard
from controller.core.words import Role, RoundPhase, SessionPhase

MACHINE_IS_A_SHUFFLER = Guard[CardState](
    "machine_is_a_shuffler", "pt.bj.53c", lambda state: state.setup.has_shuffler, elsewhere=(("mo", "mo.2.1.1c"),)
)
MACHINE_IS_FILLED_BY_HAND = Guard[CardState](
    "machine_is_filled_by_hand",
    "pt.bj.53c",
    lambda state: not state.setup.has_shuffler,
    elsewhere=(("mo", "mo.2.1.2"),),
)

# --- opening

DECKS_ARE_COUNTED_HERE = Guard[CardState](
    "decks_are_counted_here",
    "pt.bj.7a",
    lambda state: state.setup.procedure.opening_check is OpeningCheck.COUNT,
    elsewhere=(("mo", "mo.2.1"),),
)
CARDS_ARE_DISPLAYED_HERE = Guard[CardState](
    "cards_are_displayed_here",
    "br.prep.2b",
    lambda state: state.setup.procedure.opening_check is OpeningCheck.DISPLAY,
    elsewhere=(("mo", "mo.2.1"),),
)


def _count_is_whole(state: CardState, act: Act | None) -> bool:
    if not isinstance(act, a.ConfirmCount) or state.house.session is SessionPhase.GATHERED:
        return True
    return act.counted == (52,) * state.setup.decks


def _all_are_in_the_mix(state: CardState, act: Act | None) -> bool:
    if not isinstance(act, a.ConfirmCount) or state.house.session is not SessionPhase.GATHERED:
        return True
    return sum(act.counted) == state.setup.cards


DECKS_ARE_WHOLE = ActGuard[CardState, Act](
    "decks_are_whole",
    "br.prep.2b",
    _count_is_whole,
    lambda state, _act: (("decks", str(state.setup.decks)),),
)
CARDS_ARE_ALL_IN_THE_MIX = ActGuard[CardState, Act](
    "cards_are_all_in_the_mix",
    "br.prep.3b",
    _all_are_in_the_mix,
    lambda state, act: (
        ("counted", str(sum(act.counted)) if isinstance(act, a.ConfirmCount) else "-"),
        ("expected", str(state.setup.cards)),
    ),
)


def _is_counted_again(state: CardState) -> bool:
    """Discards, burnt cards and the rest of the shoe are all there, and none was kept back while mixing."""
    counts = state.setup.procedure.opening_check is OpeningCheck.COUNT
    return not counts or state.house.session is not SessionPhase.GATHERED or state.custody.shoe_game.counted_again


CARDS_ARE_COUNTED_AGAIN = Guard[CardState]("cards_are_counted_again", "br.dev.4", _is_counted_again)
CARDS_ARE_MIXED_BY_HAND = Guard[CardState](
    "cards_are_mixed_by_hand", "mo.2.1.2", lambda state: state.setup.procedure.shuffle_passes > 0
)
DECKS_ARE_SHUFFLED_ONE_BY_ONE = Guard[CardState](
    "decks_are_shuffled_one_by_one",
    "pt.bj.8a",
    lambda state: state.setup.procedure.shuffle_each_deck,
    elsewhere=(("mo", "mo.2.1.1a"),),
)


def _deck_waits(state: CardState, act: Act | None) -> bool:
    if not isinstance(act, a.ShuffleDeck):
        return True
    return 1 <= act.deck <= state.setup.decks and act.deck not in state.custody.shoe_game.decks_shuffled


DECK_IS_NOT_SHUFFLED_YET = ActGuard[CardState, Act]("deck_is_not_shuffled_yet", "br.prep.4a", _deck_waits)


def _passes_are_enough(state: CardState, act: Act | None) -> bool:
    return not isinstance(act, a.ShuffleDeck) or act.passes >= state.setup.procedure.shuffle_passes


PASSES_ARE_ENOUGH = ActGuard[CardState, Act](
    "passes_are_enough",
    "br.prep.4a",
    _passes_are_enough,
    lambda state, _act: (("passes", str(state.setup.procedure.shuffle_passes)),),
)


def _decks_left(state: CardState) -> tuple[str, ...]:
    if not state.setup.procedure.shuffle_each_deck:
        return ()
    decks = range(1, state.setup.decks + 1)
    return tuple(str(deck) for deck in decks if deck not in state.custody.shoe_game.decks_shuffled)


DECKS_ARE_SHUFFLED = Guard[CardState](
    "decks_are_shuffled",
    "br.prep.4a",
    lambda state: not _decks_left(state),
    lambda state: (("decks", " ".join(_decks_left(state))),),
)

# --- cut

CARDS_ARE_CUT = Guard[CardState](
    "cards_are_cut",
    "pt.bj.52a",
    lambda state: state.setup.procedure.cut is not Cut.NONE,
    elsewhere=(("mo", "mo.2.1.2"),),
)
PLAYERS_ARE_STATED = Guard[CardState](
    "players_are_stated",
    "pt.bj.8b",
    lambda state: state.custody.shoe_game.players is not None,
    elsewhere=(("mo", "mo.2.1.1a"), ("br", "br.prep.4b")),
)


def _sits_once(state: CardState, act: Act | None) -> bool:
    if not isinstance(act, a.StatePlayers) or act.seats is None:
        return True
    return len(dict.fromkeys(act.seats)) == len(act.seats) and all(1 <= s <= state.setup.seats for s in act.seats)


PLAYERS_SIT_AT_SEATS = ActGuard[CardState, Act](
    "players_sit_at_seats",
    "pt.bj.2",
    _sits_once,
    lambda state, _act: (("seats", str(state.setup.seats)),),
    elsewhere=(("mo", "mo.3.1"), ("br", "br.players.1")),
)


def _in_turn(state: CardState, act: Act | None) -> bool:
    if not isinstance(act, a.ConfirmCut | a.RefuseCut) or act.seat == 0:
        return not isinstance(act, a.RefuseCut)
    if state.setup.procedure.cut is Cut.ANY_PLAYER:
        willing = cut_is_offered_to(state) is not None and act.seat not in state.custody.shoe_game.cut_refused
        return willing and act.seat in (state.custody.shoe_game.players or ())
    return act.seat == cut_is_offered_to(state)


CUT_GOES_IN_TURN = ActGuard[CardState, Act](
    "cut_goes_in_turn",
    "pt.bj.8c",
    _in_turn,
    lambda state, _act: (("seat", str(cut_is_offered_to(state) or "-")),),
    cites=lambda state: "pt.bj.8c" if state.custody.shoe_game.last_cut else "pt.bj.8b",
)
_CUTS_FOR_THEM = {
    CutFallback.TABLE_INSPECTOR: Role.TABLE_INSPECTOR,
    CutFallback.BANK: Role.DEALER,
    CutFallback.DEALER_AND_INSPECTOR: Role.TABLE_INSPECTOR,  # the dealer's hand, under the inspector's own act
}


def _may_cut_for_them(state: CardState, act: Act | None) -> bool:
    """Seat 0 cuts when no player will; a player's cut is stated by the dealer."""
    if not isinstance(act, a.ConfirmCut):
        return True
    if act.seat != 0:
        return act.role is Role.DEALER
    return cut_is_offered_to(state) is None and act.role is _CUTS_FOR_THEM.get(state.setup.procedure.cut_fallback)


CUT_FALLS_TO_THE_RIGHT_PERSON = ActGuard[CardState, Act](
    "cut_falls_to_the_right_person",
    "pt.bj.8d",
    _may_cut_for_them,
    lambda state, _act: (
        ("seat", str(cut_is_offered_to(state) or "-")),
        ("who", _CUTS_FOR_THEM.get(state.setup.procedure.cut_fallback, Role.DEALER).value),
    ),
    elsewhere=(("mo", "mo.2.1.1a"), ("br", "br.prep.4b")),
)

# --- warning card

WARNING_CARD_IS_USED = Guard[CardState](
    "warning_card_is_used",
    "pt.bj.52b",
    warning_card_is_used,
    elsewhere=(("mo", "mo.2.1.1b"),),
)


def _lies_right(state: CardState, act: Act | None) -> bool:
    """As near as possible to the 50th has no tolerance that is printed; "or more", and one round, have a least."""
    if not isinstance(act, a.PlaceWarningCard) or act.behind is None:
        return True
    match state.setup.procedure.warning_card:
        case WarningCard.COUNTED:
            return 1 <= act.behind < state.setup.cards
        case WarningCard.ONE_ROUND:  # before it the burn and one deal
            players = len(state.custody.shoe_game.players or ())
            before = burns_at_start(state.setup) + 2 * players + 1
            return one_round(state) <= act.behind <= state.setup.cards - before
        case _:
            return cards_behind(state) <= act.behind < state.setup.cards


WARNING_CARD_LIES_RIGHT = ActGuard[CardState, Act](
    "warning_card_lies_right",
    "pt.bj.9a",
    _lies_right,
    lambda state, _act: (("behind", str(cards_behind(state))),),
    elsewhere=(("mo", "mo.2.1.1b"), ("br", "br.prep.4c")),
)
WARNING_CARD_IS_PLACED = Guard[CardState](
    "warning_card_is_placed",
    "pt.bj.9c",
    lambda state: not warning_card_is_used(state) or state.custody.shoe_game.behind is not None,
    elsewhere=(("mo", "mo.2.1.1b"), ("br", "br.prep.4d")),
)
WARNING_CARD_IS_NOT_IN = Guard[CardState](  # who is at the table is judged when it is placed
    "warning_card_is_not_in",
    "pt.bj.9b",
    lambda state: state.house.session is not SessionPhase.CUT or state.custody.shoe_game.behind is None,
    elsewhere=(("mo", "mo.2.1.1b"), ("br", "br.prep.4c")),
)
WARNING_CARD_IS_INSIDE = Guard[CardState](
    "warning_card_is_inside",
    "pt.bj.11a",
    lambda state: state.custody.shoe_game.expected is not None and state.custody.shoe_game.measured is None,
    elsewhere=(("mo", "mo.2.2.1"), ("br", "br.dev.3")),
)

# --- the end of the shoe

LAST_ROUND_IS_TOLD = Guard[CardState](
    "last_round_is_told",
    "pt.bj.56",
    last_round_is_told,
    elsewhere=(("mo", "mo.2.2.3"),),
)
WARNING_CARD_IS_OUT = Guard[CardState](  # or, where none lies, a round has begun with few cards (mo.1.3)
    "warning_card_is_out",
    "pt.bj.11a",
    lambda state: state.custody.shoe_game.last_round is not None,
    elsewhere=(("mo", "mo.2.2.1"), ("br", "br.dev.3")),
)
LAST_ROUND_IS_ANNOUNCED = Guard[CardState](
    "last_round_is_announced",
    "pt.bj.11a",
    lambda state: (
        state.custody.shoe_game.last_round is None or state.custody.shoe_game.announced or not last_round_is_told(state)
    ),
    elsewhere=(("mo", "mo.2.2.1"), ("br", "br.dev.3")),
)
SHOE_IS_NOT_OVER = Guard[CardState](
    "shoe_is_not_over",
    "pt.bj.11b",
    lambda state: state.game.phase not in {RoundPhase.IDLE, RoundPhase.BETTING} or not shoe_is_over(state),
    elsewhere=(("mo-box", "mo.2.2.3"), ("mo", "mo.2.2.1"), ("br", "br.dev.4")),
)


def _too_few_are_left(state: CardState) -> bool:
    """Not enough for a round at a full table: whoever has sat down may not be told to go (br.prep.4c)."""
    return state.custody.book.inside < (state.setup.seats + 1) * state.setup.parameters.reserve_cards_per_hand


CARDS_MAY_BE_SHUFFLED = Guard[CardState](
    "cards_may_be_shuffled",
    "pt.bj.11b",
    lambda state: shoe_is_over(state) or state.setup.procedure.shuffle_at_will or _too_few_are_left(state),
    elsewhere=(("br", "br.dev.4"),),
)
CARDS_MAY_BE_SPREAD = Guard[CardState](
    "cards_may_be_spread",
    "pt.bj.57b",
    lambda state: state.setup.procedure.spread_on_interruption,
    elsewhere=(("mo", "mo.2.2"), ("br", "br.dev.4"), ("pt-shoe", "pt.bj.12")),
)
NOTHING_WAS_PLAYED = Guard[CardState](
    "nothing_was_played", "pt.bj.55b", lambda state: state.game.number == 0, elsewhere=(("mo", "mo.2.2"),)
)
SOMETHING_WAS_PLAYED = Guard[CardState](
    "something_was_played",
    "pt.bj.55a",
    lambda state: state.game.number > 0 or state.house.session not in {SessionPhase.MIXED, SessionPhase.CUT},
)

# --- what people say was dealt

NO_SHUFFLER_COUNTS = Guard[CardState]("no_shuffler_counts", "pt.bj.17a", lambda state: not state.setup.has_shuffler)
A_CARD_IS_OWED = Guard[CardState]("a_card_is_owed", "pt.bj.17a", lambda state: next_owed(state) is not None)
