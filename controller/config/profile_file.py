"""Reads profiles: the law's, which come with the program, and a casino's own, which names the law's that it keeps.

A casino's file has `name`, `derived_from` and in `[parameters]` the values that it chooses. What the law does not
leave open is refused with the clause, every problem at once.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

from controller import profiles
from controller.config.document import read_document
from controller.config.problems import ConfigRefused, Problem, Said, did_you_mean
from controller.config.problems import shown as quoted
from controller.config.profile import PROFILES, TYPES, Limit, Open, Parameter, Profile, Value, shown

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_LIMITS: Final = ("decks", "seats", "maximum_bet_multiple")


@cache
def law(name: str) -> Profile:
    """The law's profile of this name. Raises KeyError for another name, ConfigRefused for a broken file."""
    if name not in PROFILES:
        raise KeyError(name)
    with resources.as_file(resources.files(profiles).joinpath(f"{name}.toml")) as path:
        return read_law(path)


def read_law(path: Path) -> Profile:
    """A whole profile: every parameter, and no other. Raises ConfigRefused with every problem."""
    document = read_document(path)
    limits, parameters, problems = [], [], []
    for name, row in _table(document, "limits").items():
        limit = _limit(name, row)
        (problems if isinstance(limit, Problem) else limits).append(limit)  # type: ignore[arg-type]
    for name, row in _table(document, "parameters").items():
        parameter = _parameter(name, row)
        (problems if isinstance(parameter, Problem) else parameters).append(parameter)  # type: ignore[arg-type]
    return Profile("", "", tuple(limits), tuple(parameters))
