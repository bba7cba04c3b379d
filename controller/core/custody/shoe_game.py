"""One filling of a shoe or a box: who cuts, the warning card, filling, the last round, gathering, spreading.

pt.bj.8 to 12, mo.2, br.prep and br.dev. With the continuous shuffler there is none of it (pt.bj.52, 56, 57).
"""

from typing import Final

from controller.core.choices import Cut, LastRound, WarningCard
from controller.core.custody import acts as a
from controller.core.custody.faces import may_come_again
from controller.core.custody.game import game_of
from controller.core.custody.state import Book, CardState, CardStateT, ShoeGame
from controller.core.engine.replacing import replace
from controller.core.house.holds import raise_hold
from controller.core.words import Device, HoldKind, RoundPhase, SessionPhase, TableMs


def _game(state: CardStateT, game: ShoeGame) -> CardStateT:
    return replace(state, custody=replace(state.custody, shoe_game=game))


def confirm_count(state: CardStateT, _act: a.ConfirmCount, _at_ms: TableMs) -> CardStateT:
    return _game(state, replace(state.custody.shoe_game, counted_again=state.house.session is SessionPhase.GATHERED))


def shuffle_deck(state: CardStateT, act: a.ShuffleDeck, _at_ms: TableMs) -> CardStateT:
    """What was counted before says nothing any more."""
    game = state.custody.shoe_game
    return _game(state, replace(game, decks_shuffled=(*game.decks_shuffled, act.deck), counted_again=False))


def state_players(state: CardStateT, act: a.StatePlayers, _at_ms: TableMs) -> CardStateT:
    return _game(state, replace(state.custody.shoe_game, players=tuple(sorted(act.seats or ())), cut_refused=()))


def refuse_cut(state: CardStateT, act: a.RefuseCut, _at_ms: TableMs) -> CardStateT:
    return _game(state, replace(state.custody.shoe_game, cut_refused=(*state.custody.shoe_game.cut_refused, act.seat)))


def confirm_cut(state: CardStateT, act: a.ConfirmCut, _at_ms: TableMs) -> CardStateT:
    return _game(state, replace(state.custody.shoe_game, last_cut=act.seat, cut_refused=()))


def place_warning_card(state: CardStateT, act: a.PlaceWarningCard, _at_ms: TableMs) -> CardStateT:
    behind = cards_behind(state) if act.behind is None else act.behind
    return _game(state, replace(state.custody.shoe_game, behind=behind, expected=_expected(state, behind)))


def announce_last_round(state: CardStateT, _act: a.AnnounceLastRound, _at_ms: TableMs) -> CardStateT:
    return _game(state, replace(state.custody.shoe_game, announced=True))


def spread_cards(state: CardStateT, act: a.SpreadCards, at_ms: TableMs) -> CardStateT:
    """The cut is offered as at the start (pt.bj.8b)."""
    return gather_cards(_game(state, replace(state.custody.shoe_game, last_cut=0)), act, at_ms)


def report_warning_card(state: CardStateT, _act: a.ReportWarningCard, at_ms: TableMs) -> CardStateT:
    return warning_card_out(state, at_ms)


# --- the cut


def cut_is_offered_to(state: CardState) -> int | None:
    """The seat whose turn it is to cut: lowest first, then in order, and round again; None: no player will.

    pt.bj.8b-c; where any player may cut, the lowest who has not refused is asked first.
    """
    game = state.custody.shoe_game
    willing = tuple(seat for seat in game.players or () if seat not in game.cut_refused)
    turn = game.last_cut if state.setup.procedure.cut is Cut.SEAT_ORDER else 0
    later = tuple(seat for seat in willing if seat > turn)
    return next(iter(later or willing), None)


# --- the warning card


def warning_card_is_used(state: CardState) -> bool:
    """The profile places one with this many decks (pt.bj.9a, mo.2.1.1b, br.prep.4c; not pt.bj.52b)."""
    procedure = state.setup.procedure
    used = procedure.warning_card is not WarningCard.NONE
    return used and 0 < procedure.warning_card_from_decks <= state.setup.decks


_MANY_DECKS: Final = 3
"""With so many the reserve behind the separator may be more than one round (br.prep.4c)."""


def one_round(state: CardState) -> int:
    """Cards that one round of who plays now may need (br.prep.4c)."""
    return (len(state.custody.shoe_game.players or ()) + 1) * state.setup.parameters.reserve_cards_per_hand


def cards_behind(state: CardState) -> int:
    """Cards that the profile wants behind the warning card, for who plays now."""
    procedure = state.setup.procedure
    if procedure.warning_card is WarningCard.ONE_ROUND:
        return max(one_round(state), procedure.warning_card_behind if state.setup.decks >= _MANY_DECKS else 0)
    if procedure.warning_card_middle_if_alone and len(state.custody.shoe_game.players or ()) == 1:
        return state.setup.cards // 2
    return procedure.warning_card_behind


def _expected(state: CardState, behind: int) -> int:
    """Cards before it: as near as possible to the rule's place, or as many as were said to lie behind it."""
    exact = state.setup.procedure.warning_card is WarningCard.COUNTED
    return state.setup.cards - (cards_behind(state) if exact else behind)


def warning_card_out(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The warning card is out: measured; this round, or the next one, is the last of the shoe (pt.bj.11)."""
    game = state.custody.shoe_game
    if state.house.session not in {SessionPhase.LOADED, SessionPhase.IN_PLAY}:
        return state
    if game.expected is None or game.measured not in {None, game.out}:
        return _not_that_one(state, at_ms)
    if game.measured is not None:
        return state  # device and people say the same
    begun = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    last = state.game.number if begun else state.game.number + 1  # pt.bj.11c: one more is played
    state = _game(state, replace(game, measured=game.out, last_round=last))
    return game_of(state).voided(state) if begun and state.setup.procedure.last_round_voided else state


def _not_that_one(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """No warning card was put in, or people saw it at another place than the shoe."""
    told = str(state.custody.shoe_game.out)
    figures = (("cause", "warning-card"), ("figures", f"warning_card {state.custody.shoe_game.measured or '-'}/{told}"))
    return raise_hold(state, HoldKind.COUNT, at_ms, device=Device.SHOE, details=figures, needs_count=True)


def last_round_is_told(state: CardState) -> bool:
    """The round that is the last is announced; of a box every one is (mo.2.2.3), of a shuffler none (pt.bj.56)."""
    return state.setup.procedure.last_round is LastRound.WARNING_CARD


def counted_last(state: CardStateT) -> CardStateT:
    """A round begins: without a warning card it is the last if too few cards are inside (mo.1.3)."""
    few = state.custody.book.inside < state.setup.procedure.last_round_below
    if not few or warning_card_is_used(state) or not last_round_is_told(state):
        return state
    return _game(state, replace(state.custody.shoe_game, last_round=state.game.number))


def shoe_is_over(state: CardState) -> bool:
    """The last round of this filling has been played (pt.bj.11b, mo.1.3, mo.2.2.1, mo.2.2.3, br.dev.4)."""
    last = state.custody.shoe_game.last_round
    return last is not None and state.game.number >= last


# --- filling and emptying


def fill_shoe(state: CardStateT, _act: a.FillShoe, _at_ms: TableMs) -> CardStateT:
    first = state.game.number + 1
    every = state.setup.procedure.last_round is LastRound.EVERY_ROUND  # mo.2.2.3
    game = replace(
        state.custody.shoe_game,
        filled_at=state.devices.reader.passages,
        out=0,
        first_round=first,
        last_round=first if every else None,
    )
    book = replace(state.custody.book, outside=0, inside=state.custody.book.inside + state.custody.book.outside)
    tally = replace(state.house.tally, loads=state.house.tally.loads + 1)
    state = may_come_again(state)
    return replace(
        state,
        custody=replace(state.custody, shoe_game=game, book=book, burned=0),
        house=replace(state.house, tally=tally),
    )


def gather_cards(state: CardStateT, _act: a.GatherCards | a.SpreadCards, _at_ms: TableMs) -> CardStateT:
    """All cards are out, on the table: those of the rack, the burnt ones, and what was left in the machine."""
    book = replace(
        Book(),
        outside=state.custody.book.total,
        withdrawn=state.custody.book.withdrawn,
        foreign=state.custody.book.foreign,
    )
    game = replace(
        state.custody.shoe_game,
        decks_shuffled=(),
        cut_refused=(),
        behind=None,
        expected=None,
        measured=None,
        filled_at=None,
    )
    game = replace(game, last_round=None, announced=False, counted_again=False)
    state = may_come_again(state)
    return replace(state, custody=replace(state.custody, shoe_game=game, book=book))
