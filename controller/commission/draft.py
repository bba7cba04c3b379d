"""The draft of a configuration: a file beside the final configuration, which stores every answer so far for a later
run.
"""

import json
import os
from pathlib import Path
from typing import Final, TypeAlias

from controller.config import Config, read_config
from controller.config.document import read_document
from controller.config.keys import KEYS, SECTIONS, Key, Wrong
from controller.config.law import check_rules
from controller.config.ports import check_ports
from controller.config.problems import ConfigRefused, Problem
from controller.config.shape import check_shape
from controller.journal.storage import write_whole

Answer: TypeAlias = str | int | bool | list[str]

_ROW: Final = {key.path: key for key in KEYS}
MODE: Final = 0o640


class Draft:
    """The answers so far for the configuration at `path`. The constructor reads the answers from the draft's file, or
    from the configuration itself if there is no draft. The constructor raises ConfigRefused, OSError.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.draft = path.with_name(path.name + ".draft")
        begun = next((one for one in (self.draft, path) if one.exists()), None)
        self.begun = begun
        """The file of an earlier run, whose answers this run uses; None for the first run."""
        self._document = {} if begun is None else read_document(begun)

    def get(self, key: str) -> object:
        """Returns the answer to `key`, or None if `key` has no answer yet."""
        section, _, name = key.rpartition(".")
        return self._section(section).get(name)

    def has_section(self, section: str) -> bool:
        return bool(self._section(section))

    def answers(self, section: str) -> dict[str, object]:
        """Returns all answers of a section by name."""
        return dict(self._section(section))

    def answered(self) -> list[str]:
        """Returns the keys that have an answer, section by section."""
        return [f"{section}.{name}" for section in SECTIONS for name in self._section(section)]

    def put(self, key: str, answer: Answer) -> None:
        """Sets the answer to `key` and writes the draft's file. Raises OSError."""
        self._table(key.rpartition(".")[0])[key.rpartition(".")[2]] = answer
        self._write(self.draft)

    def take_back(self, key: str) -> None:
        """Removes the answer to `key` and writes the draft's file. For a device's port removes all answers of its
        section. Raises OSError.
        """
        section, _, name = key.rpartition(".")
        if name == "port":
            self._table(section).clear()
        self._table(section).pop(name, None)
        self._write(self.draft)

    def problems(self, key: str) -> list[Problem]:
        """Returns the problems with the answer to `key`: a wrong type, a broken rule, or a port that is missing or in
        use twice.
        """
        well_formed, problems = check_shape(self._document)
        problems += check_rules(well_formed)
        problems += check_ports(well_formed, ports_may_be_missing=False)
        return [one for one in problems if one.key == key]

    def config(self) -> Config:
        """Returns the draft as a checked configuration. Raises ConfigRefused."""
        return read_config(self.draft if self.draft.exists() else self.path, ports_may_be_missing=True)

    def finish(self) -> None:
        """Checks the draft and moves the whole file to the configuration's place. Raises ConfigRefused, OSError."""
        self.config()
        self._write(self.draft)
        self.draft.replace(self.path)

    # ---- within

    def _section(self, section: str) -> dict[str, object]:
        found: object = self._document
        for name in section.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        return found if isinstance(found, dict) else {}

    def _table(self, section: str) -> dict[str, object]:
        """Returns the section's table in the document, and adds it if missing. Raises ConfigRefused if another value is
        there.
        """
        table = self._document
        for name in section.split("."):
            inner = table.setdefault(name, {})
            if not isinstance(inner, dict):
                raise ConfigRefused(self.path, check_shape(self._document)[1])
            table = inner
        return table

    def _write(self, place: Path) -> None:
        write_whole(place, self.text().encode("ascii"))
        place.chmod(MODE)
        if os.geteuid() == 0:
            os.chown(place, 0, place.parent.stat().st_gid)

    def text(self) -> str:
        """Returns the draft's TOML in ASCII, with sections and keys in their usual order. Raises ConfigRefused for an
        unknown key.
        """
        lines: list[str] = []
        for section in SECTIONS:
            values = self._section(section)
            if not values:
                continue
            usual = [key.name for key in KEYS if key.section == section]
            if not values.keys() <= {*usual}:  # an unknown key is not lost in silence
                raise ConfigRefused(self.path, check_shape(self._document)[1])
            lines += ["" if lines else f"# {self.path.name}", f"[{section}]"]
            lines += [f"{name} = {_toml(values[name])}" for name in sorted(values, key=usual.index)]
        return "\n".join(lines) + "\n"


def read_answer(key: str, text: str) -> Answer:
    """Returns the typed text as the value of `key`: an int or a bool if the key accepts one, else the text itself."""
    row: Key = _ROW[key]
    if text.isdecimal() and not isinstance(row.read(int(text)), Wrong):
        return int(text)
    if text in ("true", "false") and not isinstance(row.read(text == "true"), Wrong):
        return text == "true"
    return text


def _toml(value: object) -> str:
    """Returns the value in TOML. The JSON form of numbers, flags, lists and printable texts is valid TOML."""
    return json.dumps(value)
