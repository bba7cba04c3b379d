"""Rows whose case no course of events reaches at a table of this profile: they are tried on states made by hand."""

from dataclasses import dataclass
from typing import Final

from controller.config.profile_file import law
from controller.core.custody.closing import ConfirmIrregularClosing
from controller.core.custody.corrections import MoveCard, ReportFaceUpCard, ReportHoleExposed, ReportMisdealt
from controller.core.custody.counting import StateCount, StateWholeCount
from controller.core.custody.damage import RecordAuthorisation, ReplaceCard, ReplaceDeck
from controller.core.custody.deck_check import EnterGrid
from controller.core.custody.opening import BeginLoading, ClosePacket
from controller.core.custody.putting_back import BeginPuttingBack
from controller.core.custody.state import Card
from controller.core.engine.act import Act
from controller.core.engine.decision import Refusal
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.decisions.doubling import DoubleDown
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.hands import HandId, PlayedHand, Stakes
from controller.core.games.blackjack.settling import Bet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.bets import RemoveBet
from controller.core.games.roulette.chips import ConfirmValue, ExchangeChips, TakeColourBack
from controller.core.games.roulette.stakes import Chips, Stake
from controller.core.games.roulette.state import ChipColour, Player, RouletteState
from controller.core.games.roulette.table import ROULETTE
from controller.core.hand_rules import BetLimits
from controller.core.house.deciding import refused
from controller.core.house.state import Hold, Presence, with_house
from controller.core.words import Cents, HoldId, HoldKind, HoldPhase, Operation, Role, RoundPhase, SessionPhase, TableMs
from controller.scenario.table import make_table
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, SEAT_CARD, C, D, dealt, in_play, present, with_profile
from tests.core.table import CHIEF, MANAGER, SETUP

LIMITS: Final = BetLimits(Cents(1_000), Cents(30_000), Cents(50))


@dataclass(frozen=True, slots=True)
class Case:
    """An act in a state, and the guard that must refuse it; without a guard it must be allowed."""

    guard: str
    state: BlackjackState | RouletteState
    act: Act

    def fails(self) -> bool:
        refusal = self._refused()
        if refusal is None or not self.guard:
            return (refusal is None) == bool(self.guard)
        return refusal.guard != self.guard

    def _refused(self) -> Refusal | None:
        is_wheel = isinstance(self.state, RouletteState)
        return refused(ROULETTE, self.state, self.act) if is_wheel else refused(TABLE, self.state, self.act)


def _opened() -> BlackjackState:
    """Macau with the shuffler: cards are loaded without display and mixing (mo.2.1.2)."""
    state = changed(present(in_play()), setup=with_profile("mo-csm"), session=SessionPhase.OPENED, deck_set=1)
    status = state.devices.shuffler.status
    empty = None if status is None else replace(status, inside=0)
    return replace(state, devices=replace(state.devices, shuffler=replace(state.devices.shuffler, status=empty)))


def _box_held(session: SessionPhase) -> BlackjackState:
    """A journal that cannot be written holds a table in any session; here no device counts."""
    setup = replace(with_profile("mo-box"), decks=1, has_reader=False)
    hold = Hold(HoldId(1), HoldKind.JOURNAL_FAULT, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF)
    return changed(present(in_play()), setup=setup, session=session, holds=(hold,))


def _damaged(profile: str) -> BlackjackState:
    at, hold = TableMs(0), Hold(HoldId(1), HoldKind.DAMAGED_CARD, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF)
    here = (Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.HOLD, at, at),)
    return changed(in_play(), setup=with_profile(profile), damaged=Card("4D"), holds=(hold,), present=here)


_COUNT: Final = Hold(HoldId(1), HoldKind.COUNT, HoldPhase.ATTENDED, TableMs(0))

DAMAGED: Final = _damaged("pt-shoe")


def _without_reader(state: BlackjackState) -> BlackjackState:
    link = replace(state.devices.reader.link, connected=False)
    return replace(state, devices=replace(state.devices, reader=replace(state.devices.reader, link=link)))


def _lid_open(state: BlackjackState) -> BlackjackState:
    status = state.devices.shuffler.status
    is_open = None if status is None else replace(status, lid_open=True)
    return replace(state, devices=replace(state.devices, shuffler=replace(state.devices.shuffler, status=is_open)))


def _wheel_closed() -> RouletteState:
    """A closed wheel with a player and his chips: as a session of the rules' version 10 could end."""
    at, chips = TableMs(0), Cents(1_000)
    setup = make_table("pt-roulette", [("tracks", "bets")]).setup
    state = replace(
        ROULETTE.initial(setup),
        players=(Player(1, ChipColour.RED, chips),),
        stakes=(Stake(2, "red", Chips.COLOUR, chips, chips),),
    )
    return with_house(state, present=(Presence(*D, Operation.TABLE, at, at),))


def _confirmed(state: RouletteState) -> RouletteState:
    return replace(state, players=tuple(replace(one, is_confirmed=True) for one in state.players))


CASES: Final = (
    Case("session_is_at_this_step", _wheel_closed(), ConfirmValue(*D, 1)),
    Case("session_is_at_this_step", _confirmed(_wheel_closed()), ExchangeChips(*D, 1, 1)),
    Case("session_is_at_this_step", _wheel_closed(), TakeColourBack(*D, 1)),
    Case("session_is_at_this_step", _wheel_closed(), RemoveBet(*D, 2, "red")),
    Case("devices_are_ready", _without_reader(dealt(phase=RoundPhase.BETTING)), AnnounceNoMoreBets(*D)),
    Case("shuffler_is_ready", _lid_open(dealt(phase=RoundPhase.COLLECTED)), BeginPuttingBack(*D)),
    Case("deck_set_is_numbered", changed(_opened(), deck_set=None), BeginLoading(*D)),
    Case("", _opened(), BeginLoading(*D)),
    Case(
        "counts_are_settled",
        changed(present(in_play()), session=SessionPhase.MIXED, holds=(_COUNT,)),
        BeginLoading(*D),
    ),
    Case(
        "session_is_at_this_step",
        changed(present(in_play()), packet_open=True),
        ClosePacket(*C),
    ),
    Case(
        "a_card_is_inside",
        changed(dealt(*DEAL), book=replace(in_play().custody.book, inside=0)),
        DrawCard(*D, 1),
    ),
    Case(
        "a_card_is_inside",
        changed(
            replace(dealt(*DEAL), setup=replace(SETUP, hand_rules=law("pt-csm").hand_rules(LIMITS))),
            book=replace(in_play().custody.book, inside=0),
            stakes=Stakes(hands=(PlayedHand(HandId(1), (Bet(1, Cents(1_000)),), 1),)),
        ),
        DoubleDown(*D, 1),
    ),
    Case(
        "error_is_not_to_be_rectified",
        dealt(*DEAL, SEAT_CARD, profile="mo-csm"),
        ReportMisdealt(*D, seen=True),
    ),
    Case("round_is_at_this_step", dealt(*DEAL, phase=RoundPhase.SETTLED), MoveCard(*D, 0)),
    Case("exposed_card_is_discarded", dealt(*DEAL, profile="mo-box"), ReportHoleExposed(*D)),
    Case("round_is_at_this_step", dealt(*DEAL, phase=RoundPhase.SETTLED), ReportHoleExposed(*D)),
    Case("round_is_at_this_step", dealt(*DEAL, phase=RoundPhase.SETTLED), ReportFaceUpCard(*D)),
    Case(
        "count_is_possible",
        changed(in_play(), holds=(_COUNT,)),
        StateCount(*C, rack=-1, table=0, pending=0, in_hand=0, outside=0),
    ),
    Case("count_is_possible", _box_held(SessionPhase.IN_PLAY), StateWholeCount(*C, 53, -1, 0, 0, 0, 0)),
    Case("session_is_at_this_step", _box_held(SessionPhase.CLOSED), StateWholeCount(*C, 0, 0, 0, 0, 0, 52)),
    Case("card_alone_is_authorised", _damaged("pt-shoe"), ReplaceCard(*C, Card("4D"))),
    Case("reference_is_given", _damaged("pt-shoe"), RecordAuthorisation(*C, " ")),
    Case("deck_exists", _damaged("pt-shoe"), ReplaceDeck(*C, 7)),
    Case(
        "supervisor_is_present_for_hold",
        changed(_damaged("pt-shoe"), present=()),
        ReplaceDeck(*C, 2),
    ),
    Case(
        "grid_is_whole",
        changed(present(in_play()), session=SessionPhase.CHECKING),
        EnterGrid(*D, (1,) * 51, 0),
    ),
    Case(
        "a_count_cannot_be_mended",
        changed(in_play(), irregular_proposed_by=CHIEF),
        ConfirmIrregularClosing(MANAGER, Role.ROOM_MANAGER),
    ),
    Case(
        "two_people_close",
        changed(in_play(), irregular_proposed_by=MANAGER, holds=(_COUNT,)),
        ConfirmIrregularClosing(MANAGER, Role.ROOM_MANAGER),
    ),
)
