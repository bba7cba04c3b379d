"""The words about the jackpot: its settings in the head, its chips, their collection, its prizes and its pool."""

from collections.abc import Mapping, Sequence
from typing import Final

from controller.config.keys import KEYS, Value, Wrong
from controller.config.problems import Problem
from controller.core.games.blackjack.jackpot.cards import (
    first_cards,
    is_to_be_collected,
    seats_with_chips,
    wins,
)
from controller.core.games.blackjack.jackpot.prizes import prize_due
from controller.core.games.blackjack.jackpot.slots import SLOTS_RULE
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.wanted import DISPLAY_RULE
from controller.core.jackpot_rules import CENT
from controller.core.money import cents_of, units
from controller.core.words import Device
from controller.scenario.house_words import Fact, Found, same
from controller.scenario.player import Player
from controller.scenario.shorthand import Step, Words, agreed, as_shown, must, together
from controller.scenario.slots import Kind, Slot

# --- the head

_PRIZES: Final = ("1 6-7-8-suited 200.00", "2 7-7-7 500.00", "3 7-7-7-suited rest")
_USUAL: Final = {"bet": "1.00", "rate": "80", "start": "10000.00"}
"""The jackpot's settings in scenarios, unless the head of a scenario sets them."""
_KEYS: Final = {key.name: key for key in KEYS if key.section == "jackpot"}


def is_played(settings: Mapping[str, str]) -> bool:
    return settings.get("jackpot", "no") != "no"


def as_configured(settings: Mapping[str, str], prizes: Sequence[str]) -> tuple[dict[str, Value], list[Problem]]:
    """Converts the jackpot settings of a scenario's head to the values of the configuration's section `[jackpot]`.
    Returns these values and the problems with the settings; both are empty for a scenario without a jackpot. `prizes`:
    the prizes in the scenario's head; the usual prizes if empty.
    """
    if not is_played(settings):
        return {}, []
    given = {name.removeprefix("jackpot_"): text for name, text in settings.items() if name.startswith("jackpot_")}
    raw: dict[str, object] = {name: _raw(text) for name, text in {**_USUAL, **given}.items() if name in _KEYS}
    raw |= {"marking": settings["jackpot"], "communication": "scenario", "prizes": list(prizes or _PRIZES)}
    values: dict[str, Value] = {}
    problems = []
    for key in _KEYS.values():
        read = key.read(raw[key.name]) if key.name in raw else key.default
        if isinstance(read, Wrong):
            problems.append(Problem(key.path, read.wrong, read.right or key.right))
        else:
            values[key.path] = read
    return values, problems


def _raw(text: str) -> str | int:
    """Returns an amount as a configuration file has it: a number, or the text itself if it has cents."""
    return text if "." in text else int(text)


# --- steps


def _chip(player: Player, words: Words) -> None:
    for seat in words:
        must(player, "dealer", "place-jackpot-bet", seat=seat)


def _no_more_bets(player: Player, _words: Words) -> None:
    must(player, "dealer", "announce-no-more-bets")
    if is_to_be_collected(player.state):
        must(player, "dealer", "collect-jackpot-bets")


def _pay(player: Player, words: Words) -> None:
    agreed(player)
    for seat in words:
        together(player, "dealer", "pay-jackpot", "chief", seat=seat)


def _restored(player: Player, _words: Words) -> None:
    """Starts the controller as if the journal had been restored from a backup and lacked later entries."""
    player.start("restored epoch 2")


def _sign_says(player: Player, words: Words) -> None:
    """Makes the sign show the amount `words[0]`. The sign ignores the table's wishes from now on."""
    player.sign_hangs = True
    player.sign_shows(cents_of(words[0]))


def _sign_follows(player: Player, _words: Words) -> None:
    player.sign_hangs = False
    player.sign_shows()


def _sign_is_written(player: Player, _words: Words) -> None:
    player.sign_reads_back = False
    player.sign_shows()


def _slot_chip(player: Player, words: Words) -> None:
    player.slots_tell({*player.slots.chips, *map(int, words)}, player.slots.broken)


def _slot_empty(player: Player, words: Words) -> None:
    player.slots_tell(set(player.slots.chips) - set(map(int, words)), player.slots.broken)


def _slot_fails(player: Player, words: Words) -> None:
    failed = {*player.slots.broken, *map(int, words)}
    player.slots_tell(set(player.slots.chips) - failed, failed)


def _slot_works(player: Player, words: Words) -> None:
    player.slots_tell(player.slots.chips, set(player.slots.broken) - set(map(int, words)))


_SEATS: Final = Slot(Kind.SEAT, 1, 9)
_SEAT: Final = Slot(Kind.SEAT)
_AMOUNT: Final = Slot(Kind.AMOUNT)

STEPS: Final[dict[str, Step[Player]]] = {
    "chip": Step((_SEATS,), _chip),
    "no-more-bets": Step((), _no_more_bets),
    "pay": Step((_SEATS,), _pay),
    "restored": Step((), _restored),
    "sign-hangs": Step((), lambda player, _words: setattr(player, "sign_hangs", True)),
    "sign-follows": Step((), _sign_follows),
    "sign-says": Step((_AMOUNT,), _sign_says),
    "sign-unreadable": Step((), _sign_is_written),
    "slot-chip": Step((_SEATS,), _slot_chip, Device.JACKPOT_SLOTS),
    "slot-empty": Step((_SEATS,), _slot_empty, Device.JACKPOT_SLOTS),
    "slot-fails": Step((_SEATS,), _slot_fails, Device.JACKPOT_SLOTS),
    "slot-works": Step((_SEATS,), _slot_works, Device.JACKPOT_SLOTS),
}


# --- facts


def _pool(player: Player, words: Words) -> Found:
    pool = player.state.house.pool
    found = "-" if pool is None else units(pool.cents)
    return Found(found == as_shown(words[0]), found)


def _level(player: Player, words: Words) -> Found:
    pool = player.state.house.pool
    found = "-" if pool is None else units(getattr(pool, words[0]) // CENT)
    return Found(found == as_shown(words[1]), found)


def _meter(player: Player, words: Words) -> Found:
    pool = player.state.house.pool
    found = "-" if pool is None else units(getattr(pool.meters, words[0].replace("-", "_")) // CENT)
    return Found(found == as_shown(words[1]), found)


def _times(player: Player, words: Words) -> Found:
    pool = player.state.house.pool
    found = "-" if pool is None else str(getattr(pool.meters, words[0]))
    return Found(found == words[1], found)


def _due(state: BlackjackState) -> str:
    due = prize_due(state)
    return "-" if due is None else f"{due.owed.seat} {units(due.cents)}"


def _prize_due(player: Player, words: Words) -> Found:
    found = _due(player.state)
    return Found(found == f"{words[0]} {as_shown(words[1])}", found)


def _no_prize_due(player: Player, _words: Words) -> Found:
    found = _due(player.state)
    return Found(found == "-", found)


def _pending(player: Player, words: Words) -> Found:
    """Checks that exactly the seats `words` win the jackpot by the cards known now."""
    state = player.state
    found = "" if state.house.pool is None else " ".join(str(win.seat) for win in wins(state, state.house.pool))
    return Found(found == " ".join(words), found or "-")


def _counting(player: Player, words: Words) -> Found:
    pool = player.state.house.pool
    cards = () if pool is None else first_cards(player.state, int(words[0]), pool.rules.cards)
    found = " ".join(card or "unread" for card in cards)
    return Found(found == " ".join(words[1:]), found or "-")


def _sign(player: Player, words: Words) -> Found:
    found = units(DISPLAY_RULE.desired(player.state).amount_cents)
    return Found(found == as_shown(words[0]), found)


def _lamps(which: str) -> Fact[Player]:
    """Returns a word of `then` that checks at which seats the lamps of the slots are `which`: lit or blinking."""
    return Fact(
        (Slot(Kind.SEAT, 0, 9),), same(lambda state: " ".join(map(str, getattr(SLOTS_RULE.desired(state), which))))
    )


def _in_slots(player: Player, words: Words) -> Found:
    found = " ".join(map(str, player.slots.chips))
    return Found(found == " ".join(words), found or "-")


def _parameters(player: Player, words: Words) -> Found:
    pool = player.state.house.pool
    found = "-" if pool is None else units(pool.rules.bet)
    return Found(found == as_shown(words[0]), found)


FACTS: Final[dict[str, Fact[Player]]] = {
    "pool": Fact((_AMOUNT,), _pool),
    "level": Fact((Slot(Kind.LEVEL), _AMOUNT), _level),
    "meter": Fact((Slot(Kind.METER), _AMOUNT), _meter),
    "jackpot-times": Fact((Slot(Kind.COUNTER), Slot(Kind.NUMBER)), _times),
    "chips": Fact((Slot(Kind.SEAT, 0, 9),), same(lambda state: " ".join(map(str, seats_with_chips(state))))),
    "counting": Fact((_SEAT, Slot(Kind.FACE, 0, 4)), _counting),
    "won": Fact((Slot(Kind.SEAT, 0, 9),), _pending),
    "prize-due": Fact((_SEAT, _AMOUNT), _prize_due),
    "no-prize-due": Fact((), _no_prize_due),
    "jackpot-bet": Fact((_AMOUNT,), _parameters),
    "sign": Fact((_AMOUNT,), _sign),
    "lit": _lamps("lit"),
    "blinking": _lamps("blinking"),
    "in-slots": Fact((Slot(Kind.SEAT, 0, 9),), _in_slots),
    "sign-fault": Fact((Slot(Kind.ON_OFF),), same(lambda state: "on" if DISPLAY_RULE.desired(state).fault else "off")),
}
