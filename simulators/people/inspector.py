"""The table inspector: cuts when no player will (pt.bj.8d, br.prep.4b); rules where he is named for it (br.staff.3)."""

from controller.core.words import HoldKind, Role
from simulators.people.corrections import rule
from simulators.people.doing import Doing, View


def inspect(view: View) -> Doing:
    """The next thing for the table inspector."""
    is_to_rule = any(hold.kind is HoldKind.RULING and hold.recorded for hold in view.status.holds)
    return rule(view, Role.TABLE_INSPECTOR) if is_to_rule else None
