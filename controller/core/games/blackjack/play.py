"""What blackjack hands to custody."""

from typing import Final

from controller.core.custody.game import CardGame
from controller.core.games.blackjack.corrections import open_plays_voided, stakes_go_back
from controller.core.games.blackjack.deal import card_arrived, lies_face_up, order, owed, ruled_on
from controller.core.games.blackjack.state import Round

BLACKJACK: Final = CardGame(
    owed=owed,
    order=order,
    lies_face_up=lies_face_up,
    card_arrived=card_arrived,
    ruled_on=ruled_on,
    voided=open_plays_voided,
    stakes_go_back=stakes_go_back,
)
Round.PLAY = BLACKJACK
