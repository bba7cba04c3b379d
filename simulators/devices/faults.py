"""The faults of a simulated device: one typed plan for each device, by number of operation.

A fault is due from the operation `at` on and is met once, so that none is lost when a double feed jumps over
its number. It is counted as met only when it has changed what the device did. Times never decide: the same
plan on the same sequence of operations does the same whatever the timing.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar


class Spot(StrEnum):
    """Where on its way through a shuffler a card can stick."""

    FEED = "feed"
    CAROUSEL = "carousel"
    MOUTH = "mouth"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that happens at operation number `at` (1 is the first)."""

    at: int

    def is_at(self, spot: Spot | None) -> bool:
        """True where the fault belongs to this spot; one without a spot belongs to none."""
        return spot is None


@dataclass(frozen=True, slots=True)
class SpotFault(Fault):
    """A fault of one spot; `at` counts cards through that spot (carousel: in and out together)."""

    spot: Spot = Spot.MOUTH

    def is_at(self, spot: Spot | None) -> bool:
        """True where the fault belongs to this spot."""
        return spot is self.spot


@dataclass(frozen=True, slots=True)
class Jam(SpotFault):
    """`cards` cards stick: at the feed not yet counted in, in the carousel inside, at the mouth not out."""

    cards: int = 1


@dataclass(frozen=True, slots=True)
class Retry(SpotFault):
    """A motion sticks and the device frees it itself after `tries`."""

    tries: int = 1


@dataclass(frozen=True, slots=True)
class DoubleFeed(SpotFault):
    """Two cards pass in one motion; the device's counter sees `counted` of them."""

    counted: int = 2


@dataclass(frozen=True, slots=True)
class Miscount(SpotFault):
    """One card passes and the device's counter sees `counted` (0: none)."""

    counted: int = 0


@dataclass(frozen=True, slots=True)
class LidSprings(Fault):
    """The lid comes open after this operation; hands must close it."""


@dataclass(frozen=True, slots=True)
class Reboot(Fault):
    """The device loses power after this operation and is back after `off_s`."""

    off_s: float = 0.5
    forget_counts: bool = False


@dataclass(frozen=True, slots=True)
class Hang(Fault):
    """The device neither moves, hears nor answers for `for_s` after this operation."""

    for_s: float = 3.0


@dataclass(frozen=True, slots=True)
class Misread(Fault):
    """The reader counts passage `at` and cannot read the card."""


@dataclass(frozen=True, slots=True)
class WrongRead(Fault):
    """The reader takes a card (from passage `at` on the first that is no `face`) for a `face`."""

    face: str = "AS"


@dataclass(frozen=True, slots=True)
class CardShown(Fault):
    """Somebody holds a card of his own, a `face`, past the reader right before passage `at`."""

    face: str = "AS"


@dataclass(frozen=True, slots=True)
class UnseenPassage(Fault):
    """The reader does not notice passage `at` at all."""


@dataclass(frozen=True, slots=True)
class ReaderError(Fault):
    """The reader raises error `code` after passage `at`; somebody clears it."""

    code: int = 1


@dataclass(frozen=True, slots=True)
class ReversedCard(Fault):
    """An Angel Eye says before passage `at` that a card was moved backwards at its exit."""


@dataclass(frozen=True, slots=True)
class DrawWhileLocked(Fault):
    """Somebody turns an Angel Eye's key before passage `at`: the card passes it locked."""


@dataclass(frozen=True, slots=True)
class PresetTouched(Fault):
    """Somebody changes a setting of an Angel Eye before passage `at`."""


@dataclass(frozen=True, slots=True)
class Overdraw(Fault):
    """An Angel Eye takes passage `at` for one card too many of its own game."""


@dataclass(frozen=True, slots=True)
class StuckDisplay(Fault):
    """From command `at` on the first one that would change the picture does not; its read-back says so."""


@dataclass(frozen=True, slots=True)
class DisplayFault(Fault):
    """The display reports fault `code` at command `at`."""

    code: int = 1


class SpinGoesWrong(StrEnum):
    """An irregular spin of a wheel."""

    NO_BALL = "no-ball"  # nothing is launched, until hands put the ball back
    BALL_STUCK = "ball-stuck"  # it falls at last
    LAUNCHED_AGAIN = "launched-again"  # no number comes
    SAME_DIRECTION = "same-direction"
    NOT_LAUNCHED = "not-launched"  # a number all the same
    SENSOR_BROKEN = "sensor-broken"  # the wheel stops
    BALL_WITH_ROTOR = "ball-with-rotor"  # and not against it
    MISREAD = "misread"  # the line tells another number than the one where the ball lies


@dataclass(frozen=True, slots=True)
class BadSpin(Fault):
    """Launch `at`, or a later one, goes wrong."""

    what: SpinGoesWrong = SpinGoesWrong.NO_BALL


@dataclass(frozen=True, slots=True)
class WheelSilent(Fault):
    """At launch `at` the line goes dead for `for_s`; the wheel plays on."""

    for_s: float = 10.0


class Damage(StrEnum):
    """A line's damage on its way."""

    NOISE = "noise"  # bytes before it that are none of it
    FIRST_HALF = "first-half"  # without its end
    LAST_HALF = "last-half"
    OVERLAPPED = "overlapped"  # it begins several times
    BIT = "bit"  # one is wrong


@dataclass(frozen=True, slots=True)
class DamagedLine(Fault):
    """Line `at` that a wheel sends does not come as it was sent."""

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


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """Everything that will go wrong in one device."""

    faults: tuple[AnyFault, ...] = ()


NO_FAULTS = FaultPlan()


@dataclass(slots=True)
class FaultBook:
    """A plan being met: hands out each due fault once and counts by kind what it handed out."""

    plan: FaultPlan
    met: Counter[str] = field(default_factory=Counter)
    on_met: Callable[[int], None] = field(default=lambda _index: None)  # told the fault's place in the plan
    _unmet: dict[type[Fault], dict[int, Fault]] = field(init=False)  # of each kind, by their places in the plan

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
        """The first unmet fault of this kind due at this operation that `changes` something; it is met from now on."""
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
    """A device with a book of faults."""

    _faults: FaultBook

    @property
    def faults_met(self) -> Mapping[str, int]:
        """How many planned faults of each kind have changed what the device did."""
        return Counter(self._faults.met)

    def watch_faults(self, on_met: Callable[[int], None]) -> None:
        """`on_met` is told of each planned fault, by its place in the plan, when it changes what the device does."""
        self._faults.on_met = on_met
