"""Checks a proof for `sabot journal verify FILE`, and prints the entries that it shows."""

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from controller.cli.talk import Talk, quoted
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.cli.journal_seen import Compared, SeenFile
    from controller.journal.entry import Entry
    from controller.journal.note import NoteKey
    from controller.journal.proof import Checked
    from controller.journal.told_by_entries import Complaints


def verify_proof(arguments: Namespace, talk: Talk, witnesses: "Sequence[NoteKey]", seen: "SeenFile | None") -> ExitCode:
    """Checks a proof and prints the result. Returns 0 if the proof is valid, all named witnesses have signed it, and
    the file `seen` agrees with it; otherwise 1. Raises CliFailure if the table's public key is missing, and for a noted
    code, with which a proof cannot be compared.
    """
    from controller.journal.proof import check_proof, read_proof
    from controller.journal.signing import read_public_key

    if arguments.public_key is None:
        raise CliFailure(ExitCode.USAGE, "proof-needs-key", path=str(arguments.path))
    if arguments.head is not None:
        raise CliFailure(ExitCode.USAGE, "proof-has-no-code", path=str(arguments.path))
    key = read_public_key(arguments.public_key)
    found = check_proof(read_proof(arguments.path), key, witnesses, None if seen is None else seen.page)
    is_of = _compared(found, seen, key, witnesses)
    is_well = found.wrong is None and (is_of is None or is_of.is_same)
    talk.document(_document(found, is_of, is_well=is_well))
    if found.wrong is not None or found.mark is None:
        talk.result(talk.words("cli.journal.not-proved", reason=str(found.wrong)))
        return ExitCode.FAILED
    first, last = found.entries[0].seq, found.entries[-1].seq
    values = {"first": str(first), "last": str(last), "size": str(found.mark.seq), "table": found.mark.table}
    is_wrong = is_of is not None and is_of.is_wrong
    verdict = "proof-right" if is_well else "proof-right-alone" if is_wrong else "proof-right-open"
    talk.result(talk.words(f"cli.journal.{verdict}", epoch=str(found.mark.epoch), **values))
    if is_of is not None:
        talk.result(is_of.sentence(talk, found.mark.seq))
    elif seen is not None:
        talk.result(talk.words("cli.journal.is-the-page"))
    _say_what_it_shows(found, talk)
    return ExitCode.OK if is_well else ExitCode.FAILED


def _compared(found: "Checked", seen: "SeenFile | None", key: str, witnesses: "Sequence[NoteKey]") -> "Compared | None":
    """Returns the comparison of the proof with a witness's file. Returns None if `seen` is None or a printed round, or
    if the proof has no mark.

    A printed round is compared when the proof is checked.
    """
    from controller.cli.journal_seen import compared_with_proof

    if seen is None or seen.page is not None or found.mark is None:
        return None
    return compared_with_proof(seen, found.mark, key, witnesses)


def _say_what_it_shows(found: "Checked", talk: Talk) -> None:
    from controller.cli.journal_seen import seen_line

    if found.round is None:
        talk.result(talk.words("cli.journal.round-not-shown"))
    else:
        opened, number = map(str, found.round)
        talk.result(talk.words("cli.journal.round-shown", opened=opened, round=number))
    if found.trial is not None:
        talk.result(talk.words("cli.journal.shows-a-try", entry=str(found.trial)))
    if unsynced := sum(not entry.wall_synced for entry in found.entries):
        values = {"count": str(unsynced), "all": str(len(found.entries))}
        talk.result(talk.words("cli.journal.clock-not-synced", **values))
    for one in found.seen:
        talk.result(seen_line(one, talk))
    if found.others:
        talk.result(talk.words("cli.journal.others-signed", count=str(found.others)))
    for entry in found.entries:
        talk.result(quoted(_entry_line(entry, found.complaints, talk)))


def _entry_line(entry: "Entry", complaints: "Complaints", talk: Talk) -> str:
    """Returns the line for an entry as it was recorded.

    A refused act is shown with its rule and clause. A complaint is shown with its round, and with the complaint that it
    repeats. A decision is shown with the complaint that it decides.
    """
    from controller.cli.journal_seen import utc

    values = {"seq": str(entry.seq), "when": utc(entry.wall_ms), "kind": entry.kind, "body": bytes(entry.body).decode()}
    if (about := complaints.about.get(entry.seq)) is not None:
        key = "proved-complaint-again" if entry.seq in complaints.repeats else "proved-complaint"
        complaint = str(complaints.repeats.get(entry.seq))
        return talk.words(f"cli.journal.{key}", round=str(about), complaint=complaint, **values)
    if entry.seq in complaints.decided:
        decided = complaints.decided[entry.seq]
        key = "proved-decision-alone" if decided is None else "proved-decision"
        return talk.words(f"cli.journal.{key}", complaint=str(decided), **values)
    if (refusal := entry.refusal) is None:
        return talk.words("cli.journal.proved-entry", **values)
    return talk.words("cli.journal.proved-refusal", rule=refusal.rule, clause=refusal.clause or "-", **values)


def _document(found: "Checked", is_of: "Compared | None", *, is_well: bool) -> dict[str, object]:
    from controller.cli.journal_seen import seen_document

    mark = found.mark
    refused = [entry.seq for entry in found.entries if entry.refusal is not None]
    return {
        "ok": is_well,
        "reason": None if found.wrong is None else found.wrong.value,
        "entries": [entry.seq for entry in found.entries],
        "refused": refused,
        "table": None if mark is None else mark.table,
        "epoch": None if mark is None else mark.epoch,
        "size": None if mark is None else mark.seq,
        "witnesses": [seen_document(one) for one in found.seen],
        "others": found.others,
        "opened": None if found.round is None else found.round[0],
        "round": None if found.round is None else found.round[1],
        "complaints": [{"entry": seq, "round": about} for seq, about in found.complaints.about.items()],
        "decided": [{"entry": seq, "complaint": about} for seq, about in found.complaints.decided.items()],
        "try": found.trial,
    } | ({} if is_of is None else {"seen": is_of.document})
