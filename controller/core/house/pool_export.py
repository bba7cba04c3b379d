"""A pool that goes on at another computer: the text that carries it, and what a table remembers of such texts.

An export is made by one computer for one other, each named by the key of its journal, and is taken there once. It has
the pool's levels and meters to the millionth. Its last part is a code over the rest: a text that was cut short or typed
wrongly is none. It is no signature: the entry of the journal that made it has the same figures.
"""

import re
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple

from controller.core.house.pool import Meters, Pool, levels_of, reconcile
from controller.core.jackpot_rules import JackpotRules
from controller.core.words import Person

NO_COMPUTER: Final = "0" * 16
LONGEST_EXPORT: Final = 320
_FORM: Final = "JP1"
_CODE_DIGITS: Final = 16
_PARTS: Final = 8
_NAME: Final = re.compile(r"[0-9a-f]{16}")
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}", re.ASCII)


class Export(Struct, frozen=True, gc=False):
    """A pool on its way. `number`: of its computer's exports, from 1; `rules`: names the parameters it is played by."""

    source: str
    number: int
    target: str
    rules: str
    levels: tuple[int, int, int]  # pool, reserve, overflow, in millionths
    meters: Meters

    @property
    def name(self) -> str:
        """No other export has it."""
        return f"{self.source}:{self.number}"


class Handover(Struct, frozen=True, gc=False):
    """What a table knows of pools that come and go; `computer` is its own name.

    `asked`, `asked_by`: the first of two people has asked for this. `export`: the last that was made here; "" none.
    """

    computer: str = NO_COMPUTER
    asked: str = ""
    asked_by: Person | None = None
    exports: int = 0
    export: str = ""
    taken: tuple[str, ...] = ()


def computer_named(public_key: str) -> str:
    """The name of the computer whose journal has this key."""
    return public_key[: len(NO_COMPUTER)] or NO_COMPUTER


def is_a_computer(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


def parameters_name(rules: JackpotRules) -> str:
    """Twelve digits for what a running pool is played by: not its start, nor where it was communicated."""
    amounts = (rules.bet, rules.rate_ppm, rules.reset, rules.reserve_ppm, rules.limit, rules.by_hand_from)
    prizes = (f"{one.rank} {one.combination} {one.cents} {one.part_ppm}" for one in rules.prizes)
    conditions = (str(one) for one in astuple(rules.conditions))
    text = ";".join((rules.marking.value, *map(str, amounts), *prizes, *conditions))
    return sha256(text.encode()).hexdigest()[:12]


def export_of(pool: Pool, handover: Handover, target: str) -> Export:
    """The pool as it stands, for this computer."""
    number, rules = handover.exports + 1, parameters_name(pool.rules)
    return Export(handover.computer, number, target, rules, levels_of(pool), pool.meters)


def written(export: Export) -> str:
    """The export as text, at most LONGEST_EXPORT characters for a pool whose amounts the configuration allows."""
    meters = (getattr(export.meters, name) for name in Meters.__struct_fields__)
    parts = (
        _FORM,
        export.source,
        str(export.number),
        export.target,
        export.rules,
        ",".join(map(str, export.levels)),
        ",".join(map(str, meters)),
    )
    text = ":".join(parts)
    return f"{text}:{_code(text)}"


def _code(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:_CODE_DIGITS]


def read_export(text: str) -> Export | None:
    """The export that a text is; None where it is none, or its figures do not reconcile."""
    said, _, code = text.rpartition(":")
    parts = text.split(":")
    if len(parts) != _PARTS or parts[0] != _FORM or code != _code(said):
        return None
    _form, source, number, target, rules, *figures, _code_again = parts
    levels, meters = (one.split(",") for one in figures)
    are_numbers = all(_NUMBER.fullmatch(one) for one in (number, *levels, *meters))
    if not are_numbers or len(levels) != 3 or len(meters) != len(Meters.__struct_fields__):
        return None
    pool, reserve, overflow = map(int, levels)
    export = Export(source, int(number), target, rules, (pool, reserve, overflow), Meters(*map(int, meters)))
    return export if reconcile(export.levels, export.meters) else None
