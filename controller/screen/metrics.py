"""A table's figures in the text format of Prometheus (version 0.0.4), read from the table's status.

systemd/monitoring/README.md explains each figure. No figure names a card's face or counts cards by rank.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from controller.protocol.status import DeviceStatus, HoldStatus, Status

Labels: TypeAlias = Mapping[str, str]
Sample: TypeAlias = tuple[Labels, float]
Read: TypeAlias = Callable[["Seen"], Iterable[Sample]]

UP: Final = "sabot_up"


@dataclass(frozen=True, slots=True)
class Seen:
    """The data from which the figures are computed. `held_s`: the age of each open hold in seconds, by the hold's
    number.

    `ended`: for each kind of hold, the number of holds that ended and the sum of their ages in seconds.
    """

    status: Status
    held_s: Mapping[str, float] = field(default_factory=dict)
    ended: Mapping[str, tuple[int, float]] = field(default_factory=dict)
    celsius: float | None = None


class HoldAges:
    """Measures the age of each hold, from the call of `ages` in which the hold appeared first."""

    def __init__(self) -> None:
        self._since_s: dict[str, float] = {}
        self._kinds: dict[str, str] = {}
        self.ended: dict[str, tuple[int, float]] = {}
        """By kind of hold: the number of observed ends, and the sum of their ages in seconds."""

    def ages(self, holds: Iterable[HoldStatus], now_s: float) -> dict[str, float]:
        """Returns the age of each hold in `holds` in seconds, by the hold's number. A new hold has the age 0.

        A hold of the last call that `holds` lacks has ended: its age is added to `ended`.
        """
        before, self._since_s = self._since_s, {}
        for hold in holds:
            self._since_s[hold.id] = before.pop(hold.id, now_s)
            self._kinds[hold.id] = hold.kind
        for number, since_s in before.items():
            count, together_s = self.ended.get(kind := self._kinds.pop(number), (0, 0.0))
            self.ended[kind] = (count + 1, together_s + now_s - since_s)
        return {number: now_s - since_s for number, since_s in self._since_s.items()}


def exposition(seen: Seen) -> str:
    """Returns the text for Prometheus with all figures of a table."""
    lines = [*_family(UP, "gauge", [({}, 1)])]
    for name, kind, read in FAMILIES:
        lines += _family(name, kind, read(seen))
    return "\n".join(lines) + "\n"


def exposition_of_nobody() -> str:
    """Returns the text for Prometheus of a table whose controller does not answer: `sabot_up 0`."""
    return "\n".join(_family(UP, "gauge", [({}, 0)])) + "\n"


def _family(name: str, kind: str, samples: Iterable[Sample]) -> list[str]:
    lines = [f"{name}{_labels(labels)} {value:.10g}" for labels, value in samples]
    return [f"# TYPE {name} {kind}", *lines] if lines else []


def _labels(labels: Labels) -> str:
    parts = [f'{name}="{_escaped(value)}"' for name, value in labels.items()]
    return "{" + ",".join(parts) + "}" if parts else ""


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


# ---- the figures


def _info(seen: Seen) -> Iterable[Sample]:
    status = seen.status
    simulated = str(status.simulated).lower()
    yield {"table": status.table, "profile": status.profile, "software": status.software, "simulated": simulated}, 1


def _holds(seen: Seen) -> Iterable[Sample]:
    kinds = [hold.kind for hold in seen.status.holds]
    yield from (({"kind": kind}, kinds.count(kind)) for kind in dict.fromkeys(kinds))


def _hold_ages(seen: Seen) -> Iterable[Sample]:
    oldest: dict[str, float] = {}
    for hold in seen.status.holds:
        oldest[hold.kind] = max(oldest.get(hold.kind, 0.0), seen.held_s.get(hold.id, 0.0))
    yield from (({"kind": kind}, age_s) for kind, age_s in oldest.items())


def _of_devices(read: Callable[[DeviceStatus], float | None]) -> Read:
    def samples(seen: Seen) -> Iterable[Sample]:
        for name, device in seen.status.devices.items():
            if (value := read(device)) is not None:
                yield {"device": name}, value

    return samples


def _rejected(seen: Seen) -> Iterable[Sample]:
    for name, device in seen.status.devices.items():
        yield from (({"device": name, "reason": why}, n) for why, n in sorted(device.rejected_by_reason.items()))


def _second_copy(read: Callable[[Seen], float]) -> Read:
    return lambda seen: [] if seen.status.journal.second_copy is None else [({}, read(seen))]


def _copy_behind(seen: Seen) -> float:
    copy = seen.status.journal.second_copy
    return 0.0 if copy is None else copy.behind


def _copy_works(seen: Seen) -> float:
    copy = seen.status.journal.second_copy
    return float(copy is not None and copy.condition != "failed")


def _one(read: Callable[[Seen], float | None]) -> Read:
    def samples(seen: Seen) -> Iterable[Sample]:
        value = read(seen)
        return [] if value is None else [({}, value)]

    return samples


FAMILIES: Final[tuple[tuple[str, str, Read], ...]] = (
    ("sabot_info", "gauge", _info),
    ("sabot_session_open", "gauge", _one(lambda seen: seen.status.session not in ("", "closed"))),
    ("sabot_round_number", "gauge", _one(lambda seen: seen.status.round_number)),
    ("sabot_holds", "gauge", _holds),
    ("sabot_hold_age_seconds", "gauge", _hold_ages),
    ("sabot_holds_ended_total", "counter", lambda seen: [({"kind": kind}, n) for kind, (n, _s) in seen.ended.items()]),
    (
        "sabot_holds_ended_seconds_total",
        "counter",
        lambda seen: [({"kind": kind}, seconds) for kind, (_n, seconds) in seen.ended.items()],
    ),
    ("sabot_duties", "gauge", _one(lambda seen: len(seen.status.duties))),
    ("sabot_device_connected", "gauge", _of_devices(lambda device: device.connected)),
    ("sabot_device_reconnects_total", "counter", _of_devices(lambda device: device.reconnects)),
    ("sabot_device_frames_good_total", "counter", _of_devices(lambda device: device.good)),
    ("sabot_device_frames_rejected_total", "counter", _rejected),
    ("sabot_device_retransmissions_total", "counter", _of_devices(lambda device: device.retransmissions)),
    (
        "sabot_device_round_trip_seconds",
        "gauge",
        _of_devices(lambda device: None if device.rtt_ms is None else device.rtt_ms / 1000),
    ),
    ("sabot_journal_entries_total", "counter", _one(lambda seen: seen.status.journal.seq)),
    ("sabot_journal_lag_seconds", "gauge", _one(lambda seen: seen.status.journal.lag_ms / 1000)),
    ("sabot_journal_writing", "gauge", _one(lambda seen: seen.status.journal.condition == "writing")),
    ("sabot_second_copy_working", "gauge", _second_copy(_copy_works)),
    ("sabot_second_copy_behind_entries", "gauge", _second_copy(_copy_behind)),
    (
        "sabot_table_events_total",
        "counter",
        lambda seen: [({"event": name}, count) for name, count in seen.status.tally.items() if name != "loads"],
    ),
    ("sabot_undervoltage", "gauge", _one(lambda seen: seen.status.power.undervoltage == "now")),
    ("sabot_temperature_celsius", "gauge", _one(lambda seen: seen.celsius)),
)
"""Each figure's name, its kind, and the function that reads it."""
