"""The answers to clients. The answer to an act waits until the act's entry is on the disk."""

from controller.runtime.answers import Answer, Failed, Trouble


class Replies:
    """The answers to clients by ticket: answers that may be given now, and answers that wait until an entry is on the
    disk.
    """

    def __init__(self) -> None:
        self.ready: list[tuple[int, Answer]] = []  # each answer with its ticket
        self._waiting: dict[int, tuple[int, Answer]] = {}  # by the number of the entry

    def give(self, ticket: int, answer: Answer) -> None:
        """Adds an answer that waits for no entry."""
        self.ready.append((ticket, answer))

    def give_after(self, seq: int, ticket: int, answer: Answer) -> None:
        """Adds an answer that may be given once entry `seq` is durable."""
        self._waiting[seq] = (ticket, answer)

    def became_durable(self, seq: int) -> None:
        """Makes ready the answers that waited for an entry up to `seq`."""
        for number in tuple(self._waiting):
            if number <= seq:
                self.ready.append(self._waiting.pop(number))

    def give_up(self) -> None:
        """Gives every client that still waits the answer JOURNAL_FAULT."""
        self.ready += [(ticket, Failed(Trouble.JOURNAL_FAULT)) for ticket, _ in self._waiting.values()]
        self._waiting.clear()

    def take(self) -> list[tuple[int, Answer]]:
        """Returns the answers that may be given now, each with its ticket, and forgets them."""
        taken, self.ready = self.ready, []
        return taken
