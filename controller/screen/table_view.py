"""The wordless part of the status, which every language has in common. This part is made once for each state of the
table.
"""

from typing import Any, Final

from controller.core.house.state import State
from controller.core.words import RoundPhase
from controller.journal.codec import canonical_digest
from controller.protocol.status import NextStatus, SecondStatus
from controller.runtime.kernel import Runtime
from controller.screen.game_screen import GamePart, GameScreen
from controller.screen.second import seconds_of


class TableView:
    """Makes the wordless part of a running table's status, which is the same in all languages."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self.screen: GameScreen[Any] = runtime.game.screen()
        self._part_of: tuple[State | None, State | None] = None, None
        self._part: GamePart | None = None
        self._next_of: State | None = None
        self._next: list[NextStatus] = []
        self._digest_of: State | None = None
        self._digest = ""

    def part(self) -> GamePart:
        """Returns the values that the game gives for its keys of the status. Made once for each state."""
        latest, durable = self._runtime.ledger.latest, self._runtime.ledger.durable
        if self._part is None or self._part_of[0] is not latest or self._part_of[1] is not durable:
            self._part_of, self._part = (latest, durable), self.screen.part(latest, durable)
        return self._part

    def next(self) -> list[NextStatus]:
        """Returns the acts possible now, each with the roles that may ask for it; [] while no act can be decided.
        Between two rounds, leaves out an act that would change nothing.
        """
        if self._runtime.trouble() is not None:
            return []
        durable = self._runtime.ledger.durable
        if self._next_of is not durable:
            self._next_of = durable
            is_over = durable.game.phase is RoundPhase.IDLE
            self._next = [
                NextStatus(act, [role.value for role in who], self._asks(act), self._second(durable, act))
                for act, who in self._runtime.offered()
                if not (is_over and act == _SAYS_NOTHING_BETWEEN_ROUNDS)
            ]
        return self._next

    def _asks(self, act: str) -> str:
        rule = self._runtime.game.registry.act_named[act]
        return "pin" if rule.own_pin else rule.manner.value

    def _second(self, durable: State, act: str) -> list[SecondStatus]:
        return seconds_of(durable, self._runtime.game.registry.act_named[act])

    def digest(self) -> str:
        """Returns the digest of the table's latest state. Computed once for each state."""
        latest = self._runtime.ledger.latest
        if self._digest_of is not latest:
            self._digest_of, self._digest = latest, canonical_digest(latest)
        return self._digest


_SAYS_NOTHING_BETWEEN_ROUNDS: Final = "end-putting-back"
"""An act between rounds that would change nothing (its work ended with the last card), so it is not suggested."""
