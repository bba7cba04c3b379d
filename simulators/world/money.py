"""The money of a world's rounds: each settlement against the check that shares no code with the core.

The decisions are those that the table has recorded; the cards are the pieces as they lie, in the hands that they were
laid to. Where somebody has laid or named a card wrongly and nobody has noticed, the table's book is judged instead.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from controller.core.games.blackjack.hands import Brings, PlayedHand, Takings
from controller.core.games.blackjack.settling import Bet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.hand_rules import HandRules
from controller.core.words import RoundPhase
from simulators.oracles import settle
from simulators.oracles.export_reader import Export
from simulators.oracles.jackpot import pool_of, slots_of
from simulators.people.mislaid import Laid
from simulators.world.fault_kinds import FaultKind
from simulators.world.record import Record
from simulators.world.world import World

BANK: Final = 0
_KINDS: Final = {"any-pair": "pair"}
"""Side bets that the check calls otherwise."""


MISLEADING: Final = frozenset(
    (
        FaultKind.WRONG_READ,
        FaultKind.CARD_MISNAMED,
        FaultKind.WRONG_SEAT,
        FaultKind.FACE_UP_CARD,
        FaultKind.CARD_TAKEN_OUT,
    )
)
"""Faults after which a card may lie there as another than the one that the table knows, or not at all any more."""

Key: TypeAlias = tuple[int, int]
"""Who bets, and at which seat."""


class Card(NamedTuple):
    """One card: whose hand, and its face, or "" where nobody knows it."""

    seat: int
    hand: int
    face: str


@dataclass(slots=True)
class Cashier:
    """Looks at each durable state of a table that follows hands."""

    world: World
    found: list[str] = field(default_factory=list)
    settled: int = 0  # rounds that were compared
    stakes: Counter[str] = field(default_factory=Counter)  # what was decided in them
    _bank: Fraction = Fraction(0)
    _tally: tuple[int, int] = (0, 0)  # rounds that were settled, and of those before them voided

    def look(self, _seq: int, durable: BlackjackState, _waiting: int) -> None:
        """Something became durable."""
        if durable.table is None or FaultKind.DAMAGE_CLOSED in self.world.scene.kinds_met:
            return  # what stood in the damage is paid by nobody's book
        bank, tally = _bank(durable.takings), (durable.house.tally.rounds, durable.house.tally.voided)
        if tally[0] == self._tally[0] + 1 and durable.game.phase is RoundPhase.SETTLED:
            self._settlement(durable, bank - self._bank)
        elif bank != self._bank:
            self.found.append(f"money: the bank has {bank} cents and had {self._bank}, and nothing was settled")
        self._bank, self._tally = bank, tally

    def _settlement(self, state: BlackjackState, won: Fraction) -> None:
        judged, said = self._judged(state), _said(state.takings.last)
        where = f"money: session {state.house.session_number} round {state.game.number}"
        if judged != said:
            lying = " ".join(f"{card.seat}/{card.hand}:{card.face}" for card in self._cards(state))
            self.found.append(f"{where}: the table says {_shown(said)}, the law {_shown(judged)}, of {lying}")
        if won != -sum(judged.values()):
            self.found.append(f"{where}: the bank has won {won} cents, and the bets {sum(judged.values())}")
        self.settled += 1
        self.stakes.update(_decided(state))

    def _judged(self, state: BlackjackState) -> dict[Key, Fraction]:
        awards = _round(self.world.plan.profile, state, self._cards(state)).awards()
        return _summed(((int(award.bettor), award.seat), award.gain) for award in awards)

    def _cards(self, state: BlackjackState) -> tuple[Card, ...]:
        if self.world.scene.kinds_met & MISLEADING:
            return tuple(_booked(state))
        room, booked = self.world.equipment.room, tuple(_booked(state))
        lying = tuple(_lying(sorted((*room.gone, *room.table), key=attrgetter("order"))))
        is_late = len(lying) < len(booked)  # hands went on before the record was written
        is_hidden = any(not card.face for card in lying if card.seat != BANK)  # laid where nobody turned it
        return booked if is_late or is_hidden else lying


def _bank(takings: Takings) -> Fraction:
    return Fraction(takings.bank.pays, takings.bank.of)


def _lying(laid: Iterable[Laid]) -> Iterator[Card]:
    for one in laid:
        yield Card(one.seat, one.hand, "" if one.face_down else one.card.face)


def _booked(state: BlackjackState) -> Iterator[Card]:
    """As the table's book has them; those of a hand that was collected in their order."""
    for played in state.game.stakes.hands:
        yield from (Card(played.id.seat, played.id.index, face) for face in played.kept or ())
    yield from (Card(one.seat, one.hand, one.card or "") for one in state.game.dealt)


def _round(profile: str, state: BlackjackState, cards: tuple[Card, ...]) -> settle.Round:
    stakes = state.game.stakes
    hands = tuple(_hand(played, cards) for played in stakes.hands)
    sides = tuple(
        settle.SideBet(str(one.bettor), _KINDS.get(one.kind.value, one.kind.value), one.seat, one.stake)
        for one in stakes.side
    )
    bank = tuple(card.face for card in cards if card.seat == BANK and card.face)
    return settle.Round(profile, hands, bank, sides, choices_of(profile, state.setup.hand_rules))


def choices_of(profile: str, rules: HandRules | None) -> dict[str, object]:
    """What the house has chosen, in the words of the check: of each law what it leaves open."""
    if rules is None:
        return {}
    its = rules.figures
    chosen = {
        "prize_for_followers": its.special_prize_to_others,
        "double_against_blackjack": "initial" if its.doubled_loses_first_stake else "all",
        "later_pairs": "new-stake" if its.any_pair_new_stake else "stake-stays",
        "over_under_ace": "choice" if its.over_under_ace_either else "one",
    }
    return {name: value for name, value in chosen.items() if name in settle.CHOICES[profile.partition("-")[0]]}


def _hand(played: PlayedHand, cards: tuple[Card, ...]) -> settle.Hand:
    """Stakes with those of who decides first."""
    bets = sorted(played.bets, key=lambda bet: bet.bettor != played.holder)
    place = played.id.seat, played.id.index
    mine = ((at, card.face) for at, card in enumerate(cards) if (card.seat, card.hand) == place)
    return settle.Hand(
        played.id.seat,
        played.id.index,
        _together(bets),
        tuple(mine),
        frozenset(str(bet.bettor) for bet in bets if bet.is_doubled),
        {str(one.bettor): one.amount for one in played.insurances},
        "" if played.end is None else played.end.value,
    )


def _together(bets: Iterable[Bet]) -> dict[str, int]:
    """Who bets twice on a place has one stake."""
    stakes: dict[str, int] = {}
    for bet in bets:
        stakes[str(bet.bettor)] = stakes.get(str(bet.bettor), 0) + bet.stake
    return stakes


def _said(brought: Iterable[Brings]) -> dict[Key, Fraction]:
    return _summed(((one.bettor, one.hand.seat), one.amount.exact) for one in brought)


def _summed(gains: Iterable[tuple[Key, Fraction]]) -> dict[Key, Fraction]:
    """What each bettor has gained at each seat; without those who have neither won nor lost."""
    sums: dict[Key, Fraction] = {}
    for key, gain in gains:
        sums[key] = sums.get(key, Fraction(0)) + gain
    return {key: gain for key, gain in sums.items() if gain}


def _shown(gains: dict[Key, Fraction]) -> str:
    return ", ".join(f"{bettor} at {seat}: {gain}" for (bettor, seat), gain in sorted(gains.items())) or "nothing"


def _decided(state: BlackjackState) -> Iterator[str]:
    """What was done in a round, to be counted."""
    stakes = state.game.stakes
    yield from (f"ended {one.end.value}" for one in stakes.hands if one.end is not None)
    yield from ("split" for one in stakes.hands if one.id.index > 1)
    yield from ("doubled" for one in stakes.hands if one.is_doubled)
    yield from ("insured" for one in stakes.hands if one.insurances)
    yield from ("shared" for one in stakes.hands if len(one.bets) > 1)
    yield from ("side bet" for _ in stakes.side)
    yield from ("jackpot bet" for _ in state.game.jackpot.chips)
    yield from ("jackpot won" for _ in range(state.game.jackpot.is_hit))


# --- the jackpot


def wrong_with_the_pool(world: World, record: Record) -> list[str]:
    """The pool, worked out again from the entries alone, is the table's own to the millionth; where none are gone."""
    walk, export = record.walk, record.export
    if walk.damage is not None or walk.sealed:
        return []
    recount, run = pool_of(export), world.host.run
    wrong = [f"jackpot: {what}" for what in (*recount.wrong, *_wrong_with_the_slots(world, export))]
    pool = None if run is None else run.runtime.ledger.durable.house.pool
    if pool is None:
        return wrong
    ours = (pool.millionths, pool.reserve, pool.overflow, pool.meters.paid, pool.meters.contributions)
    levels, meters = recount.levels, recount.meters
    theirs = (levels["pool"], levels["reserve"], levels["overflow"], meters["paid"], meters["contributions"])
    return wrong if ours == theirs else [*wrong, f"jackpot: the table has {ours}, its journal makes {theirs}"]


def _wrong_with_the_slots(world: World, export: Export) -> list[str]:
    """Where nothing has gone wrong, each bet that was collected is one chip in the box."""
    slots, wrong = slots_of(export)
    box = world.equipment.room.slots
    if box is None or world.scene.met or box.taken_in == slots.collected:
        return wrong
    return [*wrong, f"{slots.collected} bets were collected, {box.taken_in} chips fell into the box"]
