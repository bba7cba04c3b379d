"""What the command line's tests get: a socket path, English words, and nothing left behind."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def english_and_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """No controller of this machine is found by chance, and no thread is left."""
    monkeypatch.setenv("SABOT_LANGUAGE", "en")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for name in ("SABOT_SOCKET", "RUNTIME_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)
    before = set(threading.enumerate())
    yield
    assert set(threading.enumerate()) <= before, "threads left running"


@pytest.fixture
def socket_path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"
