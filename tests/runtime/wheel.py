"""A second game: a wheel that spins, one act, one fact, no cards; and an evening at it through the real runtime."""

import sys
from collections.abc import Callable
from enum import StrEnum, unique
from pathlib import Path
from typing import Any, ClassVar

from controller.catalogue import Language
from controller.config.profile_file import law
from controller.core.engine.act import Act, Fact
from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.engine.replacing import replace
from controller.core.house.attendance import HOUSE_DEADLINES, PEOPLE_RULES, SignIn, SignOut
from controller.core.house.controller_facts import HOUSE_FACTS, PLAIN_STARTED
from controller.core.house.deciding import timer_rule
from controller.core.house.duties import DUTY_RULES
from controller.core.house.evidence import HOUSE_EVIDENCE_GUARDS
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold, on_hold_rules
from controller.core.house.notices import of_duties, of_holds, of_steps
from controller.core.house.plain_session import PLAIN_SESSION_RULES, EndSession, IndicateClosing, OpenSession
from controller.core.house.registry import FactRule, Registry
from controller.core.house.rule import DEALER, ActRule, unchanged
from controller.core.house.state import GameState, State, round_moved
from controller.core.setup import Setup
from controller.core.words import HoldId, Operation, Permission, Person, Role, RoundPhase, SessionPhase, TableMs
from controller.game_screen import GameScreen
from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.recovery import Tip
from controller.journal.seals import SealKey, SealStore
from controller.journal.storage import DirectoryStorage
from controller.journal.writer_logic import WriterLogic, perform
from controller.protocol.status import Status
from controller.runtime.answers import Answer, Done
from controller.runtime.boot import Binding, boot
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.clock import WallTime
from controller.runtime.game import GAMES, Game
from controller.runtime.kernel import Runtime
from controller.runtime.no_devices import NoDevices
from controller.status import StatusMaker

# --- the game


@unique
class Turn(StrEnum):
    SPUN = "spun"
    LANDED = "landed"


class Wheel(GameState, frozen=True, gc=False):
    MACHINE: ClassVar[ProcedureMachine[Any]] = ProcedureMachine(
        "wheel",
        (Row(Turn.SPUN, RoundPhase.IDLE, RoundPhase.PLAYING), Row(Turn.LANDED, RoundPhase.PLAYING, RoundPhase.IDLE)),
        initial=RoundPhase.IDLE,
    )
    pocket: int | None = None


class WheelState(State, frozen=True, gc=False):
    game: Wheel = Wheel()


class Spin(Act, frozen=True):
    pass


class BallLanded(Fact, frozen=True):
    pocket: int


def landed(state: WheelState, event: BallLanded, _at_ms: TableMs) -> WheelState:
    state = round_moved(state, Turn.LANDED)
    return replace(state, game=replace(state.game, pocket=event.pocket, number=state.game.number + 1))


SPIN = ActRule(
    "spin",
    Spin,
    DEALER,
    unchanged,
    round=Turn.SPUN,
    in_session=(SessionPhase.IN_PLAY,),
    needs=Permission.BET,
)
WHEEL = Registry(
    state=WheelState,
    initial=WheelState,
    acts=(*PEOPLE_RULES, *PLAIN_SESSION_RULES, SPIN, *on_hold_rules(HOUSE_EVIDENCE_GUARDS), *DUTY_RULES),
    facts=(
        *HOUSE_FACTS,
        PLAIN_STARTED,
        timer_rule(HOUSE_DEADLINES),
        FactRule("ball-landed", BallLanded, landed),
    ),
    deadlines=HOUSE_DEADLINES,
    watches=(),
    tells=(of_holds, of_duties, of_steps),
)
GAME = Game(WHEEL, NoDevices, GameScreen[WheelState])
PROFILE = "wheel"
SETUP = Setup("w1", PROFILE, 0, 7, False, False, True, law("pt-csm").figures, law("pt-csm").procedure)

# --- a table of it

DEALER_11 = (Person(11), Role.DEALER)
CHIEF_21 = (Person(21), Role.CHIEF_SUPERVISOR)
MANAGER_31 = (Person(31), Role.ROOM_MANAGER)


class WheelTable:
    """Runtime, journal and a disk; time stands still but where it is moved."""

    def __init__(self, journal: Path) -> None:
        GAMES[PROFILE] = lambda: GAME
        self.journal, self.now_s, self.ticket = journal, 1000.0, 0
        self.start()

    def start(self) -> None:
        """Boots a controller from the journal."""
        self.storage = DirectoryStorage(self.journal)
        booted = boot(self.storage, Binding(SETUP, "config", "rules", "0"))
        seals = SealStore(SealKey(bytes(32), created=False), self.storage, bytes)
        self.runtime = Runtime(booted.start, {}, seals, lambda: WallTime(1_700_000_000_000, True), self.now_s)
        assert booted.tip is not None
        self.writer = WriterLogic(booted.tip, segment_limit=1 << 20, checkpoint=self._checkpoint)
        self.write()

    def stop(self) -> None:
        self.runtime.stop(self.now_s)
        self.write()
        self.storage.close()

    def _checkpoint(self, at: Tip) -> bytes:
        return encode_checkpoint(self.runtime.checkpoint(), at.head)

    def write(self) -> None:
        while (batch := self.runtime.next_batch(self.now_s)) is not None:
            for step in self.writer.begin(batch):
                perform(self.storage, step)
            self.writer.succeeded()
            self.runtime.journal_durable(batch.last_seq, self.writer.durable.head, self.now_s)

    def disk_fails_once(self) -> None:
        """The next entry is not written; a second later the disk is there again."""
        self.runtime.act(0, SignIn(*CHIEF_21, Operation.HOLD), self.now_s)
        batch = self.runtime.next_batch(self.now_s)
        assert batch is not None
        self.writer.begin(batch)
        self.writer.failed()
        failed = StorageFailed("append", "00000001.segment", StorageReason.FULL, "no space")
        self.runtime.journal_failed(failed, self.now_s)
        self.now_s += 1
        self.write()
        self.runtime.answers()

    def ask(self, make: Callable[..., Act], who: tuple[Person, Role], *values: object) -> Answer:
        self.ticket += 1
        self.runtime.act(self.ticket, make(*who, *values), self.now_s)
        self.write()
        ((_, answer),) = self.runtime.answers()
        return answer

    def act(self, make: Callable[..., Act], who: tuple[Person, Role], *values: object) -> None:
        assert isinstance(answer := self.ask(make, who, *values), Done), answer

    def land(self, pocket: int) -> None:
        self.runtime._fact(BallLanded(pocket), self.now_s)
        self.write()

    def status(self) -> Status:
        return StatusMaker(self.runtime, Language.EN).status(self.now_s, [])


def play(journal: Path) -> WheelTable:
    """An evening: spins, a journal that fails and its hold, whoever comes and goes, the closing."""
    table = WheelTable(journal)
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    for pocket in (17, 0):
        table.act(Spin, DEALER_11)
        table.land(pocket)
    table.disk_fails_once()
    for make in (AttendHold, ClearHold, ConfirmHold):
        table.act(make, CHIEF_21, HoldId(1))
    table.act(IndicateClosing, DEALER_11)
    table.act(EndSession, CHIEF_21)
    table.act(SignOut, DEALER_11)
    return table


if __name__ == "__main__":
    play(Path(sys.argv[1])).status()
    print(*(name for name in sys.modules if name.startswith(("controller.core.custody", "controller.core.games"))))
