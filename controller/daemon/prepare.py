"""Prepares a run: reads configuration, staff, journal and keys, and decides if the controller may start.

A missing port never prevents the start: the status names the device, and acts that need the device are refused. An
unreadable staff file does not prevent the start while a session is open, because a table in play must be held and
watched.
"""

import os
import secrets
import socket
import stat
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.config import Config, ConfigRefused, read_config, setup
from controller.core.words import SessionPhase
from controller.daemon.copies import Matched, match_copies
from controller.daemon.marks import accepted, breaks, epochs, judged
from controller.daemon.rules import rules_digest
from controller.daemon.server import listen
from controller.journal.approval import Approval, read_approval, seen_finding, tip_by
from controller.journal.epoch import epoch_finding, epoch_of, epoch_said, keep_epoch, own_epoch, restored_findings
from controller.journal.errors import (
    JournalLocked,
    KeyTrouble,
    SealKeyRefused,
    SigningKeyRefused,
    StorageFailed,
    StorageReason,
)
from controller.journal.forgotten import forgotten_findings
from controller.journal.mark import begun_path, read_mark_file
from controller.journal.recovery import FIRST_SEQ
from controller.journal.root import RELEASE, newest_said, read_release, root_finding, updated_finding
from controller.journal.seals import SealStore, open_key
from controller.journal.signing import Signer, key_path, known_path, open_signer, read_public_key, read_signer
from controller.journal.storage import DirectoryStorage, file_of
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import server_socket
from controller.machine.software import running
from controller.machine.users import user_name
from controller.runtime.boot import Binding, Booted, InspectedJournal, begin, inspect_journal
from controller.runtime.folded import Folded
from controller.runtime.game import game_of
from controller.staff import StaffBook, StaffRefused, known_of, load_staff

KEY_NAME: Final = "seal.key"
_NO_KEY: Final = "none"


class Prepared(Struct, frozen=True):
    """The values that a run needs. The run closes `storage`, and serves `listener`, which listens at `socket_path`."""

    config: Config
    socket_path: Path
    listener: socket.socket
    storage: DirectoryStorage
    booted: Booted
    seals: SealStore
    signer: Signer
    epoch: int


def prepare(config_path: Path, environment: Mapping[str, str]) -> Prepared:
    """Prepares a run. Raises ConfigRefused, StaffRefused, SocketDirectoryRefused, CliFailure.

    An error leaves the journal as it was, with one exception: it may already be completed from another medium, whose
    directory may be renamed. Missing keys and directories may have been made.
    """
    config = _config(config_path)
    key = _known_key(config)
    _check_known(config, key)
    staff = _staff(config)
    if isinstance(staff, StaffRefused) and not config.journal.is_dir():
        raise staff
    with ExitStack() as undo:
        storage = _storage(config.journal)
        undo.callback(storage.close)
        approval, restored, updated = _approval(config), _restored(config), _updated(config)
        rules = rules_digest(config.profile)
        matched = _match(config, storage, key, approval)
        looked = _looked(config, storage, key, rules)
        _check(looked, config, staff, rules)
        marked = _marked(config, storage, looked, matched, key, approval)
        is_broken = breaks(marked) or tip_by(approval, looked.recovery) is not None or _is_another(looked, key)
        epoch = _epoch(config, looked, matched, key, is_restored=restored != (), is_broken=is_broken)
        noticed = (
            *matched.findings,
            *seen_finding(approval, looked.recovery.next_seq - 1),
            *_forgotten(config),
            *restored,
            *epoch_finding(epoch),
            *updated,
            *_root(looked.folded, environment),
            *marked,
            *_changed(config, looked.folded, staff),
        )
        seals = _seals(config, environment, storage)
        path = config.socket or server_socket(environment)
        listener = listen(path)
        undo.callback(path.unlink)
        undo.callback(listener.close)
        signer = _signer(config)
        _keep_epoch(config, epoch)
        binding = _binding(config, rules, signer, seals, staff)  # the next step is the first with an effect
        noticed = (*noticed, *_begun_anew(config, looked, seals), *_unreadable_seals(seals))
        booted = begin(storage, looked, binding, noticed, matched.damage, approval)
        undo.pop_all()
    return Prepared(config, path, listener, storage, booted, seals, signer, epoch)


def _config(path: Path) -> Config:
    """Returns the configuration, even if one of its ports does not exist. Raises ConfigRefused with all problems."""
    try:
        return read_config(path, ports_may_be_missing=True)
    except ConfigRefused:
        return read_config(path)  # its error names missing ports, too


def _staff(config: Config) -> StaffBook | StaffRefused:
    try:
        return load_staff(config.staff)
    except StaffRefused as refused:
        return refused


def _storage(path: Path) -> DirectoryStorage:
    if path.is_dir() and (mode := stat.S_IMODE(path.stat().st_mode)) & (stat.S_IWGRP | stat.S_IWOTH):
        raise CliFailure(ExitCode.USAGE, "journal-mode", path=str(path), mode=f"{mode:04o}")
    try:
        return DirectoryStorage(path)
    except JournalLocked as error:
        raise CliFailure(ExitCode.FAILED, "journal-locked", path=str(path)) from error
    except StorageFailed as error:
        raise _unreadable(path, error) from error


def _match(config: Config, storage: DirectoryStorage, key: str, approval: Approval | None) -> Matched:
    try:
        return match_copies(config, storage, key, approval)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _looked(config: Config, storage: DirectoryStorage, key: str, rules: str) -> InspectedJournal:
    try:
        return inspect_journal(storage, rules, key)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _check(looked: InspectedJournal, config: Config, staff: StaffBook | StaffRefused, rules: str) -> None:
    """Raises CliFailure or StaffRefused if this configuration or staff file does not permit to continue the journal."""
    state, recovery = looked.folded.state, looked.recovery
    if recovery.next_seq == FIRST_SEQ and recovery.damage is None and begun_path(config.journal).exists():
        raise CliFailure(
            ExitCode.FAILED, "journal-gone", path=str(config.journal), mark=str(begun_path(config.journal))
        )
    is_open = state is not None and state.house.session is not SessionPhase.CLOSED
    if isinstance(staff, StaffRefused) and not is_open:
        raise staff
    if state is not None and state.setup.table != config.table.id:
        values = {"path": str(config.journal), "found": state.setup.table, "configured": config.table.id}
        raise CliFailure(ExitCode.USAGE, "other-table", **values)
    if state is not None and game_of(state.setup.profile) is not game_of(config.table.profile):
        raise CliFailure(ExitCode.USAGE, "other-game", path=str(config.journal), profile=config.table.profile)
    if state is not None and is_open and state.setup != setup(config):
        raise CliFailure(ExitCode.USAGE, "other-setup", path=str(config.journal))
    if is_open:
        _check_rules(looked, config, rules)


def _check_rules(looked: InspectedJournal, config: Config, rules: str) -> None:
    """Raises CliFailure if the last start had other rules. The error names the program version of that start. Call it
    only while a session is open.
    """
    started = looked.folded.started
    if started is not None and started.rules_digest != rules:
        values = {"found": started.software, "rules": started.rules_digest[:12]}
        raise CliFailure(ExitCode.USAGE, "other-rules", path=str(config.journal), **values)


def _known_key(config: Config) -> str:
    """Returns the public key that belongs to the table's secret key. Returns _NO_KEY if the secret key cannot be
    read.
    """
    try:
        return read_signer(key_path(config.journal)).public_key
    except SigningKeyRefused:
        return _NO_KEY


def _check_known(config: Config, key: str) -> None:
    """Raises CliFailure if the table's key differs from the key kept beside the configuration. Before the first start
    no key is kept there.

    A difference may mean that the journal's medium is not mounted, and another directory is in its place.
    """
    path = known_path(config.file)
    try:
        known = read_public_key(path)
    except SigningKeyRefused as refused:
        if refused.trouble is KeyTrouble.MISSING:
            return
        known = ""
    if known != key:
        raise CliFailure(ExitCode.FAILED, "journal-elsewhere", path=str(config.journal), mark=str(path))


def _marked(
    config: Config,
    storage: DirectoryStorage,
    looked: InspectedJournal,
    matched: Matched,
    key: str,
    approval: Approval | None,
) -> tuple[str, ...]:
    """Returns the findings about the marks.

    Raises CliFailure if a mark shows that entries are missing and `approval` does not permit a start without them.
    """
    path = begun_path(config.journal)
    found = ((path, read_mark_file(path)), *matched.marks)
    try:
        told = judged(found, config.table.id, key, storage, looked.recovery)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error
    if told.behind is None:
        return told.findings
    behind, mark = told.behind, told.behind.mark
    if approval is None or approval.why is None or approval.damaged != mark.head:
        entries = {"entry": str(mark.seq), "session": str(mark.session), "last": str(behind.last)}
        raise CliFailure(ExitCode.USAGE, "journal-behind", path=str(config.journal), mark=str(behind.path), **entries)
    return *told.findings, accepted(behind, approval.why, approval.technician, approval.chief_supervisor)


def _epoch(
    config: Config, looked: InspectedJournal, matched: Matched, key: str, *, is_restored: bool, is_broken: bool
) -> int:
    """Returns the epoch of this start. Raises CliFailure if the journal or the second copy's mark has a newer epoch
    than this computer.

    The first start after a restore takes an epoch above all known ones, because the same backup may have been restored
    elsewhere, too. A start without some signed entries also begins a new epoch, because two trees must not be signed
    under one epoch.
    """
    own = own_epoch(config.journal, config.table.id, key)
    started = looked.folded.started
    said = 1 if started is None else epoch_said(started.findings)
    newest = max([said, *epochs(matched.marks, config.table.id, key)])
    if is_restored:
        return max(own, newest + 1)
    newest = max(newest, matched.epoch)
    if is_broken:
        return max(own, newest) + 1
    if newest > own and begun_path(config.journal).exists():  # without a mark: the journal was copied here by hand
        values = {"path": str(config.journal), "own": str(own), "newest": str(newest)}
        raise CliFailure(ExitCode.USAGE, "older-twin", **values)
    return max(own, newest)


def _keep_epoch(config: Config, epoch: int) -> None:
    if epoch == epoch_of(config.journal):
        return
    try:
        keep_epoch(config.journal, epoch)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _changed(config: Config, before: Folded, staff: StaffBook | StaffRefused) -> Iterator[str]:
    """Yields a finding if the staff file is unreadable or has changed, and one if the configuration has changed, since
    the last start.
    """
    if isinstance(staff, StaffRefused):
        yield f"file-unreadable {config.staff.name}"
    elif before.staff.digest not in ("", known_of(staff).digest):
        yield f"file-changed {config.staff.name}"
    if before.started is not None and before.started.config_digest != config.digest:
        yield f"file-changed {config.file.name}"


def _begun_anew(config: Config, looked: InspectedJournal, seals: SealStore) -> Iterator[str]:
    """Yields a finding if the journal is empty but its keys are old: the old journal may be in another directory."""
    recovery = looked.recovery
    if recovery.next_seq == FIRST_SEQ and recovery.damage is None and not seals.key.created:
        yield f"journal-begun-anew {config.journal.name} {config.file.name}"


def _is_another(looked: InspectedJournal, key: str) -> bool:
    """True if the journal is empty and its key is old. The key may then have signed another journal's tree."""
    return looked.recovery.next_seq == FIRST_SEQ and looked.recovery.damage is None and key != _NO_KEY


def _unreadable_seals(seals: SealStore) -> Iterator[str]:
    return (f"seals-unreadable {name}" for name in seals.unreadable)


def _signer(config: Config) -> Signer:
    """Returns the table's signing key, and makes it if it is missing. Raises CliFailure."""
    try:
        return open_signer(config.journal, secrets.token_bytes)
    except (SealKeyRefused, StorageFailed, OSError) as error:
        raise _key_refused(key_path(config.journal), error) from error


def _forgotten(config: Config) -> tuple[str, ...]:
    """Returns the findings about words that two people have deleted since the last start. Raises CliFailure."""
    try:
        return forgotten_findings(config.journal)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


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


def _updated(config: Config) -> tuple[str, ...]:
    try:
        return updated_finding(config.journal)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _root(before: Folded, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Returns the finding about the memory card's root file system. Returns () on a computer without such a card."""
    known = newest_said(before.started.findings) if before.started is not None else None
    return root_finding(read_release(environment.get(RELEASE, "")), known)


def _binding(config: Config, rules: str, signer: Signer, seals: SealStore, staff: StaffBook | StaffRefused) -> Binding:
    return Binding(
        setup(config),
        config.digest,
        rules,
        running(),
        signer.public_key,
        seals.key.name,
        "" if isinstance(staff, StaffRefused) else known_of(staff).digest,
    )


def _unreadable(path: Path, error: StorageFailed) -> CliFailure:
    file = str(file_of(path, error))
    if error.reason is StorageReason.REFUSED:
        user = user_name(os.geteuid())
        return CliFailure(ExitCode.FAILED, "journal-file-refused", path=str(path), file=file, user=user)
    return CliFailure(ExitCode.FAILED, "journal-file", path=str(path), file=file, reason=error.word)


def _seals(config: Config, environment: Mapping[str, str], storage: DirectoryStorage) -> SealStore:
    path = _state_directory(config, environment) / KEY_NAME
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        key = open_key(path, journal=config.journal, randomness=secrets.token_bytes)
    except (SealKeyRefused, StorageFailed, OSError) as error:
        raise _key_refused(path, error) from error
    try:
        return SealStore(key, storage, secrets.token_bytes)
    except StorageFailed as error:
        raise _unreadable(config.journal, error) from error


def _key_refused(path: Path, error: Exception) -> CliFailure:
    """Returns the failure for a key that cannot be used. Its exit code is USAGE for a bad key file, and FAILED for a
    medium that may return.
    """
    exit_code = ExitCode.USAGE if isinstance(error, SealKeyRefused) else ExitCode.FAILED
    return CliFailure(exit_code, "seal-key", path=str(path))


def _state_directory(config: Config, environment: Mapping[str, str]) -> Path:
    """Returns the directory for the key of the seals: the configured directory, else systemd's state directory, else
    the journal's parent.
    """
    if config.state is not None:
        return config.state
    told = environment.get("STATE_DIRECTORY", "").split(os.pathsep)[0]
    return Path(told) if told else config.journal.parent
