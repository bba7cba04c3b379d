"""What people say wrongly of cards where no device knows better: not said, said twice, another figure than was counted.

Each befalls the deed that says it. What is said then stands against the cards as they lie, until somebody sees it
(people/by_word.py) or everything is counted.
"""

from dataclasses import replace
from typing import Final

from controller.core.custody.state import DECK
from controller.core.words import Purpose, RoundPhase
from controller.protocol.status import OwedStatus
from simulators.people import hands as h
from simulators.people.dealer import BANK, pull_of
from simulators.people.doing import Ask, Touch, View
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.missteps import Instead, Misstep

K = FaultKind

WRONG_WORDS: Final = frozenset((K.CARD_NOT_SAID, K.CARD_SAID_TWICE, K.CARD_MISNAMED, K.COUNT_MISSTATED))


_NAMING: Final = ("turn-card", "turn-hole-card")
_HOLE: Final = {"seat": "0", "position": "2"}


def befall_word(fault: PlannedFault, view: View, doing: Ask | Touch) -> Misstep | None:
    """What `fault` makes of this deed; None where it cannot befall it."""
    if not isinstance(doing, Ask):
        return None
    match fault.kind:
        case K.CARD_NOT_SAID if doing.act == "confirm-card-dealt":
            following = _next_in_the_deal(view)
            return None if following is None else Instead(Touch(following))
        case K.CARD_SAID_TWICE if doing.act == "confirm-card-dealt" and view.status.round is RoundPhase.DEALING:
            return Instead(doing, times=2)
        case K.CARD_MISNAMED if doing.act in _NAMING and "card" in doing.values:
            return _misnamed(fault, doing)
        case K.COUNT_MISSTATED if doing.act == "state-whole-count":
            return Instead(_miscounted(fault, doing))
        case _:
            return None


def _next_in_the_deal(view: View) -> h.PullCard | None:
    """The card after the one that lies there unsaid, as anybody at the table knows the order (pt.bj.17a)."""
    seats = tuple(OwedStatus(Purpose.SEAT, seat) for seat in view.status.seats)
    order = (*seats, OwedStatus(Purpose.BANK, BANK), *seats, OwedStatus(Purpose.HOLE, BANK))
    lying = len(view.sight.table)
    if view.status.round is not RoundPhase.DEALING or not 0 < lying < len(order):
        return None
    return pull_of(view, order[lying])


def _misnamed(fault: PlannedFault, doing: Ask) -> Misstep:
    """Another card is named; in two cases of three somebody sees it at once, and the card is named anew."""
    named = fault.rng.choice([card for card in DECK if card != doing.values["card"]])
    wrong = replace(doing, values={**doing.values, "card": named})
    place = _HOLE if doing.act == "turn-hole-card" else {key: doing.values[key] for key in ("seat", "position")}
    again = Ask("rename-card", place | {"card": doing.values["card"]})
    return Instead(wrong, then=again if fault.salt % 3 else None)


def _miscounted(fault: PlannedFault, doing: Ask) -> Ask:
    """One figure is wrong by one."""
    place = ("inside", "table", "rack")[fault.salt % 3]
    counted = int(doing.values[place])
    wrong = counted - 1 if counted and fault.salt % 2 else counted + 1
    return replace(doing, values={**doing.values, place: str(wrong)})
