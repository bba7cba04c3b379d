"""The state after replaying a journal's entries, its form in a checkpoint, and its digest in a start's entry."""

from functools import cache
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct, field

from controller.core.house.facts import ControllerStarted
from controller.core.house.state import State
from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.tree import NO_TREE, Tree, tree_of
from controller.runtime.configuration import NOT_READ_YET, Configured
from controller.runtime.game import game_of
from controller.staff.known import NOBODY_KNOWN, StaffKnown
from controller.staff.lockout import Lockout, TerminalName, Tries

FORMAT: Final = 1
_FORM_DIGITS: Final = 8
_PROSE: Final = "description"  # the key of a docstring in a schema


class Folded(Struct, frozen=True, gc=False):
    """The result of replaying a journal's entries: the table's state, and the records that only the shell keeps.

    `state`: None before the first entry. `entries`: the number of replayed entries, without those lost in a damage.
    `is_comparable`: True if this state can be compared with the digest in a later start's entry; False after entries
    that other rules decided.
    """

    state: State | None = None
    entries: int = 0
    last_seq: int = 0
    table_ms: int = 0
    lockout: Lockout = field(default_factory=Lockout)
    staff: StaffKnown = NOBODY_KNOWN
    configured: Configured = NOT_READ_YET
    started: ControllerStarted | None = None  # the last start; it names the rules that decided
    is_comparable: bool = True
    tree: Tree = NO_TREE  # over the entries up to the last one
    round_first: int = 0  # the first entry of the round under way; 0 between two rounds, or where it is not known


class _Wrong(Struct, frozen=True, gc=False, omit_defaults=True):
    person: int
    wrong: int
    last_ms: int
    terminal: TerminalName = ""


class _WrongAt(Struct, frozen=True, gc=False):
    terminal: TerminalName
    times_ms: tuple[int, ...]


class Stored(Struct, frozen=True, gc=False, omit_defaults=True):
    """The contents of a checkpoint. `head`: the chain value of the last entry. `wrong`, `wrong_at`: the wrong PINs in
    the lockout, by person and by terminal.
    """

    # `state` is bytes here; `started` names its game.

    format: int
    head: str
    entries: int
    last_seq: int
    table_ms: int
    wrong: tuple[_Wrong, ...]
    started: ControllerStarted
    state: msgspec.Raw
    wrong_at: tuple[_WrongAt, ...] = ()
    staff: StaffKnown = NOBODY_KNOWN
    configured: Configured = NOT_READ_YET
    tree: tuple[str, ...] = ()  # the hashes of the tree's full subtrees; earlier programs stored no hashes
    round_first: int = 0


_DECODER: Final = CanonicalDecoder(Stored)


def stored_of(folded: Folded, head: str) -> Stored:
    """Returns the contents of a checkpoint for the state `folded`. `head`: the chain value (hex) of its last entry.

    Raises ValueError before the journal's first entry.
    """
    if folded.state is None or folded.started is None:
        raise ValueError("no state to keep")
    lockout = folded.lockout
    tries = sorted(lockout.tries.items())
    return Stored(
        format=FORMAT,
        head=head,
        entries=folded.entries,
        last_seq=folded.last_seq,
        table_ms=folded.table_ms,
        wrong=tuple(_Wrong(person, one.wrong, one.last_ms, terminal) for (terminal, person), one in tries),
        wrong_at=tuple(_WrongAt(terminal, times) for terminal, times in sorted(lockout.of_terminal.items())),
        staff=folded.staff,
        configured=folded.configured,
        started=folded.started,
        state=msgspec.Raw(encode_canonical(folded.state)),
        tree=tuple(one.hex() for one in folded.tree.hashes),
        round_first=folded.round_first,
    )


def read_stored(text: bytes, *, strict: bool = True) -> tuple[Stored, Folded]:
    """Decodes the text of a checkpoint. Returns the checkpoint's contents and the state in them. Raises CodecError.

    `strict`: if False, also accepts a text of a program version whose state had other fields.
    """
    stored = _DECODER.decode(text) if strict else _DECODER.read(text)
    states = game_of(stored.started.setup.profile).states
    return stored, _folded_of(stored, states.decode(stored.state) if strict else states.read(stored.state))


def _folded_of(stored: Stored, state: State) -> Folded:
    return Folded(
        state=state,
        entries=stored.entries,
        last_seq=stored.last_seq,
        table_ms=stored.table_ms,
        lockout=Lockout(
            {(one.terminal, one.person): Tries(one.wrong, one.last_ms) for one in stored.wrong},
            {one.terminal: one.times_ms for one in stored.wrong_at},
        ),
        staff=stored.staff,
        configured=stored.configured,
        started=stored.started,
        tree=tree_of(stored.last_seq, _hashes(stored)),
        round_first=stored.round_first,
    )


def _hashes(stored: Stored) -> tuple[bytes, ...]:
    try:
        return tuple(map(bytes.fromhex, stored.tree))
    except ValueError as error:
        raise CodecError("no hashes of a tree") from error


def has_tree(stored: Stored) -> bool:
    """True if a checkpoint has the hashes of the journal's hash tree. Checkpoints of earlier programs have none."""
    return len(stored.tree) == stored.last_seq.bit_count()


def digest_of(folded: Folded) -> str:
    """Returns two digests joined by "-": one of the names and types of a checkpoint's fields, and one of the checkpoint
    of `folded`.

    "" before the first entry.
    """
    if folded.state is None:
        return ""
    return f"{_form(type(folded.state))}-{sha256(encode_canonical(stored_of(folded, ''))).hexdigest()}"


def has_this_form(digest: str, state: State) -> bool:
    """True if `digest` was made by `digest_of` from a checkpoint with the same fields as a checkpoint of `state`.
    Otherwise digests cannot be compared.
    """
    return digest.startswith(f"{_form(type(state))}-")


@cache
def _form(state: type[State]) -> str:
    """Returns the digest of the names and types of a checkpoint's fields. `state`: the class of the game's state."""
    fields = [
        (field.name, state if field.name == "state" else field.type, *(() if field.required else (field.default,)))
        for field in msgspec.structs.fields(Stored)
    ]
    whole = msgspec.defstruct(Stored.__name__, fields, omit_defaults=True)
    return sha256(encode_canonical(_without_prose(msgspec.json.schema(whole)))).hexdigest()[:_FORM_DIGITS]


def _without_prose(schema: object) -> object:
    """Returns a JSON schema without descriptions, so that a changed docstring does not change the digest."""
    match schema:
        case dict():
            kept = {key: value for key, value in schema.items() if key != _PROSE or not isinstance(value, str)}
            return {key: _without_prose(value) for key, value in kept.items()}
        case list():
            return [_without_prose(part) for part in schema]
        case _:
            return schema
