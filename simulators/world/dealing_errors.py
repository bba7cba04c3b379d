"""The dealer's planned errors in dealing cards, which people notice at once, late or never.

An error happens when a card is drawn, or when the dealer asks for a card that no player wanted. People report errors in
people/corrections.py; the core decides how the round continues.
"""

from collections.abc import Callable
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.core.words import Cause, Purpose, Role, RoundPhase, SessionPhase
from simulators.people import hands as h
from simulators.people.choices import SEATS
from simulators.people.dealer import BANK, next_wanted
from simulators.people.dealing_errors import DealingError, DealingErrorKind
from simulators.people.doing import Ask, Touch, View
from simulators.people.out_of_play import hands_left, out_of_play
from simulators.people.room import Room
from simulators.world.card_scene import CardScene
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.installation import DEALER, SECOND_DEALER
from simulators.world.missteps import Instead, Misstep

K = FaultKind

DEALERS: Final = tuple(person.number for person in (DEALER, SECOND_DEALER))
CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
CHIEF_SAYS: Final = 5
"""The chief supervisor reports one error in this many; the dealer reports all other errors."""

AT_ONCE_S: Final = 0.3
NOTICED: Final = (True, True, True, False, False, False, None)
"""An error is noticed at once (True), late (False) or never (None); the fault's `salt` chooses."""

AT_THE_PULL: Final = {
    K.WRONG_SEAT: (Purpose.SEAT,),
    K.HOLE_EXPOSED: (Purpose.HOLE,),
    K.FACE_UP_CARD: (Purpose.SEAT, Purpose.BANK, Purpose.HOLE),
}
UNASKED: Final = {
    K.MISDEALT_SEEN: DealingError(DealingErrorKind.MISDEALT, BANK, BANK, seen=True),
    K.MISDEALT_UNSEEN: DealingError(DealingErrorKind.MISDEALT, BANK, BANK, seen=False),
    K.EXTRA_CARD: DealingError(DealingErrorKind.EXTRA_CARD, BANK, BANK),
}
DEALING_ERRORS: Final = frozenset((*AT_THE_PULL, *UNASKED, K.WRONG_HAND_COLLECTED))


_NEXT_CARD_OR_BANK: Final = ("draw-card", "turn-hole-card", "confirm-settled")
"""The acts with which the dealer turns to another player or to the bank, which may want no card (pt.bj.18d-e)."""


class DealingErrors(Struct):
    """Turns planned faults into the dealer's errors in dealing."""

    scene: CardScene
    # set after the request for an unwanted card
    coming: tuple[PlannedFault, DealingError, tuple[int, int]] | None = None

    def misstep_of(self, fault: PlannedFault, view: View, role: Role, doing: Ask | Touch) -> Misstep | None:
        """Returns the dealer's deed `doing` with the error `fault` in it; None if the fault cannot affect the deed."""
        if role is not Role.DEALER or view.status.round not in CARDS_LIE or view.sight.slip is not None:
            return None
        if fault.kind in UNASKED:
            return self._unasked(fault, view, doing)
        if fault.kind is K.WRONG_HAND_COLLECTED:
            return self._wrong_hand(fault, view, doing)
        pull = _pull(doing)
        if pull is None or pull.purpose not in AT_THE_PULL[fault.kind]:
            return None
        self._will_be_noticed(fault)
        return Instead(Touch(h.PullWrongly(pull, _slip(fault, pull))))

    def comes(self, view: View, doing: Ask | Touch) -> Misstep | None:
        """Returns the deed of drawing the wrong card for which the dealer has asked, with the planned error, in place
        of `doing`. Returns None if the dealer has asked for no wrong card, or draws another card first.
        """
        pull = _pull(doing)
        if self.coming is None or pull is None:
            return None
        (fault, slip, key), self.coming = self.coming, None
        if key != _round(view) or pull.seat != slip.lies or pull.purpose not in {Purpose.SEAT, Purpose.BANK}:
            return None
        self.scene.meet(fault)
        self._will_be_noticed(fault)
        return Instead(Touch(h.PullWrongly(pull, slip)))

    def _unasked(self, fault: PlannedFault, view: View, doing: Ask | Touch) -> Misstep | None:
        """Returns the dealer's act that asks for a card which no player wanted; None if no such act is possible now.
        The error itself follows when the card is drawn.
        """
        is_due = view.status.round is RoundPhase.PLAYING and isinstance(doing, Ask) and view.status.owed is None
        if self.coming is not None or not is_due or not isinstance(doing, Ask):
            return None
        seat = self._who_has_not_asked(fault, view, doing)
        if seat is None:
            return None
        slip = replace(UNASKED[fault.kind], lies=seat, belongs=seat, said_by=_said_by(fault))
        if fault.kind is K.EXTRA_CARD:
            slip = replace(slip, seen=fault.salt % 3 > 0)
        self.coming = fault, slip, _round(view)
        return Instead(Ask("draw-card", {"seat": str(seat)}))

    def _who_has_not_asked(self, fault: PlannedFault, view: View, doing: Ask) -> int | None:
        if fault.kind is K.EXTRA_CARD:
            return BANK if doing.act == "confirm-settled" else None
        others = [seat for seat in hands_left(view) if seat != next_wanted(view)]
        return fault.rng.choice(others) if others and doing.act in _NEXT_CARD_OR_BANK else None

    def _wrong_hand(self, fault: PlannedFault, view: View, doing: Ask | Touch) -> Misstep | None:
        """Returns the dealer's act that collects a hand still in play; None if no such act is possible now. The hand's
        player then objects, so that a ruling is needed.
        """
        hidden = {card.seat for card in view.status.face_down}
        others = [seat for seat in hands_left(view) if seat not in hidden and seat != out_of_play(view)]
        may = view.status.round is RoundPhase.PLAYING and view.status.allows("collect-hand", Role.DEALER)
        if not may or not others or not isinstance(doing, Ask) or view.status.owed is not None:
            return None
        self.scene.clock.after(AT_ONCE_S, self._is_disputed)
        return Instead(Ask("collect-hand", {"seat": str(fault.rng.choice(others))}))

    def _is_disputed(self) -> None:
        self.scene.equipment.room.mislaid.ruling_wanted = Cause.DISPUTE
        self.scene.crew.sight_changed()

    def _will_be_noticed(self, fault: PlannedFault) -> None:
        at_once = NOTICED[fault.salt % len(NOTICED)]
        if at_once is not None:
            self.scene.clock.after(AT_ONCE_S if at_once else fault.for_s, self._notice)

    def _notice(self) -> None:
        mislaid = self.scene.equipment.room.mislaid
        if mislaid.slip is not None and not mislaid.is_noticed:
            mislaid.is_noticed = True
            self.scene.crew.sight_changed()


def _pull(doing: Ask | Touch) -> h.PullCard | None:
    return doing.hand if isinstance(doing, Touch) and isinstance(doing.hand, h.PullCard) else None


def _round(view: View) -> tuple[int, int]:
    return view.status.session_number, view.status.round_number


def _said_by(fault: PlannedFault) -> Role:
    return Role.CHIEF_SUPERVISOR if fault.salt % CHIEF_SAYS == 0 else Role.DEALER


def _slip(fault: PlannedFault, pull: h.PullCard) -> DealingError:
    return replace(_dealt(fault, pull), said_by=_said_by(fault))


def _dealt(fault: PlannedFault, pull: h.PullCard) -> DealingError:
    seat = pull.seat if pull.seat is not None else BANK
    match fault.kind:
        case K.WRONG_SEAT:
            other = fault.rng.choice([one for one in range(1, SEATS + 1) if one != seat])
            return DealingError(DealingErrorKind.WRONG_SEAT, lies=other, belongs=seat, seen=not pull.face_down)
        case K.HOLE_EXPOSED:
            return DealingError(DealingErrorKind.HOLE_EXPOSED, seat, seat)
        case _:
            return DealingError(DealingErrorKind.FACE_UP_CARD, seat, seat)


# --- other deeds of people at the table


def dispute(scene: CardScene, fault: PlannedFault) -> None:
    """Makes a player dispute the cards. The table then needs a ruling. Tries again later if no cards are on the table,
    or if another ruling is needed.
    """
    room = scene.equipment.room
    if not _is_in_round(scene) or room.mislaid.ruling_wanted is not None or not room.table:
        scene.try_again(fault, 1.0)
        return
    room.mislaid.ruling_wanted = Cause.DISPUTE
    scene.meet(fault)
    scene.crew.sight_changed()


def relieve(scene: CardScene, fault: PlannedFault) -> None:
    """Makes the dealer who is not at the table relieve the other dealer. Tries again later if no dealer is at the
    table.
    """
    shown, room = scene.host.look(), scene.equipment.room
    if shown is None or not any(shown.is_at_table(dealer) for dealer in DEALERS):
        scene.try_again(fault)
        return
    room.on_duty = next(dealer for dealer in DEALERS if not shown.is_at_table(dealer))
    scene.meet(fault)
    scene.crew.sight_changed()


def damage_several(scene: CardScene, fault: PlannedFault) -> None:
    """Damages several open cards for which there are spare cards. Tries again later outside a round, and if fewer than
    two open cards have a spare card.
    """
    room = scene.equipment.room
    chosen = that_can_be_replaced(room, fault.rng)[: fault.amount]
    if not _is_in_round(scene) or len(chosen) < 2:
        scene.try_again(fault, 1.0)
        return
    room.damaged += chosen
    scene.meet(fault)
    scene.crew.sight_changed()


def that_can_be_replaced(room: Room, rng: Random) -> list[int]:
    spare = {(card.face, card.back) for card in room.spare}
    by_kind = {(laid.card.face, laid.card.back): laid.card.number for laid in room.table if not laid.face_down}
    numbers = [number for kind, number in by_kind.items() if kind in spare and number not in room.damaged]
    rng.shuffle(numbers)
    return numbers


def _is_in_round(scene: CardScene) -> bool:
    shown = scene.host.look()
    return shown is not None and shown.session is SessionPhase.IN_PLAY and shown.round in CARDS_LIE


ON_CARDS_THAT_LIE: Final[dict[FaultKind, Callable[[CardScene, PlannedFault], None]]] = {
    K.DISPUTED: dispute,
    K.SEVERAL_DAMAGED: damage_several,
    K.DEALER_RELIEVED: relieve,
}
