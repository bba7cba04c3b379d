"""An evening at a wheel through the real runtime: a journal on a disk, people, a hold, the closing."""

import sys
from collections.abc import Callable
from pathlib import Path

from controller.catalogue import Language
from controller.config.model import Tracks
from controller.config.profile_file import law
from controller.core.engine.act import Act, Fact
from controller.core.games.roulette.paying import ConfirmPayments
from controller.core.games.roulette.spins import AnnounceNumber, LaunchBall
from controller.core.games.roulette.state import RouletteState
from controller.core.games.roulette.wheel import SpinEnded, WheelHeard
from controller.core.hand_rules import BetLimits
from controller.core.house.attendance import SignIn, SignOut
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.house.plain_session import EndSession, IndicateClosing, OpenSession
from controller.core.setup import Setup
from controller.core.words import Cents, HoldId, Operation, Person, Role
from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.recovery import Tip
from controller.journal.seals import SealKey, SealStore
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryStorage
from controller.journal.writer_logic import WriterLogic, perform
from controller.protocol.status import Status
from controller.runtime.answers import Answer, Done
from controller.runtime.boot import Binding, boot
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.clock import WallTime
from controller.runtime.kernel import Runtime
from controller.screen.status import StatusMaker

PROFILE = "pt-roulette"
LAW = law(PROFILE)
RULES = LAW.wheel_rules(BetLimits(Cents(500), Cents(15_000), Cents(50)), follows_bets=False)
SETUP = Setup("w1", PROFILE, 0, 8, False, False, True, LAW.figures, LAW.procedure, wheel_rules=RULES, has_wheel=True)

SIGNER = Signer(bytes(32))

# --- a table of it

DEALER_11 = (Person(11), Role.DEALER)
CHIEF_21 = (Person(21), Role.CHIEF_SUPERVISOR)
MANAGER_31 = (Person(31), Role.ROOM_MANAGER)


class WheelTable:
    """Runtime, journal and a disk; time only moves when the test moves it."""

    def __init__(self, journal: Path, setup: Setup = SETUP) -> None:
        self.journal, self.setup, self.now_s, self.ticket = journal, setup, 1000.0, 0
        self.start()

    def start(self) -> None:
        """Boots a controller from the journal."""
        self.storage = DirectoryStorage(self.journal)
        booted = boot(self.storage, Binding(self.setup, "config", "rules", "0", SIGNER.public_key))
        seals = SealStore(SealKey(bytes(32), created=False), self.storage, bytes)
        self.runtime = Runtime(booted.start, {}, seals, self.wall, self.now_s, SIGNER.sign)
        assert booted.tip is not None
        self.writer = WriterLogic(booted.tip, segment_limit=1 << 20, checkpoint=self._checkpoint)
        self.fact(WheelHeard())

    def wall(self) -> WallTime:
        return WallTime(1_700_000_000_000 + round((self.now_s - 1000) * 1000), True)

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
        """Makes the next write of an entry fail; a second later the disk works again."""
        self.runtime.act(0, SignIn(*CHIEF_21, Operation.HOLD), self.now_s)
        batch = self.runtime.next_batch(self.now_s)
        assert batch is not None
        self.writer.begin(batch)
        self.writer.failed()
        failed = StorageFailed("append", "00000001.segment", StorageReason.FULL, "no space")
        self.runtime.journal_failed(failed, self.now_s)
        self.now_s += 1
        self.write()
        self.runtime.replies.take()

    def ask(self, make: Callable[..., Act], who: tuple[Person, Role], *values: object) -> Answer:
        self.ticket += 1
        self.runtime.act(self.ticket, make(*who, *values), self.now_s)
        self.write()
        ((_, answer),) = self.runtime.replies.take()
        return answer

    def act(self, make: Callable[..., Act], who: tuple[Person, Role], *values: object) -> None:
        assert isinstance(answer := self.ask(make, who, *values), Done), answer

    def fact(self, fact: Fact) -> None:
        self.runtime._fact(fact, self.now_s)
        self.write()

    def launch(self) -> None:
        """Launches the ball against the previous direction."""
        state = self.runtime.ledger.latest
        assert isinstance(state, RouletteState)
        self.act(LaunchBall, DEALER_11, not state.wheel.clockwise)

    def land(self, number: int) -> None:
        """Makes the wheel report the number; people announce it and make the payments."""
        self.fact(SpinEnded(1, number))
        self.act(AnnounceNumber, DEALER_11, number)
        self.act(ConfirmPayments, DEALER_11)

    def status(self) -> Status:
        return StatusMaker(self.runtime, Language.EN).status(self.now_s, [])


def play(journal: Path) -> WheelTable:
    """Plays an evening into the journal and returns the table: spins, a failing journal, its hold, the closing."""
    table = WheelTable(journal)
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    for number in (17, 0):
        table.launch()
        table.land(number)
    table.disk_fails_once()
    for make in (AttendHold, ClearHold, ConfirmHold):
        table.act(make, CHIEF_21, HoldId(1))
    table.act(IndicateClosing, DEALER_11)
    table.act(EndSession, CHIEF_21)
    table.act(SignOut, DEALER_11)
    return table


OF_CARDS = tuple(f"controller.{name}" for name in ("core.custody", "core.games.blackjack", "games.blackjack"))


if __name__ == "__main__":
    from controller.record.shown import entries_shown
    from controller.record.story import heard_with, in_words
    from simulators.world.games import world_game  # an import of this module for its tables needs no world
    from simulators.world.plan import WorldPlan

    play(Path(sys.argv[1])).status()
    for shown in entries_shown(Path(sys.argv[1])):
        in_words(shown, Language.EN), list(heard_with(shown, Language.EN))
    world_game(PROFILE).run(WorldPlan(1, 1, profile=PROFILE, tracks=Tracks.BETS))
    print(*(name for name in sys.modules if name.startswith(OF_CARDS)))
