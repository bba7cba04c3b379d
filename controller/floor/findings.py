"""The floor's findings about tables, such as a fork of a history: people see them, and a person ends each.

Who may end one     a person at the floor's own computer whose account may read its configuration
who else must agree no one: a finding forbids nothing, and its end permits nothing; a twin or a fork stays refused
what stays          a row with the person's name, the account, and the person's evidence
what undoes it      nothing; the same fault, found again, is a new finding
what grows          one row for each end
"""

import os
import pwd
from datetime import datetime
from typing import Final

from msgspec import Struct

from controller.floor.database import Database, statement
from controller.protocol.carried import Finding, FindingKind

LONGEST_NAME: Final = 100
LONGEST_EVIDENCE: Final = 1000

_ALL: Final = statement("all_findings")
_END: Final = statement("end_finding")


class FoundHere(Struct, frozen=True):
    """A finding in the floor's database. `ended_at` and the fields after it say how a person has ended it; None for an
    open finding.
    """

    table: str
    kind: str
    epoch: int
    seq: int
    first_at: datetime
    last_at: datetime
    times: int
    ended_at: datetime | None
    ended_by: str | None
    account: str | None
    evidence: str | None


class Ending(Struct, frozen=True):
    """A person ends a finding or rules a pool. `by`: the person; `account`: the computer's user; `evidence`: the
    person's own words.
    """

    by: str
    account: str
    evidence: str

    @property
    def is_said(self) -> bool:
        """True if person and evidence are given, printable and short enough."""
        words = ((self.by, LONGEST_NAME), (self.evidence, LONGEST_EVIDENCE))
        return all(one.strip() and len(one) <= most and one.isprintable() for one, most in words)


def account() -> str:
    """Returns the name of the computer's user who typed the command, or the user's number if the user has no name.
    Under `sudo` the result is the calling user, not root.
    """
    uid = int(os.environ.get("SUDO_UID", os.getuid()))
    known = {user.pw_uid: user.pw_name for user in pwd.getpwall()}
    return known.get(uid, str(uid))


def all_findings(database: Database) -> list[FoundHere]:
    """Returns all findings, also ended ones, by table and the oldest first. Raises DatabaseAway, DatabaseBusy."""
    return [FoundHere(*row) for row in database.read(_ALL, {})]


def named(text: str) -> tuple[str, Finding] | None:
    """Returns the table and the finding that `text` names as `TABLE:KIND:EPOCH:ENTRY`. Returns None for any
    other text.
    """
    table, *parts = text.rsplit(":", 3)
    if len(parts) != 3 or parts[0] not in {kind.value for kind in FindingKind}:
        return None
    if not all(one.isascii() and one.isdigit() and len(one) < 14 for one in parts[1:]):
        return None
    return table, Finding(FindingKind(parts[0]), int(parts[1]), int(parts[2]))


def end_finding(database: Database, table: str, finding: Finding, ending: Ending) -> bool:
    """Ends a finding by `ending`, durably on return. Returns False if no such finding is open. Raises the errors of
    `Database.write`.
    """
    of_finding: dict[str, object] = {
        "table": table,
        "kind": finding.kind.value,
        "epoch": finding.epoch,
        "seq": finding.seq,
    }
    of_ending: dict[str, object] = {"by": ending.by, "account": ending.account, "evidence": ending.evidence}
    return bool(database.write(_END, of_finding | of_ending))
