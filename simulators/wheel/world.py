"""Builds a whole simulated roulette table from a seed: clock, wheel, line, controller and people."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256

import msgspec

from controller.config.model import Tracks
from controller.config.profile import Profile
from controller.config.profile_file import derive, law
from controller.core.games.roulette.state import RouletteState
from controller.core.hand_rules import BetLimits
from controller.core.setup import Setup
from controller.core.words import Cents, Device
from controller.runtime.ledger import Ledger
from simulators.devices.faults import SpinGoesWrong
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.devices.wheel import SimulatedWheel
from simulators.oracles.spins import SpinSight
from simulators.wheel.crew import WheelCrew
from simulators.wheel.fault_injector import WheelFaultInjector
from simulators.wheel.faults import OF_WHEEL, WHEEL_FAULTS, SpinsLong
from simulators.wheel.host import WheelHost
from simulators.wheel.players import PLAYERS
from simulators.wheel.room import WheelRoom
from simulators.world.breakages import broken_by_device, plans_of
from simulators.world.clock import VirtualClock, chance
from simulators.world.device_end import DeviceEnd, LineEnd
from simulators.world.fault_plan import plan_faults
from simulators.world.installation import PEOPLE, SECOND_DEALER, Installation
from simulators.world.outputs import Outputs
from simulators.world.plan import START_S, WorldPlan
from simulators.world.playable import Playable, Witness
from simulators.world.result import End
from simulators.world.scene import Scene
from simulators.world.wires import Line

LIMITS = BetLimits(Cents(500), Cents(15_000), Cents(50))
POSTED = (Cents(1000), Cents(2000))
WHEEL, DISPLAY = Device.ROULETTE_WHEEL, Device.VALUE_DISPLAY


class SpinWitness(Witness):
    """Records for the oracle, as plain data, each durable state without waiting entries."""

    seen: list[SpinSight] = msgspec.field(default_factory=list)

    def look(self, seq: int, durable: RouletteState, waiting: int, wheel: SimulatedWheel) -> None:
        """Records the durable state after entry `seq`. Does nothing while `waiting` entries, more than 0, wait for the
        disk.
        """
        if waiting:
            return
        self.entries, self.rounds = seq, durable.house.tally.rounds
        stakes: Counter[tuple[int, str]] = Counter()
        for one in durable.stakes:
            stakes[one.player, one.bet] += one.cents
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
                is_misread=bool(wheel.spins) and wheel.spins[-1].wrong is SpinGoesWrong.MISREAD,
            )
        )


@dataclass(slots=True, kw_only=True)
class WheelWorld(Playable):
    """A simulated roulette table that is running."""

    host: WheelHost
    crew: WheelCrew
    injector: WheelFaultInjector
    room: WheelRoom
    ends: tuple[LineEnd, ...]
    witness: SpinWitness = field(default_factory=SpinWitness)

    def pump(self) -> None:
        for end in self.ends:
            end.pump()

    def look(self, seq: int, ledger: Ledger) -> None:
        if isinstance(ledger.durable, RouletteState):
            self.witness.look(seq, ledger.durable, ledger.waiting, self.room.wheel)

    def digest(self, end: End, found: Sequence[str]) -> str:
        play = (end.value, self.outputs.digest(), self.room.wheel.spins, sorted(self.scene.met.items()), found)
        return sha256(repr((play, self.virtual_s)).encode()).hexdigest()

    @property
    def scene(self) -> Scene:
        return self.injector.scene

    @property
    def most_entries(self) -> int:
        return 1000 + 300 * self.plan.rounds

    @property
    def is_unlocked(self) -> bool:
        return False  # a wheel receives no bytes


def make_wheel_world(plan: WorldPlan) -> WheelWorld:
    """Returns a roulette table made from this plan, ready to run."""
    clock, outputs = VirtualClock(START_S), Outputs(keep=plan.keep_outputs)
    procedure, devices = law(plan.profile).procedure, (WHEEL, DISPLAY)
    planned = plan_faults(plan, SpinsLong(plan.rounds).draw, devices, procedure, WHEEL_FAULTS)
    lines = {WHEEL: Line(clock), DISPLAY: Line(clock)}
    broken = broken_by_device(planned, OF_WHEEL)
    plans = plans_of(broken, OF_WHEEL)
    wheel = SimulatedWheel(rng=chance(plan.seed, "wheel"), now_s=START_S, faults=plans[WHEEL], waits_for_hands=True)
    room = WheelRoom(wheel)
    display = SimulatedValueDisplay(now_s=START_S, faults=plans[DISPLAY])
    display_end = DeviceEnd(clock, lines[DISPLAY], display)
    people = (*PEOPLE, SECOND_DEALER)
    installation = Installation(_setup(plan), dict.fromkeys(lines), people)
    host = WheelHost(clock, plan.seed, installation, lines, {DISPLAY: display_end}, outputs)
    crew = WheelCrew(clock, plan.seed, host, room, plan.rounds, people)
    injector = WheelFaultInjector(room, (display, display_end), host, crew, planned, broken)
    end = LineEnd(clock, lines[WHEEL], wheel)
    crew.on_hand, crew.on_plug = end.pump, injector.plug
    host.on_change, host.on_power = crew.stir, injector.power
    return WheelWorld(
        plan=plan,
        clock=clock,
        outputs=outputs,
        host=host,
        crew=crew,
        injector=injector,
        room=room,
        ends=(display_end, end),
    )


def house_of(plan: WorldPlan) -> Profile:
    """Returns the plan's profile, with a random value for each parameter that the law leaves open."""
    known, rng = law(plan.profile), chance(plan.seed, "procedure")
    return derive(
        known, known.name, {one.name: rng.choice(one.open.allowed) for one in known.parameters if one.open.allowed}
    )


def _setup(plan: WorldPlan) -> Setup:
    profile = house_of(plan)
    return Setup(
        table="world",
        profile=profile.name,
        decks=0,
        seats=PLAYERS - 1,  # one player waits for a free colour now and then
        has_reader=False,
        has_display=False,
        simulated=True,
        parameters=profile.figures,
        procedure=profile.procedure,
        wheel_rules=profile.wheel_rules(LIMITS, follows_bets=plan.tracks is Tracks.BETS, chip_values=POSTED),
        has_wheel=True,
        has_value_display=True,
        reminders=profile.reminders,
    )
