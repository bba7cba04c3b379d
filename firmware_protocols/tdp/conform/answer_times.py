"""Measures how fast a device answers."""

from collections import deque
from typing import Final

ANSWERED_S: Final = 0.15  # 50 ms, and the lateness of the line and of this computer
ROUNDING_S: Final = 0.001  # of a difference of two times
ANSWERS_TIMED: Final = 5


class AnswerTimes:
    """The last five answer times, for each result code. The five count as late only if even the quickest is late: the
    line may delay single answers.
    """

    def __init__(self) -> None:
        self._by_result: dict[int, deque[float]] = {}

    def is_in_time(self, result: int, after_s: float) -> tuple[bool, str]:
        """Adds the time `after_s` of an answer with the result `result`. Returns False if the last five answers with
        this result are all late, otherwise True; and the finding in words.
        """
        times_s = self._by_result.setdefault(result, deque(maxlen=ANSWERS_TIMED))
        times_s.append(after_s)
        is_late = len(times_s) == ANSWERS_TIMED and min(times_s) > ANSWERED_S + ROUNDING_S
        return not is_late, f"answers of result {result} after {min(times_s) * 1000:.0f} ms and more"
