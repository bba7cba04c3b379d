"""A finding of the doctor: a fault, with its severity."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum, unique
from typing import TypeAlias

from controller.config import Config
from controller.doctor.host import Host


@unique
class Grade(IntEnum):
    """The severity of a finding. The exit code is the highest severity found, as monitoring plugins expect it."""

    WARNING = 1  # the table runs, with a cost later
    CRITICAL = 2  # the table does not run, or must not


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault. The catalogue has its sentences under `doctor.found.<key>` and `doctor.remedy.<key>`."""

    key: str
    grade: Grade
    values: tuple[tuple[str, str], ...] = ()


Check: TypeAlias = Callable[[Host, Config], Iterator[Finding]]


def critical(key: str, **values: str) -> Finding:
    return Finding(key, Grade.CRITICAL, tuple(values.items()))


def warning(key: str, **values: str) -> Finding:
    return Finding(key, Grade.WARNING, tuple(values.items()))
