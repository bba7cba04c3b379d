"""The person at the terminal: questions go to standard error, answers come from standard input."""

import sys
from typing import Final

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

YES: Final = ("y", "yes", "s", "sim")
NO: Final = ("n", "no", "não", "nao")


class Person:
    """A person at the terminal, who answers with yes, no or a text (satisfies `People`).

    `asked`: the questions and answers so far.
    """

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self.asked: list[tuple[str, str]] = []

    def sees(self, question: str, **values: str) -> bool:
        """Asks a question until the answer is yes (True) or no (False). Raises CliFailure at the end of input."""
        text = self._talk.words(f"ask.{question}", **values)
        while True:
            word = self.line(f"{text} {self._talk.words('ask.yes-or-no')}").lower()
            if word in (*YES, *NO):
                self.asked.append((question, "yes" if word in YES else "no"))
                return word in YES

    def is_asked(self, request: str, **values: str) -> None:
        self._talk.aside(self._talk.words(f"ask.{request}", **values))

    def line(self, text: str) -> str:
        """Prints `text` and reads one line of input, without blanks at its ends.

        Raises CliFailure at the end of input.
        """
        print(text, end=" ", file=sys.stderr, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise CliFailure(ExitCode.FAILED, "nobody-answers-here")
        return line.strip()
