"""The data of one page: the table's last status, and the state of the browser that shows the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from controller.catalogue.sentences import Variants
from controller.panel.grid import Grid
from controller.panel.settings import PRACTICE
from controller.protocol.money_status import AmountStatus, SideStakeStatus, StakedHandStatus
from controller.protocol.status import HandStatus, HoldStatus, SecondStatus, SessionStep, Status

Place: TypeAlias = tuple[int, int]
"""A seat, and the number of the player who bets there."""


PLAYED_ON: Final = frozenset(("jackpot-owed", "jackpot-doubted"))
"""The kinds of holds during which other hands and other bets go on."""


def turn_of(values: Mapping[str, str]) -> str:
    """Returns the name of the hand in an act's values, as the status writes it: "5", or "5/2" for the second hand at
    seat 5.
    """
    index = values.get("hand", "1")
    return values.get("seat", "") if index == "1" else f"{values.get('seat')}/{index}"


@dataclass(frozen=True)
class Moment:
    """The table and one browser at one moment: the data from which a page is made.

    `bets`: the seats that the next "no more bets" names. `roles`: the roles of the people signed in at the browser.
    `chosen_hold`: the id of the hold that a person has chosen to see; "" for none. `stakes`: cents by place, at a table
    that follows hands. `kept`: the last round's stakes at seats that no person has touched in the present round.
    `are_bets_kept`: True if `bets` are those of the last round. `seat`: the seat that chips go to. `lay`: the cards of
    the last round that the browser was shown.
    """

    status: Status
    is_live: bool
    bets: tuple[int, ...]
    roles: frozenset[str]
    chosen_hold: str = ""
    faces: tuple[HandStatus, ...] = ()
    """The cards on the table, where a person is signed in here; other browsers see their backs only."""
    stakes: Mapping[Place, int] = field(default_factory=dict)
    kept: Mapping[Place, int] = field(default_factory=dict)
    are_bets_kept: bool = False
    seats_before: tuple[int, ...] = ()
    """The seats of the last round with which this browser's bets began, where a person has touched a seat since."""
    seat: int | None = None
    lay: tuple[HandStatus, ...] = ()
    here: tuple[str, ...] = ()
    """The people signed in at this browser: number and name."""
    supervisors: Mapping[str, str] = field(default_factory=dict)
    """Number and name of the people signed in other than the dealer, by role."""
    is_upheld: bool = False
    """A complaint was upheld at this panel in this round, and no entry is put right yet."""
    words: Mapping[str, str] = field(default_factory=dict)
    """A player's words with a complaint, by the hold's id, where a person is signed in here."""

    @cached_property
    def _next(self) -> dict[str, tuple[str, ...]]:
        return {one.act: tuple(one.who) for one in self.status.next}

    def may(self, act: str) -> bool:
        """True if at least one person may do the act now."""
        return act in self._next

    def who_may(self, act: str) -> tuple[str, ...]:
        return self._next.get(act, ())

    @cached_property
    def _asks(self) -> dict[str, str]:
        return {one.act: one.asks for one in self.status.next}

    def asks(self, act: str) -> str:
        """Returns the credential that the act needs, as the status names it; "does" if the status does not list the
        act.
        """
        return self._asks.get(act, "does")

    def seconds(self, act: str) -> tuple[SecondStatus, ...]:
        """Returns the cases in which the act `act` needs a second person now. Returns () if one person is enough."""
        return tuple(one for found in self.status.next if found.act == act for one in found.second)

    def whose(self, who: Sequence[str]) -> str:
        """Returns the person with a role in `who`: number and name of a person who is signed in at the browser, or the
        number of a person who has just used badge and key. Returns "" if there is no such person. The dealer does not
        count.
        """
        found = next((self.supervisors[role] for role in who if role in self.supervisors), "")
        presented = self.status.presented
        is_named = presented is not None and presented.by == "badge-and-key" and presented.role in who
        return str(presented.person) if presented is not None and is_named and not found else found

    def count(self, place: str) -> int:
        return (self.status.counts or {}).get(place, 0)

    def is_present(self, operation: str) -> bool:
        return any(present.operation == operation for present in self.status.present)

    @cached_property
    def hold(self) -> HoldStatus | None:
        """Returns the hold that the page shows: the hold that a person has chosen, or the first by rank if no person
        has chosen. Returns None if no hold is open.

        Holds for a prize come last: a prize is paid only when nothing stops the play. Cleared holds come just before
        them: a cleared hold may have to wait for a hold that followed from it.
        """
        holds = self.status.holds
        chosen = [hold for hold in holds if hold.id == self.chosen_hold]
        return min(chosen or holds, key=lambda hold: (hold.kind in PLAYED_ON, hold.phase == "cleared"), default=None)

    @property
    def is_stopped(self) -> bool:
        """True if the page shows a hold of a kind that is not in PLAYED_ON."""
        return self.hold is not None and self.hold.kind not in PLAYED_ON

    @property
    def is_disputed(self) -> bool:
        """True if the shown hold is a dispute about the cards that a person decides: a complaint or a ruling."""
        return self.hold is not None and self.hold.kind in {"complaint", "ruling"}

    @property
    def is_practice(self) -> bool:
        """True if the table is simulated and a dealer practises alone at it."""
        return self.status.simulated and self.status.table == PRACTICE

    @property
    def may_bet(self) -> bool:
        return self.may("take-bets") and self.status.round in {"idle", "betting"} and self.status.session == "in-play"

    @property
    def seats_again(self) -> tuple[int, ...]:
        """Returns the seats of the next bets that also had a bet in the last round.

        Returns () until a person has touched a seat.
        """
        return tuple(seat for seat in self.bets if seat in self.seats_before)

    @property
    def may_lay(self) -> bool:
        """True if bets are open and each bet is an act of its own, as at a table that follows hands."""
        return self.may("place-bet") and self.status.round in {"idle", "betting"} and self.status.session == "in-play"

    def may_lay_beside(self, act: str, seat: int) -> bool:
        """True if bets are open, and the act is possible now or once the seat's tapped stake is laid."""
        return self.may_lay and (self.may(act) or seat not in self.status.seats)

    @property
    def turn(self) -> str:
        """Returns the hand whose turn it is, or "bank". Returns "" if no hand is played or the table does not follow
        hands.
        """
        return self.status.money.turn if self.status.money is not None else ""

    @property
    def is_decided_by_people(self) -> bool:
        """True if a person may decide about the hand in turn, or if the bank may ask for a card."""
        money = self.status.money
        of_turn = (turn_of(one.values) == self.turn for one in (money.decisions if money is not None else ()))
        return any(of_turn)

    @property
    def variants(self) -> Variants:
        """Returns the variants of the catalogue's sentences for this table: ("no-cards",) at a roulette table,
        else ().
        """
        return () if self.status.wheel is None else ("no-cards",)

    @property
    def choices(self) -> tuple[str, ...]:
        """Returns the acts of every decision that the table knows, including those that are impossible now."""
        return tuple(self.status.money.choices) if self.status.money is not None else ()

    @property
    def is_hands_turn(self) -> bool:
        """True during a player's hand, even while the player can decide nothing."""
        return self.turn not in {"", "bank"}

    @property
    def has_reader(self) -> bool:
        return "shoe" in self.status.devices

    @property
    def is_to_show(self) -> bool:
        """True if every hand is played and a player's card still lies face down."""
        return self.turn == "bank" and any(card.seat for card in self.status.face_down)

    @property
    def nameless(self) -> tuple[int, int] | None:
        """Returns the seat (0: the bank) and the number there of the first card that was dealt face up and that no
        reader has read. Returns None if every card was read, or if no person may state the card's face now.
        """
        if not self.may("state-card") or self.status.owed is not None:
            return None
        lying: dict[int, list[str | None]] = {}
        for hand in self.faces:
            lying.setdefault(hand.seat, []).extend(hand.cards)
        named = ((seat, cards.index("") + 1) for seat, cards in lying.items() if "" in cards)
        return next(named, None)

    @property
    def is_to_be_put_right(self) -> bool:
        """True if the round's upheld complaint has had no correction, and the round's cards still lie outside."""
        return self.is_upheld and self.status.round in {"settled", "collected"}

    @property
    def is_to_settle(self) -> bool:
        """True if no card is left to deal or turn before the amounts are settled.

        At a table that does not follow hands: True unless the bank's face-down card may be turned now.
        """
        money = self.status.money
        return money.is_decided if money is not None else not self.may("turn-hole-card")

    @property
    def is_sign_to_be_raised(self) -> bool:
        """True if the amount on the jackpot's sign may be raised, and was not raised for the round's chips."""
        jackpot = self.status.jackpot
        return self.may("raise-jackpot") and jackpot is not None and jackpot.raised_cents is None

    @property
    def amounts(self) -> tuple[AmountStatus, ...]:
        """Returns the amounts known so far in the round. Returns () while bets are taken and cards are dealt."""
        is_over = self.status.round in {"idle", "betting", "dealing"}
        return () if is_over or self.status.money is None else tuple(self.status.money.amounts)

    @property
    def are_totals_final(self) -> bool:
        """True once no hand can change any more. The page then shows one total for a soft hand, too."""
        return bool(self.amounts) and (self.status.round != "playing" or self.is_to_settle)

    @property
    def hands_out(self) -> tuple[str, ...]:
        """Returns the hands that are out and whose cards may go to the rack before the amounts are settled; () if none
        may.
        """
        money = self.status.money
        if money is None or self.is_to_settle or not self.may("collect-hand"):
            return ()
        return tuple(one.hand for one in money.hands if one.is_out)

    @property
    def agreed(self) -> int | None:
        """Returns the second person who has agreed, while this message is among the table's two newest."""
        return next((one.agreed for one in reversed(self.status.notices[-2:]) if one.agreed is not None), None)

    def stake(self, seat: int) -> int:
        """Returns the sum of all bets at a seat, in cents."""
        return sum(cents for place, cents in self.stakes.items() if place[0] == seat)

    def kept_stake(self, seat: int) -> int:
        """Returns the sum of the last round's bets at a seat, in cents; 0 if a person has touched the seat in the
        present round.
        """
        return sum(cents for place, cents in self.kept.items() if place[0] == seat)

    @staticmethod
    def hand_name(hand: HandStatus) -> str:
        """Returns the hand's name in the amounts: "5", or "5/2" for the second hand at seat 5."""
        return f"{hand.seat}/{hand.hand}" if hand.hand > 1 else str(hand.seat)

    def gone(self, seat: int) -> tuple[str, ...]:
        """The hands of a seat whose amount is still to be settled, although their cards have left the table."""
        lying = {self.hand_name(hand) for hand in self.hands(seat)}
        found = dict.fromkeys(one.hand for one in self.amounts if one.hand.split("/")[0] == str(seat))
        return tuple(hand for hand in found if hand not in lying)

    @property
    def is_pair_separated(self) -> bool:
        """True if a seat has several hands, after a split."""
        return any(hand.hand > 1 for hand in self.faces or self.status.hands)

    def told(self, hand: str) -> str:
        """Returns the hand's name for people.

        After a split the first hand has its number, too: "5/1" instead of "5".
        """
        if not hand.isdecimal():
            return hand
        seat = int(hand)
        return f"{hand}/1" if len(self.hands(seat)) + len(self.gone(seat)) > 1 else hand

    def staked(self, seat: int, index: int = 1) -> StakedHandStatus | None:
        """Returns the bets on one hand of the present round. Returns None for a hand without a bet."""
        name = self.hand_name(HandStatus(seat, [], index))
        hands = self.status.money.hands if self.status.money is not None else []
        return next((one for one in hands if one.hand == name), None)

    def staked_at(self, seat: int) -> int:
        """Returns the sum of all bets that the table reports for the first hand of a seat, in cents."""
        hand = self.staked(seat)
        return sum(bet.stake_cents for bet in hand.bets) if hand is not None else 0

    @property
    def beside_cents(self) -> int:
        """Returns the sum of all side bets on the table, in cents."""
        return sum(one.stake_cents for one in self.status.money.side) if self.status.money is not None else 0

    def beside(self, seat: int) -> list[SideStakeStatus]:
        """Returns the side bets at a seat, in the order in which they were laid."""
        return [one for one in self.status.money.side if one.seat == seat] if self.status.money is not None else []

    @property
    def has_other_bets(self) -> bool:
        """True if bets are open and the table reports bets at other seats than the page shows."""
        return self.status.round == "betting" and set(self.bets) != set(self.status.seats)

    @property
    def is_all_loaded(self) -> bool:
        status = self.status
        return status.loading.packet_open and not self.count("outside") and len(status.loading.packets) > 1

    @property
    def is_packet_followed(self) -> bool:
        """True if a packet with cards is open and cards for a further packet lie outside."""
        loading = self.status.loading
        return loading.packet_open and bool(loading.packets and loading.packets[-1] and self.count("outside"))

    @property
    def not_entered(self) -> int:
        """Returns the number of cards of the deck check that neither a reader nor a person has counted yet."""
        if self.status.session != SessionStep.CHECKING or self.status.grids_entered:
            return 0
        return max(0, self.count("outside") - sum(self.status.figures.found))

    @property
    def grid(self) -> Grid | None:
        """Returns the counts found so far in the deck check. Returns None before the first card."""
        found, decks = self.status.figures.found, self.status.figures.decks
        return Grid.found(found, decks) if any(found) else None

    @property
    def is_banks_turn(self) -> bool:
        """True if the round is in play, no card is owed, and the bank has two cards or more, of which none may be
        turned now. At a table that follows hands also True during the players' turns.
        """
        bank = self.hand(0)
        is_begun = bank is not None and len(bank.cards) > 1 and not self.may("turn-hole-card")
        return self.status.round == "playing" and self.status.owed is None and is_begun

    @property
    def is_last_face_up(self) -> bool:
        return self.status.figures.provisional and bool(self.status.hands) and not self.status.face_down

    @property
    def phase(self) -> str:
        """Returns session, round, deck set and holds as one text. A message from another phase is out of date."""
        status, holds = self.status, "".join(f" {hold.id} {hold.phase}" for hold in self.status.holds)
        return f"{status.session} {status.round} {status.round_number} {status.figures.deck_set}{holds}"

    @property
    def facts(self) -> dict[str, str]:
        """Returns the facts that a decision is based on: each hold's text by its id, and the wheel's number."""
        result = self.status.wheel.result if self.status.wheel is not None else None
        return {hold.id: hold.text for hold in self.status.holds} | ({} if result is None else {"number": str(result)})

    @property
    def last_card(self) -> str | None:
        """Returns the face of the last card. Returns None without a card, or if the browser sees no faces."""
        seat, _, index = self.status.figures.last_at.partition("/")
        lying = [one for one in self.faces if (str(one.seat), one.hand) == (seat, int(index or 1)) and one.cards]
        return lying[0].cards[-1] if lying else None

    @property
    def are_faces_hidden(self) -> bool:
        """True if cards lie on the table and no person is signed in. The browser then shows only the backs of the
        cards.
        """
        return not self.roles and bool(self.status.hands)

    def hand(self, seat: int) -> HandStatus | None:
        return next(iter(self.hands(seat)), None)

    def hands(self, seat: int) -> tuple[HandStatus, ...]:
        """Returns the hands at a seat, several after a split. While a dispute is shown, a seat without cards has its
        hands of the last round.
        """
        found = tuple(hand for hand in self.faces or self.status.hands if hand.seat == seat)
        return found or (tuple(hand for hand in self.lay if hand.seat == seat) if self.is_disputed else ())
