"""The points of cards."""

import pytest

from controller.core.custody.state import DECK, Card
from controller.core.games.blackjack.values import card_value, hand_points


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        ("AS KH", 21),
        ("AS 6H", 17),
        ("AS 6H 9C", 16),
        ("QS JH AD", 21),
        ("9C 7D 6H", 22),
        ("10C 5D 6H", 21),
        ("AC AD", 12),
        ("AC AD 9H", 21),
        ("", 0),
    ],
)
def test_points_of_a_hand(cards: str, points: int) -> None:
    """XP-01: pt.bj.6a1 br.values.1 house.3 mo.8."""
    assert hand_points([Card(card) for card in cards.split()]) == points


def test_values_of_a_deck() -> None:
    """pt.bj.6b pt.bj.6c br.values.1 house.3 mo.8: 85 in each suit, aces as 1."""
    assert sum(map(card_value, DECK)) == 4 * 85
    assert {card_value(Card(rank + "D")) for rank in ("10", "J", "Q", "K")} == {10}
    assert [card_value(Card(f"{number}C")) for number in range(2, 10)] == list(range(2, 10))
