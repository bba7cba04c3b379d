"""The hands of a round, where a table follows them: whose turn it is, what lies before whom, what each bet brings.

A hand's record holds what people have decided. Its cards stand in the round; whether it is over, and every amount,
is worked out from both, so that a correction of a card corrects them. A hand of which a card is not known yet is
judged by nobody: what was irregular is seen when its cards are shown.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.core.custody.state import Card, Dealt
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bank import may_bank_draw, may_bank_stand
from controller.core.games.blackjack.bets import BettingPlace, decider
from controller.core.games.blackjack.decisions import due_at_once, is_pair, may_draw, may_split, prize_at_once
from controller.core.games.blackjack.hand import Hand, HandEnd, has_blackjack, is_live, is_rank_pair
from controller.core.games.blackjack.money import Amount, Payment, may_be_paid
from controller.core.games.blackjack.settling import (
    Bet,
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
from controller.core.hand_rules import NOTHING, HandRules, Rate
from controller.core.words import Cents

BANK: Final = 0
"""The bank's number where a seat is meant."""
_TWO: Final = 2


class HandId(Struct, frozen=True, gc=False):
    """A seat's hand; the first is the one that was dealt, the others came of pairs."""

    seat: int
    index: int = 1


def shown(hand: HandId) -> str:
    """A hand as people write it: its seat, and behind a stroke which of the seat's it is."""
    return f"{hand.seat}/{hand.index}" if hand.index > 1 else str(hand.seat)


class Insurance(Struct, frozen=True, gc=False):
    """What one player has laid against the bank's blackjack."""

    bettor: int
    amount: Cents


class SideStake(Struct, frozen=True, gc=False):
    """One side bet on a place.

    `of`: the hand whose next pair a new stake is for, where the profile offers one; `hands`: so many the place had.
    """

    seat: int
    bettor: int
    kind: SideBet
    stake: Cents
    pairs: int | None = None  # of any pair: so many had won when it was taken down; None: it stays up
    of: int | None = None
    hands: int = 1


class PlayedHand(Struct, frozen=True, gc=False):
    """What was bet on a hand and decided about it; `kept`: its cards, once they lie in the rack."""

    id: HandId
    bets: tuple[Bet, ...]
    holder: int  # the player who decides
    is_split: bool = False
    is_doubled: bool = False
    has_stood: bool = False
    end: HandEnd | None = None
    insurances: tuple[Insurance, ...] = ()
    kept: tuple[Card, ...] | None = None


class Decided(Struct, frozen=True, gc=False):
    """What people have decided to pay or to take instead of an amount that no chips make up."""

    hand: HandId
    bettor: int
    payment: Payment
    paid: Cents


class Stakes(Struct, frozen=True, gc=False):
    """What was bet in a round, and the hands that it is played for, in the order in which they are played."""

    places: tuple[BettingPlace, ...] = ()
    side: tuple[SideStake, ...] = ()
    hands: tuple[PlayedHand, ...] = ()
    decided: tuple[Decided, ...] = ()


class Brings(Struct, frozen=True, gc=False):
    """What one stake brings: whose it is, on which hand, and the amount with its reason.

    `paid`: what people have decided instead, where no chips make it up.
    """

    hand: HandId
    bettor: int
    amount: Amount
    paid: Cents | None = None

    @property
    def brought(self) -> Fraction:
        """In cents, as the player sees it: what is paid to him or taken."""
        if self.paid is None:
            return self.amount.exact
        return Fraction(self.paid if self.amount.exact > 0 else -self.paid)


class Takings(Struct, frozen=True, gc=False):
    """What the bank has won in the rounds that were settled, in cents, and what the last of them brought."""

    bank: Rate = NOTHING
    last: tuple[Brings, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A round's cards and stakes, looked at together."""

    dealt: tuple[Dealt, ...]
    stakes: Stakes
    rules: HandRules

    def of(self, at: HandId) -> PlayedHand | None:
        """The hand that is played there."""
        return next((one for one in self.stakes.hands if one.id == at), None)

    def at(self, seat: int) -> tuple[PlayedHand, ...]:
        """A seat's hands."""
        return tuple(one for one in self.stakes.hands if one.id.seat == seat)

    def cards(self, at: HandId) -> tuple[Card, ...] | None:
        """The cards of a hand or of the bank; None while one of them is not known."""
        played = self.of(at)
        if played is not None and played.kept is not None:
            return played.kept
        found = tuple(one.card for one in self.dealt if (one.seat, one.hand) == (at.seat, at.index))
        known = tuple(card for card in found if card is not None)
        return known if len(known) == len(found) else None

    @property
    def bank(self) -> tuple[Card, ...] | None:
        return self.cards(HandId(BANK))

    @property
    def up(self) -> Card | None:
        """The bank's first card, which lies open."""
        return next((one.card for one in self.dealt if one.seat == BANK), None)

    @property
    def second_is_known(self) -> bool:
        """The bank's second card lies open."""
        return self.bank is not None and len(self.bank) >= _TWO

    def hand(self, played: PlayedHand) -> Hand | None:
        """As the rules see it; None while a card of it is not known."""
        cards = self.cards(played.id)
        if cards is None:
            return None
        declined = played.is_split and self._has_declined(played)
        misread = played.end is HandEnd.EVEN_MONEY and not has_blackjack(cards)  # a card was named anew since
        end = None if misread else played.end
        hand = Hand(cards, played.is_split, played.is_doubled, has_declined=declined, end=end)
        due = None if hand.end is not None or self.up is None else due_at_once(hand, self.up, self.rules)
        return replace(hand, end=HandEnd.BLACKJACK_PAID) if due is not None and due.value == "blackjack" else hand

    def is_as_dealt(self, played: PlayedHand) -> bool:
        """It has its first two cards, open or face down, and nothing was decided about it."""
        end = played.end if (hand := self.hand(played)) is None else hand.end
        lying = sum((one.seat, one.hand) == (played.id.seat, played.id.index) for one in self.dealt)
        return end is None and lying == _TWO and not played.is_split and not played.is_doubled

    def _has_declined(self, played: PlayedHand) -> bool:
        """On another hand of the seat a pair came that the player did not separate (mo.16.5)."""
        others = (one for one in self.at(played.id.seat) if one.id != played.id and one.is_split)
        for one in others:
            cards = self.cards(one.id) or ()
            is_played = one.has_stood or one.is_doubled or len(cards) > _TWO
            if is_played and is_pair(cards[:_TWO], self.rules.figures):
                return True
        return False

    @property
    def judged(self) -> tuple[Hand, ...]:
        """The hands whose cards are all known."""
        found = map(self.hand, self.stakes.hands)
        return tuple(hand for hand in found if hand is not None)

    @property
    def waiting(self) -> tuple[Hand, ...]:
        """Every hand as the bank may know it: one with a card that nobody has seen waits for the bank's."""
        return tuple(self.hand(played) or Hand((), end=played.end) for played in self.stakes.hands)

    def is_over(self, played: PlayedHand) -> bool:
        """No card and no decision is left to it before the bank's cards."""
        hand = self.hand(played)
        if played.has_stood or played.kept is not None or (hand or played).end is not None:
            return True
        if hand is None or len(hand.cards) < _TWO:
            return False
        return may_draw(hand, self.rules) is not None and not self._may_split(hand, played.id.seat)

    def _may_split(self, hand: Hand, seat: int) -> bool:
        """A pair of aces that came after a split: no card more, and yet it may be separated."""
        return may_split(hand, len(self.at(seat)), self.rules) is None

    @property
    def turn(self) -> PlayedHand | None:
        """The hand that is played now; None: the bank's turn."""
        return next((one for one in self.stakes.hands if not self.is_over(one)), None)

    @property
    def offered(self) -> HandId | None:
        """Who may take a card without asking for it: the hand whose turn it is, or the bank as long as it must draw."""
        turn = self.turn
        if turn is not None:
            hand = self.hand(turn)
            return turn.id if hand is not None and may_draw(hand, self.rules) is None else None
        bank = self.bank
        if bank is None or may_bank_draw(bank, self.waiting, self.rules, is_insured=self.is_insured) is not None:
            return None
        return HandId(BANK)

    @property
    def is_known(self) -> bool:
        """Every card is that decides a bet; the bank's do where a hand or an insurance waits for them."""
        hands = self.judged
        needs_bank = self.is_insured or any(map(is_live, hands))
        return len(hands) == len(self.stakes.hands) and (self.bank is not None or not needs_bank)

    @property
    def is_decided(self) -> bool:
        """Every hand is over, and the bank's too: whatever the round brings can be told."""
        if self.turn is not None or not self.is_known:
            return False
        bank = self.bank
        return bank is None or may_bank_stand(bank, self.waiting, self.rules, is_insured=self.is_insured) is None

    @property
    def is_insured(self) -> bool:
        return any(one.insurances for one in self.stakes.hands)

    def amounts(self, *, settled: bool) -> Iterator[Brings]:
        """What every stake brings: what is due at once, and where the round is `settled` all of it."""
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
        """Nothing while it is not decided. A stake on any pair stays up for those that come of a split (mo.13.1.2)."""
        if stake.of is not None:
            return self._of_next_pair(stake)
        dealt, is_split = self._first_dealt(stake.seat), len(self.at(stake.seat)) > 1
        if len(dealt) < _TWO:
            return ()
        match stake.kind:
            case SideBet.ANY_PAIR:
                amount = settle_any_pair(dealt[0], dealt[1], stake.stake, self.rules)
                has_won = amount.payment is Payment.ANY_PAIR
                return (amount, *self._later_pairs(stake, dealt[0]))[: stake.pairs] if has_won else (amount,)
            case SideBet.OVER | SideBet.UNDER:
                return (settle_over_under(stake.kind, dealt[0], dealt[1], stake.stake, self.rules),)
            case SideBet.SEVENS:
                is_sure = settled or len(dealt) > _TWO or self.is_over(self.at(stake.seat)[0])
                return (settle_sevens(dealt, stake.stake, self.rules, is_split=is_split),) if is_sure else ()

    def pairs_won(self, stake: SideStake) -> int:
        """How many pairs a stake on any pair has won so far."""
        won = (one for one in self._of_side(stake, settled=False) if one.payment is Payment.ANY_PAIR)
        return sum(1 for _ in won)

    def _first_dealt(self, seat: int) -> tuple[Card, ...]:
        """A place's first cards in the order in which they came, wherever a split has laid them.

        The third one is the first hand's second, or begins the hand that came of it: that one lies beside the first.
        """
        found = {one.id.index: self.cards(one.id) or () for one in self.at(seat)}
        first, second = found.get(1, ()), found.get(_TWO)
        if second is None:
            return first
        of_the_first = list(found)[1:].index(_TWO) > 0
        third = found[_TWO + 1][:1] if of_the_first else first[1:2]
        return (*first[:1], *second[:1], *third)

    def _of_next_pair(self, stake: SideStake) -> tuple[Amount, ...]:
        """A new stake, for the hand's next card: it lies there, or begins the hand that came of the two (mo.13.1.2)."""
        at = self.at(stake.seat)
        behind = at[next(n for n, one in enumerate(at) if one.id.index == stake.of) + 1 :]
        came = next((one for one in behind if one.id.index == stake.hands + 1), None)
        between = () if came is None else behind[: behind.index(came)]
        is_of_it = came is not None and all(one.id.index > stake.hands for one in between)
        mine = self.cards(HandId(stake.seat, stake.of or 1)) or ()
        second = (self.cards(came.id) or ())[:1] if came is not None and is_of_it else mine[1:_TWO]
        pairs = zip(mine[:1], second, strict=False)  # none while a card of them is not known
        return tuple(settle_any_pair(*pair, stake.stake, self.rules, is_split=True) for pair in pairs)

    def _later_pairs(self, stake: SideStake, first: Card) -> Iterator[Amount]:
        """Those that came after the first pair was separated; one that was separated again lies on two hands.

        Where each has a stake of its own, none of them is this stake's.
        """
        if self.rules.figures.any_pair_new_stake:
            return
        for played in self.at(stake.seat):
            cards = self.cards(played.id) or ()
            formed = [(first, cards[0])] if played.id.index > _TWO and cards else []
            if played.is_split and len(cards) >= _TWO:
                formed.append((cards[0], cards[1]))
            for pair in formed:
                if is_rank_pair(*pair):
                    yield settle_any_pair(*pair, stake.stake, self.rules, is_split=True)


def _is_about(said: Decided, one: Brings, rules: HandRules) -> bool:
    """Of what a corrected card has made another amount nobody has decided anything."""
    is_its = (said.hand, said.bettor, said.payment) == (one.hand, one.bettor, one.amount.payment)
    return is_its and may_be_paid(said.paid, one.amount, rules)


def hands_of(places: tuple[BettingPlace, ...], rules: HandRules) -> tuple[PlayedHand, ...]:
    """The hands that begin with these bets, in the order of the seats. What a player has laid there is one bet."""
    return tuple(
        PlayedHand(
            HandId(place.seat),
            tuple(Bet(one.number, place.sum_of(one)) for one in dict.fromkeys(laid.bettor for laid in place.bets)),
            holder.number,
        )
        for place in places
        if (holder := decider(place, rules)) is not None
    )


def changed_hand(stakes: Stakes, changed: PlayedHand, *then: PlayedHand) -> Stakes:
    """The stakes with this hand in its place, and those that come of it behind it."""
    hands = tuple(new for one in stakes.hands for new in ((changed, *then) if one.id == changed.id else (one,)))
    return replace(stakes, hands=hands)


def settled_takings(takings: Takings, brought: tuple[Brings, ...]) -> Takings:
    """The takings with one round more."""
    bank = Fraction(takings.bank.pays, takings.bank.of) - total_of(brought)
    return Takings(Rate(bank.numerator, bank.denominator), brought)


def total_of(amounts: Iterable[Brings], *, bettor: int | None = None, seat: int | None = None) -> Fraction:
    """What these amounts come to, in cents, for everybody, one player or one seat."""
    meant = (one for one in amounts if bettor in {None, one.bettor} and seat in {None, one.hand.seat})
    return sum((one.brought for one in meant), Fraction(0))


def in_units(cents: Fraction) -> str:
    """An amount as people read it: its sign, currency units, two decimals; more where there is a part of a cent."""
    units = abs(cents) / 100
    whole, rest = divmod(units.numerator, units.denominator)
    decimals = f"{Fraction(rest, units.denominator) * 10_000 // 1:04}"
    sign = "-" if cents < 0 else "+" if cents > 0 else ""
    return f"{sign}{whole}.{decimals.removesuffix('00')}"
