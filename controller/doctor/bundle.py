"""`sabot doctor --bundle`: an archive with the data of an installation that a maintainer needs to find a fault.

The archive has findings, figures, versions, the unit, the names and sizes of files, and the technician's log, and no
data about a person or a card. A piece that contains a key or the hash of a PIN is left out and named.
"""

import base64
import io
import os
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.doctor.host import Host
from controller.doctor.people import key_files
from controller.staff import StaffRefused, load_staff

COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "kernel": ("uname", "-a"),
    "unit": ("systemctl", "cat", "--no-pager", "sabot.service", "sabot-panel.service", "sabot-uplink.service"),
    "unit-state": ("systemctl", "show", "--no-pager", "sabot.service"),
    "log": ("journalctl", "--no-pager", "-o", "cat", "-n", "5000", "-u", "sabot"),
    "log-panel": ("journalctl", "--no-pager", "-o", "cat", "-n", "1000", "-u", "sabot-panel"),
    "log-uplink": ("journalctl", "--no-pager", "-o", "cat", "-n", "1000", "-u", "sabot-uplink"),
    "log-kernel": ("journalctl", "--no-pager", "-n", "1000", "-k"),
    "packages": ("dpkg-query", "-W", "sabot", "python3", "systemd"),
}
WITHIN_S: Final = 20.0
LONGEST: Final = 8_000_000  # bytes of a piece; of a longer log the end is kept
SHORTEST_SECRET: Final = 8

SYSTEM_FILES: Final = ("/etc/os-release", "/proc/cmdline", "/proc/self/mounts", "/sys/firmware/devicetree/base/model")


def gathered(host: Host, config: Config | None) -> dict[str, bytes]:
    """Returns the data for the archive by the name of each piece: the computer, the configuration, and the journal's
    files.
    """
    found = {name: told for name, command in COMMANDS.items() if (told := _told(command))}
    found |= {f"files{name}": text.encode() for name in SYSTEM_FILES if (text := host.text(name))}
    with suppress(OSError):
        found["table.toml"] = host.config.read_bytes()[:LONGEST]
    if config is not None:
        found["journal-files"] = "\n".join(_listed(config.journal)).encode()
    return found


def without_secrets(pieces: Mapping[str, bytes], secrets: list[bytes]) -> tuple[dict[str, bytes], list[str]]:
    """Returns the pieces that contain none of the secrets, and the sorted names of the pieces left out."""
    clean = {name: data for name, data in pieces.items() if not any(secret in data for secret in secrets)}
    return clean, sorted(pieces.keys() - clean.keys())


def secrets_of(config: Config | None) -> list[bytes]:
    """Returns the texts that must not be in an archive: the table's keys and the hashes of PINs. Returns [] without a
    configuration.

    Each key is included raw and in hexadecimal or base64 digits. Skips texts of less than SHORTEST_SECRET bytes.
    """
    if config is None:
        return []
    found: list[bytes] = []
    for path in key_files(config):
        with suppress(OSError):
            data = path.read_bytes()
            found += [data, data.strip(), data.hex().encode(), base64.b64encode(data)]
            found += [line for line in data.splitlines() if not line.startswith(b"-----")]
    with suppress(StaffRefused):
        found += [one.pin_hash.encode() for one in load_staff(config.staff).people]
    return [secret for secret in found if len(secret) >= SHORTEST_SECRET]


def write_bundle(out: Path, pieces: Mapping[str, bytes]) -> None:
    """Writes the pieces to a new tar.gz file that only its owner can read. Raises OSError, also if `out` exists."""
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file, tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, data in pieces.items():
            member = tarfile.TarInfo(f"sabot-support/{name.lstrip('/')}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))


def _told(command: tuple[str, ...]) -> bytes:
    """Returns the last LONGEST bytes of a command's output. Returns b"" if the program is missing or takes too long."""
    with suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, timeout=WITHIN_S, check=False)  # noqa: S603 - fixed words
        return done.stdout[-LONGEST:]
    return b""


def _listed(journal: Path) -> Iterator[str]:
    """Yields a line with size and name of each file of the journal. The size of a file of seals reveals nothing about a
    card.
    """
    with suppress(OSError):
        for path in sorted(journal.iterdir()):
            yield f"{path.stat().st_size:12} {path.name}"
