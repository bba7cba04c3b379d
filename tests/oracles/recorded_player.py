"""Plays a written scenario, and records each event as an entry in the production code's form."""

from dataclasses import replace as exchanged

import pytest

from controller.config.profile import GameName
from controller.core.custody.reader import (
    CardRead,
    CardReversed,
    PresetChanged,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ReaderNoted,
    ReaderRestarted,
)
from controller.core.custody.turning import TURNINGS
from controller.core.engine.act import Act, Fact, Source
from controller.core.engine.replacing import replace
from controller.core.house.facts import ControllerStarted, DeviceStarted
from controller.core.house.pool import Pool, moves_between
from controller.core.setup import Setup
from controller.core.words import Device, TableMs
from controller.runtime.clock import WallTime
from controller.runtime.entries import Stamp, encode_recorded, entry_refusal
from controller.runtime.game import game_of
from controller.scenario.play import play
from controller.scenario.player import Player
from controller.scenario.text import Scenario, read_scenarios
from controller.scenario.words import VOCABULARIES
from simulators.oracles.export_reader import Export, read_export
from tests.oracles.lines import export_of

_OF_SHOE = (
    *(CardRead, ReaderErrorRaised, ReaderErrorCleared),
    *(ReaderNoted, ReaderRestarted, CardReversed, PresetChanged),
)


class RecordedPlayer(Player):
    """A scenario's player that keeps in `payloads` the payload of each entry so far."""

    last: "RecordedPlayer | None" = None
    """The player made last; `play` makes its player itself, so that a caller finds it only here."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.payloads: list[bytes] = []
        self._pools: dict[int, Pool | None] = {}  # by event that devices obey: the pool before they do
        self._boot = self._deciding = 0
        RecordedPlayer.last = self

    def put(self, event: Fact | Act) -> None:
        self._boot += isinstance(event, ControllerStarted)
        seq = self._deciding = len(self.payloads) + 1
        self.payloads.append(b"")
        now_ms, before = self.now_ms, self.state.house.pool
        super().put(event)
        moves = moves_between(before, self._pools.pop(seq, self.state.house.pool))
        refusal = self.refusal if isinstance(event, Act) else None
        if refusal is not None and isinstance(event, TURNINGS):
            event = replace(event, salt=None)  # the seal's text stays there
        stamp = Stamp(self._boot, 1000 + now_ms / 1000, WallTime(now_ms, True), TableMs(now_ms))
        said = None if refusal is None else entry_refusal("pt-csm", refusal)
        self.payloads[seq - 1] = encode_recorded(
            game_of("pt-csm").codec, event, seq, stamp, _device_of(event), refusal=said, moves=moves
        )

    def _obey(self) -> None:
        """Makes the device obey while the event that commands it is still being decided."""
        self._pools[self._deciding] = self.state.house.pool
        super()._obey()

    def export(self) -> Export:
        return read_export(export_of(self.payloads))


def _device_of(event: Fact | Act) -> Device | None:
    if isinstance(event, _OF_SHOE):
        return Device.SHOE
    if isinstance(event, DeviceStarted):
        return event.device
    return Device.SHUFFLER if isinstance(getattr(event, "source", None), Source) else None


def recorded(scenario: Scenario) -> RecordedPlayer | None:
    """Plays this scenario to its end, and returns its recorded table; None for a scenario of another game."""
    RecordedPlayer.last = None
    cards = VOCABULARIES[GameName.BLACKJACK]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(VOCABULARIES, GameName.BLACKJACK, exchanged(cards, player=RecordedPlayer))
        assert play(scenario).failure is None
    return RecordedPlayer.last


def recorded_text(text: str) -> RecordedPlayer:
    """Plays the one scenario of these lines, and returns its recorded table."""
    table = recorded(read_scenarios(f"scenario X a table\n{text}\n")[0][0])
    assert table is not None
    return table
