"""Makes manual pages and shell completion from the parsers of the commands, so that they are always complete."""

import os
import re
from argparse import SUPPRESS, Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from typing import Final

from controller.catalogue import Language
from controller.cli.main import COMMANDS, parser_of
from controller.core.games.blackjack.table import ACTS
from simulators.cli import COMMANDS as OF_SIMULATORS
from simulators.cli import parser_of as parser_of_simulators

FILES: Final = (
    "--answers", "--behind", "--bundle", "--config", "--file", "--key", "--out", "--public-key", "--root", "--socket",
    "--staff", "--state-dir", "--to",
)  # fmt: skip
"""Options whose value is a path."""

FIRST_WORDS: Final = {"sabot act": tuple(ACTS)}
"""Words to complete after a command whose parser takes any word."""


def parsers(name: str, language: Language) -> list[tuple[str, ArgumentParser]]:
    """Returns every command and subcommand of `sabot` or `sabot-sim` with its parser, the command itself first."""
    os.environ["COLUMNS"] = "100"
    whole = parser_of(language, COMMANDS) if name == "sabot" else parser_of_simulators(OF_SIMULATORS)
    return list(_walk(name, whole))


def _walk(name: str, parser: ArgumentParser) -> Iterator[tuple[str, ArgumentParser]]:
    yield name, parser
    for action in _actions(parser):
        if isinstance(action, _SubParsersAction):
            for word, child in action.choices.items():
                yield from _walk(f"{name} {word}", child)


def _actions(parser: ArgumentParser) -> list[Action]:
    return parser._actions  # noqa: SLF001 - argparse has no public way to ask


# ---- manual pages


def manual(name: str, version: str, language: Language) -> str:
    """Returns the manual page of a command, for section 1."""
    whole, *rest = parsers(name, language)
    lines = [
        f'.TH {name.upper()} 1 "" "{version}" "Sabot"',
        f".SH {'NAME' if language is Language.EN else 'NOME'}",
        f"{name} \\- {_roff(whole[1].description or '')}",
        *(line for command, parser in (whole, *rest) for line in _section(command, parser)),
    ]
    return "\n".join(lines) + "\n"


def _section(command: str, parser: ArgumentParser) -> Iterator[str]:
    yield f".SH {_roff(command)}"
    if parser.description:
        yield _roff(parser.description)
    for action in _actions(parser):
        if isinstance(action, _SubParsersAction) or action.help == SUPPRESS:
            continue
        value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else "")
        flags = ", ".join(action.option_strings) or str(value or action.dest)
        has_value = action.option_strings and action.nargs != 0
        yield ".TP"
        yield f".B {_roff(f'{flags} {value or action.dest.upper()}' if has_value else flags)}"
        yield _roff(action.help or "")


def _roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


# ---- completion


def completion() -> str:
    """Returns the completion script for bash: subcommands, options and the choices of their values for each command."""
    cases = [
        _case(name, parser) for command in ("sabot", "sabot-sim") for name, parser in parsers(command, Language.EN)
    ]
    return COMPLETION.format(files="|".join(FILES), cases="\n".join(cases))


def _case(name: str, parser: ArgumentParser) -> str:
    words = [word for action in _actions(parser) for word in (*action.option_strings, *map(str, action.choices or ()))]
    words += FIRST_WORDS.get(name, ())
    return f'        "{name}") words="{" ".join(words)}" ;;'


COMPLETION: Final = """# Completion of sabot and sabot-sim for bash; made from their parsers.
_sabot() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}}
    local path=${{COMP_WORDS[0]##*/}} word words
    case "$previous" in {files}) COMPREPLY=($(compgen -f -- "$current")); return ;; esac
    for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
        _sabot_words "$path $word" && path="$path $word"
    done
    _sabot_words "$path"
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    [[ ${{#COMPREPLY[@]}} -gt 0 || $current == -* ]] || COMPREPLY=($(compgen -f -- "$current"))
}}

_sabot_words() {{
    case "$1" in
{cases}
        *) return 1 ;;
    esac
}}

complete -F _sabot sabot sabot-sim
"""
