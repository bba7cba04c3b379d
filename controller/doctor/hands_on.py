"""`sabot device test`: tests one device or part at its configured port with the help of a person.

A test moves no card and acknowledges no event, so a TDP device reports its events again to the table afterwards. An
Angel Eye shoe keeps no events: those during its test are lost to the table. The catalogue has the words of findings
under `doctor.found` and `doctor.remedy`, and of questions and requests under `ask`.
"""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

from msgspec.structs import replace

from controller.config import Config, DeviceConfig, PartConfig, PartKind
from controller.core.money import units
from controller.core.words import Device
from controller.daemon.devices import port_opener, supervisor_makers
from controller.daemon.parts import MAKE, part_opener
from controller.doctor.finding import Finding, critical
from controller.runtime.devices import STARTS_IN_OPENING
from drivers.badge import BadgeReader
from drivers.dark_lamp import HELD, NO_LINE
from drivers.events import AngelEyeStatus, CommandRefused, Reported
from drivers.key_switch import KeySwitch
from drivers.lamp import Buzzer, Lamp
from drivers.parts import PartSupervisor
from drivers.running import Running
from drivers.serial_port import is_pseudo_terminal
from drivers.supervisor import DeviceSupervisor
from drivers.tdp_kinds import TDP_DISPLAY, TDP_SLOTS, TDP_VALUE_DISPLAY, TdpKind
from drivers.trouble import TroubleCode
from drivers.unproven import is_unauthenticated
from drivers.wishes import Desired, ShufflerWish
from firmware_protocols.tdp.display import DisplayApply, DisplayFaulted
from firmware_protocols.tdp.shoe import ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply, SlotsStatus
from firmware_protocols.tdp.value_display import COLOURS, MarkersApply

ANSWERS_WITHIN_S: Final = 6.0
"""Seconds to wait for a device. After its start, or with a former controller's session, it needs a few seconds."""

DONE_WITHIN_S: Final = 12.0
"""Seconds to wait for a wish to be done. A sign on a slow, noisy line that clears its memory needs about half."""

HANDS_WITHIN_S: Final = 30.0
"""The time for a person to find the key or the badge."""

KEY_SETTLES_S: Final = 1.5
"""Seconds within which a key switch reports its state; a switch wired the wrong way reports the opposite state."""

SHOWN_CENTS: Final = 123_456

_EVERY_SLOT: Final = 0xFFFF

SESSIONS_PER_S: Final = 4  # each test opens one session, and takes longer than 1/4 s


class People(Protocol):
    """The people who help with a test. They answer questions and do what a request says."""

    def sees(self, question: str, **values: str) -> bool:
        """Asks the question `ask.<question>`. Returns True if the person answers yes, else False."""

    def is_asked(self, request: str, **values: str) -> None:
        """Shows the request `ask.<request>`, which tells the person what to do now."""


@dataclass(slots=True)
class Trial:
    """The result of a test, with its findings. `heard`: the data that the device reported about itself, by name."""

    findings: list[Finding] = field(default_factory=list)
    heard: dict[str, str] = field(default_factory=dict)

    def found(self, key: str, **values: str) -> None:
        self.findings.append(critical(key, **values))


def try_it(config: Config, kind: Device | PartKind, people: People) -> Trial:
    """Tests the device or part `kind`. Raises KeyError if the table has none."""
    parts, devices = {one.kind: one for one in config.parts}, {one.kind: one for one in config.devices}
    if isinstance(kind, PartKind):
        return try_part(config, parts[kind], people)
    return try_device(config, devices[kind], int(SESSIONS_PER_S * time.time()) % STARTS_IN_OPENING, people)


# --- lamp, buzzer, key switch, badge reader


def try_part(config: Config, part: PartConfig, people: People) -> Trial:
    """Tests a part: a lamp, buzzer or key switch on a line of the computer, or a badge reader."""
    trial, supervisor = Trial(), PartSupervisor(part.kind.value, MAKE[part.kind]())
    with Running(supervisor, part_opener(config, part), lambda _now_s: None) as running:
        running.until(lambda: supervisor.connected or supervisor.trouble is not None, ANSWERS_WITHIN_S)
        if not supervisor.connected:
            code = supervisor.trouble.code if supervisor.trouble else TroubleCode.PORT_BUSY
            trial.found("device-silent", device=part.kind.value, port=part.port, trouble=code.value)
            return trial
        match supervisor.part:
            case Lamp() as lamp:
                _try_lamp(running, lamp, people, trial)
            case Buzzer() as buzzer:
                running.call(buzzer.alarm)
                if not people.sees("buzzer-heard"):
                    trial.found("buzzer-silent")
            case KeySwitch() as key:
                _try_key(running, key, people, trial)
            case BadgeReader() as reader:
                _try_reader(running, reader, people, trial)
            case _:
                raise TypeError(part.kind)
    if part.kind is PartKind.LAMP and not trial.findings:
        _try_dead(config, part, people, trial)
    return trial


def _try_dead(config: Config, part: PartConfig, people: People, trial: Trial) -> None:
    """Checks that the lamp lights when a controller dies: kills a process that keeps the lamp dark, then asks if it is
    lit.
    """
    is_pty = config.table.simulated and is_pseudo_terminal(part.port)
    words = (part.port, NO_LINE if is_pty else str(part.line), str(int(part.active_low)))
    command = (sys.executable, "-I", "-m", "drivers.dark_lamp", *words)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as holder:  # noqa: S603
        is_dark = holder.stdout is not None and holder.stdout.readline().decode().strip() == HELD
        holder.kill()
    if not is_dark:
        trial.found("device-silent", device=part.kind.value, port=part.port, trouble=TroubleCode.PORT_REFUSED.value)
    elif not people.sees("lamp-lit-dead"):
        trial.found("lamp-stays", device=part.kind.value)


def _try_lamp(running: Running, lamp: Lamp, people: People, trial: Trial) -> None:
    """Checks the lamp switched off and on. A wrongly wired lamp is wrong in both states, a broken lamp in one."""
    seen = []
    for is_lit in (False, True):
        running.call(partial(_light, lamp, is_lit))
        seen.append(people.sees("lamp-lit" if is_lit else "lamp-dark"))
    match seen:
        case [False, False]:
            trial.found("lamp-wrong-way")
        case [True, False]:
            trial.found("lamp-never-lit")
        case [False, True]:
            trial.found("lamp-never-dark")
        case _:
            pass


def _light(lamp: Lamp, is_lit: bool, _now_s: float) -> None:  # noqa: FBT001 - bound by partial
    lamp.light(lit=is_lit)


def _try_key(running: Running, key: KeySwitch, people: People, trial: Trial) -> None:
    if not people.sees("key-out"):
        trial.found("key-not-tried")
    elif running.until(lambda: key.is_on, KEY_SETTLES_S):
        trial.found("key-wrong-way")
    else:
        people.is_asked("turn-key", seconds=f"{HANDS_WITHIN_S:.0f}")
        if not running.until(lambda: key.is_on, HANDS_WITHIN_S):
            trial.found("key-unheard")
            return
        people.is_asked("turn-key-back", seconds=f"{HANDS_WITHIN_S:.0f}")
        if not running.until(lambda: not key.is_on, HANDS_WITHIN_S):
            trial.found("key-stays")


def _try_reader(running: Running, reader: BadgeReader, people: People, trial: Trial) -> None:
    shown: list[str] = []

    def is_shown() -> bool:
        shown.extend(reader.shown())
        return bool(shown)

    people.is_asked("hold-badge", seconds=f"{HANDS_WITHIN_S:.0f}")
    if running.until(is_shown, HANDS_WITHIN_S):
        trial.heard["badge"] = shown[0]
    else:
        trial.found("badge-unheard", rejected=", ".join(sorted(reader.rejected)) or "-")


# ---- shuffler, shoe, jackpot display


def try_device(config: Config, device: DeviceConfig, start_number: int, people: People) -> Trial:
    """Tests a device: its answer, its identity, and the effects that a person can see. `start_number`: a number that no
    earlier test had, which makes the session new. In a session that the device knows, the device would repeat its old
    answers.
    """
    trial = Trial()
    supervisor = supervisor_makers(config, start_number)[device.kind](lambda: (0, 0))
    listener = _Listener(supervisor)
    with Running(supervisor, port_opener(config, device), listener.look) as running:
        running.until(lambda: supervisor.connected or _is_known(supervisor), ANSWERS_WITHIN_S)
        if supervisor.connected:
            _try(running, device, listener, people, trial)
        if not supervisor.connected:
            _say_trouble(device, supervisor, trial)
    return trial


def _try(running: Running, device: DeviceConfig, listener: "_Listener", people: People, trial: Trial) -> None:
    _tell_identity(listener.supervisor, trial)
    if (hands_on := _TRIALS.get(device.kind)) is not None:
        hands_on(running, listener, people, trial)


class _Listener:
    """Reads the device's events and keeps its last trouble. Repeats the wish when the device waits for an answer."""

    def __init__(self, supervisor: DeviceSupervisor) -> None:
        self.supervisor = supervisor
        self.trouble = ""  # the device's last trouble, as reported

    def look(self, now_s: float) -> None:
        for event in self.supervisor.events():
            match event:
                case CommandRefused(result=result):
                    self.trouble = result.name.lower().replace("_", "-")
                case Reported(event=DisplayFaulted(code=code)):
                    self.trouble = str(code)
                case _:
                    pass
        if self.supervisor.awaits_answer and self.supervisor.desired is not None:
            self.supervisor.apply(self.supervisor.desired, now_s)


def _is_known(supervisor: DeviceSupervisor) -> bool:
    """True if the device's trouble is certain, such as a wrong device or no port, so that waiting is useless. False for
    a silent device, which may still be starting.
    """
    trouble = supervisor.trouble
    return trouble is not None and trouble.code is not TroubleCode.SILENT


def _say_trouble(device: DeviceConfig, supervisor: DeviceSupervisor, trial: Trial) -> None:
    trouble, place = supervisor.trouble, {"device": device.kind.value, "port": device.port}
    if trouble is not None and trouble.code is TroubleCode.WRONG_DEVICE:
        what = trouble.what.value if trouble.what else ""
        trial.found("device-other", **place, what=what, expected=trouble.expected, found=trouble.found)
    else:
        code = TroubleCode.SILENT if trouble is None else trouble.code
        trial.found("device-silent", **place, trouble=code.value)


def _tell_identity(supervisor: DeviceSupervisor, trial: Trial) -> None:
    who = supervisor.identity
    if who is not None and not is_unauthenticated(who):
        trial.heard |= {"model": who.model, "serial_number": who.serial, "firmware": who.firmware}


def _try_shuffler(running: Running, listener: _Listener, people: People, trial: Trial) -> None:
    """Checks the shuffler's faults, then its lamp, lit and dark. The mouth stays locked, and no jam is ended."""
    supervisor, status = listener.supervisor, listener.supervisor.status
    if not isinstance(status, ShufflerStatus):
        raise TypeError(status)
    troubles = {
        "shuffler-jammed": status.jammed or status.path_blocked,
        "shuffler-lid-open": status.lid_open,
        "counts-unknown": status.counts_unknown,
    }
    for key in (key for key, is_so in troubles.items() if is_so):
        trial.found(key, device=Device.SHUFFLER.value)
    if status.jammed:
        return  # the lamp shows the jam
    locked = ShufflerWish(jams_ended=status.jams, recount_request=status.recounts)
    lit = ShufflerWish(lamp=True, jams_ended=status.jams, recount_request=status.recounts)
    for wish, question in ((lit, "device-lamp-lit"), (locked, "device-lamp-dark")):
        running.call(partial(supervisor.apply, wish))
        is_told = running.until(partial(_is_lit, supervisor, is_lit=wish.lamp), DONE_WITHIN_S)
        if not (is_told and people.sees(question, device=Device.SHUFFLER.value)):
            trial.found("device-lamp", device=Device.SHUFFLER.value)
            break
    running.call(partial(supervisor.apply, locked))
    running.until(partial(_is_lit, supervisor, is_lit=False), DONE_WITHIN_S)


def _is_lit(supervisor: DeviceSupervisor, *, is_lit: bool) -> bool:
    return isinstance(supervisor.status, ShufflerStatus) and supervisor.status.lamp_lit == is_lit


def _try_shoe(running: Running, listener: _Listener, _people: People, trial: Trial) -> None:
    """Locks the shoe and checks its status for errors. The shoe stays locked."""
    supervisor = listener.supervisor
    running.call(partial(supervisor.apply, ShoeApply(locked=True)))
    is_locked = running.until(lambda: _is_locked(supervisor), DONE_WITHIN_S)
    match supervisor.status:
        case ShoeStatus(error=True) | AngelEyeStatus(error=int()):
            trial.found("reader-error", device=Device.SHOE.value)
        case ShoeStatus(counts_unknown=True):
            trial.found("counts-unknown", device=Device.SHOE.value)
        case _ if not is_locked:
            trial.found("shoe-open", device=Device.SHOE.value)
        case _:
            pass


def _is_locked(supervisor: DeviceSupervisor) -> bool:
    return isinstance(supervisor.status, ShoeStatus | AngelEyeStatus) and supervisor.status.locked is True


def _try_display(running: Running, listener: _Listener, people: People, trial: Trial) -> None:
    """Shows an amount on the jackpot display, then the fault message, which the display also shows without a
    controller.
    """
    amount, fault = DisplayApply(SHOWN_CENTS, fault=False), DisplayApply(0, fault=True)
    shows = ((amount, "display-amount"), (fault, "display-fault"))
    _try_panel(running, listener, people, trial, TDP_DISPLAY, shows)


def _try_markers(running: Running, listener: _Listener, people: People, trial: Trial) -> None:
    lit = MarkersApply(*[SHOWN_CENTS] * len(COLOURS))
    shows = ((lit, "markers-lit"), (MarkersApply(), "markers-blank"))
    _try_panel(running, listener, people, trial, TDP_VALUE_DISPLAY, shows)


def _try_slots(running: Running, listener: _Listener, people: People, trial: Trial) -> None:
    """Lights the lamps of all jackpot slots, darkens them, then waits for a chip in a slot. No chip is collected."""
    supervisor, status = listener.supervisor, listener.supervisor.status
    if not isinstance(status, SlotsStatus):
        raise TypeError(status)
    dark = SlotsApply(status.collections)
    for wish, question in ((replace(dark, lit=_EVERY_SLOT), "slots-lit"), (dark, "slots-dark")):
        running.call(partial(supervisor.apply, wish))
        is_done = running.until(partial(_shows, supervisor, TDP_SLOTS, wish), DONE_WITHIN_S)
        if not (is_done and people.sees(question)):
            trial.found("device-lamp", device=Device.JACKPOT_SLOTS.value)
            return
    people.is_asked("lay-chip", seconds=f"{HANDS_WITHIN_S:.0f}")
    if not running.until(lambda: isinstance(now := supervisor.status, SlotsStatus) and now.chips > 0, HANDS_WITHIN_S):
        trial.found("chip-unheard")


def _try_panel(
    running: Running,
    listener: _Listener,
    people: People,
    trial: Trial,
    kind: TdpKind[Any, Any, Any],
    shows: Iterable[tuple[Desired, str]],
) -> None:
    supervisor = listener.supervisor
    for wish, question in shows:
        running.call(partial(supervisor.apply, wish))
        if not running.until(partial(_shows, supervisor, kind, wish), DONE_WITHIN_S):
            trial.found("display-trouble", trouble=listener.trouble or "-")
            return
        if not people.sees(question, amount=units(SHOWN_CENTS)):
            trial.found("display-blank")
            return


def _shows(supervisor: DeviceSupervisor, kind: TdpKind[Any, Any, Any], wish: Desired) -> bool:
    status, guidance = supervisor.status, kind.guidance
    return status is not None and guidance is not None and guidance.is_done(wish, status)


_TRIALS: Final[Mapping[Device, Callable[[Running, _Listener, People, Trial], None]]] = {
    Device.SHUFFLER: _try_shuffler,
    Device.SHOE: _try_shoe,
    Device.JACKPOT_DISPLAY: _try_display,
    Device.VALUE_DISPLAY: _try_markers,
    Device.JACKPOT_SLOTS: _try_slots,
}
"""The tests that a person watches, by kind of device. A device of another kind only needs to answer."""
