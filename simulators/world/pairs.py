"""Tests secrecy by pairs of worlds: both have the same seed, and differ only in the face of one face-down card.

The first world is played until the card is turned. It shows which card that is, how long it lies face down, and which
card of another face is in the machine all that time. In the second world these two cards exchange faces. Until the card
is turned, all output of the table, and its times, must be equal in both worlds.

The face must be unknown from the moment the card is laid until a person turns it, or until it is on its way back among
the other cards. A card that was never turned goes to the rack face down, still unknown (DESIGN 3.8).
"""

from enum import StrEnum, unique
from functools import partial
from typing import Final, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from controller.core.choices import BankSecond, Faces, RoundBurn
from controller.core.setup import Procedure
from controller.core.words import Purpose
from controller.games.blackjack import at_blackjack
from simulators.devices.cards import PhysicalCard, Place
from simulators.oracles.secrecy import first_difference
from simulators.people import hands as h
from simulators.people.doing import Ask, Touch
from simulators.world.fault_kinds import FaultKind
from simulators.world.installation import Person
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.world import World, make_world


@unique
class Sort(StrEnum):
    """The sorts of face-down card."""

    BURN = "burn"  # after a loading
    ROUND_BURN = "round-burn"  # in a round (mo.4.2)
    HOLE = "hole"
    PLAYERS = "players"  # cards of the deal (mo.5.2.1)
    ASIDE = "aside"  # a card that came out without being owed


def sorts_of(procedure: Procedure) -> tuple[Sort, ...]:
    """Returns the sorts of face-down card that a table with this procedure deals, with or without faults."""
    dealt = {
        Sort.BURN: True,
        Sort.ROUND_BURN: procedure.burn_each_round is not RoundBurn.NONE,
        Sort.HOLE: procedure.bank_second_card is BankSecond.HOLE,
        Sort.PLAYERS: procedure.player_cards is Faces.DOWN,
    }
    return tuple(sort for sort, is_dealt in dealt.items() if is_dealt)


Found: TypeAlias = tuple[PhysicalCard, tuple[str, ...]]
"""A card, and the seats by which an act may name the card when it is turned."""

_ENDS_OF_PLAY: Final = frozenset(
    ("indicate-closing", "begin-unloading", "confirm-irregular-closing", "gather-cards", "spread-cards")
)
"""Acts after which people remove cards and look at them."""


class FaceDown(Struct):
    """Follows one face-down card of a world until its face may be known. `skip`: the number of cards of its sort that
    it ignores first.
    """

    sort: Sort
    skip: int = 0
    card: PhysicalCard | None = None
    seats: tuple[str, ...] = ()  # the seats before which it lies, and to which it is owed
    turned_s: float | None = None
    seen: set[int] = field(default_factory=set)  # the numbers of the cards that were outside the machine so far

    def watch(self, world: World) -> None:
        """Begins to observe all deeds in this world."""
        world.crew.on_deed = partial(self._deed, world)
        world.crew.on_touched = partial(self._touched, world)

    @property
    def is_turned(self) -> bool:
        return self.turned_s is not None

    def _deed(self, world: World, _person: Person, deed: Ask | Touch) -> None:
        if self.card is None and self.sort is Sort.ASIDE:
            self._take(_aside(world))
        if self.card is not None and not self.is_turned and isinstance(deed, Ask) and self._may_be_told_by(deed):
            self.turned_s = world.clock.now_s

    def _may_be_told_by(self, ask: Ask) -> bool:
        """True if the act turns the card, or if it means that play has ended and cards are removed."""
        match ask.act:
            case "turn-hole-card":
                return self.sort is Sort.HOLE
            case "turn-card":
                return self.sort is Sort.PLAYERS and ask.values.get("seat") in self.seats
            case _:
                return ask.act in _ENDS_OF_PLAY

    def _touched(self, world: World, hand: h.HandAct) -> None:
        if self.is_turned:
            return
        if self.card is None:
            self._take(_laid(world, hand, self.sort))
        elif not _lies_hidden(world, self.card.number):
            self.turned_s = world.clock.now_s
        room = world.equipment.room
        self.seen |= {laid.card.number for laid in room.table}
        self.seen |= {card.number for pile in (room.rack, room.burnt) for card in pile}

    def _take(self, found: Found | None) -> None:
        """Chooses the card in `found` as the one to follow, after it has ignored `skip` cards. Ignores a card that was
        outside the machine before, since its face may be known.
        """
        if found is None or found[0].number in self.seen:
            return
        if self.skip > 0:
            self.skip -= 1
        else:
            self.card, self.seats = found


def _lies_hidden(world: World, number: int) -> bool:
    room = world.equipment.room
    lies_on_table = any(laid.card.number == number and laid.face_down for laid in room.table)
    return lies_on_table or any(card.number == number for pile in (room.rack, room.burnt, room.aside) for card in pile)


def _aside(world: World) -> Found | None:
    """Returns the card that was laid aside last. Returns None until the table's record counts the card as pending."""
    run, aside = world.host.run, world.equipment.room.aside
    is_pending = run is not None and at_blackjack(run.runtime.ledger.latest).custody.book.pending > 0
    return (aside[-1], ()) if aside and is_pending else None


def _laid(world: World, hand: h.HandAct, sort: Sort) -> Found | None:
    """Returns the card of the sort `sort` that the deed `hand` has just laid face down; None if it has laid no such
    card.
    """
    pull = hand.pull if isinstance(hand, h.PullWrongly) else hand
    if not isinstance(pull, h.PullCard):
        return None
    room = world.equipment.room
    match sort:
        case Sort.BURN | Sort.ROUND_BURN:
            is_such = pull.purpose is Purpose.BURN and (pull.round_number > 0) is (sort is Sort.ROUND_BURN)
            pile = room.burnt or room.rack
            return (pile[-1], ()) if is_such and pile else None
        case Sort.HOLE | Sort.PLAYERS:
            wanted = Purpose.HOLE if sort is Sort.HOLE else Purpose.SEAT
            last = room.table[-1] if room.table else None
            is_such = pull.purpose is wanted and last is not None and last.face_down
            return (last.card, (str(last.seat), str(pull.seat))) if last is not None and is_such else None
        case Sort.ASIDE:
            return None


# --- the two worlds

_SKIPPED = {Sort.PLAYERS: 4, Sort.HOLE: 2}
"""Number of cards of a sort in two rounds; `skip` is taken modulo this number."""


def check_secrecy(plan: WorldPlan, turn: int) -> tuple[list[str], tuple[World, ...]]:
    """Plays the world of `plan` twice, the second time with another face of one face-down card. Returns each leak of
    that card's face, and the worlds played.

    `turn` chooses the card: consecutive numbers choose each sort of face-down card in turn, then the next card of each
    sort.
    """
    sorts = _sorts(make_world(plan))
    return check_sort(plan, sorts[turn % len(sorts)], skip=turn // len(sorts))


def _sorts(world: World) -> tuple[Sort, ...]:
    comes_aside = any(fault.kind is FaultKind.DOUBLE_FEED_OUT for fault in world.injector.scene.planned)
    return sorts_of(world.crew.plan.procedure) + ((Sort.ASIDE,) if comes_aside else ())


def check_sort(plan: WorldPlan, sort: Sort, *, skip: int = 0) -> tuple[list[str], tuple[World, ...]]:
    """Plays the world of `plan` twice, the second time with another face of one face-down card of the sort `sort`.
    Returns each leak of that card's face, and the worlds played.

    The first `skip` cards of the sort (modulo _SKIPPED) are ignored.
    """
    pair = played_pair(plan, sort, skip=skip)
    if pair.other is None:
        return [], (pair.one,)
    difference = first_difference(pair.one.outputs.kept, pair.other.outputs.kept, pair.turned_s)
    return [] if difference is None else [f"secrecy of {sort}: {difference}"], (pair.one, pair.other)


class Pair(Struct, frozen=True):
    """Two worlds that differ in one card's face. `other`: None if no suitable card was found. `turned_s`: the time at
    which the card was turned; None if the card was never turned.
    """

    one: World
    other: World | None = None
    turned_s: float | None = None


def played_pair(plan: WorldPlan, sort: Sort, *, skip: int = 0) -> Pair:
    """Plays the world of `plan` until a face-down card of this sort is turned, and stores the table's output. Then
    plays a second world that differs only in the face of that card, and stores its output as well.

    `skip`: the number of cards of the sort to ignore first.
    """
    hidden = FaceDown(sort, skip % _SKIPPED.get(sort, 1))
    one = make_world(replace(plan, keep_outputs=True))
    hidden.watch(one)
    run_to_end(one, lambda: hidden.is_turned)
    if hidden.card is None or (other_card := _unseen(one, hidden, hidden.card)) is None:
        return Pair(one)
    other = make_world(replace(plan, keep_outputs=True, swapped=(hidden.card.number, other_card.number)))
    run_to_end(other, lambda: hidden.turned_s is not None and other.clock.now_s >= hidden.turned_s)
    return Pair(one, other, hidden.turned_s)


def _unseen(world: World, hidden: FaceDown, card: PhysicalCard) -> PhysicalCard | None:
    """Returns a card with another face that has been in the machine since the world began. Returns None if no such card
    exists, or if `card` is a spare card.
    """
    if card.number > world.deck_size:
        return None  # a spare card has no partner for an exchange
    places = world.equipment.room.cards_by_place()
    inside = (one for place in (Place.SLOTS.value, "magazine") for one in places.get(place, ()))
    decks = (one for one in sorted(inside, key=lambda one: one.number) if 0 < one.number <= world.deck_size)
    return next((one for one in decks if one.number not in hidden.seen and one.face != card.face), None)
