"""A queue of lines for a stream that may block, such as a full pipe, so that the log never stops the table.

The loop puts a line into a queue of bounded length, and a thread writes the lines. If the queue is full, the line is
dropped and counted. The count is written as soon as there is room again.
"""

import json
import queue
import threading
from typing import Final, TextIO

LINES_WAITING: Final = 1000


class LineQueue:
    """A stream whose `write` never waits. Each call writes one line."""

    def __init__(self, stream: TextIO, most: int = LINES_WAITING) -> None:
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(most)
        self._dropped = 0
        self._thread = threading.Thread(target=self._drain, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Queues a line, or drops and counts it if the queue is full. Returns the length of `text`."""
        if self._dropped:
            self._put(_dropped_line(self._dropped), counts=0)
        self._put(text, counts=1)
        return len(text)

    def flush(self) -> None:
        """Does nothing: the thread flushes after each line."""

    def close(self, within_s: float) -> None:
        """Waits at most `within_s` seconds until the thread has written the queued lines. Later lines are lost."""
        self._put(None, counts=0)
        self._thread.join(within_s)

    def _put(self, text: str | None, *, counts: int) -> None:
        try:
            self._lines.put_nowait(text)
        except queue.Full:
            self._dropped += counts
        else:
            if not counts:
                self._dropped = 0

    def _drain(self) -> None:
        while (text := self._lines.get()) is not None:
            try:
                self._stream.write(text)
                self._stream.flush()
            except (OSError, ValueError):  # the log's reader is gone: the log may be lost, the table goes on
                continue


def _dropped_line(count: int) -> str:
    return json.dumps({"event": "log-lines-dropped", "count": count, "level": "warning"}) + "\n"
