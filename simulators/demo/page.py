"""Finds the button that the trainee must press next for an act, among the buttons that the panel's own code shows."""

from collections.abc import Iterable
from typing import Final

import msgspec

from controller.core.words import Role, RoundPhase, SessionPhase
from controller.panel.moment import Moment
from controller.panel.offer import CORRECTED, Offer, Size
from controller.panel.offers import offers, pressable
from controller.panel.stakes import last_stakes, stakes_of
from controller.protocol.status import Status

_STATUS: Final = msgspec.json.Decoder(Status)
_BANKS_CARD: Final = "draw-card"
_PUTS_RIGHT: Final = "correct-grid"
"""The button with which a person replaces what he entered before; it is never the next step."""


def button_for(document: bytes, act: str) -> str | None:
    """Returns the key of the label of the dealer's button for `act`, on the page of a table with the status `document`.

    If the page has no such button, returns the key of its first main button. Returns None if the page has neither
    button. The main button is left out while bets are taken, while a hand is in turn, and for a card of the bank. A
    button that agrees to corrections is left out, too, since another person may have to agree.
    """
    if (own := own_button_for(document, act)) is not None:
        return own
    moment = _moment(_STATUS.decode(document))
    is_players = act == _BANKS_CARD or moment.is_hands_turn or moment.may_lay or moment.may_bet
    main = (one for one in offers(moment) if one.size is Size.MAIN and one.name != CORRECTED)
    return None if is_players else _of_dealer(main)


def own_button_for(document: bytes, act: str) -> str | None:
    """Returns the key of the label of the dealer's button for `act` in the status `document`; None if the page has no
    such button.
    """
    found = pressable(_moment(_STATUS.decode(document)))
    return _of_dealer(one for one in found if _asks_for(one, act) and one.name != _PUTS_RIGHT)


def _of_dealer(buttons: Iterable[Offer]) -> str | None:
    return next((one.word for one in buttons if Role.DEALER in one.who), None)


def is_hands_due(document: bytes) -> bool:
    """True if the table in the status `document` waits for a person to draw a card; False if it waits for an act on the
    page.
    """
    status = _STATUS.decode(document)
    is_played = status.session == SessionPhase.IN_PLAY and not status.holds
    is_dealt = status.round in {RoundPhase.DEALING, RoundPhase.PLAYING}
    return is_played and is_dealt and status.owed is not None


def _asks_for(offer: Offer, act: str) -> bool:
    return act == offer.asks or any(act == name for name, _values in offer.steps)


def _moment(status: Status) -> Moment:
    """Returns the page's state for a signed-in dealer who has tapped nothing yet."""
    is_open = status.round in {RoundPhase.IDLE, RoundPhase.BETTING}
    stakes = stakes_of(status.money) if status.round == RoundPhase.BETTING else {}
    touched = {seat for seat, _bettor in stakes}
    before = last_stakes(status, {}) if is_open else {}
    kept = {place: cents for place, cents in before.items() if place[0] not in touched}
    roles = frozenset({Role.DEALER.value})
    return Moment(status, is_live=True, bets=tuple(status.seats), roles=roles, stakes=stakes, kept=kept)
