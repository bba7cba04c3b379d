"""The faults of a simulated device: one typed plan for each device.

`at` of a planned fault is the number of the operation at which it is due. A fault happens once: at the first operation
from number `at` on at which it is possible. If a double feed skips that number, the fault happens at a later operation.
A fault is met once it has changed the device's behaviour. The plan contains no times, so the same plan and sequence of
operations have the same effect at any speed.
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
    """A fault that is due at operation number `at` (1 is the first)."""

    at: int

    def is_at(self, spot: Spot | None) -> bool:
        """True if `spot` is None. A fault of this kind belongs to no spot."""
        return spot is None


class SpotFault(Fault, frozen=True):
    """A fault at one spot. `at` counts the cards through that spot; at the carousel it counts cards in and cards out
    together.
    """

    spot: Spot = Spot.MOUTH

    def is_at(self, spot: Spot | None) -> bool:
        """True if the fault belongs to `spot`."""
        return spot is self.spot


class Jam(SpotFault, frozen=True):
    """A jam of `cards` cards: at the feed before they are counted in, or at the mouth before they are counted out."""

    cards: int = 1


class Retry(SpotFault, frozen=True):
    """A card sticks during a motion, and the device frees it by itself after `tries` tries."""

    tries: int = 1


class DoubleFeed(SpotFault, frozen=True):
    """Two cards pass in one motion, of which the device's counter counts `counted`."""

    counted: int = 2


class Miscount(SpotFault, frozen=True):
    """One card passes, and the device's counter counts `counted` cards instead of 1."""

    counted: int = 0


class LidSprings(Fault, frozen=True):
    """The lid springs open after operation `at`; hands must close it."""


class Reboot(Fault, frozen=True):
    """The device loses power for `off_s` seconds after operation `at`. With `forget_counts` it also loses its stored
    counts.
    """

    off_s: float = 0.5
    forget_counts: bool = False


class Hang(Fault, frozen=True):
    """The device neither moves nor hears nor answers for `for_s` seconds after operation `at`."""

    for_s: float = 3.0


class Misread(Fault, frozen=True):
    """The reader counts card number `at` as it passes, but cannot read its face."""


class WrongRead(Fault, frozen=True):
    """The reader reads a card as `face`; happens at the first card from number `at` on that has another face."""

    face: str = "AS"


class CardShown(Fault, frozen=True):
    """A person moves a foreign card with this `face` past the reader just before card number `at` passes."""

    face: str = "AS"


class UnseenPassage(Fault, frozen=True):
    """The reader does not notice that card number `at` passes."""


class ReaderError(Fault, frozen=True):
    """The reader reports error `code` after card number `at` has passed; a person clears the error."""

    code: int = 1


class ReversedCard(Fault, frozen=True):
    """An Angel Eye reports, before card number `at` passes, that a card was moved backwards at its exit."""


class DrawWhileLocked(Fault, frozen=True):
    """A person locks an Angel Eye with its key before card number `at` passes. The card then passes a locked shoe."""


class PresetTouched(Fault, frozen=True):
    """A person changes a setting of an Angel Eye just before card number `at` passes."""


class Overdraw(Fault, frozen=True):
    """An Angel Eye reports card number `at` as one too many for its own game of baccarat."""


class StuckDisplay(Fault, frozen=True):
    """The picture sticks at the first command from number `at` on that would change it; the read-back reports the old
    picture.
    """


class DisplayFault(Fault, frozen=True):
    """The display reports fault `code` after command number `at`."""

    code: int = 1


class SpinGoesWrong(StrEnum):
    """The ways in which a spin of a wheel can be irregular."""

    NO_BALL = "no-ball"  # no ball is launched until hands put it back
    BALL_STUCK = "ball-stuck"  # the ball falls late
    LAUNCHED_AGAIN = "launched-again"  # the spin ends without a number
    SAME_DIRECTION = "same-direction"
    NOT_LAUNCHED = "not-launched"  # a number comes without a launch
    SENSOR_BROKEN = "sensor-broken"  # the wheel stops
    BALL_WITH_ROTOR = "ball-with-rotor"  # the ball runs in the rotor's direction
    MISREAD = "misread"  # the line gives another number than that of the ball


class BadSpin(Fault, frozen=True):
    """The spin of launch number `at` goes wrong as `what` says. If `what` is impossible in that spin, the spin of a
    later launch goes wrong.
    """

    what: SpinGoesWrong = SpinGoesWrong.NO_BALL


class WheelSilent(Fault, frozen=True):
    """The wheel sends nothing for `for_s` seconds, beginning at most 20 s after launch number `at`;
    its game continues.
    """

    for_s: float = 10.0


class Damage(StrEnum):
    """The ways in which a line of text from a wheel can arrive damaged."""

    NOISE = "noise"  # foreign bytes before it
    FIRST_HALF = "first-half"  # its end is missing
    LAST_HALF = "last-half"
    OVERLAPPED = "overlapped"  # its beginning comes twice
    BIT = "bit"  # one bit is wrong


class DamagedLine(Fault, frozen=True):
    """Line of text number `at` that a wheel sends arrives damaged as `how` says."""

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
    """The faults of a plan that have not happened yet. Gives the device each due fault once, and counts the met faults
    by kind.
    """

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
        """Returns the first planned fault of class `kind` at `spot` that is due at operation number `operation` and for
        which `changes` returns True. Returns None if no fault meets these conditions. A returned fault counts as met,
        is reported to `on_met`, and is never returned again. `spot`: None for a kind of fault that has no spot.
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
    """The base class of devices with planned faults."""

    _faults: FaultBook

    @property
    def faults_met(self) -> Mapping[str, int]:
        """The number of planned faults, by kind, that have changed the device's behaviour."""
        return Counter(self._faults.met)

    def watch_faults(self, on_met: Callable[[int], None]) -> None:
        """Makes the device call `on_met` whenever a planned fault happens, with the fault's index in the plan."""
        self._faults.on_met = on_met
