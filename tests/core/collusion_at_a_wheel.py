"""The honest evening of a wheel with followed bets, and its truth: the ball's resting place, and the bets by then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.core.engine.replacing import replace
from controller.core.games.roulette.cloth import LAST
from controller.core.games.roulette.paying import group_to_pay
from controller.core.games.roulette.payments import settle
from controller.core.games.roulette.stakes import Stake
from controller.core.house.holds import holds_of
from controller.core.house.waiting import Waiting
from controller.core.words import Cents, HoldKind, RoundPhase
from controller.scenario.table import make_table
from controller.scenario.wheel_player import WheelPlayer
from controller.scenario.words import vocabulary_of
from tests.core.collusion import BETS, OVER, Table

_TWO_FROM: Final = Cents(20_000)
_TROUBLE: Final = 0.3
_OF_CHIPS: Final = {"exchange-chips": 1, "exchange-late-chips": 1, "give-colour": 2}
"""Acts on chips, and the number of their values that name a player or a colour."""
_SILENT: Final = 0.1
STEPS: Final = vocabulary_of("pt-roulette").steps


@dataclass
class WheelTable(Table):
    player: WheelPlayer = field(kw_only=True)
    number: int | None = None  # the ball's resting place
    laid: tuple[Stake, ...] | None = None  # at the end of bets
    half_cents: int = 0  # the bank's win before this spin

    # --- the truth

    def begun(self) -> None:
        self.number, self.laid, self.hands_in_it = None, None, set()
        self.half_cents = self.player.state.takings.half_cents

    def lie(self) -> object:
        state = self.player.state
        if self.laid is None or state.game.phase not in {RoundPhase.NO_MORE_BETS, RoundPhase.PAYING}:
            return None
        lies = state.stakes if state.game.settled is None else state.game.laid
        said = (state.game.result, tuple(sorted(lies, key=str)))
        true = (self.number, tuple(sorted(self.laid, key=str)))
        return None if said[0] in {None, true[0]} and said[1] == true[1] else said

    def money(self) -> Mapping[str, object]:
        state = self.player.state
        game, is_paying = state.game, state.game.phase is RoundPhase.PAYING
        return {
            "laid": OVER if is_paying else state.stakes,
            "lying": game.laid if is_paying else OVER,
            "result": OVER if game.result is None else game.result,
            "takings": state.takings.half_cents,
            "exchanged": state.exchanged,
            "voided": state.house.tally.voided,
        }

    def has_moved(self, before: Mapping[str, object], lie: object, *, completes: bool) -> bool:
        state, after = self.player.state, self.money()
        if after["voided"] != before["voided"]:
            return self.laid is not None or not state.setup.has_wheel
        changed = state.exchanged if after["exchanged"] != before["exchanged"] else None
        is_much = changed is not None and changed.amount >= _TWO_FROM and not completes
        is_open = state.game.phase is RoundPhase.NO_MORE_BETS  # a contested spin is settled by no number yet
        return is_much or (not is_open and after["takings"] != before["takings"] and self._won() != self._should())

    def _won(self) -> int:
        return self.player.state.takings.half_cents - self.half_cents

    def _should(self) -> int | None:
        if self.number is None or self.laid is None:
            return None
        return int(2 * settle(self.laid, self.number, self.player.state.rules).house)

    def seen_for(self, one: Waiting) -> object:
        """The player of an act on chips, or whoever has the colour, with bets and prizes; of others all but chips."""
        state = self.player.state
        around = state.house.session, [(hold.id, hold.details) for hold in state.house.holds]
        if one.act not in _OF_CHIPS:
            money = {part: value for part, value in self.money().items() if part != "exchanged"}
            return money, self.lie(), state.game.phase, state.game.number, around
        said = set(one.values[: _OF_CHIPS[one.act]])
        whose = [(who.number, who.colour, who.value) for who in state.players if {str(who.number), who.colour} & said]
        prizes = () if state.game.settled is None else state.game.settled.prizes
        his = [each for each in (*state.stakes, *prizes) if str(each.player) in said]
        return whose, his if one.act == "exchange-chips" else None, around

    def is_so(self, act: str, values: Mapping[str, str]) -> bool:
        if act == "rule-on-spin":
            return values.get("outcome") == "number-stands" and values.get("number") == str(self.number)
        return act == "pay-prizes" and self.lie() is None

    # --- the others' evening

    def go_on(self) -> None:
        self.agree_to_what_is_so()
        state = self.player.state
        if holds_of(state, HoldKind.IRREGULAR_SPIN):
            for name in self.honest("chief"):
                told = {} if self.number is None else {"number": str(self.number)}
                self.say(name, "rule-on-spin", outcome="number-stands" if told else "goes-on", **told)
        if holds_of(state, HoldKind.MOVED_CHIPS) and self.random.random() < _TROUBLE:
            self.say("chief", "rebuild-markings", by="recorded")
        match state.game.phase:
            case RoundPhase.IDLE | RoundPhase.NULL_SPIN:
                self.open()
            case RoundPhase.SPINNING:
                self.close()
            case RoundPhase.NO_MORE_BETS:
                self.rest()
            case RoundPhase.PAYING:
                group = group_to_pay(state)
                act, values = ("confirm-payments", {}) if group is None else ("pay-prizes", {"group": group.value})
                self.say("dealer", act, **values)
            case _:
                pass

    def open(self) -> None:
        last = self.player.state.wheel.last_number
        self.say("dealer", "put-ball-back", number=str(last))
        for player in ("1", "2"):
            self.say("dealer", "give-colour", player=player, colour=("red", "blue")[player == "2"], value="5")
            self.say("dealer", "confirm-value", player=player)
            bet = self.random.choice(BETS)
            self.say("dealer", "place-chips", player=player, bet=bet, chips=self.random.choice(("2", "5")))
        if self.player.state.setup.has_wheel:
            if not self.player.state.wheel.is_heard:
                STEPS["wheel-back"].do(self.player, ())
            STEPS["launched"].do(self.player, ())
            self.begun()
        else:
            self.say("dealer", "launch-ball", clockwise="yes") or self.say("dealer", "launch-ball", clockwise="no")

    def close(self) -> None:
        """Ends the bets as the ball loses speed.

        Now and then the line falls silent, and people see the ball at rest.
        """
        if self.number is not None:
            return
        if self.player.state.setup.has_wheel and self.random.random() < _SILENT:
            STEPS["wheel-lost"].do(self.player, ())
            self.laid, self.number = self.player.state.stakes, self.random.randrange(LAST + 1)
        elif self.player.state.setup.has_wheel:
            STEPS["slows"].do(self.player, ())
        else:
            self.say("dealer", "announce-nothing-more")
        self.closed()

    def closed(self) -> None:
        if self.laid is None and self.player.state.game.phase is RoundPhase.NO_MORE_BETS:
            self.laid = self.player.state.stakes

    def rest(self) -> None:
        self.closed()
        state = self.player.state
        if self.number is None:
            self.number = self.random.randrange(LAST + 1)
            is_told = self.random.random() > _TROUBLE
            words = (str(self.number),) if is_told else ("none", "spin-without-number")
            if state.setup.has_wheel:
                STEPS["rests"].do(self.player, words)
            return
        self.say("dealer", "announce-number", number=str(self.number))


def wheel_table(gang: tuple[str, str], seed: int, *, wheel: bool = True) -> WheelTable:
    """Makes a wheel in play, with bets followed; from 200.00 on two people pay and change."""
    settings = [("minimum_bet", "5"), ("maximum_bet", "150"), ("tracks", "bets"), ("wheel", "yes" if wheel else "no")]
    setup = make_table("pt-roulette", settings).setup
    figures = replace(setup.parameters, second_person_payment_cents=_TWO_FROM)
    player = WheelPlayer(replace(setup, parameters=figures))
    player.start()
    STEPS["in-play"].do(player, ())
    return WheelTable(seed, gang, player=player)
