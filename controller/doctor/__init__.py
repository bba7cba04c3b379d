"""`sabot doctor`: lists the faults of an installation, each with its remedy. The doctor changes no file of the
installation.

To measure the speed of the journal's medium, it writes a file of its own and deletes it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.config import Config, ConfigRefused, read_config
from controller.doctor.computer import COMPUTER_CHECKS
from controller.doctor.descriptors import DESCRIPTOR_CHECKS
from controller.doctor.devices import DEVICE_CHECKS
from controller.doctor.finding import Check, Finding, Grade, critical
from controller.doctor.host import Host
from controller.doctor.medium import MEDIUM_CHECKS
from controller.doctor.people import PEOPLE_CHECKS, config_file_findings
from controller.doctor.service import SERVICE_CHECKS
from controller.doctor.uplink import UPLINK_CHECKS

CHECKS: Final[tuple[Check, ...]] = (
    *DEVICE_CHECKS,
    *MEDIUM_CHECKS,
    *PEOPLE_CHECKS,
    *COMPUTER_CHECKS,
    *SERVICE_CHECKS,
    *DESCRIPTOR_CHECKS,
    *UPLINK_CHECKS,
)


def examine(host: Host) -> Iterator[Finding]:
    """Yields every finding of an installation. If the configuration cannot be used, yields a finding about that, and
    the findings that need no configuration.
    """
    yield from config_file_findings(host)
    try:
        config = read_config(host.config, ports_may_be_missing=True)
    except ConfigRefused as refused:
        yield _unusable(host.config, refused)
        return
    for check in CHECKS:
        yield from check(host, config)


def _unusable(file: Path, refused: ConfigRefused) -> Finding:
    if _is_gone(file):
        return critical("config-missing", file=str(file))
    return critical("config", file=str(file), errors=str(len(refused.problems)))


def _is_gone(file: Path) -> bool:
    try:
        file.stat()
    except FileNotFoundError:
        return True
    except OSError:  # the file may exist; the configuration's errors give the reason
        return False
    return False


__all__ = ["CHECKS", "Check", "Config", "Finding", "Grade", "Host", "examine"]
