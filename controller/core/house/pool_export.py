"""The export of a pool to another computer: its line of text, its receipt's line, and a table's record of exports.

The last part of each line is a signature. The shell signs and verifies (runtime/pool_lines.py); the core reads and
writes the rest.

    JP2:table:key:number:journal:target:rules:levels:meters:signature   the export, signed by the source
    JR1:table:key:journal:source:code:signature                         the receipt, signed by the target

`journal` is a place in the signer's journal: no two entries have the same place, even after two restores of one backup.
An export's code is 16 digits of the SHA-256 of its line. Two people read it at the source and give it at the target.

A pool is at one place, never at two. A crash keeps the journal, so it changes no state below. A start that lost entries
(controller_facts.py) raises the hold `jackpot-doubted`, with a pool or without one.

    end     state                          after a start that lost entries        next step
    source  here                           here, in doubt                         two people state the amount
    source  away: exported, no receipt     before the export: here, in doubt      `show-export`: the pool is away again
                                           behind it: away, in doubt              two people state 0, or take it back
    source  gone: the receipt was shown    before the receipt: away, in doubt     the receipt is shown again
    source  taken back                     before that: away, in doubt            take it back again, state the amount
    target  none, the export in hand       none, in doubt                         take the export over, in doubt
    target  taken over                     before that: none, in doubt            take it over again, in doubt
                                           behind it: here, in doubt              the same export is refused
    target  exported further               before that: here, in doubt            `show-export`, as at a source

Each doubt ends when two people state the amount; then the computer has a new name for exports (`since`). An export to
an earlier name is taken over in doubt, since the pool may have been taken over and played already.
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
"""The value of `since` at a computer whose journal lost entries, until people have ended the doubt.

No pool is exported to such a computer.
"""

_EXPORT: Final = "JP2"
_RECEIPT: Final = "JR1"
_EXPORT_PARTS: Final = 10
_RECEIPT_PARTS: Final = 7
_SINCE_DIGITS: Final = 8
_NAME: Final = re.compile(r"[0-9a-f]{16}(?:-[0-9a-f]{8})?", re.ASCII)
_KEY: Final = re.compile(r"[0-9a-f]{64}", re.ASCII)
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Export(Struct, frozen=True, gc=False):
    """A pool on its way to the computer `target`. `number`: the export's number at the computer that made it, from 1.

    `rules`: a name of the pool's parameters.
    """

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
    """A receipt: the computer with the public key `key` has taken over the export of `source` with this code."""

    table: str
    key: str
    journal: str
    source: str
    code: str


class Handover(Struct, frozen=True, gc=False):
    """A table's record of pools that leave and arrive. `computer`, `since`: this computer's name. `key`: its public
    key. `asked`: the value for which the first of two people has asked by the act `asked_for`; `asked_by`,
    `asked_role`: that person.

    `export`: the last export from here, until a pool is here again. `is_received`: True if its receipt was shown.
    `exported`, `returned`, `taken`: codes of exports that were made, taken back and taken over here. `receipt`: the
    receipt for the last export that was taken over here.
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
    """The name of the computer whose journal has this key: the key's first 16 digits."""
    return public_key[: len(NO_COMPUTER)] or NO_COMPUTER


def name_of(handover: Handover) -> str:
    """The name under which pools are exported to this computer."""
    return f"{handover.computer}-{handover.since}" if handover.since else handover.computer


def since(journal_at: str) -> str:
    """Eight hexadecimal digits that identify `journal_at`, the epoch and number of a journal's entry."""
    return sha256(journal_at.encode()).hexdigest()[:_SINCE_DIGITS]


def is_a_computer(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def code_of(line: str) -> str:
    """The code of an export's line: 16 hexadecimal digits."""
    return sha256(line.encode()).hexdigest()[:CODE_DIGITS]


def export_away(handover: Handover) -> Export | None:
    """The export that has left this computer and has no receipt. None without such an export."""
    return None if handover.is_received else read_export(handover.export)


def parameters_name(rules: JackpotRules) -> str:
    """Twelve hexadecimal digits that name the parameters of a running pool, without `start` and `communication`."""
    amounts = (rules.bet, rules.rate_ppm, rules.reset, rules.reserve_ppm, rules.limit, rules.by_hand_from)
    prizes = (f"{one.rank} {one.combination} {one.cents} {one.part_ppm}" for one in rules.prizes)
    conditions = (str(one) for one in astuple(rules.conditions))
    text = ";".join((rules.marking.value, *map(str, amounts), *prizes, *conditions))
    return sha256(text.encode()).hexdigest()[:12]


def export_of(pool: Pool, exports: int, target: str, table: str, key: str, journal_at: str) -> Export:
    """The export of the pool to the computer `target`. `exports`: the number of earlier exports from this computer."""
    rules = parameters_name(pool.rules)
    return Export(table, key, exports + 1, journal_at, target, rules, levels_of(pool), pool.meters)


def written(export: Export) -> str:
    """The export as text without its signature. With a signature the text has at most LONGEST_LINE characters."""
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
    """The export in a line, without verifying its signature. None for any other line, and for inconsistent figures."""
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
    """The receipt's text without its signature."""
    return ":".join((_RECEIPT, *astuple(receipt)))


def read_receipt(line: str) -> Receipt | None:
    """The receipt in a line, without verifying its signature. None for any other line."""
    parts = line.split(":")
    if len(parts) != _RECEIPT_PARTS or parts[0] != _RECEIPT or not _KEY.fullmatch(parts[2]):
        return None
    return Receipt(*parts[1:-1])
