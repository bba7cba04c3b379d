"""Random evenings at tables that follow hands: each settled round against the check that shares no code with it."""

import math
import random
from collections import Counter
from fractions import Fraction
from typing import Final, NamedTuple

import pytest

from controller.core.custody.shoe import shoe_is_over
from controller.core.games.blackjack.hands import PlayedHand, total_of
from controller.core.words import RoundPhase
from controller.scenario.player import Player
from controller.scenario.steps import card_out
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from simulators.oracles import settle
from simulators.world.money import choices_of
from tests.night import IS_NIGHT

STEPS: Final = vocabulary_of("pt-csm").steps
ROUNDS: Final = 400 if IS_NIGHT else 6
DECISIONS: Final = (
    *("stand", "split-pair", "split-pair", "double-down", "surrender", "take-even-money", "claim-five-cards"),
    *("insure", "draw-card", "draw-card", "collect-hand", "side-bet", "take-side-bet-down"),
)
HIDDEN: Final = ("stand", "draw-card", "draw-card")
"""The wishes of scripted people for a face-down hand, whose possible decisions are unknown."""
SIDES: Final = ("any-pair", "sevens", "over", "under")


class Variant(NamedTuple):
    """A table with its house's choices."""

    profile: str
    settings: tuple[tuple[str, str], ...] = ()


VARIANTS: Final = {
    **{one: Variant(one) for one in ("pt-csm", "pt-shoe", "house", "br", "mo-csm", "mo-shoe")},
    "pt-csm offers": Variant("pt-csm", (("delivery", "offers"),)),
    "mo-csm offers": Variant("mo-csm", (("delivery", "offers"),)),
    "mo second method": Variant(
        "mo-csm", (("double_on", "eleven"), ("doubled_loses_first_stake", "true"), ("split_hands", "6"))
    ),
    "mo new stakes": Variant("mo-csm", (("any_pair_new_stake", "true"), ("over_under_ace_either", "true"))),
    "mo few bettors": Variant("mo-csm", (("shared_place", "seated-of-few"),)),
    "mo highest decides": Variant("mo-csm", (("shared_place", "highest"), ("special_prize_to_others", "false"))),
}


class Evening:
    """One table at which random acts are tried; a refused act must have no effect."""

    def __init__(self, name: str, seed: int) -> None:
        self.chance = random.Random(f"{name} {seed}")  # noqa: S311 - chance that can be repeated
        self.variant = VARIANTS[name]
        table = make_table(self.variant.profile, [("tracks", "hands"), *self.variant.settings])
        assert not table.problems
        self.player = Player(table.setup)
        self.player.start()
        self.bank = Fraction(0)
        self.done: Counter[str] = Counter()
        self._new_round()
        self.step("loaded")
        self.chance.shuffle(self.player.pack.inside)
        self.step("burn")

    def _new_round(self) -> None:
        self.gone: list[tuple[int, int, int, str]] = []  # number in the deal, seat, hand, face
        self.numbers: list[int] = []  # the numbers of the cards on the table
        self.since: list[int] = []  # by side bet: the last card before it, 0 for the deal's first
        self.until: dict[int, int] = {}  # by side bet taken down: the last card before that

    def step(self, word: str, *words: str) -> None:
        self._warning_card()
        STEPS[word].do(self.player, words)
        self._count()

    def _warning_card(self) -> None:
        """Brings the warning card at its place in the shoe, whatever the table is doing."""
        game = self.player.state.custody.shoe_game
        if game.expected is not None and game.measured is None and game.out >= game.expected:
            self.player.warning_card()

    def _count(self) -> None:
        came = len(self.numbers) + len(self.gone)
        self.numbers += range(came, came + len(self.player.state.game.dealt) - len(self.numbers))

    def _last_card(self) -> int:
        return len(self.numbers) + len(self.gone) - 1

    def asks(self, act: str, **values: object) -> bool:
        """Asks for an act; returns True where it is allowed. A refusal must leave the state unchanged."""
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
        self._new_round()
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
                self._side_bet(seat, kind)

    def _side_bet(self, seat: int, kind: str) -> None:
        if self.asks("place-side-bet", seat=seat, bet=kind, amount=10):
            self.since.append(max(self._last_card(), 0))

    def _players(self) -> None:
        is_hidden = self.player.state.setup.procedure.player_cards.value == "down"
        while (table := self.player.state.table) is not None and (turn := table.turn) is not None:
            self._decide(turn, self.chance.choice(HIDDEN if is_hidden else DECISIONS))

    def _decide(self, turn: PlayedHand, act: str) -> None:
        seat, of = turn.id.seat, {"seat": turn.id.seat, "hand": turn.id.index}
        match act:
            case "insure":
                self.asks(act, seat=seat, amount=5, accepted="yes")
            case "surrender" | "take-even-money":
                self.asks(act, seat=seat)
            case "take-side-bet-down":
                self._take_down(seat)
            case "side-bet":
                self._side_bet(seat, "any-pair")
            case "collect-hand":
                self._collect()
            case "draw-card" if self.player.state.setup.delivery.value == "offers":
                self.step("draw")
            case "draw-card" | "double-down":
                if self.asks(act, **of):
                    self._warning_card()
                    card_out(self.player, ())
                    self._count()
            case _:
                self.asks(act, **of)

    def _take_down(self, seat: int) -> None:
        before = self.player.state.game.stakes.side
        if self.asks("take-side-bet-down", seat=seat):
            pairs = zip(before, self.player.state.game.stakes.side, strict=True)
            self.until |= {at: self._last_card() for at, (was, now) in enumerate(pairs) if was != now}

    def _collect(self) -> None:
        """Takes away the cards of a random hand, where the table allows that."""
        state = self.player.state
        one = self.chance.choice(state.game.stakes.hands).id
        if not self.asks("collect-hand", seat=one.seat, hand=one.index):
            return
        lying = list(zip(self.numbers, state.game.dealt, strict=True))
        is_gone = [(dealt.seat, dealt.hand) == (one.seat, one.index) for _number, dealt in lying]
        self.gone += [(n, d.seat, d.hand, str(d.card)) for (n, d), gone in zip(lying, is_gone, strict=True) if gone]
        self.numbers = [n for (n, _dealt), gone in zip(lying, is_gone, strict=True) if not gone]

    def _check(self) -> None:
        state = self.player.state
        brought = state.takings.last
        mine: Counter[tuple[int, int]] = Counter()
        for one in brought:
            mine[one.bettor, one.hand.seat] += one.amount.exact
        theirs: Counter[tuple[int, int]] = Counter()
        for award in self._independent().awards():
            theirs[int(award.bettor), award.seat] += award.gain
            self.done[award.outcome] += 1
        assert {key: value for key, value in mine.items() if value} == {
            key: value for key, value in theirs.items() if value
        }
        self.bank -= total_of(brought)
        assert Fraction(state.takings.bank.pays, state.takings.bank.of) == self.bank

    def _independent(self) -> settle.Round:
        state = self.player.state
        lying = [(n, one.seat, one.hand, str(one.card)) for n, one in zip(self.numbers, state.game.dealt, strict=True)]
        cards = sorted((*self.gone, *lying))
        hands = [
            settle.Hand(
                played.id.seat,
                played.id.index,
                {str(bet.bettor): bet.stake for bet in _holder_first(played)},
                tuple((n, face) for n, seat, hand, face in cards if (seat, hand) == (played.id.seat, played.id.index)),
                frozenset(str(bet.bettor) for bet in played.bets if bet.is_doubled),
                {str(one.bettor): one.amount for one in played.insurances},
                "" if played.end is None else played.end.value,
            )
            for played in state.game.stakes.hands
        ]
        sides = [
            settle.SideBet(
                str(one.bettor),
                {"any-pair": "pair"}.get(one.kind.value, one.kind.value),
                one.seat,
                one.stake,
                self.since[at],
                self.until.get(at, math.inf),
            )
            for at, one in enumerate(state.game.stakes.side)
        ]
        bank = tuple(face for _n, seat, _hand, face in cards if seat == 0)
        chosen = choices_of(self.variant.profile, state.setup.hand_rules)
        return settle.Round(self.variant.profile, tuple(hands), bank, tuple(sides), chosen)


def _holder_first(played):  # noqa: ANN001, ANN202 - tests are not typed that far
    return sorted(played.bets, key=lambda bet: bet.bettor != played.holder)


@pytest.mark.parametrize("name", VARIANTS)  # without the metal box, whose cards no reader sees
def test_every_settled_round_is_what_the_law_says(name: str) -> None:
    evening = Evening(name, 1)
    for _ in range(ROUNDS):
        evening.round()
    assert evening.done["stand done"] > 0
