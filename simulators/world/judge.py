"""What the oracles say of a world: they get plain data, made here from what is left of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import RoundPhase, SessionPhase
from controller.games.blackjack_screen import counts
from controller.journal.recovery import Walk
from simulators.devices.cards import PhysicalCard, make_cards, spare_deck
from simulators.oracles.cards import Checkpoint, Listing, check_cards
from simulators.oracles.export_reader import Export, read_export
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import check_export
from simulators.oracles.progress import check_progress
from simulators.world.ends import End
from simulators.world.fault_kinds import FaultKind
from simulators.world.lasting import durable, without
from simulators.world.play import held_by_damage, was_flipped
from simulators.world.second_copy import judged
from simulators.world.stored import exported
from simulators.world.world import World

K = FaultKind

MISCOUNTING: Final = frozenset(
    (
        K.MISCOUNT_IN,
        K.MISCOUNT_OUT,
        K.DOUBLE_FEED_IN,
        K.DOUBLE_FEED_OUT,
        K.CARD_SLIPPED_IN,
        K.CARD_TAKEN_OUT,
        K.FILLED_SHORT,
        K.GATHERED_SHORT,
    )
)
"""After one of these the machine's own count may be wrong until somebody counts: book and cards may differ."""


@dataclass(slots=True)
class Snapshots:
    """Looks at the physical cards between rounds, when nothing moves and nothing is held.

    What the oracle says of them it says at once: of a look only the findings are kept.
    """

    world: World
    found: list[str] = field(default_factory=list)
    _looked: set[tuple[int, int]] = field(default_factory=set)  # session and round

    def look(self, seq: int, durable: BlackjackState, waiting: int) -> None:
        """Something became durable."""
        key = (durable.house.session_number, durable.game.number)
        is_between_rounds = durable.house.session is SessionPhase.IN_PLAY and durable.game.phase is RoundPhase.IDLE
        if not is_between_rounds or waiting or durable.house.holds or key in self._looked or self._is_moving():
            return
        met = {
            fault.kind for fault in self.world.mischief.scene.planned if fault.number in self.world.mischief.scene.met
        }
        if K.BURN_DEALT in met and len(self.world.equipment.room.table) == 1:
            return  # the burnt card lies before a player still: hands bring it to its place
        checkpoint = Checkpoint(
            when=f"session {key[0]} after round {key[1]}",
            listing=listing(self.world),
            seq=seq,
            claims={"status": counts(durable)},
            is_settled=not met & MISCOUNTING,
        )
        self._looked.add(key)
        self.found += _wrong_with_the_cards(self.world, checkpoint)

    def _is_moving(self) -> bool:
        equipment = self.world.equipment
        if equipment.room.table:
            return True  # laid there by mistake, and on its way to where it belongs
        shuffler, shoe = equipment.shuffler, equipment.shoe
        is_told = shoe is None or not shoe.waiting_events
        return not is_told or (
            shuffler is not None and bool(shuffler.waiting_events or shuffler.in_hopper or shuffler.status.lid_open)
        )


def listing(world: World) -> Listing:
    """Every piece of card and where it is."""
    scene = world.mischief.scene
    places: Mapping[str, Sequence[PhysicalCard]] = world.equipment.room.cards_by_place() | {
        "pocket": tuple(scene.pocket)
    }
    return {place: [(card.number, card.face) for card in cards] for place, cards in places.items()}


def deck(world: World) -> dict[int, str]:
    """Every piece that was ever brought in."""
    plan = world.crew.plan
    cards = (*make_cards(plan.decks), *spare_deck(plan.procedure.back_colours))
    return {card.number: card.face for card in (*cards, *world.mischief.scene.brought_in)}


def judge(world: World, end: End, snapshots: Snapshots) -> list[str]:
    """Every violation, in words."""
    disk = world.host.disk.storage
    text, walk = exported(disk)
    export = read_export(text)
    found = list(world.told)
    found += durable(world.durable_watch, world.scene, walk, {entry.seq: entry.chain for entry in export.entries})
    found += _damage(world, end)
    found += [] if world.host.second is None or was_flipped(world.scene) else judged(disk, world.host.second.storage)
    found += _cards(world, end, snapshots)
    if export.entries:
        found += _procedure(world, walk, export, end)
    return found


def _procedure(world: World, walk: Walk, export: Export, end: End) -> list[str]:
    figures = figures_bound_by(export.entries[0])
    sightings = list(without(world.witness.seen, walk.sealed).values())
    violations = check_export(export, figures, sightings)
    if end is End.STUCK:
        last_s = export.entries[-1].mono_ns / 1_000_000_000
        violations += check_progress(
            export.entries, figures, last_fault_s=0.0, end_s=last_s, bound_s=0.0, sightings=sightings
        )
    return [str(violation) for violation in violations]


def _cards(world: World, end: End, snapshots: Snapshots) -> list[str]:
    found = snapshots.found + _wrong_with_the_cards(world, Checkpoint("at the end", listing(world)))
    state = world.host.run.runtime.ledger.durable if world.host.run is not None else None
    if end is End.CLOSED and state is not None and state.house.last_closing.value == "regular":
        found += _regular(world)
    return found


def _wrong_with_the_cards(world: World, look: Checkpoint) -> list[str]:
    return [str(violation) for violation in check_cards(deck(world), [look])]


def _regular(world: World) -> list[str]:
    """A closing that is called regular: the whole deck set lies outside the machine, and nothing else."""
    places = world.equipment.room.cards_by_place()
    lying = [card for place in ("outside", "packet", "tray", "rack", "burnt") for card in places.get(place, ())]
    faces = sorted(card.face for card in lying)
    whole = sorted(card.face for card in make_cards(world.crew.plan.choices.cards // 52))
    foreign = [card.number for card in lying if card in world.mischief.scene.brought_in]
    if faces == whole and not foreign:
        return []
    return [
        f"a closing was called regular with {len(lying)} cards outside, {len(whole)} in the deck set, foreign {foreign}"
    ]


def _damage(world: World, end: End) -> list[str]:
    """A damaged journal: only a flipped bit damages one; the entries are named, nothing is permitted or unlocked."""
    return held_by_damage(world) if end is End.HELD_DAMAGED else []
