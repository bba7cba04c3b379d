"""Faults of people: hands that open the lid or move cards, and missteps. A misstep waits for a suitable deed."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from controller.core.words import Role, SessionPhase
from simulators.devices.cards import OF_THE_SET, RANKS, SUITS, PhysicalCard, Place
from simulators.devices.shuffler import SimulatedShuffler
from simulators.people import hands as h
from simulators.people.doing import Ask, Touch, View
from simulators.world.at_the_pack import AtThePack
from simulators.world.card_scene import CardScene
from simulators.world.dealing_errors import DEALING_ERRORS, ON_CARDS_THAT_LIE, UNASKED, DealingErrors
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import ROWS, Moment, PlannedFault
from simulators.world.missteps import WRONG_WORDS, Instead, Misstep, misstep_of, wrong_word_of
from simulators.world.mistyping import Mistyping

K = FaultKind

FOREIGN_NUMBER: Final = 2001
FOREIGN_BACK: Final = "red"
CARDS_ARE_SHOWN: Final = (SessionPhase.OPENED, SessionPhase.DISPLAYED, SessionPhase.MIXED)
"""Steps in which cards lie open and are counted: missing cards are found, foreign cards are seen."""

CARDS_ARE_WATCHED: Final = (
    SessionPhase.MIXED,
    SessionPhase.LOADING,
    SessionPhase.TAKING_OUT,
    SessionPhase.CLOSING,
    SessionPhase.UNLOADING,
    SessionPhase.CHECKING,
)

LOOKS_EVERY_S: Final = 30.0
LID_TRIES: Final = 40
"""The tries of a thief who waits for an open lid; after them he takes a card from elsewhere."""


@dataclass(slots=True)
class PeopleFaults:
    """Begins the faults of people, and stores the missteps that still wait for a deed."""

    scene: CardScene
    waiting: list[PlannedFault] = field(default_factory=list)
    dealing_errors: DealingErrors = field(init=False)
    pack: AtThePack = field(init=False)
    mistyping: Mistyping = field(init=False)
    # by fault number: the deeds that the fault could have affected
    chances: Counter[int] = field(default_factory=Counter)
    watched: int = 0  # the deeds of the chief supervisor during watched moves of cards

    def __post_init__(self) -> None:
        self.dealing_errors = DealingErrors(self.scene)
        self.pack = AtThePack(self.scene)
        self.mistyping = Mistyping(self.scene)

    def begin(self, fault: PlannedFault) -> None:
        match fault.kind:
            case K.LID_OPENED:
                self._open_lid(fault)
            case K.CARD_SLIPPED_IN:
                self._slip_in(fault)
            case K.CARD_TAKEN_OUT:
                self._take_out(fault)
            case K.DISPUTED | K.SEVERAL_DAMAGED | K.DEALER_RELIEVED:
                ON_CARDS_THAT_LIE[fault.kind](self.scene, fault)
            case _:
                self.waiting.append(fault)

    def maybe_err(self, view: View, role: Role, doing: Ask | Touch) -> Misstep | None:
        """Returns the misstep that the person makes instead of the deed `doing`; None if the person makes no error."""
        if coming := self.dealing_errors.comes(view, doing):
            return coming
        if not self.waiting:
            return None
        self.watched += role is Role.CHIEF_SUPERVISOR and view.status.session in CARDS_ARE_WATCHED
        for fault in self.waiting:
            if ROWS[fault.kind].moment is Moment.WATCHED and self.watched < fault.at:
                continue
            misstep = self._affects(fault, view, role, doing)
            is_other = misstep != Instead(doing) or fault.kind is K.MISTYPED  # an equal deed is no misstep yet
            if misstep is not None and is_other:
                self.waiting.remove(fault)
                if fault.kind not in UNASKED:
                    self.scene.meet(fault)
                return misstep
        return None

    def _affects(self, fault: PlannedFault, view: View, role: Role, doing: Ask | Touch) -> Misstep | None:
        if fault.kind in DEALING_ERRORS:
            return self.dealing_errors.misstep_of(fault, view, role, doing)
        if fault.kind is K.MISTYPED:
            return self.mistyping.misstep_of(fault, view, role, doing)
        if fault.kind in WRONG_WORDS:
            return wrong_word_of(fault, view, doing)
        if ROWS[fault.kind].moment is not Moment.CHANCE:
            return misstep_of(fault, view, role, doing)
        misstep = self.pack.misstep_of(fault, view, role, doing)
        if misstep is None:
            return None
        self.chances[fault.number] += 1
        if self.chances[fault.number] < fault.at:
            return None
        self.pack.happens(fault)
        return misstep

    # ---- lid and cards

    def _open_lid(self, fault: PlannedFault) -> None:
        shuffler = self.scene.equipment.shuffler
        if shuffler is None or shuffler.status.lid_open:
            self.scene.try_again(fault)
            return
        self.scene.crew.touch(h.AtShuffler.OPEN_LID)
        self.scene.meet(fault)

    def _cards_are_watched(self) -> bool:
        """True while cards are unloaded or checked, while the session is closed, and while the screen is dark.

        In these steps no machine can notice an added or a taken card.
        """
        shown = self.scene.host.look()
        return shown is None or shown.session in {SessionPhase.UNLOADING, SessionPhase.CHECKING, SessionPhase.CLOSED}

    def _slip_in(self, fault: PlannedFault) -> None:
        rng, room = fault.rng, self.scene.equipment.room
        number = FOREIGN_NUMBER + len(self.scene.brought_in)
        card = PhysicalCard(number, rng.choice(RANKS) + rng.choice(SUITS), FOREIGN_BACK)
        piles = [pile for pile in (room.outside, room.packet, room.rack) if pile]
        if not piles or self._cards_are_watched():
            self.scene.try_again(fault)
            return
        rng.choice(piles).append(card)
        self.scene.brought_in.append(card)
        self._done(fault)

    def _take_out(self, fault: PlannedFault) -> None:
        rng, room = fault.rng, self.scene.equipment.room
        takers: list[Callable[[], PhysicalCard]] = [pile.pop for pile in (room.outside, room.packet, room.rack) if pile]
        shuffler = self.scene.equipment.shuffler
        if shuffler is not None and shuffler.status.lid_open and shuffler.machine.cards_by_place()[Place.SLOTS]:
            takers = [partial(self._through_the_lid, shuffler)]
        elif shuffler is not None and fault.salt % 2 and self.scene.tries[fault.number] < LID_TRIES:
            takers = []  # missteps that wait for an open lid
        elif room.table:
            takers.append(lambda: room.table.pop().card)
        if not takers or self._cards_are_watched():
            self.scene.try_again(fault)
            return
        self.scene.pocket.append(rng.choice(takers)())
        self._done(fault)

    def _through_the_lid(self, shuffler: SimulatedShuffler) -> PhysicalCard:
        """Takes a card out of the open machine by hand, past every counter, and returns the card."""
        now_s = self.scene.clock.now_s
        card, *others = shuffler.take_all_inside(now_s)
        shuffler.put_inside_by_lid(others, now_s)
        self.scene.crew.on_hand()
        return card

    def _done(self, fault: PlannedFault) -> None:
        self.scene.meet(fault)
        self.scene.crew.sight_changed()
        self.scene.clock.after(LOOKS_EVERY_S, self._look_through_cards)

    def _look_through_cards(self) -> None:
        """If the cards are being shown, removes foreign cards and gives taken cards back. Schedules the next look."""
        room, pocket = self.scene.equipment.room, self.scene.pocket
        shown = self.scene.host.look()
        if shown is not None and shown.session in CARDS_ARE_SHOWN:
            for pile in (room.outside, room.packet, room.rack):
                pocket += [card for card in pile if card.back not in OF_THE_SET]
                pile[:] = [card for card in pile if card.back in OF_THE_SET]
            room.outside += [card for card in pocket if card.back in OF_THE_SET]
            pocket[:] = [card for card in pocket if card.back not in OF_THE_SET]
        self.scene.clock.after(LOOKS_EVERY_S, self._look_through_cards)
