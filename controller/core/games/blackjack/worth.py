"""Computes the results of a round from its cards and stakes: the hand in turn, which hands are over, each bet's amount.

The results are not stored, so correcting a card or a decision corrects them, too. A hand with an unknown card is not
judged; an irregular hand is found when its cards are shown.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from controller.core.custody.state import BANK, Card, Dealt
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bank import may_bank_draw, may_bank_stand
from controller.core.games.blackjack.hand import (
    Hand,
    HandEnd,
    due_at_once,
    has_blackjack,
    is_live,
    is_pair,
    is_rank_pair,
    may_draw,
    may_split,
    prize_at_once,
)
from controller.core.games.blackjack.hands import Brings, Decided, HandId, PlayedHand, SideStake, Stakes, Waiting
from controller.core.games.blackjack.money import Amount, Payment, may_be_paid
from controller.core.games.blackjack.settling import (
    settle_bet,
    settle_insurance,
    special_prizes,
)
from controller.core.games.blackjack.side_bets import (
    SideBet,
    settle_any_pair,
    settle_over_under,
    settle_sevens,
)
from controller.core.hand_rules import HandRules

_TWO: Final = 2


@dataclass(frozen=True)
class Table:
    """The cards and stakes of a round, with all results that follow from them. Each result is computed once."""

    dealt: tuple[Dealt, ...]
    stakes: Stakes
    rules: HandRules

    def of(self, at: HandId) -> PlayedHand | None:
        """Returns the record of this hand. None if the round lacks it."""
        return self._by_id.get(at)

    @cached_property
    def _by_id(self) -> dict[HandId, PlayedHand]:
        return {one.id: one for one in self.stakes.hands}

    def at(self, seat: int) -> tuple[PlayedHand, ...]:
        """Returns the records of a seat's hands, in their order of play."""
        return tuple([one for one in self.stakes.hands if one.id.seat == seat])

    def cards(self, at: HandId) -> tuple[Card, ...] | None:
        """Returns the cards of a player's hand, on the table or collected, or of the bank. None while one of them is
        unknown.
        """
        played = self.of(at)
        if played is not None and played.kept is not None:
            return played.kept
        return self._lying.get((at.seat, at.index), ())

    @cached_property
    def _lying(self) -> dict[tuple[int, int], tuple[Card, ...] | None]:
        """Returns the cards on the table, by seat and hand. None for a hand with an unknown card."""
        lying: dict[tuple[int, int], tuple[Card, ...] | None] = {}
        for one in self.dealt:
            at = one.seat, one.hand
            before = lying.get(at, ())
            lying[at] = None if before is None or one.card is None else (*before, one.card)
        return lying

    @cached_property
    def bank(self) -> tuple[Card, ...] | None:
        return self.cards(HandId(BANK))

    @cached_property
    def up(self) -> Card | None:
        """Returns the bank's open first card. None before this card is dealt and while it is unknown."""
        return next((one.card for one in self.dealt if one.seat == BANK), None)

    @cached_property
    def second_is_known(self) -> bool:
        """True if all the bank's cards are known and it has at least two."""
        return self.bank is not None and len(self.bank) >= _TWO

    def hand(self, played: PlayedHand) -> Hand | None:
        """Returns the hand `played` with its cards, as the rules judge it. None while a card of the hand is unknown."""
        return self._judged[played.id]

    @cached_property
    def _judged(self) -> dict[HandId, Hand | None]:
        return {one.id: self._judge(one) for one in self.stakes.hands}

    def _judge(self, played: PlayedHand) -> Hand | None:
        cards = self.cards(played.id)
        if cards is None:
            return None
        declined = played.is_split and self._has_declined(played)
        misread = played.end is HandEnd.EVEN_MONEY and not has_blackjack(cards)  # a card got another name later
        end = None if misread else played.end
        hand = Hand(cards, played.is_split, played.is_doubled, has_declined=declined, end=end)
        due = None if hand.end is not None or self.up is None else due_at_once(hand, self.up, self.rules)
        return replace(hand, end=HandEnd.BLACKJACK_PAID) if due is not None and due.value == "blackjack" else hand

    def is_as_dealt(self, played: PlayedHand) -> bool:
        """True if the hand has exactly its first two cards, open or face down, and was neither ended, split nor
        doubled.
        """
        end = played.end if (hand := self.hand(played)) is None else hand.end
        return end is None and self._lying_at(played.id) == _TWO and not played.is_split and not played.is_doubled

    def _lying_at(self, at: HandId) -> int:
        """Returns how many cards of the hand lie on the table, open or face down."""
        return sum((one.seat, one.hand) == (at.seat, at.index) for one in self.dealt)

    def _has_declined(self, played: PlayedHand) -> bool:
        """True if the player has already played another hand of the seat with a pair that could have been split
        (mo.16.5).
        """
        others = (one for one in self.at(played.id.seat) if one.id != played.id and one.is_split)
        for one in others:
            cards = self.cards(one.id) or ()
            is_played = one.has_stood or one.is_doubled or len(cards) > _TWO
            if is_played and is_pair(cards[:_TWO], self.rules.figures):
                return True
        return False

    @cached_property
    def waiting(self) -> tuple[Hand, ...]:
        """Returns all players' hands for the rules of the bank's draw. A hand with an unknown card is given without
        cards, and so counts as waiting.
        """
        return tuple(self.hand(played) or Hand((), end=played.end) for played in self.stakes.hands)

    def is_over(self, played: PlayedHand) -> bool:
        """True if the hand gets no further card and no further decision before the bank plays."""
        return self._over[played.id]

    @cached_property
    def _over(self) -> dict[HandId, bool]:
        return {one.id: self._is_over(one) for one in self.stakes.hands}

    def _is_over(self, played: PlayedHand) -> bool:
        hand = self.hand(played)
        if played.has_stood or played.kept is not None or (hand or played).end is not None:
            return True
        if hand is None or len(hand.cards) < _TWO:
            return False
        return may_draw(hand, self.rules) is not None and not self._may_split(hand, played.id.seat)

    def _may_split(self, hand: Hand, seat: int) -> bool:
        """True if the hand may still be split, even a pair of aces after a split, which gets no further card."""
        return may_split(hand, len(self.at(seat)), self.rules) is None

    @cached_property
    def turn(self) -> PlayedHand | None:
        """Returns the hand in turn, by the order of the seats (pt.bj.18c). None when the bank is in turn. A hand whose
        decision was taken back waits for the hand that has already begun to play.
        """
        left = [one for one in self.stakes.hands if not self.is_over(one)]
        now = next((one for one in left if one.waits is not Waiting.LAST), next(iter(left), None))
        if now is None or now.waits is not Waiting.NEXT:
            return now
        return next((one for one in left if one.waits is None and self._plays_already(one)), now)

    def _plays_already(self, played: PlayedHand) -> bool:
        return played.is_split or self._lying_at(played.id) > _TWO

    @cached_property
    def offered(self) -> HandId | None:
        """Returns the hand that gets the next card without a request: the hand in turn, or the bank's hand if the bank
        must draw. None if this hand may not draw.
        """
        turn = self.turn
        if turn is not None:
            hand = self.hand(turn)
            return turn.id if hand is not None and may_draw(hand, self.rules) is None else None
        bank = self.bank
        if bank is None or may_bank_draw(bank, self.waiting, self.rules, is_insured=self.is_insured) is not None:
            return None
        return HandId(BANK)

    @cached_property
    def is_known(self) -> bool:
        """True if all cards that decide a bet are known.

        The bank's cards count only if a hand or an insurance waits for them.
        """
        hands = [hand for hand in self._judged.values() if hand is not None]
        needs_bank = self.is_insured or any(map(is_live, hands))
        return len(hands) == len(self.stakes.hands) and (self.bank is not None or not needs_bank)

    def is_known_at(self, seat: int) -> bool:
        """True if all cards of the seat's hands are known."""
        return all(self.cards(one.id) is not None for one in self.at(seat))

    @cached_property
    def is_decided(self) -> bool:
        """True if every amount of the round is known: all players' hands are over, and the bank needs no further
        card.
        """
        if self.turn is not None or not self.is_known:
            return False
        bank = self.bank
        return bank is None or may_bank_stand(bank, self.waiting, self.rules, is_insured=self.is_insured) is None

    @cached_property
    def is_insured(self) -> bool:
        return any(one.insurances for one in self.stakes.hands)

    def amounts(self, *, settled: bool) -> tuple[Brings, ...]:
        """Returns the results of all stakes if `settled`, else only of those that are due before the settlement."""
        return self._settled if settled else self._due

    @cached_property
    def _settled(self) -> tuple[Brings, ...]:
        return tuple(self._amounts(settled=True))

    @cached_property
    def _due(self) -> tuple[Brings, ...]:
        return tuple(self._amounts(settled=False))

    def _amounts(self, *, settled: bool) -> Iterator[Brings]:
        left = list(self.stakes.decided)
        for one in self._worked_out(settled=settled):
            meant = next((said for said in left if _is_about(said, one, self.rules)), None)
            if meant is not None:
                left.remove(meant)
            yield one if meant is None else replace(one, paid=meant.paid)

    def _worked_out(self, *, settled: bool) -> Iterator[Brings]:
        bank = self.bank if settled else None
        for played in self.stakes.hands:
            hand = self.hand(played)
            if hand is not None:
                yield from self._of_hand(played, hand, bank)
        for stake in self.stakes.side:
            for amount in self._of_side(stake, settled=settled):
                yield Brings(HandId(stake.seat), stake.bettor, amount)

    def _of_hand(self, played: PlayedHand, hand: Hand, bank: tuple[Card, ...] | None) -> Iterator[Brings]:
        if prize_at_once(hand, self.rules) is not None:
            for due in special_prizes(played.bets, played.holder, self.rules):
                yield Brings(played.id, due.bettor, due.amount)
        is_due = hand.end is not None or (self.up is not None and due_at_once(hand, self.up, self.rules) is not None)
        if is_due or bank is not None:
            for bet in played.bets:
                yield Brings(played.id, bet.bettor, settle_bet(hand, bank or (), bet, self.rules))
        if bank is not None:
            for one in played.insurances:
                yield Brings(played.id, one.bettor, settle_insurance(one.amount, bank, self.rules))

    def _of_side(self, stake: SideStake, *, settled: bool) -> tuple[Amount, ...]:
        """Returns the amounts of a side bet by the cards so far. Empty while they do not decide the bet. A winning
        stake on any pair also plays for the pairs after a split (mo.13.1.2).
        """
        if stake.of is not None:
            return self._of_next_pair(stake)
        dealt, is_split = self._first_dealt(stake.seat), len(self.at(stake.seat)) > 1
        if len(dealt) < _TWO or not self.is_known_at(stake.seat):
            return ()
        match stake.kind:
            case SideBet.ANY_PAIR:
                amount = settle_any_pair(dealt[0], dealt[1], stake.stake, self.rules)
                has_won = amount.payment is Payment.ANY_PAIR
                return (amount, *self._later_pairs(stake))[: stake.pairs] if has_won else (amount,)
            case SideBet.OVER | SideBet.UNDER:
                return (settle_over_under(stake.kind, dealt[0], dealt[1], stake.stake, self.rules),)
            case SideBet.SEVENS:
                is_sure = settled or len(dealt) > _TWO or self.is_over(self.at(stake.seat)[0])
                return (settle_sevens(dealt, stake.stake, self.rules, is_split=is_split),) if is_sure else ()

    def pairs_won(self, stake: SideStake) -> int:
        """Returns the number of pairs that a stake on any pair has won so far."""
        won = (one for one in self._of_side(stake, settled=False) if one.payment is Payment.ANY_PAIR)
        return sum(1 for _ in won)

    def _first_dealt(self, seat: int) -> tuple[Card, ...]:
        """Returns the first cards dealt to a seat, up to three after a split, in order of arrival.

        A split may have moved a card to another hand. The third card is the first hand's second card or, if the first
        hand was split again, the first card of the next hand.
        """
        found = {one.id.index: self.cards(one.id) or () for one in self.at(seat)}
        first, second = found.get(1, ()), found.get(_TWO)
        if second is None:
            return first
        of_the_first = list(found)[1:].index(_TWO) > 0
        third = found[_TWO + 1][:1] if of_the_first else first[1:2]
        return (*first[:1], *second[:1], *third)

    def _of_next_pair(self, stake: SideStake) -> tuple[Amount, ...]:
        """Returns the amount of a stake that was laid after a split on the hand's next pair (mo.13.1.2). Empty while a
        card of that pair is unknown.

        If that pair was split, too, its second card is now the first card of a later hand.
        """
        at = self.at(stake.seat)
        behind = at[next(n for n, one in enumerate(at) if one.id.index == stake.of) + 1 :]
        came = next((one for one in behind if one.id.index == stake.hands + 1), None)
        between = () if came is None else behind[: behind.index(came)]
        is_of_it = came is not None and all(one.id.index > stake.hands for one in between)
        mine = self.cards(HandId(stake.seat, stake.of or 1)) or ()
        second = (self.cards(came.id) or ())[:1] if came is not None and is_of_it else mine[1:_TWO]
        pairs = zip(mine[:1], second, strict=False)  # none while one of the two cards is unknown
        return tuple(settle_any_pair(*pair, stake.stake, self.rules, is_split=True) for pair in pairs)

    def _later_pairs(self, stake: SideStake) -> Iterator[Amount]:
        """Yields the amount of a stake on any pair for each pair after the first split. Yields nothing if the profile
        has a new stake for each pair.
        """
        if self.rules.figures.any_pair_new_stake:
            return
        for pair in self._pairs_after_the_first(stake.seat):
            if is_rank_pair(*pair):
                yield settle_any_pair(*pair, stake.stake, self.rules, is_split=True)

    def _pairs_after_the_first(self, seat: int) -> Iterator[tuple[Card, Card]]:
        """Yields the first two cards of each hand that came from a split, and those of each such hand before it was
        split again.
        """
        at = self.at(seat)
        for place, played in enumerate(at):
            cards = self.cards(played.id) or ()
            if played.id.index > _TWO and cards:
                yield from zip(self._split_from(at[:place], played), cards[:1], strict=False)
            if played.is_split and len(cards) >= _TWO:
                yield cards[0], cards[1]

    def _split_from(self, before: tuple[PlayedHand, ...], played: PlayedHand) -> tuple[Card, ...]:
        """Returns the first card of the hand from which this one was split: the nearest older hand before it. Empty
        while that card is unknown. Where tens of all ranks are pairs, the two hands may have different ranks.
        """
        older = next(one for one in reversed(before) if one.id.index < played.id.index)
        return (self.cards(older.id) or ())[:1]


class _Tables:
    """A cache of the last few tables, found by the identity of cards, stakes and rules. One event needs the same two or
    three tables some ten times, a status some hundred times.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: tuple[Table, ...] = ()

    def __call__(self, dealt: tuple[Dealt, ...], stakes: Stakes, rules: HandRules) -> Table:
        for table in self._last:
            if table.dealt is dealt and table.stakes is stakes and table.rules is rules:
                return table
        table = Table(dealt, stakes, rules)
        self._last = (table, *self._last[: self._most - 1])
        return table

    def cache_clear(self) -> None:
        """Forgets all tables; named like the method of a function cached by functools."""
        self._last = ()


table_of: Final = _Tables(most=4)
"""The table of a round's cards, stakes and rules; the same object while it is among the last four."""


def _is_about(said: Decided, one: Brings, rules: HandRules) -> bool:
    """True if the decision `said` is about this amount and still possible. A corrected card may have changed the
    amount.
    """
    is_its = (said.hand, said.bettor, said.payment) == (one.hand, one.bettor, one.amount.payment)
    return is_its and may_be_paid(said.paid, one.amount, rules)
