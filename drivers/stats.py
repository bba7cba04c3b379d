"""Counters of one device's line, for one connection and in total."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field


class DeviceStats(Struct, frozen=True, gc=False):
    """The counters of one line. `good`: the number of good frames. `rejected`: the number of bad frames, by reason.
    `last_good_s`: the time of the last good frame, in the caller's seconds. `rtt_ms`: the last round trip. The last two
    are None before the first.
    """

    good: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    retransmissions: int = 0
    rtt_ms: float | None = None  # smoothed
    last_good_s: float | None = None
    reconnects: int = 0


def total(past: DeviceStats, now: DeviceStats) -> DeviceStats:
    """Returns the sums of the counters of `past` and `now`.

    Round trip and last good frame are taken from `now`, or from `past` if `now` has none.
    """
    return DeviceStats(
        good=past.good + now.good,
        rejected=dict(Counter(past.rejected) + Counter(now.rejected)),
        retransmissions=past.retransmissions + now.retransmissions,
        rtt_ms=past.rtt_ms if now.rtt_ms is None else now.rtt_ms,
        last_good_s=past.last_good_s if now.last_good_s is None else now.last_good_s,
        reconnects=past.reconnects + now.reconnects,
    )
