"""`sabot journal show PATH`: prints the entries that pass the filters, or with `--story` all entries about one round.

A face-down card that was never turned stays unknown. A story belongs to one session and ends with its round.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import UnsetType
from msgspec.structs import asdict

from controller.cli.talk import Talk, quoted
from controller.core.words import Device
from controller.journal.errors import JournalDamaged
from controller.machine.exits import CliFailure, ExitCode
from controller.record.filters import Only, is_about

if TYPE_CHECKING:
    from controller.journal.entry import Entry
    from controller.record.shown import Shown
    from controller.record.story import Names

_MS = 1000


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    for name in ("session", "round", "seat", "person"):
        parser.add_argument(f"--{name}", type=int, metavar="N", help=words(f"cli.option.show-{name}"))
    devices = [device.value for device in Device]
    parser.add_argument("--device", choices=devices, metavar="NAME", help=words("cli.option.show-device"))
    parser.add_argument("--since", type=_wall_ms, metavar="TIME", help=words("cli.option.show-since"))
    parser.add_argument("--until", type=_last_ms, metavar="TIME", help=words("cli.option.show-until"))
    only = [one.value for one in Only]
    parser.add_argument("--only", choices=only, metavar="WHAT", help=words("cli.option.show-only"))
    add_staff(parser, words)
    parser.add_argument("--story", action="store_true", help=words("cli.option.show-story"))
    add_behind(parser, words)


def add_staff(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    """Adds the option `--staff`, which may be repeated: the staff files, from the oldest to the current one."""
    parser.add_argument(
        "--staff", type=Path, action="append", default=[], metavar="FILE", help=words("cli.option.show-staff")
    )


def add_behind(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument(
        "--behind", type=Path, action="append", default=[], metavar="FILE", help=words("cli.option.behind")
    )


def show(arguments: Namespace, talk: Talk) -> ExitCode:
    """Prints a line for each entry that passes every filter. With `--story`, prints all entries of one round in detail.

    With JSON prints one object a line. Raises CliFailure, NoStateHere; JournalDamaged after it has printed the entries
    before the damage.
    """
    from controller.record.names import names_of, with_cuts
    from controller.record.removed_state import no_state_here
    from controller.record.shown import entries_shown

    behind = no_state_here(arguments.path, arguments.behind)
    if behind is not None and (arguments.story or arguments.round is not None or arguments.seat is not None):
        raise behind  # the owners, places and rounds of the cards are unknown
    if arguments.story:
        _refuse_several_rounds(arguments)
    seen = found = 0
    names = with_cuts(names_of(arguments.staff, talk.language), arguments.path)
    for one in entries_shown(arguments.path, arguments.behind):  # one by one: entries before a damage are shown
        seen += 1
        if _is_asked(one, arguments):
            found += 1
            _show(one, talk, names.at(one.staff), is_story=arguments.story)
    if not seen:
        raise CliFailure(ExitCode.USAGE, "no-entries", path=str(arguments.path))
    if arguments.story and not found:
        raise CliFailure(ExitCode.FAILED, "no-such-round", round=str(arguments.round))
    if not found:
        talk.aside(talk.words("cli.journal.nothing-matches", entries=str(seen)))
    if behind is not None:
        values = {"first": str(behind.first_seq), "code": behind.acknowledged}
        talk.aside(talk.words("cli.error.no-state-here", path=str(arguments.path), **values))
    return ExitCode.OK


def _refuse_several_rounds(arguments: Namespace) -> None:
    """Raises CliFailure if no round is named, or if several sessions have a round of that number and no session is
    named.
    """
    from controller.record.shown import entries_shown

    if arguments.round is None:
        raise CliFailure(ExitCode.USAGE, "story-of-which-round")
    sessions: set[int] = set()
    with suppress(JournalDamaged):  # entries after a damage are in no story
        for one in entries_shown(arguments.path, arguments.behind) if arguments.session is None else ():
            sessions |= {one.session} if _is_asked(one, arguments) else set()
            if len(sessions) > 1:
                values = {"round": str(arguments.round), "sessions": ", ".join(map(str, sorted(sessions)))}
                raise CliFailure(ExitCode.USAGE, "story-of-which-session", **values)


def _is_asked(one: "Shown", arguments: Namespace) -> bool:
    return _matches(one, arguments) and (one.is_of_a_round or not arguments.story)


def _show(one: "Shown", talk: Talk, names: "Names", *, is_story: bool) -> None:
    if talk.as_json:
        talk.line(document_of(one))
    elif is_story:
        tell(one, talk, names)
    else:
        talk.told(quoted(_line(one, talk, names)))


def _wall_ms(text: str) -> int:
    """Returns an ISO 8601 time in milliseconds since 1970. A time without a zone is in this computer's zone."""
    when = datetime.fromisoformat(text)
    since = (when if when.tzinfo else when.astimezone()) - datetime.fromtimestamp(0, UTC)
    return (since.days * 86_400 + since.seconds) * _MS + since.microseconds // _MS


def _last_ms(text: str) -> int:
    """Returns an ISO 8601 time as the end of a span, in milliseconds since 1970.

    A time in whole seconds means the last millisecond of its second.
    """
    found = _wall_ms(text)
    return found if "." in text or "," in text else found + _MS - 1


def _matches(one: "Shown", arguments: Namespace) -> bool:
    asked = (
        (arguments.session, one.session),
        (arguments.round, one.round),
        (arguments.person, one.body.get("person")),
        (arguments.device, one.device),
    )
    return (
        all(wanted is None or wanted == found for wanted, found in asked)
        and (arguments.seat is None or arguments.seat in one.seats)
        and (arguments.since is None or one.entry.wall_ms >= arguments.since)
        and (arguments.until is None or one.entry.wall_ms <= arguments.until)
        and (arguments.only is None or is_about(one, Only(arguments.only)))
    )


def document_of(one: "Shown") -> object:
    """Returns an entry as data for JSON, with its session, round and seats."""
    entry = one.entry
    refusal = None if entry.refusal is None else asdict(entry.refusal)
    return {
        "seq": entry.seq,
        "wall": _when(entry),
        "wall_zone": "UTC",
        "wall_synced": entry.wall_synced,
        "table_ms": entry.table_ms,
        "session": one.session,
        "round": one.round,
        "complained_of": one.complained_of,
        "seats": list(one.seats),
        "kind": entry.kind,
        "device": one.device,
        "credential": None if isinstance(entry.credential, UnsetType) else entry.credential,
        "refusal": refusal,
        "body": one.body,
    }


def _when(entry: "Entry") -> str:
    return datetime.fromtimestamp(entry.wall_ms // _MS, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _line(one: "Shown", talk: Talk, names: "Names") -> str:
    from controller.record.story import in_words, when

    what = in_words(one, talk.language, names)
    values = {"seq": str(one.entry.seq), "when": when(one.entry), "what": what}
    return talk.words("cli.journal.shown", session=str(one.session), round=str(one.round), **values)


def tell(one: "Shown", talk: Talk, names: "Names") -> None:
    """Prints the entry `one` in words, then the sentences that the people at the table were shown with this entry."""
    from controller.record.story import heard_with

    talk.told(quoted(_line(one, talk, names)))
    for text in heard_with(one, talk.language):
        talk.told(quoted(talk.words("cli.journal.heard", text=text)))
