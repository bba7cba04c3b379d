"""Describes the values that each act takes: their kinds, bounds, choices and defaults. A client gets them as the answer
to `list`.

The core's guards judge each possible choice, and a choice that they refuse is left out. So each rule is written only
once, in the core.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, Generic, TypeAlias

from msgspec import Struct

from controller.catalogue import Language, has_key, sentence
from controller.catalogue.sentences import fitting
from controller.catalogue.words import variants_of
from controller.core.engine.act import Act
from controller.core.house.holds import hold_of
from controller.core.house.money_at_stake import Money
from controller.core.house.pool_export import CODE_DIGITS, LONGEST_LINE, LONGEST_NAME, NO_COMPUTER
from controller.core.house.round_log import OfTheLog, has_value
from controller.core.house.state import State, StateT
from controller.core.words import HoldId, Role
from controller.protocol.values import DECK, FOREIGN, LARGEST, Choice, ValueDocument, ValueKind
from controller.runtime.act_values import Field, asked_values, kind_of, may_be_left_out, value_text, words_of
from controller.screen.log_entries import added_choices, entry_choices, newest_entry, numbers_listed
from controller.screen.who_may import Fields, Rule, who_may


def _none_counted(_state: State, _name: str) -> Sequence[Field]:
    return ()


def _as_it_is(_state: State, _act: type[Act], fields: Fields) -> Iterator[Fields]:
    yield fields


def _nothing_bet(_state: State, _act: type[Act]) -> int:
    return 0


def _none_added(_state: State) -> Mapping[str, type[Act]]:
    return {}


def _nothing_likely(_state: State, _act: type[Act], _name: str) -> str | None:
    return None


class GameOffers(Struct, Generic[StateT], frozen=True):
    """The functions and names by which a game suggests values for its acts. The defaults fit a table without cards and
    bets.
    """

    numbers: Callable[[StateT, str], Sequence[Field]] = _none_counted
    """Returns all possible numbers for a value of this name; empty if they cannot be listed."""
    tries: Callable[[StateT, type[Act], Fields], Iterator[Fields]] = _as_it_is
    """Yields completions of an act's values to put to the guards, the likeliest first."""
    amount: Callable[[StateT, type[Act]], int] = _nothing_bet
    """Returns a likely amount for an act, in cents."""
    default: Callable[[StateT, type[Act], str], str | None] = _nothing_likely
    """Returns the value that a form shows before any touch; None for no value."""
    counts: tuple[str, ...] = ()
    """The values of a corrected entry for which `numbers` lists the choices."""
    of_few: tuple[str, ...] = ()
    """The values of a correction that are asked for only if an entry of the round has them."""
    instead: tuple[str, ...] = ()
    """The acts that a correction may put in place of an entry."""
    adds: Callable[[StateT], Mapping[str, type[Act]]] = _none_added
    """Returns the acts that may be added to a round afterwards, by name."""
    spare: tuple[type[Act], ...] = ()
    """The acts whose form leaves out each optional value that has no possible choice now."""


class Offered(Struct, frozen=True):
    """The description of one act: the values that it takes, and their possible combinations."""

    values: list[ValueDocument]
    combinations: list[dict[str, str]]


def offered_values(game: GameOffers[Any], state: State, rule: Rule, language: Language, *, allowed: bool) -> Offered:
    """Returns the values that the act of `rule` takes, and their possible combinations.

    `allowed`: True if the act is possible now. The guards then judge each choice, except in a correction of a round.
    """
    is_of_log = issubclass(rule.act, OfTheLog)
    is_counted = allowed and not is_of_log  # each try would replay the whole round
    candidates = _candidates(game, state, rule.act) if is_counted else {}
    taken = list(_taken(game, state, rule, candidates))
    of_each = {name: _who(name, rule.act, taken) for name in candidates}
    of_each |= {name: who for name, who in _whatever(game, state, rule).items() if is_of_log}
    names = [name for name in asked_values(rule.act) if not _has_no_place(game, rule.act, name, of_each)]
    if allowed and is_of_log:
        names = [name for name in names if name not in game.of_few or has_value(state.log, name)]
    names.sort(key=lambda name: name in {"instead", "also"})  # seldom needed, and as long as the list itself
    values = [_value(game, state, rule, name, of_each.get(name, {}), language) for name in names]
    return Offered(values, _combinations(rule, taken, [name for name, who in of_each.items() if who]))


def _has_no_place(game: GameOffers[Any], act: type[Act], name: str, of_each: dict[str, "_Who"]) -> bool:
    """True if a form leaves out the value `name`: the value is optional, and it has no possible choice now.

    Concerns seats; in a correction of a round and in an act of `spare`, also numbers and texts.
    """
    is_counted = kind_of(act, name) in _COUNTED_OF_LOG and (issubclass(act, OfTheLog) or act in game.spare)
    is_left_out = kind_of(act, name) is ValueKind.SEAT or is_counted
    return is_left_out and may_be_left_out(act, name) and of_each.get(name) == {}


_COUNTED_OF_LOG: Final = (ValueKind.NUMBER, ValueKind.NUMBERS, ValueKind.TEXT)


def _whatever(game: GameOffers[Any], state: State, rule: Rule) -> dict[str, "_Who"]:
    """Returns the possible texts for the seats and counted values of a correction, without asking the guards: by the
    value's name, each text with the roles that may give it.
    """
    who = [role.value for role in rule.asked_by(state)]
    found: dict[str, _Who] = {}
    for name in asked_values(rule.act):
        kind = kind_of(rule.act, name)
        counted = range(1, state.setup.seats + 1) if kind is ValueKind.SEAT else game.numbers(state, name)
        if kind is ValueKind.NUMBERS and counted:
            counted = (*counted, _NONE_OF_THEM)
        if kind is ValueKind.SEAT or name in game.counts:
            found[name] = {value_text(kind, _as(kind, one)): who for one in counted if one is not None}
    return found


_NONE_OF_THEM: Final = 0
"""The number by which a correction states an empty list (core/house/correcting.py)."""


def _as(kind: ValueKind, one: Field) -> Field:
    return (one,) if kind is ValueKind.NUMBERS and isinstance(one, int) else one


# --- values that the core would accept


_Taken: TypeAlias = tuple[Fields, tuple[Role, ...]]
"""Values that the guards accept, with the roles for which they do."""


def _taken(game: GameOffers[Any], state: State, rule: Rule, candidates: dict[str, Sequence[Field]]) -> Iterator[_Taken]:
    """Yields each combination of `candidates` that the guards accept, with the roles for which they accept it."""
    if not candidates:
        return
    for chosen in product(*candidates.values()):
        fields = dict(zip(candidates, chosen, strict=True))
        taken: dict[Role, Fields] = {}
        for asked in _filled(game, state, rule.act, fields):
            taken |= {role: asked for role in who_may(state, rule, asked) if role not in taken}
        if taken:
            yield next(iter(taken.values())) | fields, tuple(taken)


def _candidates(game: GameOffers[Any], state: State, act: type[Act]) -> dict[str, Sequence[Field]]:
    """Returns the values of an act that can be listed in a form, each with its candidates. Cards are listed only if the
    act has no other such value.
    """
    found = {name: _countable(game, state, act, name) for name in asked_values(act)}
    counted = {name: values for name, values in found.items() if values}
    others = [name for name in counted if kind_of(act, name) is not ValueKind.CARD]
    return {name: counted[name] for name in others} or counted


def _countable(  # noqa: C901 - one case a kind
    game: GameOffers[Any], state: State, act: type[Act], name: str
) -> Sequence[Field]:
    match kind_of(act, name):
        case ValueKind.SEAT:
            seats = range(state.setup.seats + 1)
            return (None, *seats) if may_be_left_out(act, name) else seats
        case ValueKind.SEATS:
            return [(seat,) for seat in range(1, state.setup.seats + 1)]
        case ValueKind.HOLD:
            return [hold.id for hold in state.house.holds]
        case ValueKind.DUTY:
            return [duty.id for duty in state.house.duties]
        case ValueKind.YES_NO:
            return (True,) if may_be_left_out(act, name) else (True, False)
        case ValueKind.WORD:
            return words_of(act, name)
        case ValueKind.CARD:
            return () if may_be_left_out(act, name) else (*DECK, FOREIGN)
        case ValueKind.NUMBER if name == "deck":
            return range(1, state.setup.decks + 1)
        case ValueKind.NUMBER if name == "back":
            colours = state.setup.procedure.back_colours
            return (None,) if colours == 1 else range(1, colours + 1)
        case ValueKind.NUMBER:
            return game.numbers(state, name)
        case ValueKind.NUMBERS:
            return [_as(ValueKind.NUMBERS, number) for number in game.numbers(state, name)]
        case _:
            return ()


def _filled(game: GameOffers[Any], state: State, act: type[Act], fields: Fields) -> Iterator[Fields]:
    """Yields `fields` with likely values for the act's other fields added, in several ways, the likeliest first."""
    plain: Fields = {name: _likely(game, state, act, name) for name in asked_values(act) if name not in fields}
    yield from game.tries(state, act, plain | fields)
    if "card" in plain:
        yield plain | fields | {"card": FOREIGN}


def _likely(game: GameOffers[Any], state: State, act: type[Act], name: str) -> Field:
    match kind_of(act, name):
        case ValueKind.CARD:
            return DECK[0]
        case ValueKind.CARDS:
            return DECK[:1]
        case ValueKind.NUMBER | ValueKind.TEXT if may_be_left_out(act, name):
            return None
        case ValueKind.TEXT:
            return "-"
        case ValueKind.GRID:
            return (0,) * len(DECK)
        case ValueKind.AMOUNT:
            return game.amount(state, act)
        case ValueKind.NUMBER:
            least, _most = _bounds(state, name)
            return least
        case ValueKind.ENTRY:
            return 1
        case _:
            return None


# --- in documents


_Who: TypeAlias = dict[str, list[str]]
"""The possible texts of a value, each with the roles that may give it."""


def _who(name: str, act: type[Act], taken: list[_Taken]) -> _Who:
    kind = kind_of(act, name)
    who: dict[str, dict[str, None]] = {}
    for fields, roles in taken:
        if fields[name] is not None:
            who.setdefault(value_text(kind, fields[name]), {}).update((role.value, None) for role in roles)
    is_every_card = kind is ValueKind.CARD and len(who) >= len(DECK)
    return {} if is_every_card else {text: list(roles) for text, roles in who.items()}


def _value(game: GameOffers[Any], state: State, rule: Rule, name: str, who: _Who, language: Language) -> ValueDocument:
    kind = kind_of(rule.act, name)
    least, most = _bounds(state, name) if kind in _BOUNDED else (None, None)
    may = [role.value for role in rule.asked_by(state)]
    choices = [Choice(text, _label(state, name, kind, text, language), roles) for text, roles in who.items()]
    left_out = may_be_left_out(rule.act, name)
    return ValueDocument(
        name=name,
        what=sentence(f"act.{rule.name}.value.{name}", (), language),
        label=sentence(fitting(f"value.label.{name}", variants_of(state.setup.procedure)), (), language),
        kind=kind,
        may_be_left_out=left_out,
        least=least,
        most=most,
        choices=choices
        or (added_choices(game.adds(state), rule.act, may, language) if name == "adds" else [])
        or entry_choices(state, name, _instead(game, state), may, language, rule.act)
        or _all_words(rule.act, name, may if issubclass(rule.act, OfTheLog) else [], language)
        or _all_seats(state, rule, name, may, language),
        default=choices[0].value if len(choices) == 1 and not left_out else _default(game, state, rule.act, name),
    )


def _instead(game: GameOffers[Any], state: State) -> dict[str, type[Act] | None]:
    adds = game.adds(state)
    return {name: adds.get(name) for name in game.instead}


def _all_words(act: type[Act], name: str, who: list[str], language: Language) -> list[Choice]:
    """Returns all words of the value `name` as choices. The guards do not judge them. `who`: the roles that may give
    the value.
    """
    words = words_of(act, name)
    return [Choice(word, sentence(f"{_GROUPS[name]}.{word}", (), language), who) for word in words]


def _all_seats(state: State, rule: Rule, name: str, who: list[str], language: Language) -> list[Choice]:
    """Returns a choice for each seat and, except for a bet, for the bank, without asking the guards. Returns [] if the
    value `name` is no seat. `who`: the roles that may give the value.
    """
    if kind_of(rule.act, name) is not ValueKind.SEAT:
        return []
    seats = range(1 if rule.money is Money.LAID else 0, state.setup.seats + 1)
    texts = (value_text(ValueKind.SEAT, seat) for seat in seats)
    return [Choice(text, _label(state, name, ValueKind.SEAT, text, language), who) for text in texts]


_GROUPS: Final = {
    "operation": "operation",
    "source": "place",
    "target": "place",
    "cause": "cause",
    "outcome": "outcome",
    "marking": "marking",
    "became": "became",
    "seen": "yes-no",
    "upheld": "yes-no",
    "consent": "yes-no",
    "accepted": "yes-no",
    "bet": "side-bet",
    "seat": "receiver",
    "seats": "receiver",
    "colour": "chips-colour",
    "group": "prizes",
    "by": "restored",
    "clockwise": "yes-no",
    "marked": "yes-no",
    "unsafe": "yes-no",
}
"""The group in the catalogue that has the words for the choices of a value."""


def _label(state: State, name: str, kind: ValueKind, text: str, language: Language) -> str:
    if name == "bet" and not has_key(f"side-bet.{text}"):
        return _on_the_cloth(text, language)
    if name in _GROUPS:
        return sentence(f"{_GROUPS[name]}.{text}", (), language)
    if kind is ValueKind.HOLD and (hold := hold_of(state, HoldId(int(text[1:])))) is not None:
        return f"{text} {sentence(f'hold-kind.{hold.kind.value}', (), language)}"
    if kind is ValueKind.DUTY:
        duty = next(duty for duty in state.house.duties if f"D{duty.id}" == text)
        return f"{text} {sentence(f'duty-kind.{duty.kind.value}', (), language)}"
    return sentence("value.none-of-them", (), language) if kind is ValueKind.NUMBERS and text == "0" else text


def _on_the_cloth(bet: str, language: Language) -> str:
    """Returns the label of a roulette bet: the number for a straight bet, the bet's name and its numbers for any other
    bet.
    """
    kind, _, numbers = bet.partition("-")
    return numbers if kind == "straight" else " ".join(filter(None, (sentence(f"bet.{kind}", (), language), numbers)))


_BOUNDED: Final = (ValueKind.NUMBER, ValueKind.NUMBERS, ValueKind.TEXT, ValueKind.GRID)
_LONGEST_REFERENCE: Final = 80
_LONGEST_WORDS: Final = 200
_MOST_OF_ONE_CARD: Final = 999
_DECK_SETS: Final = 999_999


def _bounds(state: State, name: str) -> tuple[int, int]:
    """Returns the least and the greatest number for the value `name`; for a text the bounds of its length, for a list
    those of each number.
    """
    setup = state.setup
    bounds = {
        "entry": numbers_listed(state),
        "before": numbers_listed(state),
        "deck_set": (1, _DECK_SETS),
        "deck": (1, setup.decks),
        "back": (1, setup.procedure.back_colours),
        "passes": (setup.procedure.shuffle_passes, LARGEST),
        "behind": (0, setup.cards - 1),
        "position": (1, LARGEST),
        "count": (1, LARGEST),
        "counts": (0, _MOST_OF_ONE_CARD),
        "reference": (1, _LONGEST_REFERENCE),
        "kept_at": (1, _LONGEST_REFERENCE),
        "words": (1, _LONGEST_WORDS),
        "computer": (len(NO_COMPUTER), LONGEST_NAME),
        "export": (1, LONGEST_LINE),
        "receipt": (1, LONGEST_LINE),
        "code": (CODE_DIGITS, CODE_DIGITS),
    }
    return bounds.get(name, (0, LARGEST))


def _default(game: GameOffers[Any], state: State, act: type[Act], name: str) -> str | None:
    match name:
        case "foreign":
            return "0"
        case "passes":
            return str(state.setup.procedure.shuffle_passes)
        case "entry":
            return newest_entry(state)
        case _:
            return game.default(state, act, name)


def _combinations(rule: Rule, taken: list[_Taken], counted: list[str]) -> list[dict[str, str]]:
    """Returns the combinations of values in `taken`, as texts; [] if fewer than two values are listed. If the act takes
    a value `count`, each combination includes it.
    """
    if len(counted) < 2:
        return []
    names = [*counted, "count"] if "count" in asked_values(rule.act) else counted
    return [{name: value_text(kind_of(rule.act, name), fields[name]) for name in names} for fields, _who in taken]
