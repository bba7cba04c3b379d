"""The fixtures of the command line's tests: a socket path and English words."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def english_and_alone(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Sets English, and a socket path of the test's own, so that no controller of this machine is found."""
    monkeypatch.setenv("SABOT_LANGUAGE", "en")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    for name in ("SABOT_SOCKET", "RUNTIME_DIRECTORY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def socket_path(tmp_path: Path) -> Path:
    return tmp_path / "control.sock"
