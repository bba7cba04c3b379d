"""The table with which most tests of the core begin."""

import pytest

from tests.core.table import CoreTable


@pytest.fixture
def table() -> CoreTable:
    """Makes a table in play: connected, loaded, one card burnt."""
    table = CoreTable()
    table.open()
    return table
