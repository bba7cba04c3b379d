"""Finds mistakes that only a practice shows: the table accepted an act, but another act was wanted."""

from collections.abc import Iterator, Mapping
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from controller.core.money import cents_of, units
from controller.record.mistakes import MistakeKind
from simulators.oracles.export_entries import Entry

DECISIONS: Final = frozenset(
    {"draw-card", "stand", "double-down", "split-pair", "surrender", "insure", "take-even-money"}
)
"""Acts by which the dealer enters a player's decision."""

NOT_ASKED: Final = "not-asked-for"
"""The kind of a mistake beside those of MistakeKind: no person had asked for the act."""

WRONG_SEAT: Final = MistakeKind.WRONG_SEAT.value
WRONG_AMOUNT: Final = MistakeKind.WRONG_AMOUNT.value
FORGOTTEN: Final = MistakeKind.FORGOTTEN.value

THE_BANK: Final = frozenset({"0", "bank"})
_OF_THE_BANK: Final = frozenset({"bank-card", "turn-hole-card", "confirm-settled"})
_AT_A_WHEEL: Final = frozenset({"give-colour", "confirm-value", "place-chips", "place-value-chips"})

Place: TypeAlias = tuple[int, int]
"""A seat, and the number of the player who bets there."""


class Asked(Protocol):
    """An act that a player wants, or that is due next."""

    @property
    def act(self) -> str: ...

    @property
    def values(self) -> Mapping[str, str]: ...


class Slip(Struct, frozen=True):
    """One mistake. `did` and `had`: the names of two messages, which say what was done and what was wanted.

    If `had` is empty, the message `did` says both.
    """

    kind: str
    did: str
    had: str = ""
    values: Mapping[str, str] = {}


def of_bets(wanted: Mapping[Place, int], laid: Mapping[Place, int]) -> Iterator[Slip]:
    """Yields the mistakes in a round's bets: `wanted` and `laid` are the cents at each place, as players want them and
    as the trainee entered them. A bet with the right amount at a wrong place is one mistake.
    """
    missing = {place: cents for place, cents in wanted.items() if place not in laid}
    for place, cents in laid.items():
        if place in wanted:
            if cents != wanted[place]:
                yield Slip(WRONG_AMOUNT, "bet-amount", values=_bet(place, wanted[place], laid=units(cents)))
            continue
        meant = next(
            (one for one in sorted(missing, key=lambda one: one[0] != place[0]) if missing[one] == cents), None
        )
        if meant is None:
            yield Slip(NOT_ASKED, "bet-of-nobody", values=_bet(place, cents))
        else:
            del missing[meant]
            did = "bet-other-player" if meant[0] == place[0] else "bet-other-seat"
            lies = {"lies": str(place[0]), "entered": str(place[1])}
            yield Slip(WRONG_SEAT, did, values=_bet(meant, cents, **lies))
    for place, cents in missing.items():
        yield Slip(FORGOTTEN, "bet-forgotten", values=_bet(place, cents))


def _bet(place: Place, cents: int, **more: str) -> dict[str, str]:
    return {"seat": str(place[0]), "bettor": str(place[1]), "amount": units(cents), **more}


def of_seats(wanted: frozenset[int], laid: frozenset[int]) -> Iterator[Slip]:
    """Yields the mistakes in the seats with bets at a table that does not track amounts: `wanted` by the players, and
    `laid` by the trainee's entries.
    """
    missing, extra = sorted(wanted - laid), sorted(laid - wanted)
    for seat, lies in zip(missing, extra, strict=False):
        yield Slip(WRONG_SEAT, "seat-other", values={"seat": str(seat), "lies": str(lies)})
    for seat in missing[len(extra) :]:
        yield Slip(FORGOTTEN, "seat-forgotten", values={"seat": str(seat)})
    for seat in extra[len(missing) :]:
        yield Slip(NOT_ASKED, "seat-of-nobody", values={"seat": str(seat)})


def of_act(wish: Asked, entry: Entry) -> Slip | None:
    """Returns the mistake in the accepted act `entry` when the act `wish` was due. Returns None if the act was right,
    or has nothing to do with players' wishes.
    """
    due, did = _name(wish.act, wish.values.get("seat", "")), _name(entry.kind, str(entry.number("seat")))
    if due in _AT_A_WHEEL:
        return _at_a_wheel(wish, entry)
    if due in DECISIONS:
        return _instead_of_a_decision(wish, did, entry)
    if due not in _OF_THE_BANK:
        return None
    seat = {"did_seat": str(entry.number("seat"))}
    if did in DECISIONS:
        return Slip(NOT_ASKED, did, "nobody", seat)
    if (due, did) == ("bank-card", "confirm-settled"):
        return Slip(FORGOTTEN, did, due)
    return Slip(NOT_ASKED, did, "bank-stands") if (due, did) == ("confirm-settled", "bank-card") else None


def _name(act: str, seat: str) -> str:
    """Returns the act's name; "bank-card" for a card drawn for the bank."""
    return "bank-card" if act == "draw-card" and seat in THE_BANK else act


def _instead_of_a_decision(wish: Asked, did: str, entry: Entry) -> Slip | None:
    seat = wish.values["seat"]
    values = {"seat": seat, "did_seat": str(entry.number("seat"))}
    if did in _OF_THE_BANK:
        return Slip(FORGOTTEN, did, wish.act, values)
    if did not in DECISIONS or (did, values["did_seat"]) == (wish.act, seat):
        return None
    return Slip(WRONG_SEAT if did == wish.act else NOT_ASKED, did, wish.act, values)


_CLOTH: Final = {
    "give-colour": ("player", "colour"),
    "place-chips": ("player", "bet", "chips"),
    "place-value-chips": ("player", "bet", "amount"),
}
"""Acts for a player at a wheel; for each the names of the values by which two such acts differ, its measure last."""


def _at_a_wheel(wish: Asked, entry: Entry) -> Slip | None:
    if entry.kind == "launch-ball":
        return Slip(FORGOTTEN, "launch-ball", wish.act, wish.values)
    if wish.act != entry.kind or wish.act not in _CLOTH:
        return None
    names = _CLOTH[wish.act]
    had = [wish.values.get(name, "") for name in names]
    did = [_text(entry, name) for name in names]
    if _same(had, did, names):
        return None
    is_measure = wish.act != "give-colour" and had[:-1] == did[:-1]
    kind = WRONG_AMOUNT if is_measure else NOT_ASKED if wish.act == "give-colour" else WRONG_SEAT
    return Slip(
        kind,
        wish.act,
        wish.act,
        {**wish.values, **{f"did_{name}": text for name, text in zip(names, did, strict=True)}},
    )


def _same(had: list[str], did: list[str], names: tuple[str, ...]) -> bool:
    if names[-1] != "amount":
        return had == did
    return had[:-1] == did[:-1] and cents_of(had[-1]) == cents_of(did[-1])


def _text(entry: Entry, name: str) -> str:
    if name == "amount":
        return units(entry.number("amount"))
    return entry.text(name) or str(entry.number(name))
