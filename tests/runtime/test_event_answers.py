"""The runtime gives every event an answer, and it is the core's own."""

from collections.abc import Callable
from enum import Enum
from typing import Any, get_args

import pytest

from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.opening import OpenPacket
from controller.core.custody.state import Card, Identity
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.hold_acts import AttendHold
from controller.core.words import Device, HoldKind, JamPlace
from controller.devices.device_kinds import TDP_KINDS, device_of
from controller.devices.event_answers import ROWS, Answer, EventRow, When, answer_to, variant_of
from controller.devices.translate import translate
from controller.runtime.log_events import LogEvents
from drivers import events as driver
from drivers.unproven import unproven_identity
from firmware_protocols.angel_eye import words as angel
from firmware_protocols.cammegh import spins
from firmware_protocols.cards import UNREAD, card_byte
from firmware_protocols.tdp import display, shoe, shuffler
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.schema import DeviceKind
from tests.core.table import CHIEF, DEALER, CoreTable

EIGHT = card_byte("8S")
TELEGRAMS: dict[type, Callable[[Any], angel.Telegram]] = {
    angel.Started: lambda _: angel.Started(),
    angel.StandBy: lambda _: angel.StandBy(),
    angel.GameEnded: lambda _: angel.GameEnded(angel.Winner.TIE, player_pair=False, banker_pair=True),
    angel.CardDrawn: lambda target: angel.CardDrawn(EIGHT, target, 1),
    angel.CardRetransmitted: lambda _: angel.CardRetransmitted(EIGHT, angel.Target.PLAYER, 1),
    angel.CardDrawnOutside: lambda reason: angel.CardDrawnOutside(EIGHT, reason, 0),
    angel.CutCardDrawn: lambda _: angel.CutCardDrawn(),
    angel.ErrorRaised: lambda code: angel.ErrorRaised(code or 63, halted=True),
    angel.ErrorCleared: lambda _: angel.ErrorCleared(1),
    angel.LockChanged: lambda _: angel.LockChanged(locked=False),
    angel.PresetChanged: lambda _: angel.PresetChanged("07", "0001"),
}
OF_SHUFFLER: dict[type, shuffler.ShufflerEvent] = {
    type(event): event
    for event in (
        shuffler.ShufflerStarted(StartCause.POWER_ON), shuffler.CardIn(), shuffler.CardOut(), shuffler.PathCleared(),
        shuffler.Jammed(shuffler.Place.MOUTH, 1), shuffler.JamEnded(), shuffler.CardRetried(shuffler.Place.MOUTH, 2),
        shuffler.LidOpened(), shuffler.LidClosed(), shuffler.Recounted(7, 312),
    )
}  # fmt: skip
OF_SHOE: dict[type, shoe.ShoeEvent] = {
    type(event): event
    for event in (
        shoe.ShoeStarted(StartCause.POWER_ON), shoe.CardPassed(1, EIGHT), shoe.ReaderErrorRaised(1),
        shoe.ReaderErrorCleared(1),
    )
}  # fmt: skip
OF_WHEEL = set(get_args(spins.SpinEvent))
OF_CARDS = [row for row in ROWS if row.event not in OF_WHEEL]
OF_DISPLAY: dict[type, display.DisplayEvent] = {
    type(event): event for event in (display.DisplayStarted(StartCause.POWER_ON), display.DisplayFaulted(1))
}


def variants(event: type) -> list[Enum | None]:
    """Returns the parts of an event that may each have a row; None stands for all other parts."""
    known: dict[type, list[Enum | None]] = {
        angel.ErrorRaised: [*angel.ErrorCode, None],
        angel.CardDrawn: [*angel.Target],
        angel.CardDrawnOutside: [*angel.OutsideReason],
        driver.CardsMayHavePassed: [*driver.UnseenCause],
    }
    return known.get(event, [None])


def test_every_event_that_a_driver_can_report_has_its_row() -> None:
    of_any = set(get_args(driver.DriverEvent)) - {driver.Reported}
    reported = {row.made for kind in TDP_KINDS.values() for row in kind.schema.events} | set(get_args(angel.Telegram))
    reported |= OF_WHEEL  # tests/roulette/test_wheel_line.py tries them
    wanted = {(event, variant) for event in of_any | reported for variant in variants(event)}
    assert {(row.event, row.variant) for row in ROWS} == wanted
    assert len(ROWS) == len(wanted)


# --- the core's answers


def told(table: CoreTable, row: EventRow, *, same: bool = True) -> tuple[Device, driver.DriverEvent]:
    """Returns the row's event as its driver would report it at this table now, and the device."""
    number = table.number + 100
    if row.event in TELEGRAMS:
        telegram = TELEGRAMS[row.event](row.variant)
        return Device.SHOE, driver.Reported(1, number, telegram, driver.AngelEyeStatus(None, None))
    if row.event in OF_SHUFFLER:
        event = OF_SHUFFLER[row.event]
        return Device.SHUFFLER, driver.Reported(1, number, event, status_after(table, event))
    if row.event in OF_SHOE:
        return Device.SHOE, driver.Reported(1, number, OF_SHOE[row.event], shoe.ShoeStatus(1))
    if row.event in OF_DISPLAY:
        event = OF_DISPLAY[row.event]
        return Device.JACKPOT_DISPLAY, driver.Reported(1, number, event, display.DisplayStatus(0))
    if (reported := of_its_table(row, number)) is not None:
        return reported
    return Device.SHOE, of_any_device(row, boot=1 if same else 2)


def of_its_table(row: EventRow, number: int) -> tuple[Device, driver.Reported] | None:
    """Returns the event, with its first values, at a table with such a device; None for an event of the lists above."""
    for schema in (kind.schema for kind in TDP_KINDS.values()):
        for message in schema.events:
            if message.made is row.event:
                values = [next(iter(one.choices.values())) if one.choices else one.low for one in message.fields]
                told = driver.Reported(1, number, message.made(*values), schema.status.made())
                return device_of(schema.kind), told
    return None


def of_any_device(row: EventRow, boot: int) -> driver.DriverEvent:
    status = shoe.ShoeStatus(1)
    who = replace(unproven_identity(DeviceKind.SHOE, "R", boot=boot, simulated=True), serial="R1", firmware="1.0")
    events: dict[type, driver.DriverEvent] = {
        driver.DeviceConnected: driver.DeviceConnected(who, status),
        driver.DeviceLost: driver.DeviceLost(driver.LostReason.PORT_LOST, "", command_unknown=False),
        driver.DeviceRefused: driver.DeviceRefused(driver.Mismatch.SERIAL, "R1", "R2"),
        driver.EventsMissed: driver.EventsMissed(1, 2),
        driver.StatusHeard: driver.StatusHeard(status),
        driver.CommandRefused: driver.CommandRefused(shoe.ShoeApply(locked=True), shoe.ShoeResult.BAD_COMMAND, status),
        driver.CommandUndone: driver.CommandUndone(boot, status),  # at the second time the table is held
    }
    if row.event is driver.CardsMayHavePassed:
        assert isinstance(row.variant, driver.UnseenCause)
        return driver.CardsMayHavePassed(row.variant, None)
    return events[row.event]


def status_after(table: CoreTable, event: shuffler.ShufflerEvent) -> shuffler.ShufflerStatus:
    now = table.status
    moved = {shuffler.CardIn: (1, 0), shuffler.CardOut: (0, 1)}.get(type(event), (0, 0))
    jams = isinstance(event, shuffler.Jammed)
    return shuffler.ShufflerStatus(
        cards_in=now.cards_in + moved[0],
        cards_out=now.cards_out + moved[1],
        inside=(now.inside or 0) + moved[0] - moved[1],
        release_until=now.cards_out,
        jams=now.jams + jams,
        recounts=now.recounts,
        jammed=jams or now.jammed,
        path_blocked=jams or now.path_blocked,
        lid_open=isinstance(event, shuffler.LidOpened),
        counts_unknown=not now.counts_known,
    )


def idle() -> CoreTable:
    table = CoreTable()
    table.open()
    return table


def dealing() -> CoreTable:
    table = idle()
    table.act(TakeBets, DEALER, seats=(1, 3))
    table.act(AnnounceNoMoreBets, DEALER)
    return table


def loading() -> CoreTable:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load()
    table.act(OpenPacket, CHIEF)
    return table


def attended() -> CoreTable:
    table = idle()
    table.jam(JamPlace.CAROUSEL)
    table.act(AttendHold, CHIEF, hold=table.state.house.holds[0].id)
    return table


def counts_unknown() -> CoreTable:
    table = idle()
    table.status = replace(table.status, counts_known=False)
    table.put(ShufflerStatusHeard(table.status))
    return table


TABLES: dict[When, tuple[Callable[[], CoreTable], Callable[[], CoreTable]]] = {
    When.ALWAYS: (dealing, dealing),
    When.OWED: (dealing, idle),
    When.FACE_UP_OWED: (dealing, idle),
    When.FEED_DUE: (loading, idle),
    When.CHIEF_ATTENDS: (attended, idle),
    When.SAME_DEVICE: (dealing, dealing),
    When.COUNTS_PROVE: (dealing, counts_unknown),
    When.DONE: (dealing, dealing),
}


def happens(table: CoreTable, device: Device, event: driver.DriverEvent) -> tuple[bool, set[HoldKind]]:
    """Reports the event to the table.

    Returns True where the journal gets an entry of it, and the raised kinds of hold.
    """
    before = {(hold.id, hold.times) for hold in table.state.house.holds}

    def identify(byte: int) -> Identity:
        return Identity(None if byte == UNREAD else Card("8S"), None)

    fact = translate(device, event, identify)
    if fact is not None:
        table.put(fact)
    return fact is not None, {hold.kind for hold in table.state.house.holds if (hold.id, hold.times) not in before}


def name(row: EventRow) -> str:
    return f"{row.event.__name__}-{row.variant.name if row.variant else ''}"


@pytest.mark.parametrize("row", OF_CARDS, ids=name)
def test_the_core_answers_as_the_table_says(row: EventRow) -> None:
    table = TABLES[row.when][0]()
    if row.when in {When.OWED, When.FACE_UP_OWED} and row.event is not shuffler.CardOut:
        table.count_out()  # the card that the reader reports
    device, event = told(table, row)
    recorded, holds = happens(table, device, event)
    assert holds == ({row.hold} if row.answer is Answer.HOLD else set())
    assert recorded or row.answer is Answer.COUNT


@pytest.mark.parametrize("row", [row for row in OF_CARDS if row.otherwise is not None], ids=name)
def test_the_core_answers_otherwise_as_the_table_says(row: EventRow) -> None:
    table = TABLES[row.when][1]()
    device, event = told(table, row, same=False)
    recorded, holds = happens(table, device, event)
    assert recorded
    assert holds == {row.otherwise}


@pytest.mark.parametrize("row", OF_CARDS, ids=name)
def test_every_event_finds_its_row(row: EventRow) -> None:
    _, event = told(dealing(), row)
    assert answer_to(event) is row


def test_a_code_that_nobody_knows_is_the_rest() -> None:
    assert variant_of(angel.ErrorRaised(63, halted=False)) is None


@pytest.mark.parametrize("row", [row for row in OF_CARDS if row.answer is Answer.NOTE], ids=name)
def test_a_note_is_a_line_of_the_log_that_names_no_card(row: EventRow) -> None:
    log = LogEvents()
    log.tell_device(*told(dealing(), row))
    [line] = log.drain()
    names = {key for key, _ in line.values}
    assert not names & {"event", "level", "timestamp"}, "words of the log itself"
    assert "8S" not in repr(line)
