"""The work before a shoe or a box is filled: decks are counted, shuffled, mixed and cut (pt.bj.8, mo.2.1, br.prep)."""

from typing import Any

from controller.core.choices import Cut, CutFallback, OpeningCheck
from controller.core.custody.opening import DECK_SET_IS_NUMBERED, DISPLAY_IS_CONFIRMED
from controller.core.custody.state import CardState, CardStateT, CardTrigger, CutTurn, with_shoe_game
from controller.core.engine.act import Act
from controller.core.house.holds import holds_of
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, OPENING, PROBE, ActGuard, ActRule, Guard, R, S, unchanged
from controller.core.house.undoing import AGAIN, by
from controller.core.words import HoldKind, Role, SessionPhase, TableMs


class ConfirmMixing(Act, frozen=True):
    pass


class ConfirmCount(Act, frozen=True):
    """The dealer confirms seals and order of the decks, and states the number of cards in each (br.prep.2a-b).

    Before a later shoe `counted` has the number of all cards, or of each of several heaps (br.prep.3b, br.dev.4).
    """

    counted: tuple[int, ...]


class ShuffleDeck(Act, frozen=True):
    """One deck was mixed and shuffled by itself, `passes` times (br.prep.4a)."""

    deck: int
    passes: int


class StatePlayers(Act, frozen=True):
    """The seats of the players, who are offered the cut (pt.bj.8b). None if there is no player."""

    seats: tuple[int, ...] | None


class RefuseCut(Act, frozen=True):
    seat: int


class ConfirmCut(Act, frozen=True):
    """The player at this seat has cut the cards. `seat`: 0 for the person whom the profile names if no player cuts."""

    seat: int


def confirm_count(state: CardStateT, _act: ConfirmCount, _at_ms: TableMs) -> CardStateT:
    return with_shoe_game(state, counted_again=_is_gathered(state))


def shuffle_deck(state: CardStateT, act: ShuffleDeck, _at_ms: TableMs) -> CardStateT:
    """The state in which this deck has been shuffled by itself. An earlier count of all cards is void."""
    game = state.custody.shoe_game
    return with_shoe_game(state, decks_shuffled=(*game.decks_shuffled, act.deck), counted_again=False)


def state_players(state: CardStateT, act: StatePlayers, _at_ms: TableMs) -> CardStateT:
    return with_shoe_game(state, players=tuple(sorted(act.seats or ())), cut_refused=())


def refuse_cut(state: CardStateT, act: RefuseCut, _at_ms: TableMs) -> CardStateT:
    return with_shoe_game(state, cut_refused=(*state.custody.shoe_game.cut_refused, act.seat))


def confirm_cut(state: CardStateT, act: ConfirmCut, _at_ms: TableMs) -> CardStateT:
    """The state after a cut: this seat was the last to cut, and earlier refusals to cut no longer count.

    If no player has cut (seat 0), the turn to cut stays as it was (pt.bj.8d). If the inspector cuts for the players,
    the turn begins again at the lowest seat.
    """
    begins_anew = state.setup.procedure.cut_fallback is CutFallback.TABLE_INSPECTOR
    stays = act.seat == 0 and not begins_anew
    game = state.custody.shoe_game
    turn, last = CutTurn(game.last_cut, game.cut_refused), game.last_cut if stays else act.seat
    return with_shoe_game(state, last_cut=last, cut_refused=(), cut_turn=turn)


def cut_is_offered_to(state: CardState) -> int | None:
    """Returns the seat that is offered the cut; None if no player is willing. If the cut goes in the order of seats,
    the offer goes to the next willing seat after the seat that cut last (pt.bj.8b-c). Otherwise it goes to the lowest
    willing seat.
    """
    game = state.custody.shoe_game
    willing = tuple(seat for seat in game.players or () if seat not in game.cut_refused)
    turn = game.last_cut if state.setup.procedure.cut is Cut.SEAT_ORDER else 0
    later = tuple(seat for seat in willing if seat > turn)
    return next(iter(later or willing), None)


NO_COMPLAINT_IS_OPEN = Guard[CardState]("no_complaint_is_open", lambda state: not holds_of(state, HoldKind.COMPLAINT))
DECKS_ARE_COUNTED_HERE = Guard[CardState](
    "decks_are_counted_here",
    lambda state: state.setup.procedure.opening_check is OpeningCheck.COUNT,
)


def _is_gathered(state: CardState) -> bool:
    return state.house.session is SessionPhase.GATHERED


DECKS_ARE_WHOLE = ActGuard[CardState, ConfirmCount](
    "decks_are_whole",
    lambda state, act: _is_gathered(state) or act.counted == (52,) * state.setup.decks,
    lambda state, _act: (("decks", str(state.setup.decks)),),
)
CARDS_ARE_ALL_IN_THE_MIX = ActGuard[CardState, ConfirmCount](
    "cards_are_all_in_the_mix",
    lambda state, act: not _is_gathered(state) or sum(act.counted) == state.setup.cards,
    lambda state, act: (("counted", str(sum(act.counted)) if act else "-"), ("expected", str(state.setup.cards))),
)


def _is_counted_again(state: CardState) -> bool:
    """True unless gathered cards must still be counted. Without a count a person could keep a card back when mixing."""
    counts = state.setup.procedure.opening_check is OpeningCheck.COUNT
    return not counts or not _is_gathered(state) or state.custody.shoe_game.counted_again


CARDS_ARE_COUNTED_AGAIN = Guard[CardState]("cards_are_counted_again", _is_counted_again)
CARDS_ARE_MIXED_BY_HAND = Guard[CardState](
    "cards_are_mixed_by_hand", lambda state: state.setup.procedure.shuffle_passes > 0
)
DECKS_ARE_SHUFFLED_ONE_BY_ONE = Guard[CardState](
    "decks_are_shuffled_one_by_one",
    lambda state: state.setup.procedure.shuffle_each_deck,
)


def _decks_left(state: CardState) -> tuple[int, ...]:
    """The numbers of the decks that still have to be shuffled one by one."""
    return tuple(d for d in range(1, state.setup.decks + 1) if d not in state.custody.shoe_game.decks_shuffled)


DECK_IS_NOT_SHUFFLED_YET = ActGuard[CardState, ShuffleDeck](
    "deck_is_not_shuffled_yet",
    lambda state, act: act.deck in _decks_left(state),
    possible=lambda state: bool(_decks_left(state)),
)
PASSES_ARE_ENOUGH = ActGuard[CardState, ShuffleDeck](
    "passes_are_enough",
    lambda state, act: act.passes >= state.setup.procedure.shuffle_passes,
    lambda state, _act: (("passes", str(state.setup.procedure.shuffle_passes)),),
)


DECKS_ARE_SHUFFLED = Guard[CardState](
    "decks_are_shuffled",
    lambda state: not state.setup.procedure.shuffle_each_deck or not _decks_left(state),
    lambda state: (("decks", " ".join(map(str, _decks_left(state)))),),
)
CARDS_ARE_CUT = Guard[CardState](
    "cards_are_cut",
    lambda state: state.setup.procedure.cut is not Cut.NONE,
)
PLAYERS_ARE_STATED = Guard[CardState](
    "players_are_stated",
    lambda state: state.custody.shoe_game.players is not None,
)


def _sits_once(state: CardState, act: StatePlayers) -> bool:
    seats = act.seats or ()
    return len(dict.fromkeys(seats)) == len(seats) and all(1 <= seat <= state.setup.seats for seat in seats)


PLAYERS_SIT_AT_SEATS = ActGuard[CardState, StatePlayers](
    "players_sit_at_seats",
    _sits_once,
    lambda state, _act: (("seats", str(state.setup.seats)),),
)


def _in_turn(state: CardState, act: ConfirmCut | RefuseCut) -> bool:
    if act.seat == 0:
        return isinstance(act, ConfirmCut)
    if state.setup.procedure.cut is Cut.ANY_PLAYER:
        willing = cut_is_offered_to(state) is not None and act.seat not in state.custody.shoe_game.cut_refused
        return willing and act.seat in (state.custody.shoe_game.players or ())
    return act.seat == cut_is_offered_to(state)


def _cut_guard(rule: str, *, is_first: bool) -> ActGuard[CardState, ConfirmCut | RefuseCut]:
    """Returns the guard that the cut goes in turn, for the first shoe or for later shoes. Each has its own rule."""
    return ActGuard[CardState, ConfirmCut | RefuseCut](
        "cut_goes_in_turn",
        lambda state, act: (not state.custody.shoe_game.last_cut) is not is_first or _in_turn(state, act),
        lambda state, _act: (("seat", str(cut_is_offered_to(state) or "-")),),
        rule=rule,
    )


CUT_GOES_IN_TURN = (_cut_guard("cut_goes_in_turn", is_first=True), _cut_guard("cut_passes_on", is_first=False))
_CUTS_FOR_THEM = {
    CutFallback.TABLE_INSPECTOR: Role.TABLE_INSPECTOR,
    CutFallback.BANK: Role.DEALER,
    CutFallback.DEALER_AND_INSPECTOR: Role.TABLE_INSPECTOR,  # the dealer's hand, under the inspector's own act
}


def _may_cut_for_them(state: CardState, act: ConfirmCut) -> bool:
    """True if this person may state the cut. The dealer states a player's cut. Once no player is willing, the person
    whom the profile names states the cut with seat 0.
    """
    if act.seat != 0:
        return act.role is Role.DEALER
    return cut_is_offered_to(state) is None and act.role is _CUTS_FOR_THEM.get(state.setup.procedure.cut_fallback)


CUT_FALLS_TO_THE_RIGHT_PERSON = ActGuard[CardState, ConfirmCut](
    "cut_falls_to_the_right_person",
    _may_cut_for_them,
    lambda state, _act: (
        ("seat", str(cut_is_offered_to(state) or "-")),
        ("who", _CUTS_FOR_THEM.get(state.setup.procedure.cut_fallback, Role.DEALER).value),
    ),
)
WARNING_CARD_IS_NOT_IN = Guard[CardState](  # the rule for its place counts the players at that time
    "warning_card_is_not_in",
    lambda state: state.house.session is not SessionPhase.CUT or state.custody.shoe_game.behind is None,
)
MIXING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "confirm-mixing",
        ConfirmMixing,
        DEALER,
        unchanged,
        (
            CARDS_ARE_MIXED_BY_HAND,
            DISPLAY_IS_CONFIRMED,
            DECK_SET_IS_NUMBERED,
            DECKS_ARE_SHUFFLED,
            CARDS_ARE_COUNTED_AGAIN,
            NO_COMPLAINT_IS_OPEN,
        ),
        session=CardTrigger.MIXING_CONFIRMED,
        undone=by("abandon-opening"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
COUNTING_DECKS_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "confirm-count",
        ConfirmCount,
        DEALER,
        confirm_count,
        (DECKS_ARE_COUNTED_HERE, DECK_SET_IS_NUMBERED, DECKS_ARE_WHOLE, CARDS_ARE_ALL_IN_THE_MIX),
        session=CardTrigger.DECKS_COUNTED,
        undone=by("abandon-opening"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "shuffle-deck",
        ShuffleDeck,
        DEALER,
        shuffle_deck,
        (DECKS_ARE_SHUFFLED_ONE_BY_ONE, DECK_IS_NOT_SHUFFLED_YET, PASSES_ARE_ENOUGH),
        in_session=(S.DISPLAYED, S.GATHERED),
        undone=by("abandon-opening"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
CUTTING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "state-players",
        StatePlayers,
        DEALER,
        state_players,
        (CARDS_ARE_CUT, PLAYERS_SIT_AT_SEATS, WARNING_CARD_IS_NOT_IN),
        in_session=(*OPENING, S.GATHERED, S.CUT, S.LOADED, S.IN_PLAY),
        in_round=(R.IDLE,),
        undone=AGAIN,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "refuse-cut",
        RefuseCut,
        DEALER,
        refuse_cut,
        (CARDS_ARE_CUT, *CUT_GOES_IN_TURN),
        in_session=(S.MIXED,),
        probes=lambda state: tuple(RefuseCut(*PROBE, seat) for seat in range(1, state.setup.seats + 1)),
        undone=by("state-players"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "confirm-cut",
        ConfirmCut,
        (Role.DEALER, Role.TABLE_INSPECTOR),
        confirm_cut,
        (CARDS_ARE_CUT, PLAYERS_ARE_STATED, *CUT_GOES_IN_TURN, CUT_FALLS_TO_THE_RIGHT_PERSON),
        session=CardTrigger.CUT_MADE,
        undone=by("take-back-cut"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
