"""Checks the shape of a configuration: sections and keys must be known, and values of the right type."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from controller.config.keys import (
    KEYS,
    REQUIRED_SECTIONS,
    SECTIONS,
    Key,
    Value,
    Wrong,
    wrong_type,
)
from controller.config.problems import Problem, Said, did_you_mean, shown
from controller.config.profile import GAME_OF

T = TypeVar("T")


class WellFormed(Struct, frozen=True, gc=False):
    """The well-formed values of a configuration by key, with defaults. `absent`: the sections left out of the file."""

    values: Mapping[str, Value]
    absent: tuple[str, ...]

    def has(self, keys: Sequence[str]) -> bool:
        """True if each of the keys has a well-formed value or a default. The default may be None."""
        return all(key in self.values for key in keys)

    def take(self, key: str, kind: type[T]) -> T:
        """Returns the value of `key`. Raises KeyError if `key` has no value, and TypeError if the value is not of the
        type `kind`.
        """
        value = self.values[key]
        if not isinstance(value, kind):
            raise TypeError(key)
        return value

    def option(self, key: str, kind: type[T]) -> T | None:
        """Returns the value of `key`, or None if the file lacks this key or its section. Raises TypeError if the value
        is not a `kind`.
        """
        return None if self.values.get(key) is None else self.take(key, kind)


def check_shape(document: Mapping[str, object]) -> tuple[WellFormed, list[Problem]]:
    """Returns the well-formed values of a document, and every problem of its shape."""
    problems = _unknown_sections(document)
    values: dict[str, Value] = {}
    absent = []
    for section in (section for section in SECTIONS if _is_whole(document, section)):
        found = _section(document, section)
        if isinstance(found, dict):
            problems += _check_section(section, found, values)
        elif found is not None or section in REQUIRED_SECTIONS:
            problems.append(_no_section(section, found))
        else:
            absent.append(section)
            values |= _defaults(section)
    return WellFormed(values, tuple(absent)), problems


def _section(document: Mapping[str, object], section: str) -> object:
    """Returns the value of a section, such as `devices.shoe`, in the document. Returns None if the document lacks the
    section.
    """
    found: object = document
    for name in section.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _is_whole(document: Mapping[str, object], section: str) -> bool:
    """True unless the section is below `devices` and `devices` itself is not a table. The fault of `devices` is then
    reported once, not for each section.
    """
    return not section.startswith("devices.") or isinstance(document.get("devices", {}), dict)


def _defaults(section: str) -> dict[str, Value]:
    if section.startswith("devices."):
        return {}  # a device that is left out has no values
    return {key.path: key.default for key in KEYS if key.section == section and not key.required}


def _no_section(section: str, found: object) -> Problem:
    wrong = Said("config.wrong.section-missing") if found is None else wrong_type(found).wrong
    return Problem(section, wrong, Said("config.right.section", (("section", section),)))


def _check_section(section: str, found: Mapping[str, object], values: dict[str, Value]) -> list[Problem]:
    problems = []
    rows = [key for key in KEYS if key.section == section]
    for key in rows:
        problem = _check_key(key, found, values)
        if problem is not None:
            problems.append(problem)
    known = [key.name for key in rows]
    problems += [_unknown(f"{section}.{name}", name, known) for name in found if name not in known]
    return problems


def _check_key(key: Key, found: Mapping[str, object], values: dict[str, Value]) -> Problem | None:
    if key.name not in found:
        game = GAME_OF.get(str(found.get("profile")))
        if game is not None and game in key.otherwise:
            values[key.path] = key.otherwise[game]
            return None
        if key.required:
            return Problem(key.path, Said("config.wrong.missing"), key.right)
        values[key.path] = key.default
        return None
    value = key.read(found[key.name])
    if isinstance(value, Wrong):
        return Problem(key.path, value.wrong, value.right or key.right)
    values[key.path] = value
    return None


def _unknown_sections(document: Mapping[str, object]) -> list[Problem]:
    tops = list(dict.fromkeys(section.split(".")[0] for section in SECTIONS))
    problems = [_unknown(name, name, tops) for name in document if name not in tops]
    devices = document.get("devices", {})
    of_devices = [section for section in SECTIONS if section.startswith("devices.")]
    if not isinstance(devices, dict):
        right = Said("config.right.device-sections", (("sections", ", ".join(f"[{one}]" for one in of_devices)),))
        return [*problems, Problem("devices", wrong_type(devices).wrong, right)]
    kinds = [section.split(".")[1] for section in of_devices]
    return problems + [_unknown(f"devices.{name}", name, kinds) for name in devices if name not in kinds]


def _unknown(path: str, name: str, known: Sequence[str]) -> Problem:
    key = "".join(char if char.isprintable() else "?" for char in path[:120])
    return Problem(key, Said("config.wrong.unknown", (("name", shown(name)),)), did_you_mean(name, known))
