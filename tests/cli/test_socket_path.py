"""The place of the controller's socket, and the directories that are trusted with a PIN."""

import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.machine import socket_path
from controller.machine.socket_path import SocketDirectoryRefused, client_socket, prepare_directory, server_socket


@contextmanager
def listening(path: Path) -> Iterator[None]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        yield


@pytest.fixture(autouse=True)
def no_service(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Hides services and tables of this machine."""
    monkeypatch.setattr(socket_path, "SERVICE_SOCKET", tmp_path / "run" / "control.sock")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))


def test_a_service_listens_in_its_runtime_directory(tmp_path: Path) -> None:
    environment = {"RUNTIME_DIRECTORY": f"{tmp_path}/a:{tmp_path}/b", "XDG_RUNTIME_DIR": "/run/user/7"}
    assert server_socket(environment) == tmp_path / "a" / "control.sock"


def test_a_table_of_a_user_listens_in_the_users_directory(tmp_path: Path) -> None:
    assert server_socket({"XDG_RUNTIME_DIR": "/run/user/7"}) == Path("/run/user/7/sabot/control.sock")
    assert server_socket({}) == tmp_path / f"sabot-{os.geteuid()}" / "control.sock"


def test_a_client_believes_what_it_is_told(tmp_path: Path) -> None:
    assert client_socket({"SABOT_SOCKET": str(tmp_path / "x")}) == tmp_path / "x"


@pytest.mark.waits
def test_a_client_takes_the_first_place_that_has_a_socket(tmp_path: Path) -> None:
    environment = {"XDG_RUNTIME_DIR": str(tmp_path)}
    of_user, of_nobody = server_socket(environment), server_socket({})
    assert client_socket(environment) == of_user
    prepare_directory(of_nobody)
    with listening(of_nobody):
        assert client_socket(environment) == of_nobody
        prepare_directory(of_user)
        with listening(of_user):
            assert client_socket(environment) == of_user
            socket_path.SERVICE_SOCKET.parent.mkdir()
            with listening(socket_path.SERVICE_SOCKET):
                assert client_socket(environment) == socket_path.SERVICE_SOCKET


def test_the_directory_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    path = server_socket({"XDG_RUNTIME_DIR": str(tmp_path / "user")})
    prepare_directory(path)
    prepare_directory(path)
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.waits
def test_a_directory_that_others_can_write_to_is_refused(tmp_path: Path) -> None:
    path = server_socket({})
    path.parent.mkdir(mode=0o700)
    path.parent.chmod(0o777)
    with pytest.raises(SocketDirectoryRefused):
        prepare_directory(path)
    with listening(path), pytest.raises(SocketDirectoryRefused):
        client_socket({})


def test_a_directory_of_somebody_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    path = server_socket({})
    path.parent.mkdir(mode=0o700)
    os.chown(path.parent, 12_345, -1) if os.geteuid() == 0 else monkeypatch.setattr(os, "geteuid", lambda: 12_345)
    with pytest.raises(SocketDirectoryRefused):
        prepare_directory(path)


def test_a_link_in_the_place_of_the_directory_is_refused(tmp_path: Path) -> None:
    path = server_socket({})
    (tmp_path / "real").mkdir(mode=0o700)
    path.parent.symlink_to(tmp_path / "real")
    with pytest.raises(SocketDirectoryRefused):
        prepare_directory(path)
