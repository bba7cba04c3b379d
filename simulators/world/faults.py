"""The table of faults: one row for each kind, with its layer, its effect and the unit of its moment.

fault_plan.py draws the faults of one world from a seed. A planned fault is counted as met once it has changed bytes,
times, a device's behaviour or a person's deed.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from enum import Enum, StrEnum, auto, unique
from functools import partial
from random import Random
from typing import Final

from msgspec import Struct

from controller.core.choices import BankSecond, Cut, Machine, OpeningCheck, WarningCard
from controller.core.setup import Procedure
from controller.core.words import Device
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
    """The quantity that counts a fault's moment (`PlannedFault.at`): seconds, cards, deeds and others."""

    SECOND = auto()  # of busy time (fault_injector.py)
    FED = auto()  # cards that went through the feed
    DEALT = auto()  # cards that went through the mouth
    MOVED = auto()  # cards that went through feed or mouth
    APPLIED = auto()  # commands to a display
    ENTRY = auto()  # durable entries of the journal
    LAUNCHED = auto()  # balls
    LINE = auto()  # lines of text that a wheel has sent
    CHANCE = auto()  # deeds that the fault could affect
    WATCHED = auto()  # deeds of the chief supervisor while cards are loaded or unloaded under his eyes


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One kind of fault. `for_s`, `share` (of frames or cases) and `amount`: the ranges from which a fault's values are
    drawn.
    """

    kind: FaultKind
    what: str
    devices: tuple[Device, ...] = ()
    moment: Moment = Moment.SECOND
    layer: Layer = field(kw_only=True)
    for_s: tuple[float, float] = (0.0, 0.0)
    share: tuple[float, float] = (0.0, 1.0)
    amount: tuple[int, int] = (1, 1)
    often: float = 1.0  # weight against the other kinds in a world of all kinds
    at: Device | None = None  # the device that a fault of people needs
    when: Callable[[Procedure], bool] | None = None  # True if the procedure has the target of the fault

    def finds_a_subject(self, devices: Collection[Device], procedure: Procedure) -> bool:
        """True if the fault can affect something at a table with these devices and this procedure."""
        if self.when is not None and not self.when(procedure):
            return False
        affected = self.devices if self.at is None else (self.at,)
        return not affected or any(device in devices for device in affected)


# --- parts of a procedure that a fault can affect


def spoken_cards(procedure: Procedure) -> bool:
    """True if no device counts the cards. People then state the dealt cards."""
    return procedure.machine is Machine.BOX


def hand_mixing(procedure: Procedure) -> bool:
    return procedure.machine is not Machine.SHUFFLER


def a_shuffler(procedure: Procedure) -> bool:
    return procedure.machine is Machine.SHUFFLER


def counted_decks(procedure: Procedure) -> bool:
    return procedure.opening_check is OpeningCheck.COUNT


def a_cut(procedure: Procedure) -> bool:
    return procedure.cut is not Cut.NONE


def warning_card(procedure: Procedure) -> bool:
    return procedure.warning_card is not WarningCard.NONE


def two_backs(procedure: Procedure) -> bool:
    return procedure.back_colours > 1


def hole_card(procedure: Procedure) -> bool:
    return procedure.bank_second_card is BankSecond.HOLE


K, M = FaultKind, Moment
OF_DEVICE, OF_LINE, OF_DISK, OF_COPY, OF_MACHINE, OF_PEOPLE = (partial(FaultRow, layer=layer) for layer in Layer)
_SHUFFLER = (Device.SHUFFLER,)
_SHOE = (Device.SHOE,)
_DISPLAY = (Device.JACKPOT_DISPLAY,)
_SLOTS = (Device.JACKPOT_SLOTS,)
_NEEDED = (Device.SHUFFLER, Device.SHOE)
_EVENTFUL = (*_NEEDED, Device.JACKPOT_DISPLAY)
_NOTICED = (2.0, 40.0)  # seconds until a person notices, where not at once
_ANY = (*(Device.SHUFFLER, Device.SHUFFLER, Device.SHOE, Device.SHOE), *(Device.JACKPOT_DISPLAY, Device.JACKPOT_SLOTS))

FAULTS: Final[tuple[FaultRow, ...]] = (
    OF_DEVICE(K.JAM_AT_FEED, "cards stick at the feed, not yet counted", _SHUFFLER, M.FED, amount=(1, 2)),
    OF_DEVICE(K.JAM_IN_CAROUSEL, "cards stick inside the carousel", _SHUFFLER, M.MOVED, amount=(1, 3)),
    OF_DEVICE(K.JAM_AT_MOUTH, "cards stick behind the mouth, not yet out", _SHUFFLER, M.DEALT, amount=(1, 2)),
    OF_DEVICE(K.RETRIED_FEED, "the feed frees a card by itself", _SHUFFLER, M.FED, amount=(1, 4)),
    OF_DEVICE(K.RETRIED_DEAL, "the mouth frees a card by itself", _SHUFFLER, M.DEALT, amount=(1, 4)),
    OF_DEVICE(K.DOUBLE_FEED_IN, "two go in at once, one or two counted", _SHUFFLER, M.FED, amount=(1, 2)),
    OF_DEVICE(K.DOUBLE_FEED_OUT, "two cards come out at once, one or both counted", _SHUFFLER, M.DEALT, amount=(1, 2)),
    OF_DEVICE(K.MISCOUNT_IN, "a card goes in, and none or two are counted", _SHUFFLER, M.FED, often=0.5),
    OF_DEVICE(K.MISCOUNT_OUT, "a card comes out, and none or two are counted", _SHUFFLER, M.DEALT, often=0.5),
    OF_DEVICE(K.LID_SPRUNG, "the lid springs open by itself", _SHUFFLER, M.MOVED),
    OF_DEVICE(K.MISREAD, "the reader cannot read a card", _SHOE, M.DEALT, often=2.0),
    OF_DEVICE(K.WRONG_READ, "the reader takes a card for another one", _SHOE, M.DEALT),
    OF_DEVICE(K.UNSEEN_PASSAGE, "the reader does not notice a card", _SHOE, M.DEALT),
    OF_DEVICE(K.READER_ERROR, "the reader fails until somebody clears it", _SHOE, M.DEALT, for_s=(5.0, 40.0)),
    OF_DEVICE(
        K.PHANTOM_READ,
        "the reader tells of cards that did not pass",
        _SHOE,
        amount=(1, 3),
        often=0.5,
        when=a_shuffler,
    ),
    OF_DEVICE(K.CARD_SHOWN, "a foreign card is held past the reader before the true one", _SHOE, M.DEALT),
    OF_DEVICE(K.DISOBEYS, "a device says OK and leaves undone what it is told", _NEEDED, for_s=(5.0, 60.0)),
    OF_DEVICE(K.DISPLAY_STUCK, "the display keeps its old picture", _DISPLAY, M.APPLIED, for_s=(5.0, 60.0)),
    OF_DEVICE(K.DISPLAY_FAULT, "the display reports a fault", _DISPLAY, M.APPLIED),
    OF_DEVICE(K.SLOT_BROKEN, "the sensor of a jackpot slot fails", _SLOTS, for_s=(5.0, 90.0), often=3.0),
    OF_DEVICE(
        K.SLOT_LIES,
        "a jackpot slot tells of a chip that is not there, or of none that is",
        _SLOTS,
        for_s=(5.0, 60.0),
        often=3.0,
    ),
    OF_DEVICE(K.SLOT_FLICKERS, "a jackpot slot tells of a chip that comes and goes", _SLOTS, amount=(2, 9), often=3.0),
    OF_DEVICE(K.REBOOTED, "a device loses power for a moment", _ANY, for_s=(0.2, 4.0)),
    OF_DEVICE(K.REBOOTED_WITHOUT_COUNTS, "and its counts are gone", _NEEDED, for_s=(0.2, 4.0)),
    OF_DEVICE(
        K.REBOOTED_WITH_LOWER_COUNTS, "and its counts are three lower, which it does not say", _NEEDED, for_s=(0.2, 4.0)
    ),
    OF_DEVICE(
        K.NUMBERS_CHANGED,
        "what a device counts changes without a card, back or ahead",
        _NEEDED,
        amount=(1, 900),
        often=0.5,
    ),
    OF_DEVICE(
        K.COUNTS_BACK_IN_HOLD, "what a device counts goes back a little while the table is held", _NEEDED, amount=(1, 3)
    ),
    OF_DEVICE(K.BOOT_NUMBER_AGAIN, "a device starts under the number it had", _NEEDED, for_s=(5.0, 30.0)),
    OF_DEVICE(K.FLOODED, "a device tells more than it can keep", _SHUFFLER, amount=(70, 300)),
    OF_DEVICE(K.HUNG, "a device neither hears nor moves nor answers", _ANY, for_s=(0.5, 8.0)),
    OF_DEVICE(K.ANSWERS_LATE, "a device answers after up to a second and a half", _ANY, for_s=(3.0, 20.0)),
    OF_DEVICE(K.BUFFER_FILLED, "its buffer fills while nothing becomes durable", _SHUFFLER, for_s=(7.0, 12.0)),
    OF_DEVICE(K.OTHER_SERIAL, "another device stands in its place for a while", _ANY, for_s=(5.0, 30.0)),
    OF_DEVICE(K.OTHER_VERSION, "a device says another version for a while", _ANY, for_s=(5.0, 30.0)),
    OF_LINE(K.LINK_LOSS, "frames are lost", _ANY, for_s=(2.0, 20.0), share=(0.05, 0.6)),
    OF_LINE(K.LINK_DUPLICATION, "frames arrive twice", _ANY, for_s=(2.0, 30.0), share=(0.1, 1.0)),
    OF_LINE(K.LINK_CORRUPTION, "bits turn, bytes go, noise comes", _ANY, for_s=(2.0, 20.0), share=(0.05, 0.6)),
    OF_LINE(K.LINK_DELAY, "frames come up to 1.5 s late", _ANY, for_s=(2.0, 20.0), share=(0.1, 1.0)),
    OF_LINE(K.LINK_CUT, "nothing passes", _ANY, for_s=(0.1, 12.0)),
    OF_LINE(K.LINK_STALL, "everything waits and then comes at once", _ANY, for_s=(0.1, 1.8)),
    OF_LINE(K.EVENTS_WITHHELD, "events are lost and nothing else is", _EVENTFUL, for_s=(1.0, 20.0)),
    OF_LINE(K.EVENTS_DENIED, "a device denies events it has not told", _NEEDED, for_s=(1.0, 10.0)),
    OF_LINE(K.OLD_FRAMES, "frames of an older session come, too", _NEEDED, for_s=(5.0, 60.0)),
    OF_LINE(K.LINK_NOISE, "thousands of bytes that are no frame", _NEEDED, for_s=(2.0, 10.0), share=(0.1, 0.5)),
    OF_LINE(K.CABLE_PULLED, "a cable is pulled; the technician puts it back", _ANY, for_s=(0.5, 20.0)),
    OF_DISK(K.DISK_FULL, "the disk is full", moment=M.ENTRY, for_s=(0.5, 30.0)),
    OF_DISK(K.DISK_SLOW, "each sync takes seconds", moment=M.ENTRY, for_s=(3.0, 25.0), amount=(1, 6)),
    OF_DISK(K.SYNC_FAILED, "syncs fail, and what they had stays", moment=M.ENTRY, for_s=(0.01, 8.0)),
    OF_DISK(K.SYNC_LOST_DATA, "syncs fail, what they had is lost and still shows", moment=M.ENTRY, for_s=(0.01, 8.0)),
    OF_DISK(K.TORN_WRITE, "power goes in the middle of a write", moment=M.ENTRY, for_s=(1.0, 20.0)),
    OF_DISK(K.BIT_FLIP, "a stored bit turns over while the power is off", moment=M.ENTRY, for_s=(1.0, 10.0), often=0.3),
    OF_COPY(K.COPY_SLOW, "the second copy's medium takes seconds", moment=M.ENTRY, for_s=(3.0, 60.0), amount=(1, 9)),
    OF_COPY(K.COPY_HANGS, "the second copy's medium does not answer", moment=M.ENTRY, for_s=(5.0, 200.0)),
    OF_COPY(K.COPY_FULL, "the second copy's medium is full", moment=M.ENTRY, for_s=(1.0, 200.0)),
    OF_COPY(K.COPY_TORN, "power goes while the second copy is written", moment=M.ENTRY, for_s=(1.0, 20.0)),
    OF_DISK(
        K.DAMAGE_CLOSED,
        "a bit of the last entries turns over, and two people close the damage",
        moment=M.ENTRY,
        for_s=(1.0, 10.0),
        often=0.3,
    ),
    OF_MACHINE(K.POWER_CUT, "the controller's machine loses power", moment=M.ENTRY, for_s=(0.3, 30.0), often=2.0),
    OF_MACHINE(K.POWER_CUT_OF_ALL, "the whole table loses power", moment=M.ENTRY, for_s=(1.0, 30.0)),
    OF_MACHINE(K.PROCESS_KILLED, "the controller's process dies", moment=M.ENTRY, for_s=(0.2, 3.0), often=2.0),
    OF_MACHINE(K.KILLED_TWICE, "it dies, and again within a second of its start", moment=M.ENTRY, for_s=(0.2, 1.0)),
    OF_MACHINE(K.WALL_CLOCK_JUMPED, "the wall clock jumps by hours or days", amount=(-400, 400)),
    OF_PEOPLE(K.PERSON_SLOW, "somebody takes a minute for what takes a second", for_s=(20.0, 100.0)),
    OF_PEOPLE(K.PERSON_AWAY, "the chief supervisor walks away", moment=M.WATCHED, for_s=(181.0, 300.0)),
    OF_PEOPLE(K.WRONG_KEY, "somebody presses a wrong key", amount=(1, 4), often=2.0),
    OF_PEOPLE(K.WRONG_HOLD, "somebody names another hold than he means"),
    OF_PEOPLE(K.FORGOTTEN_STEP, "somebody leaves out a step and does the next", often=2.0),
    OF_PEOPLE(K.PRESSED_TWICE, "somebody presses the same key again", often=2.0),
    OF_PEOPLE(K.WRONG_PIN, "somebody types a wrong PIN", amount=(1, 3)),
    OF_PEOPLE(K.LID_OPENED, "somebody opens the lid", at=Device.SHUFFLER),
    OF_PEOPLE(K.CARD_SLIPPED_IN, "somebody lays a foreign card among the others", often=0.4),
    OF_PEOPLE(K.CARD_TAKEN_OUT, "somebody takes a card away", often=0.4),
    OF_PEOPLE(
        K.CARD_FED_EARLY,
        "cards are put into the machine while nothing is loaded",
        moment=M.CHANCE,
        amount=(1, 2),
        at=Device.SHUFFLER,
    ),
    OF_PEOPLE(K.WRONG_SEAT, "a card is laid before somebody else", for_s=_NOTICED),
    OF_PEOPLE(K.MISDEALT_SEEN, "a card is dealt to who has not asked, and seen", for_s=_NOTICED),
    OF_PEOPLE(K.MISDEALT_UNSEEN, "the same, and nobody has seen it", for_s=_NOTICED),
    OF_PEOPLE(K.EXTRA_CARD, "the bank draws a card too many", for_s=_NOTICED),
    OF_PEOPLE(K.HOLE_EXPOSED, "the hole card is turned while it is dealt", for_s=_NOTICED, when=hole_card),
    OF_PEOPLE(K.FACE_UP_CARD, "a card comes out that was put in face up", for_s=_NOTICED),
    OF_PEOPLE(K.SEVERAL_DAMAGED, "several cards on the table are damaged at once", amount=(2, 3)),
    OF_DEVICE(K.FAILED_IN_ROUND, "a device fails in a round: who goes on?", _NEEDED, for_s=(10.0, 90.0)),
    OF_DEVICE(K.FAILED_AND_DAMAGED, "it fails and has damaged a card", _NEEDED, for_s=(10.0, 90.0), often=0.7),
    OF_PEOPLE(K.WRONG_HAND_COLLECTED, "the cards of somebody who still plays are collected"),
    OF_PEOPLE(K.BACK_FORGOTTEN, "decks of two backs are counted as one", when=two_backs),
    OF_PEOPLE(K.DISPUTED, "a player disputes what lies before him"),
    OF_PEOPLE(K.DEALER_RELIEVED, "another dealer takes over"),
    OF_PEOPLE(K.COUNTED_WRONGLY, "a deck is counted wrongly", moment=M.CHANCE, when=counted_decks),
    OF_PEOPLE(
        K.SHUFFLE_FORGOTTEN, "the cards are shuffled less than they should be", moment=M.CHANCE, when=hand_mixing
    ),
    OF_PEOPLE(K.CUT_OUT_OF_TURN, "somebody cuts whose turn it is not", moment=M.CHANCE, when=a_cut),
    OF_PEOPLE(K.WARNING_CARD_MISPLACED, "the warning card lies elsewhere", moment=M.CHANCE, when=warning_card),
    OF_PEOPLE(
        K.WARNING_CARD_OVERLOOKED,
        "the warning card is out, and nobody notices",
        moment=M.CHANCE,
        for_s=(10.0, 200.0),
        when=warning_card,
    ),
    OF_PEOPLE(K.LAST_ROUND_UNTOLD, "the last round is not announced", moment=M.CHANCE, when=warning_card),
    OF_PEOPLE(
        K.FILLED_SHORT,
        "cards stay outside when the machine is filled",
        moment=M.CHANCE,
        for_s=(2.0, 300.0),
        amount=(1, 6),
        when=hand_mixing,
    ),
    OF_PEOPLE(
        K.GATHERED_SHORT,
        "cards stay in the rack when the others are gathered",
        moment=M.CHANCE,
        for_s=(2.0, 600.0),
        amount=(1, 3),
        when=hand_mixing,
    ),
    OF_PEOPLE(K.BURN_DEALT, "a card that is to be burnt is laid before a player", moment=M.CHANCE),
    OF_PEOPLE(K.CARD_NOT_SAID, "a card is dealt and not said, the next lies", often=3.0, when=spoken_cards),
    OF_PEOPLE(K.CARD_SAID_TWICE, "a card is said to be dealt, twice", often=3.0, when=spoken_cards),
    OF_PEOPLE(K.CARD_MISNAMED, "a card that is turned is named wrongly", often=3.0, when=spoken_cards),
    OF_PEOPLE(K.COUNT_MISSTATED, "a count of all cards is stated wrongly", often=3.0, when=spoken_cards),
    OF_PEOPLE(K.MISTYPED, "an entry is mistyped, and two people put it right", for_s=_NOTICED, often=3.0),
)

ROWS: Final = {row.kind: row for row in FAULTS}


class PlannedFault(Struct, frozen=True):
    """One fault of a world's plan. `number`: the fault's number in the plan; `salt`: the seed of the fault's own random
    choices. `for_s`: the fault's duration, or the time until people notice the fault. `share`, `amount`: the share of
    frames or cases, or the number of cards, tries or other objects, that the fault affects.
    """

    number: int
    kind: FaultKind
    at: int  # in the unit of the row's `moment`
    salt: int
    device: Device | None = None
    for_s: float = 0.0
    share: float = 1.0
    amount: int = 1

    @property
    def rng(self) -> Random:
        """A new generator for the fault's own random choices. Each new generator yields the same numbers."""
        return Random(self.salt)
