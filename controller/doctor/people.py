"""The doctor's checks of people and their rights: configuration, staff file, keys, and the members of the group
`sabot`.
"""

import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.core.words import Role
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import USER, Host
from controller.journal.signing import key_path
from controller.record.pair_keys import pair_key_paths
from controller.staff import StaffRefused, load_staff

NEEDED: Final = (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
"""The roles without which a table cannot be opened or a fault cannot be ended."""


def config_file_findings(host: Host) -> Iterator[Finding]:
    """Yields the findings that need no readable configuration: the user `sabot` is missing, or others may write the
    configuration.
    """
    if host.account() is None:
        yield critical("user-missing")
    with suppress(OSError):  # the reading of the configuration reports it later
        if host.config.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH):
            yield critical("config-open", file=str(host.config))


def the_right_people_are_known(host: Host, config: Config) -> Iterator[Finding]:
    where = {"file": str(config.staff), "config": str(host.config)}
    try:
        people = load_staff(config.staff).people
    except StaffRefused as refused:
        reason = refused.key.rpartition(".")[2]
        if reason == "missing":
            yield critical("staff-missing", **where)
        else:
            yield critical("staff", reason=reason, **where, **dict(refused.values))
        return
    known = {one.role for one in people}
    if missing := [role.value for role in NEEDED if role not in known]:
        yield critical("staff-lacks", **where, roles=",".join(missing))


def keys_are_kept(_host: Host, config: Config) -> Iterator[Finding]:
    try:
        has_begun = config.journal.is_dir() and any(config.journal.iterdir())
        modes = {path: path.stat().st_mode if path.exists() else None for path in key_files(config)}
    except PermissionError as error:
        yield warning("keys-hidden", path=str(error.filename))
        return
    for path, mode in modes.items():
        if mode is not None and stat.S_IMODE(mode) & 0o077:
            yield critical("key-open", file=str(path))
        elif mode is None and has_begun:
            yield critical("key-gone", file=str(path))


def somebody_may_ask(host: Host, _config: Config) -> Iterator[Finding]:
    if not any(members for name, _number, members in host.groups() if name == USER):
        yield warning("group-empty")


def nobody_else_holds_the_keys(_host: Host, config: Config) -> Iterator[Finding]:
    """Finds a key or the staff file beside the second copy, where the file would leave the casino with the copy's
    medium.
    """
    copy = config.journal_second_copy
    secrets = (*key_files(config), config.staff)
    if copy is not None and any(path.absolute().is_relative_to(copy.parent) for path in secrets):
        yield critical("keys-on-copy", path=str(copy.parent))


PEOPLE_CHECKS: Final[tuple[Check, ...]] = (
    the_right_people_are_known,
    keys_are_kept,
    somebody_may_ask,
    nobody_else_holds_the_keys,
)


def key_files(config: Config) -> tuple[Path, ...]:
    """Returns the paths of the table's secret keys: the journal's, the seals', and one for each paired device."""
    state = config.state or config.journal.parent
    return (key_path(config.journal), state / "seal.key", *pair_key_paths(config))
