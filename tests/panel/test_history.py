"""The technician's plots: one point a second for ten minutes, with gaps where a line was cut."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.core.games.blackjack.state import initial_state
from controller.panel.app import Panel
from controller.panel.history import POINTS, History
from controller.panel.pool_history import PoolHistory
from controller.panel.settings import PanelSettings
from controller.protocol.jackpot import JackpotMoveStatus, JackpotStatus, PoolPoint
from controller.protocol.status import DeviceStatus, Status
from tests.core.table import SETUP
from tests.endings import HANGS_S
from tests.panel.scripted import Json, ScriptedTable


def line(rtt_ms: float | None, *, connected: bool = True) -> dict[str, DeviceStatus]:
    return {"shoe": DeviceStatus(connected=connected, rtt_ms=rtt_ms)}


def test_a_point_a_second_and_no_more() -> None:
    history = History()
    for tenth in range(31):
        history.take(tenth / 10, line(12.5))
    (points,) = history.plots()["shoe"].lines
    assert len(points.split()) == 4
    assert points.split()[-1] == "120.0,1.0"


def test_ten_minutes_are_kept() -> None:
    history = History()
    for second in range(POINTS + 50):
        history.take(float(second), line(100.0 if second < 50 else 5.0))
    plot = history.plots()["shoe"]
    assert plot.most_ms == 5.0
    assert len(plot.lines[0].split()) == POINTS
    assert plot.lines[0].startswith("0.0,")


def test_a_cut_line_is_a_gap() -> None:
    history = History()
    for second in range(9):
        history.take(float(second), line(8.0, connected=second not in {3, 4}))
    plot = history.plots()["shoe"]
    assert (len(plot.lines), plot.cuts) == (2, 1)


def test_what_has_no_line_has_no_plot() -> None:
    history = History()
    history.take(0.0, {"lamp": DeviceStatus(connected=True)})
    assert history.plots() == {}


def pool(moved: int, *levels: tuple[str, int]) -> JackpotStatus:
    """A pool's status after `moved` movements. `levels`: kind and resulting level in cents of the last movements."""
    moves = [JackpotMoveStatus(f"jackpot-{kind}", cents) for kind, cents in levels]
    return JackpotStatus(levels[-1][1], moved=moved, moves=moves)


def test_what_happened_before_the_panel_started_comes_from_the_journal() -> None:
    """The plot shows each movement once and at its own time, from the journal and from the status."""
    history = PoolHistory()
    history.take(100.0, pool(4, ("bets-collected", 1400), ("paid", 1000)))
    assert history.lacks
    journal = [PoolPoint(at, 1000 * at, "jackpot-bets-collected", 1000 + 100 * at) for at in range(1, 5)]
    history.fill(journal)
    history.take(5.0, pool(5, ("bets-collected", 1500)))
    plot = history.plot()
    assert plot is not None
    assert plot.line.split()[::2] == ["0.0,46.0", "60.0,35.0", "120.0,24.0", "180.0,13.0", "240.0,2.0"]
    assert plot.marks == ()


def test_each_movement_of_the_pool_is_one_step_however_often_it_is_shown() -> None:
    history = PoolHistory()
    started, bets, paid = ("started", 1000), ("bets-collected", 2000), ("paid", 1500)
    history.take(0.0, pool(1, started))
    assert history.plot() is None
    for _ in range(2):
        history.take(5.0, pool(3, started, bets, paid))
    history.take(10.0, pool(4, started, bets, paid, ("reset", 3000)))
    plot = history.plot()
    assert plot is not None
    assert plot.line == "0.0,46.0 120.0,46.0 120.0,24.0 120.0,24.0 120.0,35.0 240.0,35.0 240.0,2.0"
    assert [mark.kind for mark in plot.marks] == ["jackpot-paid", "jackpot-reset"]
    assert (plot.least_cents, plot.most_cents, plot.paid) == (1000, 3000, 1)
    history.take(11.0, None)
    assert history.plot() is None


class WithJournal(ScriptedTable):
    """A table whose journal has four movements of the pool. It refuses the first reading: another client is reading."""

    reads = 0

    def _answer(self, request: Json) -> Json:
        if request["do"] != "record":
            return super()._answer(request)
        self.reads += 1
        if self.reads == 1:
            return {"ok": False, "error": {"code": "record-busy", "text": ""}}
        points = [[at, 1000 * at, "jackpot-bets-collected", 1000 + 100 * at] for at in range(1, 5)]
        return {"record": {"what": request["what"], "title": "", "pool": points}}


@pytest.mark.waits
def test_a_panel_that_starts_late_asks_the_controller_for_the_evening(tmp_path: Path) -> None:
    status = Status(jackpot=pool(4, ("bets-collected", 1400)))

    async def drawn(panel: Panel) -> int:
        await panel.watch(Language.EN).first.wait()
        history = panel._history.pool
        while (plot := history.plot()) is None:
            panel._fill_pool()  # as at each change of the status
            await asyncio.sleep(0.01)
        await panel.stop()
        return plot.least_cents

    with WithJournal(tmp_path / "control.sock", status, initial_state(SETUP), {}) as table:
        settings = PanelSettings(table.socket, "127.0.0.1", 0, None, (), "10in", (Language.EN,), "EUR")
        with ThreadPoolExecutor(1) as aside:  # a browser's loop may run in this thread
            assert aside.submit(lambda: asyncio.run(asyncio.wait_for(drawn(Panel(settings)), HANGS_S))).result() == 1100
    assert table.reads == 2
