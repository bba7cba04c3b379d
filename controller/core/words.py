"""The table's vocabulary: the enumerations that several parts of the core share.

The README has the Portuguese terms for them.
"""

from enum import StrEnum, unique
from typing import Final, NewType

Person = NewType("Person", int)
"""A person's number in the staff file; the journal has people's numbers only."""

HoldId = NewType("HoldId", int)
DutyId = NewType("DutyId", int)
EntryNumber = NewType("EntryNumber", int)
Cents = NewType("Cents", int)
"""Money, in hundredths of the table's currency."""

TableMs = NewType("TableMs", int)
"""Table time in milliseconds: never goes back, stands still while the controller is down."""

MOST_PLAYERS: Final = 99
"""The highest number of a player at a table; the lowest is 1."""


@unique
class Role(StrEnum):
    DEALER = "dealer"
    TABLE_INSPECTOR = "table_inspector"
    CHIEF_SUPERVISOR = "chief_supervisor"
    ROOM_MANAGER = "room_manager"
    TECHNICIAN = "technician"
    REGULATOR = "regulator"


@unique
class Device(StrEnum):
    SHUFFLER = "shuffler"
    SHOE = "shoe"
    JACKPOT_DISPLAY = "jackpot_display"
    ROULETTE_WHEEL = "roulette_wheel"
    VALUE_DISPLAY = "value_display"
    JACKPOT_SLOTS = "jackpot_slots"


@unique
class Place(StrEnum):
    """The places of a card; each card of the deck set is in exactly one of them."""

    OUTSIDE = "outside"
    INSIDE = "inside"
    RACK = "rack"
    TABLE = "table"
    BURNT = "burnt"
    PENDING = "pending"
    JAMMED = "jammed"
    IN_HAND = "in_hand"
    WITHDRAWN = "withdrawn"
    SPARE = "spare"
    FOREIGN = "foreign"


@unique
class SessionPhase(StrEnum):
    CLOSED = "closed"
    OPENED = "opened"
    DISPLAYED = "displayed"
    GATHERED = "gathered"  # a shoe is over: all its cards are out and to be mixed again
    MIXED = "mixed"
    CUT = "cut"
    LOADING = "loading"
    TAKING_OUT = "taking-out"
    LOADED = "loaded"  # the burn is owed
    IN_PLAY = "in-play"
    CLOSING = "closing"  # the closing has been indicated
    UNLOADING = "unloading"
    CHECKING = "checking"


@unique
class RoundPhase(StrEnum):
    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"  # announced; the initial cards are owed in order
    PLAYING = "playing"  # further cards on request
    SETTLED = "settled"
    COLLECTED = "collected"  # every card of the round is in the discard rack
    PUTTING_BACK = "putting-back"
    # of a wheel
    SPINNING = "spinning"  # the ball runs, and bets are still taken
    NO_MORE_BETS = "no-more-bets"
    NULL_SPIN = "null-spin"
    PAYING = "paying"  # the number is announced


@unique
class HoldKind(StrEnum):
    JAM = "jam"
    LID = "lid"
    COUNT = "count"
    UNEXPECTED_CARD = "unexpected-card"
    UNREAD_CARD = "unread-card"
    DAMAGED_CARD = "damaged-card"
    DEVICE_LOST = "device-lost"
    COMPLAINT = "complaint"
    SUPERVISOR_ABSENT = "supervisor-absent"
    JOURNAL_FAULT = "journal-fault"
    RULING = "ruling"  # a person has to decide how the round goes on
    IRREGULAR_SPIN = "irregular-spin"  # the wheel's line reports an irregularity
    MOVED_CHIPS = "moved-chips"  # winning chips lie no longer where they were bet
    JACKPOT_OWED = "jackpot-owed"  # a winning combination lies there and is not paid
    JACKPOT_DOUBTED = "jackpot-doubted"  # the amount in the pool is not known for sure
    LINKED_HIT = "linked-hit"  # a linked pool was hit here, and is not paid


@unique
class HoldCause(StrEnum):
    """The reason for a hold, if its kind has several."""

    # book and evidence
    COUNTS_UNKNOWN = "counts-unknown"
    WENT_BACK = "went-back"  # numbers that never go back have gone back
    EVENTS_MISSED = "events-missed"
    CARDS_UNSEEN = "cards-unseen"  # the controller was away, and the device keeps no events
    DEALT_UNSEEN = "dealt-unseen"  # a card was due by people's word while the controller was down
    DIFFERENCE = "difference"
    CARD_FED = "card-fed"
    UNWATCHED = "unwatched"  # cards came out while the chief supervisor was away
    SURPLUS = "surplus"  # more cards came out than were inside
    WARNING_CARD = "warning-card"
    GRID = "grid"  # the reader contradicts the dealer's grid
    DECK_CHECK = "deck-check"
    DAMAGE_SEALED = "damage-sealed"
    BEHIND_MARK = "behind-mark"
    UNSIGNED_ENTRIES = "unsigned-entries"
    # the jackpot
    METERS = "meters"  # the pool's meters do not reconcile
    SIGN_PROMISES_MORE = "sign-promises-more"  # the sign shows more than the pool holds
    RESTORED = "restored"  # restored from a backup: later entries are not known
    TAKEN_TWICE = "taken-twice"  # taken back here, and taken over at another computer
    AMOUNT_TO_COME = "amount-to-come"  # the floor has not told the amount of the hit yet
    AMOUNT_KNOWN = "amount-known"  # the floor has told the amount of the hit
    HIT_UNKNOWN = "hit-unknown"  # the floor names a hit that this record does not have
    # one card
    NOT_OWED = "not-owed"
    DOUBLE_FEED = "double-feed"
    READ_WITHOUT_COUNT = "read-without-count"
    MORE_READ = "more-read"
    TWO_READS = "two-reads"
    REVERSED = "reversed"
    IMPOSSIBLE = "impossible"  # a face that was seen more often than there are decks
    # a ruling is owed
    MISDEALT_SEEN = "misdealt-seen"
    MISDEALT_UNSEEN = "misdealt-unseen"
    EXTRA_CARD = "extra-card"
    FACE_UP_CARD = "face-up-card"  # it was due to its hand, and came face up
    LEFTOVERS = "leftovers"  # cards that could not be put back
    DECISION_NOT_OPEN = "decision-not-open"  # by the cards as they are known now
    DRAWN_ON_21 = "drawn-on-21"  # a player's cards are shown, and one of them came on 21 or beyond it


@unique
class LostReason(StrEnum):
    """The core's reasons for a hold for a lost device. A driver that loses its device gives its own reason."""

    REPLACED = "replaced"
    REBOOTED = "rebooted"
    PRESET_CHANGED = "preset-changed"
    OTHER_VERSION = "other-version"  # the same serial number with another model or firmware than before
    NOT_FOUND = "not-found"
    DISOBEYS = "disobeys"  # the device accepts commands and does not execute them


@unique
class HoldPhase(StrEnum):
    RAISED = "raised"
    ATTENDED = "attended"
    CLEARED = "cleared"
    ENDED = "ended"


@unique
class Permission(StrEnum):
    """A permission that a hold can take away."""

    DRAW = "draw"
    FEED = "feed"
    UNLOAD = "unload"
    BET = "bet"  # bets, announcement, settling: the course of a round
    PUT_BACK = "put-back"
    CLOSE = "close"


@unique
class Operation(StrEnum):
    """The operations for which a person signs in; each presence is for one operation."""

    TABLE = "table"  # the dealer, until relieved
    LOADING = "loading"
    HOLD = "hold"
    UNLOADING = "unloading"


@unique
class JamPlace(StrEnum):
    FEED = "feed"
    CAROUSEL = "carousel"
    MOUTH = "mouth"


@unique
class DutyKind(StrEnum):
    REPORT_DAMAGED_CARD = "report-damaged-card"
    REPORT_IRREGULAR_CLOSING = "report-irregular-closing"
    REPORT_UNDECIDED_COMPLAINT = "report-undecided-complaint"
    LOOK_INTO_WRONG_PINS = "look-into-wrong-pins"
    LOOK_INTO_DISPLAY = "look-into-display"
    LOOK_INTO_SEALS = "look-into-seals"
    LOOK_INTO_MARKERS = "look-into-markers"
    COMPARE_CLOCK = "compare-clock"


@unique
class Timer(StrEnum):
    JOIN = "join"  # count and identity of one card have not met
    COUNTS = "counts"  # book and evidence have differed for too long
    PRESENCE = "presence"  # a person has not confirmed presence
    DEVICES = "devices"  # a device has not come after a start
    LINKED = "linked"  # nothing was heard of a linked pool for too long
    SIGN = "sign"  # the jackpot's sign shows another amount than the pool's for too long
    BALL = "ball"  # the ball in use is to be changed
    MARKERS = "markers"  # the value display has shown other values than the players' for too long
    DEALER = "dealer"  # the person who launches the ball has to be relieved


@unique
class Outage(StrEnum):
    """The table's knowledge of a round that was open while the controller was down."""

    NONE = "none"
    DOUBTED = "doubted"  # the round may have gone on; the counts will show
    TO_BE_STATED = "to-be-stated"  # the counts do not agree: people say what happened


@unique
class OutageOutcome(StrEnum):
    """The possible outcomes of a round that was open during an outage."""

    UNCHANGED = "unchanged"  # people waited, and the round goes on
    FINISHED = "finished"  # the round was finished by hand
    VOIDED = "voided"  # the bets were given back
    CLOSED = "closed"  # the bets were given back, and the table closes


@unique
class Purpose(StrEnum):
    """The purpose for which the next card may come."""

    BURN = "burn"
    SEAT = "seat"
    BANK = "bank"
    HOLE = "hole"


@unique
class Cause(StrEnum):
    """The causes for which a person may call for a ruling."""

    DEVICE_MALFUNCTION = "device-malfunction"
    DEAL_BEYOND_REPAIR = "deal-beyond-repair"
    DISPUTE = "dispute"


@unique
class Outcome(StrEnum):
    """The possible outcomes of a ruling."""

    CONTINUE = "continue"
    ROUND_VOID = "round-void"  # the stakes go back
    SPARE_DEVICE = "spare-device"  # all cards move to the spare device
    SPARE_DEVICE_CARDS_REPLACED = "spare-device-cards-replaced"  # damaged ones from a new deck
    CARD_DISCARDED = "card-discarded"
    CARD_TO_NEXT = "card-to-next"  # the card goes to the next seat that asks, or to the bank
    TURN_GIVEN_BACK = "turn-given-back"  # a place that was passed over by mistake is asked after all


@unique
class Closing(StrEnum):
    """The way in which the last session ended."""

    NONE = "none"
    REGULAR = "regular"
    IRREGULAR = "irregular"
