"""Faces of cards on their way in: straight into the core, or sealed where it may only know a commitment.

This file and the store of seals are the only places of the controller that hold the face of a card that lies
face down, and only for as long as the sealing takes.
"""

from typing import Final

from controller.core.custody.doubt import face_down_number
from controller.core.custody.state import FOREIGN, Card, Identity
from controller.core.custody.turning import Turning, card_meant
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import TableMs
from controller.journal.errors import StorageFailed
from controller.journal.seals import OpenedSeal, SealStore
from firmware_protocols.cards import FOREIGN as FOREIGN_BYTE
from firmware_protocols.cards import card_text

UNREAD: Final = Identity(None, None)


class Faces:
    """Turns what a reader saw into what the core may know, and a seal back into a face once it is turned."""

    def __init__(self, seals: SealStore) -> None:
        self._seals = seals
        self._unsent = b""

    def take_seal(self) -> bytes:
        """The seal that must be durable before the entry of the last identity; b"" when there is none."""
        seal, self._unsent = self._unsent, b""
        return seal

    def identify(self, byte: int, state: BlackjackState, at_ms: TableMs) -> Identity:
        """The part of a passing card's identity that the core may have now. UnknownCard for no card's byte."""
        text = card_text(byte)
        if text is None:
            return UNREAD
        card = FOREIGN if byte == FOREIGN_BYTE else Card(text)
        number = face_down_number(state, at_ms)
        if number is None:
            return Identity(card, None)
        seal = self._seals.seal(number, card)
        self._unsent = seal.data
        return Identity(None, seal.commitment)

    def unseal(self, act: Turning, state: BlackjackState) -> Turning:
        """The act with what the seal of the card that it turns says, or as it is where there is no seal.

        A card that people gave stays. Where it is not the one sealed the act says so and has no salt: beside the
        commitment a salt names the card to whoever tries all 52. After the hold for that, people's word is taken.
        """
        meant = card_meant(state, act)
        if meant is None or meant.commitment is None:
            return act
        opened = self._opened(meant.commitment)
        if opened is None:
            return act
        if act.card not in {None, opened.card}:
            return act if meant.disputed else replace(act, seal_differs=True)
        return replace(act, card=Card(opened.card), salt=opened.salt.hex())

    def _opened(self, commitment: str) -> OpenedSeal | None:
        """The seal, or None where it is lost; one that the disk does not give is lost, too."""
        try:
            return self._seals.open(commitment)
        except StorageFailed:
            return None
