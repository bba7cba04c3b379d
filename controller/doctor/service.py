"""The doctor's checks of the installed systemd unit and of the program's files."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from typing import Final

from controller.config import Config
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import USER, Host

UNIT: Final = "sabot"
PACKAGED: Final = "/usr/lib/systemd/system/{}.service"
OVERRIDING: Final = "/etc/systemd/system/{}.service"
DROP_INS: Final = "/etc/systemd/system/{}.service.d/*.conf"

HARDENED: Final = {
    "User": USER,
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "DevicePolicy": "closed",
    "MemoryDenyWriteExecute": "yes",
    "LimitCORE": "1",
}
"""Settings that no drop-in may loosen; the network's are not among them, since a serial server needs the network."""

VERIFY_WITHIN_S: Final = 60.0


def unit_text(host: Host, name: str = UNIT) -> str:
    """Returns the unit's text and then its drop-ins, in systemd's order. The last of a repeated setting counts."""
    unit = host.text(OVERRIDING.format(name)) or host.text(PACKAGED.format(name))
    return "\n".join((unit, *(path.read_text("utf-8", "replace") for path in host.files(DROP_INS.format(name)))))


def the_unit_is_hardened(host: Host, _config: Config) -> Iterator[Finding]:
    overriding = OVERRIDING.format(UNIT)
    if not host.path(PACKAGED.format(UNIT)).exists() and not host.path(overriding).exists():
        yield critical("unit-missing")
        return
    if host.path(overriding).exists():
        yield warning("unit-overridden", file=overriding)
    text = unit_text(host)
    for key, wanted in HARDENED.items():
        values = re.findall(rf"^{key}=(.*)$", text, re.MULTILINE)
        if not values or values[-1].strip() != wanted:
            yield critical("unit-loose", setting=key, wanted=wanted, found=values[-1] if values else "-")


def the_program_is_as_delivered(host: Host, _config: Config) -> Iterator[Finding]:
    """Finds files of the program that differ from the Debian package's digests.

    Finds nothing if no package installed the program.
    """
    dpkg = shutil.which("dpkg")
    if dpkg is None or not host.files("/var/lib/dpkg/info/sabot.md5sums"):
        return
    command = (dpkg, f"--root={host.root}", "--verify", "sabot")
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=VERIFY_WITHIN_S, check=False).stdout  # noqa: S603 - fixed words
    except subprocess.TimeoutExpired:
        return
    files = (line.split()[-1] for line in told.splitlines())
    if changed := [file for file in files if not file.startswith(_NO_PROGRAM)]:
        yield critical("program-changed", count=str(len(changed)), file=changed[0])


_NO_PROGRAM: Final = ("/usr/share/man", "/usr/share/doc")
"""The directories of the manual, which a memory card does without."""

SERVICE_CHECKS: Final[tuple[Check, ...]] = (the_unit_is_hardened, the_program_is_as_delivered)
