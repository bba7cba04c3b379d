"""A file of answers, for a hundred tables alike: keys of a configuration and, under [ask], what a person sees.

Each answer is given once: a question that is asked again is for the person. A key that the file lacks is answered with
the usual; a key without a usual (the table's name, say) is asked for. It holds no PIN.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from controller.machine.toml_text import toml_of

YES: Final = ("y", "yes", "s", "sim", "true")
LONGEST: Final = 65_536


class Answers:
    """`read` is asked at each question, so that a stick that comes later is heard, too."""

    def __init__(self, read: Callable[[], Mapping[str, str]]) -> None:
        self._read = read
        self._given: set[str] = set()

    def says(self, key: str, usual: str, *, may_be_empty: bool) -> str | None:
        """None: a person is asked."""
        answers = self._read()
        if not answers or key in self._given:
            return None
        given = answers.get(key, usual)
        if not given and not may_be_empty:
            return None
        self._given.add(key)
        return given

    def sees(self, question: str) -> bool | None:
        """None: a person is asked."""
        given = self._read().get(f"ask.{question}")
        return None if given is None else given in YES

    def was_asked(self, key: str) -> None:
        """A person has answered this himself."""
        self._given.add(key)


def read_answers(file: Path) -> Mapping[str, str]:
    """By key. Raises OSError, NotToml."""
    with file.open("rb") as opened:
        return dict(_flat("", toml_of(opened.read(LONGEST))))


def _flat(prefix: str, tree: Mapping[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in tree.items():
        match value:
            case dict():
                found += _flat(f"{prefix}{name}.", value)
            case bool():
                found.append((prefix + name, "true" if value else "false"))
            case _:
                found.append((prefix + name, str(value)))
    return found
