"""G25 to G27: the time from a card at the reader to the permission for the next, with an uplink and without.

The uplink is the real one in a process of its own. There are three floors: a real one with a private PostgreSQL, which
uses this computer's processors as well; one that accepts a request and never answers; and one that answers without end.
"""

import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal.signing import public_path
from controller.uplink.serve import Log, carry
from controller.uplink.settings import UplinkSettings
from simulators.floor.postgres import PrivatePostgres
from simulators.floor.room import Room
from tests.bench.beside_floods import EVENTS, beside, p50
from tests.bench.card_event import FACE_UP
from tests.bench.real_table import RealTable
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread
from tests.uplink.bad_floor import HEAD, a_floor_that_says

SETTLES_S = 2.0  # until it is connected and has carried all entries
MEGABYTE = b"x" * 1_000_000


def run(plan: Plan) -> list[Row]:
    events = -(-plan.count(EVENTS) // len(FACE_UP)) * len(FACE_UP)
    with ExitStack() as open_:
        directory = Path(open_.enter_context(TemporaryDirectory()))
        (directory / "table").mkdir()
        room = _room(open_, directory / "room")
        ports = {
            "carries": room.start(has_page=False).port,
            "hangs": open_.enter_context(a_floor_that_says(b"", b"", room)),
            "floods": open_.enter_context(a_floor_that_says(HEAD, MEGABYTE, room)),
        }
        table = open_.enter_context(RealTable(directory / "table"))
        (room.keys / "bench.pub").write_bytes(public_path(directory / "table" / "journal").read_bytes())
        table.open_session()
        paths: dict[str, Callable[[], float]] = {"quiet": lambda: p50(table, events)}
        for name, port in ports.items():
            paths[name] = partial(_carried, table, events, room.settings("bench", port, table.socket))
        times = interleave(paths, plan.repetitions)
    measured = {name: spread(values) for name, values in times.items()}
    what = "card event to the next permitting command beside an uplink whose floor {}, over a quiet table"
    return [
        Row(row, what.format(name), ratios(times[name], times["quiet"]), measured, "us", Goal(1.5))
        for row, name in (("G25", "carries"), ("G26", "hangs"), ("G27", "floods"))
    ]


def _room(open_: ExitStack, directory: Path) -> Room:
    directory.mkdir()
    server = open_.enter_context(PrivatePostgres())
    return open_.enter_context(Room(directory, server.conninfo()))


def _carried(table: RealTable, events: int, settings: UplinkSettings) -> float:
    with beside(partial(_carry, settings)):
        table.rest(SETTLES_S)
        return p50(table, events)


def _carry(settings: UplinkSettings) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    carry(settings, threading.Event(), Log())
