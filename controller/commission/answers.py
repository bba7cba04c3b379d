"""Prepared answers from a file, so that many equal tables can be commissioned in the same way.

The file has values for keys of the configuration, and answers to questions under [ask]. An answer for a key is used
once; if the key's question comes again, a person answers it. An answer under [ask] is used each time, except a yes to
`again`, which is used once.

A key that the file lacks gets its usual value. A key without a usual value, such as the table's name, is asked of a
person. The file has no PIN.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from controller.journal.storage import open_file, reported
from controller.machine.toml_text import toml_of

YES: Final = ("y", "yes", "s", "sim", "true")
LONGEST: Final = 65_536

_AGAIN: Final = "ask.again"
"""The question after a finding or refusal; with a yes each time the file could repeat the same fault without end."""


class Answers:
    """The answers of a file. `read` is called at each question, so that a USB stick with the file may be plugged in
    later.
    """

    def __init__(self, read: Callable[[], Mapping[str, str]]) -> None:
        self._read = read
        self._given: set[str] = set()

    def says(self, key: str, usual: str, *, may_be_empty: bool) -> str | None:
        """Returns the file's answer for `key`, or `usual` if the file has none. Returns None if a person must be asked:
        there is no file, the key was already answered, or the answer is empty and must not be empty.
        """
        answers = self._read()
        if not answers or key in self._given:
            return None
        given = answers.get(key, usual)
        if not given and not may_be_empty:
            return None
        self._given.add(key)
        return given

    def sees(self, question: str) -> bool | None:
        """Returns True if the file answers the question with yes, and False for any other answer. Returns None if a
        person must be asked: the file has no answer, or its answer is used up.
        """
        key = f"ask.{question}"
        given = self._read().get(key)
        if given is None or key in self._given:
            return None
        if key == _AGAIN and given in YES:
            self._given.add(key)
        return given in YES

    @property
    def has_any(self) -> bool:
        """True if there is a file with answers."""
        return bool(self._read())

    def was_asked(self, key: str) -> None:
        """Notes that a person answers the question for `key`. From then on the file's answer is not used."""
        self._given.add(key)


def read_answers(file: Path) -> Mapping[str, str]:
    """Returns the answers in a file by dotted key. Raises NotToml, and StorageFailed, also for a pipe."""
    with reported("read", str(file)), open_file(file) as opened:
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
