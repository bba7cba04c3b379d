"""On a Portuguese terminal, help and complaints about the command line are Portuguese throughout."""

import re
import string

import pytest

from controller.catalogue import Language
from controller.cli.main import COMMANDS, main
from controller.cli.parser import parser_class, said
from simulators.cli import main as simulators
from simulators.spoken import words

ENGLISH = re.compile(r"usage:|positional|options:|show this help|error:|required|expected|unrecognized|choose from")


@pytest.fixture(autouse=True)
def portuguese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")


@pytest.mark.parametrize("command", ["", *COMMANDS, "journal show", "journal summary", "staff add", "device test"])
def test_help_has_no_english_word_of_the_parsers(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([*command.split(), "--help"])
    told = capsys.readouterr().out
    assert told.startswith("utilização: sabot")
    assert ENGLISH.search(told) is None


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("journal show", "faltam estes argumentos: PATH"),
        ("status --frob", "argumentos desconhecidos: --frob"),
        ("journal show J --session x", "argumento --session: não se pode ler 'x'"),
        ("journal show J --only fun", "deve ser um destes: "),
        ("journal show J --session", "argumento --session: falta um argumento"),
        ("staff list", "é preciso um destes argumentos: --config --file"),
        ("staff add --file F --number 1 --name N --role chief", "argumento --role: 'chief' não existe"),
    ],
)
def test_what_is_wrong_is_said_in_portuguese(command: str, expected: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(command.split())
    told = capsys.readouterr().err
    assert expected in told
    assert ENGLISH.search(told) is None


def test_every_complaint_of_the_parser_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """Every message that a wrong command line can cause is translated; a newer Python's new one would fail here."""
    parser = parser_class(Language.PT)("p")
    either = parser.add_mutually_exclusive_group(required=True)
    either.add_argument("--one", nargs="+")
    either.add_argument("--two", action="store_true")
    for given in ([], ["--two=3"], ["--one"], ["--one", "1", "--two"]):
        with pytest.raises(SystemExit, match="2"):
            parser.parse_args(given)
        assert ENGLISH.search(capsys.readouterr().err) is None
    assert said("something new", Language.PT) == "something new"


def test_the_demo_says_the_same_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    def names(text: str) -> set[str | None]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    english, portuguese = words(Language.EN), words(Language.PT)
    assert {key: names(text) for key, text in portuguese.items()} == {key: names(text) for key, text in english.items()}
    with pytest.raises(SystemExit, match="0"):
        simulators(["demo", "--help"])
    assert "guião" in capsys.readouterr().out
