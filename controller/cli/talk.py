"""How every command speaks: results on stdout, talk on stderr, one JSON document at the end where it is asked for."""

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from unicodedata import category

from controller.catalogue import Language, sentence
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import system_word


def cannot_write(path: Path | str, error: OSError) -> CliFailure:
    """How a command ends whose file could not be written."""
    return CliFailure(ExitCode.FAILED, "output", path=str(path), detail=system_word(error))


@dataclass(frozen=True, slots=True)
class Talk:
    """The terminal of one command."""

    language: Language
    as_json: bool

    def words(self, key: str, **values: str) -> str:
        return sentence(key, values, self.language)

    def result(self, text: str) -> None:
        """A line of the result, for people; nothing when JSON is asked for.

        Where the reader has gone (`sabot journal verify PATH | head -1`), the command still comes to its own end.
        """
        if not self.as_json:
            with suppress(BrokenPipeError):
                _print(text)

    def document(self, document: object) -> None:
        """The one JSON document, as `result`; nothing when it is not asked for."""
        if self.as_json:
            with suppress(BrokenPipeError):
                self.line(document)

    def told(self, text: str) -> None:
        """A line of many. BrokenPipeError when the reader has gone: for him nothing more needs to be found."""
        _print(text)

    def line(self, document: object) -> None:
        """One JSON object as one line of many. BrokenPipeError as `told`."""
        _print(json.dumps(document, ensure_ascii=False))

    def aside(self, text: str) -> None:
        """Talk: never part of the result."""
        print(text, file=sys.stderr, flush=True)


def quoted(text: str) -> str:
    """Words of a file that somebody may have made, without what moves a terminal's cursor or turns its writing."""
    return "".join("?" if category(char) in {"Cc", "Cf", "Cs"} else char for char in text)


def _print(text: str) -> None:
    try:
        print(text, flush=True)
    except BrokenPipeError:
        forget_stdout()
        raise
    except OSError as error:
        forget_stdout()
        raise cannot_write("stdout", error) from error


def forget_stdout() -> None:
    """Output without a reader is dropped: the rest of the buffer shall not fail once more at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
