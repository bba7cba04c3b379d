"""A pool that goes on at another computer: the lines that carry it and answer for it, and what a table keeps of them.

Two lines go between two computers. Each is one line of text with its signature as the last part. The shell signs and
verifies (runtime/pool_lines.py); the core reads and writes the text.

    JP2:table:key:number:journal:target:rules:levels:meters:signature   the export, signed by the source
    JR1:table:key:journal:source:code:signature                         the receipt, signed by the target

A signature is the table's, over `sabot journal export 1`, a line feed, `sabot jackpot export 1` (or `receipt`), a line
feed, and the line without its last part: it is none of a mark, a checkpoint or an export of the journal.

`journal` is the place in the signer's journal: epoch, entry, and sixteen digits of a chain value behind it. No two
entries have the same place, also not after the same backup was restored twice.
An export has a code: sixteen digits of the SHA-256 of the whole line. The source shows it. Two people read it there and
give it at the target, so that they approve this export of this key and no other.

A pool is at one place and never at two. These are the states of both ends, and what a crash and a restore make of each.
A crash keeps the journal, so it changes none of them. A restore, a sealed damage, a journal behind its mark or begun
anew, a second copy that was longer, and entries that nobody signed (a start that lost entries, or cannot know) raise
the hold `jackpot-doubted`, with a pool or without one.

    end     state                          start that lost entries                  the way on
    source  here                           here, in doubt                           two people state the amount
    source  away: exported, no receipt     before the export: here, in doubt        `show-export`: it is away again
                                           behind it: away, in doubt                two people state 0, or take it back
    source  gone: the receipt was shown    behind the export: away, in doubt        the receipt is shown again
    source  taken back                     before: away, in doubt                   it is taken back, the amount stated
    target  none, the export in hand       none, in doubt; it has another name      it is taken over, in doubt
    target  taken over                     before: none, in doubt                   it is taken over again, in doubt
                                           behind it: here, in doubt                the same export is refused
    target  exported further               before: here, in doubt                   `show-export`, as at a source

An export that names the target as it was called before such a start is taken over in doubt: it may have been taken over
and played since. People state what is in it. The name changes when they end the doubt (`since`).
"""

import re
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from controller.core.house.pool import Meters, Pool, levels_of, reconcile
from controller.core.jackpot_rules import JackpotRules
from controller.core.words import Person, Role

NO_COMPUTER: Final = "0" * 16
LONGEST_NAME: Final = 25
LONGEST_LINE: Final = 560
CODE_DIGITS: Final = 16
UNSURE: Final = "?"
"""`since` of a computer whose journal lost entries, until people have ended the doubt: nothing is exported to it."""

_EXPORT: Final = "JP2"
_RECEIPT: Final = "JR1"
_EXPORT_PARTS: Final = 10
_RECEIPT_PARTS: Final = 7
_SINCE_DIGITS: Final = 8
_NAME: Final = re.compile(r"[0-9a-f]{16}(?:-[0-9a-f]{8})?", re.ASCII)
_KEY: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Export(Struct, frozen=True, gc=False):
    """A pool on its way. `number`: of its computer's exports, from 1; `rules`: names the parameters it is played by."""

    table: str
    key: str
    number: int
    journal: str
    target: str
    rules: str
    levels: tuple[int, int, int]  # pool, reserve, overflow, in millionths
    meters: Meters

    @property
    def source(self) -> str:
        return computer_named(self.key)


class Receipt(Struct, frozen=True, gc=False):
    """The computer with this key has taken the export with this code over, of this source."""

    table: str
    key: str
    journal: str
    source: str
    code: str


class Handover(Struct, frozen=True, gc=False):
    """A table's knowledge of pools that come and go; `computer` is its own name, `since` follows it, `key` is public.

    `asked`, `asked_by`, `asked_role`: the first of two people has asked for this, by the act `asked_for`.
    `export`: the last that was made here, until a pool is here again; `is_received`: its receipt was shown.
    `exported`, `returned`, `taken`: codes of exports that were made, taken back and taken over here. `receipt`: of
    the last that was taken over.
    """

    computer: str = NO_COMPUTER
    asked: str = ""
    asked_by: Person | None = None
    exports: int = 0
    export: str = ""
    taken: tuple[str, ...] = ()
    since: str = ""
    asked_for: str = ""
    asked_role: Role | None = None
    exported: tuple[str, ...] = ()
    is_received: bool = False
    returned: tuple[str, ...] = ()
    receipt: str = ""
    key: str = ""


def computer_named(public_key: str) -> str:
    """The name of the computer whose journal has this key."""
    return public_key[: len(NO_COMPUTER)] or NO_COMPUTER


def name_of(handover: Handover) -> str:
    """The name to which a pool is exported."""
    return f"{handover.computer}-{handover.since}" if handover.since else handover.computer


def since(journal_at: str) -> str:
    """Eight digits for a place in a journal."""
    return sha256(journal_at.encode()).hexdigest()[:_SINCE_DIGITS]


def is_a_computer(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def code_of(line: str) -> str:
    """The code of an export."""
    return sha256(line.encode()).hexdigest()[:CODE_DIGITS]


def export_away(handover: Handover) -> Export | None:
    """The export that left here and that no receipt answers for yet."""
    return None if handover.is_received else read_export(handover.export)


def parameters_name(rules: JackpotRules) -> str:
    """Twelve digits for what a running pool is played by: not its start, nor where it was communicated."""
    amounts = (rules.bet, rules.rate_ppm, rules.reset, rules.reserve_ppm, rules.limit, rules.by_hand_from)
    prizes = (f"{one.rank} {one.combination} {one.cents} {one.part_ppm}" for one in rules.prizes)
    conditions = (str(one) for one in astuple(rules.conditions))
    text = ";".join((rules.marking.value, *map(str, amounts), *prizes, *conditions))
    return sha256(text.encode()).hexdigest()[:12]


def export_of(pool: Pool, exports: int, target: str, table: str, key: str, journal_at: str) -> Export:
    """The pool as it stands, for this computer."""
    rules = parameters_name(pool.rules)
    return Export(table, key, exports + 1, journal_at, target, rules, levels_of(pool), pool.meters)


def written(export: Export) -> str:
    """The export as text without its signature; with it at most LONGEST_LINE characters."""
    meters = (getattr(export.meters, name) for name in Meters.__struct_fields__)
    parts = (
        _EXPORT,
        export.table,
        export.key,
        str(export.number),
        export.journal,
        export.target,
        export.rules,
        ",".join(map(str, export.levels)),
        ",".join(map(str, meters)),
    )
    return ":".join(parts)


def read_export(line: str) -> Export | None:
    """The export that a line is, whoever signed it; None where it is none, or its figures do not reconcile."""
    parts = line.split(":")
    if len(parts) != _EXPORT_PARTS or parts[0] != _EXPORT or not _KEY.fullmatch(parts[2]):
        return None
    _form, table, key, number, journal, target, rules, *figures, _signature = parts
    levels, meters = (one.split(",") for one in figures)
    are_numbers = all(_NUMBER.fullmatch(one) for one in (number, *levels, *meters))
    if not are_numbers or len(levels) != 3 or len(meters) != len(Meters.__struct_fields__):
        return None
    pool, reserve, overflow = map(int, levels)
    made = Meters(*map(int, meters))
    export = Export(table, key, int(number), journal, target, rules, (pool, reserve, overflow), made)
    return export if reconcile(export.levels, export.meters) else None


def written_receipt(receipt: Receipt) -> str:
    """The receipt as text without its signature."""
    return ":".join((_RECEIPT, *astuple(receipt)))


def read_receipt(line: str) -> Receipt | None:
    """The receipt that a line is, whoever signed it; None where it is none."""
    parts = line.split(":")
    if len(parts) != _RECEIPT_PARTS or parts[0] != _RECEIPT or not _KEY.fullmatch(parts[2]):
        return None
    return Receipt(*parts[1:-1])
