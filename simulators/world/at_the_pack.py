"""The dealer's planned mistakes with a pack, shoe or box of cards, and cards fed into a shuffler before the loading.

The dealer miscounts, shuffles or cuts wrongly, forgets the warning card, or fills, gathers or burns wrongly. People
notice an overlooked warning card, and forgotten cards, after a while.
"""

from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.core.words import Purpose, Role, RoundPhase
from simulators.people import hands as h
from simulators.people.choices import SEATS
from simulators.people.doing import Ask, Touch, View
from simulators.people.pack import Left
from simulators.world.card_scene import CardScene
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.missteps import Instead, Later, Misstep

K = FaultKind

NOTHING_IS_LOADED: Final = (
    *("open-session", "confirm-display", "confirm-mixing", "begin-loading", "confirm-deck-check"),
)
"""Acts of the dealer before which the shuffler is empty."""
A_MOMENT_S: Final = 0.2
CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)


class AtThePack(Struct):
    """Turns planned faults into the dealer's mistakes with pack, shoe or box, and into cards fed too early."""

    scene: CardScene

    def misstep_of(self, fault: PlannedFault, view: View, role: Role, doing: Ask | Touch) -> Misstep | None:
        """Returns the dealer's mistaken deed by which `fault` replaces `doing`; None if the fault cannot affect this
        deed.
        """
        if role is not Role.DEALER:
            return None
        if fault.kind is K.CARD_FED_EARLY:
            return self._fed(fault, doing)
        if isinstance(doing, Ask):
            return self._overlooked(fault, view, doing) or _said(fault, view, doing)
        return self._left(fault, doing.hand) or _done(fault, doing.hand)

    def _fed(self, fault: PlannedFault, doing: Ask | Touch) -> Misstep | None:
        """Returns a misstep that feeds `fault.amount` cards before an act that needs an empty shuffler.

        Returns None before any other deed, or if no cards can be fed.
        """
        shuffler, cards = self.scene.equipment.shuffler, self.scene.equipment.room.outside
        if not isinstance(doing, Ask) or doing.act not in NOTHING_IS_LOADED or shuffler is None:
            return None
        can_be_fed = shuffler.can_be_pushed and len(cards) >= fault.amount
        return Instead(Touch(h.FeedTooEarly(fault.amount))) if can_be_fed else None

    def happens(self, fault: PlannedFault) -> None:
        """Applies the effect of the misstep `fault`: an unannounced last round, an overlooked warning card, or
        forgotten cards. People notice the warning card and the forgotten cards `fault.for_s` seconds later. If
        `fault.for_s` is 0, they see the warning card at once, and never notice the forgotten cards.
        """
        pack = self.scene.equipment.room.pack
        if pack is not None:
            pack.is_untold = pack.is_untold or fault.kind is K.LAST_ROUND_UNTOLD
            self.scene.crew.sight_changed()
        if pack is None or fault.for_s == 0.0:
            return
        pack.is_overlooked = pack.is_overlooked or fault.kind is K.WARNING_CARD_OVERLOOKED
        self.scene.clock.after(fault.for_s, partial(self._noticed, fault))

    def _noticed(self, fault: PlannedFault) -> None:
        pack = self.scene.equipment.room.pack
        if pack is None:
            return
        if fault.kind is K.WARNING_CARD_OVERLOOKED:
            pack.is_overlooked = False
        else:
            pack.left = Left()
        self.scene.crew.sight_changed()

    def _overlooked(self, fault: PlannedFault, view: View, doing: Ask) -> Misstep | None:
        match fault.kind, doing.act:
            case K.WARNING_CARD_OVERLOOKED, "report-warning-card":
                return Later(A_MOMENT_S)
            case K.LAST_ROUND_UNTOLD, "announce-last-round" if view.status.round in CARDS_LIE:
                return Later(A_MOMENT_S)
            case _:
                return None

    def _left(self, fault: PlannedFault, hand: h.HandAct) -> Misstep | None:
        match fault.kind, hand:
            case K.FILLED_SHORT, h.FillMachine():
                return Instead(Touch(h.FillMachine(fault.amount)))
            case K.GATHERED_SHORT, h.GatherCards() if len(self.scene.equipment.room.rack) >= fault.amount:
                return Instead(Touch(h.GatherCards(fault.amount)))
            case _:
                return None


def _said(fault: PlannedFault, view: View, doing: Ask) -> Misstep | None:
    match fault.kind, doing.act:
        case K.COUNTED_WRONGLY, "confirm-count":
            return _counted_wrongly(fault, doing)
        case K.SHUFFLE_FORGOTTEN, "shuffle-deck":
            return Instead(replace(doing, values={**doing.values, "passes": str(view.procedure.shuffle_passes - 1)}))
        case K.CUT_OUT_OF_TURN, "confirm-cut" if doing.values["seat"] != "0":
            return _cut_out_of_turn(fault, doing)
        case _:
            return None


def _counted_wrongly(fault: PlannedFault, doing: Ask) -> Misstep:
    counted = doing.values["counted"].split(",")
    at = fault.salt % len(counted)
    counted[at] = str(int(counted[at]) + fault.rng.choice((-2, -1, 1)))
    return Instead(replace(doing, values={"counted": ",".join(counted)}))


def _cut_out_of_turn(fault: PlannedFault, doing: Ask) -> Misstep:
    others = [str(seat) for seat in range(1, SEATS + 1) if str(seat) != doing.values["seat"]]
    return Instead(replace(doing, values={"seat": fault.rng.choice(others)}))


def _done(fault: PlannedFault, hand: h.HandAct) -> Misstep | None:
    match fault.kind, hand:
        case K.SHUFFLE_FORGOTTEN, h.AtPack.MIX_CARDS:
            return Instead(Ask("confirm-mixing"))
        case K.WARNING_CARD_MISPLACED, h.LayWarningCard():
            return Instead(Touch(h.LayWarningCard(fault.rng.randint(3, 100))))
        case K.BURN_DEALT, h.PullCard(purpose=Purpose.BURN):
            return Instead(Touch(replace(hand, purpose=Purpose.SEAT, seat=fault.rng.randint(1, SEATS))))
        case _:
            return None
