"""The round that a complaint concerns: a replay and both verifiers of a proof find the same one."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from forms import Cards
from msgspec.structs import replace
from proof_kit import SIGNER, GoVerifier, marked, proof_of

from controller.cli.main import main
from controller.core.choices import ComplaintWindow, PutBack
from controller.core.custody.complaints import DecideComplaint, RecordComplaint
from controller.core.custody.putting_back import CollectCards
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.games.roulette.bets import PlaceChips
from controller.core.games.roulette.incidents import DecideClaim, RecordClaim
from controller.core.games.roulette.paying import ConfirmPayments
from controller.core.games.roulette.spins import AnnounceNumber
from controller.core.games.roulette.wheel import SpinEnded
from controller.journal.entry import Entry
from controller.journal.proof import check_proof
from controller.journal.round_count import COMPLAINS
from controller.journal.signing import public_path
from controller.journal.verify import entries_of
from controller.record.shown import entries_shown
from tests.runtime.bench import CHIEF, DEALER, SETUP, Bench
from tests.runtime.shown import signed, written
from tests.runtime.wheel import CHIEF_21, DEALER_11, WheelTable
from tests.runtime.wheel_evening import FOLLOWED, _opened

LATE = replace(SETUP.procedure, put_back=PutBack.NONE, complaints=ComplaintWindow.INSPECTOR_DECIDES)
"""A procedure by which players may complain about every round of the session."""


@pytest.fixture(scope="module")
def in_go(tmp_path_factory: pytest.TempPathFactory) -> GoVerifier:
    return GoVerifier(tmp_path_factory.mktemp("go"))


def cards(path: Path) -> Path:
    """Complaints with round 1 settled, with bets of round 2, and about round 1 in round 2; one that is refused."""
    bench = Bench(setup=replace(SETUP, procedure=LATE))
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", "6C"))
    for act in (TurnHoleCard, ConfirmSettled, CollectCards):
        bench.act(act, DEALER)
    _complains(bench)
    bench.act(TakeBets, DEALER, seats=(1,))
    _complains(bench)
    bench.act(AnnounceNoMoreBets, DEALER)
    _complains(bench, round=1)
    bench.refused(RecordComplaint, DEALER, seat=1, round=3)
    _complains(bench)
    return Path(written(bench.storage, path))


def _complains(bench: Bench, **about: int) -> None:
    bench.act(RecordComplaint, DEALER, seat=1, **about)
    bench.act(DecideComplaint, CHIEF, upheld=True)


def wheel(path: Path) -> Path:
    """Complaints with spin 1 paid, with bets of spin 2, and with the ball of spin 2 running."""
    table = WheelTable(path, FOLLOWED)
    _opened(table)
    table.launch()
    table.fact(SpinEnded(1, 8))
    table.act(AnnounceNumber, DEALER_11, 8)
    table.act(ConfirmPayments, DEALER_11)
    _claims(table)
    table.act(PlaceChips, DEALER_11, 1, "red", 2)
    _claims(table)
    table.launch()
    _claims(table)
    table.stop()
    return path


def _claims(table: WheelTable) -> None:
    table.act(RecordClaim, DEALER_11, 1)
    table.act(DecideClaim, CHIEF_21, False)


Play = Callable[[Path], Path]
EVENINGS: list[tuple[Play, list[int], list[int]]] = [(cards, [1, 1, 1, 2], [1, 2, 2, 2]), (wheel, [1, 1, 2], [1, 2, 2])]
"""Each table with the rounds that its complaints concern, and the rounds of the complaints' entries."""


@pytest.mark.parametrize(("play", "about", "own"), EVENINGS, ids=["cards", "wheel"])
def test_the_lists_name_the_round_that_a_complaint_concerns(
    play: Play, about: list[int], own: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = play(tmp_path / "journal")
    shown = [one for one in entries_shown(journal) if one.entry.kind in COMPLAINS and one.entry.refusal is None]
    assert ([one.complained_of for one in shown], [one.round for one in shown]) == (about, own)
    assert main(["journal", "incidents", str(journal), "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["incidents"]
    first = {one.round_first: one.round for one in entries_shown(journal) if one.round_first}
    found = [(one["round"], first[one["concerned"]["entry"]]) for one in listed if one["kind"] == "complaint"]
    assert found == [(number, number) for number in about]
    assert main(["journal", "incidents", str(journal)]) == 0
    assert f"round {about[0]} (which began at " in capsys.readouterr().out
    assert main(["journal", "show", str(journal), "--only", "complaints"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if " recorded a player's complaint (" in line]
    assert [f"round {number}" in line for line, number in zip(lines, about, strict=True)] == [True] * len(about)


@pytest.mark.waits
@pytest.mark.parametrize(("play", "about", "own"), EVENINGS, ids=["cards", "wheel"])
def test_both_verifiers_say_it_by_the_pages_rule(
    play: Play, about: list[int], own: list[int], tmp_path: Path, capsys: pytest.CaptureFixture[str],
    in_go: GoVerifier,
) -> None:  # fmt: skip
    assert own
    journal = signed(play(tmp_path / "journal"), SIGNER)
    entries = list(entries_of(journal))
    opened = next(one.seq for one in entries if one.kind == "open-session" and one.refusal is None)
    said = {one.seq: number for one, number in zip(_complaints(journal), about, strict=True)}
    whole, out = proof_of(journal, opened, entries[-1].seq), tmp_path / "whole.proof"
    assert check_proof(whole, SIGNER.public_key).complaints.about == said
    out.write_bytes(whole)
    ended, text = in_go.answers("-key", SIGNER.public_key, str(out))
    assert (ended, _said_in(text)) == (0, said)
    assert main(["journal", "verify", str(out), "--public-key", str(tmp_path / "journal.pub")]) == 0
    assert _said_in(capsys.readouterr().out) == said


def _complaints(journal: Path) -> list[Entry]:
    return [one for one in entries_of(journal) if one.kind in COMPLAINS and one.refusal is None]


def _said_in(text: str) -> dict[int, int]:
    """The rounds that a verifier has printed, by the complaint's entry."""
    lines = [line for line in text.splitlines() if "about round " in line]
    return {int(line[1:].split()[0]): int(line.partition("about round ")[2].split(":")[0]) for line in lines}


@pytest.mark.waits
def test_without_the_sessions_opening_only_a_named_round_is_said(tmp_path: Path, in_go: GoVerifier) -> None:
    journal = signed(cards(tmp_path / "journal"), SIGNER)
    proofs = [proof_of(journal, one.seq, one.seq) for one in _complaints(journal)]
    assert [list(check_proof(one, SIGNER.public_key).complaints.about.values()) for one in proofs] == [[], [], [1], []]
    named = tmp_path / "one.proof"
    named.write_bytes(proofs[2])
    assert "about round 1: record-complaint" in in_go.answers("-key", SIGNER.public_key, str(named))[1]
    named.write_bytes(proofs[1])
    assert "about round" not in in_go.answers("-key", SIGNER.public_key, str(named))[1]


def several(path: Path) -> Path:
    """Complaints that wait beside each other: of two seats, of a standing player, one repeated, one made once more."""
    bench = Bench(setup=replace(SETUP, procedure=LATE))
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", "6C"))
    for act in (TurnHoleCard, ConfirmSettled, CollectCards):
        bench.act(act, DEALER)
    for about in (
        {"seat": 1},
        {"seat": 2},
        {"seat": 1, "bettor": 9},
        {"seat": 1, "round": 1},
        {"seat": 2, "bettor": 2},
    ):
        bench.act(RecordComplaint, DEALER, **about)
    bench.act(DecideComplaint, CHIEF, upheld=True)
    bench.act(RecordComplaint, DEALER, seat=1)
    for _ in range(3):
        bench.act(DecideComplaint, CHIEF, upheld=False)
    return Path(written(bench.storage, path))


def several_claims(path: Path) -> Path:
    table = WheelTable(path, FOLLOWED)
    _opened(table)
    table.launch()
    for player in (1, 2, 1):
        table.act(RecordClaim, DEALER_11, player)
    for _ in range(2):
        table.act(DecideClaim, CHIEF_21, False)
    table.stop()
    return path


@pytest.mark.waits
@pytest.mark.parametrize("play", [cards, wheel, several, several_claims])
def test_a_decision_names_the_complaint_that_a_replay_ends_with_it(
    play: Play, tmp_path: Path, capsys: pytest.CaptureFixture[str], in_go: GoVerifier
) -> None:
    journal = signed(play(tmp_path / "journal"), SIGNER)
    entries = list(entries_of(journal))
    opened = next(one.seq for one in entries if one.kind == "open-session" and one.refusal is None)
    assert main(["journal", "incidents", str(journal), "--json"]) == 0
    listed = [one for one in json.loads(capsys.readouterr().out)["incidents"] if one["kind"] == "complaint"]
    assert len(listed) >= 2
    out = tmp_path / "whole.proof"
    out.write_bytes(proof_of(journal, opened, entries[-1].seq))
    said = in_go.answers("-key", SIGNER.public_key, str(out))[1]
    decided = re.findall(r"^#(\d+) .* on the complaint of entry (\d+): decide-", said, re.MULTILINE)
    ended = {one["ended"]["entry"]: one["began"]["entry"] for one in listed}
    assert {int(by): int(entry) for by, entry in decided} == ended
    again = re.findall(r"the same as entry (\d+), about round 1: record-", said)
    assert len(again) == len(_complaints(journal)) - len(listed)
    assert _of_complaints(_printed(out, journal, capsys)) == _of_complaints(said)
    out.write_bytes(proof_of(journal, opened + 1, entries[-1].seq))
    alone = in_go.answers("-key", SIGNER.public_key, str(out))[1]
    assert alone.count("  on a complaint that is not shown: decide-") == len(listed)
    assert _of_complaints(_printed(out, journal, capsys)) == _of_complaints(alone)


def _printed(proof: Path, journal: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The output of our own verifier."""
    assert main(["journal", "verify", str(proof), "--public-key", str(public_path(journal))]) == 0
    return capsys.readouterr().out


def _of_complaints(said: str) -> list[tuple[str, str, str]]:
    """The words of a verifier about complaints and decisions: the entry, the words, and its kind."""
    words = "about round|the same as entry|on the complaint|on a complaint"
    return re.findall(rf"^#(\d+) .*  ((?:{words})[^:]*): ([a-z-]+) ", said, re.MULTILINE)


@pytest.mark.waits
def test_an_irregular_closing_leaves_no_complaint_to_be_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], in_go: GoVerifier
) -> None:
    made = Cards()
    made.add("open-session", {})
    made.add("record-complaint", {"seat": 1, "round": 1, "bettor": None})
    made.add("confirm-irregular-closing", {}, refused=True)
    made.add("decide-complaint", {}, refused=True)
    made.add("record-complaint", {"seat": 2, "round": 1, "bettor": None})
    made.add("decide-complaint", {})
    made.add("confirm-irregular-closing", {})
    made.add("record-complaint", {"seat": 3, "round": 1, "bettor": None})
    made.add("decide-complaint", {})
    journal = marked(made.storage, tmp_path / "journal")
    (out := tmp_path / "one.proof").write_bytes(proof_of(journal, 1, 9))
    said = in_go.answers("-key", SIGNER.public_key, str(out))[1]
    assert re.findall(r"^#(\d) .*on the complaint of entry (\d)", said, re.MULTILINE) == [("6", "2"), ("9", "8")]
    assert _of_complaints(_printed(out, journal, capsys)) == _of_complaints(said)
