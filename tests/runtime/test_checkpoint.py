"""A start from a checkpoint has the same state as one from the first entry. It never uses a checkpoint that cannot be
believed.
"""

from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace as with_fields

from controller.core.custody.opening import AbandonOpening
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation
from controller.journal.codec import canonical_digest
from controller.journal.entry import Entry
from controller.journal.signing import Signer
from controller.journal.writer_logic import checkpoint_name
from controller.runtime import checkpoint as checkpoints
from controller.runtime.boot import inspect_journal
from controller.runtime.checkpoint import Checkpoint, encode_checkpoint
from controller.runtime.folded import Folded, digest_of, has_this_form
from controller.runtime.game import game_of
from controller.runtime.replay import Misfit, ReplayError, fold
from simulators.disk import MemoryStorage
from tests.core.parts import changed
from tests.runtime.bench import DEALER, Bench

SIGNER = Signer(bytes(32))


@pytest.fixture
def bench() -> Bench:
    bench = Bench(segment_limit=4096)
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    return bench


def newest_checkpoint(storage: MemoryStorage) -> Checkpoint | None:
    return checkpoints.newest_checkpoint(storage).checkpoint


def folded_from_the_first(bench: Bench) -> Folded:
    folded = Folded()
    for entry in bench.entries():
        folded = fold(folded, entry)
    return folded


def digest(state: BlackjackState | None) -> str:
    return canonical_digest(state)


def newest(storage: MemoryStorage) -> str:
    return max(file.name for file in storage.list() if file.name.endswith(".checkpoint"))


def test_it_leads_to_the_same_as_all_the_entries(bench: Bench) -> None:
    checkpoint = newest_checkpoint(bench.storage)
    assert checkpoint is not None
    assert checkpoint.tip.segment > 2
    looked, whole = inspect_journal(bench.storage), folded_from_the_first(bench)
    assert looked.misfit is None
    assert (looked.folded, digest(looked.folded.state)) == (whole, digest(whole.state))
    assert inspect_journal(bench.storage).recovery.head == bench.runtime.head


def test_every_checkpoint_is_the_fold_of_what_stands_before_it(bench: Bench) -> None:
    tried, folded, entries = 0, Folded(), iter(bench.entries())
    for file in bench.storage.list():
        if not file.name.endswith(".checkpoint"):
            continue
        text = bench.storage.read(file.name)
        while folded.last_seq + 1 < seq_behind(text):
            folded = fold(folded, next(entries))
        assert folded.state is not None
        assert text == encode_checkpoint(folded, head_of(text))
        tried += 1
    assert tried > 2


def seq_behind(text: bytes) -> int:
    return int(text.split(b'"last_seq":')[1].split(b",")[0]) + 1


def head_of(text: bytes) -> bytes:
    return bytes.fromhex(text.split(b'"head":"')[1][:64].decode())


def test_one_that_does_not_verify_is_passed_over(bench: Bench) -> None:
    name, before = newest(bench.storage), inspect_journal(bench.storage).folded
    data = bench.storage.read(name)
    for other in (b"", data[:-2], data.replace(b'"format":1', b'"format":2'), b"\n" + b"0" * 64 + b" {}\n"):
        bench.storage.replace(name, other)
        found = newest_checkpoint(bench.storage)
        assert found is not None
        assert checkpoint_name(found.tip.segment) != name
        assert inspect_journal(bench.storage).folded == before


def test_a_line_cut_short_and_written_again_counts(bench: Bench) -> None:
    name, before = newest(bench.storage), newest_checkpoint(bench.storage)
    data = bench.storage.read(name)
    bench.storage.replace(name, data[:40] + data)
    assert newest_checkpoint(bench.storage) == before


def test_one_of_another_journal_is_not_believed(bench: Bench) -> None:
    name = newest(bench.storage)
    data = bench.storage.read(name)
    head = head_of(data).hex().encode()
    text = data.strip().split(b" ", 1)[1].replace(head, b"00" * 32)
    bench.storage.replace(name, b"\n" + sha256(text).hexdigest().encode() + b" " + text + b"\n")
    found = newest_checkpoint(bench.storage)
    assert found is None or checkpoint_name(found.tip.segment) != name


def test_a_bit_that_turned_over_earlier_in_the_session_is_found_at_the_start(bench: Bench) -> None:
    bench.storage.flip("00000002.segment", 8 * 200)
    assert newest_checkpoint(bench.storage) is None
    damage = inspect_journal(bench.storage).recovery.damage
    assert damage is not None
    assert damage.segment == 2


def test_a_segment_that_is_gone_is_damage_for_all_the_checkpoints(bench: Bench) -> None:
    bench.storage.replace("00000001.segment", b"")
    assert newest_checkpoint(bench.storage) is None
    damage = inspect_journal(bench.storage).recovery.damage
    assert damage is not None
    assert damage.first_bad_seq == 1


def test_under_other_rules_old_refusals_are_not_judged_again(bench: Bench) -> None:
    for file in bench.storage.list():
        if file.name.endswith(".checkpoint"):
            bench.storage.remove(file.name)
    assert inspect_journal(bench.storage, rules="others").misfit is None


# --- signed, and compared with the chain


def in_a_segment_of_its_own() -> Bench:
    """Makes a bench whose second session follows a checkpoint of its own; a start lies in between."""
    bench = Bench(signer=SIGNER)
    bench.run(1)
    bench.act(SignIn, DEALER, operation=Operation.TABLE)
    bench.act(OpenSession, DEALER)
    bench.act(AbandonOpening, DEALER)
    bench.act(OpenSession, DEALER)
    return bench


def with_another_state(bench: Bench, signer: Signer | None) -> bytes:
    """Returns the checkpoint before segment 2, but with another session's number and signed by `signer`."""
    found = newest_checkpoint(bench.storage)
    assert found is not None
    assert found.folded.state is not None
    forged = with_fields(found.folded, state=changed(found.folded.state, session_number=7))
    return encode_checkpoint(forged, found.tip.head, signer)


@pytest.mark.parametrize("signer", [None, Signer(bytes([1]) * 32)], ids=["nobody", "somebody else"])
def test_one_that_the_tables_key_has_not_signed_is_refused_by_name(signer: Signer | None) -> None:
    bench = in_a_segment_of_its_own()
    whole = inspect_journal(bench.storage, key=SIGNER.public_key)
    bench.storage.replace("00000002.checkpoint", with_another_state(bench, signer))
    looked = inspect_journal(bench.storage, key=SIGNER.public_key)
    assert (looked.folded, looked.refused) == (whole.folded, ("00000002.checkpoint",))


def test_one_that_the_tables_own_key_signed_is_not_believed_against_a_start_in_the_chain() -> None:
    bench = in_a_segment_of_its_own()
    bench.kill()
    bench.start()
    bench.run(1)
    whole = inspect_journal(bench.storage, key=SIGNER.public_key)
    bench.storage.replace("00000002.checkpoint", with_another_state(bench, SIGNER))
    looked = inspect_journal(bench.storage, key=SIGNER.public_key)
    assert (looked.folded, looked.misfit, looked.refused) == (whole.folded, None, ("00000002.checkpoint",))


def test_a_start_that_was_taken_in_by_one_is_found_by_the_replay() -> None:
    """The table's key lies on the same medium: folding the entries reveals a forger who uses this key."""
    bench = in_a_segment_of_its_own()
    bench.kill()
    bench.storage.replace("00000002.checkpoint", with_another_state(bench, SIGNER))
    bench.start()
    bench.run(1)
    with pytest.raises(ReplayError) as stopped:
        folded_from_the_first(bench)
    assert stopped.value.misfit is Misfit.BEGAN_OTHERWISE


def test_a_start_under_other_rules_may_begin_with_what_those_before_came_to() -> None:
    """The start is an upgrade: later states are not compared, since the new rules never reach that state."""
    bench = in_a_segment_of_its_own()
    folded = folded_from_the_first(bench)
    assert folded.started is not None
    other = with_fields(folded.started, state_digest=digest_of(folded)[:9] + "0" * 64)
    entry = Entry(
        seq=folded.last_seq + 1,
        boot=2,
        mono_ns=0,
        wall_ms=0,
        wall_synced=True,
        table_ms=folded.table_ms,
        kind="controller-started",
        body=game_of("pt-csm").codec.encode(other)[1],
        source=None,
        refusal=None,
    )
    with pytest.raises(ReplayError):
        fold(folded, entry)
    newer = with_fields(entry, body=game_of("pt-csm").codec.encode(with_fields(other, rules_digest="newer"))[1])
    assert not fold(folded, newer).is_comparable
    of_another_form = with_fields(other, state_digest="00000000-" + "0" * 64)
    assert fold(folded, with_fields(entry, body=game_of("pt-csm").codec.encode(of_another_form)[1])).is_comparable


def test_a_docstring_written_anew_makes_no_other_form(bench: Bench) -> None:
    """A corrected sentence would otherwise end every comparison with the earlier version's states."""
    folded = folded_from_the_first(bench)
    assert folded.state is not None
    of = type(folded.state)
    reworded = msgspec.defstruct(of.__name__, [], bases=(of,), namespace={"__doc__": "Another text."}, frozen=True)
    one_field_more = msgspec.defstruct(of.__name__, [("more", int)], bases=(of,), frozen=True, kw_only=True)
    values = msgspec.structs.asdict(folded.state)
    assert has_this_form(digest_of(folded), reworded(**values))
    assert not has_this_form(digest_of(folded), one_field_more(**values, more=1))
