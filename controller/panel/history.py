"""The round trip times of each device's line over the last ten minutes, one a second, for the technician's plots.

`History` also holds the history of the jackpot's pool (pool_history.py).
"""

from collections import deque
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from msgspec import Struct

from controller.panel.pool_history import PoolHistory
from controller.protocol.status import DeviceStatus

POINTS: Final = 600
EVERY_S: Final = 1.0
WIDTH: Final = 120.0
HEIGHT: Final = 24.0


class Plot(Struct, frozen=True, gc=False):
    """A plot of round trip times as SVG polylines, one for each period with a connection. `most_ms`: the time at the
    top. `cuts`: the number of losses of the connection.
    """

    lines: tuple[str, ...]
    most_ms: float
    cuts: int


class History:
    """The round trip times of each device's line in the last POINTS seconds; None for a second without a connection."""

    def __init__(self) -> None:
        self.pool = PoolHistory()
        self._heard: dict[str, deque[float | None]] = {}
        self._last_s = float("-inf")

    def take(self, now_s: float, devices: Mapping[str, DeviceStatus]) -> None:
        """Records one point for each device that has ever reported a round trip time, at most once a second."""
        if now_s - self._last_s < EVERY_S:
            return
        self._last_s = now_s
        for name, device in devices.items():
            if device.rtt_ms is not None or name in self._heard:
                points = self._heard.setdefault(name, deque(maxlen=POINTS))
                points.append(device.rtt_ms if device.connected else None)

    def plots(self) -> dict[str, Plot]:
        """Returns a plot for each device, with the newest point at the right edge."""
        return {name: _plot(list(points)) for name, points in self._heard.items()}


def _plot(points: list[float | None]) -> Plot:
    most = max((point for point in points if point is not None), default=0.0)
    first = POINTS - len(points)
    lines: list[list[str]] = [[]]
    for at, point in enumerate(points, first):
        if point is not None:
            y = HEIGHT - 1 - (HEIGHT - 2) * (point / most if most else 0)
            lines[-1].append(f"{WIDTH * at / (POINTS - 1):.1f},{y:.1f}")
        elif lines[-1]:
            lines.append([])
    cuts = sum(1 for before, after in pairwise(points) if before is not None and after is None)
    return Plot(tuple(" ".join(line) for line in lines if line), most, cuts)
