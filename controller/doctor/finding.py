"""A finding: the result of a check."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum, unique
from typing import TypeAlias

from controller.config import Config
from controller.doctor.host import Host


@unique
class Grade(IntEnum):
    """The severity of a finding.

    The number of the worst finding is the exit code, which monitoring plugins understand.
    """

    WARNING = 1  # the table runs, with a cost later
    CRITICAL = 2  # the table does not run, or must not


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault: its words are under `doctor.found` and `doctor.remedy`."""

    key: str
    grade: Grade
    values: tuple[tuple[str, str], ...] = ()


Check: TypeAlias = Callable[[Host, Config], Iterator[Finding]]


def critical(key: str, **values: str) -> Finding:
    return Finding(key, Grade.CRITICAL, tuple(values.items()))


def warning(key: str, **values: str) -> Finding:
    return Finding(key, Grade.WARNING, tuple(values.items()))
