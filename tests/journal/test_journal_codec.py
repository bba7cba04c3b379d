"""Canonical JSON and the digest of a state: one encoding for each value, decoded strictly, whatever the hash seed."""

import os
import subprocess
import sys
from collections.abc import Mapping
from enum import IntEnum, StrEnum
from hashlib import sha256
from typing import NewType

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from journal_kit import entry
from msgspec import Struct, inspect

from controller.config.profile import GameName
from controller.core.custody.naming import NameCard
from controller.core.custody.reader import CardRead
from controller.core.custody.state import Card
from controller.core.engine.act import Source
from controller.core.games.blackjack.table import ACTS, FACTS
from controller.core.words import Person, Role
from controller.journal.codec import Codec, canonical_digest, encode_canonical
from controller.journal.entry import decode_entry, encode_entry
from controller.journal.errors import CodecError
from controller.runtime.entries import entries_of
from controller.runtime.game import game_named

Seat = NewType("Seat", int)


class Suit(StrEnum):
    CLUBS = "clubs"
    HEARTS = "hearts"


class Level(IntEnum):
    LOW = 1


class Point(Struct, frozen=True):
    y: int
    x: int


class Moved(Struct, frozen=True):
    to: Point
    seat: Seat
    suits: tuple[Suit, ...] = ()
    text: str | None = None
    is_last: bool = False


class Left(Struct, frozen=True):
    seat: int


class Arrived(Struct, frozen=True):
    seat: int


CODEC = Codec[object]({"moved": Moved, "left": Left})
MOVED = Moved(Point(2, 1), Seat(3), (Suit.HEARTS,), "Ás", is_last=True)
BODY = '{"is_last":true,"seat":3,"suits":["hearts"],"text":"Ás","to":{"x":1,"y":2}}'.encode()


def test_the_encoding_is_sorted_dense_utf8() -> None:
    assert CODEC.encode(MOVED) == ("moved", msgspec.Raw(BODY))
    assert CODEC.decode("moved", msgspec.Raw(BODY)) == MOVED


def test_a_field_that_came_later_may_be_missing() -> None:
    """A field that a later program added may be missing: it gets its default. Any other form is refused."""
    earlier = b'{"seat":3,"suits":[],"text":null,"to":{"x":1,"y":2}}'
    assert CODEC.decode("moved", msgspec.Raw(earlier)) == Moved(Point(2, 1), Seat(3))
    with pytest.raises(CodecError):
        CODEC.decode("moved", msgspec.Raw(earlier.replace(b",", b", ")))


@pytest.mark.parametrize(
    "body",
    [
        b'{"is_last":true,"seat":3,"suits":[],"text":null,"to":{"x":1,"y":2},"z":1}',
        b'{"is_last":true,"seat":3,"suits":[],"text":null,"to":{"x":1,"y":2,"z":1}}',
        b'{"is_last":true,"seat":3,"suits":[],"text":null}',
        b'{"is_last":true, "seat":3,"suits":[],"text":null,"to":{"x":1,"y":2}}',
        b'{"seat":3,"is_last":true,"suits":[],"text":null,"to":{"x":1,"y":2}}',
        b'{"is_last":true,"seat":3.0,"suits":[],"text":null,"to":{"x":1,"y":2}}',
        b'{"is_last":true,"seat":"3","suits":[],"text":null,"to":{"x":1,"y":2}}',
        b'{"is_last":true,"seat":3,"suits":["spades"],"text":null,"to":{"x":1,"y":2}}',
        b'{"is_last":true,"seat":3,"seat":3,"suits":[],"text":null,"to":{"x":1,"y":2}}',
        b'{"is_last":true,"seat":3,"suits":[],"text":"\xff","to":{"x":1,"y":2}}',
        b'{"is_last":true,"seat":3,"suits":[],"text":null,"to":{"x":1,"y":2},"\xf4":1}',
        b"[" * 5000,
        b"",
    ],
)
def test_decoding_refuses_anything_but_the_one_encoding(body: bytes) -> None:
    with pytest.raises(CodecError):
        CODEC.decode("moved", msgspec.Raw(body))


def test_unknown_names_and_classes_are_refused() -> None:
    with pytest.raises(CodecError, match="not in the registry"):
        CODEC.decode("gone", msgspec.Raw(b"{}"))
    with pytest.raises(CodecError, match="not in the registry"):
        CODEC.encode(Arrived(1))


@pytest.mark.parametrize(
    "value", [Left(1.0), Left(True), Left("1"), Left({1}), Left([1]), Moved(Point(1, 1), Seat(1), [])]
)
def test_a_value_that_is_not_of_its_type_is_not_encoded(value: object) -> None:
    with pytest.raises(CodecError):
        CODEC.encode(value)


class WithFloat(Struct, frozen=True):
    deep: tuple[Point, float]


class WithSet(Struct, frozen=True):
    seats: frozenset[int]


class WithDict(Struct, frozen=True):
    seats: dict[str, int]


class WithList(Struct, frozen=True):
    seats: list[int]


class WithObject(Struct, frozen=True):
    anything: object


class WithTwo(Struct, frozen=True):
    either: Point | Left


class Thawed(Struct):
    seat: int


def check_registry(registry: Mapping[str, type[object]]) -> None:
    """Raises CodecError if the registry has a class that cannot be decoded exactly.

    The class is then no frozen struct, or has a field with a float, a set, a list, a mapping or a union of two structs.
    """
    for name, cls in registry.items():
        _check_class(name, cls)


def _check_class(name: str, cls: type[object]) -> None:
    if not (issubclass(cls, msgspec.Struct) and cls.__struct_config__.frozen):
        raise CodecError(f"{name}: {cls.__name__} is not a frozen struct")
    try:
        _check_type(name, inspect.type_info(cls))
        msgspec.json.Decoder(cls)
    except TypeError as error:
        raise CodecError(f"{name}: {error}") from error


def _check_type(path: str, info: inspect.Type) -> None:
    match info:
        case inspect.StructType(fields=fields):
            for field in fields:
                _check_type(f"{path}.{field.name}", field.type)
        case inspect.VarTupleType(item_type=item):
            _check_type(f"{path}[]", item)
        case inspect.TupleType(item_types=items) | inspect.UnionType(types=items):
            for item in items:
                _check_type(path, item)
        case inspect.BoolType() | inspect.EnumType() | inspect.IntType() | inspect.NoneType() | inspect.StrType():
            pass
        case _:
            raise CodecError(f"{path}: {type(info).__name__} has no canonical encoding")


@pytest.mark.parametrize("cls", [WithFloat, WithSet, WithDict, WithList, WithObject, WithTwo, Thawed, int])
def test_a_registry_refuses_classes_that_could_not_come_back(cls: type[object]) -> None:
    with pytest.raises(CodecError, match="bad-one"):
        check_registry({"bad-one": cls})


def test_a_class_has_one_name() -> None:
    with pytest.raises(CodecError, match="two names"):
        Codec({"left": Left, "gone": Left})


@pytest.mark.parametrize("name", GameName)
def test_every_entry_of_every_game_can_be_kept(name: GameName) -> None:
    check_registry(entries_of(game_named(name).registry))


def test_an_event_and_an_act_come_back() -> None:
    codec = Codec[object]({**FACTS, **ACTS})
    for value in (
        CardRead(Source(1, 2), 3, Card("10H"), None),
        CardRead(Source(1, 2), 3, None, "ab" * 32),
        NameCard(Person(7), Role.DEALER, Card("AS")),
    ):
        name, body = codec.encode(value)
        assert codec.decode(name, body) == value


# --- the digest


def test_the_digest_of_a_value_is_pinned() -> None:
    expected = b'{"":"Moved","is_last":true,"seat":3,"suits":[{"":"Suit","=":"hearts"}],'
    expected += '"text":"Ás","to":{"":"Point","x":1,"y":2}}'.encode()
    assert canonical_digest(MOVED) == sha256(expected).hexdigest()


def test_the_digest_tells_types_apart() -> None:
    values = (
        *(Left(1), Arrived(1), (Left(1),), Suit.CLUBS, "clubs", Level.LOW, 1, "1", True, None, (), ((),), "", (1,)),
        *((None,), ("Suit", "clubs")),
    )
    assert len({canonical_digest(value) for value in values}) == len(values)


@pytest.mark.parametrize(
    ("value", "place"),
    [
        (1.5, "float"),
        (frozenset({1}), "frozenset"),
        ({1}, "set"),
        ({"a": 1}, "dict"),
        ([1], "list"),
        (b"x", "bytes"),
        (Left, "StructMeta"),
        (Moved(Point(1, 2.0), Seat(1)), r"Moved\.to\.x: float"),
        (Moved(Point(1, 2), Seat(1), (Suit.CLUBS, {1})), r"Moved\.suits\[1\]: set"),
    ],
)
def test_the_digest_refuses_what_has_no_order_or_no_exact_value(value: object, place: str) -> None:
    with pytest.raises(CodecError, match=place):
        canonical_digest(value)


PROGRAM = """
from controller.config.profile_file import law
from controller.core.setup import Parameters, Setup
from controller.core.games.blackjack.state import initial_state
from controller.journal.codec import canonical_digest
setup = Setup("T1", "pt-csm", 6, 7, True, True, False, Parameters(*range(2, 10)), law("pt-csm").procedure)
print(canonical_digest(initial_state(setup)))
"""


class Earlier(Struct, frozen=True):
    cards: int


class Later(Struct, frozen=True):
    cards: int
    burnt: int = 0
    held: bool = False


def test_a_field_that_a_later_program_adds_leaves_the_digest_as_it_was() -> None:
    Later.__name__ = "Earlier"
    assert canonical_digest(Later(7)) == canonical_digest(Earlier(7))
    digests = {canonical_digest(value) for value in (Later(7), Later(7, 1), Later(7, held=True), Later(7, False))}
    assert len(digests) == 4, "False is no 0"


@pytest.mark.waits
def test_the_digest_of_a_state_does_not_depend_on_the_hash_seed() -> None:
    digests = {
        subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1
    assert len(digests.pop().strip()) == 64


# --- entries


@given(st.integers(1, 2**40), st.text(st.characters(codec="utf-8"), max_size=20))
def test_an_entry_comes_back(seq: int, note: str) -> None:
    value = entry(seq, note=note)
    assert decode_entry(encode_entry(value), seq=seq) == value


def test_an_entry_in_another_place_is_refused() -> None:
    with pytest.raises(CodecError, match="place of 5"):
        decode_entry(encode_entry(entry(4)), seq=5)


@pytest.mark.parametrize(
    "body",
    [
        b'{"a": 1}',
        b'{"b":1,"a":2}',
        b'{"a":1,"a":1}',
        b'{"a":1\n}',
        b"{",
        b"[]",
        b"null",
        b'"a"',
        b'{"a":1e3}',
        b'{"a":1.5}',
        b'{"a":[1.0]}',
    ],
)
def test_an_entry_whose_body_is_not_canonical_is_refused(body: bytes) -> None:
    with pytest.raises(CodecError):
        decode_entry(encode_entry(msgspec.structs.replace(entry(1), body=msgspec.Raw(body))), seq=1)


@pytest.mark.parametrize("key", ["incidents", "moved"])
def test_an_entry_whose_further_values_are_not_canonical_is_refused(key: str) -> None:
    good, bad = (
        encode_entry(msgspec.structs.replace(entry(1), **{key: msgspec.Raw(raw)}))
        for raw in (b'[{"a":1,"b":2}]', b'[{"b":2,"a":1}]')
    )
    assert encode_entry(decode_entry(good, seq=1)) == good
    with pytest.raises(CodecError, match="not canonical"):
        decode_entry(bad, seq=1)


def test_text_that_is_no_unicode_has_no_encoding() -> None:
    with pytest.raises(CodecError):
        encode_canonical({"a": "\ud800"})


TWO_FIRST_LOOKS = """
import sys
from enum import StrEnum
from threading import Barrier, Thread

from msgspec import defstruct

from controller.journal.codec import CanonicalDecoder

sys.setswitchinterval(1e-6)
for number in range(100):
    word = StrEnum(f"Word{number}", {f"w{one}": f"w{one}" for one in range(20)})
    struct = defstruct(f"Body{number}", [("word", word)])
    begin = Barrier(4)

    def look(struct=struct, begin=begin):
        begin.wait()
        CanonicalDecoder(struct).decode(b'{"word":"w3"}')

    looks = [Thread(target=look) for _ in range(4)]
    for one in looks:
        one.start()
    for one in looks:
        one.join()
"""
"""Threads that decode a type for the first time, at once: a table that plays, and a reading of its journal."""


@pytest.mark.waits
def test_two_threads_that_read_a_type_for_the_first_time_do_not_end_the_process() -> None:
    done = subprocess.run([sys.executable, "-c", TWO_FIRST_LOOKS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
