"""The timing of a serial line: bytes arrive one after another at the line's speed. Sans-IO; times in seconds."""

from collections import deque

BITS_A_BYTE = 10  # 8N1: start bit, eight data bits, stop bit
# Asking for every single byte would wake the host 11 520 times a second; 16 bytes are 1.4 ms at 115 200 baud.
BYTES_A_STEP = 16
FULL_PACKET_BYTES = 62
"""Data bytes of a USB packet of 64; an FTDI adapter puts its own state into the first two bytes."""


class PacedWire:
    """One direction of a serial line of `baud_rate`. If `baud_rate` is None, bytes arrive at once."""

    def __init__(self, baud_rate: int | None) -> None:
        self._byte_s = 0.0 if baud_rate is None else BITS_A_BYTE / baud_rate
        self._bursts: deque[tuple[float, bytes]] = deque()
        self._free_at_s = 0.0
        self.pending = 0

    def push(self, data: bytes, now_s: float) -> None:
        """Puts bytes on the line; the first byte leaves now, or as soon as all earlier bytes have left."""
        if not data:
            return
        start_s = max(now_s, self._free_at_s)
        self._bursts.append((start_s, data))
        self._free_at_s = start_s + len(data) * self._byte_s
        self.pending += len(data)

    def pop(self, now_s: float) -> bytes:
        """Takes the bytes that have fully arrived by now off the line, and returns them."""
        arrived = bytearray()
        while self._bursts and (count := self._arrived(*self._bursts[0], now_s)):
            start_s, data = self._bursts.popleft()
            arrived += data[:count]
            if count < len(data):
                self._bursts.appendleft((start_s + count * self._byte_s, data[count:]))
                break
        self.pending -= len(arrived)
        return bytes(arrived)

    def next_time_s(self) -> float | None:
        """Returns the time at which `pop` will next return bytes; None if none are on the way."""
        if not self._bursts:
            return None
        start_s, data = self._bursts[0]
        return start_s + min(len(data), BYTES_A_STEP) * self._byte_s

    def clear(self) -> int:
        """Drops the bytes that are on the way, as a pulled cable does, and returns their number."""
        lost = self.pending
        self._bursts.clear()
        self._free_at_s = 0.0
        self.pending = 0
        return lost

    def _arrived(self, start_s: float, data: bytes, now_s: float) -> int:
        if self._byte_s == 0.0:
            return len(data)
        # The small term keeps a byte that is due exactly now from being missed by rounding.
        return min(len(data), max(0, int((now_s - start_s) / self._byte_s + 1e-6)))


class Adapter:
    """A simulated FTDI adapter. The adapter passes full packets on at once, and all other bytes at the next tick of its
    latency timer. As in the real chip, the timer always ticks from `began_s` on. With `latency_s` 0 all bytes pass at
    once, as without an adapter.
    """

    def __init__(self, latency_s: float, began_s: float = 0.0) -> None:
        self._latency_s = latency_s
        self._began_s = began_s
        self._held = bytearray()
        self._since_s = 0.0

    def take(self, data: bytes, now_s: float) -> bytes:
        """Receives `data` from the line. Returns the bytes that the adapter passes to the computer now, earlier held
        bytes first.
        """
        due_s = self.next_time_s()
        if not self._held:
            self._since_s = now_s
        self._held += data
        is_due = self._latency_s == 0.0 or (due_s is not None and due_s <= now_s)
        count = len(self._held) if is_due else len(self._held) // FULL_PACKET_BYTES * FULL_PACKET_BYTES
        sent = bytes(self._held[:count])
        del self._held[:count]
        if sent:
            self._since_s = now_s
        return sent

    def next_time_s(self) -> float | None:
        """Returns the time at which the adapter passes its held bytes to the computer; None if it holds no bytes."""
        if not self._held:
            return None
        rounds = int((self._since_s - self._began_s) / self._latency_s + 1e-9) + 1
        return self._began_s + rounds * self._latency_s

    def clear(self) -> int:
        """Drops the held bytes, as a pulled cable does, and returns their number."""
        lost = len(self._held)
        self._held.clear()
        return lost
