"""How every command speaks: results on stdout, talk on stderr, one JSON document at the end where it is asked for."""

import json
import sys
from dataclasses import dataclass
from enum import IntEnum, unique

from controller.catalogue import Language, sentence


@unique
class ExitCode(IntEnum):
    OK = 0
    FAILED = 1  # a check failed, an act was refused, the controller does not answer
    USAGE = 2  # wrong usage or configuration


class CliFailure(Exception):  # noqa: N818 (it is the end of a command, not a fault of the program)
    """Ends a command: exit code, a code for machines, and the sentence under `cli.error.<error>` for people.

    `document` is what JSON gets instead of code and sentence.
    """

    def __init__(self, exit_code: ExitCode, error: str, document: object = None, **values: str) -> None:
        super().__init__(error)
        self.exit_code = exit_code
        self.error = error
        self.document = document
        self.values = values


@dataclass(frozen=True, slots=True)
class Talk:
    """The terminal of one command."""

    language: Language
    as_json: bool

    def words(self, key: str, **values: str) -> str:
        return sentence(key, values, self.language)

    def result(self, text: str) -> None:
        """A line of the result, for people; nothing when JSON is asked for."""
        if not self.as_json:
            print(text, flush=True)

    def document(self, document: object) -> None:
        """The one JSON document; nothing when it is not asked for."""
        if self.as_json:
            self.line(document)

    def line(self, document: object) -> None:
        """One JSON object as one line."""
        print(json.dumps(document, ensure_ascii=False), flush=True)

    def aside(self, text: str) -> None:
        """Talk: never part of the result."""
        print(text, file=sys.stderr, flush=True)
