"""Reads one TOML file whole: bounded, and every way in which it is no document said in words."""

import tomllib
from pathlib import Path
from typing import Final

from controller.config.problems import ConfigRefused, Problem, Said

LARGEST_BYTES: Final = 65536


def read_document(path: Path) -> dict[str, object]:
    """What stands in the file. Raises ConfigRefused."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
    except OSError as error:
        raise _file_refused(path, "unreadable", error.strerror or type(error).__name__) from error
    if len(content) > LARGEST_BYTES:
        raise _file_refused(path, "too-large", str(LARGEST_BYTES))
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise _file_refused(path, "not-utf-8", str(error.start)) from error
    except ValueError as error:
        raise _file_refused(path, "not-toml", str(error)) from error
    except RecursionError as error:
        raise _file_refused(path, "not-toml", "…") from error


def _file_refused(path: Path, name: str, detail: str) -> ConfigRefused:
    wrong = Said(f"config.wrong.file-{name}", (("detail", detail),))
    return ConfigRefused(path, [Problem("", wrong, Said(f"config.right.file-{name}", (("detail", detail),)))])
