"""Evenings at random at tables that follow hands: each settled round against the check that shares no code with it."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from controller.config.profile import CARD_PROFILES
from controller.core.custody.shoe import shoe_is_over
from controller.core.games.blackjack.hands import Brings, HandId, total_of
from controller.core.words import RoundPhase
from controller.scenario.player import Player
from controller.scenario.steps import card_out
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from simulators.oracles import settle
from tests.night import IS_NIGHT

STEPS = vocabulary_of("pt-csm").steps

ROUNDS = 400 if IS_NIGHT else 12
DECISIONS = ("stand", "split-pair", "double-down", "surrender", "take-even-money", "claim-five-cards", "insure")
UNSEEN = ("stand", "draw-card")  # nobody knows the cards that lie face down
SEEN = (*DECISIONS, "draw-card", "draw-card")
SIDES = ("any-pair", "sevens", "over", "under")


class Evening:
    """One table, played by chance; whatever it refuses is not done."""

    def __init__(self, profile: str, seed: int) -> None:
        self.chance = random.Random(f"{profile} {seed}")  # noqa: S311 - chance that can be repeated
        table = make_table(profile, [("tracks", "hands")])
        assert not table.problems
        self.player = Player(table.setup)
        self.player.start()
        self.profile = profile
        self.bank = Fraction(0)
        self.done: Counter[str] = Counter()
        self.step("loaded")
        self.chance.shuffle(self.player.pack.inside)
        self.step("burn")

    def step(self, word: str, *words: str) -> None:
        STEPS[word].do(self.player, words)

    def asks(self, act: str, **values: object) -> bool:
        """Whether the table has allowed it; a refusal leaves it the very same."""
        before = self.player.state
        self.player.act("dealer", act, {name: str(value) for name, value in values.items()})
        allowed = self.player.refusal is None
        assert allowed or self.player.state is before
        self.done[f"{act} {'done' if allowed else 'refused'}"] += 1
        return allowed

    def round(self) -> None:
        if shoe_is_over(self.player.state):
            self.step("new-shoe")
            self.step("burn")
        self._bets()
        assert self.asks("announce-no-more-bets")
        while self.player.state.game.phase is RoundPhase.DEALING:
            self.step("draw")
        self._players()
        self.step("bank-plays")
        self.step("settle")
        self._check()
        assert self.asks("collect-cards")
        if self.player.state.game.phase is RoundPhase.COLLECTED:
            self.step("put-back")

    def _bets(self) -> None:
        seats = self.chance.sample(range(1, 8), self.chance.randint(1, 4))
        for seat in sorted(seats):
            assert self.asks("place-bet", seat=seat, amount=self.chance.choice((10, 20, 50)))
            for bettor in self.chance.sample(range(8, 12), self.chance.randint(0, 2)):
                self.asks("place-bet", seat=seat, amount=10, bettor=bettor, consent="yes")
            for kind in SIDES:
                self.asks("place-side-bet", seat=seat, bet=kind, amount=10)

    def _players(self) -> None:
        state = self.player.state
        is_hidden = state.setup.procedure.player_cards.value == "down"
        while (table := self.player.state.table) is not None and (turn := table.turn) is not None:
            of = {"seat": turn.id.seat, "hand": turn.id.index}
            act = self.chance.choice(
                (*DECISIONS, "draw-card", "draw-card") if not is_hidden else ("stand", "draw-card")
            )
            match act:
                case "insure":
                    self.asks(act, seat=turn.id.seat, amount=5, accepted="yes")
                case "surrender" | "take-even-money":
                    self.asks(act, seat=turn.id.seat)
                case "draw-card" | "double-down":
                    if self.asks(act, **of):
                        card_out(self.player, ())
                case _:
                    self.asks(act, **of)

    def _check(self) -> None:
        state = self.player.state
        brought = state.takings.last
        mine: Counter[tuple[int, int]] = Counter()
        for one in brought:
            mine[one.bettor, one.hand.seat] += one.amount.exact
        theirs: Counter[tuple[int, int]] = Counter()
        for award in self._independent(brought).awards():
            theirs[int(award.bettor), award.seat] += award.gain
        assert {key: value for key, value in mine.items() if value} == {
            key: value for key, value in theirs.items() if value
        }
        self.bank -= total_of(brought)
        assert Fraction(state.takings.bank.pays, state.takings.bank.of) == self.bank

    def _independent(self, _brought: tuple[Brings, ...]) -> settle.Round:
        state = self.player.state
        table = state.table
        assert table is not None
        at = {id(one): number for number, one in enumerate(state.game.dealt)}
        hands = [
            settle.Hand(
                played.id.seat,
                played.id.index,
                {str(bet.bettor): bet.stake for bet in _holder_first(played)},
                tuple(
                    (at[id(one)], str(one.card)) for one in state.game.dealt if HandId(one.seat, one.hand) == played.id
                ),
                frozenset(str(bet.bettor) for bet in played.bets if bet.is_doubled),
                {str(one.bettor): one.amount for one in played.insurances},
                "" if played.end is None else played.end.value,
            )
            for played in state.game.stakes.hands
        ]
        sides = [
            settle.SideBet(
                str(one.bettor), {"any-pair": "pair"}.get(one.kind.value, one.kind.value), one.seat, one.stake
            )
            for one in state.game.stakes.side
        ]
        bank = tuple(str(one.card) for one in state.game.dealt if one.seat == 0)
        return settle.Round(self.profile, tuple(hands), bank, tuple(sides))


def _holder_first(played):  # noqa: ANN001, ANN202 - tests are not typed that far
    return sorted(played.bets, key=lambda bet: bet.bettor != played.holder)


@pytest.mark.parametrize("profile", [one for one in CARD_PROFILES if one != "mo-box"])  # its cards nobody reads
def test_every_settled_round_is_what_the_law_says(profile: str) -> None:
    evening = Evening(profile, 1)
    for _ in range(ROUNDS):
        evening.round()
    assert evening.done["draw-card done"] > 0
    assert evening.done["stand done"] > 0
