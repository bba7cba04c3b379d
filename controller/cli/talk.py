"""The output of every command: results on stdout, remarks on stderr; with `--json` one document or an object a line."""

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from unicodedata import category

from msgspec import Struct

from controller.catalogue import Language, sentence
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import system_word


def cannot_write(path: Path | str, error: OSError) -> CliFailure:
    """The failure that ends a command where a file cannot be written."""
    return CliFailure(ExitCode.FAILED, "output", path=str(path), detail=system_word(error))


class Talk(Struct, frozen=True, gc=False):
    """The output of one command, in one language, as text or JSON.

    Methods that print on stdout raise CliFailure for every failure but a lost reader.
    """

    language: Language
    as_json: bool

    def words(self, key: str, **values: str) -> str:
        return sentence(key, values, self.language)

    def result(self, text: str) -> None:
        """Prints a line of the result; with JSON prints nothing.

        Where the output has lost its reader (`sabot journal verify PATH | head -1`), the command still runs to its end.
        """
        if not self.as_json:
            with suppress(BrokenPipeError):
                _print(_plain(text))

    def document(self, document: object) -> None:
        """Prints the one JSON document; without JSON prints nothing. An output without a reader is no error."""
        if self.as_json:
            with suppress(BrokenPipeError):
                self.line(document)

    def told(self, text: str) -> None:
        """Prints one of many lines of a result.

        Raises BrokenPipeError where the output has no reader, to end the command.
        """
        _print(_plain(text))

    def drawn(self, text: str) -> None:
        """Prints one of many lines, with its terminal sequences: for text that this program has made.

        Raises BrokenPipeError where the output has no reader.
        """
        _print(text)

    def line(self, document: object) -> None:
        """Prints one JSON object of many. Raises BrokenPipeError where the output has no reader."""
        _print(json.dumps(document, ensure_ascii=False))

    def aside(self, text: str) -> None:
        """Prints a remark on stderr, which is no part of the result."""
        print(_plain(text), file=sys.stderr, flush=True)


def quoted(text: str) -> str:
    """The text with `?` for each control or format character: text from a forged file could forge another line."""
    return "".join("?" if category(char) in {"Cc", "Cf", "Cs"} else char for char in text)


def _plain(text: str) -> str:
    """The text without characters that control a terminal, which a file's name or a forged text could have."""
    return text if text.isprintable() else "\n".join(map(quoted, text.replace("\t", "    ").split("\n")))


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
    """Drops all further output, so that the rest of the buffer does not fail again when the process ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
