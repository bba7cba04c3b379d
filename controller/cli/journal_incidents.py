"""`sabot journal incidents PATH`: lists the incidents whose recordings must be kept: begin, end, last day, place."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from controller.cli.journal_show import add_behind, add_staff
from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.record.incidents import Compared, Incident, Kept, Moment
    from controller.record.names import StaffNames

MOST_DAYS: Final = 36_525
"""The longest time for which recordings are kept: a hundred years."""


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--session", type=int, default=0, metavar="N", help=words("cli.option.show-session"))
    parser.add_argument("--days", type=int, metavar="N", help=words("cli.option.incident-days"))
    add_staff(parser, words)
    add_behind(parser, words)


def incidents(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints a line for each incident. Raises CliFailure and JournalDamaged, before it prints anything."""
    from controller.record.incidents import course_of
    from controller.record.names import names_of, with_cuts
    from controller.record.shown import entries_shown

    if arguments.days is not None and arguments.days > MOST_DAYS:
        values = {"given": str(arguments.days), "low": "0", "high": str(MOST_DAYS)}
        raise CliFailure(ExitCode.USAGE, "option-bounds", option="--days", **values)
    course = course_of(entries_shown(arguments.path, arguments.behind))
    found, strays = course.found(arguments.session), course.strays()
    days = None if arguments.days is None else max(0, arguments.days)
    incidents, marks = [_document(one, days) for one in found], [_mark(one) for one in strays]
    talk.document({"days": course.days if days is None else days, "incidents": incidents, "marks_of_none": marks})
    names = with_cuts(names_of(arguments.staff, talk.language), arguments.path)
    for one in found:
        talk.result(said(one, talk.words, names, days))
    for mark in strays:
        talk.result(talk.words("record.mark-of-none", entry=str(mark.at.seq), incident=str(mark.incident)))
    if not found:
        talk.result(talk.words("record.none-kept"))
    return ExitCode.OK


def said(one: "Incident", words: Callable[..., str], names: "StaffNames", days: int | None = None) -> str:
    """Returns the line for one incident. `words`: returns the catalogue's sentence for a key and values.

    `days`: the days for which the recordings are kept after the incident's end; None for the profile's number.
    """
    from controller.record.incidents import in_values

    return words(f"record.{one.sentence}", **in_values(one, words, names, days))


def _document(one: "Incident", days: int | None) -> dict[str, object]:
    until = one.kept_until(days)
    return {
        "kind": one.kind.value,
        "hold": f"H{one.hold}" if one.hold else None,
        "session": one.session,
        "round": one.round,
        "concerned": None if one.concerned is None else _moment(one.concerned),
        "began": _moment(one.began),
        "ended": None if one.ended is None else _moment(one.ended),
        "keep_until": None if until is None else until.isoformat(),
        "recorder": None if one.recorder is None else _recorder(one.recorder),
        "days": one.days if days is None else days,
        "kept": None if one.kept is None else _mark(one.kept),
    }


def _mark(mark: "Kept") -> dict[str, object]:
    by = {"person": mark.person, "role": mark.role, "place": mark.place}
    return {"incident": mark.incident, "entry": mark.at.seq, "wall_ms": mark.at.wall_ms} | by


def _recorder(compared: "Compared") -> dict[str, object]:
    return {"entry": compared.seq, "wall_ms": compared.wall_ms, "ahead_s": compared.ahead_s}


def _moment(moment: "Moment") -> dict[str, object]:
    return {"entry": moment.seq, "wall_ms": moment.wall_ms, "synchronised": moment.is_synchronised}
