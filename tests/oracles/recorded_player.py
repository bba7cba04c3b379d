"""A written scenario's table whose every event is written as the production code would write its entry."""

from controller.core.engine.replacing import replace
from controller.core.games.blackjack import all_acts as a
from controller.core.games.blackjack import all_facts as e
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.pool import moves_between
from controller.core.setup import Setup
from controller.core.words import Device, TableMs
from controller.runtime.clock import WallTime
from controller.runtime.entries import Stamp, encode_recorded, entry_refusal
from controller.runtime.game import game_of
from controller.scenario.player import Player
from simulators.oracles.export_reader import Export, read_export
from simulators.oracles.sightings import Sighting
from tests.oracles.lines import export_of
from tests.oracles.recorded import OF_READER, sighting_of

_OF_SHOE = (*OF_READER, e.ReaderNoted, e.ReaderRestarted, e.CardReversed, e.PresetChanged)


class RecordedPlayer(Player):
    """`sightings` are what a status would show after each entry."""

    last: "RecordedPlayer | None" = None
    """The one that was made last: `play` makes its player itself."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.payloads: list[bytes] = []
        self.states: dict[int, BlackjackState] = {}
        self._boot = self._deciding = self.last_ms = 0
        RecordedPlayer.last = self

    def put(self, event: e.Fact | a.Act) -> None:
        self._boot += isinstance(event, e.ControllerStarted)
        seq = self._deciding = len(self.payloads) + 1
        self.payloads.append(b"")
        self.last_ms, before = self.now_ms, self.state.house.pool
        super().put(event)
        moves = moves_between(before, self.states.get(seq, self.state).house.pool)
        if len(self.payloads) == seq:
            self.states.setdefault(seq, self.state)
        refusal = self.refusal if isinstance(event, a.Act) else None
        if refusal is not None and isinstance(event, a.TURNINGS):
            event = replace(event, salt=None)  # what the seal says stays there
        stamp = Stamp(self._boot, 1000 + self.now_ms / 1000, WallTime(self.now_ms, True), TableMs(self.now_ms))
        said = entry_refusal("pt-csm", refusal)
        self.payloads[seq - 1] = encode_recorded(
            game_of("pt-csm").codec, event, seq, stamp, device=_device_of(event), refusal=said, moves=moves
        )

    def _obey(self) -> None:
        """The device obeys while its event is still being decided: what a status shows is looked at before."""
        self.states[self._deciding] = self.state
        super()._obey()

    @property
    def sightings(self) -> list[Sighting]:
        return [sighting_of(seq, state) for seq, state in sorted(self.states.items())]

    def export(self) -> Export:
        return read_export(export_of(self.payloads))


def _device_of(event: e.Fact | a.Act) -> Device | None:
    if isinstance(event, _OF_SHOE):
        return Device.SHOE
    if isinstance(event, e.DeviceStarted):
        return event.device
    return Device.SHUFFLER if isinstance(getattr(event, "source", None), e.Source) else None
