"""Starts a run from a journal: reads the journal, replays its entries through the core, and finds the reasons to hold
the table.

The table starts held if the journal is damaged, or if this program would decide an entry otherwise. The table's state
is then the last one before the fault. Only after two people have closed the damage does the program write such a
journal.
"""

from collections.abc import Iterator

from msgspec import Struct

from controller.core.house.controller_facts import DAMAGE_SEALED
from controller.core.house.facts import ControllerStarted
from controller.core.setup import Setup
from controller.journal.approval import Approval, tip_by
from controller.journal.entry import Entry
from controller.journal.errors import CodecError, StorageFailed
from controller.journal.recovery import Recovery, Tip, Walk, settle
from controller.journal.removed import read_removed
from controller.journal.storage import ReadableStorage, Storage
from controller.journal.tree import filled
from controller.journal.writer_logic import checkpoint_name
from controller.runtime.checkpoint import UNSIGNED, Checkpoint, kept_start, newest_checkpoint
from controller.runtime.folded import Folded, digest_of
from controller.runtime.game import game_of
from controller.runtime.health import damage_reason
from controller.runtime.replay import Misfit, ReplayError, fold
from controller.runtime.start import SEAL_KEY_REPLACED, Start


class Binding(Struct, frozen=True, gc=False):
    """The parts of the start's entry that are known before the journal is read: the setup, the digests of files and
    program, and the keys.

    `seal_key`: a text that identifies the key of the seals without revealing it.
    """

    setup: Setup
    config_digest: str
    rules_digest: str
    software: str
    public_key: str = ""
    seal_key: str = ""
    staff_digest: str = ""


class InspectedJournal(Struct, frozen=True):
    """The result of reading a journal without changing it. `misfit`: the reason why the replay stopped before the last
    entry, or could not begin; None if the replay reached the last entry. `refused`: the names of the checkpoint files
    that were not trusted.
    """

    recovery: Recovery
    folded: Folded
    misfit: str | None
    refused: tuple[str, ...] = ()


class Booted(Struct, frozen=True):
    """The start of a run. `tip`: the end at which the journal's writer continues; None if the journal may not be
    written: the journal is damaged, this program decides an entry differently, or there is another fault.
    """

    start: Start
    tip: Tip | None


def inspect_journal(storage: ReadableStorage, rules: str | None = None, key: str = UNSIGNED) -> InspectedJournal:
    """Reads and verifies a journal, and replays its entries from the last trusted checkpoint on. Raises StorageFailed.
    If the digest in the next start's entry differs from that checkpoint, replays the whole journal.

    `rules`: the digest of this program's rules; None to assume that these rules decided the entries. `key`: the table's
    public key.
    """
    newest = newest_checkpoint(storage, key)
    folding, recovery = _folded(storage, newest.checkpoint or kept_start(storage), rules)
    refused = newest.refused
    if folding.began_otherwise and newest.checkpoint is not None:  # the chain is right, but the checkpoint is wrong
        refused = (*refused, checkpoint_name(newest.checkpoint.tip.segment))
        folding, recovery = _folded(storage, kept_start(storage), rules)
    return InspectedJournal(recovery, folding.folded, folding.misfit, refused)


def _folded(storage: ReadableStorage, checkpoint: Checkpoint | None, rules: str | None) -> "tuple[_Folding, Recovery]":
    folding = _Folding(Folded() if checkpoint is None else checkpoint.folded, rules)
    if checkpoint is None and (removed := read_removed(storage)) is not None:
        folding.misfit = f"no-state-behind, #{removed.first_seq}"
    return folding, Recovery(storage, None if checkpoint is None else checkpoint.tip, folding.take)


def table_of(storage: ReadableStorage) -> str | None:
    """The id of the table that wrote this journal, from the first entry or, if retention has removed that, from the
    checkpoint. None if neither is readable. Raises StorageFailed.
    """
    kept = kept_start(storage)
    if kept is not None:
        return None if kept.folded.state is None else kept.folded.state.setup.table
    for verified in Walk(storage):
        try:
            state = fold(Folded(), verified.entry).state
        except (ReplayError, CodecError):
            return None
        return None if state is None else state.setup.table
    return None


class _Folding:
    """Replays verified entries one by one, and stops at the first entry that this program would decide otherwise."""

    def __init__(self, folded: Folded, rules: str | None) -> None:
        self.folded = folded
        self.misfit: str | None = None
        self.began_otherwise = False
        self._rules = rules

    def take(self, entry: Entry) -> None:
        if self.misfit is not None:
            return
        try:
            self.folded = fold(self.folded, entry, self._rules)
        except (ReplayError, CodecError) as error:
            self.began_otherwise = isinstance(error, ReplayError) and error.misfit is Misfit.BEGAN_OTHERWISE
            self.misfit = f"replay, #{self.folded.last_seq + 1}"


def begin(
    storage: Storage,
    looked: InspectedJournal,
    binding: Binding,
    noticed: tuple[str, ...] = (),
    fault: str | None = None,
    approval: Approval | None = None,
) -> Booted:
    """Repairs the journal's end, and returns the start of a run.

    Cuts an incomplete last record, and makes the verified entries durable. Changes no file of a journal that may not be
    written. Notes a failed write in the result. `noticed`: findings to record in the start's entry, besides those of
    this function. `fault`: a further reason not to write the journal. `approval`: two people's approval to go on after
    a damage.
    """
    recovery, folded = looked.recovery, looked.folded
    closed = tip_by(approval, recovery) if looked.misfit is None else None
    damage = looked.misfit if recovery.damage is None or closed is not None else damage_reason(recovery.damage)
    damage = damage or fault
    failed = _settle(storage, recovery) if damage is None else None
    game = game_of(binding.setup.profile)
    state = folded.state or game.registry.initial(binding.setup)
    started = ControllerStarted(
        start_number=state.house.start_number + 1,
        setup=binding.setup,
        config_digest=binding.config_digest,
        rules_digest=binding.rules_digest,
        software=binding.software,
        findings=(
            *noticed,
            *_findings(recovery),
            *_closing(recovery, approval if closed else None),
            *_other_keys(folded, binding),
            *(f"checkpoint-refused {name}" for name in looked.refused),
        ),
        public_key=binding.public_key,
        seal_key=binding.seal_key,
        staff_digest=binding.staff_digest,
        state_digest=digest_of(folded),
    )
    last_seq = (recovery.next_seq if closed is None else closed.next_seq) - 1
    start = Start(
        game=game,
        state=state,
        last_seq=last_seq,
        head=recovery.head,
        table_ms=folded.table_ms,
        lockout=folded.lockout,
        staff=folded.staff,
        configured=folded.configured,
        started=started,
        damage=damage,
        failed=failed,
        entries=folded.entries,
        tree=filled(folded.tree, last_seq),
        round_first=folded.round_first,
    )
    return Booted(start, (closed or recovery.tip()) if damage is None else None)


def boot(storage: Storage, binding: Binding) -> Booted:
    """Starts a run from its journal by `inspect_journal` and `begin`, without further findings, fault or approval."""
    return begin(storage, inspect_journal(storage, key=binding.public_key), binding)


def _settle(storage: Storage, recovery: Recovery) -> StorageFailed | None:
    """Cuts an incomplete last record, and makes the read entries durable. Returns the failure; None on success."""
    try:
        settle(storage, recovery)
    except StorageFailed as failed:
        return failed
    return None


def _closing(recovery: Recovery, approval: Approval | None) -> tuple[str, ...]:
    """Returns one finding, which names the damage and the two people who have closed it; () without a damage or an
    approval.
    """
    damage = recovery.damage
    if approval is None or damage is None:
        return ()
    where = f"entry {damage.first_bad_seq} segment {damage.segment} offset {damage.offset} {damage.reason.value}"
    who = f"technician {approval.technician} chief-supervisor {approval.chief_supervisor}"
    return (f"{DAMAGE_SEALED} {where} {who}",)


def _other_keys(folded: Folded, binding: Binding) -> Iterator[str]:
    """Yields a finding for each key that differs from the one at the last start: the key of the signatures and the key
    of the seals.

    The journal records a new key for two reasons: an export that spans two signing keys verifies with neither, and
    cards sealed under an old key can be opened only with that key.
    """
    if folded.started is None:
        return
    if folded.started.public_key not in ("", binding.public_key):
        yield f"signing-key-replaced {folded.started.public_key}"
    if folded.started.seal_key not in ("", binding.seal_key):
        yield f"{SEAL_KEY_REPLACED} {folded.started.seal_key}"


def _findings(recovery: Recovery) -> tuple[str, ...]:
    """Returns the finding that an incomplete last record was cut; () if there was none."""
    torn = recovery.torn
    if torn is None:
        return ()
    return (f"torn-tail segment {torn.segment} offset {torn.offset} length {torn.length} entry {torn.seq}",)
