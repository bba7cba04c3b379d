"""`sabot journal summary PATH`: prints the figures of one session, and the time that people needed for each hold."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.cli.journal_show import add_behind, add_staff
from controller.cli.talk import Talk, quoted
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.record.session_summary import SessionSummary


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--session", type=int, default=0, metavar="N", help=words("cli.option.summary-session"))
    add_staff(parser, words)
    add_behind(parser, words)


def summarise(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints the named session, or the last session if the arguments name none. Raises JournalDamaged before it prints
    anything; CliFailure if the journal does not have the session.
    """
    from controller.record.names import names_of, with_cuts
    from controller.record.session_summary import summary_of_session
    from controller.record.shown import entries_shown
    from controller.record.summary import summary

    evening = summary_of_session(entries_shown(arguments.path, arguments.behind), arguments.session)
    if not evening.began_ms:
        raise CliFailure(ExitCode.FAILED, "no-such-session", session=str(arguments.session))
    names = with_cuts(names_of(arguments.staff, talk.language), arguments.path)
    found = summary(evening, talk.language, names.at(evening.staff))
    talk.document(_document(evening))
    talk.result(quoted(found.title))
    for figure in found.figures:
        talk.result(quoted(talk.words("cli.journal.figure", label=figure.label, value=figure.value)))
    for row in found.rows:
        talk.result(quoted(talk.words("cli.journal.heard", text=row.text)))
    return ExitCode.OK


def _document(evening: "SessionSummary") -> object:
    """Returns the session as data. Times are in ms of the wall clock, and times within a hold in ms after it was
    raised.
    """
    holds = [
        {
            "id": f"H{number}",
            "kind": told.hold.kind.value,
            "raised_ms": told.wall_ms,
            "attended_after_ms": None if told.attended_ms is None else told.attended_ms - told.hold.raised_ms,
            "ended_after_ms": None if told.ended_ms is None else told.ended_ms - told.hold.raised_ms,
        }
        for number, told in evening.holds.items()
    ]
    return {
        "session": evening.session,
        "deck_set": evening.deck_set,
        "began_ms": evening.began_ms,
        "ended_ms": evening.ended_ms,
        "entries": evening.entries,
        "clock_not_synchronised": evening.unsynced,
        "irregular": evening.is_irregular,
        "rounds": evening.rounds,
        "drawn": evening.drawn,
        "voided": evening.voided,
        "holds": holds,
        "refusals": dict(evening.refusals),
        "complaints": evening.complaints,
        "upheld": sum(evening.upheld),
        "wrong_pins": evening.wrong_pins,
        "restarts": evening.starts,
        "people": [{"number": number, "role": role} for number, role in evening.people],
    }
