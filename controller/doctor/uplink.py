"""The doctor's checks of the uplink's files, if the configuration names a floor."""

import stat
from collections.abc import Iterator
from typing import Final

from controller.config import Config
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import Host

ENABLED: Final = "/etc/systemd/system/multi-user.target.wants/sabot-uplink.service"


def the_uplink_can_carry(host: Host, config: Config) -> Iterator[Finding]:
    """Finds missing files of the uplink, a certificate file that other users can read, and a unit that is not enabled.

    With the key in the certificate file, another program could pose as this table at the floor.
    """
    uplink = config.uplink
    if uplink is None:
        return
    for path in (uplink.authority, uplink.certificate):
        if not path.is_file():
            yield critical("uplink-file-missing", path=str(path))
    if uplink.certificate.is_file() and uplink.certificate.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
        yield critical("uplink-key-open", path=str(uplink.certificate))
    if not host.path(ENABLED).is_symlink() and not host.path(ENABLED).exists():
        yield warning("uplink-unused")


UPLINK_CHECKS: Final[tuple[Check, ...]] = (the_uplink_can_carry,)
