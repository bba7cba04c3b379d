"""`sabot journal incidents PATH`: lists the incidents whose recordings must be kept, with begin, end and last day."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING

from controller.cli.journal_show import add_behind
from controller.cli.talk import Talk
from controller.machine.exits import ExitCode

if TYPE_CHECKING:
    from controller.record.incidents import Compared, Incident, Moment


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    from controller.record.incidents import USUAL_DAYS

    parser.add_argument("--session", type=int, default=0, metavar="N", help=words("cli.option.show-session"))
    parser.add_argument("--days", type=int, default=USUAL_DAYS, metavar="N", help=words("cli.option.incident-days"))
    add_behind(parser, words)


def incidents(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints a line for each incident. For a damaged journal prints nothing and raises JournalDamaged."""
    from controller.record.incidents import incidents_of
    from controller.record.shown import entries_shown

    found = incidents_of(entries_shown(arguments.path, arguments.behind), arguments.session)
    days = max(0, arguments.days)
    talk.document({"days": days, "incidents": [_document(one, days) for one in found]})
    for one in found:
        talk.result(said(one, days, talk.words))
    if not found:
        talk.result(talk.words("record.none-kept"))
    return ExitCode.OK


def said(one: "Incident", days: int, words: Callable[..., str]) -> str:
    """The line of the list for one incident. `days`: the days for which recordings are kept after it; `words`: the
    sentence of a key of the catalogue, with its values.
    """
    from controller.record.incidents import in_values

    return words("record.incident", **in_values(one, days, words))


def _document(one: "Incident", days: int) -> dict[str, object]:
    until = one.kept_until(days)
    return {
        "kind": one.kind.value,
        "hold": f"H{one.hold}" if one.hold else None,
        "session": one.session,
        "round": one.round,
        "began": _moment(one.began),
        "ended": None if one.ended is None else _moment(one.ended),
        "keep_until": None if until is None else until.isoformat(),
        "recorder": None if one.recorder is None else _recorder(one.recorder),
    }


def _recorder(compared: "Compared") -> dict[str, object]:
    return {"entry": compared.seq, "wall_ms": compared.wall_ms, "ahead_s": compared.ahead_s}


def _moment(moment: "Moment") -> dict[str, object]:
    return {"entry": moment.seq, "wall_ms": moment.wall_ms, "synchronised": moment.is_synchronised}
