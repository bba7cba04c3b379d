"""The bytes of cards, and the text for them."""

import pytest

from firmware_protocols.cards import CARD_BYTES, FOREIGN, UNREAD, card_byte, card_text
from firmware_protocols.errors import UnknownCard

WRITTEN_BY_HAND = {
    0x11: "AC",
    0x1D: "KC",
    0x22: "2D",
    0x2B: "JD",
    0x3A: "10H",
    0x3C: "QH",
    0x41: "AS",
    0x49: "9S",
    0x5F: "JOKER",
}


@pytest.mark.parametrize(("byte", "text"), WRITTEN_BY_HAND.items())
def test_a_card_is_written_as_people_write_it(byte: int, text: str) -> None:
    assert card_text(byte) == text
    assert card_byte(text) == byte


def test_a_card_that_was_not_read_has_no_text() -> None:
    assert card_text(UNREAD) is None
    assert card_byte(None) == UNREAD


def test_there_are_52_cards_one_foreign_one_unread() -> None:
    assert len(CARD_BYTES) == 54
    assert len({card_text(byte) for byte in CARD_BYTES}) == 54
    assert {UNREAD, FOREIGN} <= set(CARD_BYTES)


@pytest.mark.parametrize("byte", [-1, 0x01, 0x10, 0x1E, 0x4E, 0x51, 0x5E, 0xFF, 256])
def test_other_bytes_are_no_cards(byte: int) -> None:
    with pytest.raises(UnknownCard):
        card_text(byte)


@pytest.mark.parametrize("text", ["", "H10", "1H", "TH", "10h", " 10H", "11S", "joker"])
def test_other_texts_are_no_cards(text: str) -> None:
    with pytest.raises(UnknownCard):
        card_byte(text)
