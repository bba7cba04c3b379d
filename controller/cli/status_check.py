"""Checks a table's status for a monitoring system: one of four states, the faults, and the figures."""

from enum import IntEnum, unique

from msgspec import Struct, field

from controller.machine.support import here_today, over_since
from controller.protocol.status import Status


@unique
class State(IntEnum):
    """The state that a check reports: the four states of monitoring plugins, with their exit codes."""

    OK = 0
    WARNING = 1
    CRITICAL = 2
    UNKNOWN = 3


class Found(Struct, frozen=True):
    """One fault. `state`: the state that the fault means for Nagios. `key`: the catalogue key `cli.check.<key>` of the
    fault's sentence; `values`: the values in this sentence.
    """

    state: State
    key: str
    values: dict[str, str] = field(default_factory=dict)


class Checked(Struct, frozen=True):
    """The result of a check. `doing`: a sentence on the table's state. `figures`: performance data for monitoring, with
    units.
    """

    table: str
    doing: str
    troubles: tuple[Found, ...]
    figures: dict[str, str]

    @property
    def state(self) -> State:
        """The worst state among the faults. OK if there are no faults."""
        return max((one.state for one in self.troubles), default=State.OK)


def check(status: Status) -> Checked:
    """Returns the faults and figures of a status.

    A failed journal and a device without a connection are critical. Every other fault, and a hold, is a warning.
    """
    figures = {
        "holds": str(len(status.holds)),
        "journal_entries": f"{status.journal.seq}c",
        "journal_lag": f"{status.journal.lag_ms / 1000:.3f}s",
        "devices_lost": str(sum(not device.connected for device in status.devices.values())),
    }
    return Checked(status.table, status.state, (*_journal(status), *_devices(status), *_table(status)), figures)


def _journal(status: Status) -> list[Found]:
    journal, copy = status.journal, status.journal.second_copy
    found = []
    if journal.condition not in ("", "writing"):
        found.append(Found(State.CRITICAL, "journal", {"reason": journal.reason or journal.condition}))
    elif journal.slow:
        found.append(Found(State.WARNING, "journal-slow", {"lag_s": f"{journal.lag_ms / 1000:.1f}"}))
    if copy is not None and copy.condition == "failed":
        found.append(Found(State.WARNING, "second-copy", {"reason": copy.reason}))
    return found


def _devices(status: Status) -> list[Found]:
    lost = [kind for kind, device in status.devices.items() if not device.connected]
    return [Found(State.CRITICAL, "devices", {"devices": ",".join(lost)})] if lost else []


def _table(status: Status) -> list[Found]:
    found = []
    if status.holds:
        kinds = ",".join(dict.fromkeys(hold.kind for hold in status.holds))
        found.append(Found(State.WARNING, "held", {"kinds": kinds}))
    if status.power.undervoltage == "now":
        found.append(Found(State.WARNING, "undervoltage"))
    if month := over_since(here_today()):
        found.append(Found(State.WARNING, "support-over", {"month": month}))
    if status.simulated:
        found.append(Found(State.WARNING, "simulated"))
    return found
