"""The words of `then` at a card table. Each word checks one thing about the table's state. A failed check returns the
value that the state has instead.
"""

from collections.abc import Callable
from typing import Final

from controller.core.custody.desired import of_shuffler
from controller.core.custody.game import may_draw
from controller.core.custody.mixing import cut_is_offered_to
from controller.core.custody.shoe import shoe_is_over
from controller.core.custody.state import Dealt
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import hand_points
from controller.core.words import Place
from controller.scenario.house_words import Fact, Found, same
from controller.scenario.people import PEOPLE
from controller.scenario.player import Player
from controller.scenario.shorthand import Words
from controller.scenario.slots import Kind, Slot


def _on(flag: bool) -> str:  # noqa: FBT001 - the only argument
    return "on" if flag else "off"


# --- cards


def _face(dealt: Dealt) -> str:
    return dealt.card or ("hidden" if dealt.face_down is not None else "unread")


def _cards_of(player: Player, hand: str) -> str:
    return " ".join(_face(dealt) for dealt in _lying(player, hand))


def _lying(player: Player, hand: str) -> list[Dealt]:
    seat, _, index = ("0" if hand == "bank" else hand).partition("/")
    at = (int(seat), int(index or 1))
    return [dealt for dealt in player.state.game.dealt if (dealt.seat, dealt.hand) == at]


def _cards(player: Player, words: Words) -> Found:
    found = _cards_of(player, words[0])
    return Found(found == " ".join(words[1:]), found or "-")


def _bank_cards(player: Player, words: Words) -> Found:
    found = _cards_of(player, "bank")
    return Found(found == " ".join(words), found or "-")


def _points(player: Player, words: Words) -> Found:
    cards = [dealt.card for dealt in _lying(player, words[0]) if dealt.card is not None]
    found = str(hand_points(cards))
    return Found(found == words[1], found)


def _place(place: Place) -> Fact[Player]:
    def read(state: BlackjackState) -> str:
        return str(state.custody.book.jammed if place is Place.JAMMED else getattr(state.custody.book, place.value))

    return Fact((Slot(Kind.NUMBER),), same(read))


def _count(read: Callable[[BlackjackState], int]) -> Fact[Player]:
    return Fact((Slot(Kind.NUMBER),), same(lambda state: str(read(state))))


def _ruling(player: Player, words: Words) -> Found:
    made = [(one.outcome.value, one.person) for one in player.rulings]
    wanted = (words[0], PEOPLE[words[1]][0])
    return Found(wanted in made, " ".join(outcome for outcome, _person in made) or "-")


# --- shoe and box


def _deviation(state: BlackjackState) -> str:
    game = state.custody.shoe_game
    return "" if game.measured is None or game.expected is None else f"{game.measured - game.expected:+d}"


def _figure(value: int | None) -> str:
    return "" if value is None else str(value)


def _shoe_over(player: Player, _words: Words) -> Found:
    return Found(shoe_is_over(player.state), "rounds left")


# --- the profile


_PLACES: Final = {place.value.replace("_", "-"): _place(place) for place in Place}

FACTS: Final[dict[str, Fact[Player]]] = {
    "owed": Fact((Slot(Kind.OWED),), lambda player, words: Found(player.owed == " ".join(words), player.owed)),
    **_PLACES,
    "total": _count(lambda state: state.custody.book.total),
    "packets": Fact(
        (Slot(Kind.NUMBER, 0, 12),), same(lambda state: " ".join(str(packet) for packet in state.custody.packets))
    ),
    "loads": _count(lambda state: state.house.tally.loads),
    "failed-loads": _count(lambda state: state.house.tally.failed_loads),
    "burned": _count(lambda state: state.house.tally.burned),
    "drawn": _count(lambda state: state.house.tally.drawn),
    "jams": _count(lambda state: state.house.tally.jams_raised),
    "corrections": _count(lambda state: state.house.tally.corrections),
    "set-aside": _count(lambda state: int(state.custody.set_aside is not None)),
    "ruling": Fact((Slot(Kind.OUTCOME), Slot(Kind.PERSON)), _ruling),
    "cards": Fact((Slot(Kind.HAND), Slot(Kind.FACE, 0, 20)), _cards),
    "points": Fact((Slot(Kind.RECEIVER), Slot(Kind.NUMBER)), _points),
    "bank": Fact((Slot(Kind.FACE, 0, 20),), _bank_cards),
    "cut-offered": Fact((Slot(Kind.SEAT, 0),), same(lambda state: str(cut_is_offered_to(state) or ""))),
    "warning-expected": Fact((Slot(Kind.NUMBER),), same(lambda state: _figure(state.custody.shoe_game.expected))),
    "warning-measured": Fact((Slot(Kind.NUMBER),), same(lambda state: _figure(state.custody.shoe_game.measured))),
    "warning-deviation": Fact((Slot(Kind.DEVIATION),), same(_deviation)),
    "shoe-over": Fact((), _shoe_over),
    "mouth": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(may_draw(state)))),
    "feed": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(of_shuffler(state).feed_open))),
    "unload": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(of_shuffler(state).unload))),
    "lamp": Fact((Slot(Kind.ON_OFF),), same(lambda state: _on(of_shuffler(state).lamp))),
}
"""Every word of `then` at a card table; FORMAT.md explains each."""
