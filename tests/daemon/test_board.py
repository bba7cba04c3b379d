"""The controller sees the firmware's report of undervoltage in both places where a Raspberry Pi's kernel shows it."""

from pathlib import Path

import pytest

from controller.daemon.board import read_undervoltage
from controller.screen.surroundings import Undervoltage


def throttled(sysfs: Path, text: str) -> None:
    path = sysfs / "devices/platform/soc/soc:firmware/get_throttled"
    path.parent.mkdir(parents=True)
    path.write_text(text)


def alarm(sysfs: Path, number: int, name: str, text: str) -> None:
    directory = sysfs / f"class/hwmon/hwmon{number}"
    directory.mkdir(parents=True)
    (directory / "name").write_text(name + "\n")
    (directory / "in0_lcrit_alarm").write_text(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0\n", Undervoltage.NO),
        ("50005\n", Undervoltage.NOW),
        ("50000\n", Undervoltage.EARLIER),
        ("e0008\n", Undervoltage.NO),
        ("", Undervoltage.UNKNOWN),
        ("nonsense", Undervoltage.UNKNOWN),
    ],
)
def test_the_firmware_s_flags(tmp_path: Path, text: str, found: Undervoltage) -> None:
    throttled(tmp_path, text)
    assert read_undervoltage(tmp_path) is found


@pytest.mark.parametrize(("text", "found"), [("0\n", Undervoltage.NO), ("1\n", Undervoltage.NOW)])
def test_the_sensor_of_a_newer_kernel(tmp_path: Path, text: str, found: Undervoltage) -> None:
    alarm(tmp_path, 0, "other", "1\n")
    alarm(tmp_path, 3, "rpi_volt", text)
    assert read_undervoltage(tmp_path) is found


def test_a_computer_that_cannot_tell(tmp_path: Path) -> None:
    alarm(tmp_path, 0, "acpi", "1\n")
    assert read_undervoltage(tmp_path) is Undervoltage.UNKNOWN
    assert read_undervoltage(tmp_path / "nothing") is Undervoltage.UNKNOWN
