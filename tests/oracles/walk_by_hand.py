"""A seeded walk at a table without a shuffler, with a shoe's reader or without any device, of whatever profile."""

from random import Random

from controller.core.custody.desired import of_shoe
from controller.core.custody.game import next_owed
from controller.core.custody.mixing import cut_is_offered_to
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import all_acts as a
from controller.core.games.blackjack import all_facts as e
from controller.core.games.blackjack.table import ACTS, next_deadline, permitted
from controller.core.setup import Setup
from controller.core.words import Device
from controller.scenario.table import make_table
from tests.core.table import ROLES
from tests.oracles.recorded_player import RecordedPlayer
from tests.oracles.walk import WEIGHTS, Walk

OFTEN = {
    **WEIGHTS,
    "state-players": 0.5,
    "refuse-cut": 0.5,
    "abandon-opening": 0.05,
    "spread-cards": 0.1,
    "gather-cards": 0.2,
    "retract-card": 0.3,
    "call-for-count": 0.05,
    "report-warning-card": 0.3,
    "report-damaged-card": 0.1,
    "confirm-card-dealt": 12.0,
    "turn-card": 8.0,
    "rename-card": 0.3,
    "take-bets": 8.0,
    "attend-hold": 1.5,
    "state-whole-count": 2.0,
    "state-count": 2.0,
    "fill-shoe": 30.0,
    "confirm-cut": 20.0,
    "confirm-mixing": 20.0,
    "announce-no-more-bets": 20.0,
    "confirm-settled": 3.0,
}


def table_of(profile: str, **otherwise: str) -> Setup:
    """One deck, and rounds of few cards: fillings are over soon."""
    setup = make_table(profile, [("decks", "1"), *otherwise.items()]).setup
    return replace(setup, decks=1, parameters=replace(setup.parameters, reserve_cards_per_hand=2))


SEALS_LOST_ONE_IN = 16  # entries: a card that is turned then


class HandWalk(Walk):
    """People and the reader of a shoe; where there is none people say what was dealt."""

    table: RecordedPlayer  # type: ignore[assignment]

    def __init__(self, seed: int, setup: Setup, *, faults: float) -> None:
        self.random, self.faults = Random(seed), faults  # noqa: S311
        self.table = RecordedPlayer(setup)
        self.table.start()

    def go(self, steps: int) -> RecordedPlayer:
        for _ in range(steps):
            self._wait(self.random.choice((0, 0, 5, 50, 400, 1500, 20_000)))
            if self.random.random() < self.faults:
                self.random.choice(HAND_FAULTS)(self)
            else:
                self.random.choices((self._device, self._allowed, self._any_act), (4, 6, 1))[0]()
        return self.table

    def _wait(self, ms: int) -> None:
        end = self.table.now_ms + ms
        while (due := next_deadline(self.table.state)) is not None and due[0] <= end:
            self.table.now_ms = max(self.table.now_ms, due[0])
            self.table.put(e.TimerFired(due[1]))
        self.table.now_ms = end

    def _device(self) -> None:
        """The shoe gives the card that is owed, as long as it is not locked."""
        table = self.table
        for _ in range(self.random.choice((1, 2, 5))):
            is_there = table.state.setup.has_reader and table.state.devices.reader.link.connected
            if not is_there or of_shoe(table.state).locked or next_owed(table.state) is None:
                return
            table.read(None if self.random.random() < 0.03 else self._face())

    def _allowed(self) -> None:
        allowed = [one for one in permitted(self.table.state) if one.refusal is None]
        chosen = self.random.choices(allowed, [OFTEN.get(one.act, 4.0) for one in allowed])[0]
        people = [person for person, role in ROLES.items() if role in chosen.who]
        if people:
            self._act(ACTS[chosen.act], self.random.choice(people), sensible=True)

    def _sealed(self, act: a.Act) -> a.Act:
        if not isinstance(act, a.TURNINGS) or len(self.table.payloads) % SEALS_LOST_ONE_IN == 0:
            return act
        sealed = self.table._unsealed(replace(act, card=None))
        return act if sealed.salt is None else sealed

    def _value(self, kind: type[a.Act], name: str, *, sensible: bool) -> object:
        state, pick = self.table.state, self.random.choice
        if sensible and kind in {a.RefuseCut, a.ConfirmCut}:
            return pick((cut_is_offered_to(state) or 0, *(state.custody.shoe_game.players or ())))
        if sensible and kind is a.ShuffleDeck:
            return {"deck": 1, "passes": 3}[name]
        if sensible and kind is a.StatePlayers:
            return pick(((), (1,), (2, 4)))
        if sensible and kind is a.ConfirmCount:
            return (52,)
        if sensible and kind is a.PlaceWarningCard:
            return pick((None, 20, 30))
        if sensible and kind is a.TakeBets:
            return pick(((1,), (1, 3)))
        if sensible and kind in {a.TurnCard, a.DrawCard}:
            place = {"seat": pick((0, 1, 1, 3)), "position": pick((1, 2))}
            return place.get(name, self._face() if name == "card" else None)
        if sensible and kind is a.TurnHoleCard:
            return self._face() if name == "card" else None
        if kind in {a.StateCount, a.StateWholeCount}:
            return self._as_booked(name) if sensible else pick((0, 1, 2))
        return super()._value(kind, name, sensible=sensible)

    def _as_booked(self, name: str) -> int:
        """What people find is what the book says, but for what it lacks, which lies in the rack."""
        book = self.table.state.custody.book
        found = {place: getattr(book, place) for place in ("inside", "rack", "table", "burnt", "in_hand", "outside")}
        found["rack"] += book.pending + self.table.state.setup.cards - book.total
        return max(0, found.get(name, 0))

    # ---- faults

    def stray(self) -> None:
        if self.table.state.setup.has_reader:
            self.table.read(self._face())

    def warning(self) -> None:
        if self.table.state.setup.has_reader:
            self.table.warning_card()

    def gone(self) -> None:
        self.table.put(e.DeviceLost(Device.SHOE, "port-lost"))

    def here(self) -> None:
        if self.table.state.setup.has_reader:
            self.table.connect(Device.SHOE)

    def restarted(self) -> None:
        """Table time stood still while no controller ran."""
        self.table.now_ms = self.table.last_ms
        self.table.start()

    def ahead(self) -> None:
        if self.table.state.setup.has_reader:
            self.table.put(
                e.ReaderStatusHeard((self.table.state.devices.reader.passages or 0) + self.random.choice((0, 1)))
            )

    def unseen(self) -> None:
        self.table.put(e.CardsMayHavePassed(Device.SHOE, "restart", None))

    def disk(self) -> None:
        failing = self.table.state.house.journal_failed
        self.table.put(e.JournalRestored() if failing else e.JournalFailed("disk full"))


HAND_FAULTS = (
    HandWalk.stray,
    HandWalk.warning,
    HandWalk.warning,
    HandWalk.gone,
    HandWalk.here,
    HandWalk.here,
    HandWalk.restarted,
    HandWalk.ahead,
    HandWalk.unseen,
    HandWalk.disk,
)
