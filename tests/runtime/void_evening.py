"""An evening with a void round and an irregular closing, on the bench."""

from controller.core.custody.closing import CompleteUnloading, ConfirmIrregularClosing, ProposeIrregularClosing
from controller.core.custody.deck_check import ConfirmDeckCheck
from controller.core.custody.rulings import CallForRuling, MakeRuling
from controller.core.house.attendance import SignIn
from controller.core.words import Cause, Device, Operation, Outcome, SessionPhase
from tests.runtime.bench import CHIEF, DEALER, MANAGER, Bench


def voids(bench: Bench) -> None:
    bench.act(CallForRuling, DEALER, cause=Cause.DISPUTE)
    bench.act(MakeRuling, CHIEF, outcome=Outcome.ROUND_VOID)


def closes_irregularly(bench: Bench) -> None:
    """Closes the session because the shuffler is lost for good."""
    bench.unplug(Device.SHUFFLER)
    bench.run(6)
    bench.act(ProposeIrregularClosing, CHIEF)
    bench.act(ConfirmIrregularClosing, MANAGER)
    bench.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    bench.act(CompleteUnloading, DEALER)
    bench.act(ConfirmDeckCheck, DEALER)
    assert bench.latest.house.session is SessionPhase.CLOSED


def first_bet(bench: Bench) -> int:
    return max(entry.seq for entry in bench.entries() if entry.kind == "take-bets")


def void_evening() -> Bench:
    """Plays a table with a void round, whose session is then closed irregularly."""
    bench = Bench()
    bench.play()
    bench.deal()
    voids(bench)
    closes_irregularly(bench)
    return bench
