"""The table that most tests of the core begin with."""

import pytest

from tests.core.table import CoreTable


@pytest.fixture
def table() -> CoreTable:
    """In play: connected, loaded, one card burnt."""
    table = CoreTable()
    table.open()
    return table
