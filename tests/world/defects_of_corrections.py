"""Defects to be planted in the correction of entries, at any table; each is a patch removed after its test."""

# ruff: noqa: ANN401 - a patch takes whatever the patched function takes

from typing import Any

import pytest

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house import correct_entry
from controller.core.house.registry import Registry
from controller.core.house.worked_out import Hangs
from controller.core.words import TableMs


def differences_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(correct_entry, "differences", lambda _before, _after: ())


def entry_put_right_is_not_worked_out_again(patch: pytest.MonkeyPatch) -> None:
    """The list has the corrected entry, but its consequences stay."""

    def kept(registry: Registry[Any], state: Any, act: Act, _at_ms: TableMs) -> Any:
        again = correct_entry._outcome(registry, state, act)
        log = state.log if isinstance(again, Hangs) else again.log
        return replace(state, log=replace(log, corrected=state.log.corrected + 1))

    patch.setattr(correct_entry, "_corrected", kept)
