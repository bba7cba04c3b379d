"""The problems of a configuration as data, and as sentences in a language."""

from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from controller.catalogue import Language, Values, sentence


class Said(Struct, frozen=True, gc=False):
    """A sentence that is not translated yet: a key of the catalogue, and the values in the sentence."""

    key: str
    values: tuple[tuple[str, str], ...] = ()


class Problem(Struct, frozen=True, gc=False):
    """One problem of a configuration. `key`: the key with the problem, "" for the whole file. `wrong`, `right`: the
    fault and the right value. `clause`: the law's clause that the value breaks; "" if it breaks none.
    """

    key: str
    wrong: Said
    right: Said
    clause: str = ""


class ProblemWords(Struct, frozen=True, gc=False):
    """One problem in the words of a language, as it is printed or written as JSON. `key`: "" for the whole file;
    `clause`: None if no law's clause is broken.
    """

    file: str
    key: str
    wrong: str
    right: str
    clause: str | None


class ConfigRefused(Exception):  # noqa: N818 (the name says what became of it)
    """Raised for a configuration that cannot be used. `problems` has every problem of the file."""

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        super().__init__(f"{file}: {', '.join(problem.key or problem.wrong.key for problem in problems)}")
        self.file = file
        self.problems = tuple(problems)

    def words(self, language: Language) -> list[ProblemWords]:
        """Returns every problem in words, in the order in which they were found."""
        return [
            ProblemWords(
                str(self.file),
                problem.key,
                sentence(problem.wrong.key, problem.wrong.values, language),
                sentence(problem.right.key, problem.right.values, language),
                problem.clause or None,
            )
            for problem in self.problems
        ]

    def lines(self, language: Language) -> list[str]:
        """Returns every problem as one line."""
        return [sentence(_line_key(words), _line_values(words), language) for words in self.words(language)]


def near(name: str, known: Sequence[str]) -> str | None:
    """Returns the name in `known` that is most similar to `name`. Returns None if none is similar."""
    as_written = {one.lower(): one for one in known}
    return next((as_written[one] for one in get_close_matches(name[:64].lower(), as_written, n=1)), None)


def did_you_mean(name: str, known: Sequence[str]) -> Said:
    """Returns the sentence that suggests the most similar name in `known`, or lists all of them if none is similar."""
    meant = near(name, known)
    if meant is not None:
        return Said("config.right.did-you-mean", (("near", meant),))
    return Said("config.right.one-of", (("known", ", ".join(known)),))


def shown(value: object) -> str:
    """Returns a value of the file as short text on one line: a text in quotation marks, cut after _SHOWN characters;
    "[…]" for a list; "{…}" for a table.
    """
    match value:
        case bool():
            return str(value).lower()
        case str():
            text = value if len(value) <= _SHOWN else value[:_SHOWN] + "…"
            return '"' + "".join(char if char.isprintable() else "?" for char in text) + '"'
        case int() if abs(value) >= 10**15:
            return "-" * (value < 0) + "1" + "0" * 15 + "…"
        case list():
            return "[…]"
        case dict():
            return "{…}"
        case _:
            return str(value)


_SHOWN = 60


def _line_key(words: ProblemWords) -> str:
    return "config.line." + ("key" if words.key else "file") + ("-clause" if words.clause else "")


def _line_values(words: ProblemWords) -> Values:
    return {"file": words.file, "key": words.key, "wrong": words.wrong, "right": words.right} | (
        {"clause": words.clause} if words.clause else {}
    )
