"""The digest of the rules that an open session is bound to: every file of the core is part of it, in every room."""

import shutil
from pathlib import Path

import pytest

from controller import core
from controller.config.profile_file import law
from controller.daemon.rules import rules_digest


@pytest.mark.parametrize("name", ["decide.py", "guards/people.py", "effects/corrections.py"])
def test_a_change_anywhere_in_the_core_is_another_digest(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = law("pt-csm")
    before = rules_digest(profile)
    copy = shutil.copytree(next(iter(core.__path__)), tmp_path / "core")
    monkeypatch.setattr(core, "__path__", [str(copy)])
    assert rules_digest(profile) == before
    with (copy / name).open("a") as file:
        file.write("\n")
    assert rules_digest(profile) != before
