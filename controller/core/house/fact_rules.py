"""Facts at every table: one row per fact."""

from typing import Any

from controller.core.engine.fact import Fact
from controller.core.house import controller_facts as controller
from controller.core.house import facts as e
from controller.core.house.registry import FactRule
from controller.core.house.state import StateT
from controller.core.words import TableMs


def _noted(state: StateT, _event: Fact, _at_ms: TableMs) -> StateT:
    """Recorded, and changes nothing."""
    return state


HOUSE_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("controller-stopped", e.ControllerStopped, _noted),
    FactRule("journal-failed", e.JournalFailed, controller.journal_failed),
    FactRule("journal-restored", e.JournalRestored, controller.journal_restored),
    FactRule("person-removed", e.PersonRemoved, controller.person_removed),
    FactRule("duty-arose", e.DutyArose, controller.duty_arose),
)

PLAIN_STARTED: FactRule[Any, Any] = FactRule("controller-started", e.ControllerStarted, controller.started)
"""Of a table without cards: with cards, what lies on the table is in doubt, too."""
