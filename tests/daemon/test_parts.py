"""Lamp and buzzer of a real controller follow the core's wishes. Key and badge alone give no right."""

from collections.abc import Callable, Iterator

import msgspec
import pytest
from msgspec.structs import replace

from controller.config import read_config
from controller.daemon.parts import part_opener
from controller.staff import load_staff
from drivers.errors import PortRefused
from simulators.demo.parts import TableParts
from tests.daemon.badges import hold_badge
from tests.daemon.rig import BADGE, CHIEF, DEALER, PINS, TECHNICIAN, Rig, Status
from tests.found import stands_in
from tests.waiting import wait_for

pytestmark = pytest.mark.waits


@pytest.fixture
def table(rig: Rig, parts: TableParts) -> Iterator[Rig]:
    rig.start()
    rig.connected()
    yield rig
    rig.kill()


def told(table: Rig, what: Callable[[Status], bool]) -> Status:
    """Subscribes, jams a card, and returns the subscriber's first status for which `what` is true."""
    known: Status = {}
    with table.client() as client:
        for answer in client.changes():
            if not known:
                table.host.call(table.shuffler.jam)
            known |= msgspec.json.decode(msgspec.json.encode(answer.status or answer.changed))
            if what(known):
                break
    return known


def test_a_jam_lights_the_lamp_and_sounds_the_alarm_for_long_enough(table: Rig, parts: TableParts) -> None:
    wait_for(lambda: not parts.lamp_is_lit)
    assert table.status()["devices"]["lamp"]["text"] == "dark"
    status = told(table, lambda status: status["devices"]["buzzer"]["text"] == "sounding")
    wait_for(lambda: parts.lamp_is_lit)
    assert status["devices"]["lamp"]["text"] == "lit"
    wait_for(lambda: len(parts.alarms_s()) == 1)
    assert parts.alarms_s()[0] >= 1.5
    assert parts.lamp_is_lit, "the lamp stays lit when the alarm is over"


def test_the_controller_s_death_lights_the_lamp(table: Rig, parts: TableParts) -> None:
    wait_for(lambda: not parts.lamp_is_lit)
    table.kill()
    wait_for(lambda: parts.lamp_is_lit)
    table.start()
    wait_for(lambda: not parts.lamp_is_lit)


def test_a_key_and_a_badge_are_shown_and_open_nothing(table: Rig, parts: TableParts) -> None:
    before = table.status()
    assert before["presented"] is None
    table.host.call(lambda now_s: parts.key.turn(now_s, on=True))
    hold_badge(table, parts, BADGE, lambda: table.status()["presented"])
    status = table.until(
        lambda status: status["presented"] is not None and "turned on" in status["devices"]["key_switch"]["text"]
    )
    assert status["presented"] == {"person": CHIEF, "role": "chief_supervisor", "by": "badge-and-key"}
    assert status["present"] == before["present"] == []
    assert status["next"] == before["next"]
    assert table.act("sign-in", CHIEF, "0000", operation="loading").ok is False, "a badge is no PIN"
    assert table.status()["present"] == []


def test_a_technician_sees_the_lamp_lit_and_hears_the_buzzer(table: Rig, parts: TableParts) -> None:
    wait_for(lambda: not parts.lamp_is_lit)
    with table.client() as client:
        assert client.ask("sign-in", person=TECHNICIAN, pin=PINS[TECHNICIAN], purpose="look").ok
        client.ask("try", device="lamp")
        wait_for(lambda: parts.lamp_is_lit)
        client.ask("try", device="buzzer")
        wait_for(lambda: len(parts.alarms_s()) == 1)
        wait_for(lambda: not parts.lamp_is_lit)
    assert table.status()["holds"] == []
    table.act("sign-in", DEALER, operation="table")
    table.act("open-session", DEALER)
    with table.client() as client:
        assert client.ask("sign-in", person=TECHNICIAN, pin=PINS[TECHNICIAN], purpose="look").ok
        client._read()  # the hands, once
        answer = client.ask("try", device="lamp")
        assert answer.error is not None
        assert answer.error.code == "table-in-use"
    assert not parts.lamp_is_lit


def test_a_badge_of_nobody_names_nobody(table: Rig, parts: TableParts) -> None:
    hold_badge(table, parts, "999999", lambda: any(line["event"] == "badge-unknown" for line in table.log_lines()))
    assert table.status()["presented"] is None
    assert not stands_in("999999", table.log.read_text()), "whose badge it is may be found out from its number"


def test_a_part_that_is_pulled_is_said_and_comes_back_without_disturbing_the_others(
    table: Rig, parts: TableParts
) -> None:
    del parts
    port = next(port for port in table.host._ports if port.link.name == "line-badge_reader")
    port.unplug()

    def is_gone(status: Status) -> bool:
        return not status["devices"]["badge_reader"]["connected"]

    assert "NOT CONNECTED" in table.until(is_gone)["devices"]["badge_reader"]["text"]
    port.plug()
    status = table.connected()
    assert status["devices"]["badge_reader"]["reconnects"] == 1
    assert status["devices"]["shuffler"]["reconnects"] == 0
    assert status["holds"] == []


def test_a_real_table_takes_no_pty_for_a_line(rig: Rig, parts: TableParts) -> None:
    del parts
    config = read_config(rig.config)
    for part in config.parts:
        part_opener(config, part)().close()
    config = replace(config, table=replace(config.table, simulated=False))
    for part in config.parts:
        with pytest.raises(PortRefused):
            part_opener(config, part)()


def test_badges_in_the_staff_file(rig: Rig, parts: TableParts) -> None:
    del parts
    book = load_staff(rig.directory / "staff.toml")
    owner = book.owner_of(BADGE)
    assert owner is not None
    assert owner.number == CHIEF
    assert book.owner_of("") is None, "people without a badge share none"
    assert book.owner_of(str(DEALER)) is None
