"""The state of the devices as the entries show it: connections, recorded events, and the shuffler's own counts."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from simulators.oracles.export_entries import Entry, is_whole, whole

SPAN: Final = 1 << 32
"""Cumulative counts are 32 bits wide and wrap."""


class Status(NamedTuple):
    """The shuffler's own counts and flags. `inside`: None if the shuffler does not know its number of cards."""

    cards_in: int
    cards_out: int
    inside: int | None
    recounts: int
    jammed: bool
    path_blocked: bool
    lid_open: bool


def status_in(entry: Entry) -> Status | None:
    """Returns the shuffler's counts that an entry contains; None if the entry contains no counts."""
    part = entry.part("status") or entry.part("shuffler")
    if "cards_in" not in part:
        return None
    inside = part.get("inside")
    return Status(
        cards_in=whole(part, "cards_in"),
        cards_out=whole(part, "cards_out"),
        inside=inside if is_whole(inside) else None,
        recounts=whole(part, "recounts"),
        jammed=part.get("jammed") is True,
        path_blocked=part.get("path_blocked") is True,
        lid_open=part.get("lid_open") is True,
    )


def _later(one: int, other: int) -> int:
    """Returns the later of two values of a counter that wraps around."""
    return other if (other - one) % SPAN < SPAN // 2 else one


@dataclass(slots=True)
class Link:
    """The connection to a device as the entries show it, with serial number and boot of the device."""

    connected: bool = False
    serial: str = ""
    boot: int = 0
    keeps_events: bool = True  # False: numbers may have gaps, and unheard events are lost


@dataclass(slots=True)
class Shuffler:
    """The state of the shuffler as the entries report it."""

    status: Status | None = None
    newest: tuple[int, int] = (0, 0)  # cards in and out by the newest figures; an event may come late
    hands_inside: bool = False  # after an open lid or a jam the machine must count its cards anew
    lid_open_since_ms: int | None = None

    def hear(self, status: Status, at_ms: int) -> None:
        """Stores the shuffler's counts. After an open lid or a jam, the number of cards inside is unreliable until a
        new recount.
        """
        if self.status is not None and status.recounts != self.status.recounts:
            self.hands_inside = False
        if status.lid_open or status.jammed:
            self.hands_inside = True
        if not status.lid_open:
            self.lid_open_since_ms = None
        elif self.lid_open_since_ms is None:
            self.lid_open_since_ms = at_ms
        self.newest = _later(self.newest[0], status.cards_in), _later(self.newest[1], status.cards_out)
        self.status = status

    def has_moved(self, status: Status) -> bool:
        """True if `status` counts a card in or out that no earlier status has counted."""
        return self.newest != (_later(self.newest[0], status.cards_in), _later(self.newest[1], status.cards_out))


@dataclass(slots=True)
class Devices:
    """The state of all devices of a table, and the last recorded event of each."""

    shuffler: Shuffler = field(default_factory=Shuffler)
    links: defaultdict[str, Link] = field(default_factory=lambda: defaultdict(Link))  # also devices that never answered
    # by device and serial number: the start and number of its last event
    taken: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)

    def last_taken(self, device: str) -> tuple[int, int]:
        """Returns the boot and number of the last recorded event of the device that is connected as `device`; (0, 0)
        for none.
        """
        return self.taken.get((device, self.links[device].serial), (0, 0))

    def hear(self, entry: Entry) -> None:
        """Applies an entry: an event with a number, counts of the shuffler, or a change of a connection."""
        match entry.kind:
            case "controller-started":
                for link in self.links.values():
                    link.connected = False
            case "device-connected":
                self._connected(entry)
            case "device-lost" | "device-refused":
                self.links[entry.text("device")].connected = False
            case "events-missed":
                link = self.links[entry.text("device")]
                self.taken[entry.text("device"), link.serial] = (link.boot, entry.number("last"))
            case _:
                self._take(entry)
        if (status := status_in(entry)) is not None:
            self.shuffler.hear(status, entry.table_ms)

    def _connected(self, entry: Entry) -> None:
        link = self.links[entry.text("device")]
        is_other = link.serial not in {"", entry.text("serial")}
        link.connected, link.serial, link.boot = True, entry.text("serial"), entry.number("boot")
        link.keeps_events = entry.body.get("keeps_events") is not False
        if is_other and (status := status_in(entry)) is not None:
            self.shuffler = Shuffler(newest=(status.cards_in, status.cards_out))

    def _take(self, entry: Entry) -> None:
        if entry.source is not None:
            link = self.links[entry.source.device]
            link.boot = entry.source.device_boot
            self.taken[entry.source.device, link.serial] = (entry.source.device_boot, entry.source.event_number)
