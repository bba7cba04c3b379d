"""A table in play with a linked pool."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from controller.core.house.holds import holds_of
from controller.core.house.linked_acts import DecidedHere, LinkedPoolHeard, LinkedTold, linked_of
from controller.core.house.linked_pool import Linked
from controller.core.jackpot_rules import CENT, parse_combination
from controller.core.linked_rules import BetsWhenAway, LinkedRules
from controller.core.words import HoldKind
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of

EURO: Final = 100 * CENT
AWAY_MS: Final = 60_000
Settings: TypeAlias = Sequence[tuple[str, str]]
BY_HAND: Final = (("jackpot", "manual"),)
SLOTS: Final = (("jackpot", "automatic"), ("jackpot_slots", "yes"), ("jackpot_display", "yes"))


class Table(Player):
    """A table in play; its chips also play for the pool `gold`, which two sevens of one suit hit."""

    def __init__(
        self, lying: BetsWhenAway = BetsWhenAway.GO_BACK, settings: Settings = (("jackpot", "manual"),)
    ) -> None:
        combination = parse_combination("7-7-suited")
        assert combination is not None
        rules = LinkedRules("gold", "EUR", combination, AWAY_MS, lying)
        super().__init__(replace(make_table("house", settings).setup, linked=rules))
        self.start()
        self.act("manager", "approve-jackpot", {"reference": "scenario"})
        self.does("in-play")

    def does(self, word: str, *words: str) -> None:
        vocabulary_of("house").steps[word].do(self, words)

    def hears(self, number: int, *hits: DecidedHere) -> None:
        self.put(LinkedPoolHeard("gold", number, 5_000 * EURO, 100_000, hits))

    def asks(self, who: str, act: str, **values: str) -> str:
        """Asks for an act; returns the guard that refuses it, or "" for an allowed act."""
        self.act(who, act, values)
        return "" if self.refusal is None else self.refusal.guard

    @property
    def linked(self) -> Linked:
        linked = linked_of(self.state)
        assert linked is not None
        return linked

    @property
    def held(self) -> dict[str, str]:
        """Returns the details of the hold for a hit; empty without such a hold."""
        return dict(next((hold.details for hold in holds_of(self.state, HoldKind.LINKED_HIT)), ()))

    def told(self) -> list[LinkedTold]:
        return [event for event in self.trace if isinstance(event, LinkedTold)]


def hit(table: Table) -> DecidedHere:
    """Deals two sevens of one suit to seat 1, and returns the floor's decision on this hit."""
    table.does("bet", "1", "10")
    table.does("chip", "1")
    table.does("no-more-bets")
    table.does("draw", "7S", "10H", "7S", "10S")
    table.does("hit", "1", "KC")
    told = table.told()[-1]
    return DecidedHere(told.epoch, told.seq, 5_000 * EURO)
