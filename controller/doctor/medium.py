"""The doctor's checks of the journal's medium.

The medium must keep its content, have room and be fast, and the second copy must be on another medium.
"""

import os
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Final

from controller.config import Config
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import Host
from controller.doctor.service import unit_text
from controller.journal.errors import SigningKeyRefused
from controller.journal.signing import known_path, public_path, read_public_key

FORGETFUL: Final = ("overlay", "tmpfs", "ramfs", "aufs", "squashfs")
"""File systems that lose their content at a restart, or whose lower layer is read-only (the root of an image)."""

DAY_BYTES: Final = 38_000_000
"""The journal's bytes for a day of 16 hours, 60 rounds an hour, seven players (measured, systemd/README.md)."""

FEW_DAYS, TOO_FEW_DAYS = 60, 3
SLOW_S, TOO_SLOW_S = 0.1, 1.0
SYNCS: Final = 9


def the_journal_lasts(host: Host, config: Config) -> Iterator[Finding]:
    mount = host.mount_of(config.journal)
    if mount is None:
        return
    if mount.kind in FORGETFUL:
        yield critical("medium-forgets", path=str(config.journal), kind=mount.kind)
    if "ro" in mount.options:
        yield critical("medium-read-only", path=str(config.journal))


def the_state_is_ours_alone(host: Host, config: Config) -> Iterator[Finding]:
    state, account = config.journal.parent, host.account()
    if not state.is_dir():
        yield critical("state-missing", path=str(state))
        return
    found = state.stat()
    if account is not None and found.st_uid != account.uid:
        yield critical("state-of-another", path=str(state))
    if found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        yield critical("state-open", path=str(state))


def there_is_room(_host: Host, config: Config) -> Iterator[Finding]:
    if not config.journal.parent.is_dir():
        return
    free = os.statvfs(config.journal.parent)
    days = free.f_bavail * free.f_frsize // DAY_BYTES
    if days < TOO_FEW_DAYS:
        yield critical("no-room", path=str(config.journal.parent), days=str(days))
    elif days < FEW_DAYS:
        yield warning("little-room", path=str(config.journal.parent), days=str(days))


def it_is_fast_enough(_host: Host, config: Config) -> Iterator[Finding]:
    took_s = sync_s(config.journal.parent)
    if took_s is None:
        return
    values = {"path": str(config.journal.parent), "ms": f"{took_s * 1000:.0f}"}
    if took_s > TOO_SLOW_S:
        yield critical("medium-too-slow", **values)
    elif took_s > SLOW_S:
        yield warning("medium-slow", **values)


def sync_s(directory: Path) -> float | None:
    """Returns the seconds that the medium needs to make a small entry durable, as the median of SYNCS tries.

    Returns None if writing fails.
    """
    path, times = directory / ".doctor", []
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    except OSError:
        return None
    try:
        for _ in range(SYNCS):
            began_s = time.monotonic()
            os.write(descriptor, bytes(400))
            os.fdatasync(descriptor)
            times.append(time.monotonic() - began_s)
    except OSError:
        return None
    finally:
        os.close(descriptor)
        with suppress(OSError):
            path.unlink()
    return median(times)


def there_is_a_second_copy(host: Host, config: Config) -> Iterator[Finding]:
    copy = config.journal_second_copy
    if copy is None:
        yield warning("no-second-copy")
        return
    if not copy.parent.is_dir():
        yield critical("second-copy-gone", path=str(copy))
        return
    if config.journal.parent.is_dir() and copy.parent.stat().st_dev == config.journal.parent.stat().st_dev:
        yield warning("second-copy-beside", path=str(copy))
    if str(copy.parent) not in unit_text(host) and str(copy) not in unit_text(host):
        yield critical("second-copy-closed", path=str(copy.parent))


def the_journal_is_known(_host: Host, config: Config) -> Iterator[Finding]:
    """Finds a journal whose public key differs from the key beside the configuration. The journal's medium may not be
    mounted.
    """
    mark, public = known_path(config.file), public_path(config.journal)
    if not mark.exists():
        if public.exists():
            yield warning("journal-unknown", mark=str(mark), public=str(public))
        return
    try:
        is_here = read_public_key(mark) == read_public_key(public)
    except SigningKeyRefused:
        is_here = False
    if not is_here:
        yield critical("journal-elsewhere", path=str(config.journal), mark=str(mark))


MEDIUM_CHECKS: Final[tuple[Check, ...]] = (
    the_journal_lasts,
    the_state_is_ours_alone,
    there_is_room,
    it_is_fast_enough,
    there_is_a_second_copy,
    the_journal_is_known,
)
