"""A rig for each test, with its devices running; whatever the test leaves is ended."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.daemon.rig import Rig
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
    """A rig whose controller runs, every device connected."""
    rig.start()
    rig.connected()
    return rig
