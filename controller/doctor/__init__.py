"""`sabot doctor`: what is wrong with an installation, each finding with its remedy. It reads and changes nothing

but a file of its own beside the journal, which it writes to see how long the medium takes.
"""

from collections.abc import Iterator
from typing import Final

from controller.config import Config, ConfigRefused, read_config
from controller.doctor.computer import COMPUTER_CHECKS
from controller.doctor.devices import DEVICE_CHECKS
from controller.doctor.finding import Check, Finding, Grade
from controller.doctor.host import Host
from controller.doctor.medium import MEDIUM_CHECKS
from controller.doctor.people import PEOPLE_CHECKS, config_file_findings
from controller.doctor.service import SERVICE_CHECKS

CHECKS: Final[tuple[Check, ...]] = (
    *DEVICE_CHECKS,
    *MEDIUM_CHECKS,
    *PEOPLE_CHECKS,
    *COMPUTER_CHECKS,
    *SERVICE_CHECKS,
)


def examine(host: Host) -> Iterator[Finding]:
    """Every finding. A configuration that cannot be read ends it after what does not need one."""
    yield from config_file_findings(host)
    try:
        config = read_config(host.config, ports_may_be_missing=True)
    except ConfigRefused as refused:
        yield Finding("config", Grade.CRITICAL, (("file", str(host.config)), ("errors", str(len(refused.problems)))))
        return
    for check in CHECKS:
        yield from check(host, config)


__all__ = ["CHECKS", "Check", "Config", "Finding", "Grade", "Host", "examine"]
