"""The commitment of a face-down card: SHA-256 over a 32-byte salt and the card (DESIGN: nobody knows which card)."""

from hashlib import sha256

from controller.core.custody.cards import Card


def commitment(salt: bytes, card: Card) -> str:
    """The hex digest that stands for a card which nobody has seen."""
    return sha256(salt + card.encode()).hexdigest()
