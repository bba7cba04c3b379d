"""Builds a whole simulated card table from a seed: clock, devices, lines, controller and people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec

from controller.config.model import Tracks
from controller.config.profile_file import law
from controller.core.choices import CutFallback, Delivery, Machine
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.hand_rules import BetLimits, HandRules, usual_chip
from controller.core.house.state import Hold
from controller.core.setup import Procedure, Setup
from controller.core.words import Cents, Device, HoldKind, Role
from controller.games.blackjack import at_blackjack
from controller.journal.format import scan
from controller.journal.recovery import list_segments
from controller.journal.writer_logic import Batch
from controller.runtime.ledger import Ledger
from simulators.devices.firmware import Power
from simulators.disk import MemoryStorage
from simulators.kit import drawn_figures, drawn_procedure
from simulators.oracles.sightings import PLACES, SeenHold, Sighting
from simulators.people.choices import SEATS, Choices
from simulators.world.breakages import OF_CARDS, broken_by_device, plans_of
from simulators.world.card_fault_injector import CardFaultInjector
from simulators.world.card_host import CardHost
from simulators.world.card_scene import CardScene
from simulators.world.clock import VirtualClock, chance
from simulators.world.crew import Crew, Plan
from simulators.world.equipment import Equipment, equip
from simulators.world.fault_kinds import FaultKind
from simulators.world.fault_plan import Length, plan_faults
from simulators.world.installation import DEALER, PEOPLE, SECOND_DEALER, Installation, Person
from simulators.world.jackpot import devices_at, jackpot_at
from simulators.world.outputs import Outputs
from simulators.world.plan import START_S, WorldPlan
from simulators.world.playable import Playable, Witness
from simulators.world.result import End
from simulators.world.watches import LampWatch, WireWatch

DECKS: Final = {
    Machine.SHUFFLER: (1, 1, 1, 1, 1, 2, 2, 6),
    Machine.SHOE: (1, 2, 2, 2, 3, 4, 6),
    Machine.BOX: (1,),
}
"""Numbers of decks to draw from: most tables are small, so that faults fall into play and not into loading."""

LAMP_KINDS: Final = (HoldKind.JAM, HoldKind.LID)
COUNTS_BY_ITSELF: Final = frozenset((FaultKind.NUMBERS_CHANGED, FaultKind.COUNTS_BACK_IN_HOLD))
LIMITS: Final = BetLimits(Cents(1000), Cents(100_000), usual_chip(Cents(1000)))
INSPECTOR: Final = Person(51, Role.TABLE_INSPECTOR, "9753")


def people_of(procedure: Procedure, *, is_relieved: bool = False) -> tuple[Person, ...]:
    """Returns the people at a table with this procedure; an inspector only if the procedure needs one. `is_relieved`:
    includes a second dealer, who relieves the first.
    """
    people = (*PEOPLE, SECOND_DEALER) if is_relieved else PEOPLE
    is_named = procedure.cut_fallback in INSPECTOR_CUTS or procedure.incident_authority is INSPECTOR.role
    return (*people, INSPECTOR) if is_named else people


INSPECTOR_CUTS: Final = (CutFallback.TABLE_INSPECTOR, CutFallback.DEALER_AND_INSPECTOR)


class CardWitness(Witness):
    """Records a short summary of each durable state without waiting entries. Whole states need too much memory."""

    seen: dict[int, Sighting] = msgspec.field(default_factory=dict)  # by the number of the last entry

    def look(self, seq: int, durable: BlackjackState, waiting: int) -> None:
        """Records a summary of the durable state after entry `seq`. Does nothing while `waiting` entries, more than 0,
        wait for the disk.
        """
        if not waiting:
            self.seen[seq] = _sighting(seq, durable)
            self.entries, self.rounds = seq, durable.house.tally.rounds


def _sighting(seq: int, state: BlackjackState) -> Sighting:
    return Sighting(
        seq=seq,
        holds=tuple(
            SeenHold(h.id, h.kind.value, h.device.value if h.device else None, h.phase.value, h.cause)
            for h in state.house.holds
        ),
        session=state.house.session.value,
        round=state.game.phase.value,
        counts={place: getattr(state.custody.book, place) for place in PLACES},
    )


@dataclass(slots=True, kw_only=True)
class World(Playable):
    """A simulated card table that is running."""

    equipment: Equipment
    host: CardHost
    crew: Crew
    injector: CardFaultInjector
    witness: CardWitness = field(default_factory=CardWitness)
    wire: WireWatch = field(init=False)
    lamp: LampWatch = field(init=False)
    told: list[str] = field(default_factory=list)  # the watches' findings
    on_durable: Callable[[int, BlackjackState, int], None] = field(default=lambda _seq, _durable, _waiting: None)

    def __post_init__(self) -> None:
        """Connects the checks to wires and lamp, and the people to all visible changes."""
        Playable.__post_init__(self)
        equipment, host, shoe = self.equipment, self.host, self.equipment.shoe
        self.wire = WireWatch(self._tell, self._holds, self._said_last)
        self.lamp = LampWatch(self.clock, self._lamp_is_due, self._lamp_is_lit, self._tell)
        if equipment.machine is not None:
            equipment.ends[equipment.machine].on_change = self._looks_different
        if equipment.shuffler is None and shoe is not None:  # people who draw a card feel the shoe's lock
            equipment.ends[Device.SHOE].what_shows = lambda: shoe.is_free
        host.on_booted, host.on_change, host.on_sent = self._booted, self._changed, self.wire.sent
        for device, end in equipment.ends.items():
            end.on_said = partial(self.wire.said, device)

    def pump(self) -> None:
        self.equipment.pump()

    def look(self, seq: int, ledger: Ledger) -> None:
        durable = at_blackjack(ledger.durable)
        self.witness.look(seq, durable, ledger.waiting)
        self.on_durable(seq, durable, ledger.waiting)

    def synced(self, batch: Batch, head: bytes) -> None:
        self.wire.durable(batch.payloads, batch.last_seq)
        Playable.synced(self, batch, head)

    def digest(self, end: End, found: Sequence[str]) -> str:
        digest = sha256(end.value.encode())
        for place, cards in self.equipment.room.cards_by_place().items():
            digest.update(f"{place} {[card.number for card in cards]}".encode())
        for of_device in self.equipment.ends.values():
            digest.update(repr(of_device.device.status).encode())
        digest.update(self.outputs.digest().encode())
        digest.update(repr((sorted(self.scene.met.items()), tuple(found), self.virtual_s)).encode())
        return digest.hexdigest()

    @property
    def scene(self) -> CardScene:
        return self.injector.scene

    @property
    def deck_size(self) -> int:
        """The number of cards in the table's decks. The cards are numbered from 1."""
        return self.crew.plan.choices.cards

    @property
    def most_entries(self) -> int:
        return 1000 + 20 * self.deck_size + 200 * self.plan.rounds

    @property
    def is_unlocked(self) -> bool:
        shuffler, shoe = self.equipment.shuffler, self.equipment.shoe
        if shoe is not None and not shoe.status.locked:
            return True
        status = None if shuffler is None else shuffler.status
        return status is not None and (status.feed_open or status.unloading or status.mouth_open)

    # ---- observations for the watches

    def _changed(self) -> None:
        self.crew.screen_changed()
        self.lamp.look()

    def _booted(self) -> None:
        self.wire.durable(*_behind(self.host.disk.storage, self.wire.last_seq))

    def _looks_different(self) -> None:
        self.crew.machine_changed()
        self.lamp.look()
        counts_by_itself = COUNTS_BY_ITSELF & self.scene.kinds_met  # a count that goes back opens the mouth
        if self.equipment.shuffler is not None and not counts_by_itself:
            self.wire.opened(self.equipment.shuffler.status)

    def _tell(self, what: str) -> None:
        if what not in self.told:
            self.told.append(what)

    def _holds(self) -> tuple[Hold, ...]:
        return () if self.host.run is None else self.host.run.runtime.ledger.latest.house.holds

    def _said_last(self) -> object:
        return None if self.host.run is None else self.host.run.runtime.devices.supervisors[Device.SHUFFLER].status

    def _lamp_is_lit(self) -> bool:
        return self.equipment.shuffler is not None and self.equipment.shuffler.status.lamp_lit

    def _lamp_is_due(self) -> bool:
        run, shuffler = self.host.run, self.equipment.shuffler
        if run is None or shuffler is None or shuffler.power is not Power.ON:
            return False
        is_held = any(hold.kind in LAMP_KINDS for hold in self._holds())
        hears = run.runtime.devices.supervisors[Device.SHUFFLER].connected
        return is_held and hears and self.equipment.lines[Device.SHUFFLER].is_sound


def procedure_at(plan: WorldPlan) -> Procedure:
    """Returns the plan's procedure; if the plan has none, a random procedure within the law."""
    return plan.procedure or drawn_procedure(plan.profile, chance(plan.seed, "procedure"))


def delivery_at(plan: WorldPlan, procedure: Procedure) -> Delivery:
    """Returns a random way of delivering cards; always EJECTS at a box and at a table that follows cards alone."""
    if plan.tracks is not Tracks.HANDS or procedure.machine is Machine.BOX:
        return Delivery.EJECTS
    return chance(plan.seed, "delivery").choice(tuple(Delivery))


def make_world(plan: WorldPlan) -> World:
    """Returns a card table made from this plan, ready to run."""
    clock, outputs = VirtualClock(START_S), Outputs(keep=plan.keep_outputs)
    profile, devices = law(plan.profile), devices_at(plan)
    procedure = procedure_at(plan)
    if (plan.decks or 0) % procedure.back_colours:
        procedure = replace(procedure, back_colours=1)
    of_machine = [decks for decks in DECKS[procedure.machine] if decks % procedure.back_colours == 0]
    decks = plan.decks or chance(plan.seed, "decks").choice(of_machine)
    choices = Choices(plan.seed, cards=52 * decks, minimum_cents=LIMITS.minimum)
    planned = plan_faults(plan, Length(plan.rounds, choices.cards).draw, devices, procedure)
    broken = broken_by_device(planned, OF_CARDS)
    plans = plans_of(broken, OF_CARDS)
    equipment = equip(
        clock, plan.seed, devices, procedure, choices, plans, plan.swapped, plan.firmware, paired=plan.paired
    )
    jackpot, figures = jackpot_at(plan), drawn_figures(plan.profile, chance(plan.seed, "figures"))
    setup = Setup(
        table="world",
        profile=profile.name,
        decks=decks,
        seats=SEATS,
        has_reader=Device.SHOE in devices,
        has_display=Device.JACKPOT_DISPLAY in devices,
        has_slots=Device.JACKPOT_SLOTS in devices,
        simulated=True,
        parameters=profile.figures,
        procedure=procedure,
        delivery=delivery_at(plan, procedure),
        hand_rules=HandRules(LIMITS, figures) if plan.tracks is Tracks.HANDS else None,
        reminders=profile.reminders,
        jackpot=jackpot,
    )
    is_relieved = any(fault.kind is FaultKind.DEALER_RELIEVED for fault in planned)
    people = people_of(procedure, is_relieved=is_relieved)
    equipment.room.on_duty = DEALER.number  # the first of two dealers
    installation = Installation(
        setup, {device: end.device.identity.serial for device, end in equipment.ends.items()}, people, plan.paired
    )
    host = CardHost(clock, plan.seed, installation, equipment.lines, equipment.ends, outputs)
    crew = Crew(
        clock,
        plan.seed,
        host,
        equipment.room,
        Plan(choices, plan.rounds, procedure, offers=setup.delivery is Delivery.OFFERS),
        people,
    )
    scene = CardScene(
        clock=clock,
        host=host,
        planned=planned,
        looks_different=crew.sight_changed,
        restart_devices=partial(equipment.restart, clock),
        equipment=equipment,
        crew=crew,
    )
    injector = CardFaultInjector(scene, broken)
    world = World(plan=plan, clock=clock, outputs=outputs, equipment=equipment, host=host, crew=crew, injector=injector)
    crew.on_hand = equipment.pump_touched
    return world


def _behind(storage: MemoryStorage, last_seq: int) -> tuple[list[bytes], int]:
    """Returns the entries after `last_seq` in an undamaged journal, and the number of the journal's last entry."""
    news: list[bytes] = []
    found_seq: int | None = None
    for _, name in reversed(list_segments(storage)):
        records = scan(storage.read(name)).records
        news += [record.payload for record in records if record.seq > last_seq]
        if records and found_seq is None:
            found_seq = records[-1].seq
        if records and records[0].seq <= last_seq:
            break
    return news, found_seq or 0
