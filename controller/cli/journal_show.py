"""`sabot journal show PATH`: the entries that somebody looks for, or one round told as a story for a dispute.

What is shown is what stands in the journal: a card that lay face down and was not turned has no face here either.
Session and round of an entry are those of the table behind it, found by replaying; bets belong to the round that they
are for.
"""

import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from controller.catalogue import UnknownKey
from controller.catalogue.words import notice_text
from controller.cli.journal_story import changed, received, told
from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.core.decide import Decision
from controller.core.state import State
from controller.core.words import Device, RoundPhase
from controller.journal.codec import Plain
from controller.journal.entry import Entry

_MS = 1000


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry, where in the evening it stands, and what the core said. `decision` None: it does not replay."""

    entry: Entry
    body: dict[str, Plain]
    session: int
    round: int
    seats: tuple[int, ...]
    before: State | None
    after: State | None
    decision: Decision | None


def add_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    for name in ("session", "round", "seat", "person"):
        parser.add_argument(f"--{name}", type=int, metavar="N", help=words(f"cli.option.show-{name}"))
    devices = [device.value for device in Device]
    parser.add_argument("--device", choices=devices, metavar="NAME", help=words("cli.option.show-device"))
    parser.add_argument("--since", type=_wall_ms, metavar="TIME", help=words("cli.option.show-since"))
    parser.add_argument("--until", type=_wall_ms, metavar="TIME", help=words("cli.option.show-until"))
    parser.add_argument("--story", action="store_true", help=words("cli.option.show-story"))


def show(arguments: Namespace, talk: Talk) -> ExitCode:
    """A line for each entry that every filter lets through; as JSON one object a line."""
    if arguments.story and arguments.round is None:
        raise CliFailure(ExitCode.USAGE, "story-of-which-round")
    is_any = False
    for one in _entries(arguments):  # one by one: what stands before a damage is shown, too
        if not _matches(one, arguments) or (arguments.story and not one.session):
            continue
        is_any = True
        if talk.as_json:
            talk.line(_document(one))
        elif arguments.story:
            _tell(one, talk)
        else:
            talk.told(_line(one, _what(one, talk), talk))
    if arguments.story and not is_any:
        raise CliFailure(ExitCode.FAILED, "no-such-round", round=str(arguments.round))
    return ExitCode.OK


def _wall_ms(text: str) -> int:
    """ISO 8601, of UTC where it names no zone; in whole milliseconds, no float on the way."""
    try:
        when = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(text) from error
    since = (when if when.tzinfo else when.replace(tzinfo=UTC)) - datetime.fromtimestamp(0, UTC)
    return (since.days * 86_400 + since.seconds) * _MS + since.microseconds // _MS


def _entries(arguments: Namespace) -> Iterator[Shown]:
    """Every entry up to the one at which the journal ends; JournalDamaged there. The rest needs no replaying."""
    from controller.journal.errors import CodecError
    from controller.journal.verify import entries_of
    from controller.replay import ReplayError, step
    from controller.runtime.checkpoint import folded_before

    folded, replays = folded_before(arguments.path), True
    for entry in entries_of(arguments.path):
        before, decision = folded.state, None
        try:
            if replays:
                folded, decision = step(folded, entry, rules="")
        except (ReplayError, CodecError):
            replays = False
        yield _shown(entry, before, folded.state, decision)


def _shown(entry: Entry, before: State | None, after: State | None, decision: Decision | None) -> Shown:
    body = json.loads(bytes(entry.body))
    if after is None:
        return Shown(entry, body, 0, 0, (), before, after, decision)
    named = [value for key in ("seats", "seat") for value in _numbers(body.get(key))]
    seats = tuple(sorted({*named, *(card.seat for card in changed(before, after))}))
    return Shown(entry, body, after.session_number, _round(before, after), seats, before, after, decision)


def _round(before: State | None, after: State) -> int:
    """The round that an entry is of; it is counted from the announcement on, and its bets stand before that."""
    if after.round is RoundPhase.BETTING:
        return after.round_number + 1
    bets_ended = before is not None and before.round is RoundPhase.BETTING and before.round_number == after.round_number
    return after.round_number + bets_ended


def _numbers(value: Plain) -> list[int]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, int) and not isinstance(one, bool)]


def _matches(one: Shown, arguments: Namespace) -> bool:
    asked = (
        (arguments.session, one.session),
        (arguments.round, one.round),
        (arguments.person, one.body.get("person")),
        (arguments.device, _device(one)),
    )
    return (
        all(wanted is None or wanted == found for wanted, found in asked)
        and (arguments.seat is None or arguments.seat in one.seats)
        and (arguments.since is None or one.entry.wall_ms >= arguments.since)
        and (arguments.until is None or one.entry.wall_ms <= arguments.until)
    )


def _device(one: Shown) -> Plain:
    return one.body.get("device") if one.entry.source is None else one.entry.source.device


def _document(one: Shown) -> object:
    entry = one.entry
    refusal = None if entry.refusal is None else {"reason": entry.refusal.reason, "clause": entry.refusal.clause}
    return {
        "seq": entry.seq,
        "wall": _when(entry),
        "wall_synced": entry.wall_synced,
        "table_ms": entry.table_ms,
        "session": one.session,
        "round": one.round,
        "seats": list(one.seats),
        "kind": entry.kind,
        "device": _device(one),
        "refusal": refusal,
        "body": one.body,
    }


def _when(entry: Entry) -> str:
    return datetime.fromtimestamp(entry.wall_ms // _MS, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _line(one: Shown, what: str, talk: Talk) -> str:
    values = {"seq": str(one.entry.seq), "when": _when(one.entry), "what": what}
    return talk.words("cli.journal.shown", session=str(one.session), round=str(one.round), **values)


def _what(one: Shown, talk: Talk) -> str:
    """An act as the catalogue names it; everything else by its name and values."""
    is_act = "role" in one.body
    hidden = {"status", "source", "setup", "salt"} | ({"role", "person"} if is_act else set())  # an act says who
    values = " ".join(
        f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in one.body.items() if key not in hidden
    )
    if not is_act:
        return f"{one.entry.kind} {values}".rstrip()
    refusal = one.entry.refusal
    key = "cli.journal.act" if refusal is None else "cli.journal.act-refused"
    who = {"role": str(one.body["role"]), "person": str(one.body["person"])}
    what = f"{_named(one.entry.kind, talk)} {values}".rstrip()
    return talk.words(key, what=what, clause="" if refusal is None else refusal.clause, **who)


def _in_words(one: Shown, talk: Talk) -> str:
    if "role" in one.body:
        return _what(one, talk)
    try:
        return told(one.entry.kind, _device(one), one.body, talk.language)
    except UnknownKey:
        return _what(one, talk)


def _named(act: str, talk: Talk) -> str:
    """As the catalogue says it; an act that another program knew, by its name."""
    try:
        return talk.words(f"act.{act}.what")
    except UnknownKey:
        return act


def _tell(one: Shown, talk: Talk) -> None:
    """An entry of the round in words, whose card came with it, and what people at the table heard then."""
    talk.told(_line(one, _in_words(one, talk), talk))
    for text in received(one.before, one.after, talk.language):
        talk.told(talk.words("cli.journal.heard", text=text))
    for notice in one.decision.notices if one.decision else ():
        talk.told(talk.words("cli.journal.heard", text=notice_text(notice, talk.language)))
