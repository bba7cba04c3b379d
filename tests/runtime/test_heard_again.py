"""A device's status with known figures is no fact; the first status with other figures is one."""

import pytest

from controller.core.house.facts import SlotsChanged, SlotsStatus, SlotsStatusHeard
from controller.core.house.state import with_slots
from controller.core.words import Device, TableMs
from controller.games.intake import Intake
from drivers.events import CommandRefused, DriverEvent, Reported, StatusHeard
from firmware_protocols.tdp import slots
from firmware_protocols.tdp.common import PlainResult
from tests.core.table import CoreTable
from tests.runtime.bench import Bench

ONE_LIES, TWO_LIE = slots.SlotsStatus(chips=0b1), slots.SlotsStatus(chips=0b11)


def refused(status: slots.SlotsStatus) -> CommandRefused:
    return CommandRefused(slots.SlotsApply(1), PlainResult.BAD_COMMAND, status)


@pytest.mark.parametrize(
    ("event", "fact"),
    [
        (StatusHeard(ONE_LIES), type(None)),
        (StatusHeard(TWO_LIE), SlotsStatusHeard),
        (refused(ONE_LIES), type(None)),
        (refused(TWO_LIE), SlotsStatusHeard),
        (Reported(1, 9, slots.SlotsChanged(), ONE_LIES), SlotsChanged),  # it has happened, whatever it leaves
    ],
)
def test_what_is_known_is_told_once(event: DriverEvent, fact: type) -> None:
    state = with_slots(CoreTable().state, status=SlotsStatus((1,)))
    intake = Intake(Bench().runtime._side._faces)
    assert type(intake.fact(Device.JACKPOT_SLOTS, event, state, state, TableMs(0))) is fact
