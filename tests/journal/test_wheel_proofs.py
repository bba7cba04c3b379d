"""An evening at a wheel: the verifiers of another hand accept its proofs and its export, and refuse a changed spin."""

from pathlib import Path

import pytest
import standalone_directory
import standalone_verifier as standalone
from proof_kit import SIGNER, GoVerifier, proof_of

from controller.journal.export import export
from controller.journal.proof import check_proof
from controller.record.selected import Span, of_hold, of_round
from controller.record.shown import entries_shown
from tests.runtime.shown import signed
from tests.runtime.wheel_evening import play


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wheel") / "journal"
    play(path).stop()
    return signed(path, SIGNER)


@pytest.fixture(scope="module")
def spans(journal: Path) -> list[Span]:
    """The entries of both spins of the first session, and those of its two holds."""
    return [of_round(journal, 1, 1), of_round(journal, 2, 1), of_hold(journal, 1, 1), of_hold(journal, 2, 1)]


@pytest.mark.waits
def test_spins_and_holds_are_proved_to_both(
    journal: Path, spans: list[Span], tmp_path_factory: pytest.TempPathFactory
) -> None:
    proofs = [proof_of(journal, first, last) for first, last in spans]
    assert [check_proof(one, SIGNER.public_key).wrong for one in proofs] == [None] * len(spans)
    in_go = GoVerifier(tmp_path_factory.mktemp("go"))
    expected = [f"well: entries {first} to {last} of " for first, last in spans]
    assert [said[: len(text)] for said, text in zip(in_go.says(proofs), expected, strict=True)] == expected
    changed = proofs[0].replace(b'"bet":"red"', b'"bet":"odd"')
    assert changed != proofs[0]
    assert check_proof(changed, SIGNER.public_key).wrong is not None
    assert in_go.says([changed])[0].startswith("not well: ")


@pytest.mark.waits
def test_both_say_the_round_where_its_sessions_opening_is_in_the_proof(
    journal: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    shown = list(entries_shown(journal))
    opened = next(one.entry.seq for one in shown if one.entry.kind == "open-session" and one.entry.refusal is None)
    of_session = [one for one in shown if one.session == 1 and one.entry.seq >= opened]
    proofs = [proof_of(journal, opened, one.entry.seq) for one in of_session]
    assert [check_proof(one, SIGNER.public_key).round for one in proofs] == [(opened, one.round) for one in of_session]
    said = GoVerifier(tmp_path_factory.mktemp("go")).says(proofs)
    expected = [f"the last of round {one.round} of the session that entry {opened} opened" for one in of_session]
    assert [text.partition("; ")[2] for text in said] == expected
    assert {one.round for one in of_session} >= {0, 1, 2}
    assert check_proof(proof_of(journal, opened + 1, opened + 2), SIGNER.public_key).round is None


def test_the_export_is_checked_alone(journal: Path, tmp_path: Path) -> None:
    out, count = tmp_path / "evening.txt", len(list(entries_shown(journal)))
    export(journal, out, SIGNER)
    found = standalone.check_export(out, SIGNER.public_key)
    assert (found[0], found[2]) == (count, ["a try, no evidence of play"])
    assert standalone_directory.check_directory(journal) == found
    out.write_bytes(out.read_bytes().replace(b'"number":9', b'"number":8'))
    with pytest.raises(ValueError, match="entry"):
        standalone.check_export(out, SIGNER.public_key)
