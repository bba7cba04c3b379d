"""The options of a demo, and the pace of people and machine that follows from them."""

from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.config.model import Tracks
from controller.config.profile import USUAL_PROFILE
from controller.core.jackpot_rules import Marking
from controller.core.words import Device, Role
from controller.panel.settings import PRACTICE
from simulators.demo.incidents import Kind
from simulators.demo.killer import KillPlace
from simulators.device_kinds import KINDS, Firmware
from simulators.devices.shuffler_firmware import FAST_PACE, ShufflerPace
from simulators.kit import devices_of
from simulators.people.stack import CHANCE, Stack

SHOES: Final = tuple(KINDS[Device.SHOE].wires)
DISPLAYS: Final = tuple(KINDS[Device.JACKPOT_DISPLAY].wires)

NO_PAUSE: Final = ShufflerPace(feed_s=0.008, present_s=0.002, unload_s=0.008, retry_s=0.02, recount_s=0.05)
"""Mechanisms without pauses: a card takes only the time of its report on the wire."""


class Tempo(Struct, frozen=True):
    """The durations of people's deeds in seconds, long enough to read along if a person watches the demo."""

    machine: ShufflerPace
    touch_s: float  # after a card is drawn
    opening_s: float  # after an act before the table is in play
    act_s: float  # after any later act
    walk_s: float  # the time until the scripted supervisor reaches the table for a hold
    look_s: float  # between two looks without a deed


_LOADS_AT_ONCE: Final = replace(FAST_PACE, feed_s=NO_PAUSE.feed_s)
FOR_EYES: Final = Tempo(_LOADS_AT_ONCE, touch_s=0.5, opening_s=0.2, act_s=0.8, walk_s=20.0, look_s=0.05)
NO_PAUSES: Final = Tempo(NO_PAUSE, touch_s=0.0, opening_s=0.0, act_s=0.0, walk_s=0.0, look_s=0.02)

A_CARD_TAKES_S: Final = {"angel-eye": 0.065}
"""The time that a reader's report of a card takes: three copies at 4800 baud, sometimes with a result of its game."""

ROUNDS_A_SESSION: Final = 25


class DemoOptions(Struct, frozen=True):
    """The options of one demo. `rounds`: the number of rounds of the only session; None if one session follows another
    until the demo is stopped.
    """

    rounds: int | None = None
    seed: int = 0
    profile: str = USUAL_PROFILE
    tracks: Tracks = Tracks.CARDS
    jackpot: Marking | None = None  # None: no jackpot
    as_json: bool = False
    state_dir: Path | None = None
    shoe: str = SHOES[0]
    display: str = DISPLAYS[0]
    shuffler: Firmware = Firmware.PYTHON
    kill_at: tuple[KillPlace, ...] = ()
    panel_port: int | None = None  # None: no panel
    faults: tuple[Kind, ...] = tuple(Kind)
    you: tuple[Role, ...] = ()  # the posts that are left to a visitor
    id: str = "demo"
    more: str = ""  # sections of the configuration after the demo's own
    opens: bool = True  # the visitor holds the post from the opening on; False: from the first round on
    is_practice: bool = False  # a practice: ends after its rounds or at any time, without a judgement
    stack: Stack = CHANCE  # the first cards of rounds
    stalled_s: float = 90.0  # without a change, and without a due person, after which the table counts as stuck
    haste: float = 1.0  # the factor on people's times; 0.5 takes half the time

    @property
    def table(self) -> str:
        """The table's id: the option `id`, or "PRACTICE" in a practice."""
        return PRACTICE if self.is_practice else self.id

    @property
    def protocols(self) -> dict[Device, str]:
        """The wire format of each device of the table. Only the formats of card reader and display can be chosen."""
        chosen = {Device.SHOE: self.shoe, Device.JACKPOT_DISPLAY: self.display}
        asked_for = (Device.JACKPOT_SLOTS,) if self.jackpot is Marking.AUTOMATIC else ()
        devices = devices_of(self.profile, asked_for)
        return {device: chosen.get(device, next(iter(KINDS[device].wires))) for device in devices}

    @property
    def tempo(self) -> Tempo:
        """The pace of people and machine, in seconds.

        A card reader has no buffer, so the shuffler unloads no faster than the reader can report cards.
        """
        tempo = NO_PAUSES if self.as_json else FOR_EYES
        unload_s = max(tempo.machine.unload_s, A_CARD_TAKES_S.get(self.shoe, 0.0))
        return replace(
            tempo,
            machine=replace(tempo.machine, unload_s=unload_s),
            touch_s=self.haste * tempo.touch_s,
            act_s=self.haste * tempo.act_s,
            walk_s=self.haste * tempo.walk_s,
        )

    @property
    def rounds_a_session(self) -> int:
        """The number of rounds after which a session closes."""
        return ROUNDS_A_SESSION if self.rounds is None else self.rounds

    @property
    def sessions(self) -> int | None:
        """The number of sessions; None for no limit."""
        return None if self.rounds is None else 1
