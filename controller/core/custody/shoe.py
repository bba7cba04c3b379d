"""One filling of a shoe or a box: the warning card, filling, the last round, gathering, spreading.

Clauses pt.bj.9 to 12, mo.2, br.prep and br.dev. A continuous shuffler has no such steps (pt.bj.52, 56, 57).
"""

from typing import Any, Final

from controller.core.choices import LastRound, WarningCard
from controller.core.custody.books import all_outside, hold_for_count, move
from controller.core.custody.game import burns_at_start, may_come_again
from controller.core.custody.mixing import cut_is_offered_to
from controller.core.custody.rulings import voided
from controller.core.custody.state import (
    CardState,
    CardStateT,
    CardTrigger,
    ShoeGame,
    with_custody,
    with_shoe_game,
)
from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.hold_table import P
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import (
    DEALER,
    DELIBERATE_MS,
    ROUND_IS_OVER,
    SUPERVISORS,
    ActGuard,
    ActRule,
    Guard,
    S,
    SecondPerson,
)
from controller.core.house.state import session_moved, with_tally
from controller.core.house.undoing import BY_ENTRY, Never, by, never
from controller.core.words import Device, HoldCause, RoundPhase, SessionPhase, TableMs


class PlaceWarningCard(Act, frozen=True):
    """The dealer puts the warning card in. `behind`: the number of cards behind the warning card; None for the
    profile's number.
    """

    behind: int | None


class FillShoe(Act, frozen=True):
    """The dealer states that every card is in the shoe or the box."""


class ReportWarningCard(Act, frozen=True):
    """The dealer reports that the warning card came out. If the shoe also reports it, both reports must agree."""


class AnnounceLastRound(Act, frozen=True):
    pass


class GatherCards(Act, frozen=True):
    """All cards are taken out for the next mixing."""


class SpreadCards(Act, frozen=True):
    """The game is interrupted: all cards are spread face up (pt.bj.12)."""


def place_warning_card(state: CardStateT, act: PlaceWarningCard, _at_ms: TableMs) -> CardStateT:
    behind = cards_behind(state) if act.behind is None else act.behind
    return with_shoe_game(state, behind=behind, expected=_expected(state, behind))


def announce_last_round(state: CardStateT, _act: AnnounceLastRound, _at_ms: TableMs) -> CardStateT:
    return with_shoe_game(state, announced=True)


def spread_cards(state: CardStateT, act: SpreadCards, at_ms: TableMs) -> CardStateT:
    """Returns the state with all cards gathered, in which the cut is offered as at the start (pt.bj.8b)."""
    return gather_cards(with_shoe_game(state, last_cut=0), act, at_ms)


def report_warning_card(state: CardStateT, _act: ReportWarningCard, at_ms: TableMs) -> CardStateT:
    return warning_card_out(state, at_ms)


def warning_card_is_used(state: CardState) -> bool:
    """True if the profile uses a warning card with this number of decks (pt.bj.9a, 52b, mo.2.1.1b, br.prep.4c)."""
    procedure = state.setup.procedure
    used = procedure.warning_card is not WarningCard.NONE
    return used and 0 < procedure.warning_card_from_decks <= state.setup.decks


_MANY_DECKS: Final = 3
"""The least number of decks for which the reserve behind the separator may exceed one round (br.prep.4c)."""


def one_round(state: CardState) -> int:
    """The cards kept for a round (br.prep.4c): `reserve_cards_per_hand` for each player present and the bank."""
    return (len(state.custody.shoe_game.players or ()) + 1) * state.setup.parameters.reserve_cards_per_hand


def cards_behind(state: CardState) -> int:
    """The number of cards that the profile wants behind the warning card for the present players."""
    procedure = state.setup.procedure
    if procedure.warning_card is WarningCard.ONE_ROUND:
        return max(one_round(state), procedure.warning_card_behind if state.setup.decks >= _MANY_DECKS else 0)
    if procedure.warning_card_middle_if_alone and len(state.custody.shoe_game.players or ()) == 1:
        return state.setup.cards // 2
    return procedure.warning_card_behind


def _expected(state: CardState, behind: int) -> int:
    """The expected number of cards before the warning card: all cards less the cards behind it. If the profile demands
    an exact number behind it, that number replaces `behind`.
    """
    exact = state.setup.procedure.warning_card is WarningCard.COUNTED
    return state.setup.cards - (cards_behind(state) if exact else behind)


def warning_card_out(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state after the warning card came: the card's place is noted, and the present or the next round is the last
    (pt.bj.11). Unchanged before filling and after gathering. A hold for a count is raised if no warning card can come
    now. An open round is void if the profile says so (br.dev.3b).
    """
    game = state.custody.shoe_game
    if state.house.session not in {SessionPhase.LOADED, SessionPhase.IN_PLAY}:
        return state
    if game.expected is None or game.measured not in {None, game.out}:
        return _not_that_one(state, at_ms)
    if game.measured is not None:
        return state  # device and people report the same
    begun = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    last = state.game.number if begun else state.game.number + 1  # pt.bj.11c: one more round is played
    state = with_shoe_game(state, measured=game.out, last_round=last)
    is_void = begun and state.setup.procedure.last_round_voided
    return voided(state, collected_stay=True) if is_void else state  # br.dev.3b


def _not_that_one(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a count, since no warning card was put in, or an earlier report named another place."""
    game = state.custody.shoe_game
    figures = (("figures", f"warning_card {game.measured or '-'}/{game.out}"),)
    return hold_for_count(state, at_ms, HoldCause.WARNING_CARD, figures, device=Device.SHOE)


def last_round_is_told(state: CardState) -> bool:
    """True if the warning card decides on the last round, which people then announce. False at a box, where every round
    is the last (mo.2.2.3), and at a shuffler, which has no last round (pt.bj.56).
    """
    return state.setup.procedure.last_round is LastRound.WARNING_CARD


def counted_last(state: CardStateT) -> CardStateT:
    """The state in which this round is the last, if no warning card is used and too few cards are inside (mo.1.3)."""
    few = state.custody.book.inside < state.setup.procedure.last_round_below
    if not few or warning_card_is_used(state) or not last_round_is_told(state):
        return state
    return with_shoe_game(state, last_round=state.game.number)


def shoe_is_over(state: CardState) -> bool:
    """True once the last round of this filling has begun (pt.bj.11b, mo.1.3, mo.2.2.1, mo.2.2.3, br.dev.4)."""
    last = state.custody.shoe_game.last_round
    return last is not None and state.game.number >= last


def fill_shoe(state: CardStateT, _act: FillShoe, _at_ms: TableMs) -> CardStateT:
    first, filled_at = state.game.number + 1, state.devices.reader.passages
    last = first if state.setup.procedure.last_round is LastRound.EVERY_ROUND else None  # mo.2.2.3
    state = with_shoe_game(may_come_again(state), filled_at=filled_at, out=0, first_round=first, last_round=last)
    book = move(state.custody.book, "outside", "inside", state.custody.book.outside)
    return with_tally(with_custody(state, book=book, burned=0), loads=state.house.tally.loads + 1)


def gather_cards(state: CardStateT, _act: GatherCards | SpreadCards, _at_ms: TableMs) -> CardStateT:
    """The state with the cards gathered to be mixed anew. A new deck is first shown (pt.bj.5b, 7a)."""
    return shown_anew(gathered(state)) if state.custody.shoe_game.new_deck else gathered(state)


def shown_anew(state: CardStateT) -> CardStateT:
    """Returns the state with shuffling and cut undone. The session goes back to the step at which cards are shown and
    mixed, or keeps its step if no transition leads back (pt.bj.5b, 7 to 10).
    """
    game = state.custody.shoe_game
    unmixed = ShoeGame(players=game.players, out=game.out, first_round=game.first_round)
    state = session_moved(with_custody(state, shoe_game=unmixed), CardTrigger.DECK_REPLACED)
    return session_moved(state, CardTrigger.DECKS_UNSHUFFLED)


def gathered(state: CardStateT) -> CardStateT:
    """The state with all cards outside: those of the rack, the burnt ones, and the rest of the machine."""
    game = state.custody.shoe_game
    emptied = ShoeGame(players=game.players, last_cut=game.last_cut, out=game.out, first_round=game.first_round)
    return with_custody(may_come_again(state), shoe_game=emptied, book=all_outside(state.custody.book, foreign=0))


MACHINE_IS_FILLED_BY_HAND = Guard[CardState](
    "machine_is_filled_by_hand",
    lambda state: not state.setup.has_shuffler,
)
WARNING_CARD_IS_USED = Guard[CardState](
    "warning_card_is_used",
    warning_card_is_used,
)


def _lies_right(state: CardState, act: PlaceWarningCard) -> bool:
    """True if the warning card may go to the act's place, or if the act leaves the place to the profile."""
    if act.behind is None:
        return True
    match state.setup.procedure.warning_card:
        case WarningCard.COUNTED:  # "as near as possible to the 50th" has no printed tolerance
            return 1 <= act.behind < state.setup.cards
        case WarningCard.ONE_ROUND:  # the burn and one deal need cards before the warning card
            players = len(state.custody.shoe_game.players or ())
            before = burns_at_start(state.setup) + 2 * players + 1
            return one_round(state) <= act.behind <= state.setup.cards - before
        case _:
            return cards_behind(state) <= act.behind < state.setup.cards


WARNING_CARD_LIES_RIGHT = ActGuard[CardState, PlaceWarningCard](
    "warning_card_lies_right",
    _lies_right,
    lambda state, _act: (("behind", str(cards_behind(state))),),
)
WARNING_CARD_IS_PLACED = Guard[CardState](
    "warning_card_is_placed",
    lambda state: not warning_card_is_used(state) or state.custody.shoe_game.behind is not None,
)
WARNING_CARD_IS_INSIDE = Guard[CardState](
    "warning_card_is_inside",
    lambda state: state.custody.shoe_game.expected is not None and state.custody.shoe_game.measured is None,
)
LAST_ROUND_IS_TOLD = Guard[CardState](
    "last_round_is_told",
    last_round_is_told,
)
WARNING_CARD_IS_OUT = Guard[CardState](  # without a warning card: a round has begun with few cards (mo.1.3)
    "warning_card_is_out",
    lambda state: state.custody.shoe_game.last_round is not None,
)
LAST_ROUND_IS_ANNOUNCED = Guard[CardState](
    "last_round_is_announced",
    lambda state: (
        state.custody.shoe_game.last_round is None or state.custody.shoe_game.announced or not last_round_is_told(state)
    ),
)
SHOE_IS_NOT_OVER = Guard[CardState](
    "shoe_is_not_over",
    lambda state: state.game.phase not in {RoundPhase.IDLE, RoundPhase.BETTING} or not shoe_is_over(state),
)


def _too_few_are_left(state: CardState) -> bool:
    """True if the cards are too few for a round at a full table (br.prep.4c)."""
    return state.custody.book.inside < (state.setup.seats + 1) * state.setup.parameters.reserve_cards_per_hand


CARDS_MAY_BE_SHUFFLED = Guard[CardState](
    "cards_may_be_shuffled",
    lambda state: shoe_is_over(state) or state.setup.procedure.shuffle_at_will or _too_few_are_left(state),
)
CARDS_MAY_BE_SPREAD = Guard[CardState](
    "cards_may_be_spread",
    lambda state: state.setup.procedure.spread_on_interruption,
)


def has_no_last_round(state: CardState, _act: AnnounceLastRound) -> bool:
    """True if the report of the warning card was taken back. No last round is then to be announced."""
    return not WARNING_CARD_IS_OUT.holds(state)


def ends_open_plays(state: CardState, _act: ReportWarningCard) -> bool:
    """True if the table follows bets and the report of the warning card voids the open round (br.dev.3b)."""
    begun = state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    return begun and state.setup.procedure.last_round_voided and state.setup.hand_rules is not None


FILLING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "place-warning-card",
        PlaceWarningCard,
        DEALER,
        place_warning_card,
        (WARNING_CARD_IS_USED, WARNING_CARD_LIES_RIGHT),
        in_session=(S.CUT,),
        undone=by("take-back-cut"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "fill-shoe",
        FillShoe,
        DEALER,
        fill_shoe,
        (MACHINE_IS_FILLED_BY_HAND, WARNING_CARD_IS_PLACED),
        session=CardTrigger.SHOE_FILLED,
        needs=P.FEED,
        undone=by("take-back-cut", "gather-cards"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
EMPTYING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "report-warning-card",
        ReportWarningCard,
        DEALER,
        report_warning_card,
        (WARNING_CARD_IS_USED, WARNING_CARD_IS_INSIDE),
        in_session=(S.LOADED, S.IN_PLAY),
        second=SecondPerson(SUPERVISORS, "warning-card", ends_open_plays),
        undone=BY_ENTRY,
        money=Money.RULED,
        manner=Manner.DOES,
    ),
    ActRule(
        "announce-last-round",
        AnnounceLastRound,
        DEALER,
        announce_last_round,
        (LAST_ROUND_IS_TOLD, WARNING_CARD_IS_OUT),
        in_session=(S.LOADED, S.IN_PLAY),
        falls_away=has_no_last_round,
        undone=by("correct-entry"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "gather-cards",
        GatherCards,
        DEALER,
        gather_cards,
        (MACHINE_IS_FILLED_BY_HAND, ROUND_IS_OVER, CARDS_MAY_BE_SHUFFLED, DIFFERENCES_ARE_SETTLED),
        session=CardTrigger.CARDS_GATHERED,
        needs=P.CLOSE,
        hold_ms=DELIBERATE_MS,
        undone=never(Never.MIXED),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "spread-cards",
        SpreadCards,
        DEALER,
        spread_cards,
        (CARDS_MAY_BE_SPREAD, DIFFERENCES_ARE_SETTLED),
        in_round=(RoundPhase.IDLE,),
        session=CardTrigger.CARDS_GATHERED,
        needs=P.CLOSE,
        hold_ms=DELIBERATE_MS,
        undone=never(Never.MIXED),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
_LATE_CARDS = 5  # cards of the hand that may be finished before the report


def _is_overdue(game: ShoeGame) -> bool:
    """True if the warning card is several cards late and was not reported (pt.bj.9a, 11a)."""
    return game.expected is not None and game.measured is None and game.out > game.expected + _LATE_CARDS


def _is_off_its_place(state: CardState) -> bool:
    """True if the warning card is not at the profile's exact place. This causes only a notice (pt.bj.9a)."""
    is_counted = state.setup.procedure.warning_card is WarningCard.COUNTED
    return is_counted and state.custody.shoe_game.behind not in {None, cards_behind(state)}


def of_shoe(before: CardState, after: CardState) -> list[Notice]:
    """Notices of the warning card's place (pt.bj.9a), of the last round, and of the turn to cut (pt.bj.8b)."""
    was, game = before.custody.shoe_game, after.custody.shoe_game
    told: list[Notice] = []
    if game.measured is not None and was.measured is None and game.expected is not None:
        figures = (("measured", str(game.measured)), ("expected", str(game.expected)))
        told.append(Notice("warning-card-out", (*figures, ("deviation", f"{game.measured - game.expected:+d}"))))
    if game.behind != was.behind and _is_off_its_place(after):
        told.append(Notice("warning-card-off", (("behind", str(game.behind)), ("rule", str(cards_behind(after))))))
    if _is_overdue(game) and not _is_overdue(was):
        told.append(Notice("warning-card-overdue", (("out", str(game.out)), ("expected", str(game.expected)))))
    if game.measured is None and game.last_round is not None and was.last_round is None and last_round_is_told(after):
        told.append(Notice("last-round-begins", (("inside", str(after.custody.book.inside)),)))
    seat = cut_is_offered_to(after) if after.house.session is SessionPhase.MIXED else None
    if seat is not None and (before.house.session is not after.house.session or cut_is_offered_to(before) != seat):
        told.append(Notice("cut-offered", (("seat", str(seat)),)))
    return told
