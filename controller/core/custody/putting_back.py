"""A round's cards after its settlement: collected into the rack, put back into the machine, or left in the rack.

The dealer need not tap a key: cards laid in the feed begin the putting back, and the last card ends it.
"""

from typing import Any, Final

from controller.core.choices import PutBack
from controller.core.custody.books import move
from controller.core.custody.game import game_of, laid_away
from controller.core.custody.mixing import NO_COMPLAINT_IS_OPEN
from controller.core.custody.opening import SHUFFLER_IS_READY
from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.rulings import leftovers_hold_the_round, no_other_ruling, ruling_on_leftovers
from controller.core.custody.state import CardState, CardStateT, with_custody, with_round
from controller.core.engine.act import Act
from controller.core.engine.decision import Notice
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.deciding import done_by, refused_by
from controller.core.house.holds import end_holds, owes_leftovers, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import dealer_at_table
from controller.core.house.rule import DEALER, ActGuard, ActRule, Guard, P, S
from controller.core.house.state import round_moved, without_round
from controller.core.house.undoing import BY_ENTRY, Never, by, never
from controller.core.words import HoldKind, Role, RoundPhase, TableMs


class CollectCards(Act, frozen=True):
    pass


class BeginPuttingBack(Act, frozen=True):
    pass


class EndPuttingBack(Act, frozen=True):
    pass


class LeaveInRack(Act, frozen=True):
    pass


def collect_cards(state: CardStateT, _act: CollectCards, _at_ms: TableMs) -> CardStateT:
    """The state with every card of the round moved to the rack. If the profile puts cards back, the burnt cards go to
    the rack, too; otherwise the round ends.
    """
    state = laid_away(state, state.game.dealt if state.custody.book.table == len(state.game.dealt) else ())
    book = move(state.custody.book, "table", "rack", state.custody.book.table)
    if state.setup.procedure.put_back is PutBack.AFTER_EACH_ROUND:
        return with_custody(state, book=move(book, "burnt", "rack", book.burnt))  # burnt cards go with the used ones
    return without_round(with_custody(round_moved(state, RoundTrigger.LEFT_IN_RACK), book=book))


def begin_putting_back(state: CardStateT, _act: BeginPuttingBack, _at_ms: TableMs) -> CardStateT:
    return with_round(state, put_back_due=state.custody.book.rack)


def end_putting_back(state: CardStateT, _act: EndPuttingBack, _at_ms: TableMs) -> CardStateT:
    return without_round(end_holds(state, owes_leftovers))


def putting_back_is_short(state: CardStateT, _act: EndPuttingBack, at_ms: TableMs) -> CardStateT | None:
    """The state with a hold if not all due cards were counted in (pt.bj.59b). None if the numbers agree. Unchanged if
    the putting back has already ended with its last card.
    """
    if state.game.phase is RoundPhase.IDLE:
        return state  # the putting back ended with its last card
    if state.game.put_back == state.game.put_back_due:
        return None
    figures = (("cause", "put-back"), ("counted", str(state.game.put_back)), ("expected", str(state.game.put_back_due)))
    return raise_hold(state, HoldKind.COUNT, at_ms, details=figures, needs_count=True)


def leave_in_rack(state: CardStateT, _act: LeaveInRack, at_ms: TableMs) -> CardStateT:
    """The state after a round whose cards stay in the rack. A ruling is owed if no rule allows that (mo.2.2.4)."""
    state = ruling_on_leftovers(state, at_ms) if leftovers_hold_the_round(state) else state
    return without_round(state)


CARDS_ARE_TO_GO_BACK = Guard[CardState](
    "cards_are_to_go_back",
    lambda state: state.game.phase is not RoundPhase.IDLE or state.custody.book.rack > 0,
)
NO_JACKPOT_IS_OWED = Guard[CardState](
    "no_jackpot_is_owed",
    lambda state: not game_of(state).cards_stay(state),
    lambda state: (("seats", ", ".join(map(str, game_of(state).cards_stay(state))) or "-"),),
)
NO_RULING_WAITS_WITH_LEFTOVERS: Final[ActGuard[CardState, LeaveInRack]] = no_other_ruling(
    lambda state, _act: leftovers_hold_the_round(state)
)


_BEGIN: Final[ActRule[Any, Any]] = ActRule(
    "begin-putting-back",
    BeginPuttingBack,
    DEALER,
    of_the_round(begin_putting_back),
    (NO_JACKPOT_IS_OWED, DIFFERENCES_ARE_SETTLED, NO_COMPLAINT_IS_OPEN, CARDS_ARE_TO_GO_BACK),
    round=RoundTrigger.PUTTING_BACK_BEGUN,
    in_session=(S.IN_PLAY,),
    needs=P.PUT_BACK,
    devices=(SHUFFLER_IS_READY,),
    undone=by("end-putting-back", "leave-in-rack"),
    money=Money.NONE,
    manner=Manner.DOES,
)
_END: Final[ActRule[Any, Any]] = ActRule(
    "end-putting-back",
    EndPuttingBack,
    DEALER,
    of_the_round(end_putting_back),
    round=RoundTrigger.PUTTING_BACK_ENDED,
    in_session=(S.IN_PLAY,),
    needs=P.PUT_BACK,
    instead=putting_back_is_short,
    undone=never(Never.MIXED),
    money=Money.NONE,
    manner=Manner.DOES,
)
PUTTING_BACK_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "collect-cards",
        CollectCards,
        DEALER,
        of_the_round(collect_cards),
        (NO_JACKPOT_IS_OWED, DIFFERENCES_ARE_SETTLED),
        round=RoundTrigger.COLLECTED,
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    _BEGIN,
    _END,
    ActRule(
        "leave-in-rack",
        LeaveInRack,
        DEALER,
        of_the_round(leave_in_rack),
        (NO_JACKPOT_IS_OWED, DIFFERENCES_ARE_SETTLED, NO_RULING_WAITS_WITH_LEFTOVERS),
        round=RoundTrigger.LEFT_IN_RACK,
        undone=never(Never.ENDED),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)


def watch_feed(before: CardStateT, after: CardStateT, at_ms: TableMs) -> CardStateT:
    """Returns `after` with the putting back begun by cards in the feed, or ended by its last card.

    Beginning and end count as acts of the dealer. So nothing happens if such an act would be refused (pt.bj.59b, 61) or
    no dealer is signed in. An event that changes the round's step does not begin the putting back, so that players have
    time for a complaint.
    """
    act = _said(after) if before.game.phase is after.game.phase else None
    if act is None:
        return after
    rule = _BEGIN if isinstance(act, BeginPuttingBack) else _END
    return after if refused_by(rule, after, act) else done_by(rule, after, act, at_ms)


def _said(state: CardState) -> BeginPuttingBack | EndPuttingBack | None:
    shuffler, game, dealer = state.devices.shuffler.status, state.game, dealer_at_table(state)
    if dealer is None or shuffler is None:
        return None
    if game.phase is RoundPhase.COLLECTED and shuffler.hopper_loaded:
        return BeginPuttingBack(dealer, Role.DEALER)
    is_whole = game.phase is RoundPhase.PUTTING_BACK and game.put_back == game.put_back_due
    return EndPuttingBack(dealer, Role.DEALER) if is_whole else None


def of_laid_back(before: CardState, after: CardState) -> list[Notice]:
    """The notice that people must lay cards back on the table, after a correction has moved the cards there from the
    rack. [] without such a correction.
    """
    if after.log.corrected <= before.log.corrected:
        return []
    cards = after.custody.book.table - before.custody.book.table
    return [Notice("cards-are-laid-back", (("cards", str(cards)),))] if cards > 0 else []
