"""The scripted table of these tests ends without an error, however its clients leave."""

import select
import socket
from pathlib import Path

import pytest

from controller.core.games.blackjack.state import initial_state
from tests.core.table import SETUP
from tests.daemon.rig import WITHIN_S
from tests.panel.desk import status
from tests.panel.scripted import ScriptedTable

pytestmark = pytest.mark.waits


def test_a_client_that_leaves_an_answer_unread_fails_nothing(tmp_path: Path) -> None:
    """A client leaves with an unread answer, and the table gets a reset connection: its thread must not fail."""
    table = ScriptedTable(tmp_path / "control.sock", status("closed"), initial_state(SETUP), {"person": 11})
    with table, socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(str(table.socket))
        client.sendall(b'{"id": 1, "do": "status"}\n')
        assert select.select([client], [], [], WITHIN_S)[0]
