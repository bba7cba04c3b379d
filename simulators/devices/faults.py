"""The faults of a simulated device: one typed plan for each device, by number of operation.

A fault is due from operation `at` on and happens once, so that none is lost when a double feed jumps over
its number. It is counted as met only when it has changed the device's behaviour. Times never decide: the same
plan with the same sequence of operations has the same effect at any timing.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from msgspec import Struct


class Spot(StrEnum):
    """A place on a card's way through a shuffler where the card can stick."""

    FEED = "feed"
    CAROUSEL = "carousel"
    MOUTH = "mouth"


class Fault(Struct, frozen=True):
    """A fault at operation number `at` (1 is the first)."""

    at: int

    def is_at(self, spot: Spot | None) -> bool:
        """True where `spot` is None, since this kind of fault belongs to no spot."""
        return spot is None


class SpotFault(Fault, frozen=True):
    """A fault at one spot; `at` counts cards through that spot (carousel: in and out together)."""

    spot: Spot = Spot.MOUTH

    def is_at(self, spot: Spot | None) -> bool:
        """True where the fault belongs to this spot."""
        return spot is self.spot


class Jam(SpotFault, frozen=True):
    """A jam of `cards` cards: at the feed before they are counted in, at the mouth before they are counted out."""

    cards: int = 1


class Retry(SpotFault, frozen=True):
    """A motion sticks, and the device frees the card by itself after `tries` tries."""

    tries: int = 1


class DoubleFeed(SpotFault, frozen=True):
    """Two cards pass in one motion; the device's counter sees `counted` of them."""

    counted: int = 2


class Miscount(SpotFault, frozen=True):
    """One card passes and the device's counter sees `counted` (0: none)."""

    counted: int = 0


class LidSprings(Fault, frozen=True):
    """The lid springs open after operation `at`; hands must close it."""


class Reboot(Fault, frozen=True):
    """The device loses power after operation `at` and is back after `off_s`."""

    off_s: float = 0.5
    forget_counts: bool = False


class Hang(Fault, frozen=True):
    """The device neither moves, hears nor answers for `for_s` after operation `at`."""

    for_s: float = 3.0


class Misread(Fault, frozen=True):
    """The reader counts passage `at` and cannot read the card."""


class WrongRead(Fault, frozen=True):
    """The reader reads a card as `face`: the first card from passage `at` on that has another face."""

    face: str = "AS"


class CardShown(Fault, frozen=True):
    """A person holds a card of his own, with this `face`, past the reader right before passage `at`."""

    face: str = "AS"


class UnseenPassage(Fault, frozen=True):
    """The reader does not notice passage `at` at all."""


class ReaderError(Fault, frozen=True):
    """The reader raises error `code` after passage `at`; a person clears it."""

    code: int = 1


class ReversedCard(Fault, frozen=True):
    """An Angel Eye reports before passage `at` that a card was moved backwards at its exit."""


class DrawWhileLocked(Fault, frozen=True):
    """A person turns an Angel Eye's key before passage `at`: the card passes a locked shoe."""


class PresetTouched(Fault, frozen=True):
    """A person changes a setting of an Angel Eye before passage `at`."""


class Overdraw(Fault, frozen=True):
    """An Angel Eye reports passage `at` as one card too many for its own game."""


class StuckDisplay(Fault, frozen=True):
    """The first command from `at` on that would change the picture does not change it, as the read-back shows."""


class DisplayFault(Fault, frozen=True):
    """The display reports fault `code` at command `at`."""

    code: int = 1


class SpinGoesWrong(StrEnum):
    """An irregular spin of a wheel."""

    NO_BALL = "no-ball"  # no ball is launched until hands put it back
    BALL_STUCK = "ball-stuck"  # the ball falls late
    LAUNCHED_AGAIN = "launched-again"  # the spin ends without a number
    SAME_DIRECTION = "same-direction"
    NOT_LAUNCHED = "not-launched"  # a number comes without a launch
    SENSOR_BROKEN = "sensor-broken"  # the wheel stops
    BALL_WITH_ROTOR = "ball-with-rotor"  # the ball runs in the rotor's direction
    MISREAD = "misread"  # the line gives another number than that of the ball


class BadSpin(Fault, frozen=True):
    """The ball's launch number `at`, or a later launch, goes wrong in the way that `what` names."""

    what: SpinGoesWrong = SpinGoesWrong.NO_BALL


class WheelSilent(Fault, frozen=True):
    """The wheel sends nothing for `for_s`, from at most 20 s after launch `at` on, and plays on meanwhile."""

    for_s: float = 10.0


class Damage(StrEnum):
    """The ways in which a line of text from a wheel can arrive damaged."""

    NOISE = "noise"  # foreign bytes before it
    FIRST_HALF = "first-half"  # its end is missing
    LAST_HALF = "last-half"
    OVERLAPPED = "overlapped"  # its beginning comes twice
    BIT = "bit"  # one bit is wrong


class DamagedLine(Fault, frozen=True):
    """Line of text number `at` from a wheel arrives damaged."""

    how: Damage = Damage.NOISE


AnyFault = (
    Jam
    | Retry
    | DoubleFeed
    | Miscount
    | LidSprings
    | Reboot
    | Hang
    | Misread
    | WrongRead
    | CardShown
    | UnseenPassage
    | ReaderError
    | ReversedCard
    | DrawWhileLocked
    | PresetTouched
    | Overdraw
    | StuckDisplay
    | DisplayFault
    | BadSpin
    | WheelSilent
    | DamagedLine
)
F = TypeVar("F", bound=Fault)


class FaultPlan(Struct, frozen=True):
    """All planned faults of one device."""

    faults: tuple[AnyFault, ...] = ()


NO_FAULTS = FaultPlan()


@dataclass(slots=True)
class FaultBook:
    """The state of a fault plan: gives each due fault to the device once, and counts the faults met, by kind."""

    plan: FaultPlan
    met: Counter[str] = field(default_factory=Counter)
    on_met: Callable[[int], None] = field(default=lambda _index: None)  # called with the fault's place in the plan
    _unmet: dict[type[Fault], dict[int, Fault]] = field(init=False)  # by kind, then by place in the plan

    def __post_init__(self) -> None:
        self._unmet = {}
        for index, fault in enumerate(self.plan.faults):
            self._unmet.setdefault(type(fault), {})[index] = fault

    def take(
        self,
        kind: type[F],
        operation: int,
        spot: Spot | None = None,
        changes: Callable[[F], bool] = lambda _fault: True,
    ) -> F | None:
        """The first unmet fault of this kind at `spot` that is due and for which `changes` is true; else None.

        Counts that fault as met and calls `on_met`. `spot`: None for a kind of fault without a spot.
        """
        if not (unmet := self._unmet.get(kind)):
            return None
        for index, fault in unmet.items():
            if isinstance(fault, kind) and fault.at <= operation and fault.is_at(spot) and changes(fault):
                del unmet[index]
                self.met[kind.__name__] += 1
                self.on_met(index)
                return fault
        return None


class Faulty:
    """A device with planned faults."""

    _faults: FaultBook

    @property
    def faults_met(self) -> Mapping[str, int]:
        """The number of planned faults of each kind that have changed the device's behaviour."""
        return Counter(self._faults.met)

    def watch_faults(self, on_met: Callable[[int], None]) -> None:
        """Makes each planned fault call `on_met` with its place in the plan, at the moment when it happens."""
        self._faults.on_met = on_met
