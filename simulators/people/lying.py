"""The physical cards of a table by place, and the deeds at its machine: a shuffler, or a machine filled by
hand.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from controller.core.choices import BurnPlace
from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.devices.cards import PhysicalCard
from simulators.devices.shuffler import SimulatedShuffler
from simulators.kit import procedure_of
from simulators.people import hands as h
from simulators.people.choices import Choices
from simulators.people.mislaid import Laid
from simulators.people.pack import Left, Pack
from simulators.people.sight import Sight


class Cable(Protocol):
    """The cable of a device."""

    @property
    def plugged(self) -> bool:
        """True while the cable is plugged in."""

    def plug(self) -> None:
        """Plugs the cable in."""

    def unplug(self) -> None:
        """Pulls the cable."""


class Lying(Struct):
    """All cards of one table by place: in the piles, on the table and in the machine. `now_s`, a parameter of deeds, is
    the devices' time in seconds.
    """

    shuffler: SimulatedShuffler | None
    cables: Mapping[Device, Cable]
    choices: Choices
    outside: list[PhysicalCard]
    spare: list[PhysicalCard]
    pack: Pack | None = None  # where hands fill the machine
    procedure: Procedure = field(default_factory=lambda: procedure_of("pt-csm"))
    packet: list[PhysicalCard] = field(default_factory=list)
    rack: list[PhysicalCard] = field(default_factory=list)
    burnt: list[PhysicalCard] = field(default_factory=list)  # burnt cards, where the profile keeps them apart
    table: list[Laid] = field(default_factory=list)
    aside: list[PhysicalCard] = field(default_factory=list)
    withdrawn: list[PhysicalCard] = field(default_factory=list)
    jams_freed: int = 0
    broken: bool = False

    def cards_by_place(self) -> dict[str, tuple[PhysicalCard, ...]]:
        """Returns every card of the table and its machine, by place. Only the check of physical cards may use the
        result.
        """
        burnt = {"burnt": tuple(self.burnt)} if self.keeps_burnt_apart else {}
        elsewhere = {
            "outside": tuple(self.outside),
            "packet": tuple(self.packet),
            "rack": tuple(self.rack),
            "table": tuple(laid.card for laid in self.table),
            "aside": tuple(self.aside),
            "withdrawn": tuple(self.withdrawn),
            "spare": tuple(self.spare),
        }
        return self._cards_in_machine() | burnt | elsewhere

    def whole_set(self) -> list[PhysicalCard]:
        """Returns every card of the table, except withdrawn and spare cards and the cards in a shuffler."""
        piles = (self.outside, self.packet, self.rack, self.burnt, self.aside)
        lying = [card for pile in piles for card in pile] + [laid.card for laid in self.table]
        return lying if self.pack is None else [*lying, *self.pack.cards()]

    def exchange(self, new: Mapping[int, PhysicalCard]) -> list[PhysicalCard]:
        """Replaces each card whose number is in `new` by the card in `new`, and returns the old cards. Skips the cards
        in a shuffler.
        """
        old = [card for card in self.whole_set() if card.number in new]
        for pile in (self.outside, self.packet, self.rack, self.burnt, self.aside):
            pile[:] = [new.get(card.number, card) for card in pile]
        self.table = [replace(laid, card=new.get(laid.card.number, laid.card)) for laid in self.table]
        if self.pack is not None:
            self.pack.exchange(new)
        return old

    @property
    def keeps_burnt_apart(self) -> bool:
        """True if burnt cards have a place of their own."""
        return self.procedure.burn_place is BurnPlace.BURNT

    def machine_look(self) -> Sight:
        """Returns what any person sees of the machine. A shuffler shows its display, lamp and piles; a shoe or box
        shows only if a card can be drawn.
        """
        if self.shuffler is not None:
            return _look_at(self.shuffler)
        can_be_drawn = self.pack is not None and self.pack.machine.is_free and bool(self.pack.machine.cards())
        return Sight(mouth_open=can_be_drawn)

    def _cards_in_machine(self) -> dict[str, tuple[PhysicalCard, ...]]:
        if self.shuffler is not None:
            return {place.value: cards for place, cards in self.shuffler.machine.cards_by_place().items()}
        return {} if self.pack is None else {"magazine": self.pack.cards()}

    def at_shuffler(self, shuffler: SimulatedShuffler, hand: h.ToShuffler, now_s: float) -> None:
        """Carries out the deed `hand` at the shuffler."""
        match hand:
            case h.AtShuffler.FEED_PACKET:
                shuffler.put_cards_in_hopper(take(self.packet), now_s)
            case h.AtShuffler.FEED_RACK:
                shuffler.put_cards_in_hopper(take(self.rack), now_s)
            case h.EmptyHopper(to=to):
                self._put(shuffler, shuffler.take_from_hopper(now_s), to, now_s)
            case h.AtShuffler.OPEN_LID:
                shuffler.open_lid(now_s)
            case h.AtShuffler.CLOSE_LID:
                shuffler.close_lid(now_s)
            case h.FreeJam(to=to):
                self._free_jam(shuffler, to, now_s)
            case h.FeedTooEarly(cards=cards):
                self.outside += shuffler.push_in(take(self.outside, cards), now_s)
            case h.AtShuffler.TAKE_OUT_INSIDE:
                self.outside += shuffler.take_all_inside(now_s)
            case h.AtShuffler.EMPTY_TRAY:
                self.outside += shuffler.take_from_tray(now_s)
            case _:
                assert_never(hand)

    def drawn_cards(self, now_s: float, ranks: frozenset[str] = frozenset()) -> list[PhysicalCard]:
        """Draws from the machine, and returns the cards: usually one, no card from a locked machine, two in a double
        feed.

        `ranks`: if not empty, the machine delivers a card of one of these ranks.
        """
        if self.shuffler is not None:
            self.shuffler.machine.next_ranks = ranks
            return list(self.shuffler.pull_cards(now_s))
        if self.pack is not None and ranks:
            self.pack.machine.bring_forward(ranks)
        card = None if self.pack is None else self.pack.draw(now_s)
        return [] if card is None else [card]

    def gather(self, left: int) -> None:
        """Moves all cards at the table, and in a machine filled by hand, to the cards outside; `left` cards stay in the
        rack.
        """
        inside = [] if self.pack is None else self.pack.take_all()
        laid = [laid.card for laid in self.table]
        self.table.clear()
        rack = take(self.rack, max(0, len(self.rack) - left))
        self.outside += [*laid, *rack, *take(self.burnt), *take(self.aside), *inside]
        if self.pack is not None:
            self.pack.left = Left(rack=len(self.rack))

    def lay_behind(self, of_rack: int) -> None:
        """Puts the cards outside, and `of_rack` cards of the rack, behind the cards in a machine filled by hand."""
        if self.pack is not None:
            self.pack.machine.put_cards([*take(self.outside), *take(self.rack, of_rack)])

    def _free_jam(self, shuffler: SimulatedShuffler, to: h.FreedTo, now_s: float) -> None:
        freed = shuffler.take_jammed(now_s)
        if freed:
            self.jams_freed += 1
            self.broken = self.broken or self.choices.breaks_machine(self.jams_freed)
        self._put(shuffler, freed, to, now_s)

    def _put(self, shuffler: SimulatedShuffler, cards: Sequence[PhysicalCard], to: h.FreedTo, now_s: float) -> None:
        match to:
            case h.FreedTo.INSIDE:
                self.rack += shuffler.put_inside_by_lid(cards, now_s)
            case h.FreedTo.RACK:
                self.rack += cards
            case h.FreedTo.PACKET:
                self.packet += cards
            case h.FreedTo.OUTSIDE:
                self.outside += cards
            case _:
                assert_never(to)


def _look_at(shuffler: SimulatedShuffler) -> Sight:
    """Returns what people see of a shuffler: its lamp, its display, its piles, and the card in its mouth."""
    status, machine = shuffler.status, shuffler.machine
    return Sight(
        hopper=len(machine.hopper),
        tray=len(machine.tray),
        jammed=len(machine.jammed),
        stuck_at=machine.stuck.spot if machine.stuck else None,
        mouth_open=status.mouth_open,
        lid_open=status.lid_open,
        lamp_lit=status.lamp_lit,
        jam_shown=status.jammed,
        shown_inside=None if status.counts_unknown else status.inside,
        seen_inside=machine.inside if status.lid_open else 0,
    )


def take(pile: list[PhysicalCard], count: int | None = None) -> list[PhysicalCard]:
    """Removes the first `count` cards from a pile (None for all cards), and returns them."""
    taken = pile[:count]
    del pile[: len(taken)]
    return taken
