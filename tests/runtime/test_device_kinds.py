"""The tables of device kinds have the same kinds: production, core, drivers and simulators."""

from typing import get_args

from controller.config.profile import GameName
from controller.core.house.state import KNOWN_AS, Devices, Known
from controller.core.words import Device
from controller.devices.device_kinds import KINDS, TDP_KINDS, device_of
from controller.devices.translate import TELLINGS
from controller.games import roulette
from controller.games.intake import Intake
from controller.runtime.game import game_named
from drivers.events import DriverEvent
from firmware_protocols.tdp.schema import DeviceKind
from simulators import device_kinds as simulated
from tests.runtime.bench import Bench


def test_each_kind_has_its_row_in_every_table() -> None:
    assert list(KINDS) == list(simulated.KINDS) == list(KNOWN_AS) == list(Device)


def test_each_kind_on_the_wire_has_its_row() -> None:
    assert {device_of(kind) for kind in (*DeviceKind, None)} == set(Device)
    assert list(TDP_KINDS) == list(DeviceKind)


def test_what_is_known_of_each_kind_stands_in_the_state() -> None:
    assert all(isinstance(getattr(Devices(), field), Known) for field in KNOWN_AS.values())


def test_a_simulated_device_speaks_every_wire_of_its_kind() -> None:
    assert {device: set(row.protocols) for device, row in KINDS.items()} == {
        device: set(row.wires) for device, row in simulated.KINDS.items()
    }


def test_what_each_kind_tells_is_told_as_facts() -> None:
    assert {row.tdp.schema.status.made for row in KINDS.values() if row.tdp} <= {*TELLINGS, *roulette.TELLINGS}


def test_what_the_core_wants_of_a_kind_its_driver_can_be_told() -> None:
    told = {rule.device for name in GameName for rule in game_named(name).registry.devices}
    assert told == {device for device, row in KINDS.items() if row.wish is not None}
    assert told == {device for device, row in KINDS.items() if row.tdp and row.tdp.guidance is not None}


def test_each_event_of_a_driver_has_its_row_in_the_intake() -> None:
    assert set(Intake(Bench().runtime._side._faces)._takes) == set(get_args(DriverEvent))
