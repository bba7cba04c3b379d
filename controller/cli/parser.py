"""The parser of the command line: refuses abbreviated options, and translates argparse's messages into Portuguese."""

import re
import sys
from argparse import ArgumentParser
from typing import ClassVar, Final, NoReturn

from controller.catalogue import Language, sentence

_USAGE: Final = "usage: "
_ARGUMENT: Final = re.compile(r"argument (?P<argument>.+?): (?P<rest>.+)", re.DOTALL)
_MESSAGES: Final = tuple(
    (key, re.compile(pattern, re.DOTALL))
    for key, pattern in (
        ("required", r"the\sfollowing\sarguments\sare\srequired:\s(?P<what>.+)"),
        ("unrecognized", r"unrecognized\sarguments:\s(?P<what>.+)"),
        ("invalid-choice", r"invalid\schoice:\s(?P<value>.+)\s\(choose\sfrom\s(?P<known>.+)\)"),
        ("invalid-value", r"invalid\s\S+\svalue:\s(?P<value>.+)"),
        ("expected-one", r"expected\sone\sargument"),
        ("expected-some", r"expected\sat\sleast\sone\sargument"),
        ("expected-none", r"ignored\sexplicit\sargument\s(?P<value>.+)"),
        ("not-with", r"not\sallowed\swith\sargument\s(?P<what>.+)"),
        ("one-of", r"one\sof\sthe\sarguments\s(?P<what>.+)\sis\srequired"),
    )
)
"""The English messages of argparse that can be translated. A message that is not listed stays in English."""


class WholeOptionsParser(ArgumentParser):
    """A parser that refuses abbreviated options: `--pin 4711` is an error, not `--pin-fd`. Subparsers of this parser
    have the same class.
    """

    language: ClassVar = Language.EN

    def __init__(self, prog: str | None = None, *, description: str | None = None) -> None:
        def word(key: str) -> str:
            return sentence(f"cli.usage.{key}", (), self.language)

        super().__init__(prog, description=description, allow_abbrev=False, add_help=False)
        self._positionals.title = word("positionals")
        self._optionals.title = word("options")
        self.add_argument("-h", "--help", action="help", help=word("help"))

    def format_usage(self) -> str:
        return self._spoken(super().format_usage())

    def format_help(self) -> str:
        return self._spoken(super().format_help())

    def _spoken(self, text: str) -> str:
        """Returns the usage text with argparse's word "usage" translated. The further lines of the usage are indented
        to match.
        """
        word = sentence("cli.usage.usage", (), self.language)
        usage, blank, rest = text.removeprefix(_USAGE).partition("\n\n")
        return word + usage.replace("\n" + " " * len(_USAGE), "\n" + " " * len(word)) + blank + rest

    def error(self, message: str) -> NoReturn:
        """Prints usage and error on stderr and ends the process with exit code 2."""
        self.print_usage(sys.stderr)
        values = {"prog": self.prog, "message": said(message, self.language)}
        self.exit(2, sentence("cli.usage.error", values, self.language) + "\n")


class PortugueseParser(WholeOptionsParser):
    """A `WholeOptionsParser` with argparse's messages in Portuguese."""

    language: ClassVar = Language.PT


class BrazilianParser(WholeOptionsParser):
    """A `WholeOptionsParser` with argparse's words in Brazilian Portuguese."""

    language: ClassVar = Language.BR


_BY_LANGUAGE: Final[dict[Language, type[WholeOptionsParser]]] = {
    Language.PT: PortugueseParser,
    Language.BR: BrazilianParser,
}


def parser_class(language: Language) -> type[WholeOptionsParser]:
    """Returns the parser's class for `language`: the English class if argparse is not translated into it."""
    return _BY_LANGUAGE.get(language, WholeOptionsParser)


def said(message: str, language: Language) -> str:
    """Returns argparse's message translated into `language`. Returns an unknown message unchanged."""
    if (found := _ARGUMENT.fullmatch(message)) is not None:
        values = {"argument": found["argument"], "message": said(found["rest"], language)}
        return sentence("cli.usage.argument", values, language)
    matches = ((key, pattern.fullmatch(message)) for key, pattern in _MESSAGES)
    for key, match in matches:
        if match is not None:
            return sentence(f"cli.usage.{key}", match.groupdict(), language)
    return message
