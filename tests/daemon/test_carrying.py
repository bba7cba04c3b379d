"""The socket gives the uplink durable entries, signed and with their segment, and no others."""

import os
import time
from pathlib import Path

import msgspec
import pytest

from controller.daemon.carrying import BATCHES_AT_ONCE, BATCHES_PER_S
from controller.journal.carried import is_signed_text
from controller.journal.signing import public_path, read_public_key
from controller.journal.verify import entries_of, verify
from controller.protocol.carried import statement_text
from controller.uplink.errors import TableAway
from controller.uplink.segment import SegmentReader
from controller.uplink.table import TableEnd
from tests.daemon.rig import DEALER, Rig
from tests.daemon.test_socket import RawClient

pytestmark = pytest.mark.waits

NONCE = "0f" * 16
ASKED = 3 * BATCHES_AT_ONCE


def payloads(journal: Path) -> list[bytes]:
    return [msgspec.json.encode(entry, order="sorted") for entry in entries_of(journal)]


def test_what_is_durable_comes_signed_with_its_segment(running: Rig) -> None:
    with TableEnd(running.socket) as table:
        signed, segment = table.carried(0, NONCE)
        assert segment is not None
        with segment:
            entries = SegmentReader().entries(segment, signed.statement)
            with pytest.raises(OSError, match="Bad file descriptor"):
                os.write(segment.fileno(), b"x")
    statement = signed.statement
    key = read_public_key(public_path(running.journal))
    assert is_signed_text(statement_text(statement), signed.signature, key)
    assert (statement.table, statement.epoch, statement.first, statement.nonce) == ("T1", 1, 1, NONCE)
    assert entries.payloads == payloads(running.journal)[: statement.last]


def test_behind_the_newest_entry_there_is_nothing_and_an_act_makes_one(running: Rig) -> None:
    with TableEnd(running.socket) as table:
        newest = table.durable_seq()
        signed, segment = table.carried(newest, NONCE)
        assert segment is None
        assert (signed.statement.first, signed.statement.last) == (newest + 1, newest)
        assert signed.statement.head == verify(running.journal).head
        running.act("sign-in", DEALER, operation="table")
        signed, segment = table.carried(newest, NONCE)
        assert segment is not None
        with segment:
            entries = SegmentReader().entries(segment, signed.statement)
    assert entries.payloads == payloads(running.journal)[newest:]


def test_without_a_nonce_nothing_is_signed(running: Rig) -> None:
    with RawClient(running) as client:
        client.send(b'{"id": 1, "do": "carry", "after": 0}\n')
        answer = client.hear()
    assert answer is not None
    assert answer["error"]["code"] == "bad-request"


def test_so_many_a_second_are_signed_and_no_more(running: Rig) -> None:
    """The controller signs at most so many batches a second: a stolen uplink cannot make cards wait."""
    with RawClient(running) as client:
        codes, began_s = [], time.monotonic()
        for number in range(ASKED):
            client.send(b'{"id": %d, "do": "carry", "after": 100000, "nonce": "%s"}\n' % (number, NONCE.encode()))
            answer = client.hear()
            assert answer is not None
            codes.append(answer.get("error", {}).get("code", "signed"))
        took_s = time.monotonic() - began_s  # on a busy machine so long that all may be signed
    assert set(codes) <= {"signed", "busy"}
    assert codes[:BATCHES_AT_ONCE] == ["signed"] * BATCHES_AT_ONCE
    assert codes.count("signed") <= BATCHES_AT_ONCE + BATCHES_PER_S * took_s + 1


def test_a_table_whose_socket_is_not_there_is_away(tmp_path: Path) -> None:
    with pytest.raises(TableAway):
        TableEnd(tmp_path / "nobody.sock")
