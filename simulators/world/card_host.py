"""The simulated computer of a card table's controller, with TDP devices, and a screen that shows cards."""

from typing import Final

from controller.core.house.state import State
from controller.core.words import SessionPhase
from controller.games.blackjack import at_blackjack
from controller.games.table_status import hands
from simulators.world.host import Host
from simulators.world.screen import Screen, ScreenMaker

CARDS_COME_OUT: Final = (SessionPhase.LOADED, SessionPhase.IN_PLAY)
"""Steps in which a hidden face could leak to a screen: only in these the picture for signed-in people is rendered."""


class CardHost(Host):
    """The simulated computer of a card table's controller, with its screen."""

    _screen: ScreenMaker | None = None

    def look(self) -> Screen | None:
        """Returns the screen's contents; None while the screen is dark."""
        if self.run is None:
            return None
        if self._screen is None or self._screen.runtime is not self.run.runtime:
            self._screen = ScreenMaker(self.run.runtime)
        return self._screen.look()

    def says_nothing(self, latest: State) -> bool:
        """True if the controller learns nothing from a device's unchanged status. The world then need not simulate idle
        heartbeats. False while the reader has not reported a delivered card: the controller then counts each further
        status.
        """
        return not at_blackjack(latest).devices.reader.missing

    def rendered(self, latest: State, durable: State) -> object | None:
        return hands(at_blackjack(durable)) if latest.house.session in CARDS_COME_OUT else None
