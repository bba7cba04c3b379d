"""Facts of cards: what shuffler and reader report. Past tense, data only."""

from controller.core.custody.cards import Card
from controller.core.engine.fact import Fact, Source
from controller.core.house.facts import ShufflerStatus
from controller.core.words import Device, JamPlace


class CardsMayHavePassed(Fact, frozen=True):
    """Nobody listened, or telegrams are gone, on a wire that keeps nothing. `missed`: how many, where it is known."""

    device: Device
    cause: str
    missed: int | None


# --- shuffler


class CardCountedOut(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class CardCountedIn(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class ShufflerJammed(Fact, frozen=True):
    source: Source
    status: ShufflerStatus
    place: JamPlace
    cards: int


class JamPathCleared(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class JamReleased(Fact, frozen=True):
    """The device has ended its own jam latch, as it was told."""

    source: Source
    status: ShufflerStatus


class CardRetried(Fact, frozen=True):
    """A motion that the device freed by itself: counted, no jam."""

    source: Source
    status: ShufflerStatus
    place: JamPlace
    tries: int


class LidOpened(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class LidClosed(Fact, frozen=True):
    source: Source
    status: ShufflerStatus


class ShufflerRecounted(Fact, frozen=True):
    """The shuffler counted its own slots for request number `request`."""

    source: Source
    status: ShufflerStatus
    request: int
    inside: int


class ShufflerStarted(Fact, frozen=True):
    source: Source
    status: ShufflerStatus
    cause: str


class ShufflerStatusHeard(Fact, frozen=True):
    """Figures without an event (heartbeat, answer) that differ from the last ones known."""

    status: ShufflerStatus


# --- reader


class CardRead(Fact, frozen=True):
    """A card passed the reader. Face up and owed: `card`. Otherwise only a commitment. Not readable: neither.

    The identity of a card that is face down, not owed or not yet known to be face up never enters the core.
    `passage`: the reader's own number, where it has one. `told`: what the reader itself takes the card for; recorded,
    and at this table never believed.
    """

    source: Source
    passage: int | None
    card: Card | None
    commitment: str | None
    told: str | None = None


class ReaderStatusHeard(Fact, frozen=True):
    """The reader says how many passages it has counted, with no event of its still on the way."""

    passages: int


class ReaderErrorRaised(Fact, frozen=True):
    source: Source
    code: int


class ReaderErrorCleared(Fact, frozen=True):
    source: Source
    code: int


class ReaderNoted(Fact, frozen=True):
    """Something of the reader that is recorded and changes nothing; `told` where it may be known."""

    source: Source
    what: str
    told: str | None


class ReaderRestarted(Fact, frozen=True):
    """A reader without boot numbers says that it begins anew."""

    source: Source


class CardReversed(Fact, frozen=True):
    """A card was moved backwards past the reader."""

    source: Source
    code: int


class PresetChanged(Fact, frozen=True):
    """A setting of the reader was changed at the reader itself."""

    source: Source
    address: str
    value: str
