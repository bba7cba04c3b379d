"""A demo whose panel would have no port says so, and does not begin without its page."""

import socket

import pytest

from simulators.cli import main

pytestmark = pytest.mark.waits


def test_a_port_that_another_program_uses_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["demo", "--rounds", "1", "--panel-port", port]) == 2
    assert port in capsys.readouterr().err
