"""Facts of the controller itself: it started, its journal failed, a person was removed, a duty arose."""

from typing import Any

from controller.core.engine.act import Fact
from controller.core.engine.replacing import replace
from controller.core.house.attendance import people_left
from controller.core.house.duties import look_into
from controller.core.house.facts import (
    ControllerStarted,
    ControllerStopped,
    DutyArose,
    JournalFailed,
    JournalRestored,
    PersonRemoved,
)
from controller.core.house.holds import raise_hold
from controller.core.house.jackpot_acts import entries_lost
from controller.core.house.linked_acts import linked_started
from controller.core.house.pool_export import computer_named
from controller.core.house.registry import FactRule
from controller.core.house.state import StateT, with_devices, with_house, without_links
from controller.core.words import HoldCause, HoldKind, Operation, SessionPhase, TableMs

DAMAGE_SEALED = HoldCause.DAMAGE_SEALED.value
"""The first word of a start's finding that people have sealed off damage in the journal (`sabot journal seal`)."""

BEHIND_MARK = HoldCause.BEHIND_MARK.value
"""The first word of a start's finding: the journal lacks entries that its mark names, and play went on."""

UNSIGNED_ENTRIES = HoldCause.UNSIGNED_ENTRIES.value
"""The first word of a start's finding that two people have seen unsigned entries from another medium."""

IN_DOUBT = (DAMAGE_SEALED, BEHIND_MARK, UNSIGNED_ENTRIES)
"""First words of a start's findings after which the cards are counted, since their movements are uncertain."""

_LOST = ("restored ", "second-copy-taken-over ", "journal-begun-anew ", *IN_DOUBT)
"""Beginnings of findings after which the jackpot is in doubt, since its movements are uncertain."""


def started(state: StateT, event: ControllerStarted, at_ms: TableMs) -> StateT:
    """The state after a start with the setup in `event`: no device is connected, and only the dealer is still signed
    in.

    Holds stay open, an earlier failure of the journal is over, and an open session waits for its devices until
    `devices_due_ms`. Findings of lost entries put the jackpot in doubt.
    """
    gone = tuple(p for p in state.house.present if p.operation is not Operation.TABLE)
    state = people_left(state, gone, at_ms)
    due = None if state.house.session is SessionPhase.CLOSED else TableMs(at_ms + state.setup.parameters.devices_due_ms)
    if any(finding.startswith(_LOST) for finding in event.findings):
        has_jackpot = event.setup.jackpot is not None or state.house.pool is not None
        state = entries_lost(state, at_ms) if has_jackpot else state
    key = event.public_key
    handover = replace(state.house.handover, computer=computer_named(key), key=key)
    house = replace(state.house, start_number=event.start_number, journal_failed=False, handover=handover)
    state = linked_started(replace(state, setup=event.setup, house=house), at_ms)
    return without_links(with_devices(state, devices_due_ms=due))


def journal_failed(state: StateT, event: JournalFailed, at_ms: TableMs) -> StateT:
    failed = with_house(state, journal_failed=True)
    return raise_hold(failed, HoldKind.JOURNAL_FAULT, at_ms, details=(("reason", event.reason),))


def journal_restored(state: StateT, _event: JournalRestored, _at_ms: TableMs) -> StateT:
    return with_house(state, journal_failed=False)


def person_removed(state: StateT, event: PersonRemoved, at_ms: TableMs) -> StateT:
    return people_left(state, tuple(p for p in state.house.present if p.person == event.person), at_ms)


def duty_arose(state: StateT, event: DutyArose, at_ms: TableMs) -> StateT:
    return look_into(state, event.kind, at_ms)


def _noted(state: StateT, _event: Fact, _at_ms: TableMs) -> StateT:
    """Returns the state unchanged: the fact is only recorded."""
    return state


HOUSE_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("controller-stopped", ControllerStopped, _noted),
    FactRule("journal-failed", JournalFailed, journal_failed),
    FactRule("journal-restored", JournalRestored, journal_restored),
    FactRule("person-removed", PersonRemoved, person_removed),
    FactRule("duty-arose", DutyArose, duty_arose),
)
