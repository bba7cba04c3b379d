"""The fixtures of the tests of `sabot doctor`: English words."""

import pytest


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", "en")
