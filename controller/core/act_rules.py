"""Who may do what, when: one row an act. Code elsewhere only reads these rows.

A row names the roles, the clause, the step of session and round (by the trigger it fires, or by the steps where it is
at home), the permission that a hold can take away, and the guards, in the order in which a person should hear of them.
"""

from dataclasses import dataclass, field

from controller.core import acts as a
from controller.core import guards_cards as gc
from controller.core import guards_corrections as gx
from controller.core import guards_holds as gh
from controller.core import guards_made as gm
from controller.core import guards_people as gp
from controller.core import guards_round as gr
from controller.core import guards_session as gs
from controller.core import guards_shoe as gz
from controller.core import outage
from controller.core.guard import Guard
from controller.core.round_table import RoundTrigger
from controller.core.session_table import SessionTrigger
from controller.core.words import Permission, Role, RoundPhase, SessionPhase


@dataclass(frozen=True, slots=True)
class ActRule:
    """One act: `guards` first to last, then the steps, then the holds."""

    act: type[a.Act]
    who: tuple[Role, ...]
    clause: str
    guards: tuple[Guard, ...] = ()
    session: SessionTrigger | None = None
    round: RoundTrigger | None = None
    in_session: tuple[SessionPhase, ...] = ()  # empty: any
    in_round: tuple[RoundPhase, ...] = ()
    needs: Permission | None = None
    last: tuple[Guard, ...] = ()  # heard only when nothing else stands against it
    _all: tuple[Guard, ...] = field(init=False, repr=False, compare=False)  # made once: they are asked all the time

    def __post_init__(self) -> None:
        object.__setattr__(self, "_all", self._made())

    def all_guards(self) -> tuple[Guard, ...]:
        """Every guard of the row, those made from its steps and its permission last."""
        return self._all

    def _made(self) -> tuple[Guard, ...]:
        return (
            *((gp.ACTOR_IS_THE_DEALER_AT_TABLE,) if self.who == _DEALER else ()),
            *self.guards,
            *(
                (gm.session_guard(self.session or self.in_session, self.clause),)
                if self.session or self.in_session
                else ()
            ),
            *((gm.round_guard(self.round or self.in_round, self.clause),) if self.round or self.in_round else ()),
            *((gm.permission_guard(self.needs),) if self.needs else ()),
            *self.last,
        )


S, R, P = SessionPhase, RoundPhase, Permission
_ANYONE = tuple(Role)
_DEALER = (Role.DEALER,)
_CHIEF = (Role.CHIEF_SUPERVISOR,)
_DEALER_OR_CHIEF = (Role.DEALER, Role.CHIEF_SUPERVISOR)
_HOLD_PEOPLE = (Role.CHIEF_SUPERVISOR, Role.TECHNICIAN)
_CARDS_LIE = (R.DEALING, R.PLAYING)
_OPENING = (S.OPENED, S.DISPLAYED, S.MIXED)
_CARDS_OUT_OF_CLOSET = tuple(phase for phase in S if phase not in {S.CLOSED, *_OPENING})

ACT_RULES: tuple[ActRule, ...] = (
    # people
    ActRule(a.SignIn, _ANYONE, "pt.bj.54d", (gp.OPERATION_FITS_THE_ROLE,)),
    ActRule(a.SignOut, _ANYONE, "pt.bj.54d", (gp.ACTOR_IS_SIGNED_IN, gp.DEALER_LEAVES_BETWEEN_ROUNDS)),
    # opening and loading
    ActRule(a.OpenSession, _DEALER, "pt.bj.7a", session=SessionTrigger.SESSION_OPENED, needs=P.BET),
    ActRule(
        a.NumberDeckSet,
        _CHIEF,
        "pt.bj.7b",
        (gs.DECK_SET_IS_A_NUMBER, gs.DECK_SET_IS_NOT_REFUSED),
        in_session=(S.OPENED,),
    ),
    ActRule(
        a.ConfirmDisplay,
        _DEALER,
        "pt.bj.53a",
        (gz.CARDS_ARE_DISPLAYED_HERE, gs.DECK_SET_IS_NUMBERED),
        session=SessionTrigger.DISPLAY_CONFIRMED,
    ),
    ActRule(
        a.ConfirmMixing,
        _DEALER,
        "pt.bj.53b",
        (
            gz.CARDS_ARE_MIXED_BY_HAND,
            gs.DISPLAY_IS_CONFIRMED,
            gs.DECK_SET_IS_NUMBERED,
            gz.DECKS_ARE_SHUFFLED,
            gr.NO_COMPLAINT_IS_OPEN,
        ),
        session=SessionTrigger.MIXING_CONFIRMED,
    ),
    # shoe and box
    ActRule(
        a.ConfirmCount,
        _DEALER,
        "br.prep.2b",
        (gz.DECKS_ARE_COUNTED_HERE, gs.DECK_SET_IS_NUMBERED, gz.DECKS_ARE_WHOLE),
        session=SessionTrigger.DECKS_COUNTED,
    ),
    ActRule(
        a.ShuffleDeck,
        _DEALER,
        "br.prep.4a",
        (gz.DECKS_ARE_SHUFFLED_ONE_BY_ONE, gz.DECK_IS_NOT_SHUFFLED_YET, gz.PASSES_ARE_ENOUGH),
        in_session=(S.DISPLAYED, S.GATHERED),
    ),
    ActRule(
        a.StatePlayers,
        _DEALER,
        "pt.bj.8b",
        (gz.CARDS_ARE_CUT, gz.PLAYERS_SIT_AT_SEATS),
        in_session=(*_OPENING, S.GATHERED, S.LOADED, S.IN_PLAY),
        in_round=(R.IDLE,),
    ),
    ActRule(
        a.RefuseCut,
        _DEALER,
        "pt.bj.8d",
        (gz.CARDS_ARE_CUT, gz.CUT_GOES_IN_TURN),
        in_session=(S.MIXED,),
    ),
    ActRule(
        a.ConfirmCut,
        (Role.DEALER, Role.TABLE_INSPECTOR),
        "pt.bj.8a",
        (gz.CARDS_ARE_CUT, gz.PLAYERS_ARE_STATED, gz.CUT_GOES_IN_TURN, gz.CUT_FALLS_TO_THE_RIGHT_PERSON),
        session=SessionTrigger.CUT_MADE,
    ),
    ActRule(
        a.PlaceWarningCard,
        _DEALER,
        "pt.bj.9a",
        (gz.WARNING_CARD_IS_USED, gz.WARNING_CARD_LIES_RIGHT),
        in_session=(S.CUT,),
    ),
    ActRule(
        a.FillShoe,
        _DEALER,
        "pt.bj.9c",
        (gz.MACHINE_IS_FILLED_BY_HAND, gz.WARNING_CARD_IS_PLACED),
        session=SessionTrigger.SHOE_FILLED,
        needs=P.FEED,
    ),
    ActRule(
        a.ConfirmCardDealt,
        _DEALER,
        "pt.bj.17a",
        (gz.NO_DEVICE_COUNTS, gz.A_CARD_IS_OWED),
        needs=P.DRAW,
    ),
    ActRule(
        a.ReportWarningCard,
        _DEALER,
        "pt.bj.11a",
        (gz.WARNING_CARD_IS_USED, gz.WARNING_CARD_IS_INSIDE),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.AnnounceLastRound,
        _DEALER,
        "pt.bj.11a",
        (gz.LAST_ROUND_IS_TOLD, gz.WARNING_CARD_IS_OUT),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.GatherCards,
        _DEALER,
        "pt.bj.11b",
        (
            gz.MACHINE_IS_FILLED_BY_HAND,
            gs.ROUND_IS_OVER,
            gz.CARDS_MAY_BE_SHUFFLED,
        ),
        session=SessionTrigger.CARDS_GATHERED,
        needs=P.CLOSE,
    ),
    ActRule(
        a.SpreadCards,
        _DEALER,
        "pt.bj.12",
        (gz.CARDS_MAY_BE_SPREAD, gs.ROUND_IS_OVER),
        session=SessionTrigger.CARDS_GATHERED,
        needs=P.CLOSE,
    ),
    ActRule(
        a.BeginLoading,
        _DEALER,
        "pt.bj.53c",
        (
            gz.MACHINE_IS_A_SHUFFLER,
            gs.LOADING_IS_NOT_DONE_YET,
            gs.COUNTS_ARE_SETTLED,
            gs.DISPLAY_IS_CONFIRMED,
            gs.MIXING_IS_CONFIRMED,
            gs.DECK_SET_IS_NUMBERED,
            gp.CHIEF_PRESENT_FOR_LOADING,
            gs.SHUFFLER_IS_READY,
            gs.SHUFFLER_IS_EMPTY,
            gs.READER_IS_READY,
        ),
        session=SessionTrigger.LOADING_BEGUN,
        needs=P.FEED,
    ),
    ActRule(
        a.OpenPacket,
        _CHIEF,
        "pt.bj.54b",
        (gp.CHIEF_PRESENT_FOR_LOADING, gs.PACKET_IS_CLOSED),
        in_session=(S.LOADING,),
        needs=P.FEED,
    ),
    ActRule(a.ClosePacket, _CHIEF, "pt.bj.54b", (gs.PACKET_IS_OPEN,), in_session=(S.LOADING,)),
    ActRule(
        a.CompleteLoading,
        _DEALER_OR_CHIEF,
        "pt.bj.54b",
        (
            gs.LOADING_IS_NOT_DONE_YET,
            gp.CHIEF_PRESENT_FOR_LOADING,
            gs.PACKET_IS_CLOSED,
            gs.PACKETS_ARE_ENOUGH,
            gs.CARDS_ARE_ALL_LOADED,
        ),
        session=SessionTrigger.LOADING_COMPLETED,
        needs=P.DRAW,
    ),
    ActRule(
        a.TakeOutLoading,
        _CHIEF,
        "pt.bj.54c",
        (gp.CHIEF_PRESENT_FOR_LOADING, gs.PACKET_IS_CLOSED),
        session=SessionTrigger.TAKING_OUT_BEGUN,
        needs=P.UNLOAD,
    ),
    ActRule(
        a.ConfirmTakenOut,
        _CHIEF,
        "pt.bj.54c",
        (gp.CHIEF_PRESENT_FOR_LOADING, gs.NOTHING_IS_INSIDE),
        session=SessionTrigger.TAKEN_OUT,
        needs=P.UNLOAD,
    ),
    ActRule(
        a.AbandonOpening,
        _DEALER_OR_CHIEF,
        "pt.bj.7a",
        (gz.NOTHING_WAS_PLAYED,),
        session=SessionTrigger.OPENING_ABANDONED,
        needs=P.CLOSE,
    ),
    # round
    ActRule(
        a.TakeBets,
        _DEALER,
        "pt.bj.13",
        (gr.SEATS_EXIST, gr.BETS_ARE_NOT_CLOSED, gz.SHOE_IS_NOT_OVER),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
    ),
    ActRule(
        a.CancelBets,
        _DEALER,
        "pt.bj.13",
        round=RoundTrigger.BETS_CANCELLED,
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.AnnounceNoMoreBets,
        _DEALER,
        "pt.bj.48b",
        (gr.BURN_IS_DONE, gr.DEVICES_ARE_READY, gz.LAST_ROUND_IS_ANNOUNCED, gr.CARDS_ARE_ENOUGH),
        round=RoundTrigger.ANNOUNCED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
    ),
    ActRule(
        a.DrawCard,
        _DEALER,
        "pt.bj.18c",
        (gr.SEATS_EXIST, gr.NO_CARD_IS_OWED, gr.A_CARD_IS_INSIDE),
        in_session=(S.IN_PLAY,),
        in_round=(R.PLAYING,),
        needs=P.DRAW,
    ),
    ActRule(
        a.TurnHoleCard,
        _DEALER,
        "pt.bj.17b",
        (gr.HOLE_CARD_IS_FACE_DOWN, gr.NO_CARD_IS_OWED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        last=(gr.FACE_IS_GIVEN,),
    ),
    ActRule(
        a.ConfirmSettled,
        _DEALER,
        "pt.bj.23",
        (gr.NO_CARD_IS_OWED, gz.LAST_ROUND_IS_ANNOUNCED),
        round=RoundTrigger.SETTLED,
        needs=P.BET,
    ),
    ActRule(a.CollectCards, _DEALER, "pt.bj.59a", round=RoundTrigger.COLLECTED, needs=P.BET),
    ActRule(
        a.BeginPuttingBack,
        _DEALER,
        "pt.bj.59b",
        (gr.NO_COMPLAINT_IS_OPEN, gs.SHUFFLER_IS_READY),
        round=RoundTrigger.PUTTING_BACK_BEGUN,
        needs=P.PUT_BACK,
    ),
    ActRule(a.EndPuttingBack, _DEALER, "pt.bj.59b", round=RoundTrigger.PUTTING_BACK_ENDED, needs=P.PUT_BACK),
    ActRule(a.LeaveInRack, _DEALER, "pt.bj.60a", round=RoundTrigger.LEFT_IN_RACK),
    # corrections and rulings
    ActRule(
        a.ReportMisdealt,
        _DEALER_OR_CHIEF,
        "pt.bj.18d",
        (gr.NO_CARD_IS_OWED, gx.NO_CARD_IS_SET_ASIDE, gx.A_CARD_CAN_BE_CORRECTED, gx.ERROR_IS_NOT_TO_BE_RECTIFIED),
        in_round=_CARDS_LIE,
    ),
    ActRule(
        a.MoveCard,
        _DEALER_OR_CHIEF,
        "mo.5.1.2a",
        (gx.LAST_CARD_IS_PROVISIONAL, gr.SEATS_EXIST, gx.CARD_GOES_WHERE_IT_IS_OWED),
        in_round=_CARDS_LIE,
    ),
    ActRule(
        a.ReportHoleExposed,
        _DEALER_OR_CHIEF,
        "pt.bj.17c",
        (gx.EXPOSED_CARD_IS_DISCARDED, gx.HOLE_CARD_IS_THE_LAST),
        in_round=(R.PLAYING,),
    ),
    ActRule(
        a.ReportExtraCard,
        _DEALER_OR_CHIEF,
        "pt.bj.19b",
        (gr.NO_CARD_IS_OWED, gx.NO_CARD_IS_SET_ASIDE, gx.A_CARD_CAN_BE_CORRECTED, gx.LAST_CARD_IS_THE_BANKS),
        in_round=(R.PLAYING,),
    ),
    ActRule(
        a.ReportFaceUpCard,
        _DEALER_OR_CHIEF,
        "br.inc.2",
        (gx.LAST_CARD_IS_PROVISIONAL,),
        in_round=_CARDS_LIE,
    ),
    ActRule(
        a.CallForRuling,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        "br.inc.1",
        (gx.NO_RULING_IS_OWED,),
        in_session=(S.LOADED, S.IN_PLAY),
    ),
    ActRule(
        a.MakeRuling,
        (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        "br.inc.1",
        (gx.RULING_IS_OWED, gx.ACTOR_IS_THE_AUTHORITY, gx.OUTCOME_IS_POSSIBLE),
    ),
    # holds and incidents
    ActRule(
        a.AttendHold,
        _HOLD_PEOPLE,
        "pt.bj.51d",
        (gh.HOLD_STANDS, gh.ACTOR_MAY_END_THE_HOLD),
    ),
    ActRule(a.CallTechnician, _CHIEF, "pt.bj.51e", (gh.HOLD_STANDS, gh.HOLD_IS_ATTENDED)),
    ActRule(a.AttestRepair, (Role.TECHNICIAN,), "pt.bj.51e", (gh.HOLD_STANDS, gh.TECHNICIAN_WAS_CALLED)),
    ActRule(
        a.ClearHold,
        _HOLD_PEOPLE,
        "pt.bj.51d",
        (
            gh.HOLD_STANDS,
            gh.ACTOR_MAY_END_THE_HOLD,
            gh.HOLD_IS_ATTENDED,
            gh.HOLD_IS_NOT_CLEARED_YET,
            gh.REPAIR_IS_ATTESTED,
            *gh.EVIDENCE_GUARDS,
        ),
    ),
    ActRule(
        a.ConfirmHold,
        _CHIEF,
        "pt.bj.51d",
        (gh.HOLD_STANDS, gh.ACTOR_MAY_END_THE_HOLD, gh.HOLD_IS_CLEARED, *gh.EVIDENCE_GUARDS),
    ),
    ActRule(
        a.StateCardsMoved, _CHIEF, "pt.bj.51d", (gh.A_HOLD_IS_ATTENDED, gc.MOVE_IS_POSSIBLE, gc.CARDS_STAY_AT_THE_TABLE)
    ),
    ActRule(
        a.StateCount,
        _CHIEF,
        "pt.bj.55b",
        (gh.A_HOLD_IS_ATTENDED, gc.COUNT_IS_POSSIBLE, gc.CARDS_STAY_AT_THE_TABLE, gc.SHUFFLER_COUNT_IS_KNOWN),
        in_session=tuple(phase for phase in S if phase is not S.CLOSED),
    ),
    ActRule(
        a.StateOutage,
        _CHIEF,
        outage.CLAUSE,
        (outage.OUTAGE_IS_TO_BE_STATED, gh.A_HOLD_IS_ATTENDED, outage.CHIEF_HAS_NOT_STATED_IT),
    ),
    ActRule(a.ConfirmOutage, _DEALER, outage.CLAUSE, (outage.OUTAGE_IS_TO_BE_STATED, outage.CHIEF_HAS_STATED_IT)),
    ActRule(a.NameCard, _DEALER, "pt.bj.17a", (gc.CARD_WAITS_FOR_ITS_NAME, gc.CARD_BELONGS_TO_THE_DECKS)),
    ActRule(
        a.ReportDamagedCard,
        _DEALER_OR_CHIEF,
        "pt.bj.51a",
        (gc.NO_CARD_IS_DAMAGED_YET, gc.CARD_BELONGS_TO_THE_DECKS),
        in_session=_CARDS_OUT_OF_CLOSET,
    ),
    ActRule(
        a.ReplaceCard,
        _CHIEF,
        "pt.bj.51a",
        (
            gc.CARD_IS_DAMAGED,
            gp.CHIEF_PRESENT_FOR_HOLD,
            gc.ALONE_IF_AUTHORISED,
            gc.REPLACEMENT_IS_THE_SAME_CARD,
        ),
    ),
    ActRule(
        a.RecordAuthorisation,
        (Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER, Role.REGULATOR),
        "pt.bj.5c",
        (gc.CARD_IS_DAMAGED, gc.WHOLE_DECK_IS_REPLACED, gc.REFERENCE_IS_GIVEN),
    ),
    ActRule(
        a.ReplaceDeck,
        _CHIEF,
        "pt.bj.5b",
        (gc.CARD_IS_DAMAGED, gc.WHOLE_DECK_IS_REPLACED, gc.DECK_EXISTS, gp.CHIEF_PRESENT_FOR_HOLD),
    ),
    ActRule(a.RecordComplaint, _DEALER_OR_CHIEF, "pt.bj.61", (gr.SEATS_EXIST, gr.COMPLAINT_IS_IN_TIME)),
    ActRule(a.DecideComplaint, _CHIEF, "pt.bj.61", (gr.COMPLAINT_IS_OPEN,)),
    ActRule(a.ReportDuty, (Role.ROOM_MANAGER,), "pt.bj.51b", (gc.DUTY_IS_OPEN, gc.REFERENCE_IS_GIVEN)),
    # closing
    ActRule(
        a.IndicateClosing,
        (Role.DEALER, Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER),
        "pt.bj.55a",
        (gs.ROUND_IS_OVER,),
        session=SessionTrigger.CLOSING_INDICATED,
        needs=P.CLOSE,
    ),
    ActRule(
        a.BeginUnloading,
        _DEALER,
        "pt.bj.55a",
        (gs.CLOSING_IS_INDICATED, gp.CHIEF_PRESENT_FOR_UNLOADING),
        session=SessionTrigger.UNLOADING_BEGUN,
        needs=P.UNLOAD,
    ),
    ActRule(
        a.CompleteUnloading,
        _DEALER,
        "pt.bj.55a",
        (gp.CHIEF_PRESENT_FOR_UNLOADING, gs.NOTHING_IS_INSIDE),
        session=SessionTrigger.UNLOADING_COMPLETED,
        needs=P.UNLOAD,
    ),
    ActRule(a.EnterCards, _DEALER, "pt.bj.55b", in_session=(S.CHECKING,)),
    ActRule(a.EnterGrid, _DEALER, "pt.bj.55b", (gs.GRID_IS_WHOLE,), in_session=(S.CHECKING,)),
    ActRule(
        a.ConfirmDeckCheck,
        _DEALER,
        "pt.bj.55b",
        (gp.CHIEF_PRESENT_FOR_UNLOADING, gs.OTHER_HOLDS_ARE_ENDED, gs.NOTHING_IS_INSIDE),
        session=SessionTrigger.DECK_CHECK_CONFIRMED,
    ),
    ActRule(
        a.ProposeIrregularClosing,
        _CHIEF,
        "pt.bj.55b",
        (gs.A_COUNT_CANNOT_BE_MENDED,),
        in_session=_CARDS_OUT_OF_CLOSET,
    ),
    ActRule(
        a.ConfirmIrregularClosing,
        (Role.ROOM_MANAGER,),
        "pt.bj.55b",
        (gs.IRREGULAR_CLOSING_IS_PROPOSED, gs.A_COUNT_CANNOT_BE_MENDED, gs.TWO_PEOPLE_CLOSE),
        session=SessionTrigger.IRREGULAR_CLOSING_CONFIRMED,
    ),
)

_BY_ACT: dict[type[a.Act], ActRule] = {rule.act: rule for rule in ACT_RULES}


def rule_for(act: a.Act) -> ActRule:
    """The row of this act."""
    return _BY_ACT[type(act)]
