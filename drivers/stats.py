"""Counters of one device's line, over one connection and added up over all."""

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct, field


class DeviceStats(Struct, frozen=True, gc=False):
    """`rejected` counts bad frames by the protocol's own words; `last_good_s` is in the caller's seconds."""

    good: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    retransmissions: int = 0
    rtt_ms: float | None = None  # smoothed
    last_good_s: float | None = None
    reconnects: int = 0


def total(past: DeviceStats, now: DeviceStats) -> DeviceStats:
    """Counts of both; round trip and last good frame of the later one that knows them."""
    return DeviceStats(
        good=past.good + now.good,
        rejected=dict(Counter(past.rejected) + Counter(now.rejected)),
        retransmissions=past.retransmissions + now.retransmissions,
        rtt_ms=past.rtt_ms if now.rtt_ms is None else now.rtt_ms,
        last_good_s=past.last_good_s if now.last_good_s is None else now.last_good_s,
        reconnects=past.reconnects + now.reconnects,
    )
