"""The honest evening of a table of cards, and its truth: the cards as they came out of the machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.core.custody.doubt import is_unread
from controller.core.custody.game import lies_face_down, may_draw, next_owed
from controller.core.custody.state import Card
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.hands import PlayedHand
from controller.core.games.blackjack.jackpot.cards import is_to_be_collected, seats_that_win
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import holds_of
from controller.core.words import HoldKind, Purpose, RoundPhase
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from tests.core.collusion import OVER, Table

_LYING: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_PLAYED: Final = (*_LYING, RoundPhase.BETTING)
_PRIZES: Final = ("1 X-X-suited 50.00", "2 A-A-suited rest")
_UNREAD: Final = 0.05


def _said(state: BlackjackState) -> dict[int, list[Card | None]]:
    """Returns the recorded cards of each seat, those already taken away included."""
    said: dict[int, list[Card | None]] = {}
    for one in state.game.dealt:
        said.setdefault(one.seat, []).append(one.card)
    for hand in state.game.stakes.hands:
        if hand.kept is not None:
            said.setdefault(hand.id.seat, []).extend(hand.kept)
    return said


def money_of(state: BlackjackState) -> Mapping[str, object]:
    """Returns the money at a table of cards that an act may change, part by part."""
    game, stakes, pool = state.game, state.game.stakes, state.house.pool
    is_followed = state.setup.hand_rules is not None
    is_open, lies = is_followed and game.phase in _PLAYED, is_followed and game.phase in _LYING
    bare = [replace(hand, bets=(), kept=None) for hand in stakes.hands]
    decided = [hand for hand in bare if hand != PlayedHand(hand.id, (), hand.holder)]
    return {
        "laid": (stakes.places, stakes.side) if is_open else OVER,
        "chips": (game.jackpot.chips, game.jackpot.marked) if is_open else OVER,
        "chosen": (decided, stakes.decided) if lies else OVER,
        "faces": {seat: sorted(map(str, cards)) for seat, cards in _said(state).items()} if lies else OVER,
        "raised": game.jackpot.raised if is_open else OVER,
        "paid": game.jackpot.paid if is_open else OVER,
        "owed": () if pool is None else pool.owed,
        "pool": None if pool is None else (pool.millionths, pool.reserve, pool.overflow),
        "takings": state.takings.bank,
        "voided": state.house.tally.voided,
    }


@dataclass
class CardTable(Table):
    player: Player = field(kw_only=True)
    truth: list[tuple[int, Card]] = field(default_factory=list)
    laid: dict[int, object] = field(default_factory=dict)  # by seat, at its first card

    # --- the truth

    def lie(self) -> object:
        at_seats: dict[int, list[Card]] = {}
        for seat, card in self.truth:
            at_seats.setdefault(seat, []).append(card)
        said = _said(self.player.state)
        if said.keys() == at_seats.keys() and all(_fit(said[seat], at_seats[seat]) for seat in said):
            return None
        return tuple(sorted((seat, *sorted(card or "-" for card in cards)) for seat, cards in said.items()))

    def money(self) -> Mapping[str, object]:
        return money_of(self.player.state)

    def has_moved(self, before: Mapping[str, object], lie: object, *, completes: bool) -> bool:
        after, act = self.money(), self.last[1]
        if act == "decide-amount":  # by less than a chip
            return False
        is_paid = OVER not in (after["paid"], before["paid"]) and after["paid"] != before["paid"]
        is_wrong = after["takings"] != before["takings"] and (lie is not None or self.has_late_bets())
        is_other = after["pool"] != before["pool"] and not is_paid and act != "collect-jackpot-bets"
        is_void = after["voided"] != before["voided"]
        return is_wrong or is_void or is_other or (is_paid and (lie is not None or not completes))

    def has_late_bets(self) -> bool:
        return any(self._laid_at(seat) != was for seat, was in self.laid.items())

    def _laid_at(self, seat: int) -> object:
        return next((one for one in self.player.state.game.stakes.places if one.seat == seat), None)

    def is_so(self, act: str, values: Mapping[str, str]) -> bool:
        return self.lie() is None and act in {"pay-jackpot", "pay-jackpot-by-hand", "confirm-settled"}

    # --- the others' evening

    def go_on(self) -> None:
        self.agree_to_what_is_so()
        state = self.player.state
        if state.game.corrected_by and self.lie() is None:
            for name in self.honest("dealer", "chief", "inspector"):
                self.say(name, "agree-corrections")
        if holds_of(state, HoldKind.RULING):
            for name in self.honest("chief", "inspector"):
                self.say(name, "make-ruling", outcome="continue")
        if holds_of(state, HoldKind.COMPLAINT):
            for name in self.honest("chief", "inspector"):
                self.say(name, "decide-complaint", upheld="no")
        if holds_of(state, HoldKind.UNREAD_CARD):
            self.name_what_lies()
        self.step()

    def step(self) -> None:
        state = self.player.state
        if may_draw(state):
            self.card()
            return
        match state.game.phase:
            case RoundPhase.IDLE:
                for seat in ("1", "2"):
                    self.say("dealer", "place-bet", seat=seat, amount=self.random.choice(("10", "20", "50")))
                    self.say("dealer", "place-jackpot-bet", seat=seat)
            case RoundPhase.BETTING:
                self.say("dealer", "announce-no-more-bets")
            case RoundPhase.DEALING if is_to_be_collected(state):
                self.say("dealer", "collect-jackpot-bets")
            case RoundPhase.PLAYING:
                self.played()
            case RoundPhase.SETTLED:
                self.say("dealer", "collect-cards")
            case RoundPhase.COLLECTED:
                self.say("dealer", "leave-in-rack")
            case _:
                pass

    def begun(self) -> None:
        self.truth, self.hands_in_it, self.laid = [], set(), {}

    def card(self) -> None:
        """Deals one card to its owed place; a colluding dealer takes some cards past the reader unread."""
        owed = next_owed(self.player.state)
        assert owed is not None
        hides = "dealer" in self.gang and self.random.random() < _UNREAD and self.player.state.setup.has_shuffler
        before = self.money(), self.lie()
        if hides:
            card = self.player.count_out()
            self.player.read(None)
        else:
            card = self.player.card_out()
        if owed.purpose is not Purpose.BURN and owed.seat is not None:
            self.truth.append((owed.seat, card))
            self.laid.setdefault(owed.seat, self._laid_at(owed.seat))
        assert self.money()["takings"] == before[0]["takings"]

    def name_what_lies(self) -> None:
        nameless = next((one for one in self.player.state.game.dealt if is_unread(one)), None)
        if nameless is None or "dealer" in self.gang:
            return
        known = [one.card for one in self.player.state.game.dealt if one.seat == nameless.seat]
        left = [card for seat, card in self.truth if seat == nameless.seat and card not in known]
        self.say("dealer", "name-card", card=left[-1])

    def played(self) -> None:
        state = self.player.state
        for seat in seats_that_win(state):
            if self.lie() is None:
                self.say("dealer", "pay-jackpot", seat=str(seat))
        table = state.table
        turn = None if table is None else table.turn
        if turn is not None:
            act = "draw-card" if self.random.random() < 0.4 else "stand"
            self.say("dealer", act, seat=str(turn.id.seat), hand=str(turn.id.index))
            return
        if any(one.purpose is Purpose.HOLE and lies_face_down(one) for one in state.game.dealt):
            hidden = [card for seat, card in self.truth if seat == 0]
            self.say("dealer", "turn-hole-card") or self.say("dealer", "turn-hole-card", card=hidden[-1])
        if not self.say("dealer", "confirm-settled"):
            self.say("dealer", "draw-card", seat="bank")


def _fit(said: list[Card | None], true: list[Card]) -> bool:
    """True where the cards agree in order, a nameless one with any; in any order once hands were taken away."""
    in_order = len(said) == len(true) and all(one in {None, card} for one, card in zip(said, true, strict=True))
    return in_order or (None not in said and sorted(map(str, said)) == sorted(true))


def card_table(profile: str, gang: tuple[str, str], seed: int) -> CardTable:
    """Makes a table in play that follows bets and, if the law has one, a jackpot that the room manager has approved."""
    limits = [("minimum_bet", "5"), ("maximum_bet", "150"), ("decks", "4")] if profile != "br" else []
    more = [("jackpot", "manual")] if profile.startswith("pt") else [("tracks", "hands")]
    more += [("last_round_voided", "yes")] if profile == "br" else []
    table = make_table(profile, [*limits, *more], _PRIZES if profile.startswith("pt") else ())
    player = Player(table.setup)
    player.start()
    if table.setup.jackpot is not None:
        player.act("manager", "approve-jackpot", {"reference": "G-1"})
    vocabulary_of(profile).steps["in-play"].do(player, ())
    return CardTable(seed, gang, player=player)
