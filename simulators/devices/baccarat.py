"""The game of baccarat that an Angel Eye plays by itself with passing cards. The game has no meaning at a blackjack
table.
"""

from msgspec import Struct, field

from firmware_protocols.angel_eye.words import GameEnded, Target, Winner

STANDS_FROM = 6  # points of the player's two cards
NATURAL = 8


def points(face: str) -> int:
    """Returns the points of the card `face` in baccarat: 1 for an ace, 0 for tens and pictures, the number on any other
    card.
    """
    rank = face[:-1]
    return {"A": 1, "10": 0, "J": 0, "Q": 0, "K": 0}.get(rank) or (int(rank) % 10 if rank.isdigit() else rank == "A")


class BaccaratGame(Struct):
    """The cards of the present game. The first card after the end of a game begins a new one."""

    player: list[str] = field(default_factory=list)
    banker: list[str] = field(default_factory=list)

    def take(self, face: str) -> tuple[Target, int, GameEnded | None]:
        """Adds a card to the game. Returns the side that gets the card, the card's number on that side (from 1), and
        the result of the game. The result is None until the game is over.
        """
        target = self._next_target()
        hand = self.player if target is Target.PLAYER else self.banker
        hand.append(face)
        return target, len(hand), self._end() if self._is_over() else None

    def _next_target(self) -> Target:
        if len(self.player) + len(self.banker) < 4:
            return Target.PLAYER if len(self.player) == len(self.banker) else Target.BANKER
        return Target.PLAYER if self._player_draws() and len(self.player) == 2 else Target.BANKER

    def _player_draws(self) -> bool:
        return _total(self.player[:2]) < STANDS_FROM

    def _is_over(self) -> bool:
        if len(self.player) + len(self.banker) < 4:
            return False
        if max(_total(self.player[:2]), _total(self.banker[:2])) >= NATURAL:
            return True
        if self._player_draws() and len(self.player) == 2:
            return False
        return len(self.banker) == 3 or not self._banker_draws()

    def _banker_draws(self) -> bool:
        """True if the rules give the banker a third card."""
        total = _total(self.banker)
        if len(self.player) == 2:
            return total < STANDS_FROM
        third = points(self.player[2])
        wanted = {3: set(range(10)) - {8}, 4: set(range(2, 8)), 5: set(range(4, 8)), 6: {6, 7}}
        return total < 3 or third in wanted.get(total, set())

    def _end(self) -> GameEnded:
        player, banker = _total(self.player), _total(self.banker)
        winner = Winner.PLAYER if player > banker else Winner.BANKER if banker > player else Winner.TIE
        ended = GameEnded(winner, _is_pair(self.player), _is_pair(self.banker))
        self.player, self.banker = [], []
        return ended


def _total(hand: list[str]) -> int:
    return sum(points(face) for face in hand) % 10


def _is_pair(hand: list[str]) -> bool:
    return hand[0][:-1] == hand[1][:-1]
