"""The faces of passing cards: the core gets a face, or, for a card that lies face down, only a commitment to the sealed
face.

Only this file and the store of seals have the face of a face-down card, and this file has it only until it is sealed.
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
    """Turns a reader's byte into an identity for the core, and a seal into a face once it may be seen."""

    def __init__(self, seals: SealStore) -> None:
        self._seals = seals
        self._unsent = b""

    def take_seal(self) -> bytes:
        """The seal that must be durable before the entry of the last identity; b"" without one. A second call returns
        b"".
        """
        seal, self._unsent = self._unsent, b""
        return seal

    def identify(self, byte: int, state: BlackjackState, at_ms: TableMs) -> Identity:
        """The part of a passing card's identity that the core may have now: the face, or for a face-down card a
        commitment, after its face was sealed; UNREAD for a byte that stands for no read card.

        Raises UnknownCard for a byte that no reader sends.
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
        """The act with face and salt from the seal of its card; unchanged without a seal.

        A face that people stated stays. Where it differs from the sealed face, the act says so and gets no salt: with
        the commitment, a salt would reveal the card to anybody who tries all 52. After the hold about the difference,
        people's statement counts.
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
        """The opened seal; None where it is lost or cannot be read from the disk."""
        try:
            return self._seals.open(commitment)
        except StorageFailed:
            return None
