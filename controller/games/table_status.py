"""The cards on the table, its figures and the shuffler's sensors, for the status. The face of a face-down card is never
in it.
"""

from controller.core.custody.game import lies_face_down
from controller.core.custody.state import FOREIGN, Card, Dealt, last_dealt
from controller.core.games.blackjack.hand import Hand, is_blackjack, is_bust, points
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import BEST, hard_points
from controller.core.games.blackjack.worth import Table
from controller.protocol.status import FiguresStatus, HandStatus

BANK = 0


def backs(state: BlackjackState) -> list[HandStatus]:
    """Returns the hands on the table with None in place of each card, for programs that read the status without a
    signed-in person.
    """
    return [HandStatus(one.seat, [None] * len(one.cards), one.hand) for one in hands(state)]


def hands(state: BlackjackState) -> list[HandStatus]:
    """Returns the hands on the table, the bank's last, with their visible cards in the order dealt. Only signed-in
    people get this list.
    """
    lying: dict[tuple[int, int], list[str | None]] = {}
    for dealt in state.game.dealt:
        lying.setdefault((dealt.seat, dealt.hand), []).append(_card(dealt))
    order = sorted(lying, key=lambda at: (at[0] == BANK, at))
    return [_hand(state.table, HandId(*at), lying[at]) for at in order]


def _hand(table: Table | None, at: HandId, lying: list[str | None]) -> HandStatus:
    """Returns one hand, with its total if each of its cards is known and the table follows hands."""
    cards = tuple(Card(card) for card in lying if card and card != FOREIGN)
    if table is None or len(cards) < len(lying):
        return HandStatus(at.seat, lying, at.index)
    played, figures = table.of(at), table.rules.figures
    hand = Hand(cards) if played is None else Hand(cards, played.is_split, played.is_doubled)
    called = "bust" if is_bust(hand) else "blackjack" if is_blackjack(hand, figures) else ""
    most, least = points(hand, figures), hard_points(cards)
    total = str(most) if most in {least, BEST} else f"{least}/{most}"
    return HandStatus(at.seat, lying, at.index, total, called)


def _place(dealt: Dealt) -> str:
    return str(dealt.seat) if dealt.hand == 1 else f"{dealt.seat}/{dealt.hand}"


def _card(dealt: Dealt) -> str | None:
    """Returns the card's face. "" for a card that was not read, None for a card that lies face down."""
    if lies_face_down(dealt):
        return None
    return dealt.card or ""


def figures(state: BlackjackState) -> FiguresStatus:
    """Returns the table's figures, the shuffler's sensors and the cards found in a deck check. Includes the last card's
    place while that may still be corrected.
    """
    machine, setup = state.devices.shuffler.status, state.setup
    return FiguresStatus(
        seats=setup.seats,
        decks=setup.decks,
        packets=setup.parameters.min_packets,
        presence_ms=setup.parameters.presence_timeout_ms,
        lid_open=machine is not None and machine.lid_open,
        path_blocked=machine is not None and machine.path_blocked,
        found=list(state.custody.found) if state.house.session.value == "checking" else [],
        foreign=state.custody.found_foreign,
        provisional=state.game.provisional,
        last_at=_place(last_dealt(state)) if state.game.provisional and state.game.dealt else "",
        deck_set=state.custody.deck_set or 0,
    )
