"""The devices as the entries show them: who answers, the shuffler's own figures, which of them can be compared now."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from simulators.oracles.export_reader import Entry, is_whole

SPAN: Final = 1 << 32
"""Cumulative counts are 32 bits wide and wrap."""

JAMS: Final = 1 << 16
"""The number of a jam is 16 bits wide."""

PLAUSIBLE_STEP: Final = 1000
"""More cards than this between two events is not a movement but another counter."""


class Status(NamedTuple):
    """The shuffler's own figures; `inside` None: it does not know."""

    cards_in: int
    cards_out: int
    inside: int | None
    jams: int
    recounts: int
    counts_known: bool
    jammed: bool
    path_blocked: bool
    lid_open: bool
    hopper_loaded: bool


def status_in(part: Mapping[str, object]) -> Status | None:
    """The figures in an entry's `status` (or `shuffler`); None where there are none."""
    if not part:
        return None
    inside = part.get("inside")
    return Status(
        cards_in=_whole(part, "cards_in"),
        cards_out=_whole(part, "cards_out"),
        inside=inside if is_whole(inside) else None,
        jams=_whole(part, "jams"),
        recounts=_whole(part, "recounts"),
        counts_known=part.get("counts_known") is True,
        jammed=part.get("jammed") is True,
        path_blocked=part.get("path_blocked") is True,
        lid_open=part.get("lid_open") is True,
        hopper_loaded=part.get("hopper_loaded") is True,
    )


def _whole(part: Mapping[str, object], name: str) -> int:
    value = part.get(name)
    return value if is_whole(value) else 0


def step(before: int, now: int) -> int | None:
    """Cards between two readings of a counter; None where that is no plausible movement."""
    cards = (now - before) % SPAN
    return cards if cards <= PLAUSIBLE_STEP else None


def _later(one: int, other: int) -> int:
    """The later of two readings of a counter that wraps."""
    return other if (other - one) % SPAN < SPAN // 2 else one


def _any_lower(before: tuple[int, int, int, int], now: Status) -> bool:
    """Numbers of a device count up for its whole life (PROTOCOL.md, section 9)."""
    after = now.cards_in, now.cards_out, now.jams, now.recounts
    spans = SPAN, SPAN, JAMS, JAMS
    return any(0 < (b - a) % span < span // 2 for b, a, span in zip(before, after, spans, strict=True))


@dataclass(slots=True)
class Link:
    """Who answers at a device's port."""

    connected: bool = False
    serial: str = ""
    boot: int = 0
    version: str = ""  # model and firmware
    awaited: int = 0  # the number of the last event that should have come by now
    keeps_events: bool = True  # False: its numbers leave room between them, and what nobody heard is gone


@dataclass(slots=True)
class Shuffler:
    """What the entries tell of the shuffler. `followed_*`: the counts up to which the book has moved its cards."""

    status: Status | None = None
    followed_in: int = 0
    followed_out: int = 0
    followed_jams: int = 0
    followed_recounts: int = 0
    newest: tuple[int, int] = (0, 0)  # cards in and out, as the newest figures say: an event may come late
    jams_seen: int = 0
    hands_inside: bool = False  # its lid was opened, or it has jammed: its own figure must be made anew

    def hear(self, status: Status) -> None:
        """Figures have come; a new recount makes the figure of cards inside a good one again."""
        if self.status is not None and status.recounts != self.status.recounts:
            self.hands_inside = False
        if status.lid_open or status.jammed:
            self.hands_inside = True
        self.newest = _later(self.newest[0], status.cards_in), _later(self.newest[1], status.cards_out)
        self.status = status

    def has_moved(self, status: Status) -> bool:
        """Whether these figures tell of a card that none before them told of."""
        return self.newest != (_later(self.newest[0], status.cards_in), _later(self.newest[1], status.cards_out))

    def begin_at(self, status: Status) -> None:
        """These counts are where the book begins."""
        self.followed_in, self.followed_out = status.cards_in, status.cards_out
        self.followed_jams, self.followed_recounts = status.jams, status.recounts

    def has_told_more(self, status: Status) -> bool:
        """Whether any number of these figures is lower than in the last event."""
        before = self.followed_in, self.followed_out, self.followed_jams, self.followed_recounts
        return _any_lower(before, status)

    def has_shown_more(self, status: Status) -> bool:
        """The same of all figures so far."""
        last = self.status
        return self.has_told_more(status) or (
            last is not None and _any_lower((last.cards_in, last.cards_out, last.jams, last.recounts), status)
        )


@dataclass(slots=True)
class Devices:
    """All devices of a table, and which numbered events of each start of each of them have been taken."""

    shuffler: Shuffler = field(default_factory=Shuffler)
    links: defaultdict[str, Link] = field(default_factory=lambda: defaultdict(Link))  # also of what never answered
    taken: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)  # device and serial: boot and number

    def last_taken(self, device: str) -> tuple[int, int]:
        """Boot and number of the last event that was taken of the device that answers now."""
        return self.taken.get((device, self.links[device].serial), (0, 0))

    def take(self, entry: Entry) -> None:
        """A numbered event."""
        if entry.source is not None:
            source = entry.source
            link = self.links[source.device]
            link.boot = source.device_boot
            self.taken[source.device, link.serial] = (source.device_boot, source.event_number)

    def miss(self, entry: Entry) -> None:
        """Numbered events that are gone."""
        link = self.links[entry.text("device")]
        self.taken[entry.text("device"), link.serial] = (link.boot, entry.number("last"))

    def all_gone(self) -> None:
        """A start: nobody has answered yet."""
        for link in self.links.values():
            link.connected = False
