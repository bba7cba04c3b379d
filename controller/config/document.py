"""Reads a TOML file of bounded size. Refuses, with the reason, a file that is missing, too large or not TOML."""

import os
import stat
from pathlib import Path
from typing import Final

from controller.config.problems import ConfigRefused, Problem, Said
from controller.machine.toml_text import NotToml, toml_of, without_waiting
from drivers.errors import system_word

LARGEST_BYTES: Final = 65536


def read_document(path: Path) -> dict[str, object]:
    """Returns the content of a TOML file of at most LARGEST_BYTES. Raises ConfigRefused, also for a pipe or a device at
    `path`.
    """
    try:
        with open(path, "rb", opener=without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise _file_refused(path, "not-ordinary")
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise _file_refused(path, "unreadable", detail=system_word(error)) from error
    if len(content) > LARGEST_BYTES:
        raise _file_refused(path, "too-large", detail=str(LARGEST_BYTES))
    try:
        return toml_of(content)
    except NotToml as error:
        name = "not-utf-8" if error.fault == "no-utf-8" else "not-toml"
        raise _file_refused(path, name, **error.values) from error


def _file_refused(path: Path, name: str, **values: str) -> ConfigRefused:
    wrong, right = (Said(f"config.{part}.file-{name}", tuple(values.items())) for part in ("wrong", "right"))
    return ConfigRefused(path, [Problem("", wrong, right)])
