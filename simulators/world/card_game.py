"""The card game for games.py: makes a world, and passes its journal and cards to the oracles as plain data."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from controller.core.games.blackjack.state import BlackjackState
from simulators.devices.cards import make_cards
from simulators.oracles.cards import Checkpoint
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import check_export
from simulators.oracles.progress import not_finished
from simulators.world.card_checks import Looks, listing, wrong_with_the_cards
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FAULTS
from simulators.world.games import Verdict, WorldGame
from simulators.world.jackpot import devices_at
from simulators.world.jackpot_money import wrong_with_the_pool
from simulators.world.money import Cashier
from simulators.world.pairs import check_secrecy
from simulators.world.plan import WorldPlan
from simulators.world.record import Record, record_of, without
from simulators.world.result import End
from simulators.world.world import World, make_world, procedure_at

PAIRED_EVERY: Final = 4
PAIRED_ROUNDS: Final = 2
"""Every PAIRED_EVERY-th seed also plays a world of at most PAIRED_ROUNDS rounds twice, as a test of secrecy."""


def _judge(world: World) -> Callable[[End], Verdict]:
    looks, cashier = Looks(world), Cashier(world)

    def durable(seq: int, state: BlackjackState, waiting: int) -> None:
        looks.durable(seq, state, waiting)
        cashier.look(seq, state, waiting)

    def judged(end: End) -> Verdict:
        record = record_of(world, end)
        found = cashier.wrong(record.export) + world.told + record.found + _cards(world, end, looks)
        found += wrong_with_the_pool(world, record)
        found += _procedure(world, record, end) if record.export.entries else []
        told, paired = _secrecy(world.plan)
        return Verdict(found + told, dict(sorted(cashier.stakes.items())), paired)

    world.on_durable = durable
    return judged


def _procedure(world: World, record: Record, end: End) -> list[str]:
    figures = figures_bound_by(record.export.entries[0])
    sightings = list(without(world.witness.seen, record.walk.sealed).values())
    violations = check_export(record.export, figures, sightings)
    if end is End.STUCK:
        violations += not_finished(record.export.entries, sightings[-1])
    return [str(violation) for violation in violations]


def _cards(world: World, end: End, looks: Looks) -> list[str]:
    found = looks.found + wrong_with_the_cards(world, Checkpoint("at the end", listing(world)))
    state = world.host.run.runtime.ledger.durable if world.host.run is not None else None
    if end is End.CLOSED and state is not None and state.house.last_closing.value == "regular":
        found += _regular(world)
    return found


def _regular(world: World) -> list[str]:
    """Returns a violation if the decks at a closing recorded as regular lack a card or contain a foreign
    card; else [].
    """
    places = world.equipment.room.cards_by_place()
    lying = [card for place in ("outside", "packet", "tray", "rack", "burnt") for card in places.get(place, ())]
    faces = sorted(card.face for card in lying)
    whole = sorted(card.face for card in make_cards(world.crew.plan.choices.cards // 52))
    foreign = [card.number for card in lying if card in world.injector.scene.brought_in]
    if faces == whole and not foreign:
        return []
    return [
        f"a closing was called regular with {len(lying)} cards outside, {len(whole)} in the deck set, foreign {foreign}"
    ]


def _secrecy(plan: WorldPlan) -> tuple[list[str], tuple[World, ...]]:
    if plan.seed % PAIRED_EVERY or plan.only is not None:
        return [], ()
    return check_secrecy(replace(plan, rounds=min(plan.rounds, PAIRED_ROUNDS)), turn=plan.seed // PAIRED_EVERY)


def _subjects(plan: WorldPlan) -> frozenset[FaultKind]:
    devices, procedure = devices_at(plan), procedure_at(plan)
    return frozenset(row.kind for row in FAULTS if row.finds_a_subject(devices, procedure))


GAME: Final = WorldGame(FAULTS, make_world, _judge, _subjects)
run_world: Final = GAME.run
