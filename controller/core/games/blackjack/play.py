"""What blackjack hands to custody."""

from typing import Final

from controller.core.custody.game import CardGame
from controller.core.games.blackjack.agreement import needs_agreement
from controller.core.games.blackjack.corrections import dealt_as_counted, open_plays_voided, stakes_go_back
from controller.core.games.blackjack.deal import card_arrived, lies_face_up, order, owed
from controller.core.games.blackjack.state import Round
from controller.core.games.blackjack.taking_back import foreign_card

BLACKJACK: Final = CardGame(
    owed=owed,
    order=order,
    lies_face_up=lies_face_up,
    card_arrived=card_arrived,
    card_of_no_deck=foreign_card,
    named=needs_agreement,
    counted=dealt_as_counted,
    voided=open_plays_voided,
    stakes_go_back=stakes_go_back,
)
Round.PLAY = BLACKJACK
