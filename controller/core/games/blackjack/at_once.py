"""Amounts paid or taken before the settlement, by the cards known so far, and the differences when they change."""

from controller.core.custody.drawing import OF_A_CARD
from controller.core.custody.state import last_dealt
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.hands import Brings, HandId, without
from controller.core.games.blackjack.state import BlackjackState, with_game
from controller.core.house.holds import holds_of
from controller.core.house.round_log import Difference
from controller.core.house.worked_out import differences_together
from controller.core.money import in_units
from controller.core.words import HoldCause, HoldKind, TableMs


def watch_at_once(before: BlackjackState, after: BlackjackState, _at_ms: TableMs) -> BlackjackState:
    """Returns the state with a difference for each amount that was paid or taken at once and is no longer due.

    An amount is no longer due if a card is annulled or gets another face, or if a decision is taken back. An amount
    that the same correction makes due is offset against it. The amount for the last card counts as paid or taken only
    once that card can no longer be reported as misdealt.
    """
    due = after.at_once()
    if due == after.game.at_once:
        return after
    gone, new = _gone(before, after), netted(before, after)
    changed = (*(_difference(one, -1) for one in gone), *(_difference(one, 1) for one in new))
    after = with_game(after, at_once=due)
    if not changed:
        return after
    return replace(after, log=replace(after.log, differences=differences_together(after.log.differences, changed)))


def _difference(one: Brings, sign: int) -> Difference:
    return Difference(one.hand.seat, one.bettor, in_units(sign * one.brought), one.hand.index)


def netted(before: BlackjackState, after: BlackjackState) -> tuple[Brings, ...]:
    """Returns the newly due amounts that only change a difference, and are not paid or taken by themselves. A
    correction of a card or a ruling has made them due, and their hand and player have a difference, open before or new.
    """
    is_ruled = after.game.last_ruling is not before.game.last_ruling
    if not is_ruled and after.house.tally.corrections == before.house.tally.corrections:
        return ()
    waiting = {(one.seat, one.hand, one.player) for one in before.log.differences}
    arisen = {(one.hand.seat, one.hand.index, one.bettor) for one in _gone(before, after)}
    new = without(after.at_once(), before.game.at_once) if waiting or arisen else ()
    return tuple(one for one in new if (one.hand.seat, one.hand.index, one.bettor) in waiting | arisen)


def _gone(before: BlackjackState, after: BlackjackState) -> tuple[Brings, ...]:
    """Returns the amounts that were paid or taken at once before this event and are not due after it."""
    return () if _took_the_last_back(before, after) else without(before.game.at_once, after.at_once())


def fallen_with_last(before: BlackjackState, after: BlackjackState) -> tuple[Brings, ...]:
    """Returns the amounts that the card dealt last made due, and that fall when a report takes that card away. They
    count neither as paid nor as taken yet, so they are no differences; but people have seen a notice of them. Empty for
    a corrected entry, which has its own differences, and for a void round.
    """
    is_void = after.house.tally.voided > before.house.tally.voided
    if is_void or after.log.corrected > before.log.corrected or not _took_the_last_back(before, after):
        return ()
    return without(before.game.at_once, after.at_once())


def _took_the_last_back(before: BlackjackState, after: BlackjackState) -> bool:
    """True if the event has annulled or moved the card dealt last, by a person's report or the ruling on it (br.inc.1),
    before another card or an act of the round.
    """
    is_ruled = after.game.last_ruling is not before.game.last_ruling
    if not before.game.provisional or after.game.provisional or (is_ruled and not _was_reported(before)):
        return False
    last = last_dealt(before)
    return _owners(before) != _owners(after) and all(one is not last for one in after.game.dealt)


def _was_reported(state: BlackjackState) -> bool:
    """True if the ruling that is owed is on a report of the card dealt last."""
    return any(hold.cause in (*OF_A_CARD, HoldCause.FACE_UP_CARD) for hold in holds_of(state, HoldKind.RULING))


def _owners(state: BlackjackState) -> list[HandId]:
    return [HandId(one.seat, one.hand) for one in state.placed]
