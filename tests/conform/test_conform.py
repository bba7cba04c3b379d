"""The conformance checks: the simulated devices pass them, and the fault of each broken firmware is found and named."""

import json
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree

import pytest
from msgspec import Struct, structs

import firmware_protocols.tdp
from controller.cli.main import main
from firmware_protocols.tdp import device_link, slots
from firmware_protocols.tdp.common import PlainResult, Query
from firmware_protocols.tdp.conform import line, refusals
from firmware_protocols.tdp.conform.bench import BadStatement, Bench, Deed, Statement, read_statement
from firmware_protocols.tdp.conform.book import Break
from firmware_protocols.tdp.conform.duties import EVERY, UNTRIED, WATCHED, binds, section_of
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.making import Made, make_check
from firmware_protocols.tdp.conform.model import Model
from firmware_protocols.tdp.conform.parts import SWITCHES
from firmware_protocols.tdp.conform.pictures import as_it_is
from firmware_protocols.tdp.conform.suite import CHECKS, KIT_VERSION, NUMBERS, Status, Verdict, make_checks, verdicts
from firmware_protocols.tdp.conform.text import numbers_of, words_by_number
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.display import DisplayStatus
from firmware_protocols.tdp.link import EVENTS_LOCK, FrameKind
from firmware_protocols.tdp.schema import DeviceKind, DeviceSchema, Nature
from firmware_protocols.tdp.shoe import ReaderErrorRaised, ShoeApply, ShoeStatus
from simulators.cli import main as sabot_sim
from simulators.devices.cards import make_cards
from simulators.devices.display import SimulatedDisplay
from simulators.devices.firmware import Hands, pairable
from simulators.devices.rig import Rig
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.slots import SimulatedSlots
from simulators.hands_socket import HandsSocket
from simulators.pty_port import PtyHost
from tests.conform.broken import (
    drawn_kinds,
    drawn_links,
    drawn_proofs,
    eighteenth_draw,
    eighteenth_draw_b,
    eighteenth_draw_c,
    eighteenth_draw_d,
    eighth_draw,
    eleventh_draw,
    events,
    fifteenth_draw,
    fifteenth_draw_b,
    fifteenth_draw_c,
    fifth_draw,
    fourteenth_draw,
    fourth_draw,
    frames,
    nineteenth_draw,
    nineteenth_draw_b,
    ninth_draw,
    others,
    proofs,
    second_draw,
    sessions,
    seventeenth_draw,
    seventeenth_draw_b,
    seventeenth_draw_c,
    seventeenth_draw_d,
    seventh_draw,
    shufflers,
    sixteenth_draw,
    sixteenth_draw_b,
    sixteenth_draw_c,
    sixth_draw,
    tenth_draw,
    third_draw,
    thirteenth_draw,
    thirteenth_draw_b,
    twelfth_draw,
)
from tests.conform.broken.follows import FOLLOWS, follows
from tests.conform.broken.table import KINDS, NOW_S, TABLE, Broken, Device, device_of
from tests.conform.line import LateLine, VirtualLine
from tests.in_process import run

pytestmark = pytest.mark.waits

MODULES = (
    *(events, frames, others, proofs, sessions, shufflers),
    *(
        drawn_links,
        drawn_kinds,
        drawn_proofs,
        second_draw,
        third_draw,
        fourth_draw,
        fifth_draw,
        sixth_draw,
        seventh_draw,
        eighth_draw,
        ninth_draw,
        tenth_draw,
        eleventh_draw,
        twelfth_draw,
        thirteenth_draw,
        thirteenth_draw_b,
        fourteenth_draw,
        fifteenth_draw,
        fifteenth_draw_b,
        fifteenth_draw_c,
        sixteenth_draw,
        sixteenth_draw_b,
        sixteenth_draw_c,
        seventeenth_draw,
        seventeenth_draw_b,
        seventeenth_draw_c,
        seventeenth_draw_d,
        eighteenth_draw,
        eighteenth_draw_b,
        eighteenth_draw_c,
        eighteenth_draw_d,
        nineteenth_draw,
        nineteenth_draw_b,
    ),
)  # the kinds whose firmwares stand in the table
BY_NAME = {check.name: check for check in CHECKS}
TEXT = (Path(firmware_protocols.tdp.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")


def host_of(device: Device, *, moves: bool = True, hands: bool = True, statement: Statement | None = None) -> Host:
    virtual = VirtualLine(device, NOW_S)
    bench: Bench | None = Rig(device, virtual.now_s) if hands else None
    return Host(virtual, device._schema, 1000, is_simulated=True, moves=moves, bench=bench, statement=statement)


def judged(host: Host) -> dict[str, Verdict]:
    return {one.number: one for one in verdicts(host, make_checks(host))}


def judged_by(host: Host, only: list[str]) -> dict[str, Verdict]:
    return {one.number: one for one in verdicts(host, make_checks(host, only=only))}


def numbers(found: dict[str, Verdict], status: Status) -> set[str]:
    return {number for number, one in found.items() if one.status is status}


# --- text and table


def test_every_number_of_the_text_has_its_row_and_every_row_its_number() -> None:
    in_text = Counter(numbers_of(TEXT))
    assert set(in_text) == set(NUMBERS)
    assert [number for number, times in in_text.items() if times > 1] == []


def test_no_number_of_a_section_is_left_out() -> None:
    by_section = {of: [one for one in NUMBERS if section_of(one) == of] for of in map(section_of, NUMBERS)}
    assert all(found == [f"{of}.{n}" for n in range(1, len(found) + 1)] for of, found in by_section.items())


def test_each_number_stands_in_its_section() -> None:
    for section in TEXT.split("\n## ")[1:]:
        place = section.split(" ", 1)[0]
        assert {number.partition(".")[0] for number in numbers_of(section)} <= {place}


def test_no_must_without_a_number() -> None:
    """Each "must" in the text about devices has a number; the tables name their own values."""
    body = TEXT.split("## 2 ", 1)[1].split("## 16 ", 1)[0]
    prose = "\n".join(row for row in body.splitlines() if not row.startswith("| ") or "[TDP-" in row)
    for sentence in prose.replace("\n", " ").split(". "):
        assert "must" not in sentence.lower() or "[TDP-" in sentence, sentence


def test_each_number_says_something() -> None:
    assert [number for number, words in words_by_number(TEXT).items() if len(words) < 20] == []


def test_each_number_has_a_check_or_a_reason_and_never_both() -> None:
    tried = {number for check in CHECKS for number in check.tries}
    assert tried | WATCHED | set(UNTRIED) == set(NUMBERS)
    assert not tried & set(UNTRIED)
    assert not tried & WATCHED
    assert not WATCHED & set(UNTRIED)


def test_each_number_with_a_check_has_a_firmware_that_breaks_it() -> None:
    of_the_statement = {"17.1", "11.1", "9.25"}  # tried below, each with a statement
    assert {broken.number for broken in TABLE} == set(NUMBERS) - set(UNTRIED) - of_the_statement


# --- good devices

OF_1_1 = {number for number in NUMBERS if number.startswith("18.")}
NOT_TRIED: dict[str, set[str]] = {"shoe": {"9.25", "11.1"}}


def its_own(device: Device, found: dict[str, Verdict]) -> set[str]:
    """The duties that a check can try here; a sensor has no duties of commands."""
    bound = {number for number in NUMBERS if binds(number, device._schema.kind) and number not in UNTRIED}
    return {number for number in bound if found[number].why != "nothing-to-switch"}


def test_what_is_told_something_has_something_to_switch() -> None:
    schemas = [device_of(kind, made)._schema for kind, made in KINDS.items()]
    told = {one.kind for one in schemas if any(row.nature is Nature.EFFECT for row in one.commands)}
    assert told == set(SWITCHES)


@pytest.mark.parametrize("kind", KINDS)
def test_a_device_of_1_0_keeps_every_duty_but_those_of_1_1(kind: str) -> None:
    device = device_of(kind, KINDS[kind])
    found = judged(host_of(device))
    assert [one for one in found.values() if one.status is Status.BROKEN] == []
    assert numbers(found, Status.KEPT) == its_own(device, found) - OF_1_1 - NOT_TRIED.get(kind, set())
    assert found["18.1"].why == "of-1-0"


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_device_keeps_every_duty(kind: str) -> None:
    device = device_of(kind, pairable(KINDS[kind]))
    found = judged(host_of(device))
    assert [one for one in found.values() if one.status is Status.BROKEN] == []
    assert numbers(found, Status.KEPT) == its_own(device, found) - NOT_TRIED.get(kind, set())


class ShutShoe(SimulatedShoe):
    """No card passes behind its lock: its reports then come from its reader."""

    def deeds(self) -> Mapping[Deed, Hands]:
        return {**super().deeds(), Deed.EVENT: self._report}

    def _report(self, now_s: float) -> None:
        if not self.status.locked:
            self.card_passes(make_cards(1)[0], now_s)
        elif self.status.error:
            self.clear_error(now_s)
        else:
            self.raise_error(1, now_s)


def test_a_card_is_asked_for_where_the_lock_lets_one_pass() -> None:
    device = pairable(ShutShoe)(now_s=NOW_S)
    found = judged(host_of(device))
    assert numbers(found, Status.BROKEN) == set()
    assert {"9.5", "11.9", "18.11", "18.12"} <= numbers(found, Status.KEPT)


class OpenShoe(SimulatedShoe):
    """The cover is opened and stays open, an error of its own, while the reader fails and is mended."""

    is_open = False
    ends_with_the_first = False

    def open_cover(self, now_s: float) -> None:
        self.is_open = True
        self._post(ReaderErrorRaised(3), now_s)
        self._settle(now_s)

    def clear_error(self, now_s: float) -> None:
        self.is_open = self.is_open and not self.ends_with_the_first
        super().clear_error(now_s)

    def _status(self) -> ShoeStatus:
        status = super()._status()
        return structs.replace(status, error=self.is_open or status.error)


class OpenShoeThatForgets(OpenShoe):
    """The first error that is cleared ends the flag for both."""

    ends_with_the_first = True


@pytest.mark.parametrize(("made", "broken"), [(OpenShoe, set()), (OpenShoeThatForgets, {"11.9"})])
def test_two_errors_stand_side_by_side(made: type[OpenShoe], broken: set[str]) -> None:
    device = made(now_s=NOW_S)
    host = host_of(device)
    host.open()
    make_check(BY_NAME["heartbeats-are-answered"], host)
    device.open_cover(host.line.now_s())
    found = {one.number: one for one in verdicts(host, make_checks(host, only=["11.9"]))}
    assert numbers(found, Status.BROKEN) == broken
    assert found["11.9"].status is (Status.BROKEN if broken else Status.KEPT)
    if broken:
        assert "errors [3] were raised and not cleared, and error is False" in found["11.9"].why


@pytest.mark.parametrize(("hands", "status"), [(True, Status.KEPT), (False, Status.NOT_TRIED)])
def test_hands_bring_the_first_event_back(hands: bool, status: Status) -> None:
    device = SimulatedShoe(now_s=NOW_S)
    device.card_passes(make_cards(1)[0], NOW_S)
    host = host_of(device, hands=hands)
    host.open()
    host.acknowledge(1)
    found = {one.number: one for one in verdicts(host, make_checks(host, only=["6.1"]))}
    assert found["6.1"].status is status


class HidesWhatIsWrong(SimulatedDisplay):
    """A display that shows its fault picture by other means than its panel where the panel cannot show an amount, or
    cannot show the fault picture, as `display-faulted` of PROTOCOL.md, section 16.
    """

    def _status(self) -> DisplayStatus:
        status = super()._status()
        is_wrong = self._wanted is not None and self._wanted != self._picture
        return structs.replace(status, fault_shown=status.fault_shown or is_wrong)


class KnowsOfItsFault(HidesWhatIsWrong):
    """A display whose panel says that it sticks, before any command."""

    def stick(self, now_s: float) -> None:
        super().stick(now_s)
        self._tell_stuck(now_s)


@pytest.mark.parametrize("made", [HidesWhatIsWrong, KnowsOfItsFault])
def test_a_display_may_show_its_fault_picture_where_its_panel_sticks(made: type[SimulatedDisplay]) -> None:
    found = judged(host_of(pairable(made)(now_s=NOW_S)))
    assert numbers(found, Status.BROKEN) == set()
    assert {"12.1", "12.2", "12.3"} <= numbers(found, Status.KEPT)


class SlowRig(Rig):
    """The switch is on a second before the rig reports so."""

    def do(self, deed: Deed, times: int, meanwhile: Callable[[], None]) -> bool:
        is_done = super().do(deed, times, meanwhile)
        for _ in range(10):
            meanwhile()
        return is_done


def test_a_switch_that_is_on_before_the_hands_say_so() -> None:
    device = pairable(SimulatedShoe)(now_s=NOW_S)
    virtual = VirtualLine(device, NOW_S)
    host = Host(virtual, device._schema, 1000, is_simulated=True, bench=SlowRig(device, virtual.now_s))
    found = {one.number: one for one in verdicts(host, make_checks(host, only=["18.17"]))}
    assert numbers(found, Status.BROKEN) == set()
    assert found["18.17"].status is Status.KEPT


def test_a_device_on_a_busy_computer_sends_at_once_all_the_same() -> None:
    device = SimulatedShoe(now_s=NOW_S)
    late = LateLine(device, NOW_S, 0.15)
    host = Host(late, device._schema, 1000, is_simulated=True, bench=Rig(device, late.now_s))
    found = {one.number: one for one in verdicts(host, make_checks(host, only=["6.8", "6.17"]))}
    assert numbers(found, Status.BROKEN) == set()
    assert {"6.8", "6.17"} <= numbers(found, Status.KEPT)


def test_a_heartbeats_reply_that_is_late_tells_of_a_slow_line() -> None:
    device = SimulatedShoe(now_s=NOW_S)
    host = Host(LateLine(device, NOW_S, 0.15), device._schema, 1000, is_simulated=True)
    host.open()
    host.listen(3.0)
    assert host.slowest_s >= 0.15


def test_a_check_that_cannot_be_made_leaves_its_duty_untried() -> None:
    """Without cards and hands a shuffler's silence, jam and start cannot be checked."""
    found = judged(host_of(device_of("shuffler", KINDS["shuffler"]), moves=False, hands=False))
    assert numbers(found, Status.BROKEN) == set()
    for number in ("9.12", "9.14", "9.15", "9.16", "9.17", "6.15", "10.7", "10.16"):
        assert (found[number].status, found[number].why) == (Status.NOT_TRIED, "cards-would-move")
    assert found["9.1"].why == "no-hands"
    assert found["12.1"].why == "other-kind"


def test_a_sensor_has_no_command_to_cut_short() -> None:
    query = tuple(row for row in slots.COMMANDS if not row.fields)
    schema = DeviceSchema(slots.SLOTS.kind, PlainResult, slots.STATUS, query, slots.EVENTS)
    host = Host(VirtualLine(SimulatedSlots(now_s=NOW_S), NOW_S), schema, 1000, is_simulated=True)
    assert make_check(BY_NAME["nonsense-is-a-bad-command"], host).broken is None


def test_a_sensor_is_tried_in_all_that_needs_no_switch(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a kind without switches, no check crashes or reports a broken duty."""
    monkeypatch.delitem(SWITCHES, DeviceKind.SLOTS)
    monkeypatch.delitem(refusals.SHOWN_AT_48, DeviceKind.SLOTS)
    of_any_kind = [check.name for check in CHECKS if check.kinds == EVERY]
    host = host_of(device_of("slots", KINDS["slots"]))
    found = {made.check.name: made for made in make_checks(host, only=of_any_kind)}
    assert [made for made in found.values() if made.broken is not None] == []
    assert found["the-next-command-is-executed"].skipped == "nothing-to-switch"
    for name in ("events-come-again-as-they-were", "forty-eight-lock-it", "heartbeats-are-answered"):
        assert found[name].skipped == ""


class LidStatus(Struct, frozen=True):
    lid_open: bool = False
    host_silent: bool = False


def test_a_walk_gives_a_sensor_the_query_alone_and_lets_hands_move_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(SWITCHES, DeviceKind.SLOTS)
    host = host_of(device_of("slots", KINDS["slots"]))
    assert as_it_is(host, None) == Query()
    model = Model(LidStatus(), Statement())
    model.start()
    assert list(model.sees(LidStatus(lid_open=True), NOW_S)) == []


class LosesTheFirst(VirtualLine):
    """The host's first heartbeats are lost, as many as `lost` says; behind each the computer is late by `late_s`."""

    lost = 0
    late_s = 0.0
    _is_late = False

    def say(self, data: bytes) -> None:
        is_lost = self.lost > 0 and data[2] == FrameKind.HEARTBEAT
        self.lost -= is_lost
        self._is_late |= is_lost
        if not is_lost:
            super().say(data)

    def hear(self, until_s: float) -> bytes:
        heard = super().hear(until_s)
        if not heard and self._is_late:
            self._now_s += self.late_s
            self._is_late = False
        return heard


@pytest.mark.parametrize(
    ("lost", "late_s", "status"),
    [
        (0, 0.0, Status.KEPT),
        (1, 0.0, Status.BROKEN),
        (1, 0.3, Status.NOT_TRIED),
        (99, 0.0, Status.BROKEN),
        (99, 0.3, Status.BROKEN),
    ],
)
def test_a_break_that_came_once_counts_unless_this_computer_was_late(lost: int, late_s: float, status: Status) -> None:
    device = shoe()
    lossy = LosesTheFirst(device, NOW_S)
    host = Host(lossy, device._schema, 1000, is_simulated=True)
    host.open()
    lossy.lost, lossy.late_s = lost, late_s
    found = {one.number: one for one in verdicts(host, make_checks(host, only=["heartbeats-are-answered"]))}
    assert found["7.2"].status is status
    assert found["7.2"].why.startswith("came-once:") is (status is Status.NOT_TRIED)


class StalledNowAndThen(LosesTheFirst):
    """Each eighth arrival waits for a second, as at a converter that is busy."""

    stall_s = 1.0
    _arrivals = 0

    def hear(self, until_s: float) -> bytes:
        heard = super().hear(until_s)
        self._arrivals += bool(heard)
        if heard and self._arrivals % 8 == 0:
            self._now_s += self.stall_s
        return heard


@pytest.mark.parametrize(("stall_s", "status"), [(0.0, Status.BROKEN), (1.0, Status.NOT_TRIED)])
def test_a_break_on_a_line_that_stalls_is_not_tried(stall_s: float, status: Status) -> None:
    device = shoe()
    stalling = StalledNowAndThen(device, NOW_S)
    stalling.stall_s = stall_s
    host = Host(stalling, device._schema, 1000, is_simulated=True)
    host.open()
    made = make_check(structs.replace(BY_NAME["heartbeats-are-answered"], run=_finds_a_break), host)
    found = {one.number: one for one in verdicts(host, [made])}
    assert found["7.2"].status is status
    assert found["7.2"].why.startswith("line-stalled:") is (status is Status.NOT_TRIED)


def _finds_a_break(_host: Host) -> None:
    raise line.Broken("7.2", "no HEARTBEAT_REPLY 1")


# --- broken devices


@pytest.mark.drawn(6)
@pytest.mark.parametrize("broken", TABLE, ids=lambda broken: broken.name)
def test_a_broken_firmware_is_found_and_named(broken: Broken, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in broken.constants().items():
        monkeypatch.setattr(device_link, name, value)
    found = judged(host_of(broken.device()))
    always, may = follows(FOLLOWS.get(broken.name, ""))
    assert always | {broken.number} <= numbers(found, Status.BROKEN) <= may | {broken.number}
    assert found[broken.number].why
    assert found[broken.number].frames


def test_a_silence_that_is_noticed_late_is_no_event_in_a_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device_link, "SILENT_AFTER_S", 3.0)
    host = host_of(device_of("slots", KINDS["slots"]))
    only = ["nobody-is-told-in-silence", "silence-is-said"]
    assert numbers(judged_by(host, only), Status.BROKEN) == {"7.6"}


def test_what_follows_names_firmwares_that_there_are() -> None:
    assert set(FOLLOWS) <= {broken.name for broken in TABLE}
    assert all(module.__doc__ for module in MODULES)


def test_a_break_is_never_overwritten() -> None:
    host = host_of(device_of("slots", KINDS["slots"]))
    check = BY_NAME["heartbeats-are-answered"]
    made = [Made(check, Break("7.2", "first", [])), Made(check), Made(check, Break("7.2", "later", []))]
    assert {one.number: one.why for one in verdicts(host, made) if one.status is Status.BROKEN} == {"7.2": "first"}


# --- a statement


def shoe(*, has_lock: bool = True) -> SimulatedShoe:
    return SimulatedShoe(now_s=NOW_S, has_lock=has_lock)


NO_LOCK = Statement(parts={"lock": False})


def test_a_shoe_without_a_lock_is_broken_unless_it_says_so() -> None:
    assert "5.9" in numbers(judged(host_of(shoe(has_lock=False))), Status.BROKEN)
    found = judged(host_of(shoe(has_lock=False), statement=NO_LOCK))
    assert numbers(found, Status.BROKEN) == set()
    assert {"11.1", "9.25", "17.1"} <= numbers(found, Status.KEPT)
    assert {"3.7", "5.1", "5.2", "5.3", "5.5", "5.6", "7.4", "7.6"} <= numbers(found, Status.KEPT)
    assert (found["9.12"].status, found["9.12"].why) == (Status.NOT_TRIED, "stated-without")


class AnyNumberButZero(DeviceLink):
    """The number of a COMMAND counts no more than that it is not 0."""

    def _take_command(self, number: int, payload: bytes) -> None:
        self._command = number - 1 if number else self._command
        super()._take_command(number, payload)


def test_numbers_of_commands_are_tried_without_a_lock() -> None:
    made = type("NoLock", (SimulatedShoe,), {"link_type": AnyNumberButZero})(now_s=NOW_S, has_lock=False)
    host = host_of(made, statement=NO_LOCK)
    found = {one.number: one for one in verdicts(host, make_checks(host, only=["5.1", "5.2", "5.3", "5.5"]))}
    assert {"5.3", "5.5"} & numbers(found, Status.BROKEN)


def test_a_statement_is_held_against_the_device_first() -> None:
    found = judged(host_of(shoe(), statement=NO_LOCK))
    assert {"17.1", "11.1"} <= numbers(found, Status.BROKEN)
    for wrong in (
        Statement(kind="display"),
        Statement(model="Other"),
        Statement(firmware="9"),
        Statement(protocol="2.0"),
    ):
        made = make_check(BY_NAME["it-is-as-stated"], host_of(shoe(), statement=wrong))
        assert made.broken is not None
        assert made.broken.duty == "17.1"


def test_a_reader_without_a_lock_that_says_nothing_of_silence() -> None:
    class NeverSilent(SimulatedShoe):
        def _status(self) -> ShoeStatus:
            status = super()._status()
            return structs.replace(status, host_silent=False)

    found = judged(host_of(NeverSilent(now_s=NOW_S, has_lock=False), statement=NO_LOCK))
    assert "9.25" in numbers(found, Status.BROKEN)


def test_a_reader_without_a_lock_that_says_it_is_locked_at_48_events() -> None:
    class LockedAtFortyEight(SimulatedShoe):
        def _status(self) -> ShoeStatus:
            status = super()._status()
            return structs.replace(status, locked=self._link.waiting_events >= EVENTS_LOCK)

    found = judged(host_of(LockedAtFortyEight(now_s=NOW_S, has_lock=False), statement=NO_LOCK))
    assert {"9.25"} <= numbers(found, Status.BROKEN) <= {"9.25", "5.10"}


def test_the_statement_of_the_text_is_one() -> None:
    text = TEXT.split("```toml\n")[1].split("```")[0]
    assert read_statement(text) == Statement(
        "shoe", "1.0", "Reader R1", "2.3", {"lock": False, "lid": True, "path_sensors": True, "recount": True}
    )


@pytest.mark.parametrize(
    "text", ["lock = ", "color = 'red'", "kind = 3", "[has]\nwings = true", "[has]\nlock = 'no'", "has = 3"]
)
def test_what_is_no_statement(text: str) -> None:
    with pytest.raises(BadStatement):
        read_statement(text)


# --- the command


@contextmanager
def plugged_in(made: Callable[[float], Device], path: Path) -> Iterator[str]:
    with PtyHost() as host:
        host.add(path, made(host.clock()), baud_rate=None)
        yield str(path)


def good(now_s: float) -> Device:
    return SimulatedShoe(now_s=now_s)


def answers_twice(now_s: float) -> Device:
    made: Device = type("Twice", (SimulatedShoe,), {"link_type": sessions.AnswersHelloTwice})(now_s=now_s)
    return made


def conform(port: str, *words: str) -> CompletedProcess[str]:
    return run(main, "device", "conform", port, *words)


QUICK = ("--kind", "shoe", "--check", "it-says-who-it-is", "--check", "heartbeats-are-answered")


def test_a_maker_reads_which_duty_is_kept(tmp_path: Path) -> None:
    with plugged_in(good, tmp_path / "shoe") as port:
        done = conform(port, *QUICK)
        said = json.loads(conform(port, "--kind", "shoe", "--json", "--check", "TDP-7.2").stdout)
    assert done.returncode == 0
    assert "kept       TDP-7.2    the device answers each, whatever its number" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("not tried.")
    assert (said["kit"], said["text"], said["kind"]) == (KIT_VERSION, "1.1", "shoe")
    by_id = {row["id"]: row for row in said["requirements"]}
    assert list(by_id) == [f"TDP-{number}" for number in NUMBERS]
    assert by_id["TDP-7.2"] == {"id": "TDP-7.2", "status": "kept", "why": "", "frames": []}
    assert by_id["TDP-7.1"] == {"id": "TDP-7.1", "status": "not-tried", "why": "a duty of the host", "frames": []}


def test_a_maker_reads_which_duty_is_broken(tmp_path: Path) -> None:
    junit = tmp_path / "report.xml"
    with plugged_in(answers_twice, tmp_path / "shoe") as port:
        done = conform(port, "--kind", "shoe", "--check", "TDP-4.1", "--junit", str(junit))
    assert done.returncode == 1
    assert "BROKEN     TDP-4.1" in done.stdout
    assert "device  IDENTITY 0" in done.stdout
    assert "BROKEN TDP-4.1: IDENTITY to no HELLO" in done.stderr, "at once, and not only in the report"
    assert "TDP-2.6 " not in done.stdout, "its reason is no matter of the number asked for"
    [failure] = ElementTree.parse(junit).findall(".//failure")  # noqa: S314 (written by us)
    assert "IDENTITY" in (failure.get("message") or "")
    assert "host    HELLO 0" in (failure.text or "")


RIG = "import sys; open(sys.argv[1], 'a').write(' '.join(sys.argv[2:]) + '\\n')"


def test_a_program_is_the_hands(tmp_path: Path) -> None:
    """The program gets each deed and its number of times; a check of an impossible deed is left untried."""
    deeds, program = tmp_path / "deeds", tmp_path / "rig.py"
    program.write_text(RIG)
    hands = f"{sys.executable} {program} {deeds}"
    with plugged_in(good, tmp_path / "shoe") as port:
        lied = conform(port, "--kind", "shoe", "--check", "counts-survive-a-start", "--hands", hands)
        conform(port, "--kind", "shoe", "--check", "each-start-is-a-boot", "--hands", hands)
        done = conform(port, "--kind", "shoe", "--check", "counts-survive-a-start", "--hands", "false")
        nobody = conform(port, "--kind", "shoe", "--check", "counts-survive-a-start")
    assert deeds.read_text().splitlines() == [f"{Deed.EVENT} 1", f"{Deed.POWER} 1"]
    assert _line_of("9.5", lied).endswith("(no card passed the reader; `event` is a card while its lock is open)")
    assert _line_of("9.5", done).endswith("(the hands did not do: event)")
    assert _line_of("9.5", nobody).endswith("(it needs hands at the device; --hands tries it)")


def _line_of(number: str, done: CompletedProcess[str]) -> str:
    [line_there] = [one for one in done.stdout.splitlines() if f"TDP-{number} " in one]
    return line_there


def test_what_has_nothing_to_do_with_the_device_stands_in_one_line(tmp_path: Path) -> None:
    with plugged_in(good, tmp_path / "shoe") as port:
        said = conform(port, "--kind", "shoe", "--check", "TDP-7.2").stdout.splitlines()
    [others, hosts, unasked] = [one for one in said if " duties (" in one]
    assert {"10.4", "10.26"} <= set(others.split())
    assert {"2.6", "9.2"} <= set(unasked.split())
    assert hosts.startswith("not tried  9 duties (a duty of the host): 3.9 ")
    assert " 7.3 " in unasked
    assert not any("TDP-7.3 " in one for one in said)


def test_the_frames_of_a_break_are_no_heartbeats() -> None:
    """A person at the device takes seconds, after which earlier questions are still among the device's frames."""
    host = host_of(shoe())
    host.open()
    host.apply(ShoeApply(locked=False))
    host.acknowledge(1)
    host.listen(30.0)
    said = [one.split("  ")[-1].split()[0] for one in host.frames()]
    assert said[-1] == "HEARTBEAT_REPLY"
    assert any(one.strip().startswith("...") and one.endswith("frames of heartbeats left out") for one in host.frames())
    assert "COMMAND" in said


def test_the_hands_of_a_simulated_device_are_moved_by_a_command(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with PtyHost() as host:
        device = SimulatedShoe(now_s=host.clock())
        host.add(link, device, baud_rate=None)
        with HandsSocket(host, device, link):
            assert sabot_sim(["hands", str(link), "event", "3"]) == 0
            assert device.status.passages == 3
            assert sabot_sim(["hands", str(link), "pair"]) == 1, "it is of 1.0"
            assert sabot_sim(["hands", str(link), "lid-open"]) == 1
    assert sabot_sim(["hands", str(link), "event"]) == 2


def test_the_switch_of_a_simulated_device_is_turned_on_by_a_command(tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    with PtyHost() as host:
        device = pairable(SimulatedShoe)(now_s=host.clock())
        host.add(link, device, baud_rate=None)
        with HandsSocket(host, device, link):
            assert sabot_sim(["hands", str(link), "pair"]) == 0
            assert device.status.host_silent, "it is locked"


def test_hands_or_a_statement_that_are_not_there(tmp_path: Path) -> None:
    nothing = str(tmp_path / "nothing")
    with plugged_in(good, tmp_path / "shoe") as port:
        no_hands = conform(port, "--kind", "shoe", "--check", "counts-survive-a-start", "--hands", nothing)
        no_statement = conform(port, *QUICK, "--statement", nothing)
    assert (no_hands.returncode, no_statement.returncode) == (2, 2)
    assert "cannot be run" in no_hands.stderr
    assert "no statement of a device" in no_statement.stderr


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "IDENTIFY_WITHIN_S", 0.5)
    assert conform(str(tmp_path / "nothing"), "--kind", "shoe").returncode == 2
    leader, follower = os.openpty()
    try:
        done = conform(os.ttyname(follower), *QUICK)
    finally:
        os.close(leader)
        os.close(follower)
    assert done.returncode == 1
    assert "nobody answers in tdp" in done.stderr


def test_every_kind_has_its_firmware() -> None:
    assert {device_of(kind, made)._schema.kind for kind, made in KINDS.items()} == set(DeviceKind)
