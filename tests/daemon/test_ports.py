"""The controller accepts no pty as a real table's port, even one that replaces the port after the check."""

import os
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from controller.config import Config, DeviceConfig, read_config
from controller.core.words import Device
from controller.daemon.devices import port_opener
from drivers.errors import PortRefused
from tests.daemon.rig import Rig

pytestmark = pytest.mark.waits


@pytest.fixture
def pty() -> Iterator[str]:
    far_end, near_end = os.openpty()
    yield os.ttyname(near_end)
    os.close(far_end)
    os.close(near_end)


def config(rig: Rig, *, simulated: bool) -> Config:
    found = read_config(rig.config)
    return replace(found, table=replace(found.table, simulated=simulated))


def device(found: Config, port: str) -> DeviceConfig:
    shuffler = found.device(Device.SHUFFLER)
    assert shuffler is not None
    return replace(shuffler, port=port)


def test_a_real_table_opens_no_pty(rig: Rig, pty: str) -> None:
    found = config(rig, simulated=False)
    with pytest.raises(PortRefused):
        port_opener(found, device(found, pty))()


def test_a_simulated_table_does(rig: Rig, pty: str) -> None:
    found = config(rig, simulated=True)
    port_opener(found, device(found, pty))().close()
