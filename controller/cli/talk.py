"""The output of every command: results on stdout, remarks on stderr.

With `--json` stdout has one JSON document, or one object on each line.
"""

import codecs
import json
import os
import sys
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from unicodedata import category

from msgspec import Struct

from controller.catalogue import Language, sentence
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import system_word


def cannot_write(path: Path | str, error: OSError) -> CliFailure:
    """Returns the failure that ends a command when it cannot write a file."""
    return CliFailure(ExitCode.FAILED, "output", path=str(path), detail=system_word(error))


class Talk(Struct, frozen=True, gc=False):
    """The output of one command, in one language, as text or JSON.

    A method that prints on stdout raises CliFailure if printing fails. The docstring of each method says what it does
    if only the reader has gone.
    """

    language: Language
    as_json: bool

    def words(self, key: str, **values: str) -> str:
        return sentence(key, values, self.language)

    def result(self, text: str) -> None:
        """Prints a line of the result. With JSON prints nothing. The command runs to its end even if its output has no
        reader any more (`sabot journal verify PATH | head -1`).
        """
        if not self.as_json:
            with suppress(BrokenPipeError):
                _print(_plain(text))

    def document(self, document: object) -> None:
        """Prints the command's only JSON document. Without JSON prints nothing. The command runs to its end even if its
        output has no reader any more.
        """
        if self.as_json:
            with suppress(BrokenPipeError):
                self.line(document)

    def told(self, text: str) -> None:
        """Prints one of many lines. Raises BrokenPipeError if the output has no reader any more. The error ends the
        command.
        """
        _print(_plain(text))

    def drawn(self, text: str) -> None:
        """Prints a text of this program unchanged, with its terminal sequences. Raises BrokenPipeError if the output
        has no reader any more.
        """
        _print(text)

    def line(self, document: object) -> None:
        """Prints one of many JSON objects, in UTF-8 or, at a terminal of another encoding, in ASCII. Raises
        BrokenPipeError if the output has no reader any more.
        """
        _print(json.dumps(document, ensure_ascii=not _is_utf_8()))

    def aside(self, text: str) -> None:
        """Prints a remark on stderr. A remark is not a part of the result."""
        print(_plain(text), file=sys.stderr, flush=True)


def quoted(text: str) -> str:
    """Returns the text with `?` for each control or format character. A forged text could use them to imitate another
    line.
    """
    return "".join("?" if category(char) in {"Cc", "Cf", "Cs"} else char for char in text)


def _plain(text: str) -> str:
    """Returns the text with `?` for characters that could control the terminal.

    Line feeds stay, and tabs become spaces.
    """
    return text if text.isprintable() else "\n".join(map(quoted, text.replace("\t", "    ").split("\n")))


def print_in_any_encoding() -> None:
    """Makes stdout print `?` for a character that its encoding lacks. Otherwise a name or a dash ends the command."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _is_utf_8() -> bool:
    """True if stdout prints UTF-8, or if the caller of the process has closed stdout."""
    return codecs.lookup(getattr(sys.stdout, "encoding", None) or "utf-8").name == "utf-8"


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
    """Redirects stdout to /dev/null. Otherwise the process would fail again at its end, when it writes the rest of
    stdout's buffer.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
