"""The fixtures of these tests: a rig with running devices, whose processes all end with the test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.core.words import Role
from controller.staff import load_staff, save_staff
from simulators.demo.parts import TableParts, part_links, part_sections, plug_parts
from tests.daemon.rig import BADGE, CHIEF, DAY, PINS, Rig
from tests.daemon.warm import Warm


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    with Warm() as warm:
        yield warm


@pytest.fixture
def rig(tmp_path: Path, warm: Warm) -> Iterator[Rig]:
    with Rig(tmp_path, warm=warm) as rig:
        yield rig


@pytest.fixture
def running(rig: Rig) -> Rig:
    """A rig whose controller runs, with every device connected."""
    rig.start()
    rig.connected()
    return rig


@pytest.fixture
def parts(rig: Rig) -> TableParts:
    """The rig's table with lamp, buzzer, key switch and badge reader in its configuration; the chief has a badge."""
    text = rig.config.read_text()
    sections = "\n".join(part_sections(rig.directory))
    rig.config.write_text(text.replace("[journal]", f"{sections}\n\n[journal]", 1))
    path = rig.directory / "staff.toml"
    book = load_staff(path).without(CHIEF, DAY)
    save_staff(book.with_person(CHIEF, f"Person {CHIEF}", Role.CHIEF_SUPERVISOR, PINS[CHIEF], BADGE), path)
    return plug_parts(rig.host, part_links(rig.directory))
