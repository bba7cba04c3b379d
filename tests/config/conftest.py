"""A good configuration at the ptys of a simulated table."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from config_file import ConfigFile


@pytest.fixture
def ptys() -> Iterator[dict[str, str]]:
    pairs = [os.openpty(), os.openpty()]
    yield {"shuffler": os.ttyname(pairs[0][1]), "shoe": os.ttyname(pairs[1][1])}
    for pair in pairs:
        for descriptor in pair:
            os.close(descriptor)


@pytest.fixture
def file(tmp_path: Path, ptys: dict[str, str]) -> ConfigFile:
    return ConfigFile(tmp_path / "table.toml", ptys)
