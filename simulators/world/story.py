"""Tells the story of a world: one line for each deed, refusal, fault, log event and journal entry."""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol, assert_never

from msgspec import Struct, field

from controller.core.words import Device
from controller.journal.writer_logic import Batch
from controller.runtime.answers import Answer, Done, Failed, Refused, Vouched
from controller.runtime.gate import BadValues
from controller.runtime.log_events import LogEvent
from drivers.stats import DeviceStats
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FAULTS, FaultRow, Layer, PlannedFault
from simulators.world.installation import Person
from simulators.world.plan import START_S
from simulators.world.playable import Playable

Tell = Callable[[str], None]

RUNNING: Final = ("card-counted-in", "card-counted-out", "card-read")
CARDS_IN_A_ROW: Final = 2
ON_LINES: Final = frozenset(row.kind for row in FAULTS if row.layer is Layer.LINE) | {FaultKind.ANSWERS_LATE}


class LineStory(Struct, frozen=True):
    """A fault that disturbs a device's line until `until_s`, and the counts of the line's driver before the fault."""

    device: Device
    until_s: float
    stats: DeviceStats


class Deed(Protocol):
    """A person's deed or act."""

    @property
    def told(self) -> str:
        """The deed in words."""


class Asks(Deed, Protocol):
    @property
    def act(self) -> str: ...


class Storyteller(Struct):
    """Observes a world and passes its story to `tell`, line by line.

    A permitted act has only the line of its deed. Of consecutive entries about cards the first two have a line each,
    and the others one line together.
    """

    world: Playable
    tell: Tell
    rows: Sequence[FaultRow] = FAULTS
    _cards: int = 0  # entries about cards in a row
    _wall: tuple[int, int] = (0, 0)  # number of the start, and the wall clock at its beginning
    _on_lines: list[LineStory] = field(default_factory=list)  # the present faults of lines

    def watch(self) -> None:
        """Prints the planned faults, and begins to observe the world."""
        world = self.world
        world.crew.on_deed = self._deed
        world.crew.on_answer = self._answer
        world.scene.on_met = self._fault
        world.host.on_log_event = self._log_event
        world.host.on_power = partial(self._power, world.host.on_power)
        world.host.on_synced = partial(self._synced, world.host.on_synced)
        for fault in world.scene.planned:
            self.tell(f"planned: {describe(fault, self.rows)}")

    def _say(self, who: str, what: str) -> None:
        more, self._cards = self._cards - CARDS_IN_A_ROW, 0
        if more > 0:
            self._line("journal", f"and {more} more entries of cards in and out")
        self._line(who, what)

    def _line(self, who: str, what: str) -> None:
        over = [story for story in self._on_lines if story.until_s <= self.world.clock.now_s]
        self._on_lines = [story for story in self._on_lines if story not in over]
        for story in over:
            self._tell("controller", f"has seen on the {story.device.value} line: {self._seen_since(story)}")
        self._tell(who, what)

    def _tell(self, who: str, what: str) -> None:
        minutes, seconds = divmod(self.world.clock.now_s - START_S, 60)
        self.tell(f"{int(minutes):4}:{seconds:06.3f}  {who:<16}  {what}")

    def end(self) -> None:
        """Prints how often each fault had an effect."""
        scene = self.world.scene
        for fault in scene.planned:
            times = scene.times[fault.number]
            met = "met" if times else "not met"
            self.tell(f"{met}: {describe(fault, self.rows)}" + (f", {times} times" if times > 1 else ""))

    def _deed(self, person: Person, deed: Deed) -> None:
        self._say(person.role.value.replace("_", " "), deed.told)

    def _answer(self, person: Person, ask: Asks, answer: Answer | BadValues | None) -> None:
        match answer:
            case Done() | Vouched():
                pass
            case Refused():
                self._say("controller", f"refuses {ask.act}: {answer.refusal.guard} ({answer.refusal.rule})")
            case Failed():
                self._say("controller", f"does not take {ask.act} of {person.number}: {answer.trouble.value}")
            case BadValues():
                self._say("controller", f"cannot read the values of {ask.act}")
            case None:
                self._say("controller", f"gives no answer to {ask.act}")
            case _:
                assert_never(answer)

    def _fault(self, fault: PlannedFault) -> None:
        self._say("FAULT", describe(fault, self.rows))
        if fault.kind in ON_LINES and fault.device is not None:
            until_s = self.world.clock.now_s + fault.for_s
            self._on_lines.append(LineStory(fault.device, until_s, self._stats(fault.device)))

    def _stats(self, device: Device) -> DeviceStats:
        run = self.world.host.run
        if run is None:
            return DeviceStats()
        self.world.host.lines[device].catch_up()
        return run.runtime.devices.supervisors[device].stats

    def _seen_since(self, story: LineStory) -> str:
        """Returns in words how much the driver's counts have grown since the fault began."""
        was, now = story.stats, self._stats(story.device)
        rejected = Counter(now.rejected)
        rejected.subtract(was.rejected)
        counted = {
            "good frames": now.good - was.good,
            **{f"rejected {reason}": count for reason, count in sorted(rejected.items())},
            "retransmissions": now.retransmissions - was.retransmissions,
            "reconnects": now.reconnects - was.reconnects,
        }
        return ", ".join(f"{count} {name}" for name, count in counted.items() if count > 0)

    def _log_event(self, log_event: LogEvent) -> None:
        if log_event.name in {"act", "act-refused"}:
            return
        values = " ".join(f"{name}={value}" for name, value in log_event.values if value != "")
        self._say("controller", f"{log_event.name} {values}".rstrip())

    def _power(self, others: Callable[[str], None], what: str) -> None:
        self._say("controller", what)
        others(what)

    def _synced(self, others: Callable[[Batch, bytes], None], batch: Batch, head: bytes) -> None:
        for payload in batch.payloads:
            self._entry(json.loads(payload))
        others(batch, head)

    def _entry(self, entry: Mapping[str, Any]) -> None:
        """Prints a durable entry. Leaves out acts, which are printed as deeds, and all but two of consecutive entries
        about cards.
        """
        self._wall_clock(entry)
        kind = entry["kind"]
        if "role" in entry["body"]:
            return
        found = {name: " ".join(value) for name, value in entry["body"].items() if name == "findings"}
        plain = {name: value for name, value in entry["body"].items() if isinstance(value, str | int)} | found
        values = " ".join(f"{name}={_short(value)}" for name, value in plain.items() if value != "")
        line = f"#{entry['seq']} {kind} {values}".rstrip()
        if kind not in RUNNING:
            self._say("journal", line)
            return
        self._cards += 1
        if self._cards <= CARDS_IN_A_ROW:
            self._line("journal", line)

    def _wall_clock(self, entry: Mapping[str, Any]) -> None:
        boot, began_ms = entry["boot"], entry["wall_ms"] - entry["mono_ns"] // 1_000_000
        if boot == self._wall[0] and abs(began_ms - self._wall[1]) > 1000:
            hours = (began_ms - self._wall[1]) / 3_600_000
            self._say(
                "journal", f"#{entry['seq']} wall clock {hours:+.0f} h, table time {entry['table_ms'] / 1000:.3f} s"
            )
        self._wall = (boot, began_ms)


def describe(fault: PlannedFault, rows: Sequence[FaultRow] = FAULTS) -> str:
    """Returns a planned fault as one line of text. `rows`: the kinds of fault in its game."""
    row = next(row for row in rows if row.kind is fault.kind)
    where = f" at the {fault.device.value.replace('_', ' ')}" if fault.device else ""
    long = f", for {fault.for_s:.1f} s" if row.for_s != (0.0, 0.0) else ""
    return f"#{fault.number} {fault.kind.value}{where}: {row.what} ({row.moment.name.lower()} {fault.at}{long})"


def _short(value: str | int) -> str:
    """Returns a value of an entry as text. Cuts a long value without spaces to its first eight characters."""
    words = str(value)
    return words if len(words) <= 40 or " " in words else f"{words[:8]}..."
