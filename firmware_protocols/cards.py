"""Converts cards between a byte on the wire and text: `10H`, `AS`, and `JOKER` for a foreign card."""

from types import MappingProxyType
from typing import Final

from firmware_protocols.errors import UnknownCard

# High nibble: suit 1 clubs, 2 diamonds, 3 hearts, 4 spades. Low nibble: rank 1 (ace) to 13 (king).
SUITS: Final = "CDHS"
RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

UNREAD: Final = 0x00  # a card passed and was not read
FOREIGN: Final = 0x5F  # a joker, or a code that no deck contains
FOREIGN_TEXT: Final = "JOKER"

_TEXT_OF: Final = {
    (suit << 4) | rank: rank_text + suit_text
    for suit, suit_text in enumerate(SUITS, start=1)
    for rank, rank_text in enumerate(RANKS, start=1)
} | {FOREIGN: FOREIGN_TEXT}
_BYTE_OF: Final = {text: byte for byte, text in _TEXT_OF.items()}

# Every byte that may stand for a card on the wire. (Each maps to itself, so that a Field can use the bytes as choices.)
CARD_BYTES: Final = MappingProxyType({byte: byte for byte in (UNREAD, *_TEXT_OF)})


def card_text(byte: int) -> str | None:
    """Returns the text of the card with this byte; None for the byte of an unread card. Raises UnknownCard."""
    if byte == UNREAD:
        return None
    try:
        return _TEXT_OF[byte]
    except KeyError:
        raise UnknownCard(f"{byte:#04x} is no card byte") from None


def card_byte(text: str | None) -> int:
    """Returns the byte of the card with this text; None means a card that was not read. Raises UnknownCard."""
    if text is None:
        return UNREAD
    try:
        return _BYTE_OF[text]
    except KeyError:
        raise UnknownCard(f"{text!r} is no card") from None
