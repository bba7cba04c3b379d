"""Defects to be planted in the correction of entries, at any table; each is a patch removed after its test."""

import pytest

from controller.core.house import correct_entry
from controller.core.house.worked_out import Worked


def differences_are_forgotten(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(correct_entry, "differences", lambda _before, _after: ())


def entry_put_right_is_not_worked_out_again(patch: pytest.MonkeyPatch) -> None:
    """The list has the corrected entry, but its consequences stay."""
    patch.setattr(correct_entry, "again_by", lambda _registry, state, log, _meant: Worked(state, log))
