"""A shuffler, its host and hands with a clock, for the shuffler's tests in virtual time."""

from collections.abc import Callable

from virtual_host import VirtualHost

from firmware_protocols.tdp.shuffler import (
    SHUFFLER,
    ShufflerApply,
    ShufflerCommand,
    ShufflerEvent,
    ShufflerResult,
    ShufflerStatus,
)
from simulators.devices.base import seeded
from simulators.devices.cards import PhysicalCard, make_cards
from simulators.devices.faults import AnyFault, FaultPlan, Jam, Spot
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import FAST_PACE, ShufflerPace

Host = VirtualHost[ShufflerStatus, ShufflerCommand, ShufflerEvent]


class Table:
    """A shuffler, its host, and hands with a clock."""

    def __init__(
        self,
        *faults: AnyFault,
        seed: int = 1,
        pace: ShufflerPace = FAST_PACE,
        on_card_passed: Callable[[PhysicalCard, float], None] | None = None,
    ) -> None:
        self.passed: list[PhysicalCard] = []
        self.shuffler = SimulatedShuffler(
            rng=seeded(seed),
            now_s=0.0,
            faults=FaultPlan(faults),
            pace=pace,
            on_card_passed=on_card_passed or (lambda card, _: self.passed.append(card)),
        )
        self.host: Host = VirtualHost(SHUFFLER, self.shuffler)
        self.host.run(0.0)

    @property
    def now_s(self) -> float:
        return self.host.now_s

    @property
    def status(self) -> ShufflerStatus:
        return self.host.status

    def order(self, **orders: int) -> ShufflerResult:
        """Sends the shuffler an order and returns its answer; values that are not named are the most harmless ones."""
        return ShufflerResult(self.host.ask(self.orders(**orders)))

    def orders(self, **orders: int) -> ShufflerApply:
        """The command that `order` sends."""
        status = self.shuffler.status
        harmless = {
            "release_until": status.cards_out,
            "jams_ended": (status.jams - 1) % 2**16,
            "recount_request": status.recounts,
        }
        return ShufflerApply(**(harmless | orders))

    def load(self, decks: int = 1) -> None:
        self.feed(make_cards(decks))

    def feed(self, cards: tuple[PhysicalCard, ...]) -> None:
        self.shuffler.put_cards_in_hopper(cards, self.now_s)
        assert self.order(feed_open=True) is ShufflerResult.OK
        self.host.run(0.5 + len(cards) * FAST_PACE.feed_s)

    def release(self, cards: int) -> None:
        assert self.order(release_until=(self.shuffler.status.cards_out + cards) % 2**32) is ShufflerResult.OK
        self.host.run(0.1)

    def pull(self) -> tuple[PhysicalCard, ...]:
        cards = self.shuffler.pull_cards(self.now_s)
        self.host.run(0.1)
        return cards

    def draw(self, count: int) -> list[PhysicalCard]:
        self.release(count)
        return [card for _ in range(count) for card in self.pull()]


def jammed_table() -> Table:
    """A table of one deck whose first card is stuck in the mouth."""
    table = Table(Jam(at=1, spot=Spot.MOUTH))
    table.load()
    table.release(1)
    table.pull()
    assert table.shuffler.status.jammed
    return table
