"""A face-down card becomes known nowhere: not in core, journal or log. Its seal is durable before its entry."""

import pytest
from msgspec import structs

from controller.core.choices import Faces
from controller.core.custody.counting import StateCount
from controller.core.custody.turning import TurnCard, TurnHoleCard
from controller.core.engine.replacing import replace
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.words import DutyKind, HoldKind
from controller.journal.errors import StorageReason
from controller.journal.seals import SEAL_SIZE, SealKey, commitment_of
from controller.runtime.answers import Refused
from simulators.disk import Call, Verb
from tests.runtime import bench as benches
from tests.runtime.bench import CHIEF, DEALER, SETUP, Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_the_burnt_card_and_the_hole_card_are_nowhere(bench: Bench) -> None:
    bench.load()
    bench.draw("QD")
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    stored = b"".join(bench.storage.read(file.name) for file in bench.storage.list())
    told = str([*bench.runtime.log.drain(), bench.runtime.notices])
    for face in ("QD", "KH"):
        assert f'"{face}"'.encode() not in stored
        assert face not in told
        assert face not in str(bench.latest)
    assert b'"4C"' in stored


def test_the_seal_is_synced_before_the_entry_with_its_commitment(bench: Bench) -> None:
    bench.load()
    seen = []

    def look(call: Call) -> None:
        if call.name.endswith(".segment") and call.verb is Verb.SYNC:
            commitments = bench.storage.read(call.name).count(b'"commitment":"')
            seen.append(commitments)
            assert seals_on(bench) >= commitments
            assert not bench.storage.unsynced().get("00000001.seals", 0)

    bench.storage.on_call = look
    bench.draw("QD")
    bench.deal()
    assert max(seen) == 2


def seals_on(bench: Bench) -> int:
    sizes = {file.name: file.size for file in bench.storage.list()}
    return sizes.get("00000001.seals", 0) // SEAL_SIZE


def test_the_turned_card_is_the_one_that_was_sealed(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    commitment = bench.latest.game.dealt[3].commitment
    bench.act(TurnHoleCard, DEALER)
    assert bench.latest.game.dealt[3].card == "KH"
    entry = bench.entries()[-1]
    assert entry.kind == "turn-hole-card"
    assert b'"card":"KH"' in bytes(entry.body)
    salt = bytes(entry.body).split(b'"salt":"')[1][:64]
    assert commitment_of(bytes.fromhex(salt.decode()), "KH") == commitment


def test_a_seal_is_opened_after_a_restart(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.kill()
    bench.start()
    bench.run(1)
    bench.act(TurnHoleCard, DEALER)
    assert bench.latest.game.dealt[3].card == "KH"


def test_a_refused_turning_opens_nothing(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    digest = bench.digest()
    bench.refused(TurnHoleCard, DEALER)
    assert bench.digest() == digest
    assert b'"KH"' not in bench.storage.read("00000001.segment")


def test_a_turning_by_somebody_else_opens_nothing(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.refused(TurnHoleCard, CHIEF)
    assert b'"KH"' not in bench.storage.read("00000001.segment")


def test_a_lost_seal_is_replaced_by_what_people_read(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.kill()
    bench.storage.remove("00000001.seals")
    bench.start()
    bench.run(6)
    answer = bench.outcome(TurnHoleCard, DEALER)
    assert isinstance(answer, Refused)
    assert answer.refusal.guard == "face_is_given"
    bench.act(TurnHoleCard, DEALER, card="KH")
    without_seal(bench)
    bench.act(TurnHoleCard, DEALER, card="KH")
    assert bench.latest.game.dealt[3].card == "KH"
    assert bench.latest.house.holds == ()


def without_seal(bench: Bench) -> None:
    """Checks that a card without a seal has no proven face and raises a hold; the chief supervisor ends the hold."""
    assert b'"salt":null' in bytes(bench.entries()[-1].body)
    assert all(dealt.card is None for dealt in bench.latest.game.dealt if dealt.disputed)
    (hold,) = bench.latest.house.holds
    assert (hold.kind, hold.needs_count) == (HoldKind.UNEXPECTED_CARD, False)
    assert dict(hold.details)["cause"] == "seal-lost"
    bench.act(AttendHold, CHIEF, hold=hold.id)
    bench.act(ClearHold, CHIEF, hold=hold.id)
    bench.act(ConfirmHold, CHIEF, hold=hold.id)


@pytest.mark.parametrize(("key", "duties"), [(bytes(32), []), (bytes([1]) * 32, [DutyKind.LOOK_INTO_SEALS])])
def test_another_key_of_the_seals_is_a_finding_and_a_duty(
    bench: Bench, key: bytes, duties: list[DutyKind], monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.play()
    bench.kill()
    for secret in (bytes(32), key):
        sealing = SealKey(secret, created=False)
        monkeypatch.setattr(benches, "BINDING", structs.replace(benches.BINDING, seal_key=sealing.name))
        bench.start()
        bench.run(1)
    assert [duty.kind for duty in bench.latest.house.duties] == duties
    assert any(finding.startswith("seal-key") for finding in bench.booted.start.started.findings) == bool(duties)


def test_a_seal_that_the_disk_does_not_give_is_a_lost_one(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    for number in (2, 3):  # two newer segments with seals: the needed seal is read on demand
        bench.storage.replace(f"0000000{number}.seals", bytes(SEAL_SIZE))
    bench.kill()
    bench.start()
    bench.run(1)
    bench.storage.fail(Verb.READ, StorageReason.IO_ERROR)
    answer = bench.outcome(TurnHoleCard, DEALER)
    assert isinstance(answer, Refused)
    assert answer.refusal.guard == "face_is_given"


def test_another_card_than_the_sealed_one_holds_the_table(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.act(TurnHoleCard, DEALER, card="AS")
    assert bench.latest.game.dealt[3].card is None
    assert [hold.kind for hold in bench.latest.house.holds] == [HoldKind.UNEXPECTED_CARD]


def test_a_wrong_face_does_not_bring_the_salt_into_the_journal(bench: Bench) -> None:
    """Salt and commitment together reveal the card in 52 tries."""
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.act(TurnHoleCard, DEALER, card="AS")
    body = bytes(bench.entries()[-1].body)
    assert b'"card":"AS"' in body
    assert b'"salt":null' in body


@pytest.mark.parametrize(("given", "salted"), [(None, True), ("KH", True), ("AS", False)])
def test_after_a_wrong_face_the_card_is_turned_once_the_hold_has_ended(
    bench: Bench, given: str | None, salted: bool
) -> None:
    """The seal still opens; where people read another card off, theirs counts, and the entry says so."""
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.act(TurnHoleCard, DEALER, card="AS")
    (hold,) = bench.latest.house.holds
    bench.act(AttendHold, CHIEF, hold=hold.id)
    bench.act(StateCount, CHIEF, rack=1, table=4, pending=0, in_hand=0, outside=0)
    bench.act(ClearHold, CHIEF, hold=hold.id)
    bench.act(ConfirmHold, CHIEF, hold=hold.id)
    bench.act(TurnHoleCard, DEALER, card=given)
    assert bench.latest.game.dealt[3].card == (given or "KH")
    assert (b'"salt":null' not in bytes(bench.entries()[-1].body)) is salted


def test_a_card_that_was_not_owed_comes_in_without_its_face(bench: Bench) -> None:
    bench.play()
    bench.shoe.card_passed("JD", bench.now_s)
    bench.run(3)
    assert HoldKind.UNEXPECTED_CARD in [hold.kind for hold in bench.latest.house.holds]
    assert not any(b"JD" in bytes(entry.body) for entry in bench.entries())  # hashes may have any two bytes


def test_an_unread_card_has_neither_face_nor_commitment(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C",))
    bench.draw(None)
    read = [entry for entry in bench.entries() if entry.kind == "card-read"][-1]
    assert b'"card":null,"commitment":null' in bytes(read.body)
    assert [hold.kind for hold in bench.latest.house.holds] == [HoldKind.UNREAD_CARD]


# --- players' cards face down (mo.5.2.1.1)

FACES = ("3C", "4C", "5C", "KH")


@pytest.fixture
def face_down() -> Bench:
    """Deals at a table where players' cards lie face down, too."""
    procedure = replace(SETUP.procedure, player_cards=Faces.DOWN)
    bench = Bench(setup=replace(SETUP, procedure=procedure))
    bench.play()
    bench.deal(cards=FACES)
    return bench


def told_of(bench: Bench) -> str:
    """Returns the journal, the notices and the state as text, without the seals' file."""
    stored = b"".join(bytes(entry.body) for entry in bench.entries())  # hashes may have any two bytes
    happened = [*bench.runtime.log.drain(), bench.runtime.notices]
    return stored.decode("latin-1") + str(happened) + str(bench.latest)


def test_a_players_face_down_card_is_nowhere_before_it_is_turned(face_down: Bench) -> None:
    """Clauses: mo.5.2.1.1, mo.6.2."""
    assert [dealt.card for dealt in face_down.latest.game.dealt] == [None, "4C", None, None]
    told = told_of(face_down)
    assert not any(face in told for face in ("3C", "5C", "KH"))
    promised = face_down.latest.game.dealt[2].commitment
    face_down.act(TurnCard, DEALER, seat=1, position=2)
    assert [dealt.card for dealt in face_down.latest.game.dealt] == [None, "4C", "5C", None]
    salt = bytes(face_down.entries()[-1].body).split(b'"salt":"')[1][:64]
    assert commitment_of(bytes.fromhex(salt.decode()), "5C") == promised
    told = told_of(face_down)
    assert not any(face in told for face in ("3C", "KH"))


def test_a_players_card_without_its_seal_is_read_off(face_down: Bench) -> None:
    """Clause: mo.6.2."""
    face_down.kill()
    face_down.storage.remove("00000001.seals")
    face_down.start()
    face_down.run(6)
    assert face_down.refused(TurnCard, DEALER, seat=1, position=1).refusal.guard == "face_is_given"
    face_down.act(TurnCard, DEALER, seat=1, position=1, card="9D")
    without_seal(face_down)
    face_down.act(TurnCard, DEALER, seat=1, position=1, card="9D")
    assert face_down.latest.game.dealt[0].card == "9D"
    assert b'"salt":null' in bytes(face_down.entries()[-1].body)


def test_another_face_than_the_sealed_one_holds_the_table_and_tells_no_salt(face_down: Bench) -> None:
    """Clause: mo.6.2."""
    face_down.act(TurnCard, DEALER, seat=1, position=1, card="AS")
    assert [hold.kind for hold in face_down.latest.house.holds] == [HoldKind.UNEXPECTED_CARD]
    assert [dealt.disputed for dealt in face_down.latest.game.dealt] == [True, False, False, False]
    assert b'"salt":null' in bytes(face_down.entries()[-1].body)
    assert "3C" not in told_of(face_down)


def test_a_turning_that_is_refused_opens_no_seal(face_down: Bench) -> None:
    """Clause: mo.6.2."""
    for position in (0, 3):
        refused = face_down.refused(TurnCard, DEALER, seat=1, position=position)
        assert refused.refusal.guard == "players_card_is_face_down"
    face_down.refused(TurnCard, CHIEF, seat=1, position=1)
    assert not any(face in told_of(face_down) for face in ("3C", "5C", "KH"))
