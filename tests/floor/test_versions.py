"""Tables and floor are never updated at the same time: a floor works with tables one version older or newer."""

import msgspec
import pytest

from controller.floor.database import Database, Values
from controller.floor.ledger import Ledger
from controller.journal.carried import signed_statement
from controller.journal.entry import EntryRefusal, encode_entry
from controller.journal.format import RecordEncoder
from controller.protocol.carried import Finding, FindingKind, FloorAnswer, Gap, Said, decode_batch, encode_batch
from controller.protocol.shown import RoomHold, RoomJackpot, Shown
from tests.floor.kit import FloorTable, entry, rows

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]


def with_more(value: object) -> dict[str, object]:
    document = msgspec.to_builtins(value, builtin_types=(bytes,))
    assert isinstance(document, dict)
    return document | {"of_a_newer_version": [1, {"x": 2}]}


def test_a_newer_table_with_kinds_fields_and_words_that_nobody_here_knows_is_kept(
    ledger: Ledger, table: FloorTable
) -> None:
    table.grown(1)
    known = msgspec.json.decode(encode_entry(entry(2, "kind-of-next-year")))
    newer = msgspec.json.encode(with_more(known), order="sorted")
    encoder = RecordEncoder(table.heads[-1], 2)
    encoder.encode(newer)
    table.payloads.append(newer)
    table.heads.append(encoder.head)
    statement = with_more(table.statement(1, 2, ledger.place("BJ-07").nonce)) | {"gap": "unheard-of"}
    text = msgspec.json.encode(statement, order="sorted")
    batch = table.batch(1, 2, ledger.place("BJ-07").nonce)
    signature = table.signer.sign(b"sabot uplink batch 1\n" + text)
    sent = with_more(msgspec.structs.replace(batch, statement=text, signature=signature, shown=b'{"holds": 7}'))
    received = decode_batch(msgspec.msgpack.encode(sent))
    assert received is not None
    assert ledger.take("BJ-07", received).said is Said.TAKEN
    assert rows(ledger, "BJ-07")[1][3] == newer


def test_an_act_that_was_refused_is_kept_and_counted_as_such(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    refusal = EntryRefusal(clause=None, reason="side-bet-exists", rule="side-bet-exists")
    table.grown(2).add(msgspec.structs.replace(entry(3), refusal=refusal)).grown(1)
    assert table.give(ledger, 1, 4).said is Said.TAKEN
    assert len(rows(ledger, "BJ-07")) == 4
    counted = database.read("select kind, refused, times from counted order by 1, 2", {})
    assert counted == [("controller-started", False, 1), ("noted", False, 2), ("noted", True, 1)]


def test_how_a_table_stands_is_kept_and_each_hold_from_its_beginning_to_its_end(
    ledger: Ledger, table: FloorTable, database: Database
) -> None:
    table.grown(4)
    jam = RoomHold("H1", "jam", device="shuffler", text="Jam", since=1000)
    table.give(ledger, 1, 1)
    for last, holds in ((2, [jam]), (3, [jam]), (4, [])):
        pool = RoomJackpot(100 * last)
        shown = Shown(holds=holds, jackpot=pool, table_ms=61_000)
        assert table.give(ledger, last, last, shown=shown).said is Said.TAKEN
        held = database.read(
            "select hold, kind, device, ended is null, extract(epoch from now() - since) from held", {}
        )
        assert held[0][:4] == ("H1", "jam", "shuffler", last < 4)
        assert len(held) == 1
        assert 60 <= held[0][4] < 90
    assert database.read("select cents from pool", {}) == [(400,)]
    assert database.read("select number, document from shown", {})[0][0] == 3


def test_a_field_that_the_floor_does_not_know_is_signed_all_the_same(ledger: Ledger, table: FloorTable) -> None:
    table.grown(1)
    batch = table.batch(1, 1, ledger.place("BJ-07").nonce)
    text = batch.statement.replace(b'{"epoch"', b'{"added":1,"epoch"')
    assert ledger.take("BJ-07", msgspec.structs.replace(batch, statement=text)).said is Said.NOT_SIGNED


def test_a_newer_floors_words_and_fields_are_read_as_other() -> None:
    finding = {"kind": "moved-away", "epoch": 1, "seq": 2, "more": 1}
    answer = msgspec.json.decode(
        msgspec.json.encode({"said": "come-back-later", "findings": [finding], "more": 1}), type=FloorAnswer
    )
    assert answer == FloorAnswer(Said.OTHER, findings=[Finding(FindingKind.OTHER, 1, 2)])


def test_an_older_table_sends_nothing_of_how_it_stands(ledger: Ledger, table: FloorTable) -> None:
    table.grown(2)
    sent = msgspec.to_builtins(table.batch(1, 2, ledger.place("BJ-07").nonce), builtin_types=(bytes,))
    sent.pop("shown")
    received = decode_batch(msgspec.msgpack.encode(sent))
    assert received is not None
    assert ledger.take("BJ-07", received).said is Said.TAKEN


class Counting(Database):
    """A database that counts its queries."""

    asked = 0

    def write(self, words: str, values: Values) -> list[tuple[object, ...]]:
        self.asked += 1
        return super().write(words, values)

    def looked_up(self, words: str, values: Values) -> list[tuple[object, ...]]:
        self.asked += 1
        return super().looked_up(words, values)


def test_a_batch_that_follows_and_a_table_that_is_alive_take_one_statement_each(
    ledger: Ledger, table: FloorTable, conninfo: str
) -> None:
    table.grown(9)
    table.give(ledger, 1, 3)
    with Counting(conninfo, writers=1) as database:
        store = type(ledger.store)(database)
        counted = Ledger(store, ledger.keys, ledger.nonces, ledger.now_s)
        nonce = ledger.place("BJ-07").nonce
        for first, last in ((4, 6), (7, 9), (10, 9)):
            database.asked = 0
            assert counted.take("BJ-07", table.batch(first, last, nonce, shown=Shown(session="in-play"))).said is (
                Said.TAKEN
            )
            assert database.asked == 1, first


def test_a_batch_goes_over_the_wire_as_it_is(table: FloorTable) -> None:
    table.grown(2)
    batch = table.batch(1, 2, "0f" * 16, Gap.DAMAGE, Shown(table="BJ-07"))
    assert decode_batch(encode_batch(batch)) == batch
    assert signed_statement(table.statement(1, 2, "0f" * 16, Gap.DAMAGE), table.signer).signature == batch.signature
    assert encode_entry(entry(2)) in batch.payloads
