"""The fixture of driver tests: a serial line made of a pty."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ptys import PtyLine


@pytest.fixture
def line(tmp_path: Path) -> Iterator[PtyLine]:
    line = PtyLine(tmp_path / "ttyTEST")
    yield line
    line.unplug()
