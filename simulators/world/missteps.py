"""The mistakes of people: a person decides on one deed and does another.

A misstep changes the first suitable deed after its planned moment. The person does not notice the misstep and
continues.
"""

from random import Random
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from controller.core.choices import Machine
from controller.core.custody.state import DECK
from controller.core.engine.act import value_names
from controller.core.games.blackjack.table import ACTS
from controller.core.words import Cause, Outcome, Purpose, Role, RoundPhase
from controller.protocol.status import OwedStatus
from simulators.people import hands as h
from simulators.people.dealer import BANK, pull_of
from simulators.people.doing import Ask, Touch, View
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault

K = FaultKind


class Instead(Struct, frozen=True):
    """A misstep: the person does `doing` instead of the intended deed, `times` times. `then`: the deed that follows."""

    doing: Ask | Touch
    times: int = 1
    then: Ask | Touch | None = None


class Later(Struct, frozen=True):
    """A misstep: the person pauses for `wait_s` seconds, then does the deed `then`, even if that has become wrong.
    Without `then` the person decides anew after the pause.
    """

    wait_s: float
    then: Ask | Touch | None = None


class WrongPin(Struct, frozen=True):
    """A misstep: the person does the intended act, but types a wrong PIN the first `times` times."""

    doing: Ask
    times: int


Misstep: TypeAlias = Instead | Later | WrongPin

NEXT_STEP: Final = {
    "sign-in": "open-packet",
    "number-deck-set": "confirm-display",
    "confirm-display": "confirm-mixing",
    "confirm-mixing": "begin-loading",
    "begin-loading": "open-packet",
    "open-packet": "close-packet",
    "close-packet": "complete-loading",
    "complete-loading": "take-bets",
    "take-bets": "draw-card",
    "announce-no-more-bets": "draw-card",
    "draw-card": "confirm-settled",
    "turn-hole-card": "confirm-settled",
    "confirm-settled": "collect-cards",
    "collect-cards": "begin-putting-back",
    "begin-putting-back": "end-putting-back",
    "leave-in-rack": "take-bets",
    "end-putting-back": "take-bets",
    "indicate-closing": "begin-unloading",
    "begin-unloading": "complete-unloading",
    "complete-unloading": "confirm-deck-check",
    "attend-hold": "clear-hold",
    "state-cards-moved": "clear-hold",
    "state-count": "confirm-hold",
    "state-outage": "clear-hold",
    "confirm-outage": "clear-hold",
    "clear-hold": "confirm-hold",
}
"""The act that follows each act: a person who forgets an act asks for the following act."""

NEXT_BY_HAND: Final = {
    "confirm-count": "confirm-mixing",
    "shuffle-deck": "confirm-mixing",
    "confirm-mixing": "confirm-cut",
    "state-players": "confirm-cut",
    "confirm-cut": "fill-shoe",
    "place-warning-card": "fill-shoe",
    "fill-shoe": "take-bets",
    "confirm-card-dealt": "confirm-settled",
    "report-warning-card": "announce-last-round",
    "announce-last-round": "gather-cards",
    "collect-cards": "take-bets",
    "gather-cards": "confirm-mixing",
    "spread-cards": "confirm-mixing",
}
"""The following act at a shoe or a box, if it differs from NEXT_STEP."""


def misstep_of(fault: PlannedFault, view: View, role: Role, doing: Ask | Touch) -> Misstep | None:
    """Returns the misstep that `fault` makes of the deed `doing`; None if the fault cannot affect that deed."""
    match fault.kind:
        case K.PERSON_SLOW:
            return Later(fault.for_s)
        case K.PERSON_AWAY:
            return Later(fault.for_s, doing) if role is Role.CHIEF_SUPERVISOR else None
        case K.WRONG_KEY:
            return _wrong_key(fault, view, role)
        case K.WRONG_HOLD:
            return _wrong_hold(fault.rng, view, doing)
        case K.FORGOTTEN_STEP:
            return _forgotten(fault.rng, view, doing)
        case K.BACK_FORGOTTEN:
            return _without_back(doing)
        case K.PRESSED_TWICE:
            return Instead(doing, times=2) if isinstance(doing, Ask) else None
        case K.WRONG_PIN:
            return WrongPin(doing, fault.amount) if isinstance(doing, Ask) and doing.gives_pin else None
        case _:
            return None


def _without_back(doing: Ask | Touch) -> Misstep | None:
    """Returns a misstep that states the count of one back colour as if it were the count of all cards (br.decks.2).
    Returns None if the act has no count by back colour.
    """
    if not isinstance(doing, Ask) or "back" not in doing.values:
        return None
    return Instead(replace(doing, values={key: value for key, value in doing.values.items() if key != "back"}))


def _wrong_key(fault: PlannedFault, view: View, role: Role) -> Misstep:
    """Returns a misstep with a random act and plausible values: an act of another role, a forbidden act, or any act."""
    rng = fault.rng
    names = [name for name in sorted(ACTS) if name not in {"sign-in", "sign-out"}]
    refused = [name for name in names if not view.status.allows(name, role)]
    of_others = [name for name in refused if any(view.status.allows(name, other) for other in Role)]
    name = rng.choice((of_others or names, refused or names, names)[fault.salt % 3])
    values = {key: _value(key, rng, view) for key in value_names(ACTS[name]) if key != "salt"}
    return Instead(Ask(name, values, role), fault.amount)


def _wrong_hold(rng: Random, view: View, doing: Ask | Touch) -> Misstep | None:
    if not isinstance(doing, Ask) or "hold" not in doing.values:
        return None
    others = [hold.id for hold in view.status.holds if hold.id != doing.values["hold"]]
    other = rng.choice(others) if others else "H" + str(int(doing.values["hold"][1:]) + rng.choice((-1, 1, 7)))
    return Instead(replace(doing, values={**doing.values, "hold": other}))


def _forgotten(rng: Random, view: View, doing: Ask | Touch) -> Misstep | None:
    follows = NEXT_STEP if view.procedure.machine is Machine.SHUFFLER else NEXT_STEP | NEXT_BY_HAND
    after = follows.get(doing.act) if isinstance(doing, Ask) else None
    if after is None or not isinstance(doing, Ask):
        return None
    names = value_names(ACTS[after])
    values = {
        key: doing.values.get(key) or _value(key, rng, view) for key in names if key not in {"salt", "seal_differs"}
    }
    return Instead(Ask(after, values, doing.role))


def _value(key: str, rng: Random, view: View) -> str:
    """Returns a random, plausible text for the value named `key` of an act."""
    match key:
        case "hold":
            return rng.choice([hold.id for hold in view.status.holds] or ["H1"])
        case "duty":
            return rng.choice([duty.id for duty in view.status.duties] or ["D1"])
        case "seats":
            return ",".join(map(str, sorted(rng.sample(range(1, 8), rng.randint(1, 3)))))
        case _:
            return rng.choice(_VALUES[key]) if key in _VALUES else str(rng.randint(0, 7))


_CARDS: Final = ("AS", "10H", "QD", "2C")
_PLACES: Final = ("rack", "table", "inside", "in_hand", "outside", "jammed", "pending")
_VALUES: Final[dict[str, tuple[str, ...]]] = {
    "card": _CARDS,
    "replacement": _CARDS,
    "cards": _CARDS,
    "source": _PLACES,
    "target": _PLACES,
    "operation": ("loading", "hold", "unloading"),
    "cause": tuple(Cause),
    "outcome": tuple(Outcome),
    "upheld": ("yes", "no"),
    "seen": ("yes", "no"),
    "counts": ("AC=1 2C=1",),
    "reference": ("SRIJ 1",),
}


# --- wrong statements about cards which no device counts: table and cards differ until a person sees it
# (people/by_word.py) or all cards are counted

WRONG_WORDS: Final = frozenset((K.CARD_NOT_SAID, K.CARD_SAID_TWICE, K.CARD_MISNAMED, K.COUNT_MISSTATED))


_NAMING: Final = ("turn-card", "turn-hole-card")
_HOLE: Final = {"seat": "0", "position": "2"}


def wrong_word_of(fault: PlannedFault, view: View, doing: Ask | Touch) -> Misstep | None:
    """Returns the wrong statement that `fault`, one of WRONG_WORDS, makes of the deed `doing`; None if the fault cannot
    affect that deed.
    """
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
    """Returns the deed of drawing the next card of the deal (pt.bj.17a) before the dealer has stated the previous card;
    None if no card is next.
    """
    seats = tuple(OwedStatus(Purpose.SEAT, seat) for seat in view.status.seats)
    order = (*seats, OwedStatus(Purpose.BANK, BANK), *seats, OwedStatus(Purpose.HOLE, BANK))
    lying = len(view.sight.table)
    if view.status.round is not RoundPhase.DEALING or not 0 < lying < len(order):
        return None
    return pull_of(view, order[lying])


def _misnamed(fault: PlannedFault, doing: Ask) -> Misstep:
    """Returns a misstep that names a wrong card. In two of three cases the person then corrects the name at once."""
    named = fault.rng.choice([card for card in DECK if card != doing.values["card"]])
    wrong = replace(doing, values={**doing.values, "card": named})
    place = _HOLE if doing.act == "turn-hole-card" else {key: doing.values[key] for key in ("seat", "position")}
    again = Ask("rename-card", place | {"card": doing.values["card"]})
    return Instead(wrong, then=again if fault.salt % 3 else None)


def _miscounted(fault: PlannedFault, doing: Ask) -> Ask:
    """Returns the act `doing` with one of its three counts too high or too low by one."""
    place = ("inside", "table", "rack")[fault.salt % 3]
    counted = int(doing.values[place])
    wrong = counted - 1 if counted and fault.salt % 2 else counted + 1
    return replace(doing, values={**doing.values, place: str(wrong)})
