"""The words about closing a table: the dealer unloads the cards, and enters the grids of the deck check."""

import re
from collections import Counter
from collections.abc import Sequence

from controller.core.custody.deck_check import backs
from controller.core.custody.desired import of_shuffler
from controller.core.custody.state import DECK, FOREIGN
from controller.scenario.player import Player
from controller.scenario.shorthand import Words, card_named, must
from controller.scenario.table_player import Stopped


def unloading(player: Player, _words: Words) -> None:
    must(player, "dealer", "indicate-closing")
    if player.state.setup.procedure.unloading_supervised:
        must(player, "chief", "sign-in", operation="unloading")
    must(player, "dealer", "begin-unloading")


def unload(player: Player, words: Words) -> None:
    count = int(words[0]) if words else len(player.pack.inside)
    for _ in range(count):
        if not of_shuffler(player.state).unload:
            raise Stopped("machine-does-not-unload")
        player.card_out()


def unloaded(player: Player, words: Words) -> None:
    unloading(player, words)
    if player.state.setup.has_shuffler:
        unload(player, ())
    must(player, "dealer", "complete-unloading")


def close(player: Player, words: Words) -> None:
    unloaded(player, words)
    if not player.state.setup.has_shuffler or backs(player.state) > 1:
        enter_grids(player, ())
    elif rest := _not_seen(player):
        must(player, "dealer", "enter-cards", cards=",".join(rest))
    must(player, "dealer", "confirm-deck-check")


def _not_seen(player: Player) -> Words:
    """Returns the cards that no reader has identified, since they lay in the rack. The dealer must enter them all."""
    seen = Counter(
        {FOREIGN: player.state.custody.found_foreign, **dict(zip(DECK, player.state.custody.found, strict=True))}
    )
    return tuple("JOKER" if card == FOREIGN else card for card in (Counter(player.pack.everything) - seen).elements())


def enter_grids(player: Player, words: Words, change: str = "") -> None:
    """Enters the dealer's grids of the deck check: the grid of the back colour numbered `words[0]`, or without a number
    the grids of all colours.

    The other words name cards that the first grid counts wrongly, as `card+1` or `card-1`. `change`: an ending such as
    `+1` for words without one.
    """
    has_back = bool(words) and words[0].isdecimal()
    changes = [word + change for word in (words[1:] if has_back else words)]
    several = backs(player.state) if backs(player.state) > 1 else 0
    for back in (words[0],) if has_back else [str(number) for number in range(1, several + 1)] or ("",):
        _enter_grid(player, changes, **({"back": back} if back else {}))
        changes = []


def _enter_grid(player: Player, changes: Sequence[str], **back: str) -> None:
    found: dict[str, int] = dict.fromkeys((*DECK,), player.state.setup.decks // backs(player.state))
    for change in changes:
        card, sign, by = re.split(r"([+-])", change)
        name = "JOKER" if card_named(card) == FOREIGN else str(card_named(card))
        found[name] = found.get(name, 0) + int(sign + by)
    counts = " ".join(f"{card}={count}" for card, count in found.items() if card != "JOKER")
    must(player, "dealer", "enter-grid", counts=counts, foreign=str(found.get("JOKER", 0)), **back)
