"""What is seen of a table of spins whenever its journal is durable, as plain data for the oracle."""

from dataclasses import dataclass, field

from controller.core.games.roulette.state import RouletteState
from simulators.devices.wheel import SimulatedWheel
from simulators.oracles.spins import SpinSight


@dataclass(slots=True)
class SpinWitness:
    """Looks at the durable states at which nothing waited."""

    seen: list[SpinSight] = field(default_factory=list)
    entries: int = 0
    rounds: int = 0

    def look(self, seq: int, durable: RouletteState, waiting: int, wheel: SimulatedWheel) -> None:
        """Something became durable."""
        if waiting:
            return
        self.entries, self.rounds = seq, durable.house.tally.rounds
        stakes: dict[tuple[int, str], int] = {}
        for one in durable.stakes:
            stakes[one.player, one.bet] = stakes.get((one.player, one.bet), 0) + one.cents
        self.seen.append(
            SpinSight(
                seq,
                tuple((hold.id, hold.kind.value) for hold in durable.house.holds),
                durable.house.session.value,
                durable.game.phase.value,
                durable.game.result,
                wheel.number,
                stakes,
                durable.takings.half_cents,
            )
        )
