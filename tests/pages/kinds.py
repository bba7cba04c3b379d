"""The page of the kinds of entries, for readers of a journal: made from the events' classes and from the catalogue."""

import re
import typing
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import Final, TypeGuard

from msgspec import Struct
from msgspec.structs import FieldInfo, fields

from controller.catalogue import Language, keys, sentence
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.table import ROULETTE
from controller.core.hand_rules import HandFigures
from controller.core.setup import Parameters, Procedure, Setup

HEAD: Final = """# The kinds of entries

What stands in `kind` and `body` of an entry ([FORMAT.md](FORMAT.md), "Entries"), and in the `setup` of a start.
Generated from the program's events (`make pages`). `null` is nothing said; money is in cents, times end with `_ms`;
seat 0 is the bank; a card is its rank (`A`, `2` to `10`, `J`, `Q`, `K`) and suit (`S`, `H`, `D`, `C`), or `FOREIGN`.
Letters and numbers such as `pt.bj.18d` name clauses of a law.

## Acts

What a person asked for. Each body has besides `person`, the number of whoever entered it, and `role`, as what. The
texts are those for whoever asks: what is left out then is `null` here, `bank` is 0, yes and no are `true` and `false`.
Where two people must ask for an act ([ACTS.md](../scenario/ACTS.md), "Two people"), both entries stand there, and the
second one does it.

| kind | other keys of its body | what |
|---|---|---|
"""
FACTS_HEAD: Final = """
## Facts

What a device or the controller reported. `status`: the device's figures behind it.

| kind | keys of its body | what |
|---|---|---|
"""
PARTS_HEAD: Final = """
## Objects in bodies

| object | keys | what |
|---|---|---|
"""
SETUP_HEAD: Final = """
## The setup of a start

`parameters`, `procedure` and `hand_rules.figures` are the profile's values; a key that
is missing is one that the program before did not have.

| key | what |
|---|---|
"""
OTHERWISE: Final = {
    "amount": "cents",
    "salt": "the commitment's salt, hexadecimal; null: none was given",
    "seal_differs": "true: the seal has another card",
    "verified": "the key by which what was shown is signed; null: by none that is known",
    "journal_at": "the entry that the journal had reached",
    "signature": "the table's signature over what was written",
    "upheld": "true: upheld; false: rejected",
    "seen": "true: somebody has seen its face",
    "words": "the commitment to what the player says",
    "turn-hole-card.card": "its face",
    "turn-card.card": "its face",
}
"""The texts of keys that have another text for people who ask, or none."""
OF_SETUP: Final = {
    "table": "the table's id (`table.id` of its configuration), as its marks name it",
    "profile": "the profile: jurisdiction and machine",
    "decks": "decks of 52 cards",
    "seats": "places of players, numbered from 1",
    "has_reader": "a device reads the cards",
    "has_display": "a sign shows the jackpot",
    "simulated": "devices may be simulators; true in a try, false at a table that plays",
    "delivery": "a further card comes for an act that asks for it (ejects), or is offered to the hand in turn (offers)",
    "hand_rules": "null: the table follows cards alone, no amounts and no decisions; else its limits and figures",
    "reminders": "what people are reminded of",
    "wheel_rules": "the rules of a wheel; null at a table of cards",
    "has_wheel": "a line reports the wheel's spins",
    "has_value_display": "a display shows the values of the players' chips",
    "has_slots": "slots report the jackpot's chips",
    "jackpot": "the jackpot as it is configured; null without one",
    "linked": "the linked pool; the key is left out without one",
}


def kinds_page() -> str:
    """Every kind of entry with the keys of its body, the objects in them, and the keys of the setup."""
    acts = {rule.name: rule.act for rule in (*TABLE.acts, *ROULETTE.acts)}
    facts = {rule.name: rule.fact for rule in (*TABLE.facts, *ROULETTE.facts)}
    return "".join(
        [
            HEAD,
            *(_row(name, _act_keys(name, act), _act_what(name, act)) for name, act in acts.items()),
            FACTS_HEAD,
            *(_row(name, _keys(fields(fact)), said(fact)) for name, fact in facts.items()),
            PARTS_HEAD,
            *(_row(one.__name__, _keys(fields(one)), said(one)) for one in _parts((*acts.values(), *facts.values()))),
            SETUP_HEAD,
            *_setup(),
        ]
    )


def said(event: type) -> str:
    """The class's own docstring in the words of JSON; empty without one."""
    text = " ".join((event.__dict__.get("__doc__") or "").split())
    for ours, json in (("None", "null"), ("True", "true"), ("False", "false")):
        text = re.sub(rf"\b{ours}\b", json, text)
    return text.replace("|", "or")


def _row(name: str, body: str, what: str) -> str:
    return f"| `{name}` | {body or '-'} | {what} |\n"


def _act_what(name: str, act: type) -> str:
    return said(act) or sentence(f"act.{name}.what", (), Language.EN)


def _act_keys(name: str, act: type) -> str:
    known = set(keys(Language.EN))
    own = [one for one in fields(act) if one.name not in {"person", "role"}]
    texts = {one.name: f"act.{name}.value.{one.name}" for one in own}
    is_said = said(act)  # which names its keys as code
    asked = {key: text for key, text in texts.items() if text in known and f"`{key}`" not in is_said}
    found = {key: sentence(text, (), Language.EN) for key, text in asked.items()}
    recorded = {key: OTHERWISE.get(f"{name}.{key}", OTHERWISE.get(key, text)) for key, text in found.items()}
    return _keys(own, {**{key: text for key, text in OTHERWISE.items() if f"`{key}`" not in is_said}, **recorded})


def _keys(found: Iterable[FieldInfo], texts: dict[str, str] | None = None) -> str:
    return "; ".join(f"`{one.name}`{_what(one, (texts or {}).get(one.name, ''))}" for one in found)


def _what(field: FieldInfo, text: str) -> str:
    words = ", ".join(f"{word}" for one in _types(field.type) for word in _words(one))
    said = text.replace("|", "or")
    return (f" {said}" if said else "") + (f" ({words})" if words and not said else "")


def _words(one: object) -> list[str]:
    if isinstance(one, type) and issubclass(one, Enum):
        return [f"`{word.value}`" for word in one]
    return [one.__name__] if _is_object(one) else []


def _is_object(of: object) -> TypeGuard[type]:
    return isinstance(of, type) and issubclass(of, Struct) and of is not Setup


def _types(of: object) -> Iterator[object]:
    """The type and all types inside it."""
    yield of
    for inner in typing.get_args(of):
        yield from _types(inner)


def _parts(events: Iterable[type]) -> list[type]:
    """The classes of objects in bodies, without the setup's own."""
    found: dict[type, None] = {}
    waits = [*events]
    for event in waits:
        for inner in (inner for field in fields(event) for inner in _types(field.type)):
            if _is_object(inner) and inner not in found:
                found[inner] = None
                waits.append(inner)
    return sorted(found, key=lambda one: one.__name__)


def _setup() -> Iterator[str]:
    for field in fields(Setup):
        if field.name in OF_SETUP:
            yield f"| `{field.name}` | {OF_SETUP[field.name]} |\n"
    for within, of in (("parameters", Parameters), ("procedure", Procedure), ("hand_rules.figures", HandFigures)):
        for field in fields(of):
            text = sentence(f"parameter.{field.name.replace('_', '-')}", (), Language.EN)
            yield f"| `{within}.{field.name}` | {text.replace('|', 'or')} |\n"
