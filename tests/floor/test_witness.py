"""As a witness the floor signs only marks to which its own entries lead, and only one history of each log."""

from dataclasses import replace

import msgspec
import pytest
from msgspec import structs

from controller.floor.database import Database, Values
from controller.floor.ledger import Ledger
from controller.floor.witnessing import FloorWitness
from controller.journal.carried import signed_statement
from controller.journal.cosigned import seen_by
from controller.journal.mark import Mark, encode_mark
from controller.journal.note import decode_note
from controller.journal.signing import Signer
from controller.journal.tree import NO_TREE, grown, leaf_hash
from controller.protocol.carried import FindingKind, Gap, Said, Witnessed, WitnessSaid
from tests.floor.kit import NOW_S, FloorTable, batch_of, entry

pytestmark = [pytest.mark.waits, pytest.mark.usefixtures("counted_again")]


@pytest.fixture
def witness(database: Database, ledger: Ledger) -> FloorWitness:
    return FloorWitness("floor.test", Signer(b"\7" * 32), database, ledger.store, lambda: NOW_S)


@pytest.fixture
def floor(ledger: Ledger, witness: FloorWitness) -> Ledger:
    return replace(ledger, witness=witness)


def mark_of_table(table: FloorTable, last: int, **other: object) -> str:
    """The mark at entry `last` of the table, signed like its controller's marks."""
    root = grown(NO_TREE, map(leaf_hash, table.payloads[:last])).root().hex()
    mark = Mark(table.heads[last].hex(), last, 1, table.name, root, table.epoch)
    return encode_mark(structs.replace(mark, **other), table.signer).decode()


def give(table: FloorTable, floor: Ledger, first: int, last: int, mark: str, gap: Gap = Gap.NONE) -> Witnessed:
    batch = table.batch(first, last, floor.place(table.name).nonce, gap)
    answer = floor.take(table.name, msgspec.structs.replace(batch, mark=mark))
    assert answer.said is Said.TAKEN
    assert answer.witnessed is not None
    return answer.witnessed


def is_seen(floor: Ledger, mark: str, witnessed: Witnessed, seq: int) -> bool:
    assert floor.witness is not None
    seen = seen_by(floor.witness.key, decode_note((mark + witnessed.line).encode()), seq)
    return seen is not None and (seen.seq, seen.when) == (seq, int(NOW_S))


def test_each_mark_to_which_the_entries_lead_is_signed(floor: Ledger, table: FloorTable) -> None:
    table.grown(300)
    at = 0
    for last in (1, 2, 3, 7, 8, 100, 255, 256, 300):
        mark = mark_of_table(table, last)
        witnessed = give(table, floor, at + 1, last, mark)
        assert witnessed.said is WitnessSaid.SIGNED, last
        assert is_seen(floor, mark, witnessed, last)
        at = last


def test_the_same_mark_is_signed_again_and_an_older_one_is_not(floor: Ledger, table: FloorTable) -> None:
    table.grown(9)
    mark = mark_of_table(table, 9)
    for first in (1, 10):
        assert is_seen(floor, mark, give(table, floor, first, 9, mark), 9)
    assert give(table, floor, 10, 9, mark_of_table(table, 8)).said is WitnessSaid.OLDER


def test_a_mark_of_entries_that_are_not_here_yet_waits(floor: Ledger, table: FloorTable) -> None:
    table.grown(9)
    mark = mark_of_table(table, 9)
    assert give(table, floor, 1, 5, mark) == Witnessed(WitnessSaid.LATER)
    assert give(table, floor, 6, 9, mark).said is WitnessSaid.SIGNED


def test_another_history_is_not_signed_and_is_a_finding(floor: Ledger, table: FloorTable) -> None:
    table.grown(9)
    other = FloorTable("BJ-07").grown(4).grown(5, note="rewritten")
    assert give(table, floor, 1, 9, mark_of_table(other, 8)) == Witnessed(WitnessSaid.FORKED)
    assert [one.kind for one in floor.place("BJ-07").findings] == [FindingKind.FORK]


@pytest.mark.parametrize("at", [0, 4])
def test_a_head_to_which_the_entries_do_not_lead_is_not_signed(floor: Ledger, table: FloorTable, at: int) -> None:
    """The floor signs no mark with a right chain and a wrong tree, also after an earlier signed mark."""
    table.grown(9)
    if at:
        give(table, floor, 1, at, mark_of_table(table, at))
    wrong = mark_of_table(table, 9, root=mark_root(table, 8))
    assert give(table, floor, at + 1, 9, wrong) == Witnessed(WitnessSaid.OTHER_TREE)
    assert give(table, floor, 10, 9, mark_of_table(table, 9)).said is WitnessSaid.SIGNED


def mark_root(table: FloorTable, last: int) -> str:
    return grown(NO_TREE, map(leaf_hash, table.payloads[:last])).root().hex()


def test_what_is_no_mark_of_this_table_is_not_signed(floor: Ledger, table: FloorTable) -> None:
    table.grown(3)
    stranger = FloorTable("BJ-07", b"\1" * 32).grown(3)
    other = FloorTable("BJ-08").grown(3)
    first = 1
    for text in (mark_of_table(stranger, 3), mark_of_table(other, 3), "no note", "\n\n\n"):
        assert give(table, floor, first, 3, text) == Witnessed(WitnessSaid.NOT_THEIRS)
        first = 4


def test_a_restored_table_is_another_log_that_begins_with_the_first_entry(floor: Ledger, table: FloorTable) -> None:
    table.grown(8)
    give(table, floor, 1, 8, mark_of_table(table, 8))
    new = table.restored(5, 2).grown(2)
    mark = mark_of_table(new, 8)
    assert is_seen(floor, mark, give(new, floor, 6, 8, mark), 8)


def test_entries_lost_with_a_damage_are_empty_leaves(floor: Ledger, table: FloorTable) -> None:
    table.grown(3)
    give(table, floor, 1, 3, mark_of_table(table, 3))
    table.payloads += [b""] * 4
    table.heads += [table.heads[3]] * 4
    table.add(entry(8)).add(entry(9))
    mark = mark_of_table(table, 9)
    assert is_seen(floor, mark, give(table, floor, 8, 9, mark, Gap.DAMAGE), 9)


def test_a_floor_that_lacks_the_beginning_signs_nothing_that_it_cannot_work_out(
    floor: Ledger, table: FloorTable
) -> None:
    table.grown(9)
    assert give(table, floor, 6, 9, mark_of_table(table, 9), Gap.REMOVED) == Witnessed(WitnessSaid.OTHER_TREE)


def test_numbers_that_are_far_apart_take_no_time(floor: Ledger, table: FloorTable) -> None:
    far = 10**11
    table.add(entry(far))
    of_one = table.statement(1, 1, floor.place("BJ-07").nonce, Gap.REMOVED)
    statement = msgspec.structs.replace(of_one, first=far, last=far)
    batch = batch_of(table.payloads, table.heads[0], signed_statement(statement, table.signer))
    mark = encode_mark(Mark(table.heads[1].hex(), far, 1, "BJ-07", "00" * 32, 1), table.signer).decode()
    answer = floor.take("BJ-07", msgspec.structs.replace(batch, mark=mark))
    assert (answer.said, answer.witnessed) == (Said.TAKEN, Witnessed(WitnessSaid.OTHER_TREE))


def test_another_process_that_signs_meanwhile_is_not_overwritten(
    floor: Ledger, table: FloorTable, conninfo: str
) -> None:
    """Two processes have read the same last head: the second to sign signs nothing."""
    table.grown(9)
    give(table, floor, 1, 4, mark_of_table(table, 4))

    class Slow(Database):
        def write(self, words: str, values: Values) -> list[tuple[object, ...]]:
            if "into witnessed" in words:
                answers.append(give(table, floor, 5, 9, mark_of_table(table, 9)))
            return super().write(words, values)

    answers: list[Witnessed] = []
    assert floor.witness is not None
    with Slow(conninfo, writers=1) as slow:
        late = replace(floor, witness=replace(floor.witness, database=slow))
        assert late.witness is not None
        assert give(table, late, 5, 4, mark_of_table(table, 4)) == Witnessed(WitnessSaid.LATER)
    assert [one.said for one in answers] == [WitnessSaid.SIGNED]


def test_a_floor_without_a_witness_says_so_and_another_key_begins_anew(floor: Ledger, table: FloorTable) -> None:
    table.grown(6)
    give(table, floor, 1, 4, mark_of_table(table, 4))
    assert give(table, replace(floor, witness=None), 5, 6, "x") == Witnessed(WitnessSaid.NO_WITNESS)
    assert floor.witness is not None
    renamed = replace(floor, witness=replace(floor.witness, signer=Signer(b"\5" * 32)))
    mark = mark_of_table(table, 6)
    assert is_seen(renamed, mark, give(table, renamed, 7, 6, mark), 6)
