"""Puts an entry into words: the person or cause, the reason of a refusal, and the notices that people got with the
entry.
"""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, TypeAlias

from msgspec import UnsetType

from controller.catalogue import Language, has_key, placeholders, sentence
from controller.catalogue.words import RefusalWords, notice_text, refusal_words, variants_of
from controller.config.notice_clauses import cited
from controller.core.engine.act import Act
from controller.core.house.deciding import refused
from controller.core.house.manner import Credential
from controller.core.money import units
from controller.core.words import Device
from controller.journal.codec import Plain
from controller.journal.entry import Entry, EntryRefusal
from controller.record.findings import found_at_start
from controller.record.shown import Shown
from controller.record.typed_texts import NO_WORDS
from controller.runtime.agreed import with_second_posts
from controller.runtime.game import game_of
from controller.staff.known import STAFF_CHANGED

_MS: Final = 1000
_UNKNOWN = "–"
_WHO = ("person", "role")
_HIDDEN = ("salt", "seal_differs")
"""Fields without a sentence of their own. A salt is for programs to check; a seal that differs has its own sentence."""

_ACTS_CENTS: Final = frozenset({"amount", "value"})
_FACTS_CENTS: Final = frozenset({"shown_cents", "values"})
"""The fields of acts and facts that are stored in cents and shown in currency units."""


Names: TypeAlias = Mapping[int, str]
"""The names of the casino's people from staff files, by the person's number."""

NOBODY: Final[Names] = {}


def in_words(one: Shown, language: Language, names: Names = NOBODY) -> str:
    """Describes the entry `one` in a sentence. For an unknown kind the sentence gives the kind and the values. `names`:
    people's names by number.
    """
    kind, body = one.entry.kind, one.body
    if one.is_act:
        return _of_person(one, language, names)
    if not has_key(f"told.{kind}"):
        return f"{kind} {_raw(body)}".rstrip()
    if isinstance(act := body.get("act"), str):
        body = body | {"act": _named(act, language)}
    device = one.device or (Device.SHUFFLER.value if kind.startswith(Device.SHUFFLER.value) else None)
    text = _told(kind, device, body, language)
    return "; ".join((text, *found_at_start(body.get("findings"), one.entry.seq, language)))


def when(entry: Entry) -> str:
    """The wall-clock time of an entry as text, in the local time zone, with the offset from UTC."""
    return clock_text(entry.wall_ms)


def clock_text(wall_ms: int) -> str:
    return datetime.fromtimestamp(wall_ms // _MS).astimezone().isoformat(" ")


def _of_person(one: Shown, language: Language, names: Names) -> str:
    refusal = one.entry.refusal
    what = _named(one.entry.kind, language) if refusal else _done(one.entry.kind, language)
    body = one.body if one.complained_of is None else one.body | {"round": one.complained_of}
    said = "; ".join(_said(one.entry.kind, body, language))
    values = {
        "role": _text(one.body["role"]),
        "person": _person_by(one, names, language),
        "what": f"{what} ({said})" if said else what,
    }
    if refusal is None:
        return sentence("cli.journal.act", values, language)
    values |= {"clause": refusal.clause or "", "reason": _reason(one, refusal, language)}
    return sentence("cli.journal.act-refused" if refusal.clause else "cli.journal.act-refused-by-us", values, language)


def person_text(number: Plain, names: Names, language: Language) -> str:
    """Returns a person's number and, if `names` has it, the person's name."""
    name = names.get(number) if isinstance(number, int) else None
    return sentence("record.names", {"number": str(number), "name": name}, language) if name else _text(number)


def _person_by(one: Shown, names: Names, language: Language) -> str:
    """Returns the person of an act and the person's credential in words. Leaves out the credential of a dealer at the
    dealer's post.
    """
    person, credential = person_text(one.body["person"], names, language), one.entry.credential
    if isinstance(credential, UnsetType) or credential == Credential.POST:
        return person
    return sentence("record.by", {"person": person, "credential": credential}, language)


def _done(act: str, language: Language) -> str:
    key = f"did.{act}"
    return sentence(key, (), language) if has_key(key) else act


def _named(act: str, language: Language) -> str:
    """Returns the act's name from the catalogue. Returns an unknown act unchanged."""
    key = f"act.{act}.what"
    return sentence(key, (), language) if has_key(key) else act


def _said(kind: str, body: dict[str, Plain], language: Language) -> Iterator[str]:
    """Yields a text for each value that a person gave with an act."""
    for name, value in body.items():
        if name in (*_WHO, *_HIDDEN) or value is None:
            continue
        is_without = value in NO_WORDS
        keys = (*((f"said.{name}-without",) if is_without else ()), f"said.{kind}-{name}", f"said.{name}")
        key = next(filter(has_key, keys), None)
        text = sentence(f"record.{value}", (), language) if is_without else _text(_as_shown(name, value))
        yield _raw({name: value}) if key is None else sentence(key, {"value": text}, language)
    if body.get("seal_differs") is True:
        yield sentence("said.seal_differs", (), language)


def _as_shown(name: str, value: Plain) -> Plain:
    return _units(value) if name in _ACTS_CENTS else value


def _reason(one: Shown, refusal: EntryRefusal, language: Language) -> str:
    """Returns the reason of a refusal in words. Returns the guard's name if the values of these words are lost."""
    if (again := refusal_words_of(one, language)) is not None:
        return again.reason
    key = f"guard.{refusal.reason}.reason"
    return sentence(key, (), language) if has_key(key) and not placeholders(key, language) else refusal.reason


def refusal_words_of(one: Shown, language: Language) -> RefusalWords | None:
    """Returns the words of the refusal `one` as the table showed them to people. None if today's rules give another
    reason, or if the entry `one` is no refusal or does not replay.
    """
    before = one.before
    if before is None or one.decision is None or one.entry.refusal is None:
        return None
    game = game_of(before.setup.profile)
    act = game.codec.decode(one.entry.kind, one.entry.body)
    again = refused(game.registry, before, act) if isinstance(act, Act) else None
    if again is None or again.guard != one.entry.refusal.reason:
        return None
    named = with_second_posts(again, before, one.entry.kind)
    return refusal_words(named, language, variants_of(before.setup.procedure))


def _told(kind: str, device: Plain, body: dict[str, Plain], language: Language) -> str:
    """Returns the sentence on a fact. `body`: the fact's values. `device`: the device that has reported the fact; None
    for a fact without a device.
    """
    status = body.get("status")
    figures = status if isinstance(status, dict) else {}
    values = {"device": device, "inside": None} | figures | body
    values |= {name: _units(value) for name, value in values.items() if name in _FACTS_CENTS}
    return sentence(f"told.{_key(kind, body)}", {name: _text(value) for name, value in values.items()}, language)


def _key(kind: str, body: dict[str, Plain]) -> str:
    if kind == STAFF_CHANGED and body.get("forgotten"):
        return "staff-changed-forgotten"
    if kind == "pin-refused" and "terminal" in body:
        return "pin-refused-at"
    if kind != "card-read" or body.get("card") is not None:
        return kind
    return "card-read-unread" if body.get("commitment") is None else "card-read-sealed"


def _units(cents: Plain) -> Plain:
    """Converts an amount, or a list of amounts, from cents to currency units. Returns any other value unchanged."""
    match cents:
        case int():
            return units(cents)
        case list():
            return [_units(one) for one in cents]
        case _:
            return cents


def _text(value: Plain) -> str:
    match value:
        case None:
            return _UNKNOWN
        case bool():
            return "yes" if value else "no"
        case []:
            return _UNKNOWN
        case list():
            return ", ".join(_text(one) for one in value)
        case {"key": key, "before": before, "now": now}:
            return f"{key}: {before or _UNKNOWN} → {now or _UNKNOWN}"
        case {"number": number, "room_manager": manager, "chief_supervisor": chief, "on": on}:
            return f"{number} ({manager}, {chief}, {on})"
        case {"number": number, "role": role}:
            return f"{_text(number)} {_text(role)}"
        case _:
            return str(value)


def _raw(values: dict[str, Plain]) -> str:
    return " ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in values.items())


def heard_with(one: Shown, language: Language) -> Iterator[str]:
    """Yields the sentences on the places of an entry's cards, then the notices that people at the table got with the
    entry.
    """
    before, after = one.before, one.after
    if before is not None and after is not None:
        yield from game_of(after.setup.profile).record().received(before, after, language)
    for notice in one.decision.notices if one.decision else ():
        yield notice_text(notice if after is None else cited(after.setup.profile, notice), language)
