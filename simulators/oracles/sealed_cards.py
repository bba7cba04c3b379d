"""The cards whose seals an export must contain, and the places of these seals; implemented from the prose of the format
alone.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

_TURNINGS: Final = ("turn-hole-card", "turn-card")
_BACK: Final = ("end-putting-back", "confirm-deck-check")
SEAL_DIGITS: Final = 2 * 108


class SealedCards:
    """Follows the entries of an export. `due`: the commitments whose seals must come next, each with the number of its
    entry.
    """

    def __init__(self) -> None:
        self._lying: dict[str, int] = {}
        self._heap = ""  # the used cards: "" none go back, "waits", or "goes" from the first card in
        self.due: list[tuple[str, int]] = []

    def take(self, seq: int, kind: str, body: Mapping[str, object]) -> None:
        """Applies the next entry. The caller leaves out refused acts."""
        if kind == "card-read" and isinstance(commitment := body.get("commitment"), str):
            self._lying.setdefault(commitment, seq)
        if kind in _TURNINGS:
            self._lying.pop(_opened(body.get("salt"), body.get("card")), None)
        if kind in {"collect-cards", "begin-putting-back", "leave-in-rack"}:
            self._heap = "" if kind == "leave-in-rack" else "waits"
        elif kind == "card-counted-in" and self._heap == "waits":
            self._heap = "goes"
        if kind in _BACK or (kind == "take-bets" and self._heap == "goes"):
            self.due, self._lying, self._heap = list(self._lying.items()), {}, ""


def _opened(salt: object, card: object) -> str:
    """Returns the commitment to this card with this salt; "" if the card is no text or the salt is invalid."""
    try:
        return sha256(bytes.fromhex(str(salt)) + str(card).encode()).hexdigest() if isinstance(card, str) else ""
    except ValueError:
        return ""


def is_a_seal_of(sealed: str, commitment: str) -> bool:
    """True if `sealed` is "" (the seal was lost), or if it has the form of a seal and its bytes 8 to 39 are the
    commitment.
    """
    return not sealed or (len(sealed) == SEAL_DIGITS and sealed[16:80] == commitment and _is_lower_hex(sealed))


def _is_lower_hex(text: str) -> bool:
    return all(digit in "0123456789abcdef" for digit in text)
