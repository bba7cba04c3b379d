"""Each duty is kept by the simulated devices, and by no device that neglects it."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from subprocess import CompletedProcess
from typing import Any

import pytest
from msgspec import structs

from controller.cli.main import main
from controller.devices.device_kinds import TDP_KINDS, device_of
from firmware_protocols import framing
from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import device_link, slots
from firmware_protocols.tdp.conform import line
from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.suite import CHECKS, Made, Outcome, make_check, make_checks
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.frame_io import FrameIo
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.schema import DeviceSchema
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerCommand
from firmware_protocols.tdp.slots import SlotsCommand
from simulators.device_kinds import KINDS as SIMULATED
from simulators.device_kinds import Stand
from simulators.devices import firmware
from simulators.devices.cards import make_cards
from simulators.devices.display import SimulatedDisplay
from simulators.devices.firmware import TdpFirmware
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.slots import SimulatedSlots
from simulators.pty_port import PtyHost
from tests.conform.line import VirtualLine
from tests.in_process import run

Device = TdpFirmware[Any, Any, Any]
NOW_S = 100.0
BY_NAME = {check.name: check for check in CHECKS}


class Drawing(VirtualLine):
    """A hand takes each card that the mouth offers."""

    def hear(self, until_s: float) -> bytes:
        said = super().hear(until_s)
        if isinstance(self.device, SimulatedShuffler):
            self.device.pull_cards(self.now_s())
        return said


def shuffler(cards: int = 20) -> SimulatedShuffler:
    made = SimulatedShuffler(rng=Random(1), now_s=NOW_S)  # noqa: S311
    made.push_in(make_cards(1)[:cards], NOW_S)
    return made


KINDS: dict[str, Callable[[], Any]] = {
    kind.name.lower().replace("_", "-"): partial(SIMULATED[device_of(kind)].wires["tdp"], Stand(NOW_S))
    for kind in TDP_KINDS
} | {"shuffler": shuffler}


def host_of(device: Device) -> Host:
    return Host(Drawing(device, NOW_S), device._schema, 1000, is_simulated=True)


def jammed(machine: SimulatedShuffler) -> SimulatedShuffler:
    machine._memory.jammed = True
    machine._settle(NOW_S)
    return machine


NOTHING_TO_LOCK = {"a-session-begins-locked", "silence-locks", "any-frame-of-the-session-is-a-sign-of-life"}


@pytest.mark.parametrize("kind", KINDS)
def test_a_good_device_keeps_every_duty(kind: str) -> None:
    made = list(make_checks(host_of(KINDS[kind]()), moves=True))
    assert [one for one in made if one.outcome is Outcome.BROKEN] == []
    kept = {one.check.name for one in made if one.outcome is Outcome.KEPT}
    skipped = {one.check.name for one in made if one.outcome is Outcome.SKIPPED}
    only_with = {
        "shuffler": {"any-frame-of-the-session-is-a-sign-of-life", "a-jam-refuses-what-moves"},
        "shoe": set(),
        "display": set(),
    }
    assert skipped == only_with.get(kind, NOTHING_TO_LOCK)
    assert kept | skipped == {check.name for check in CHECKS if KINDS[kind]()._schema.kind in check.kinds}


def test_a_sensor_has_no_command_to_cut_short() -> None:
    query = tuple(row for row in slots.COMMANDS if not row.fields)
    schema = DeviceSchema(slots.SLOTS.kind, slots.SlotsResult, slots.STATUS, query, slots.EVENTS)
    host = Host(Drawing(SimulatedSlots(now_s=NOW_S), NOW_S), schema, 1000, is_simulated=True)
    assert make_check(BY_NAME["nonsense-is-a-bad-command"], host).outcome is Outcome.KEPT


def test_what_moves_cards_is_asked_for() -> None:
    made = list(make_checks(host_of(shuffler()), moves=False))
    assert {one.check.name for one in made if one.found == "cards-would-move"} == {
        check.name for check in CHECKS if check.moves
    }


def test_a_jammed_shuffler_and_a_shoe_without_a_lock() -> None:
    assert make_check(BY_NAME["a-jam-refuses-what-moves"], host_of(jammed(shuffler()))).outcome is Outcome.KEPT
    no_lock = host_of(SimulatedShoe(now_s=NOW_S, has_lock=False))
    assert make_check(BY_NAME["silence-locks"], no_lock) == Made(
        BY_NAME["silence-locks"], Outcome.SKIPPED, "cannot-lock"
    )


Patch = pytest.MonkeyPatch


def nothing(*_: object) -> None:
    """What a lazy firmware does."""


def before(patch: Patch, owner: type, name: str, change: Callable[..., None]) -> None:
    """The firmware does something more before it does what it should."""
    real = getattr(owner, name)

    def changed(self: object, *given: object) -> object:
        change(self, *given)
        return real(self, *given)

    patch.setattr(owner, name, changed)


def is_no_simulator(patch: Patch, device: Device) -> None:
    patch.setattr(device._link, "_identity", replace(device._link._identity, simulated=False))


def answers_strangers(patch: Patch, _device: Device) -> None:
    real = FrameIo._parsed

    def parsed(self: FrameIo, body: bytes) -> tuple[Header, bytes] | RejectReason:
        found = real(self, body)
        if found is RejectReason.UNKNOWN_KIND:
            return Header(FrameKind.COMMAND, 1, 1, 1), b""
        return found

    patch.setattr(FrameIo, "_parsed", parsed)


def believes_each_frame(patch: Patch, _device: Device) -> None:
    real = framing.decode_frame

    def decoded(frame: bytes) -> bytes | RejectReason:
        found = real(frame)
        if found is RejectReason.UNEXPECTED_TAG:
            return framing.cobs.decode(frame)[:-12]
        return found

    patch.setattr(framing, "decode_frame", decoded)


def is_deafened_by_noise(patch: Patch, device: Device) -> None:
    def hears(self: Device, data: bytes, now_s: float) -> None:
        if len(data) > 1000:
            self.hang(now_s, for_s=1000)

    before(patch, type(device), "receive_data", hears)


def takes_any_heartbeat(patch: Patch, _device: Device) -> None:
    def takes(self: DeviceLink, number: int, _payload: bytes) -> None:
        self._pulse = number

    patch.setattr(DeviceLink, "_take_heartbeat", takes)


def takes_any_hello(patch: Patch, _device: Device) -> None:
    real = DeviceLink._take_hello
    patch.setattr(
        DeviceLink,
        "_take_hello",
        lambda self, header, payload, now_s: real(self, header._replace(device_boot=0, number=0), payload, now_s),
    )


def refuses_no_session(patch: Patch, _device: Device) -> None:
    def refuses(_self: DeviceLink, _header: Header, _now_s: float) -> None:
        raise FrameError(RejectReason.WRONG_SESSION)

    patch.setattr(DeviceLink, "_refuse_session", refuses)


def begins_anew(patch: Patch, _device: Device) -> None:
    def forgets(self: DeviceLink, *_: object) -> None:
        self._opening = None

    before(patch, DeviceLink, "_take_hello", forgets)


def knows_one_major(patch: Patch, _device: Device) -> None:
    real = DeviceLink._take_hello

    def takes(self: DeviceLink, header: Header, payload: bytes, now_s: float) -> None:
        if payload[0] == self._identity.major:
            real(self, header, payload, now_s)

    patch.setattr(DeviceLink, "_take_hello", takes)


def does_each_command(patch: Patch, _device: Device) -> None:
    def expects(self: DeviceLink, number: int, *_: object) -> None:
        self._command = number - 1

    before(patch, DeviceLink, "_take_command", expects)


def acknowledges_anything(patch: Patch, _device: Device) -> None:
    patch.setattr(DeviceLink, "_take_ack", lambda self, number, _payload: self._forget_through(number))


def forgets_with_the_session(patch: Patch, _device: Device) -> None:
    before(patch, DeviceLink, "_open", lambda self, *_: self._opening is not None and self._waiting.clear())


def posts_another_event(patch: Patch, _device: Device) -> None:
    def spoils(self: DeviceLink, *_: object) -> None:
        number, payload = self._waiting.popleft()
        self._waiting.appendleft((number, b"\4" + payload[1:]))

    before(patch, DeviceLink, "_open", spoils)


def answers_late(patch: Patch, _device: Device) -> None:
    def later(self: VirtualLine, _data: bytes) -> None:
        self._now_s += 0.2

    before(patch, VirtualLine, "say", later)


def hears_good_payloads_alone(patch: Patch, _device: Device) -> None:
    real = DeviceLink._receive

    def receives(self: DeviceLink, header: Header, payload: bytes, now_s: float) -> None:
        if payload != b"\7\7":
            real(self, header, payload, now_s)

    patch.setattr(DeviceLink, "_receive", receives)


def obeys(change: Callable[..., object]) -> Callable[[Patch, Device], None]:
    """A firmware that makes something else of what it is told to be."""

    def bad(patch: Patch, device: Device) -> None:
        real = type(device)._obey

        def wrongly(self: Device, command: object, now_s: float) -> object:
            return real(self, change(self, command), now_s)

        patch.setattr(type(device), "_obey", wrongly)

    return bad


def told(**changes: object) -> Callable[[Patch, Device], None]:
    """These fields of an `apply` are something else for it."""
    return obeys(lambda _self, command: structs.replace(command, **changes) if command.__struct_fields__ else command)


def set_to(owner: object, name: str, value: object) -> Callable[[Patch, Device], None]:
    return lambda patch, _device: patch.setattr(owner, name, value)


def changed(command: ShufflerCommand, **changes: int) -> ShufflerCommand:
    return structs.replace(command, **changes) if isinstance(command, ShufflerApply) else command


def _releases(self: SimulatedShuffler, command: ShufflerCommand) -> ShufflerCommand:
    return changed(command, release_until=(self._memory.cards_out + 1) % 2**32)


def _two_for_one(self: SimulatedShuffler, command: ShufflerCommand) -> ShufflerCommand:
    ahead = isinstance(command, ShufflerApply) and command.release_until != self._memory.cards_out
    return changed(command, release_until=self._memory.cards_out + 2) if ahead else command


def _counts_a_jam(self: SimulatedShuffler, command: ShufflerCommand) -> ShufflerCommand:
    if isinstance(command, ShufflerApply) and command.jams_ended == self._memory.jams + 1:
        self._memory.jams += 1
    return command


def _asks_no_recount(self: SimulatedShuffler, command: ShufflerCommand) -> ShufflerCommand:
    return changed(command, recount_request=self._memory.recounts)


def _keeps_its_recount(self: SimulatedShuffler, command: ShufflerCommand) -> ShufflerCommand:
    asked = self._orders.recount_request
    return command if asked is None else changed(command, recount_request=asked)


def _collects_again(self: SimulatedSlots, command: SlotsCommand) -> SlotsCommand:
    return structs.replace(command, collection=self._collections + 1) if command.__struct_fields__ else command


BAD: dict[str, tuple[str, Callable[[Patch, Device], None]]] = {
    "it-says-who-it-is": ("shoe", is_no_simulator),
    "the-first-event-is-started": ("shoe", posts_another_event),
    "events-come-again": ("shoe", set_to(device_link, "EVENT_RETRY_MAX_S", 3.0)),
    "a-slow-host-is-given-time": ("shoe", set_to(DeviceLink, "_retry_slowly", nothing)),
    "events-outlive-a-session": ("shoe", forgets_with_the_session),
    "no-event-ends-that-was-not-made": ("shoe", acknowledges_anything),
    "nobody-is-told-in-silence": ("shoe", set_to(device_link, "SILENT_AFTER_S", 100.0)),
    "acknowledged-events-are-gone": ("shoe", set_to(DeviceLink, "_take_ack", nothing)),
    "damaged-frames-are-dropped": ("shoe", believes_each_frame),
    "noise-does-no-harm": ("shoe", is_deafened_by_noise),
    "other-kinds-are-dropped": ("shoe", answers_strangers),
    "heartbeats-have-their-length": ("shoe", takes_any_heartbeat),
    "hello-has-no-boot-and-no-number": ("shoe", takes_any_hello),
    "other-sessions-are-refused": ("shoe", refuses_no_session),
    "refusals-do-not-fill-the-line": ("shoe", set_to(device_link, "NO_SESSION_EVERY_S", 0.0)),
    "the-same-hello-resets-nothing": ("shoe", begins_anew),
    "older-hellos-are-dropped": ("shoe", set_to(device_link, "is_newer", lambda *_: True)),
    "another-major-is-told-ours": ("shoe", knows_one_major),
    "commands-are-done-once": ("shoe", does_each_command),
    "nonsense-is-a-bad-command": ("shoe", set_to(firmware, "BAD_COMMAND", 0)),
    "answers-come-at-once": ("shoe", answers_late),
    "heartbeats-are-answered": ("shoe", set_to(DeviceLink, "_send_pulse", nothing)),
    "a-session-begins-locked": ("display", set_to(SimulatedDisplay, "_lock_down", nothing)),
    "silence-locks": ("shoe", set_to(device_link, "SILENT_AFTER_S", 100.0)),
    "any-frame-of-the-session-is-a-sign-of-life": ("shoe", hears_good_payloads_alone),
    "the-shoe-locks-and-unlocks": ("shoe", told(locked=True)),
    "the-amount-is-read-back": ("display", told(cents=5)),
    "the-fault-hides-the-amount": ("display", told(fault=False)),
    "the-markers-are-read-back": ("value-display", told(red=5)),
    "the-lamps-of-slots-obey": ("slots", told(lit=0b11)),
    "a-collection-is-made-once": ("slots", obeys(_collects_again)),
    "the-lamp-obeys": ("shuffler", told(lamp=True)),
    "an-older-count-locks": ("shuffler", obeys(_releases)),
    "a-jam-to-come-is-not-ended": ("shuffler", obeys(_counts_a_jam)),
    "wrong-flags-are-a-bad-command": ("shuffler", set_to(firmware, "BAD_COMMAND", 0)),
    "a-jam-refuses-what-moves": ("shuffler", set_to(SimulatedShuffler, "_refusal_to_move", nothing)),
    "a-recount-is-told": ("shuffler", obeys(_asks_no_recount)),
    "a-recount-is-taken-back": ("shuffler", obeys(_keeps_its_recount)),
    "half-the-range-is-no-release": ("shuffler", obeys(_releases)),
    "one-card-is-one-card": ("shuffler", obeys(_two_for_one)),
    "an-open-feed-is-shut-by-silence": ("shuffler", set_to(SimulatedShuffler, "_lock_down", nothing)),
}


@pytest.mark.parametrize("name", BY_NAME)
def test_no_device_gets_through_that_neglects_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, spoil = BAD[name]
    device = KINDS[kind]()
    if name == "a-jam-refuses-what-moves":
        device = jammed(shuffler())
    spoil(monkeypatch, device)
    made = make_check(BY_NAME[name], host_of(device))
    assert made.outcome is Outcome.BROKEN, made
    assert made.found


@contextmanager
def plugged_in(spoil: Callable[[Patch, Device], None] | None, path: Path, patch: Patch) -> Iterator[str]:
    with PtyHost() as host:
        device = SimulatedShoe(now_s=host.clock())
        if spoil is not None:
            spoil(patch, device)
        host.add(path, device, baud_rate=None)
        yield str(path)


def conform(port: str, *words: str) -> CompletedProcess[str]:
    return run(main, "device", "conform", port, *words)


QUICK = ("--check", "it-says-who-it-is", "--check", "heartbeats-are-answered", "--check", "commands-are-done-once")


@pytest.mark.waits
def test_a_maker_reads_which_duty_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with plugged_in(None, tmp_path / "shoe", monkeypatch) as port:
        done = conform(port, "--kind", "shoe", *QUICK)
        said = json.loads(conform(port, "--kind", "shoe", "--json", *QUICK[:2]).stdout)
    lines = done.stdout.splitlines()
    assert (done.returncode, len(lines), lines[-1]) == (0, 4, "3 duties kept, 0 broken, 0 not tried.")
    assert (said["ok"], [row["outcome"] for row in said["checks"]]) == (True, ["kept"])


@pytest.mark.waits
def test_a_maker_reads_which_duty_is_broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with plugged_in(is_no_simulator, tmp_path / "shoe", monkeypatch) as port:
        done = conform(port, "--kind", "shoe", *QUICK[:2])
    assert done.returncode == 1
    assert "BROKEN   4" in done.stdout
    assert "Found: simulated 0 at a pseudo terminal" in done.stdout


def test_nobody_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "IDENTIFY_WITHIN_S", 0.5)
    assert conform(str(tmp_path / "nothing"), "--kind", "shoe").returncode == 2
    leader, follower = os.openpty()
    try:
        done = conform(os.ttyname(follower), "--kind", "shoe", *QUICK)
    finally:
        os.close(leader)
        os.close(follower)
    assert done.returncode == 1
    assert "nobody answers in tdp" in done.stderr
