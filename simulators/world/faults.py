"""The catalogue of what can go wrong: one row a kind, with its layer, what it does, and when it comes.

fault_plan.py draws from a seed what goes wrong in one world. A planned fault is counted only when it is met: when it
has changed bytes, time or what a device does.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum, StrEnum, auto, unique
from random import Random
from typing import Final

from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.world import fault_subjects as has
from simulators.world.fault_kinds import FaultKind


@unique
class Layer(StrEnum):
    DEVICE = "device"
    LINE = "line"
    DISK = "disk"
    COPY = "second-copy"
    MACHINE = "machine"
    PEOPLE = "people"


class Moment(Enum):
    """What the number in `PlannedFault.at` counts."""

    SECOND = auto()  # of busy time (mischief.py)
    FED = auto()  # cards that went through the feed
    DEALT = auto()  # cards that went through the mouth
    MOVED = auto()  # both
    APPLIED = auto()  # commands to a display
    ENTRY = auto()  # of the journal, durable
    LAUNCHED = auto()  # balls
    LINE = auto()  # that a wheel has sent
    CHANCE = auto()  # deeds that it could befall
    WATCHED = auto()  # deeds of the chief supervisor while cards are loaded or unloaded under his eyes


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One kind. `for_s`, `share` (of frames, or of cases) and `amount` are the ranges that are drawn from."""

    kind: FaultKind
    layer: Layer
    what: str
    moment: Moment = Moment.SECOND
    devices: tuple[Device, ...] = ()
    for_s: tuple[float, float] = (0.0, 0.0)
    share: tuple[float, float] = (0.0, 1.0)
    amount: tuple[int, int] = (1, 1)
    often: float = 1.0  # in a world of all kinds, against the others
    at: Device | None = None  # what people do it to
    when: Callable[[Procedure], bool] | None = None  # whether the procedure has what it befalls

    def finds_a_subject(self, devices: Collection[Device], procedure: Procedure) -> bool:
        """Whether at a table with these devices and this procedure there is anything that it can befall."""
        if self.when is not None and not self.when(procedure):
            return False
        befalls = self.devices if self.at is None else (self.at,)
        return not befalls or any(device in devices for device in befalls)


K, L, M = FaultKind, Layer, Moment
_SHUFFLER = (Device.SHUFFLER,)
_SHOE = (Device.SHOE,)
_DISPLAY = (Device.JACKPOT_DISPLAY,)
_SLOTS = (Device.JACKPOT_SLOTS,)
_NEEDED = (Device.SHUFFLER, Device.SHOE)
_EVENTFUL = (*_NEEDED, Device.JACKPOT_DISPLAY)
_NOTICED = (2.0, 40.0)  # where nobody notices at once, and somebody does
_ANY = (*(Device.SHUFFLER, Device.SHUFFLER, Device.SHOE, Device.SHOE), *(Device.JACKPOT_DISPLAY, Device.JACKPOT_SLOTS))

FAULTS: Final[tuple[FaultRow, ...]] = (
    FaultRow(K.JAM_AT_FEED, L.DEVICE, "cards stick at the feed, not yet counted", M.FED, _SHUFFLER, amount=(1, 2)),
    FaultRow(K.JAM_IN_CAROUSEL, L.DEVICE, "cards stick inside the carousel", M.MOVED, _SHUFFLER, amount=(1, 3)),
    FaultRow(K.JAM_AT_MOUTH, L.DEVICE, "cards stick behind the mouth, not yet out", M.DEALT, _SHUFFLER, amount=(1, 2)),
    FaultRow(K.RETRIED_FEED, L.DEVICE, "the feed frees a card by itself", M.FED, _SHUFFLER, amount=(1, 4)),
    FaultRow(K.RETRIED_DEAL, L.DEVICE, "the mouth frees a card by itself", M.DEALT, _SHUFFLER, amount=(1, 4)),
    FaultRow(K.DOUBLE_FEED_IN, L.DEVICE, "two go in at once, one or two counted", M.FED, _SHUFFLER, amount=(1, 2)),
    FaultRow(
        K.DOUBLE_FEED_OUT,
        L.DEVICE,
        "two cards come out at once, one or both counted",
        M.DEALT,
        _SHUFFLER,
        amount=(1, 2),
    ),
    FaultRow(K.MISCOUNT_IN, L.DEVICE, "a card goes in, and none or two are counted", M.FED, _SHUFFLER, often=0.5),
    FaultRow(K.MISCOUNT_OUT, L.DEVICE, "a card comes out, and none or two are counted", M.DEALT, _SHUFFLER, often=0.5),
    FaultRow(K.LID_SPRUNG, L.DEVICE, "the lid springs open by itself", M.MOVED, _SHUFFLER),
    FaultRow(K.MISREAD, L.DEVICE, "the reader cannot read a card", M.DEALT, _SHOE, often=2.0),
    FaultRow(K.WRONG_READ, L.DEVICE, "the reader takes a card for another one", M.DEALT, _SHOE),
    FaultRow(K.UNSEEN_PASSAGE, L.DEVICE, "the reader does not notice a card", M.DEALT, _SHOE),
    FaultRow(K.READER_ERROR, L.DEVICE, "the reader fails until somebody clears it", M.DEALT, _SHOE, for_s=(5.0, 40.0)),
    FaultRow(
        K.PHANTOM_READ,
        L.DEVICE,
        "the reader tells of cards that did not pass",
        M.SECOND,
        _SHOE,
        amount=(1, 3),
        often=0.5,
        when=has.a_shuffler,
    ),
    FaultRow(K.DISPLAY_STUCK, L.DEVICE, "the display keeps its old picture", M.APPLIED, _DISPLAY, for_s=(5.0, 60.0)),
    FaultRow(K.DISPLAY_FAULT, L.DEVICE, "the display reports a fault", M.APPLIED, _DISPLAY),
    FaultRow(K.SLOT_BROKEN, L.DEVICE, "the sensor of a jackpot slot fails", M.SECOND, _SLOTS, (5.0, 90.0), often=3.0),
    FaultRow(
        K.SLOT_LIES,
        L.DEVICE,
        "a jackpot slot tells of a chip that is not there, or of none that is",
        M.SECOND,
        _SLOTS,
        (5.0, 60.0),
        often=3.0,
    ),
    FaultRow(
        K.SLOT_FLICKERS,
        L.DEVICE,
        "a jackpot slot tells of a chip that comes and goes",
        M.SECOND,
        _SLOTS,
        amount=(2, 9),
        often=3.0,
    ),
    FaultRow(K.REBOOTED, L.DEVICE, "a device loses power for a moment", M.SECOND, _ANY, for_s=(0.2, 4.0)),
    FaultRow(K.REBOOTED_WITHOUT_COUNTS, L.DEVICE, "and its counts are gone", M.SECOND, _NEEDED, for_s=(0.2, 4.0)),
    FaultRow(
        K.REBOOTED_WITH_LOWER_COUNTS,
        L.DEVICE,
        "and its counts are three lower, which it does not say",
        M.SECOND,
        _NEEDED,
        for_s=(0.2, 4.0),
    ),
    FaultRow(
        K.NUMBERS_CHANGED,
        L.DEVICE,
        "what a device counts changes without a card, back or ahead",
        M.SECOND,
        _NEEDED,
        amount=(1, 900),
        often=0.5,
    ),
    FaultRow(
        K.COUNTS_BACK_IN_HOLD,
        L.DEVICE,
        "what a device counts goes back a little while the table is held",
        M.SECOND,
        _NEEDED,
        amount=(1, 3),
    ),
    FaultRow(K.BOOT_NUMBER_AGAIN, L.DEVICE, "a device starts under the number it had", M.SECOND, _NEEDED, (5.0, 30.0)),
    FaultRow(K.FLOODED, L.DEVICE, "a device tells more than it can keep", M.SECOND, _SHUFFLER, amount=(70, 300)),
    FaultRow(K.HUNG, L.DEVICE, "a device neither hears nor moves nor answers", M.SECOND, _ANY, for_s=(0.5, 8.0)),
    FaultRow(K.ANSWERS_LATE, L.DEVICE, "a device answers after up to a second and a half", M.SECOND, _ANY, (3.0, 20.0)),
    FaultRow(
        K.BUFFER_FILLED, L.DEVICE, "its buffer fills while nothing becomes durable", M.SECOND, _SHUFFLER, (7.0, 12.0)
    ),
    FaultRow(K.OTHER_SERIAL, L.DEVICE, "another device stands in its place for a while", M.SECOND, _ANY, (5.0, 30.0)),
    FaultRow(K.OTHER_VERSION, L.DEVICE, "a device says another version for a while", M.SECOND, _ANY, (5.0, 30.0)),
    FaultRow(K.LINK_LOSS, L.LINE, "frames are lost", M.SECOND, _ANY, (2.0, 20.0), (0.05, 0.6)),
    FaultRow(K.LINK_DUPLICATION, L.LINE, "frames arrive twice", M.SECOND, _ANY, (2.0, 30.0), (0.1, 1.0)),
    FaultRow(K.LINK_CORRUPTION, L.LINE, "bits turn, bytes go, noise comes", M.SECOND, _ANY, (2.0, 20.0), (0.05, 0.6)),
    FaultRow(K.LINK_DELAY, L.LINE, "frames come up to 1.5 s late", M.SECOND, _ANY, (2.0, 20.0), (0.1, 1.0)),
    FaultRow(K.LINK_CUT, L.LINE, "nothing passes", M.SECOND, _ANY, (0.1, 12.0)),
    FaultRow(K.LINK_STALL, L.LINE, "everything waits and then comes at once", M.SECOND, _ANY, (0.1, 1.8)),
    FaultRow(K.EVENTS_WITHHELD, L.LINE, "events are lost and nothing else is", M.SECOND, _EVENTFUL, (1.0, 20.0)),
    FaultRow(K.EVENTS_DENIED, L.LINE, "a device denies events it has not told", M.SECOND, _NEEDED, (1.0, 10.0)),
    FaultRow(K.OLD_FRAMES, L.LINE, "frames of an older session come, too", M.SECOND, _NEEDED, (5.0, 60.0)),
    FaultRow(K.LINK_NOISE, L.LINE, "thousands of bytes that are no frame", M.SECOND, _NEEDED, (2.0, 10.0), (0.1, 0.5)),
    FaultRow(K.CABLE_PULLED, L.LINE, "a cable is pulled; the technician puts it back", M.SECOND, _ANY, (0.5, 20.0)),
    FaultRow(K.DISK_FULL, L.DISK, "the disk is full", M.ENTRY, (), (0.5, 30.0)),
    FaultRow(K.DISK_SLOW, L.DISK, "each sync takes seconds", M.ENTRY, (), (3.0, 25.0), amount=(1, 6)),
    FaultRow(K.SYNC_FAILED, L.DISK, "syncs fail, and what they had stays", M.ENTRY, (), (0.01, 8.0)),
    FaultRow(K.SYNC_LOST_DATA, L.DISK, "syncs fail, what they had is lost and still shows", M.ENTRY, (), (0.01, 8.0)),
    FaultRow(K.TORN_WRITE, L.DISK, "power goes in the middle of a write", M.ENTRY, (), (1.0, 20.0)),
    FaultRow(K.BIT_FLIP, L.DISK, "a stored bit turns over while the power is off", M.ENTRY, (), (1.0, 10.0), often=0.3),
    FaultRow(K.COPY_SLOW, L.COPY, "the second copy's medium takes seconds", M.ENTRY, (), (3.0, 60.0), amount=(1, 9)),
    FaultRow(K.COPY_HANGS, L.COPY, "the second copy's medium does not answer", M.ENTRY, (), (5.0, 200.0)),
    FaultRow(K.COPY_FULL, L.COPY, "the second copy's medium is full", M.ENTRY, (), (1.0, 200.0)),
    FaultRow(K.COPY_TORN, L.COPY, "power goes while the second copy is written", M.ENTRY, (), (1.0, 20.0)),
    FaultRow(
        K.DAMAGE_CLOSED,
        L.DISK,
        "a bit of the last entries turns over, and two people close the damage",
        M.ENTRY,
        (),
        (1.0, 10.0),
        often=0.3,
    ),
    FaultRow(K.POWER_CUT, L.MACHINE, "the controller's machine loses power", M.ENTRY, (), (0.3, 30.0), often=2.0),
    FaultRow(K.POWER_CUT_OF_ALL, L.MACHINE, "the whole table loses power", M.ENTRY, (), (1.0, 30.0)),
    FaultRow(K.PROCESS_KILLED, L.MACHINE, "the controller's process dies", M.ENTRY, (), (0.2, 3.0), often=2.0),
    FaultRow(K.KILLED_TWICE, L.MACHINE, "it dies, and again within a second of its start", M.ENTRY, (), (0.2, 1.0)),
    FaultRow(K.WALL_CLOCK_JUMPED, L.MACHINE, "the wall clock jumps by hours or days", M.SECOND, (), amount=(-400, 400)),
    FaultRow(K.PERSON_SLOW, L.PEOPLE, "somebody takes a minute for what takes a second", M.SECOND, (), (20.0, 100.0)),
    FaultRow(K.PERSON_AWAY, L.PEOPLE, "the chief supervisor walks away", M.WATCHED, (), (181.0, 300.0)),
    FaultRow(K.WRONG_KEY, L.PEOPLE, "somebody presses a wrong key", M.SECOND, amount=(1, 4), often=2.0),
    FaultRow(K.WRONG_HOLD, L.PEOPLE, "somebody names another hold than he means", M.SECOND),
    FaultRow(K.FORGOTTEN_STEP, L.PEOPLE, "somebody leaves out a step and does the next", M.SECOND, often=2.0),
    FaultRow(K.PRESSED_TWICE, L.PEOPLE, "somebody presses the same key again", M.SECOND, often=2.0),
    FaultRow(K.WRONG_PIN, L.PEOPLE, "somebody types a wrong PIN", M.SECOND, amount=(1, 3)),
    FaultRow(K.LID_OPENED, L.PEOPLE, "somebody opens the lid", M.SECOND, at=Device.SHUFFLER),
    FaultRow(K.CARD_SLIPPED_IN, L.PEOPLE, "somebody lays a foreign card among the others", M.SECOND, often=0.4),
    FaultRow(K.CARD_TAKEN_OUT, L.PEOPLE, "somebody takes a card away", M.SECOND, often=0.4),
    FaultRow(
        K.CARD_FED_EARLY,
        L.PEOPLE,
        "cards are put into the machine while nothing is loaded",
        M.CHANCE,
        amount=(1, 2),
        at=Device.SHUFFLER,
    ),
    FaultRow(K.WRONG_SEAT, L.PEOPLE, "a card is laid before somebody else", M.SECOND, (), _NOTICED),
    FaultRow(K.MISDEALT_SEEN, L.PEOPLE, "a card is dealt to who has not asked, and seen", M.SECOND, (), _NOTICED),
    FaultRow(K.MISDEALT_UNSEEN, L.PEOPLE, "the same, and nobody has seen it", M.SECOND, (), _NOTICED),
    FaultRow(K.EXTRA_CARD, L.PEOPLE, "the bank draws a card too many", M.SECOND, (), _NOTICED),
    FaultRow(
        K.HOLE_EXPOSED,
        L.PEOPLE,
        "the hole card is turned while it is dealt",
        M.SECOND,
        (),
        _NOTICED,
        when=has.hole_card,
    ),
    FaultRow(K.FACE_UP_CARD, L.PEOPLE, "a card comes out that was put in face up", M.SECOND, (), _NOTICED),
    FaultRow(K.SEVERAL_DAMAGED, L.PEOPLE, "several cards on the table are damaged at once", M.SECOND, amount=(2, 3)),
    FaultRow(K.FAILED_IN_ROUND, L.DEVICE, "a device fails in a round: who goes on?", M.SECOND, _NEEDED, (10.0, 90.0)),
    FaultRow(
        K.FAILED_AND_DAMAGED, L.DEVICE, "it fails and has damaged a card", M.SECOND, _NEEDED, (10.0, 90.0), often=0.7
    ),
    FaultRow(K.WRONG_HAND_COLLECTED, L.PEOPLE, "the cards of somebody who still plays are collected", M.SECOND),
    FaultRow(K.BACK_FORGOTTEN, L.PEOPLE, "decks of two backs are counted as one", M.SECOND, when=has.two_backs),
    FaultRow(K.DISPUTED, L.PEOPLE, "a player disputes what lies before him", M.SECOND),
    FaultRow(K.DEALER_RELIEVED, L.PEOPLE, "another dealer takes over", M.SECOND),
    FaultRow(K.COUNTED_WRONGLY, L.PEOPLE, "a deck is counted wrongly", M.CHANCE, when=has.counted_decks),
    FaultRow(
        K.SHUFFLE_FORGOTTEN, L.PEOPLE, "the cards are shuffled less than they should be", M.CHANCE, when=has.hand_mixing
    ),
    FaultRow(K.CUT_OUT_OF_TURN, L.PEOPLE, "somebody cuts whose turn it is not", M.CHANCE, when=has.a_cut),
    FaultRow(K.WARNING_CARD_MISPLACED, L.PEOPLE, "the warning card lies elsewhere", M.CHANCE, when=has.warning_card),
    FaultRow(
        K.WARNING_CARD_OVERLOOKED,
        L.PEOPLE,
        "the warning card is out, and nobody notices",
        M.CHANCE,
        for_s=(10.0, 200.0),
        when=has.warning_card,
    ),
    FaultRow(K.LAST_ROUND_UNTOLD, L.PEOPLE, "the last round is not announced", M.CHANCE, when=has.warning_card),
    FaultRow(
        K.FILLED_SHORT,
        L.PEOPLE,
        "cards stay outside when the machine is filled",
        M.CHANCE,
        for_s=(2.0, 300.0),
        amount=(1, 6),
        when=has.hand_mixing,
    ),
    FaultRow(
        K.GATHERED_SHORT,
        L.PEOPLE,
        "cards stay in the rack when the others are gathered",
        M.CHANCE,
        for_s=(2.0, 600.0),
        amount=(1, 3),
        when=has.hand_mixing,
    ),
    FaultRow(K.BURN_DEALT, L.PEOPLE, "a card that is to be burnt is laid before a player", M.CHANCE),
    FaultRow(
        K.CARD_NOT_SAID, L.PEOPLE, "a card is dealt and not said, the next lies", often=3.0, when=has.spoken_cards
    ),
    FaultRow(K.CARD_SAID_TWICE, L.PEOPLE, "a card is said to be dealt, twice", often=3.0, when=has.spoken_cards),
    FaultRow(K.CARD_MISNAMED, L.PEOPLE, "a card that is turned is named wrongly", often=3.0, when=has.spoken_cards),
    FaultRow(K.COUNT_MISSTATED, L.PEOPLE, "a count of all cards is stated wrongly", often=3.0, when=has.spoken_cards),
)

ROWS: Final = {row.kind: row for row in FAULTS}


@dataclass(frozen=True, slots=True)
class PlannedFault:
    """One thing that will go wrong. `number` is its place in the plan; `salt` seeds what it decides by itself."""

    number: int
    kind: FaultKind
    at: int  # counts what the row's `moment` says
    salt: int
    device: Device | None = None
    for_s: float = 0.0
    share: float = 1.0
    amount: int = 1

    @property
    def rng(self) -> Random:
        """What the fault decides by itself."""
        return Random(self.salt)
