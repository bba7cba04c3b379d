"""A table of many sessions, hands, money and jackpot followed, in virtual time: nothing grows with the play.

By day a dozen rounds; `make night` sets SABOT_SOAK_ROUNDS. Between two sessions the controller's memory and the bytes
that a start would read are measured. Every bound is the first session's value plus a constant.
"""

import os
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.config.model import Tracks
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.round_log import NO_LOG
from controller.core.house.state import State
from controller.core.words import RoundPhase, SessionPhase
from controller.daemon.language_views import LanguageViews
from controller.journal.codec import encode_canonical
from controller.journal.storage import DirectoryStorage
from controller.panel.history import History
from controller.runtime.boot import inspect_journal
from controller.runtime.checkpoint import encode_checkpoint
from controller.screen.surroundings import Surroundings
from simulators.world.games import world_game
from simulators.world.installation import SIGNER
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.result import End
from simulators.world.world import make_world
from tests.reachable import held_bytes

BY_DAY: Final = 12
ROUNDS: Final = int(os.environ.get("SABOT_SOAK_ROUNDS", BY_DAY))
SESSION: Final = min(500, ROUNDS // 4)
"""Rounds of a session: an evening."""

OTHER_ROUNDS: Final = max(12, ROUNDS // 100)
"""Rounds at a table of another profile."""

SEED: Final = 1  # a table with a jackpot and with slots
LOOKED_AT_EVERY: Final = 40  # entries

STATE_BYTES: Final = 4_000  # cards, bets and the last movements of the pool: their number differs by round
ROUND_BYTES: Final = 8_000  # the cards, hands and bets of a round with many players
LOG_BYTES: Final = 40_000  # of one long round, with the state before it; it ends with the round
READ_BYTES: Final = 200_000 + 5_000 * SESSION  # one more segment, and more cards in as many rounds
DUTY_BYTES: Final = 120  # a damaged card still to be reported, which people do between two sessions
BOUNDS: Final[dict[str, float]] = {
    "descriptors": 4,
    "threads": 0,
    "state": STATE_BYTES,
    "checkpoint": STATE_BYTES,
    "held": 16_000,  # some states more, since other screens may show another one
    "read": READ_BYTES,
    "start_s": 2.0,
}
"""The permitted increase of each value after the first session."""

NOT_COUNTED: Final = ("simulators", "tests", "msgspec", "controller.journal.seals")
"""Decoders are made once each, when they are first needed; the seals have a bound and a test of their own."""


class Forgetful(dict[object, object]):
    """A dictionary that keeps nothing, since a world's data for its oracles would grow with the play."""

    def __setitem__(self, _key: object, _value: object) -> None:
        return


class CountedStorage(DirectoryStorage):
    """Counts the bytes that a start reads."""

    read_bytes = 0

    def read(self, name: str) -> bytes:
        data = super().read(name)
        self.read_bytes += len(data)
        return data


@dataclass(frozen=True, slots=True)
class Between:
    """The state between two sessions. `read`, `start_s`: bytes of the journal that a start reads, and its seconds."""

    descriptors: int
    threads: int
    state: int
    checkpoint: int
    held: int
    read: int
    start_s: float


class Soak:
    """One table, on a journal in a directory, with its screens."""

    def __init__(self, storage: CountedStorage) -> None:
        sessions = ROUNDS // SESSION
        self.world = make_world(WorldPlan(SEED, ROUNDS + 10 * sessions, tracks=Tracks.HANDS, decks=1))
        self.world.crew.plan = replace(self.world.crew.plan, rounds=SESSION, sessions=sessions)
        self.world.heads, self.world.witness.seen = Forgetful(), Forgetful()
        self.world.on_durable = self.durable
        self.storage = self.world.host.disk.storage = storage
        self.between: list[Between] = []
        self.in_play: list[int] = []  # bytes of the state between two rounds, without duties
        self.most_descriptors = 0
        self.views: LanguageViews | None = None
        self.history = History()

    def durable(self, seq: int, state: BlackjackState, waiting: int) -> None:
        house, game = state.house, state.game
        if seq % LOOKED_AT_EVERY == 0:
            self.look()
            self.most_descriptors = max(self.most_descriptors, descriptors())
        if waiting:
            return
        if house.session is SessionPhase.IN_PLAY and game.phase is RoundPhase.IDLE and game.number:
            self.in_play.append(state_bytes(state))
        if house.session is SessionPhase.CLOSED and house.session_number > len(self.between):
            self.between.append(self.measure())

    def look(self) -> None:
        """Makes every screen of the table show the present state."""
        run, now_s = self.world.host.run, self.world.clock.now_s
        assert run is not None
        if self.views is None:
            self.views = LanguageViews(run.runtime, Language.EN, Surroundings())
        noticed, run.runtime.notices = run.runtime.notices, []
        self.views.keep(noticed)
        for language in Language:
            view = self.views.of(language.value)
            status = self.views.status(view, now_s)
            self.views.acts(view)
            self.history.take(now_s, status.devices)
            self.history.pool.take(now_s, status.jackpot)

    def measure(self) -> Between:
        run, storage = self.world.host.run, self.storage
        assert run is not None
        folded, head = run.runtime.checkpoint(), run.runtime.head
        assert folded.state is not None
        storage.read_bytes, began_s = 0, time.process_time()
        looked = inspect_journal(storage, key=SIGNER.public_key)
        start_s = time.process_time() - began_s
        assert (looked.folded.state, looked.recovery.head) == (folded.state, head)
        return Between(
            descriptors=descriptors(),
            threads=threading.active_count(),
            state=state_bytes(folded.state),
            checkpoint=len(encode_checkpoint(folded, head, SIGNER)) - duty_bytes(folded.state),
            held=held_bytes((run.runtime, run.gate, self.views), without=NOT_COUNTED).total(),
            read=storage.read_bytes,
            start_s=start_s,
        )


def state_bytes(state: State) -> int:
    """Returns the bytes of the state without the round's log and the duties, which have bounds of their own."""
    return len(encode_canonical(state)) - log_bytes(state) - duty_bytes(state)


def log_bytes(state: State) -> int:
    return len(encode_canonical(state.log)) - len(encode_canonical(NO_LOG))


def duty_bytes(state: State) -> int:
    return DUTY_BYTES * len(state.house.duties)


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - only their number


@pytest.fixture
def soak(tmp_path: Path) -> Iterator[Soak]:
    """Plays a soak to its end, yields it, and deletes its files, which by night have some gigabytes."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "fdatasync", lambda _descriptor: None)  # its power is never cut
        with CountedStorage(tmp_path / "journal") as storage:
            soak = Soak(storage)
            assert run_to_end(soak.world) == (End.CLOSED, [])
            yield soak
    shutil.rmtree(tmp_path / "journal")


@pytest.mark.first
def test_nothing_grows_with_what_was_played(soak: Soak) -> None:
    """A start reads only the last session, however many there were."""
    assert len(soak.between) == ROUNDS // SESSION
    assert len(soak.in_play) >= ROUNDS
    assert sum(file.size for file in soak.storage.list()) > 2 * soak.between[-1].read
    first = soak.between[0]
    grown = {name: max(getattr(one, name) for one in soak.between) - getattr(first, name) for name in BOUNDS}
    grown["state_in_play"] = max(soak.in_play) - soak.in_play[0]
    grown["descriptors"] = soak.most_descriptors - first.descriptors
    assert {name: more for name, more in grown.items() if more > BOUNDS.get(name, STATE_BYTES)} == {}


@pytest.mark.first
@pytest.mark.parametrize(
    ("profile", "tracks"),
    [("pt-roulette", Tracks.BETS), ("pt-shoe", Tracks.HANDS), ("mo-shoe", Tracks.HANDS), ("mo-box", Tracks.CARDS)],
)
def test_the_state_of_other_tables_stays_as_large(profile: str, tracks: Tracks) -> None:
    world = world_game(profile).make(WorldPlan(SEED, OTHER_ROUNDS, tracks=tracks, profile=profile))
    sizes, logs = list[int](), list[int]()
    durable = world.host.on_durable

    def measure(seq: int) -> None:
        durable(seq)
        ledger = world.host.run.runtime.ledger if world.host.run is not None else None
        if ledger is not None and ledger.durable.game.number and seq % LOOKED_AT_EVERY == 0:
            sizes.append(state_bytes(ledger.durable))
            logs.append(log_bytes(ledger.durable))

    world.host.on_durable = measure
    assert run_to_end(world) == (End.CLOSED, [])
    assert max(sizes) - sizes[0] <= ROUND_BYTES
    assert 0 < max(logs) <= LOG_BYTES
    assert world.witness.rounds >= OTHER_ROUNDS
