"""`sabot journal mistakes PATH`: counts refused and corrected acts by kind, and on request by person."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.catalogue.sentences import has_key
from controller.cli.journal_show import add_behind
from controller.cli.talk import Talk
from controller.machine.exits import ExitCode

if TYPE_CHECKING:
    from controller.record.mistakes import Mistakes


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--session", type=int, default=0, metavar="N", help=words("cli.option.show-session"))
    parser.add_argument("--by-person", action="store_true", help=words("cli.option.by-person"))
    add_behind(parser, words)


def mistakes(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints a line for each kind of mistake. Raises JournalDamaged, before it prints anything."""
    from controller.record.mistakes import mistakes_of, together
    from controller.record.shown import entries_shown

    shown = entries_shown(arguments.path, arguments.behind)
    found = together(mistakes_of(shown, arguments.session), by_person=arguments.by_person)
    talk.document({"mistakes": [_document(one, by_person=arguments.by_person) for one in found]})
    for one in found:
        talk.result(said(one, talk.words))
    if not found:
        talk.result(talk.words("cli.mistakes.none"))
    return ExitCode.OK


def said(one: "Mistakes", words: Callable[..., str]) -> str:
    """Returns the line for one kind of mistake. `words`: returns the catalogue's sentence for a key and values."""
    named = f"act.{one.act}.what"
    values = {
        "kind": one.kind.value,
        "act": words(named) if has_key(named) else one.act,
        "guard": words("cli.mistakes.refused", guard=one.guard) if one.guard else words("cli.mistakes.put-right"),
        "count": str(one.count),
        "first": str(one.first),
        "last": str(one.last),
        "person": words("cli.mistakes.by", person=str(one.person)) if one.person else "",
    }
    return words("cli.mistakes.line", **values)


def _document(one: "Mistakes", *, by_person: bool) -> dict[str, object]:
    person = {"person": one.person or None} if by_person else {}
    return {
        "kind": one.kind.value,
        "act": one.act,
        "guard": one.guard or None,
        "count": one.count,
        "first": one.first,
        "last": one.last,
        **person,
    }
