"""Keeps the faces of face-down cards from the core.

The core gets the face of a card dealt face up. For a face-down card it gets only a commitment to the sealed face. Only
this module and the store of seals handle the face of a face-down card. This module forgets a face once it is sealed.
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
    """Turns a reader's byte into a card's identity, and seals the face of a face-down card. Opens the seal once the
    card may be turned.
    """

    def __init__(self, seals: SealStore) -> None:
        self._seals = seals
        self._unsent = b""

    def take_seal(self) -> bytes:
        """Returns the seal made by the last `identify` and forgets it; b"" without a seal.

        The seal must be on the disk before the journal's entry of the sealed card.
        """
        seal, self._unsent = self._unsent, b""
        return seal

    def identify(self, byte: int, state: BlackjackState, at_ms: TableMs) -> Identity:
        """Returns the identity of a card that a reader has read: the face of an open card, or a commitment to the face
        of a face-down card, which is sealed here. Returns UNREAD if the reader could not read the card. Raises
        UnknownCard for a byte that no reader sends.
        """
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
        """Returns the act with the face and the salt from the seal of the card that it turns. Returns the act unchanged
        without a seal.

        If people have stated another face than the sealed one, the act keeps their face, gets no salt, and gets
        `seal_differs` unless the card is already in dispute. A salt would reveal the sealed face: anybody could try all
        52 cards against the commitment.
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
        """Returns the opened seal. None if the seal is lost or unreadable."""
        try:
            return self._seals.open(commitment)
        except StorageFailed:
            return None
