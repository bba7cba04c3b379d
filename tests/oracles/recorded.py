"""A table played through the real core whose every event is written as the production code would write its entry."""

from controller.core.custody.game import next_owed
from controller.core.games.blackjack import all_acts as a
from controller.core.games.blackjack import all_facts as e
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import Decision
from controller.core.setup import Setup
from controller.core.words import Device, TableMs
from controller.games.blackjack_screen import counts
from controller.runtime.clock import WallTime
from controller.runtime.entries import Stamp, encode_recorded, entry_refusal
from controller.runtime.game import game_of
from simulators.oracles.export_reader import Export, read_export
from simulators.oracles.figures import Figures
from simulators.oracles.sightings import SeenHold, Sighting
from tests.core.table import SETUP, CoreTable
from tests.oracles.lines import export_of

OF_READER = (e.CardRead, e.ReaderErrorRaised, e.ReaderErrorCleared)


class RecordedTable(CoreTable):
    """Begins with a start, as every journal does. `sightings` are what a status would show after each entry."""

    def __init__(self, setup: Setup = SETUP) -> None:
        super().__init__(setup)
        self.payloads: list[bytes] = []
        self.states: list[tuple[int, BlackjackState]] = []
        self.boot = self.last_ms = 0
        self.device_boot = 1
        self.start()

    def begin_boot(self, boot: int) -> None:
        """The shuffler has lost its power and is back."""
        self.device_boot, self.number = boot, 0
        self.connect(boot=boot)

    def skip_events(self, count: int) -> None:
        """Events of the shuffler are gone."""
        first, self.number = self.number + 1, self.number + count
        self.put(e.EventsMissed(Device.SHUFFLER, first, self.number))

    def _source(self) -> e.Source:
        self.number += 1
        return e.Source(self.device_boot, self.number)

    def start(self) -> None:
        """Table time stood still while no controller ran."""
        self.boot, self.now = self.boot + 1, self.last_ms
        self.put(e.ControllerStarted(self.boot, self.state.setup, "c", "r", "0", ()))

    def put(self, event: e.Fact | a.Act) -> Decision:
        before, seq, self.last_ms = self.state, len(self.payloads) + 1, self.now
        self.payloads.append(b"")
        self._deciding = seq
        decision = super().put(event)
        stamp = Stamp(self.boot, 1000 + self.now / 1000, WallTime(self.now, is_synced=True), TableMs(self.now))
        device = _device_of(event)
        refusal = entry_refusal("pt-csm", decision.refusal)
        payload = encode_recorded(game_of("pt-csm").codec, event, seq, stamp, device=device, refusal=refusal)
        self.payloads[seq - 1] = payload
        assert decision.refusal is None or decision.state is before
        return decision

    def _obey(self) -> None:
        """The device obeys while its event is still being decided: what a status shows is looked at before."""
        self.states.append((self._deciding, self.state))
        super()._obey()

    @property
    def sightings(self) -> list[Sighting]:
        return [sighting_of(seq, state) for seq, state in self.states]

    def export(self) -> Export:
        return read_export(export_of(self.payloads))

    def figures(self) -> Figures:
        setup, parameters = self.state.setup, self.state.setup.parameters
        return Figures(
            decks=setup.decks,
            seats=setup.seats,
            reserve_cards_per_hand=parameters.reserve_cards_per_hand,
            has_reader=setup.has_reader,
        )


def sighting_of(seq: int, state: BlackjackState) -> Sighting:
    owed = next_owed(state)
    return Sighting(
        seq=seq,
        holds=tuple(SeenHold(h.id, h.kind.value, h.device.value if h.device else None) for h in state.house.holds),
        session=state.house.session.value,
        round=state.game.phase.value,
        owed=None if owed is None else (owed.purpose.value, owed.seat),
        owed_is_known=True,
        counts=counts(state),
        duties=tuple(duty.kind.value for duty in state.house.duties),
        tally={
            "rounds": state.house.tally.rounds,
            "drawn": state.house.tally.drawn,
            "burned": state.house.tally.burned,
        },
    )


def _device_of(event: e.Fact | a.Act) -> Device | None:
    if isinstance(event, OF_READER):
        return Device.SHOE
    if isinstance(event, e.DeviceStarted):
        return event.device
    return Device.SHUFFLER if isinstance(getattr(event, "source", None), e.Source) else None
