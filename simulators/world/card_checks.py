"""Checks the physical cards of a world: none may be lost or doubled, and all must lie in the places that the status
names.

The module checks between two rounds, and at any time, also during holds, when nothing has moved for a while. Only the
findings of a check are stored.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import HoldKind, RoundPhase, SessionPhase
from controller.games.blackjack import at_blackjack
from controller.games.blackjack_screen import counts
from simulators.devices.cards import PhysicalCard, make_cards, spare_deck
from simulators.oracles.cards import Checkpoint, Listing, check_cards
from simulators.world.card_host import CARDS_COME_OUT
from simulators.world.clock import Alarm
from simulators.world.fault_kinds import FaultKind
from simulators.world.world import World

K = FaultKind

STILL_S: Final = 45.0
"""The pause before a check. Longer than any delay between an act and the movement of hands that belongs to it."""

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
        K.NUMBERS_CHANGED,
        K.COUNTS_BACK_IN_HOLD,
        K.CARD_NOT_SAID,
        K.CARD_SAID_TWICE,
    )
)
"""Faults after which a device's or a person's count may be wrong, so that status and cards may differ."""


_IN_QUESTION: Final = (HoldKind.COUNT, HoldKind.DEVICE_LOST, HoldKind.JOURNAL_FAULT)
"""While one of these holds is open, people know that the status may be behind the cards."""

TO_BE_ORDERED: Final = frozenset(("outside", "rack", "burnt"))
"""Piles that count as one pile in the deck check, where all cards are laid together."""

IN_THE_OPEN: Final = frozenset(("outside", "rack", "burnt", "table", "pending", "in_hand"))
"""Places that count as one while the status may be behind the hands: a hold, an irregular closing, a slow person."""


@dataclass(slots=True)
class Looks:
    """Checks the cards of one world at quiet moments, and stores the findings."""

    world: World
    found: list[str] = field(default_factory=list)
    _looked: set[tuple[int, int]] = field(default_factory=set)  # session and round
    _seq: int = 0
    _alarm: Alarm = field(init=False)

    def __post_init__(self) -> None:
        self._alarm = Alarm(self.world.clock, self._when_still)

    def durable(self, seq: int, durable: BlackjackState, waiting: int) -> None:
        """Receives the durable state after entry `seq`, and schedules a check of the cards after STILL_S seconds
        without a change. Between two rounds checks at once, but only once a round, and only if no entry waits, no hold
        is open and no card moves.
        """
        self._seq = seq
        self._alarm.set(self.world.clock.now_s + STILL_S)
        key = (durable.house.session_number, durable.game.number)
        is_between_rounds = durable.house.session is SessionPhase.IN_PLAY and durable.game.phase is RoundPhase.IDLE
        # looked at already, or a card lies wrongly or is on its way
        is_looked_at = key in self._looked or self.world.equipment.room.table
        if is_between_rounds and not waiting and not durable.house.holds and not is_looked_at and not self._is_moving():
            self._looked.add(key)
            self._look(durable, f"session {key[0]} after round {key[1]}")

    def _when_still(self) -> None:
        world, run = self.world, self.world.host.run
        by_hand = world.equipment.shuffler is None  # hands fill and empty the machine, which takes minutes
        crew = world.crew
        begun_s = max(crew.changed_s, crew.work_until_s, crew.slow_until_s) if by_hand else crew.changed_s
        still_at_s = begun_s + STILL_S
        if still_at_s > world.clock.now_s:
            self._alarm.set(still_at_s)
        elif run is not None and run.permits and not run.runtime.ledger.waiting and not self._is_moving():
            durable = at_blackjack(run.runtime.ledger.durable)
            by_word = world.equipment.machine is None and durable.house.session in CARDS_COME_OUT
            if not by_word:  # a dealt card that is not announced yet is no mistake
                self._look(durable, f"session {durable.house.session_number} {durable.house.session}, all still")

    def _look(self, durable: BlackjackState, when: str) -> None:
        met = self.world.scene.kinds_met
        if K.BURN_DEALT in met and len(self.world.equipment.room.table) == 1:
            return  # the burnt card still lies before a player
        claims = {"status": counts(durable)}
        is_checked = durable.house.session in {SessionPhase.CHECKING, SessionPhase.CLOSED}
        is_behind = bool(durable.house.holds) or durable.house.irregular or K.PERSON_SLOW in met
        together = IN_THE_OPEN if is_behind else TO_BE_ORDERED if is_checked else frozenset[str]()
        is_questioned = any(hold.kind in _IN_QUESTION for hold in durable.house.holds)
        is_forgotten = durable.house.irregular and K.DAMAGE_CLOSED in met  # the lost entries are unknown
        is_settled = not met & MISCOUNTING and not is_questioned and not is_forgotten
        checkpoint = Checkpoint(when, listing(self.world), self._seq, claims, is_settled, together)
        self.found += wrong_with_the_cards(self.world, checkpoint)

    def _is_moving(self) -> bool:
        shuffler, shoe = self.world.equipment.shuffler, self.world.equipment.shoe
        is_told = shoe is None or not shoe.waiting_events
        if not is_told or shuffler is None:
            return not is_told
        return bool(shuffler.waiting_events or shuffler.machine.hopper or shuffler.status.lid_open)


def listing(world: World) -> Listing:
    """Returns the number and face of every physical card, grouped by place."""
    scene = world.injector.scene
    places: Mapping[str, Sequence[PhysicalCard]] = world.equipment.room.cards_by_place() | {
        "pocket": tuple(scene.pocket)
    }
    return {place: [(card.number, card.face) for card in cards] for place, cards in places.items()}


def deck(world: World) -> dict[int, str]:
    """Returns by number the face of every card ever brought to the table: decks, spare decks and foreign cards."""
    plan = world.crew.plan
    cards = (*make_cards(plan.decks), *spare_deck(plan.procedure.back_colours))
    return {card.number: card.face for card in (*cards, *world.injector.scene.brought_in)}


def wrong_with_the_cards(world: World, look: Checkpoint) -> list[str]:
    """Returns the violations that the oracle of cards finds at the checkpoint `look`."""
    return [str(violation) for violation in check_cards(deck(world), [look])]
