"""Rounds against the bank, one after the other: the core's functions decide, the strategy chooses."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from controller.core.choices import BankSecond
from controller.core.custody.state import Card
from controller.core.games.blackjack.bank import may_bank_draw
from controller.core.games.blackjack.decisions.doubling import may_double
from controller.core.games.blackjack.decisions.five_cards import may_claim_five_cards
from controller.core.games.blackjack.decisions.turns import may_stand
from controller.core.games.blackjack.hand import Hand, HandEnd, due_at_once, is_pair, may_draw, may_split, prize_at_once
from controller.core.games.blackjack.money import Payment, pay
from controller.core.games.blackjack.settling import Bet, settle_bet
from controller.core.games.blackjack.values import BEST, card_value, hand_points, hard_points
from controller.core.hand_rules import HandRules
from controller.core.words import Cents
from tests.money.kit import may_surrender
from tests.money.odds.shoes import Shoe
from tests.money.odds.strategy import Strategy

STAKE: Final = Cents(1_000)
_FIVE = 5


@dataclass
class Tally:
    """The result of `rounds` rounds, from the player's side."""

    rounds: int = 0
    won: int = 0  # cents, of stakes of STAKE
    squares: int = 0
    prizes: int = 0  # of `won`, special prizes

    def add(self, won: int) -> None:
        self.rounds += 1
        self.won += won
        self.squares += won * won

    @property
    def mean(self) -> float:
        """Returns the mean result of a round as a part of the initial bet; a negative one is the house's edge."""
        return self.won / self.rounds / STAKE

    @property
    def standard_error(self) -> float:
        variance = self.squares / self.rounds - (self.won / self.rounds) ** 2
        return sqrt(variance / self.rounds) / STAKE


class Players:
    """Players with one strategy, at `seats` seats of a table with these rules."""

    def __init__(self, rules: HandRules, strategy: Strategy, shoe: Shoe, second: BankSecond, *, seats: int = 1) -> None:
        self._rules, self._strategy, self._shoe, self._seats = rules, strategy, shoe, range(seats)
        self._has_hole = second is BankSecond.HOLE
        self._draw = shoe.draw
        self._prizes = 0

    def play(self, rounds: int) -> Tally:
        """Plays `rounds` rounds of every seat, each with the same stake."""
        tally = Tally()
        for _ in range(rounds):
            self._shoe.begin()
            for won in self.play_round():
                tally.add(won)
        tally.prizes = self._prizes
        return tally

    def play_round(self) -> list[int]:
        """Plays one round, and returns the cents won or lost, by seat."""
        draw, rules = self._draw, self._rules
        first = [draw() for _ in self._seats]
        up = draw()
        dealt = [self._ended(Hand((card, draw())), up) for card in first]
        bank = (up, draw()) if self._has_hole else (up,)
        played = [[hand] if hand.end else self._play_hands(hand, up) for hand in dealt]
        hands = played[0] if len(played) == 1 else [hand for its in played for hand in its]
        while may_bank_draw(bank, hands, rules, is_insured=False) is None:
            bank = (*bank, draw())
        return [sum([self._settled(hand, bank) for hand in its]) for its in played]

    def _ended(self, hand: Hand, up: Card) -> Hand:
        """Returns the hand after an immediate payment or a surrender, which come before the draws."""
        if due_at_once(hand, up, self._rules) is Payment.BLACKJACK:
            return Hand(hand.cards, end=HandEnd.BLACKJACK_PAID)
        return Hand(hand.cards, end=HandEnd.SURRENDERED) if self._gives_up(hand, up) else hand

    def _settled(self, hand: Hand, bank: tuple[Card, ...]) -> int:
        won = settle_bet(hand, bank, Bet(1, STAKE, hand.is_doubled), self._rules).cents or 0
        if prize_at_once(hand, self._rules) is not None:
            prize = pay(Payment.SPECIAL_PRIZE, STAKE, self._rules).cents or 0
            self._prizes += prize
            won += prize
        return won

    def _gives_up(self, hand: Hand, up: Card) -> bool:
        wanted, cards = self._strategy.given_up, hand.cards
        if not wanted or hand_points(cards) != hard_points(cards):
            return False
        if wanted[hard_points(cards), card_value(up)] != "r" or self._separates(hand, up, 1):
            return False
        return may_surrender(hand, up, self._rules, somebody_has_drawn=False) is None

    def _separates(self, hand: Hand, up: Card, hands: int) -> bool:
        if len(hand.cards) != 2 or not is_pair(hand.cards, self._rules.figures):
            return False
        wanted = self._strategy.pairs[card_value(hand.cards[0]), card_value(up)] == "p"
        return wanted and may_split(hand, hands, self._rules) is None

    def _play_hands(self, hand: Hand, up: Card) -> list[Hand]:
        waiting, done = [hand], list[Hand]()
        while waiting:
            hand = waiting.pop()
            if len(hand.cards) == 1:
                hand = Hand((*hand.cards, self._draw()), is_split=True)
            while self._separates(hand, up, len(waiting) + len(done) + 1):
                first, second = hand.cards
                waiting.append(Hand((second,), is_split=True))
                hand = Hand((first, self._draw()), is_split=True)
            done.append(self._play_hand(hand, up))
        return done

    def _play_hand(self, hand: Hand, up: Card) -> Hand:
        rules, value = self._rules, card_value(up)
        while True:
            cards = hand.cards
            hard, total = hard_points(cards), hand_points(cards)
            if total > BEST:
                return hand
            if len(cards) == _FIVE and self._claims(hand, up, total):
                return Hand(cards, hand.is_split, end=HandEnd.FIVE_CARDS)
            wish = (self._strategy.soft if total != hard else self._strategy.hard)[total, value]
            if wish == "d" and may_double(hand, rules) is None:
                return Hand((*cards, self._draw()), hand.is_split, is_doubled=True)
            if wish == "s" or (wish == "d" and total == 18):
                if may_stand(hand, rules) is not None:
                    raise ValueError(f"{hand} must not stand")
                return hand
            if may_draw(hand, rules) is not None:
                return hand
            hand = Hand((*cards, self._draw()), hand.is_split)

    def _claims(self, hand: Hand, up: Card, total: int) -> bool:
        wanted = self._strategy.five_cards
        if not wanted or wanted[total, card_value(up)] != "c":
            return False
        return may_claim_five_cards(hand, up, self._rules) is None
