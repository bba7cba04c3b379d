"""The commitment of a face-down card: SHA-256 over a 32-byte salt and the card (DESIGN: nobody knows which card)."""

from hashlib import sha256

from controller.core.acts import TurnHoleCard
from controller.core.cards import Card
from controller.core.state import State
from controller.core.words import Purpose


def commitment(salt: bytes, card: Card) -> str:
    """The hex digest that stands for a card which nobody has seen."""
    return sha256(salt + card.encode()).hexdigest()


def face_is_committed(state: State, act: TurnHoleCard) -> bool:
    """The turned face is the one that was committed to; without salt (seal lost, unread) people read it off."""
    if act.seal_differs:
        return False
    promised = next((d.commitment for d in state.dealt if d.purpose is Purpose.HOLE), None)
    if promised is None or act.salt is None or act.card is None:
        return True
    return commitment(bytes.fromhex(act.salt), act.card) == promised
