"""Cards that lie face down on the table: which of them an act turns, and what its face is checked against.

A face comes in by the turning alone (pt.bj.17b, mo.5.2.1.1). It is that of the commitment; where the seal is lost, or
no reader has seen the card, people read it off, and where the seal says another card the table holds (DESIGN 3.8).
"""

from typing import assert_never

from controller.core.custody.doubt import cards_to_name, is_unread
from controller.core.custody.game import lies_face_down
from controller.core.custody.state import FOREIGN, Dealt, commitment
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import acts as a
from controller.core.games.blackjack.agreement import needs_agreement
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.taking_back import foreign_card
from controller.core.games.blackjack.values import BEST, hand_points
from controller.core.house.holds import end_holds, holds_of, raise_hold
from controller.core.house.people import supervises
from controller.core.words import HoldCause, HoldKind, HoldPhase, Purpose, TableMs


def card_meant(state: BlackjackState, act: a.Turning) -> Dealt | None:
    """The card that this act turns, as it lies on the table; None where no such card lies face down."""
    match act:
        case a.TurnHoleCard():
            return next((d for d in state.game.dealt if d.purpose is Purpose.HOLE and lies_face_down(d)), None)
        case a.TurnCard(seat=seat, position=position):
            found = _card_at(state, seat, position)
            return found if found is not None and _is_a_players(found) and lies_face_down(found) else None
        case _:
            assert_never(act)


def _card_at(state: BlackjackState, seat: int, position: int) -> Dealt | None:
    at_seat = [d for d in state.game.dealt if d.seat == seat]
    return at_seat[position - 1] if 1 <= position <= len(at_seat) else None


def was_read_off(dealt: Dealt) -> bool:
    """No reader and no seal, but people alone said what it is."""
    unseen = dealt.face_down is not None and dealt.commitment is None
    return dealt.card is not None and (dealt.named or unseen)


def card_to_rename(state: BlackjackState, act: a.RenameCard) -> Dealt | None:
    """The open card that this act names anew; None where none lies there, or a reader saw it and nobody examines it.

    One of which nobody believes what was read is named so for the first time.

    That it is of no deck may be said of any: the table holds for it (pt.bj.3b).
    """
    found = _card_at(state, act.seat, act.position)
    if found in cards_to_name(state):
        return found
    if found is None or found.card is None:
        return None
    return found if was_read_off(found) or act.card == FOREIGN or _is_examined(state, act) else None


def _is_examined(state: BlackjackState, act: a.RenameCard) -> bool:
    """A supervisor looks at the cards: at the hold for one that cannot be, or before a ruling on them."""
    attended = any(hold.phase is HoldPhase.ATTENDED for hold in holds_of(state, HoldKind.UNEXPECTED_CARD))
    return supervises(state.setup, act.role) and (attended or bool(holds_of(state, HoldKind.RULING)))


def nameless_card(state: BlackjackState, act: a.StateCard) -> Dealt | None:
    """The card at this place where it lies open and nobody has said yet which one it is."""
    found = _card_at(state, act.seat, act.position)
    return found if found is not None and is_unread(found) else None


def stated(state: BlackjackState, act: a.StateCard, at_ms: TableMs) -> BlackjackState:
    """The card has its name; one of no deck was never dealt (pt.bj.3b)."""
    meant = nameless_card(state, act)
    if meant is None:
        return state
    if act.card == FOREIGN:
        return foreign_card(state, _place_of(state, meant), at_ms)
    return _changed(state, meant, replace(meant, card=act.card, named=True))


def renamed(state: BlackjackState, act: a.RenameCard, at_ms: TableMs) -> BlackjackState:
    """People have looked again."""
    meant = card_to_rename(state, act)
    if meant is None:
        return state
    if act.card == FOREIGN:
        return foreign_card(state, _place_of(state, meant), at_ms)
    state = _changed(state, meant, replace(meant, card=act.card, named=True, doubted=None))
    if cards_to_name(state) or any(map(is_unread, state.game.dealt)):
        return state
    return end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)


def is_the_last(state: BlackjackState, act: a.RenameCard) -> bool:
    """The card meant is the last that was dealt."""
    meant = card_to_rename(state, act)
    return bool(state.game.dealt) and meant is state.game.dealt[-1]


def _place_of(state: BlackjackState, meant: Dealt) -> int:
    return next(index for index, dealt in enumerate(state.game.dealt) if dealt is meant)


def _is_a_players(dealt: Dealt) -> bool:
    return dealt.purpose is Purpose.SEAT


def players_cards_face_down(state: BlackjackState) -> tuple[Dealt, ...]:
    """The players' cards that have still to be shown, in the order in which they were dealt."""
    return tuple(dealt for dealt in state.game.dealt if _is_a_players(dealt) and lies_face_down(dealt))


def places_face_down(state: BlackjackState) -> tuple[tuple[int, int], ...]:
    """Seat (0: the bank) and position there of every card that lies face down, in the order of the deal."""
    lying: dict[int, int] = {}
    found = []
    for dealt in state.game.dealt:
        lying[dealt.seat] = lying.get(dealt.seat, 0) + 1
        if lies_face_down(dealt):
            found.append((dealt.seat, lying[dealt.seat]))
    return tuple(found)


def face_is_committed(state: BlackjackState, act: a.Turning) -> bool:
    """The turned face is the one that was committed to; what no reader has seen, people read off.

    Where the seal is gone their word counts after a hold: nobody can know whether it is the card that was dealt.
    """
    if act.seal_differs:
        return False
    meant = card_meant(state, act)
    if meant is None or meant.commitment is None or act.card is None:
        return True
    if act.salt is None:
        return meant.disputed
    return commitment(bytes.fromhex(act.salt), act.card) == meant.commitment


def turn(state: BlackjackState, act: a.Turning, at_ms: TableMs) -> BlackjackState:
    """The card lies face up; one of no deck was never dealt (pt.bj.3b)."""
    meant = card_meant(state, act)
    if meant is None:
        return state
    if act.card == FOREIGN:
        return foreign_card(state, _place_of(state, meant), at_ms)
    turned = _changed(state, meant, replace(meant, card=act.card, doubted=None))
    if meant.doubted is not None or not _is_shown(turned, meant, act):
        turned = needs_agreement(turned, act)
    return (
        raise_hold(turned, HoldKind.RULING, at_ms, cause=HoldCause.DRAWN_ON_21) if _is_late(turned, meant) else turned
    )


def _is_shown(state: BlackjackState, meant: Dealt, act: a.Turning) -> bool:
    """The seal says which card it is, or all have seen it where no device reads."""
    return not state.setup.has_reader or (meant.commitment is not None and act.salt is not None)


def _is_late(state: BlackjackState, shown: Dealt) -> bool:
    """With this card the hand is known, and one of its cards came on 21: that goes to the supervisor (mo.6.4)."""
    table = state.table
    if table is None or not _is_a_players(shown) or table.rules.figures.draws_at_21:
        return False
    cards = table.cards(HandId(shown.seat, shown.hand)) or ()
    return any(hand_points(cards[:count]) >= BEST for count in range(2, len(cards)))


def face_disputed(state: BlackjackState, act: a.Turning, at_ms: TableMs) -> BlackjackState | None:
    """The seal says another card than people do, or is gone: hold. When that has ended, what they read off counts."""
    if face_is_committed(state, act):
        return None
    meant = card_meant(state, act)
    state = state if meant is None else _changed(state, meant, replace(meant, disputed=True))
    is_lost = act.salt is None and not act.seal_differs
    details = (("cause", "seal-lost" if is_lost else "face-not-committed"),)
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, details=details, needs_count=not is_lost)


def _changed(state: BlackjackState, meant: Dealt, changed: Dealt) -> BlackjackState:
    return replace(state, game=replace(state.game, dealt=tuple(changed if d is meant else d for d in state.game.dealt)))
