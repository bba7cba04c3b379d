"""The words about a linked pool: its settings in the head, the statements of the floor to the table, and the table's
reports to the floor.
"""

from collections.abc import Mapping
from typing import Final

from controller.config.keys import Value
from controller.core.house.linked_acts import DecidedHere, LinkedPoolHeard, linked_of
from controller.core.house.linked_pool import LinkedHit
from controller.core.jackpot_rules import CENT
from controller.core.money import cents_of, units
from controller.scenario.house_words import Fact, Found
from controller.scenario.player import Player
from controller.scenario.shorthand import Step, Words
from controller.scenario.slots import Kind, Slot
from controller.scenario.table_player import Stopped

# --- the head

_USUAL: Final = {"linked_away_after": "60", "linked_bets_when_away": "go-back", "linked_sign": "own"}
_POOL: Final = "gold"
_CURRENCY: Final = "EUR"
_RATE_PPM: Final = 100_000
"""In scenarios a tenth of each chip goes to the pool."""
_EPOCH: Final = 1


def linked_as_configured(settings: Mapping[str, str]) -> dict[str, Value]:
    """Converts the linked-pool settings of a scenario's head to the values of the configuration's section `[linked]`,
    with the table's currency. Returns {} for a scenario without a linked pool.
    """
    combination = settings.get("linked", "no")
    if combination == "no":
        return {}
    given = {**_USUAL, **settings}
    return {
        "table.currency": _CURRENCY,
        "linked.pool": _POOL,
        "linked.currency": _CURRENCY,
        "linked.combination": combination,
        "linked.away_after": int(given["linked_away_after"]),
        "linked.bets_when_away": given["linked_bets_when_away"],
        "linked.sign": given["linked_sign"],
    }


# --- steps


def _micro(word: str) -> int:
    return cents_of(word) * CENT


def _states(player: Player, micro: int, *hits: DecidedHere) -> None:
    """Gives the table a new statement of the floor with the pool's value `micro` and the decided hits `hits`."""
    linked = linked_of(player.state)
    number = 1 if linked is None else linked.number + 1
    player.put(LinkedPoolHeard(_POOL, number, micro, _RATE_PPM, hits))


def _says(player: Player, words: Words) -> None:
    _states(player, _micro(words[0]))


def _undecided(player: Player) -> LinkedHit:
    """Returns the first hit that the table has reported to the floor and that has no amount yet, or the first reported
    hit if all have one. Raises Stopped if the table has reported none.
    """
    linked = linked_of(player.state)
    told = [hit for hit in (() if linked is None else linked.hits) if hit.seq]
    if not told:
        raise Stopped("values", act="floor-decides")
    return next((hit for hit in told if hit.micro is None), told[0])


def _decides(player: Player, words: Words) -> None:
    """Makes the floor decide the amount `words[0]` for a hit: the hit in the entry numbered `words[1]`, or without this
    word the first undecided hit.
    """
    amount, *entry = words
    hit = LinkedHit((), _EPOCH, int(entry[0])) if entry else _undecided(player)
    _states(player, 0, DecidedHere(hit.epoch, hit.seq, _micro(amount)))


_AMOUNT: Final = Slot(Kind.AMOUNT)

STEPS: Final[dict[str, Step[Player]]] = {
    "floor-says": Step((_AMOUNT,), _says),
    "floor-decides": Step((_AMOUNT, Slot(Kind.NUMBER, 0)), _decides),
}


# --- facts


def _told(player: Player, words: Words) -> Found:
    linked = linked_of(player.state)
    found = "-" if linked is None else units(linked.told // CENT)
    return Found(found == units(cents_of(words[0])), found)


FACTS: Final[dict[str, Fact[Player]]] = {"linked-told": Fact((_AMOUNT,), _told)}
