"""The way of a card, in calls and files: from the event's bytes to the acknowledgement and the next command.

A reader follows this way when he asks what a card does. Each forwarding function, each question asked twice and each
file on it costs him, so their numbers are bounded. They are counted and not timed: the same on every machine.
"""

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest

from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.words import Device
from controller.journal.writer_logic import Batch, perform
from tests.runtime.bench import DEALER, Bench

ROOT = Path(__file__).parents[2]
OWN = tuple(f"{ROOT / folder}/" for folder in ("controller", "drivers", "firmware_protocols"))
TURNS = 3  # the event is taken; its entry is durable; nothing is left to do


def calls_of(work: Callable[[], None]) -> Counter[tuple[str, str]]:
    """Counts the calls of own functions during this work, by file and name.

    Each resumption of a generator is a call.
    """
    calls: Counter[tuple[str, str]] = Counter()

    def count(frame: FrameType, event: str, _argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(OWN):
            calls[code.co_filename.removeprefix(f"{ROOT}/"), code.co_qualname] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


def becomes_durable(bench: Bench, batch: Batch) -> None:
    assert bench.writer is not None
    for step in bench.writer.begin(batch):
        perform(bench.storage, step)
    bench.writer.succeeded()
    bench.runtime.journal_durable(batch.last_seq, bench.writer.durable.head, bench.now_s)


def taken(bench: Bench, device: Device) -> None:
    """Takes all bytes that the device has to send, until all answers are out."""
    bench.supervisors[device].receive_data(bench.peers[device].data_to_send(), bench.now_s)
    for _ in range(TURNS):
        for output in bench.runtime.step(bench.now_s):
            if isinstance(output, Batch):
                becomes_durable(bench, output)
        for supervisor in bench.supervisors.values():
            supervisor.data_to_send()


@pytest.fixture
def dealing() -> Bench:
    bench = Bench()
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1, 2, 3, 4, 5, 6, 7))
    bench.act(AnnounceNoMoreBets, DEALER)
    bench.draw("3C")
    return bench


def is_bounded(calls: Counter[tuple[str, str]], most_calls: int, most_files: int) -> None:
    files = Counter({file: 0 for file, _ in calls})
    for (file, _), times in calls.items():
        files[file] += times
    assert calls.total() <= most_calls, files.most_common()
    assert len(files) <= most_files, files.most_common()


def test_a_card_that_comes_out_takes_a_short_way(dealing: Bench) -> None:
    dealing.shuffler.card_out(dealing.now_s)
    is_bounded(calls_of(lambda: taken(dealing, Device.SHUFFLER)), 258, 45)


def test_a_card_that_is_read_takes_a_short_way(dealing: Bench) -> None:
    dealing.shuffler.card_out(dealing.now_s)
    taken(dealing, Device.SHUFFLER)
    dealing.run(0.002)
    dealing.shoe.card_passed("4C", dealing.now_s)
    is_bounded(calls_of(lambda: taken(dealing, Device.SHOE)), 277, 49)
