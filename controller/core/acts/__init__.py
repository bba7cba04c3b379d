"""Acts: what people ask for, imperative, data only. Each is allowed, or refused with clause and remedy.

`ACTS` gives each its wire name (`sabot act NAME`). Who may do what, and when, stands in rules/.
"""

from typing import Final, TypeAlias

from controller.core.acts.corrections import *
from controller.core.acts.holds import *
from controller.core.acts.round import *
from controller.core.acts.session import *

Act: TypeAlias = (
    SignIn
    | SignOut
    | OpenSession
    | NumberDeckSet
    | ConfirmDisplay
    | ConfirmCount
    | ShuffleDeck
    | ConfirmMixing
    | StatePlayers
    | RefuseCut
    | ConfirmCut
    | PlaceWarningCard
    | FillShoe
    | BeginLoading
    | OpenPacket
    | ClosePacket
    | CompleteLoading
    | TakeOutLoading
    | ConfirmTakenOut
    | AbandonOpening
    | TakeBets
    | CancelBets
    | AnnounceNoMoreBets
    | DrawCard
    | ConfirmCardDealt
    | ReportWarningCard
    | AnnounceLastRound
    | GatherCards
    | SpreadCards
    | TurnHoleCard
    | TurnCard
    | ConfirmSettled
    | CollectHand
    | CollectCards
    | BeginPuttingBack
    | EndPuttingBack
    | LeaveInRack
    | ReportMisdealt
    | MoveCard
    | ReportHoleExposed
    | ReportExtraCard
    | ReportFaceUpCard
    | RetractCard
    | RenameCard
    | CallForCount
    | CallForRuling
    | MakeRuling
    | AttendHold
    | CallTechnician
    | AttestRepair
    | ClearHold
    | ConfirmHold
    | StateCardsMoved
    | StateCount
    | StateWholeCount
    | StateOutage
    | ConfirmOutage
    | NameCard
    | ReportDamagedCard
    | ReplaceCard
    | ReplaceDeck
    | RecordAuthorisation
    | RecordComplaint
    | DecideComplaint
    | ReportDuty
    | IndicateClosing
    | BeginUnloading
    | CompleteUnloading
    | EnterCards
    | EnterGrid
    | ConfirmDeckCheck
    | ProposeIrregularClosing
    | ConfirmIrregularClosing
)

ACTS: Final[dict[str, type[Act]]] = {
    "sign-in": SignIn,
    "sign-out": SignOut,
    "open-session": OpenSession,
    "number-deck-set": NumberDeckSet,
    "confirm-display": ConfirmDisplay,
    "confirm-count": ConfirmCount,
    "shuffle-deck": ShuffleDeck,
    "confirm-mixing": ConfirmMixing,
    "state-players": StatePlayers,
    "refuse-cut": RefuseCut,
    "confirm-cut": ConfirmCut,
    "place-warning-card": PlaceWarningCard,
    "fill-shoe": FillShoe,
    "begin-loading": BeginLoading,
    "open-packet": OpenPacket,
    "close-packet": ClosePacket,
    "complete-loading": CompleteLoading,
    "take-out-loading": TakeOutLoading,
    "confirm-taken-out": ConfirmTakenOut,
    "abandon-opening": AbandonOpening,
    "take-bets": TakeBets,
    "cancel-bets": CancelBets,
    "announce-no-more-bets": AnnounceNoMoreBets,
    "draw-card": DrawCard,
    "confirm-card-dealt": ConfirmCardDealt,
    "report-warning-card": ReportWarningCard,
    "announce-last-round": AnnounceLastRound,
    "gather-cards": GatherCards,
    "spread-cards": SpreadCards,
    "turn-hole-card": TurnHoleCard,
    "turn-card": TurnCard,
    "confirm-settled": ConfirmSettled,
    "collect-hand": CollectHand,
    "collect-cards": CollectCards,
    "begin-putting-back": BeginPuttingBack,
    "end-putting-back": EndPuttingBack,
    "leave-in-rack": LeaveInRack,
    "report-misdealt": ReportMisdealt,
    "move-card": MoveCard,
    "report-hole-exposed": ReportHoleExposed,
    "report-extra-card": ReportExtraCard,
    "report-face-up-card": ReportFaceUpCard,
    "retract-card": RetractCard,
    "rename-card": RenameCard,
    "call-for-count": CallForCount,
    "call-for-ruling": CallForRuling,
    "make-ruling": MakeRuling,
    "attend-hold": AttendHold,
    "call-technician": CallTechnician,
    "attest-repair": AttestRepair,
    "clear-hold": ClearHold,
    "confirm-hold": ConfirmHold,
    "state-cards-moved": StateCardsMoved,
    "state-count": StateCount,
    "state-whole-count": StateWholeCount,
    "state-outage": StateOutage,
    "confirm-outage": ConfirmOutage,
    "name-card": NameCard,
    "report-damaged-card": ReportDamagedCard,
    "replace-card": ReplaceCard,
    "replace-deck": ReplaceDeck,
    "record-authorisation": RecordAuthorisation,
    "record-complaint": RecordComplaint,
    "decide-complaint": DecideComplaint,
    "report-duty": ReportDuty,
    "indicate-closing": IndicateClosing,
    "begin-unloading": BeginUnloading,
    "complete-unloading": CompleteUnloading,
    "enter-cards": EnterCards,
    "enter-grid": EnterGrid,
    "confirm-deck-check": ConfirmDeckCheck,
    "propose-irregular-closing": ProposeIrregularClosing,
    "confirm-irregular-closing": ConfirmIrregularClosing,
}

NAMES: Final[dict[type[Act], str]] = {cls: name for name, cls in ACTS.items()}


def value_names(act: type[Act]) -> tuple[str, ...]:
    """The names of the values that this act takes besides who asks and what a seal says."""
    return tuple(name for name in act.__struct_fields__ if name not in {"person", "role", "seal_differs"})
