"""`sabot device probe PORT`: identifies the device at a port. The command asks a TDP device or a sign, and only listens
to any other.
"""

import asyncio
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Final

from controller.cli.device_direct import KINDS, DirectPort, add_line_options, check_bounds, driver_of
from controller.cli.talk import Talk
from controller.config import Protocol
from controller.core.words import Device
from controller.devices.device_kinds import KINDS as DEVICE_KINDS
from controller.devices.device_lines import kind_word
from controller.machine.exits import CliFailure, ExitCode
from drivers.backoff import Backoff
from drivers.events import DeviceConnected, DeviceRefused, DriverEvent, Mismatch
from drivers.serial_io import SerialShell
from drivers.supervisor import DeviceSupervisor
from drivers.unproven import is_unauthenticated
from firmware_protocols.tdp.link import Identity

_SECONDS: Final = (0.1, 3600.0)
LISTENS_S: Final = 3.0
"""Seconds to wait for a device. A TDP device answers within half a second, or within a few seconds after its start."""


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("port", metavar="PORT", help=words("cli.option.device-port"))
    parser.add_argument("--kind", choices=list(KINDS), help=words("cli.option.device-kind"))
    parser.add_argument("--protocol", choices=list(Protocol), default=Protocol.TDP, help=words("cli.option.protocol"))
    parser.add_argument("--seconds", type=float, default=LISTENS_S, metavar="S", help=words("cli.option.seconds"))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    add_line_options(parser, words)
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    protocol = Protocol(arguments.protocol)
    check_bounds("--seconds", arguments.seconds, *_SECONDS)
    port = DirectPort(arguments, protocol)
    probe = _probed(arguments, protocol, port, talk)
    document = probe.document() | {"port": arguments.port, "protocol": protocol.value}
    document["simulated"] = bool(document["simulated"]) or port.is_simulated
    if (failure := _failure(probe, protocol)) is not None:
        words = {"port": arguments.port, "protocol": protocol.value, "seconds": f"{arguments.seconds:g}"}
        if probe.refused is not None:
            words |= {"expected": probe.refused.expected, "found": probe.refused.found}
        raise CliFailure(ExitCode.FAILED, failure, document, **words)
    talk.document(document)
    talk.result(talk.words(f"cli.device.{'unproven' if document['unauthenticated'] else 'proven'}", **_texts(document)))
    return ExitCode.OK


def _probed(arguments: Namespace, protocol: Protocol, port: DirectPort, talk: Talk) -> "Probe":
    """Probes the port for a device of the given kind and returns the result. Without a kind, probes for one kind first,
    and then for the kind that the device reports.
    """
    given = arguments.kind
    device = KINDS[given] if given else next(one for one, row in DEVICE_KINDS.items() if protocol in row.protocols)
    probe = _listened(arguments, device, protocol, port, talk)
    other = probe.other_kind
    return probe if given or other is None else _listened(arguments, other, protocol, port, talk)


def _listened(arguments: Namespace, device: Device, protocol: Protocol, port: DirectPort, talk: Talk) -> "Probe":
    make_driver = driver_of(arguments.port, device, protocol, talk.language, asks=True)
    probe = Probe(DeviceSupervisor(device.value, make_driver, Backoff(), lambda: 0.0))
    asyncio.run(_listen(probe, port, arguments.seconds))
    return probe


def _failure(probe: "Probe", protocol: Protocol) -> str | None:
    """Returns the catalogue key of the failure. Returns None if a device of the wanted kind has answered."""
    if probe.refused is not None:
        return {Mismatch.KIND: "other-kind", Mismatch.VERSION: "other-version"}.get(probe.refused.what, "other-device")
    if probe.answered:
        return None
    if probe.supervisor.stats.rejected:
        return "noise-answers"
    return "nobody-speaks" if protocol in {Protocol.ANGEL_EYE, Protocol.CAMMEGH} else "nobody-answers"


def _texts(document: dict[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in document.items()}


class Probe:
    """The result of a probe: the identity that the device reports, or the reason why the device was refused.

    `look` reads the supervisor's new events, and sets `is_over` if `answered` is True.
    """

    def __init__(self, supervisor: DeviceSupervisor) -> None:
        self.supervisor = supervisor
        self.is_over = asyncio.Event()
        self._identity: Identity | None = None
        self.refused: DeviceRefused | None = None  # the device answered, but is not the expected one

    @property
    def answered(self) -> bool:
        """True if a device has identified itself or was refused. With a protocol that has no identities, True if a good
        frame has arrived.
        """
        if self._identity is not None and is_unauthenticated(self._identity):
            return self.supervisor.stats.good > 0
        return self._identity is not None or self.refused is not None

    @property
    def other_kind(self) -> Device | None:
        """The kind of the device that has answered. None if this kind is the wanted one, and if it is unknown."""
        if self.refused is None or self.refused.what is not Mismatch.KIND:
            return None
        found = self.refused.found
        return next((one for one, row in DEVICE_KINDS.items() if row.kind and row.kind.name.lower() == found), None)

    def look(self) -> None:
        for event in self.supervisor.events():
            self._take(event)
        if self.answered:
            self.is_over.set()

    def _take(self, event: DriverEvent) -> None:
        match event:
            case DeviceConnected(identity=who):
                self._identity = who
            case DeviceRefused():
                self.refused = event
            case _:
                pass

    def document(self) -> dict[str, object]:
        who, stats = self._identity if self.answered else None, self.supervisor.stats
        return {
            "answered": self.answered,
            "kind": who and kind_word(who),
            "simulated": who is not None and who.simulated,
            "unauthenticated": who is not None and is_unauthenticated(who),
            "model": who and who.model,
            "serial_number": who and who.serial,
            "firmware": who and who.firmware,
            "boot": who and who.boot,
            "version": who and f"{who.major}.{who.minor}",
            "good": stats.good,
            "rejected": dict(stats.rejected),
        }


async def _listen(probe: Probe, port: DirectPort, seconds: float) -> None:
    loop = asyncio.get_running_loop()
    shell = SerialShell(loop, probe.supervisor, port, probe.look)
    shell.start()
    try:
        await asyncio.wait_for(probe.is_over.wait(), seconds)
    except TimeoutError:
        pass
    finally:
        await shell.stop()
