"""The physical table: the places of cards outside the devices, and the effects of deeds on cards and devices.

The room keeps its state when a controller dies. Decisions belong to people (dealer.py, chief.py, ...). Random choices
here depend on seed, session, round and card (choices.py), never on time.
"""

from operator import attrgetter
from typing import assert_never

from msgspec import field, structs
from msgspec.structs import replace

from controller.core.choices import PutBack
from controller.core.words import Purpose
from simulators.devices.cards import DEFAULT_BACK, OF_THE_SET, SECOND_BACK, PhysicalCard, faces_by_back, is_like
from simulators.devices.slots import SimulatedSlots
from simulators.people import hands as h
from simulators.people.lying import Lying, take
from simulators.people.mislaid import Laid, Mislaid, behind, lay_together, separate
from simulators.people.pack import Left
from simulators.people.sight import LyingCard, Sight
from simulators.people.stack import CHANCE, Stack

BANK = 0


class Room(Lying):
    """The cards, the machine and the cables of one table. `now_s` is the devices' time in seconds. Cards come from the
    shuffler; at a table without a shuffler, from the machine that hands fill with the pack.
    """

    stack: Stack = CHANCE  # set at a table for practice
    complaint: int | None = None
    swapped_deck: int | None = None  # the number of the deck that was removed whole
    # the numbers of damaged cards on the table, in the order of their discovery
    damaged: list[int] = field(default_factory=list)
    mislaid: Mislaid = field(default_factory=Mislaid)
    technician_here: bool = False
    on_duty: int = 0  # the number of the dealer on duty; 0: any dealer
    gone: list[Laid] = field(default_factory=list)  # cards that went to the rack, in order
    gone_in: tuple[int, int] = (0, 0)  # session and round of the cards in `gone`
    burned: int = 0
    drawn: list[int] = field(default_factory=list)  # the numbers of all cards drawn, in order
    slots: SimulatedSlots | None = None
    # The incidents so far, each with its session and round. A round has at most one incident of each kind.
    happened: set[tuple[str, int, int]] = field(default_factory=set)

    # --- views

    def look(self, *, at_faces: bool = True) -> Sight:
        """Returns what any person at the table sees; the faces of the cards in the piles only with `at_faces`."""
        tray = self.shuffler.machine.tray if self.shuffler is not None else ()
        left = Left() if self.pack is None else self.pack.left
        damaged, in_rack = self._first_damaged(), self._damaged_in_rack()
        piles = faces_by_back([*self.outside, *self.packet, *tray, *self.rack, *self.burnt]) if at_faces else {}
        return structs.replace(
            self.machine_look(),
            outside=max(0, len(self.outside) - left.outside),
            packet=len(self.packet),
            pack=None if self.pack is None else self.pack.look(),
            rack=max(0, len(self.rack) - left.rack),
            burnt=len(self.burnt),
            table=tuple(
                LyingCard(laid.seat, None if laid.face_down else laid.card.face, laid.hand) for laid in self.table
            ),
            aside=len(self.aside),
            withdrawn=len(self.withdrawn),
            unplugged=tuple(device for device, cable in self.cables.items() if not cable.plugged),
            in_slots=() if self.slots is None else self.slots.seats,
            complaint=self.complaint,
            damaged=None if damaged is None else damaged.face,
            damaged_in_rack=None if in_rack is None else in_rack.face,
            new_deck_is_ready=self._new_deck(damaged or in_rack) is not None,
            swapped_deck=self.swapped_deck,
            slip=self.mislaid.seen,
            mistyped=self.mislaid.seen_entry,
            ruling_wanted=self.mislaid.ruling_wanted,
            spare_for=self.mislaid.spare_for,
            spare_is_called=self.mislaid.spare_is_called,
            broken=self.broken,
            technician_here=self.technician_here,
            on_duty=self.on_duty,
            foreign=sum(count for back in piles.keys() - OF_THE_SET for _face, count in piles[back]),
            faces=piles.get(DEFAULT_BACK, ()),
            second_faces=piles.get(SECOND_BACK, ()),
        )

    def _first_damaged(self) -> PhysicalCard | None:
        if not self.damaged:
            return None
        return next((laid.card for laid in self.table if laid.card.number in self.damaged), None)

    def _damaged_in_rack(self) -> PhysicalCard | None:
        return next((card for card in self.rack if card.number in self.damaged), None) if self.damaged else None

    # ---- hands

    def do(self, hand: h.HandAct, now_s: float) -> None:  # noqa: C901 - one case an act
        """Carries out the deed `hand`; an impossible deed has no effect."""
        match hand:
            case h.AtShuffler() | h.FeedTooEarly() | h.EmptyHopper() | h.FreeJam():
                if self.shuffler is not None:
                    self.at_shuffler(self.shuffler, hand, now_s)
            case h.AtPack() | h.LayWarningCard() | h.FillMachine():
                if self.pack is not None:
                    self.pack.do(hand, self.outside)
            case h.AtTable():
                self._at_table(hand)
            case h.AboutDealingError() | h.GiveAside():
                self.mislaid.do(hand, self.table, self.aside)
            case h.GatherCards(left=left):
                self.gather(left)
            case h.LayBehind(of_rack=count):
                self.lay_behind(count)
            case h.HandOverPacket(cards=cards):
                self.packet += take(self.outside, cards)
            case h.PullCard():
                self._pull(hand, now_s)
            case h.PullWrongly():
                self._pull_wrongly(hand, now_s)
            case h.ShowCards(seat=seat):
                self._turn(seat)
            case h.CollectHand():
                self._carry(hand)
            case h.CollectTable():
                self._collect(hand)
            case h.LayBack():
                self._lay_back(hand)
            case h.TidyAside(to_burnt=to_burnt):
                (self.burnt if to_burnt else self.rack).extend(take(self.aside))
            case h.TakeOffTable():
                self._take_off_table(hand)
            case h.Plug(device=device):
                self.cables[device].plug()
            case h.SeparatePair():
                separate(hand, self.table)
            case h.LayTogether():
                lay_together(hand, self.table)
            case h.LayChip() | h.TakeChip():
                self._chip(hand, now_s)
            case _:
                assert_never(hand)
        self.mislaid.look_at(self.table)

    def _at_table(self, hand: h.AtTable) -> None:
        match hand:
            case h.AtTable.TURN_HOLE_CARD:
                self._turn(BANK)
            case h.AtTable.ORDER_DECKS:
                self.outside += [*take(self.packet), *take(self.rack), *take(self.burnt)]
            case h.AtTable.SWAP_DAMAGED:
                self._swap_damaged()
            case h.AtTable.SWAP_DECK:
                self._swap_deck()
            case h.AtTable.HEAR_PLAYER:
                self.complaint = None
            case h.AtTable.CALL_TECHNICIAN_OVER:
                self.technician_here = True
            case h.AtTable.REPAIR_MACHINE:
                self.broken = False
            case h.AtTable.TECHNICIAN_LEAVES:
                self.technician_here = False
            case h.AtTable.BRING_SPARE:
                self.mislaid.spare_for, self.mislaid.spare_is_called = None, False
            case _:
                assert_never(hand)

    def _chip(self, hand: h.LayChip | h.TakeChip, now_s: float) -> None:
        if self.slots is not None:
            (self.slots.lay_chip if isinstance(hand, h.LayChip) else self.slots.take_chip)(hand.seat, now_s)

    def _turn(self, seat: int) -> None:
        self.table = [replace(laid, face_down=laid.face_down and laid.seat != seat) for laid in self.table]

    def _pull_wrongly(self, hand: h.PullWrongly, now_s: float) -> None:
        before = len(self.table)
        self._pull(hand.pull, now_s)
        if len(self.table) > before:
            self.mislaid.lay(hand.slip, self.table)

    def _pull(self, hand: h.PullCard, now_s: float) -> None:
        """Draws a card and lays it in its place; a second card that comes with it is laid aside."""
        self._begin_round(hand)
        cards = self.drawn_cards(now_s, self.stack.ranks(hand, self.table, self.choices))
        self.drawn += [card.number for card in cards]
        for card in cards[1:]:
            self.aside.append(card)
        if not cards:
            return
        if hand.purpose is Purpose.BURN or hand.seat is None:
            (self.burnt if self.keeps_burnt_apart else self.rack).append(cards[0])
            self.burned += 1
            return
        self.table.append(Laid(cards[0], hand.seat, hand.face_down, hand.hand, behind((*self.gone, *self.table))))
        if self._may_be_damaged(cards[0], hand) and self._once("damaged", hand):
            self.damaged.append(cards[0].number)

    def _may_be_damaged(self, card: PhysicalCard, hand: h.PullCard) -> bool:
        """True if this drawn card is the one that is damaged in this round, by the choices of the seed.

        A damaged card is never face down, and there is a spare card like it.
        """
        is_chosen = len(self.table) == self.choices.damaged_card(hand.session, hand.round_number)
        return is_chosen and not hand.face_down and any(is_like(spare, card) for spare in self.spare)

    def _carry(self, hand: h.CollectHand) -> None:
        self._begin_round(hand)
        there = [laid for laid in self.table if laid.seat == hand.seat and hand.hand in {0, laid.hand}]
        gone = there[: hand.cards]
        self.table = [laid for laid in self.table if laid not in gone]
        self.rack += [laid.card for laid in gone]
        self.gone += gone

    def _begin_round(self, hand: h.CollectHand | h.CollectTable | h.PullCard) -> None:
        if self.gone_in != (hand.session, hand.round_number):
            self.gone_in, self.gone = (hand.session, hand.round_number), []

    def _collect(self, hand: h.CollectTable) -> None:
        self._begin_round(hand)
        self.rack += [laid.card for laid in self.table]
        self.gone += self.table
        self.table.clear()
        if self.procedure.put_back is PutBack.AFTER_EACH_ROUND:
            self.rack += take(self.burnt)
        seat = self.choices.complaint(hand.session, hand.round_number)
        if seat is not None and self._once("complaint", hand):
            self.complaint = seat

    def _lay_back(self, hand: h.LayBack) -> None:
        """Lays the last `hand.burnt` cards of the rack back to the burnt cards, and the cards before these back on the
        table.
        """
        self.burnt += self.rack[len(self.rack) - hand.burnt :]
        del self.rack[len(self.rack) - hand.burnt :]
        back = self.gone[max(0, len(self.gone) - hand.cards) :]
        self.rack = [card for card in self.rack if all(card is not laid.card for laid in back)]
        self.gone = self.gone[: len(self.gone) - len(back)]
        self.table = sorted([*self.table, *back], key=attrgetter("order"))

    def _once(self, what: str, hand: h.PullCard | h.CollectTable) -> bool:
        key = (what, hand.session, hand.round_number)
        first = key not in self.happened
        self.happened.add(key)
        return first

    def _take_off_table(self, hand: h.TakeOffTable) -> None:
        at = max(0, len(self.table) - hand.cards)
        pile = self.burnt if hand.to_burnt else self.rack
        pile += [laid.card for laid in self.table[at:]]
        del self.table[at:]

    def _new_deck(self, damaged: PhysicalCard | None) -> tuple[int, dict[int, PhysicalCard]] | None:
        """Returns the number of the damaged card's deck, and by number a new card for each of the deck's cards.

        Returns None without a damaged card, if the spare cards make no whole deck, or if the damaged card is a spare
        card itself.
        """
        if damaged is None or damaged.number > self.choices.cards:
            return None
        deck = (damaged.number - 1) // 52 + 1
        new = {(card.face, card.back): card for card in self.spare}
        old = [card for card in self.whole_set() if (card.number - 1) // 52 + 1 == deck]
        found = {card.number: new[card.face, card.back] for card in old if (card.face, card.back) in new}
        return (deck, found) if len(found) == 52 else None

    def _swap_deck(self) -> None:
        ready = self._new_deck(self._first_damaged() or self._damaged_in_rack())
        if ready is None:
            return
        self.swapped_deck, new = ready
        self.withdrawn += self.exchange(new)
        self.spare = [card for card in self.spare if card not in new.values()]
        self.damaged = [number for number in self.damaged if number not in new]

    def _swap_damaged(self) -> None:
        damaged, self.swapped_deck = self._first_damaged(), None
        if damaged is None:
            return
        for at, laid in enumerate(self.table):
            spare = next((card for card in self.spare if is_like(card, laid.card)), None)
            if laid.card is damaged and spare is not None:
                self.table[at] = replace(laid, card=spare)
                self.spare.remove(spare)
                self.withdrawn.append(laid.card)
        self.damaged = [number for number in self.damaged if number != damaged.number]
