"""Reads the badges of the people whom a commissioning adds, at the table's own reader."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from controller.config import Config, PartConfig, PartKind
from controller.daemon.parts import part_opener
from controller.doctor.hands_on import ANSWERS_WITHIN_S
from drivers.badge import BadgeReader
from drivers.parts import PartSupervisor
from drivers.running import Running


def reader_of(config: Config) -> PartConfig | None:
    """Returns the table's badge reader; None if the table has no badge reader."""
    return next((part for part in config.parts if part.kind is PartKind.BADGE_READER), None)


@contextmanager
def reading(config: Config, part: PartConfig, is_read: Callable[[str], None]) -> Iterator[Running | None]:
    """A context in which `is_read` is called, in another thread, with the number of each badge that is held to the
    reader. The context's value is None if the reader does not open.
    """
    reader = BadgeReader()
    supervisor = PartSupervisor(part.kind.value, reader)

    def look(_now_s: float) -> None:
        for number in reader.shown():
            is_read(number)

    with Running(supervisor, part_opener(config, part), look) as running:
        running.until(lambda: supervisor.connected or supervisor.trouble is not None, ANSWERS_WITHIN_S)
        yield running if supervisor.connected else None
