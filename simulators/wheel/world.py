"""One whole table of roulette: clock, wheel, line, controller, people, put together from a seed."""

from dataclasses import dataclass, field

from controller.config.model import Tracks
from controller.config.profile import Profile
from controller.config.profile_file import derive, law
from controller.core.games.roulette.state import RouletteState
from controller.core.hand_rules import BetLimits
from controller.core.setup import Setup
from controller.core.words import Cents, Device, SessionPhase
from controller.journal.writer_logic import Batch
from simulators.devices.faults import FaultPlan
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.devices.wheel import SimulatedWheel
from simulators.wheel.crew import WheelCrew
from simulators.wheel.faults import WHEEL_FAULTS, WHEEL_ROWS, SpinsLong, breakage, of_wheel
from simulators.wheel.host import WheelHost
from simulators.wheel.markers import breakages
from simulators.wheel.mischief import WheelMischief
from simulators.wheel.people import View
from simulators.wheel.players import PLAYERS
from simulators.wheel.room import WheelRoom
from simulators.wheel.witness import SpinWitness
from simulators.world.clock import Alarm, VirtualClock, chance
from simulators.world.device_end import DeviceEnd
from simulators.world.fault_plan import plan_faults
from simulators.world.faults import Layer, PlannedFault
from simulators.world.installation import PEOPLE, SECOND_DEALER, Installation
from simulators.world.outputs import Outputs
from simulators.world.plan import START_S, WorldPlan
from simulators.world.scene import Scene
from simulators.world.second_copy import Medium
from simulators.world.watches import DurableWatch
from simulators.world.wires import Line

LIMITS = BetLimits(Cents(500), Cents(15_000), Cents(50))
POSTED = (Cents(1000), Cents(2000))
WHEEL, DISPLAY = Device.ROULETTE_WHEEL, Device.VALUE_DISPLAY


@dataclass(slots=True)
class WheelWorld:
    """A table that runs (satisfies `Playable`)."""

    plan: WorldPlan
    clock: VirtualClock
    outputs: Outputs
    host: WheelHost
    crew: WheelCrew
    mischief: WheelMischief
    room: WheelRoom
    wheel_end: "WheelEnd"
    witness: SpinWitness = field(default_factory=SpinWitness)
    durable_watch: DurableWatch = field(default_factory=DurableWatch)
    over_s: float | None = None

    def begin(self) -> None:
        """The wheel is on; the controller starts a moment later."""
        self.wheel_end.pump()
        self.clock.after(1.0, self.host.start)

    @property
    def scene(self) -> Scene:
        return self.mischief.scene

    @property
    def virtual_s(self) -> float:
        return self.clock.now_s - START_S

    @property
    def entries(self) -> int:
        return self.witness.entries

    @property
    def most_entries(self) -> int:
        """A journal that has grown by several times more than any session needs: people go round in circles."""
        return 1000 + 300 * self.plan.rounds

    @property
    def is_unlocked(self) -> bool:
        return False  # a wheel is told nothing


class WheelEnd:
    """The wheel at the end of its line."""

    def __init__(self, clock: VirtualClock, line: Line, wheel: SimulatedWheel) -> None:
        self._clock, self._line, self._wheel = clock, line, wheel
        self._alarm = Alarm(clock, self._time_has_come)
        line.down.deliver = self._received

    def pump(self) -> None:
        """Lets out what the wheel has to say, and sees to it that it is woken."""
        if data := self._wheel.data_to_send():
            self._line.send_up(data)
        self._alarm.set(self._wheel.next_time_s())

    def _received(self, data: bytes) -> None:
        self._wheel.receive_data(data, self._clock.now_s)
        self.pump()

    def _time_has_come(self) -> None:
        self._wheel.on_time(self._clock.now_s)
        self.pump()


def planned_faults(plan: WorldPlan) -> tuple[PlannedFault, ...]:
    """What goes wrong in the world of this plan."""
    procedure = law(plan.profile).procedure
    planned = plan_faults(plan.seed, SpinsLong(plan.rounds), plan.kinds, (WHEEL, DISPLAY), procedure, WHEEL_FAULTS)
    return planned if plan.only is None else tuple(fault for fault in planned if fault.number in plan.only)


def make_wheel_world(plan: WorldPlan) -> WheelWorld:
    """A table ready to run."""
    clock, outputs = VirtualClock(START_S), Outputs(keep=plan.keep_outputs)
    planned = planned_faults(plan)
    lines = {WHEEL: Line(clock), DISPLAY: Line(clock)}
    breaks = FaultPlan(tuple(breakage(fault) for fault in of_wheel(planned)))
    wheel = SimulatedWheel(rng=chance(plan.seed, "wheel"), now_s=START_S, faults=breaks, waits_for_hands=True)
    room = WheelRoom(wheel)
    display = SimulatedValueDisplay(now_s=START_S, faults=breakages(planned))
    display_end = DeviceEnd(clock, lines[DISPLAY], display)
    people = (*PEOPLE, SECOND_DEALER)
    installation = Installation(_setup(plan), dict.fromkeys(lines), people)
    host = WheelHost(clock, plan.seed, installation, lines, outputs)
    host.display_end = display_end
    if any(WHEEL_ROWS[fault.kind].layer is Layer.COPY for fault in planned):
        host.second = Medium(chance(plan.seed, "second copy"))
    crew = WheelCrew(clock, plan.seed, host, room, plan.rounds, people)
    mischief = WheelMischief(room, (display, display_end), host, crew, planned)
    end = WheelEnd(clock, lines[WHEEL], wheel)
    world = WheelWorld(plan, clock, outputs, host, crew, mischief, room, end)
    crew.on_hand, crew.on_plug, crew.unplugged = (
        end.pump,
        mischief.plug,
        lambda: not all(line.plugged for line in lines.values()),
    )
    display_end.pump()
    _watch(world)
    return world


def house_of(plan: WorldPlan) -> Profile:
    """The law with what the house of this world has chosen among what it leaves open."""
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
        seats=PLAYERS - 1,  # one player waits for a colour now and then
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


def _watch(world: WheelWorld) -> None:
    host = world.host

    def durable(seq: int) -> None:
        if host.run is not None:
            ledger = host.run.runtime.ledger
            if isinstance(ledger.durable, RouletteState):
                world.witness.look(seq, ledger.durable, ledger.waiting, world.room.wheel)
        world.mischief.durable(seq)
        _look_whether_over(world)

    def synced(batch: Batch, head: bytes) -> None:
        world.durable_watch.durable(batch.last_seq, head)
        world.mischief.synced(batch.last_seq)

    def power(what: str) -> None:
        told = world.mischief.deafness.end if what == "starts" else world.mischief.deafness.begin
        told("controller", world.clock.now_s)

    host.on_power = power
    host.on_durable = durable
    host.on_change = world.crew.stir
    host.on_synced = synced


def _look_whether_over(world: WheelWorld) -> None:
    run = world.host.run
    if run is None or run.runtime.ledger.durable.house.session is not SessionPhase.CLOSED:
        return
    view: View | None = world.crew.look(PEOPLE[0].number)
    if view is not None and view.is_over and not view.status.holds:
        world.over_s = world.clock.now_s
