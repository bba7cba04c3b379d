"""What the dealer's hands say without a tap: cards laid in the feed go back, and with the last one all are back."""

from typing import Final

from controller.core.games.blackjack.acts import BeginPuttingBack, EndPuttingBack
from controller.core.games.blackjack.rules import ROUND_RULES
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.deciding import done_by, refused_by
from controller.core.house.people import dealer_at_table
from controller.core.words import Role, RoundPhase, TableMs

_RULES: Final = {rule.act: rule for rule in ROUND_RULES}


def watch_feed(before: BlackjackState, after: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """Begins and ends the putting back as the dealer's act would, where that would not be refused (pt.bj.59b, 61).

    Nothing begins by the event that ends the step before: players get their moment.
    """
    act = _said(after) if before.game.phase is after.game.phase else None
    if act is None:
        return after
    rule = _RULES[type(act)]
    return after if refused_by(rule, after, act) else done_by(rule, after, act, at_ms)


def _said(state: BlackjackState) -> BeginPuttingBack | EndPuttingBack | None:
    shuffler, game, dealer = state.devices.shuffler.status, state.game, dealer_at_table(state)
    if dealer is None or shuffler is None:
        return None
    if game.phase is RoundPhase.COLLECTED and shuffler.hopper_loaded:
        return BeginPuttingBack(dealer, Role.DEALER)
    is_whole = game.phase is RoundPhase.PUTTING_BACK and game.put_back == game.put_back_due
    return EndPuttingBack(dealer, Role.DEALER) if is_whole else None
