"""The floor keeps batches once, in order and verified; it refuses a wrong batch and reports it to people and table."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from controller.floor.ledger import Ledger
from controller.floor.nonce import LASTS_S
from controller.journal.carried import signed_statement
from controller.protocol.carried import Finding, FindingKind, Gap, Said
from tests.floor.kit import NOW_S, FloorTable, batch_of, entry, rows

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]


def expected(table: FloorTable, last: int, epoch: int = 1, first: int = 1) -> list[tuple[int, int, bytes, bytes]]:
    return [(epoch, seq, table.heads[seq], table.payloads[seq - 1]) for seq in range(first, last + 1)]


def test_batches_are_kept_entry_for_entry_and_acknowledged(ledger: Ledger, table: FloorTable) -> None:
    table.grown(9)
    assert ledger.place("BJ-07").place is None
    for first, last in ((1, 4), (5, 5), (6, 9)):
        answer = table.give(ledger, first, last)
        assert answer.said is Said.TAKEN
        assert answer.place is not None
        assert (answer.place.seq, answer.place.head) == (last, table.heads[last].hex())
    assert rows(ledger, "BJ-07") == expected(table, 9)
    assert answer.findings == []


def test_the_same_again_is_acknowledged_and_kept_once(ledger: Ledger, table: FloorTable) -> None:
    table.grown(6)
    for first, last in ((1, 4), (1, 4), (2, 3), (1, 1), (3, 6), (1, 6)):
        assert table.give(ledger, first, last).said is Said.TAKEN, (first, last)
    assert rows(ledger, "BJ-07") == expected(table, 6)


def test_two_processes_that_get_the_same_batch_keep_it_once(ledger: Ledger, table: FloorTable) -> None:
    table.grown(40)
    with ThreadPoolExecutor(4) as threads:
        for first in range(1, 41, 4):
            batch = table.batch(first, first + 3, ledger.place("BJ-07").nonce)
            said = {answer.said for answer in threads.map(lambda one: ledger.take("BJ-07", one), [batch] * 4)}
            assert said == {Said.TAKEN}
    assert rows(ledger, "BJ-07") == expected(table, 40)


def test_batches_doubled_lost_and_reordered_leave_each_entry_once(ledger: Ledger, table: FloorTable) -> None:
    table.grown(60)
    for seed in range(40):
        chance = random.Random(seed)  # noqa: S311
        place = ledger.place("BJ-07").place
        known = 0 if place is None else place.seq
        first = chance.randint(1, min(known + 3, 60))
        last = chance.randint(first, 60 if seed > 35 else min(first + 9, 60))
        said = table.give(ledger, first, last).said
        assert said is (Said.TAKEN if first <= known + 1 else Said.GO_ON_FROM)
    table.give(ledger, 1, 60)
    assert rows(ledger, "BJ-07") == expected(table, 60)
    assert ledger.place("BJ-07").findings == []


def test_a_batch_behind_a_missing_one_is_asked_for_from_what_is_there(ledger: Ledger, table: FloorTable) -> None:
    table.grown(9)
    table.give(ledger, 1, 3)
    answer = table.give(ledger, 6, 9)
    assert answer.said is Said.GO_ON_FROM
    assert answer.place is not None
    assert answer.place.seq == 3
    assert rows(ledger, "BJ-07") == expected(table, 3)


@pytest.mark.parametrize("place", range(3))
def test_a_batch_with_one_byte_changed_is_refused(ledger: Ledger, table: FloorTable, place: int) -> None:
    table.grown(3)
    whole = table.batch(1, 3, ledger.place("BJ-07").nonce)
    payloads = list(whole.payloads)
    payloads[place] = payloads[place].replace(b'"boot":1', b'"boot":2')
    assert ledger.take("BJ-07", msgspec.structs.replace(whole, payloads=payloads)).said is Said.ALTERED
    assert rows(ledger, "BJ-07") == []


def test_entries_that_are_fewer_more_or_begin_elsewhere_are_refused(ledger: Ledger, table: FloorTable) -> None:
    table.grown(5)
    whole = table.batch(2, 4, ledger.place("BJ-07").nonce)
    for changed in (
        {"payloads": whole.payloads[:2]},
        {"payloads": whole.payloads[1:]},
        {"payloads": [*whole.payloads, table.payloads[4]]},
        {"payloads": []},
        {"previous": table.heads[2]},
    ):
        assert ledger.take("BJ-07", msgspec.structs.replace(whole, **changed)).said is Said.ALTERED


def test_another_key_is_refused_kept_as_a_finding_and_told_to_the_table(ledger: Ledger, table: FloorTable) -> None:
    stranger = FloorTable("BJ-07", b"\1" * 32).grown(3)
    answer = stranger.give(ledger, 1, 3)
    assert (answer.said, answer.place, answer.nonce) == (Said.NOT_SIGNED, None, "")
    assert table.grown(2).give(ledger, 1, 2).findings == [Finding(FindingKind.OTHER_KEY, 0, 0)]
    assert rows(ledger, "BJ-07") == expected(table, 2)


def test_a_table_whose_key_is_not_known_is_refused_until_it_is(ledger: Ledger, keys: Path) -> None:
    other = FloorTable("RL-01", b"\2" * 32).grown(2)
    assert ledger.place("RL-01").said is Said.UNKNOWN_TABLE
    assert other.give(ledger, 1, 2).said is Said.UNKNOWN_TABLE
    (keys / "RL-01.pub").write_bytes(other.signer.public_file())
    assert other.give(ledger, 1, 2).said is Said.TAKEN
    (keys / "RL-01.pub").unlink()
    assert ledger.place("RL-01").said is Said.UNKNOWN_TABLE


def test_a_statement_for_another_table_or_another_time_is_refused(
    ledger: Ledger, table: FloorTable, keys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (keys / "BJ-08.pub").write_bytes(table.signer.public_file())
    table.grown(2)
    batch = table.batch(1, 2, ledger.place("BJ-07").nonce)
    assert ledger.take("BJ-08", batch).said is Said.NOT_SIGNED
    of_other = table.batch(1, 2, ledger.place("BJ-08").nonce)
    stale = ledger.take("BJ-07", of_other)
    assert stale.said is Said.STALE_NONCE
    later = Ledger(ledger.store, ledger.keys, ledger.nonces, lambda: NOW_S + LASTS_S + 1)
    assert later.take("BJ-07", batch).said is Said.STALE_NONCE
    assert ledger.take("BJ-07", table.batch(1, 2, stale.nonce)).said is Said.TAKEN


def test_two_histories_under_one_key_are_a_fork_and_both_are_told(ledger: Ledger, table: FloorTable) -> None:
    """Two computers with one table's name and key are a fork: the first to send goes on, and both get the report."""
    table.grown(4)
    twin = table.restored(4, 1)
    twin.payloads.pop()
    twin.heads.pop()
    table.grown(3, note="here")
    twin.grown(3, note="there")
    assert table.give(ledger, 1, 7).said is Said.TAKEN
    for first in (1, 5, 7):
        assert twin.give(ledger, first, 7).said is Said.FORKED, first
    assert twin.give(ledger, 8, 7).said is Said.FORKED  # no new entry, and another head
    assert rows(ledger, "BJ-07") == expected(table, 7)
    fork = Finding(FindingKind.FORK, 1, 5)  # the first entry in which they differ
    assert fork in ledger.place("BJ-07").findings
    assert fork in table.grown(1).give(ledger, 8, 8).findings


def test_a_table_with_less_than_it_had_is_named(ledger: Ledger, table: FloorTable) -> None:
    table.grown(6)
    table.give(ledger, 1, 6)
    answer = table.give(ledger, 5, 4)
    assert answer.said is Said.BEHIND
    assert answer.findings == [Finding(FindingKind.BEHIND, 1, 5)]


def test_a_restored_table_goes_on_in_its_new_epoch_and_the_old_computer_is_refused(
    ledger: Ledger, table: FloorTable
) -> None:
    table.grown(8)
    table.give(ledger, 1, 8)
    new = table.restored(5, 2).grown(2)
    answer = new.give(ledger, 6, 8)
    assert answer.said is Said.TAKEN
    assert answer.findings == [Finding(FindingKind.RESTORED, 2, 6)]
    assert answer.place is not None
    assert (answer.place.epoch, answer.place.seq) == (2, 8)
    assert rows(ledger, "BJ-07") == expected(table, 8) + expected(new, 8, epoch=2, first=6)
    table.grown(1)
    for first, last in ((9, 9), (9, 8), (1, 9)):
        assert table.give(ledger, first, last).said is Said.OLD_EPOCH
    told = {finding.kind for finding in new.grown(1).give(ledger, 9, 9).findings}
    assert told == {FindingKind.RESTORED, FindingKind.TWIN}
    assert table.give(ledger, 9, 9).findings == ledger.place("BJ-07").findings
    for seq, head in ((5, table.heads[5]), (6, new.heads[6]), (9, new.heads[9])):
        assert ledger.at("BJ-07", seq).head == head.hex()
    assert ledger.at("BJ-07", 10).head is None


def test_a_batch_over_the_beginning_of_an_epoch_is_kept_in_both(ledger: Ledger, table: FloorTable) -> None:
    """A floor with fewer entries than the backup keeps a batch over an epoch's beginning in both epochs."""
    table.grown(8)
    table.give(ledger, 1, 3)
    new = table.restored(5, 2).grown(2)
    answer = new.give(ledger, 4, 8)
    assert (answer.said, answer.findings) == (Said.TAKEN, [])
    assert rows(ledger, "BJ-07") == expected(table, 5) + expected(new, 8, epoch=2, first=6)
    assert new.give(ledger, 2, 8).said is Said.TAKEN


def test_a_floor_that_lacks_the_beginning_of_an_epoch_asks_for_it_and_accuses_nobody(
    ledger: Ledger, table: FloorTable
) -> None:
    """A replica without an epoch's beginning took over: the floor asks for the lacking entries, reports no finding."""
    table.grown(8).give(ledger, 1, 8)
    new = table.restored(5, 2).grown(4)
    for first, last in ((7, 7), (8, 8), (9, 9), (10, 10), (8, 7), (9, 8), (11, 10)):
        answer = new.give(ledger, first, last)
        assert (answer.said, answer.findings) == (Said.GO_ON_FROM, []), (first, last)
    assert new.give(ledger, 6, 10).findings == [Finding(FindingKind.RESTORED, 2, 6)]


def test_no_sender_chooses_an_epoch_that_no_start_says(ledger: Ledger, table: FloorTable) -> None:
    table.grown(3)
    table.epoch = 7
    table.give(ledger, 1, 3)
    assert {row[0] for row in rows(ledger, "BJ-07")} == {1}
    new = table.restored(3, 9)
    new.epoch = 8
    assert new.give(ledger, 4, 4).said is Said.ALTERED


@pytest.mark.parametrize("gap", [Gap.DAMAGE, Gap.REMOVED])
def test_entries_that_will_never_come_are_a_gap_that_is_kept(ledger: Ledger, table: FloorTable, gap: Gap) -> None:
    table.grown(3)
    table.give(ledger, 1, 3)
    behind = FloorTable("BJ-07").grown(3)
    behind.payloads += [b""] * 4
    behind.heads += [behind.heads[3]] * 4
    behind.add(entry(8)).add(entry(9))
    nonce = ledger.place("BJ-07").nonce
    statement = behind.statement(8, 9, nonce, gap)
    batch = batch_of(behind.payloads[7:9], behind.heads[7], signed_statement(statement, behind.signer))
    without = signed_statement(msgspec.structs.replace(statement, gap=Gap.NONE), behind.signer)
    refused = ledger.take("BJ-07", batch_of(behind.payloads[7:9], behind.heads[7], without))
    assert refused.said is Said.GO_ON_FROM
    answer = ledger.take("BJ-07", batch)
    assert (answer.said, answer.findings) == (Said.TAKEN, [Finding(FindingKind.GAP, 1, 8)])
    assert [row[1] for row in rows(ledger, "BJ-07")] == [1, 2, 3, 8, 9]


def test_a_floor_that_is_given_no_beginning_says_so(ledger: Ledger, table: FloorTable) -> None:
    table.grown(9)
    answer = table.give(ledger, 6, 9, Gap.REMOVED)
    assert (answer.said, answer.findings) == (Said.TAKEN, [Finding(FindingKind.BEGINS_LATER, 1, 6)])


def test_a_table_at_which_nothing_happens_is_heard(ledger: Ledger, table: FloorTable) -> None:
    table.grown(3)
    assert FloorTable("BJ-07").give(ledger, 1, 0).said is Said.TAKEN
    assert table.give(ledger, 4, 3).said is Said.GO_ON_FROM
    table.give(ledger, 1, 3)
    before = ledger.store._database.read("select heard_at, statement from line", {})
    assert table.give(ledger, 4, 3).said is Said.TAKEN
    after = ledger.store._database.read("select heard_at, statement from line", {})
    assert after[0][0] > before[0][0]
    assert b'"first":4' in after[0][1]
