"""Answers on their way to whoever asked: each waits until the entry of its act is durable."""

from controller.runtime.answers import Answer, Failed, Trouble


class Replies:
    """Answers under the ticket of whoever asked: those that may be given, and those that wait for an entry."""

    def __init__(self) -> None:
        self.ready: list[tuple[int, Answer]] = []  # each with its ticket
        self._waiting: dict[int, tuple[int, Answer]] = {}  # by the number of the entry

    def give(self, ticket: int, answer: Answer) -> None:
        """Nothing has to be durable first."""
        self.ready.append((ticket, answer))

    def give_after(self, seq: int, ticket: int, answer: Answer) -> None:
        """May be given once entry `seq` is durable."""
        self._waiting[seq] = (ticket, answer)

    def became_durable(self, seq: int) -> None:
        """Every entry up to `seq` is."""
        for number in [number for number in self._waiting if number <= seq]:
            self.ready.append(self._waiting.pop(number))

    def give_up(self) -> None:
        """The waiting clients are told that nothing is recorded; the status shows it should that change."""
        self.ready += [(ticket, Failed(Trouble.JOURNAL_FAULT)) for ticket, _ in self._waiting.values()]
        self._waiting.clear()

    def take(self) -> list[tuple[int, Answer]]:
        """Takes the answers that may be given now, each with its ticket."""
        taken, self.ready = self.ready, []
        return taken
