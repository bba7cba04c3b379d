"""A seeded walk of one table through whatever can happen: mostly what is due, often what is not, faults in between."""

from random import Random

from controller.core.custody.desired import of_shuffler
from controller.core.custody.state import DECK, Card
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import all_acts as a
from controller.core.games.blackjack import all_facts as e
from controller.core.games.blackjack.hand_acts import HAND_RULES
from controller.core.games.blackjack.table import ACT_RULES, ACTS, next_deadline, permitted
from controller.core.setup import Setup
from controller.core.words import (
    Cause,
    Device,
    DutyId,
    HoldId,
    JamPlace,
    Operation,
    OutageOutcome,
    Outcome,
    Person,
    Place,
    Role,
    RoundPhase,
)
from tests.core.table import ROLES, SETUP
from tests.oracles.recorded import RecordedTable

OF_OTHER_PROFILES = {
    *("place-jackpot-bet", "withdraw-jackpot-bet", "collect-jackpot-bets", "raise-jackpot", "pay-jackpot"),
    *("pay-jackpot-by-hand", "approve-jackpot", "lay-into-jackpot", "state-jackpot", "state-sign"),
    *("record-authorisation", "replace-deck", "turn-card", "announce-last-round", "gather-cards", "spread-cards"),
    *("confirm-count", "shuffle-deck", "state-players", "refuse-cut", "confirm-cut", "fill-shoe"),
    *("place-warning-card", "report-warning-card"),
    *("decide-amount", "state-card", "confirm-card-dealt", "retract-card", "call-for-count", "state-whole-count"),
    *(rule.name for rule in HAND_RULES),
}
"""What nobody does at a table of pt-csm that follows cards alone."""

SMALL: Setup = replace(SETUP, decks=1, parameters=replace(SETUP.parameters, reserve_cards_per_hand=2))


class Walk:
    """One table and the chance that moves it."""

    def __init__(self, seed: int, *, faults: float) -> None:
        self.random = Random(seed)  # noqa: S311
        self.table = RecordedTable(SMALL)
        self.faults = faults
        self.boots = 1
        if self.random.random() < 0.9:
            self.table.open()
        else:
            self.table.connect()

    def go(self, steps: int) -> RecordedTable:
        for _ in range(steps):
            self._wait(self.random.choice((0, 0, 5, 50, 400, 1500, 20_000)))
            if self.random.random() < self.faults:
                self.random.choice(FAULTS)(self)
            else:
                self.random.choices((self._device, self._allowed, self._any_act), (3, 5, 1))[0]()
        return self.table

    def _wait(self, ms: int) -> None:
        """Time passes, and every timer fires when it is due."""
        end = self.table.now + ms
        while (due := next_deadline(self.table.state)) is not None and due[0] <= end:
            self.table.now = max(self.table.now, due[0])
            self.table.put(e.TimerFired(due[1]))
        self.table.now = end

    # ---- what is due

    def _device(self) -> None:
        """Devices do what they are told, a few times over; a reader that was late says that it has told all."""
        if self.table.state.devices.reader.missing:
            self.table.put(e.ReaderStatusHeard(self.table.state.devices.reader.passages))
        for _ in range(self.random.choice((1, 1, 5, 60))):
            wanted = of_shuffler(self.table.state)
            status = self.table.status
            if status.jammed or status.lid_open or not self.table.state.devices.shuffler.link.connected:
                return
            if wanted.unload and status.inside:
                self._out()
            elif wanted.feed_open and self.table.state.setup.cards > (status.inside or 0):
                self.table.card_in()
            elif wanted.release_after == status.cards_out and status.inside:
                self._out()
            else:
                return

    def _out(self) -> None:
        """Count and identity, in either order; now and then the reader does not see it or cannot read it."""
        which = self.random.random()
        if which < 0.2:
            self.table.read(self._face())
            self.table.count_out()
            return
        self.table.count_out()
        if which < 0.97:
            self.table.read(self._face(), readable=which < 0.95)

    def _face(self) -> Card:
        """One that may still come out of one deck; now and then another, which somebody has misread."""
        state = self.table.state
        out = {one.card for one in state.game.dealt} | {
            card for card, n in zip(DECK, state.custody.away, strict=True) if n
        }
        left = [card for card in DECK if card not in out]
        return self.random.choice(DECK if self.random.random() < 0.004 or not left else left)

    def _allowed(self) -> None:
        """An act that is allowed now, by somebody who may."""
        allowed = [one for one in permitted(self.table.state) if one.refusal is None]
        chosen = self.random.choices(allowed, [WEIGHTS.get(one.act, 4.0) for one in allowed])[0]
        role = self.random.choice(chosen.who)
        people = [person for person, of in ROLES.items() if of is role]
        if people:
            self._act(ACTS[chosen.act], people[0], sensible=True)

    def _any_act(self) -> None:
        kind = self.random.choice([act for name, act in ACTS.items() if name not in OF_OTHER_PROFILES])
        people = [p for p, role in ROLES.items() if role in rule_for_kind(kind) or self.random.random() < 0.1]
        if people:
            self._act(kind, self.random.choice(people), sensible=self.random.random() < 0.7)

    def _act(self, kind: type[a.Act], person: Person, *, sensible: bool) -> None:
        names = [name for name in kind.__struct_fields__ if name not in {"person", "role", "seal_differs"}]
        values = {name: self._value(kind, name, sensible=sensible) for name in names}
        self.table.put(self._sealed(kind(person=person, role=ROLES[person], **values)))

    def _sealed(self, act: a.Act) -> a.Act:
        """What the shell would fill in; now and then a seal is lost."""
        return act

    def _value(self, kind: type[a.Act], name: str, *, sensible: bool) -> object:
        state, pick = self.table.state, self.random.choice
        if name == "hold":
            return (
                pick([hold.id for hold in state.house.holds] or [HoldId(99)])
                if sensible
                else HoldId(pick(range(1, 12)))
            )
        if name == "duty":
            return (
                pick([duty.id for duty in state.house.duties] or [DutyId(99)])
                if sensible
                else DutyId(pick(range(1, 4)))
            )
        if name == "hand":
            return None
        if name == "replacement":
            return state.custody.damaged or DECK[0] if sensible else pick(DECK[:4])
        if kind is a.ConfirmOutage and sensible and state.house.outage_said is not None:
            return state.house.outage_said
        if kind is a.StateCount:
            return self._count(name, sensible=sensible)
        if kind is a.EnterGrid and sensible:
            return {"counts": (1,) * 52, "foreign": 0, "back": None}[name]
        if name == "card" and kind is a.RenameCard and sensible:
            return self._face()
        if kind is a.StateCardsMoved and sensible:
            return {"source": pick((Place.PENDING, Place.JAMMED)), "target": Place.RACK, "count": 1}[name]
        return pick(VALUES[name])

    def _count(self, name: str, *, sensible: bool) -> int:
        """What people would count: what is not inside was dealt, or lies in the rack, or outside before play."""
        state, status = self.table.state, self.table.status
        if not sensible:
            return self.random.choice(range(3))
        dealt = len(state.game.dealt) if state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING} else 0
        if name == "table":
            return dealt
        left = max(0, state.setup.cards - (status.inside or 0) - dealt)
        where = "outside" if state.house.session.value in {"loading", "taking-out", "unloading"} else "rack"
        return left if name == where else 0

    # ---- faults

    def stray_card(self) -> None:
        if self.table.status.inside:
            self.table.count_out()

    def stray_read(self) -> None:
        self.table.read(self._face())

    def stray_feed(self) -> None:
        self.table.card_in()

    def jam(self) -> None:
        self.table.jam(self.random.choice(list(JamPlace)), self.random.choice((0, 1, 1, 2)))

    def clear_path(self) -> None:
        self.table.clear_path()

    def lid(self) -> None:
        self.table.lid(is_open=not self.table.status.lid_open)

    def lose(self) -> None:
        self.table.put(e.DeviceLost(self.random.choice(list(Device)), "port-lost"))

    def come_back(self) -> None:
        self.table.connect(boot=self.boots)

    def reboot(self) -> None:
        self.boots += 1
        self.table.begin_boot(self.boots)

    def miss(self) -> None:
        self.table.skip_events(self.random.choice((1, 3)))

    def restart(self) -> None:
        self.table.start()
        if self.random.random() < 0.9:
            self.table.connect(boot=self.boots)

    def journal(self) -> None:
        failing = self.table.state.house.journal_failed
        self.table.put(e.JournalRestored() if failing else e.JournalFailed("disk full"))

    def miscount(self) -> None:
        """The machine's own figure of cards inside goes wrong, or right again."""
        self.table.status = replace(self.table.status, inside=max(0, (self.table.status.inside or 0) - 1))
        self.table.put(e.ShufflerStatusHeard(self.table.status))


def rule_for_kind(kind: type[a.Act]) -> tuple[Role, ...]:
    return next(rule.who for rule in ACT_RULES if rule.act is kind)


FAULTS = (
    Walk.stray_card,
    Walk.stray_read,
    Walk.stray_feed,
    Walk.jam,
    Walk.clear_path,
    Walk.clear_path,
    Walk.lid,
    Walk.lose,
    Walk.come_back,
    Walk.come_back,
    Walk.reboot,
    Walk.miss,
    Walk.restart,
    Walk.journal,
    Walk.miscount,
)

WEIGHTS = {
    "sign-out": 0.05,
    "sign-in": 1.0,
    "propose-irregular-closing": 0.05,
    "report-damaged-card": 0.3,
    "record-complaint": 0.3,
    "call-technician": 0.2,
    "indicate-closing": 0.3,
    "abandon-opening": 0.2,
    "take-out-loading": 0.3,
    "cancel-bets": 0.3,
    "draw-card": 4.0,
    "rename-card": 0.3,
    "state-cards-moved": 0.5,
    "call-for-ruling": 0.05,
    "report-misdealt": 6.0,
    "report-extra-card": 4.0,
    "collect-hand": 2.0,
    "report-face-up-card": 0.2,
    "move-card": 0.3,
}
"""How likely a person is to do this rather than another thing that is allowed."""

VALUES: dict[str, tuple[object, ...]] = {
    "back": (None, 1),
    "operation": tuple(Operation),
    "source": tuple(Place),
    "target": tuple(Place),
    "deck_set": (1, 2, 3),
    "seats": ((1,), (1, 3), (5, 2), (1, 1), (9,), ()),
    "seat": (0, 1, 1, 3, 8),
    "bettor": (None,),
    "amount": (100,),
    "round": (None, 1, 2),
    "position": (1, 2),
    "card": DECK[:4],
    "salt": (None,),
    "count": (1, 1, 2, 0),
    "reference": ("SRIJ 1", ""),
    "upheld": (True, False),
    "became": tuple(OutageOutcome),
    "cards": ((), DECK[:1]),
    "counts": ((1,) * 52, (0, 2) + (1,) * 50),
    "foreign": (0, 0, 1),
    "seen": (True, False),
    "cause": tuple(Cause),
    "outcome": tuple(Outcome),
    "deck": (1, 2, 0),
    "passes": (3, 1),
    "inside": (51, 30),
    "rack": (0, 1),
    "table": (0, 1),
    "in_hand": (0, 1),
    "outside": (0, 1),
    "behind": (None, 20, 3, 99),
    "counted": ((52,), (51,), ()),
}
