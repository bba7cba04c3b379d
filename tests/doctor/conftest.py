"""What the tests of `sabot doctor` get: English words."""

import pytest


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", "en")
