"""Computes the wait before the next attempt to reach a device."""

from msgspec import Struct


class Backoff(Struct, frozen=True, gc=False):
    """Doubles the wait from `first_s` up to `cap_s`. Jitter shortens each wait by up to a quarter."""

    first_s: float = 0.2  # a bouncing plug or a restarting device: most losses are over within a second
    cap_s: float = 5.0  # a plugged-in device is found within this time; a try costs next to nothing
    stable_s: float = 5.0  # the loss of a connection that lasted this long starts again from first_s

    def delay_s(self, failures: int, jitter: float) -> float:
        """Returns the wait in seconds after `failures` failed attempts in a row (at least 1). `jitter`: in [0, 1]."""
        doublings = min(failures - 1, 32)  # the factor for a device away for a month must not overflow a float
        return _shortened(min(self.cap_s, self.first_s * 2.0**doublings), jitter)

    def longest_s(self, jitter: float) -> float:
        """Returns the longest wait in seconds, for a wrong device or a forbidden port: early attempts are useless.
        `jitter`: in [0, 1].
        """
        return _shortened(self.cap_s, jitter)


def _shortened(delay_s: float, jitter: float) -> float:
    return delay_s * (1 - jitter / 4)
