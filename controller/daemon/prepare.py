"""Before anything runs: configuration, people, journal, key; every reason not to start, and when to start all the same.

A missing port never keeps the controller from starting: the status names the device, and what needs it is not allowed.
With an open session an unreadable staff file does not either: a table that is in play is better watched over and held
than not at all.
"""

import os
import secrets
import socket
import stat
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.approval import Approval, read_approval
from controller.backup.epoch import restored_findings
from controller.cli.talk import CliFailure, ExitCode
from controller.config import Config, ConfigRefused, read_config, setup
from controller.core.words import SessionPhase
from controller.daemon.begun import begun_path
from controller.daemon.copies import match_copies
from controller.daemon.rules import rules_digest
from controller.daemon.server import listen
from controller.journal.errors import JournalLocked, SealKeyRefused, StorageFailed, StorageReason
from controller.journal.recovery import FIRST_SEQ
from controller.journal.seals import SealKey, open_key
from controller.journal.signing import key_path, open_signer
from controller.journal.storage import DirectoryStorage
from controller.runtime.boot import Binding, Booted, Looked, begin, look
from controller.socket_path import server_socket
from controller.software import software
from controller.staff import StaffRefused, load_staff
from controller.users import user_name

KEY_NAME: Final = "seal.key"


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a run needs. Whoever has it closes `storage` and serves `listener`, which listens at `socket_path`."""

    config: Config
    socket_path: Path
    listener: socket.socket
    storage: DirectoryStorage
    booted: Booted
    seal_key: SealKey


def prepare(config_path: Path, environment: Mapping[str, str]) -> Prepared:
    """Raises ConfigRefused, StaffRefused, SocketDirectoryRefused, CliFailure: nothing is changed then,

    but that a journal that lacks what its second copy has is completed.
    """
    config = _config(config_path)
    refused = _staff_refusal(config)
    if refused is not None and not config.journal.is_dir():
        raise refused
    with ExitStack() as undo:
        storage = _storage(config.journal)
        undo.callback(storage.close)
        matched = match_copies(config, storage)
        looked = _looked(config, storage)
        _check(looked, config, refused)
        key = _key(config, environment)
        path = config.socket or server_socket(environment)
        listener = listen(path)
        undo.callback(path.unlink)
        undo.callback(listener.close)
        public_key = _public_key(config)
        binding = _binding(config, public_key)  # what follows is the first thing that changes anything
        noticed = (*matched.findings, *_restored(config))
        booted = begin(storage, looked, binding, noticed, matched.damage, _approval(config))
        undo.pop_all()
    return Prepared(config, path, listener, storage, booted, key)


def _config(path: Path) -> Config:
    """The configuration; a port where nothing is yet is waited for. Raises ConfigRefused with every problem."""
    try:
        return read_config(path, ports_may_be_missing=True)
    except ConfigRefused:
        return read_config(path)  # names the missing ports among the rest


def _staff_refusal(config: Config) -> StaffRefused | None:
    try:
        load_staff(config.staff)
    except StaffRefused as refused:
        return refused
    return None


def _storage(path: Path) -> DirectoryStorage:
    if path.is_dir() and (mode := stat.S_IMODE(path.stat().st_mode)) & (stat.S_IWGRP | stat.S_IWOTH):
        raise CliFailure(ExitCode.USAGE, "journal-mode", path=str(path), mode=f"{mode:04o}")
    try:
        return DirectoryStorage(path)
    except JournalLocked as error:
        raise CliFailure(ExitCode.FAILED, "journal-locked", path=str(path)) from error
    except StorageFailed as error:
        raise _unreadable(path, error) from error


def _looked(config: Config, storage: DirectoryStorage) -> Looked:
    try:
        return look(storage, rules_digest(config.profile))
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _check(looked: Looked, config: Config, refused: StaffRefused | None) -> None:
    """What the journal itself says against starting with this configuration."""
    state, recovery = looked.folded.state, looked.recovery
    if recovery.next_seq == FIRST_SEQ and recovery.damage is None and begun_path(config.journal).exists():
        raise CliFailure(
            ExitCode.FAILED, "journal-gone", path=str(config.journal), mark=str(begun_path(config.journal))
        )
    is_open = state is not None and state.house.session is not SessionPhase.CLOSED
    if refused is not None and not is_open:
        raise refused
    if state is not None and state.setup.table != config.table.id:
        values = {"path": str(config.journal), "found": state.setup.table, "configured": config.table.id}
        raise CliFailure(ExitCode.USAGE, "other-table", **values)
    if state is not None and is_open and state.setup != setup(config):
        raise CliFailure(ExitCode.USAGE, "other-setup", path=str(config.journal))
    if is_open:
        _check_rules(looked, config)


def _check_rules(looked: Looked, config: Config) -> None:
    """An open session goes on only under the rules that began it; which version has them, the journal says."""
    started = looked.folded.started
    if started is not None and started.rules_digest != rules_digest(config.profile):
        values = {"found": started.software, "rules": started.rules_digest[:12]}
        raise CliFailure(ExitCode.USAGE, "other-rules", path=str(config.journal), **values)


def _public_key(config: Config) -> str:
    """Of the key that signs the journal's exports, which is made with the journal."""
    try:
        return open_signer(config.journal, secrets.token_bytes).public_key
    except (SealKeyRefused, StorageFailed, OSError) as error:
        raise _key_refused(key_path(config.journal), error) from error


def _approval(config: Config) -> Approval | None:
    try:
        return read_approval(config.journal)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _restored(config: Config) -> tuple[str, ...]:
    try:
        return restored_findings(config.journal)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _binding(config: Config, public_key: str) -> Binding:
    digest = rules_digest(config.profile)
    return Binding(setup(config), config.digest, digest, str(software()), public_key)


def _unreadable(path: Path, error: StorageFailed) -> CliFailure:
    file = str(path / error.name)
    if error.reason is StorageReason.REFUSED:
        user = user_name(os.geteuid())
        return CliFailure(ExitCode.FAILED, "journal-file-refused", path=str(path), file=file, user=user)
    return CliFailure(ExitCode.FAILED, "journal-file", path=str(path), file=file, reason=error.reason.value)


def _key(config: Config, environment: Mapping[str, str]) -> SealKey:
    path = _state_directory(config, environment) / KEY_NAME
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return open_key(path, journal=config.journal, randomness=secrets.token_bytes)
    except (SealKeyRefused, StorageFailed, OSError) as error:
        raise _key_refused(path, error) from error


def _key_refused(path: Path, error: Exception) -> CliFailure:
    """A key that is wrong stays so; a medium that is not there may come back."""
    exit_code = ExitCode.USAGE if isinstance(error, SealKeyRefused) else ExitCode.FAILED
    return CliFailure(exit_code, "seal-key", path=str(path))


def _state_directory(config: Config, environment: Mapping[str, str]) -> Path:
    """Where the configuration or systemd says, else beside the journal."""
    if config.state is not None:
        return config.state
    told = environment.get("STATE_DIRECTORY", "").split(os.pathsep)[0]
    return Path(told) if told else config.journal.parent
