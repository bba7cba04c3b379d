"""`sabot clauses` shows a clause's words, rules and tests; for a wrong name it suggests the nearest one."""

import json

import pytest

from controller.clauses.register import original, texts
from controller.cli.main import main
from tests.in_process import run


def test_one_clause_is_told_in_its_own_words() -> None:
    done = run(main, "clauses", "pt.bj.54a", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, told["id"], told["number"], told["status"]) == (0, "pt.bj.54a", "54", "prompted")
    assert told["document"].startswith("Portugal: blackjack/21")
    assert "baralhador" in " ".join(told["original"])
    assert told["tests"]


def test_who_reads_portuguese_reads_the_document_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    english = run(main, "clauses", "br.head.3").stdout
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    told = run(main, "clauses", "br.head.3").stdout
    assert texts()["br.head.3"].text in english
    assert texts()["br.head.3"].text not in told
    assert "Não cabe ao controlador: Trata do que as pessoas fazem" in told


def test_a_name_that_no_clause_has() -> None:
    done = run(main, "clauses", "pt.bj.54z")
    assert done.returncode == 2
    assert "perhaps pt.bj.54" in done.stderr


def test_every_clause_has_its_paragraphs() -> None:
    """Every clause has a paragraph, which it may share with others."""
    assert all(original(name) and all(original(name)) for name in texts())


def test_what_no_device_sees_of_a_clause_is_quoted_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, one in texts().items():
        if one.unseen is not None:
            sentence, document = one.unseen
            assert sentence in one.text
            assert document in " ".join(original(name))
    assert 'No device sees "semicircular"' in run(main, "clauses", "pt.bj.2").stdout
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    assert "Nenhum aparelho vê «de formato semicircular»" in run(main, "clauses", "pt.bj.2").stdout
