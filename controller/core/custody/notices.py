"""What people hear of shoe and box: the warning card, the last round, the cut."""

from controller.core.choices import WarningCard
from controller.core.custody.shoe_game import cards_behind, cut_is_offered_to, last_round_is_told
from controller.core.custody.state import CardState, ShoeGame
from controller.core.engine.decision import Notice
from controller.core.words import SessionPhase

_LATE_CARDS = 5  # the hand that is being dealt is finished before it is said


def _is_overdue(game: ShoeGame) -> bool:
    """The warning card should have come some cards ago, and nobody has said that it has (pt.bj.9a, 11a)."""
    return game.expected is not None and game.measured is None and game.out > game.expected + _LATE_CARDS


def _is_off_its_place(state: CardState) -> bool:
    """No tolerance is printed for "as near as possible": another place is recorded and told (pt.bj.9a)."""
    is_counted = state.setup.procedure.warning_card is WarningCard.COUNTED
    return is_counted and state.custody.shoe_game.behind not in {None, cards_behind(state)}


def of_shoe(before: CardState, after: CardState) -> list[Notice]:
    """Where the warning card came out, against where it should have (pt.bj.9a); whose the cut is (pt.bj.8b)."""
    if before.custody.shoe_game is after.custody.shoe_game and before.house.session is after.house.session:
        return []
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
