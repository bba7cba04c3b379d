"""Typed words with an act: the entry has only a commitment to them; readers see the words until they are deleted."""

from pathlib import Path

import msgspec
import pytest

from controller.core.custody.complaints import RecordComplaint
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.duties import ReportDuty
from controller.core.house.facts import DutyArose
from controller.core.house.jackpot_acts import ApproveJackpot
from controller.core.words import DutyId, DutyKind
from controller.journal.entry import Entry
from controller.journal.export import export
from controller.journal.signing import Signer
from controller.journal.words import commitment_in, commitments_in, delete_words, seal_words, words_of
from controller.protocol.values import ValueKind, is_readable
from controller.runtime.act_values import parse_values
from controller.runtime.replay import replay
from controller.runtime.typed import SEALED
from tests.runtime.bench import CHIEF, DEALER, MANAGER, Bench
from tests.runtime.shown import documents, shown, with_one_more, written

WORDS = "Zoraida Quintão diz que pagaram 17 como 18"
REFERENCE = "Ofício de Zoraida Quintão"


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Plays an early complaint, a complaint, and a reported duty whose reference was at first too long."""
    bench = Bench()
    bench.play()
    bench.refused(RecordComplaint, DEALER, seat=1, round=9, words=WORDS)
    bench.deal((1,), ("3C", "4C", "5C", "6C"))
    bench.act(TurnHoleCard, DEALER)
    bench.act(ConfirmSettled, DEALER)
    bench.act(RecordComplaint, DEALER, seat=1, words=WORDS)
    bench.runtime._fact(DutyArose(DutyKind.LOOK_INTO_DISPLAY), bench.now_s)
    bench.refused(ReportDuty, MANAGER, duty=DutyId(1), reference="x" * 81)
    bench.act(ReportDuty, MANAGER, duty=DutyId(1), reference=REFERENCE)
    bench.act(RecordComplaint, DEALER, seat=2)
    return bench


def of_kind(bench: Bench, kind: str) -> list[Entry]:
    return [entry for entry in bench.entries() if entry.kind == kind]


def test_no_entry_has_the_words_and_each_has_its_own_commitment(bench: Bench) -> None:
    segments = [file.name for file in bench.storage.list() if file.name.endswith((".segment", ".checkpoint"))]
    for text in ("Zoraida", "Quint", "x" * 81):
        assert not [name for name in segments if text.encode() in bench.storage.read(name)]
    sealed = [one for entry in bench.entries() for one in commitments_in(bytes(entry.body))]
    assert (len(sealed), len(set(sealed))) == (4, 4), "the same words twice have two commitments"
    assert {one: words.text for one, words in words_of(bench.storage).items()} == dict(
        zip(sealed, (WORDS, WORDS, "x" * 81, REFERENCE), strict=True)
    )
    assert msgspec.json.decode(of_kind(bench, "record-complaint")[-1].body)["words"] is None


def test_a_reference_that_is_too_long_is_refused_with_its_commitment_too(bench: Bench) -> None:
    too_long, right = of_kind(bench, "report-duty")
    assert too_long.refusal is not None
    assert (too_long.refusal.reason, right.refusal) == ("reference_is_given", None)


def test_readers_see_the_words_until_they_are_deleted(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path(written(bench.storage, tmp_path / "journal"))
    before, told = replay(path), shown(capsys, str(path))
    assert (before.ok, told.count(WORDS), told.count(REFERENCE)) == (True, 2, 1)
    assert not [one for one in documents(capsys, str(path)) if commitment_in(str(one["body"])) is not None]
    delete_words(path, words_of(bench.storage))
    told = shown(capsys, str(path))
    assert ("Zoraida" in told, '"forgotten"' in told) == (False, False)
    assert ("the player's words: forgotten" in told, "reference: forgotten" in told) == (True, True)
    assert shown(capsys, str(path), "--json").count('"words-forgotten"') == 4
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    assert "apagado" in shown(capsys, str(path))
    for file in path.glob("*.words"):
        file.unlink()
    assert "perdido na mesa" in shown(capsys, str(path))
    export(path, out := tmp_path / "out.txt", Signer(bytes(32)))
    assert "palavras do jogador: perdido na mesa" in shown(capsys, str(out))
    assert replay(path) == before


@pytest.mark.parametrize("text", [REFERENCE, "x" * 81])
def test_no_text_that_people_type_is_read_as_a_commitment(text: str) -> None:
    sealed, _ = seal_words(text, bytes(32))
    body = msgspec.json.encode({"sealed": sealed, "typed": f'"{sealed}', "also": f'"{sealed}" he said'})
    assert commitments_in(body) == (commitment_in(sealed),)
    for typed in (sealed, f" {sealed} "):
        assert not is_readable(ValueKind.TEXT, typed)
        problems = parse_values(ApproveJackpot, {"reference": typed})
        assert isinstance(problems, list)
        assert [(one.name, one.wrong) for one in problems] == [("reference", "unreadable")]
    assert is_readable(ValueKind.TEXT, sealed.upper())
    assert is_readable(ValueKind.TEXT, f"{sealed} 2")


def test_words_in_an_entry_of_a_program_before_are_shown_as_they_stand(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = msgspec.json.decode(of_kind(bench, "record-complaint")[-1].body) | {"words": "no sealed words then"}
    path = with_one_more(bench, "record-complaint", msgspec.json.encode(body, order="sorted"), tmp_path)
    assert 'in the player\'s words: "no sealed words then"' in shown(capsys, path)


def test_each_field_that_is_sealed_is_one_of_its_act(bench: Bench) -> None:
    acts = {rule.name: rule.act for rule in bench.runtime.game.registry.acts}
    for kind, name in SEALED.items():
        fields = {field.name: field.type for field in msgspec.structs.fields(acts[kind])}
        assert fields[name] in (str, str | None)


def test_words_that_are_lost_with_their_batch_come_with_the_next_try(tmp_path: Path) -> None:
    bench = Bench()
    bench.run(1)
    ticket = bench.ask(RecordComplaint, CHIEF, seat=1, words=WORDS)
    bench.kill()
    bench.start()
    bench.run(1)
    assert bench.answer_to(ticket) is None
    bench.refused(RecordComplaint, CHIEF, seat=1, words=WORDS)
    assert {one.text for one in words_of(bench.storage).values()} == {WORDS}
    path = Path(written(bench.storage, tmp_path / "journal"))
    assert replay(path).ok
