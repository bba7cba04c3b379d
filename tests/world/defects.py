"""Defects to be planted: each is a patch on production code, made by a test and removed after it, never a switch.

A row has the broken behaviour, the patch, the faults that reveal it, and words of the violation that must report it.
Defects without faults are planted before written scenarios (tests/scenario/test_planted_defects.py).
"""

# ruff: noqa: ANN401 - a patch takes whatever the patched function takes

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from controller.core.custody import closing, corrections, counting, desired, drawing, rulings, set_aside
from controller.core.custody import evidence as guards_holds
from controller.core.custody.books import NOTHING_LOADED
from controller.core.custody.opening import OpenPacket
from controller.core.engine.act import Fact
from controller.core.engine.replacing import replace
from controller.core.games.blackjack import settlement
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.attendance import CHIEF_PRESENT_FOR_LOADING
from controller.core.house.facts import ControllerStarted, DeviceConnected
from controller.core.house.hold_table import Evidence
from controller.core.house.holds import end_holds
from controller.core.house.state import State
from controller.core.words import HoldKind, TableMs
from controller.games import intake
from controller.journal import copies
from controller.journal.format import Bad, Torn
from controller.journal.recovery import TornTail, Walk
from controller.runtime.kernel import Runtime
from controller.runtime.log_events import Level
from controller.runtime.settling import Settling
from controller.runtime.timers import Timers
from drivers.deduplicator import EventDeduplicator
from drivers.events import ConnectionEvent, Reported
from drivers.tdp_driver import TdpDriver
from firmware_protocols.cards import card_text
from firmware_protocols.tdp.inbox import Arrival, EventInbox
from firmware_protocols.tdp.shoe import CardPassed
from simulators.world.fault_kinds import FaultKind as K

Patch = Callable[[pytest.MonkeyPatch], None]


@dataclasses.dataclass(frozen=True)
class Defect:
    name: str
    plant: Patch
    faults: frozenset[K]
    bound: int  # of the seeds, from 1, within which it must be found
    tells: str  # words of the violation that must report it: they name the oracle
    rounds: int = 3
    first: int = 1  # the seed that found it when this row was written


def acknowledge_before_commit(patch: pytest.MonkeyPatch) -> None:
    settle = Settling.settle

    def eager(self: Settling, durable: State, latest: State, now_s: float, *, is_sound: bool) -> None:
        self._devices.acknowledge(latest)
        settle(self, durable, latest, now_s, is_sound=is_sound)

    patch.setattr(Settling, "settle", eager)


def dedupe_by_inequality(patch: pytest.MonkeyPatch) -> None:
    def arrive(self: EventInbox, number: int) -> Arrival:
        if number == self.taken:
            return Arrival.DUPLICATE
        self.taken = number
        return Arrival.NEXT

    def is_new(self: EventDeduplicator, number: int) -> bool:
        is_other, self._last = number != self._last, number
        return is_other

    patch.setattr(EventInbox, "arrive", arrive)
    patch.setattr(EventInbox, "commit", _commit_whatever)
    patch.setattr(EventDeduplicator, "is_new", is_new)
    patch.setattr(intake, "_is_taken", lambda event, link: event.number == link.taken)


def _effect_of(fact: type[Fact]) -> Any:
    return TABLE.by_fact[fact].effect


def _change_effect(patch: pytest.MonkeyPatch, fact: type[Fact], effect: Any) -> None:
    patch.setitem(TABLE.by_fact, fact, replace(TABLE.by_fact[fact], effect=effect))


def dedupe_lost_at_restart(patch: pytest.MonkeyPatch) -> None:
    started = _effect_of(ControllerStarted)

    def forgetful(state: BlackjackState, event: Any, at_ms: TableMs) -> BlackjackState:
        after = started(state, event, at_ms)
        shuffler, reader = after.devices.shuffler, after.devices.reader
        forgotten = replace(
            after.devices,
            shuffler=replace(shuffler, link=replace(shuffler.link, taken=0)),
            reader=replace(reader, link=replace(reader.link, taken=0)),
        )
        return replace(after, devices=forgotten)

    _change_effect(patch, ControllerStarted, forgetful)


def lamp_off_after_restart(patch: pytest.MonkeyPatch) -> None:
    is_wanted = desired.lamp_is_wanted
    patch.setattr(desired, "lamp_is_wanted", lambda state: state.house.start_number == 1 and is_wanted(state))


def count_not_compared_after_a_jam(patch: pytest.MonkeyPatch) -> None:
    evidence = guards_holds._evidence

    def blind(kind: Evidence, state: BlackjackState, hold: Any) -> bool:
        is_skipped = kind is Evidence.COUNTS_AGREE and hold.kind is HoldKind.JAM
        return is_skipped or evidence(kind, state, hold)

    patch.setattr(guards_holds, "_evidence", blind)


def presence_not_checked_for_packet_two(patch: pytest.MonkeyPatch) -> None:
    rule = TABLE.by_act[OpenPacket]
    watched = CHIEF_PRESENT_FOR_LOADING
    lax = replace(watched, holds=lambda state: bool(state.custody.packets) or watched.holds(state))
    kept = tuple(lax if guard is watched else guard for guard in rule.guards)
    patch.setitem(TABLE.by_act, OpenPacket, dataclasses.replace(rule, guards=kept))


def retransmission_counted_as_a_draw(patch: pytest.MonkeyPatch) -> None:
    def arrive(self: EventInbox, number: int) -> Arrival:
        if number > self.taken + 1:
            return Arrival.TOO_EARLY
        self.taken = max(self.taken, number)
        return Arrival.NEXT

    patch.setattr(EventInbox, "arrive", arrive)
    patch.setattr(EventDeduplicator, "is_new", lambda self, number: True)
    patch.setattr(intake, "_is_taken", lambda _event, _link: False)


def unknown_outcome_resent(patch: pytest.MonkeyPatch) -> None:
    bring_about = TdpDriver._bring_about

    def blindly(self: Any, now_s: float) -> None:
        is_first = not self._tried and self.status is not None and self._desired is not None
        if is_first and self.end is None and not self._link.command_outstanding:
            self._sent = self._guidance.command(self._desired, self.status)
            self._asked = (self._desired, True)
            self._link.send_command(self._schema.encode_command(self._sent), now_s)
        bring_about(self, now_s)

    patch.setattr(TdpDriver, "_bring_about", blindly)


def hold_cleared_by_reconnect(patch: pytest.MonkeyPatch) -> None:
    connected = _effect_of(DeviceConnected)

    def forgiving(state: BlackjackState, event: Any, at_ms: TableMs) -> BlackjackState:
        after = connected(state, event, at_ms)
        return end_holds(after, lambda hold: hold.kind is HoldKind.DEVICE_LOST and hold.device is event.device)

    _change_effect(patch, DeviceConnected, forgiving)


def table_time_from_the_wall_clock(patch: pytest.MonkeyPatch) -> None:
    init = Runtime.__init__

    class WallTable:
        def __init__(self, clock: Any, read_wall: Any, began_ms: int) -> None:
            self.when_s = clock.when_s
            self._read_wall, self._offset_ms = read_wall, began_ms - read_wall().ms

        def read(self, _now_s: float) -> TableMs:
            return TableMs(max(0, self._read_wall().ms + self._offset_ms + 1))

    def with_wall(self: Any, start: Any, devices: Any, seals: Any, read_wall: Any, now_s: float, sign: Any) -> None:
        init(self, start, devices, seals, read_wall, now_s, sign)
        self._clock = WallTable(self._clock, read_wall, start.table_ms)
        self._timers = Timers(self._clock, start.game.registry.deadlines)

    patch.setattr(Runtime, "__init__", with_wall)


def face_down_card_in_one_log_line(patch: pytest.MonkeyPatch) -> None:
    take = Runtime._take

    def chatty(self: Any, device: Any, event: Any, budget: Any, now_s: float) -> None:
        if isinstance(event, Reported) and isinstance(event.event, CardPassed):
            self.log.tell(Level.INFO, "card-passed", card=str(card_text(event.event.card)))
        take(self, device, event, budget, now_s)

    patch.setattr(Runtime, "_take", chatty)


def court_card_costs_a_moment(patch: pytest.MonkeyPatch) -> None:
    """The log line names no card: only the additional line reveals one."""
    take = Runtime._take

    def slower(self: Any, device: Any, event: Any, budget: Any, now_s: float) -> None:
        if isinstance(event, Reported) and isinstance(event.event, CardPassed):
            text = card_text(event.event.card)
            if text is not None and text[0] in "JQKA":
                self.log.tell(Level.INFO, "card-passed")
        take(self, device, event, budget, now_s)

    patch.setattr(Runtime, "_take", slower)


def torn_tail_accepted_as_a_record(patch: pytest.MonkeyPatch) -> None:
    fault = Walk._fault

    def lenient(self: Walk, number: int, size: int, found: Any, *, is_last: bool) -> None:
        if isinstance(found, Torn) and is_last:
            self.tip = replace(self.tip, size=size)
            return
        fault(self, number, size, found, is_last=is_last)

    patch.setattr(Walk, "_fault", lenient)


def damage_treated_as_a_torn_tail(patch: pytest.MonkeyPatch) -> None:
    fault = Walk._fault

    def cutting(self: Walk, number: int, size: int, found: Any, *, is_last: bool) -> None:
        if isinstance(found, Bad) and is_last:
            self.torn = TornTail(number, found.offset, size - found.offset, self.tip.next_seq)
            return
        fault(self, number, size, found, is_last=is_last)

    patch.setattr(Walk, "_fault", cutting)


def pending_card_forgotten_at_closing(patch: pytest.MonkeyPatch) -> None:
    all_outside = closing.all_outside

    def forgetful(book: Any, foreign: int) -> Any:
        return all_outside(replace(book, pending=0), foreign)

    patch.setattr(closing, "all_outside", forgetful)


def only_a_beginning_while_nothing_is_loaded(patch: pytest.MonkeyPatch) -> None:
    card_in = drawing._card_in

    def forgetful(state: BlackjackState, at_ms: TableMs) -> BlackjackState:
        return state if state.house.session in NOTHING_LOADED else card_in(state, at_ms)

    patch.setattr(drawing, "_card_in", forgetful)


def card_set_aside_outlives_its_round(patch: pytest.MonkeyPatch) -> None:
    for where in (corrections, rulings, set_aside, settlement):
        patch.setattr(where, "discard_set_aside", lambda state: state)


def burnt_card_stays_inside_by_the_book(patch: pytest.MonkeyPatch) -> None:
    """The defect forgets the machine's own figure, too: only the cards themselves reveal the difference."""
    lay, differences = drawing.move, counting.differences

    def forgetful(book: Any, source: Any, target: Any, count: int = 1) -> Any:
        return book if (source, target) == ("inside", "rack") else lay(book, source, target, count)

    patch.setattr(drawing, "move", forgetful)
    patch.setattr(counting, "differences", lambda state: differences(state) and ())


def cards_that_come_out_at_the_end_stay_inside_by_the_book(patch: pytest.MonkeyPatch) -> None:
    """The cards stay until the unloading is complete: without a round, only the check after a pause reveals it."""
    lay, differences = drawing.move, counting.differences

    def forgetful(book: Any, source: Any, target: Any, count: int = 1) -> Any:
        return book if (source, target) == ("inside", "outside") else lay(book, source, target, count)

    patch.setattr(drawing, "move", forgetful)
    patch.setattr(counting, "differences", lambda state: differences(state) and ())


def _commit_whatever(self: EventInbox, number: int) -> bool:
    is_news, self.committed = number > self.committed, max(self.committed, number)
    return is_news


RESTARTS = (K.PROCESS_KILLED, K.POWER_CUT, K.KILLED_TWICE)


def torn_end_of_the_second_copy_written_on(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(copies, "settle_shorter", lambda _target, _compared: None)


def only(*kinds: K) -> frozenset[K]:
    """Returns the kinds as a set: at most five, so that each of them comes in every world."""
    assert len(kinds) <= 5
    return frozenset(kinds)


LINES = only(K.LINK_LOSS, K.LINK_STALL, K.LINK_DUPLICATION, K.LINK_CUT)
JAMS_AND_RESTARTS = only(K.JAM_AT_FEED, K.JAM_AT_MOUTH, K.LID_OPENED, K.PROCESS_KILLED, K.POWER_CUT)
JAMS_AND_A_HAND = only(K.JAM_AT_FEED, K.JAM_IN_CAROUSEL, K.JAM_AT_MOUTH, K.CARD_TAKEN_OUT)
MISSTEPS = only(K.WRONG_KEY, K.FORGOTTEN_STEP, K.PERSON_AWAY)


def report_answered_by_a_wish_of_before(patch: pytest.MonkeyPatch) -> None:
    def told(self: TdpDriver[Any, Any, Any], event: ConnectionEvent) -> None:
        self.reported.append(event)

    patch.setattr(TdpDriver, "_report", told)


DEFECTS = (
    Defect(
        "cards that come out at the end stay inside by the book",
        cards_that_come_out_at_the_end_stay_inside_by_the_book,
        only(K.PERSON_SLOW),
        10,
        "all still",
        rounds=1,
    ),
    Defect("the burnt card stays inside by the book", burnt_card_stays_inside_by_the_book, only(), 3, "places agree"),
    Defect(
        "a report answered by a wish of before",
        report_answered_by_a_wish_of_before,
        only(K.LID_OPENED, K.JAM_AT_MOUTH, K.LID_SPRUNG),
        20,
        "a release was sent while",
        rounds=6,
    ),
    Defect("acknowledge before commit", acknowledge_before_commit, only(), 2, "acknowledged before it was durable"),
    Defect("dedupe by inequality", dedupe_by_inequality, only(K.BUFFER_FILLED, K.LINK_DELAY), 5, "event"),
    Defect("dedupe lost at restart", dedupe_lost_at_restart, only(*RESTARTS), 5, "missed is what was not taken"),
    Defect("lamp off after restart", lamp_off_after_restart, JAMS_AND_RESTARTS, 5, "the lamp is dark"),
    Defect(
        "count not compared after a jam", count_not_compared_after_a_jam, JAMS_AND_A_HAND, 10, "counts are compared"
    ),
    Defect(
        "presence not checked for packet two",
        presence_not_checked_for_packet_two,
        only(K.PERSON_AWAY),
        20,
        "chief supervisor at loading",
        rounds=1,
        first=4,
    ),
    Defect("retransmission counted as a draw", retransmission_counted_as_a_draw, LINES, 5, "event taken once"),
    Defect("unknown outcome resent", unknown_outcome_resent, only(K.LINK_CUT), 10, "sent blindly"),
    Defect("a hold cleared by reconnect", hold_cleared_by_reconnect, only(K.CABLE_PULLED), 5, "holds stand"),
    Defect(
        "table time from the wall clock", table_time_from_the_wall_clock, only(K.WALL_CLOCK_JUMPED), 10, "table time"
    ),
    Defect("face-down card in one log line", face_down_card_in_one_log_line, only(), 8, "secrecy", rounds=1, first=4),
    Defect("a torn tail accepted as a record", torn_tail_accepted_as_a_record, only(K.TORN_WRITE), 5, "journal"),
    Defect(
        "damage treated as a torn tail",
        damage_treated_as_a_torn_tail,
        only(K.BIT_FLIP),
        5,
        "not in the journal",
        first=2,
    ),
    Defect(
        "a torn end of the second copy is written on",
        torn_end_of_the_second_copy_written_on,
        only(K.COPY_FULL),
        5,
        "second copy: not a prefix",
    ),
    Defect(
        "a card pending forgotten at closing",
        pending_card_forgotten_at_closing,
        only(K.DOUBLE_FEED_OUT, K.CARD_TAKEN_OUT),
        20,
        "every card is somewhere",
    ),
    Defect(
        "a card fed before the loading holds nothing",
        only_a_beginning_while_nothing_is_loaded,
        only(K.CARD_FED_EARLY),
        5,
        "holds stand",
        rounds=1,
    ),
    Defect(
        "a card set aside outlives its round",
        card_set_aside_outlives_its_round,
        only(K.MISDEALT_UNSEEN, K.DISPUTED),
        12,
        "nothing lies aside",
        rounds=12,  # the next fault asks for it nearly always
        first=8,
    ),
)
