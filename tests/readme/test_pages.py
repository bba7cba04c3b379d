"""Every command of ours on the pages for technicians and auditors can be parsed, and is the same in both languages."""

import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Final

import pytest

from controller.catalogue import Language, keys, sentence
from controller.cli.main import COMMANDS, parser_of
from simulators.cli import COMMANDS as OF_SIMULATORS
from simulators.cli import parser_of as parser_of_simulators

ROOT: Final = Path(__file__).parents[2]
PAGES: Final = (
    "systemd/README.md",
    "systemd/README.pt.md",
    "systemd/monitoring/README.md",
    "controller/journal/AUDIT.md",
    "controller/journal/AUDIT.pt.md",
    "controller/scenario/FORMAT.pt.md",
)
TRANSLATED: Final = {
    "systemd/README.md": "systemd/README.pt.md",
    "controller/journal/AUDIT.md": "controller/journal/AUDIT.pt.md",
}
_OURS: Final = re.compile(r"^(?:sudo (?:-u \w+ )?)?(sabot(?:-sim)? .*)$")
VALUES: Final = {"ROLE": "dealer", "N": "21", "P": "21"}
"""The examples of values that have a form of their own."""


def lines(text: str) -> Iterator[str]:
    """Lines of blocks, and texts between backticks, without comments; a lone name does not count."""
    blocks = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    indented = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    quoted = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    for line in (*"\n".join(blocks).splitlines(), *indented, *quoted):
        found = _OURS.match(line.split(" #")[0].strip())
        if found:
            yield found[1]


def commands(page: str) -> list[str]:
    return list(lines((ROOT / page).read_text("utf-8")))


def is_whole(command: str) -> bool:
    """True where a command is complete; `sabot journal seal` in a sentence is only a name."""
    return "..." not in command and "…" not in command and len(command.split()) > 2


def parses(command: str) -> bool:
    program, *words = shlex.split(command)
    words = [VALUES.get(word, word) for word in words]
    parser = parser_of(Language.EN, COMMANDS) if program == "sabot" else parser_of_simulators(OF_SIMULATORS)
    try:
        with redirect_stderr(StringIO()):
            parser.parse_args(words)
    except SystemExit:
        return False
    return True


def is_named(command: str) -> bool:
    """True where a bare text without options is a command: its words lead to a parser."""
    program, *words = command.partition(" -")[0].split() if "..." in command else command.split()
    if any(word.startswith("-") for word in words):
        return False
    parser = parser_of(Language.EN, COMMANDS) if program == "sabot" else parser_of_simulators(OF_SIMULATORS)
    with redirect_stderr(StringIO()) as told, pytest.raises(SystemExit):
        parser.parse_args([*words, "--no-such-option-of-ours"])
    return "one of these would be right" not in told.getvalue()


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.slow
def test_each_command_of_a_page_is_one(page: str) -> None:
    found = commands(page)
    assert found
    assert [one for one in found if not (is_whole(one) and parses(one)) and not is_named(one)] == []


@pytest.mark.parametrize("page", TRANSLATED)
@pytest.mark.slow
def test_what_is_typed_in_a_block_is_the_same_in_both_languages(page: str) -> None:
    """The commands in the blocks of a page and of its translation are the same."""
    blocks = {one for one in commands(page) if is_whole(one) and parses(one)}
    translated = [one for one in commands(TRANSLATED[page]) if is_whole(one) and parses(one)]
    assert translated
    assert [one for one in translated if _without_files(one) not in {_without_files(one) for one in blocks}] == []


def _without_files(command: str) -> str:
    """The command without file names, which differ by language."""
    return " ".join("FILE" if "." in word else word for word in command.split())


@pytest.mark.parametrize("language", Language)
def test_each_command_in_a_remedy_is_one(language: Language) -> None:
    texts = [sentence(key, (), language) for key in keys(language) if key.startswith(("doctor.", "commission."))]
    found = {word for text in texts for word in re.findall(r"\bsabot ([a-z]+) (?:--|[A-Z{]|[a-z]+ [A-Z{])", text)}
    assert found - {"and", "e"} <= set(COMMANDS)  # the group sabot and ...
    assert "config" in found


def test_the_check_sees_a_command_that_is_none() -> None:
    text = "```sh\nsudo sabot docter\nsabot status --chekc\n```\n`sabot journal prone X`"
    assert [one for one in lines(text) if (is_whole(one) and parses(one)) or is_named(one)] == []
