"""Guards of hands: each rule that may close a decision is one.

The pure rules say what is open (decisions.py, bank.py); where a table follows no hands nothing is asked.
"""

from controller.core.games.blackjack.acts import CollectHand, ConfirmSettled
from controller.core.games.blackjack.bank import BANK_HAS_ITS_TOTAL, may_bank_stand
from controller.core.games.blackjack.decisions.one_hand import as_the_rules_say
from controller.core.games.blackjack.hand import Answer, is_live
from controller.core.games.blackjack.hands import HandId, PlayedHand
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.house.rule import ActGuard, Guard

# --- what an act is about


# --- guards


BETS_ARE_LAID_ONE_BY_ONE = Guard[BlackjackState](
    "bets_are_laid_one_by_one", lambda state: state.setup.hand_rules is None
)


def _may_settle(_state: BlackjackState, table: Table, _act: ConfirmSettled) -> Answer:
    bank = table.bank
    return None if bank is None else may_bank_stand(bank, table.waiting, table.rules, is_insured=table.is_insured)


def is_out(table: Table, played: PlayedHand) -> bool:
    """Lost, paid or given up, and its cards lie there yet."""
    hand = table.hand(played) if played.kept is None else None
    return hand is not None and not is_live(hand)


def out_of_play(state: BlackjackState, act: CollectHand) -> tuple[HandId, ...]:
    """The hands that this act takes away: lost, paid or given up; nothing else goes before the settlement."""
    table = state.table
    if table is None:
        return (HandId(act.seat),)
    return tuple(one.id for one in table.at(act.seat) if act.hand in {None, one.id.index} and is_out(table, one))


BANK_HAS_PLAYED = as_the_rules_say(_may_settle, BANK_HAS_ITS_TOTAL)
CARDS_ARE_KNOWN = Guard[BlackjackState](
    "cards_are_known",
    lambda state: state.table is None or state.table.is_known,
)
HAND_HAS_ENDED = ActGuard[BlackjackState, CollectHand](
    "hand_has_ended", lambda state, act: bool(out_of_play(state, act))
)
