"""`sabot-sim device`: runs one simulated device on a pseudo-terminal, with simulated hands that draw its cards, turn
its key or show a badge.
"""

import argparse
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path

from controller.core.words import Device
from simulators.c.build import CompilerMissing
from simulators.device_kinds import BAUD_RATES, KINDS, READERS, SHUFFLERS, Firmware, Stand, alone_on_tdp
from simulators.devices.angel_eye import SimulatedAngelEye
from simulators.devices.base import SimulatedDevice, seeded
from simulators.devices.c_others import CDisplay, CSlots, CValueDisplay
from simulators.devices.cards import PhysicalCard, make_cards
from simulators.devices.firmware import TdpFirmware, pairable
from simulators.devices.parts import SimulatedBadgeReader, SimulatedKey, SimulatedLamp, SimulatedRelay
from simulators.devices.shoe import SimulatedShoe
from simulators.hands_socket import HandsSocket
from simulators.pty_port import DEFAULT_BAUD_RATE, LinkInUseError, PtyHost
from simulators.spoken import said, system_said

# Hands: a person's deed at the device every second or so, at the given time.
Hands = Callable[[float], None]
Maker = Callable[[argparse.Namespace, int, float], tuple[SimulatedDevice, Hands]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim device`, and `run` as the function of the subcommand."""
    kinds = sorted({kind for kind, _ in DEVICES})
    protocols = sorted({protocol for _, protocol in DEVICES})
    parser.add_argument("kind", metavar="KIND", choices=kinds, help=", ".join(kinds))
    parser.add_argument("--protocol", choices=protocols, required=True)
    parser.add_argument("--link", type=Path, required=True, metavar="PATH", help=said("help.link"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=said("help.seed"))
    parser.add_argument("--decks", type=int, default=6, metavar="N", help=said("help.decks"))
    parser.add_argument(
        "--hand-every",
        type=float,
        default=1.0,
        metavar="SECONDS",
        help=said("help.hand-every"),
    )
    known = ", ".join(Firmware)
    help_text = said("help.firmware", known=known)
    parser.add_argument("--firmware", choices=tuple(Firmware), type=Firmware, default=Firmware.PYTHON, help=help_text)
    parser.add_argument("--pairable", action="store_true", help=said("help.pairable"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs the device until SIGINT or SIGTERM.

    Returns 0 after a signal, 1 after an error in the device, and 2 if the device or its link cannot be made.
    """
    # A process remembers no earlier starts: the seconds since 1970 serve as a start number that grows.
    make = MADE[arguments.firmware].get((arguments.kind, arguments.protocol))
    if make is None:
        print(_no_such(arguments), file=sys.stderr)
        return 2
    try:
        device, hands = make(arguments, int(time.time()), time.monotonic())
    except CompilerMissing:
        print(f"sabot-sim device: {said('wrong.no-compiler')}", file=sys.stderr)
        return 2
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    try:
        with PtyHost() as host:
            host.add(arguments.link, device, baud_rate=BAUD_RATES.get(arguments.protocol, DEFAULT_BAUD_RATE))
            print(said("runs.device", kind=arguments.kind, path=arguments.link), file=sys.stderr, flush=True)
            with HandsSocket(host, device, arguments.link) if isinstance(device, TdpFirmware) else nullcontext():
                return _serve(host, hands, stop, arguments.hand_every)
    except LinkInUseError as error:
        print(f"sabot-sim device: {error}", file=sys.stderr)
    except OSError as error:
        print(f"sabot-sim device: {system_said(error)}", file=sys.stderr)
    return 2


def _no_such(arguments: argparse.Namespace) -> str:
    """Returns the error message for a device that cannot be simulated: names an unknown protocol, else the firmware."""
    named = {"kind": arguments.kind, "protocol": arguments.protocol}
    if (arguments.kind, arguments.protocol) not in DEVICES:
        return said("wrong.protocol", **named)
    return said("wrong.firmware", **named, firmware=arguments.firmware)


def _serve(host: PtyHost, hands: Hands, stop: threading.Event, every_s: float) -> int:
    while not stop.wait(every_s or 1.0):
        if not host.is_alive:
            return 1
        if every_s:
            host.call(hands)
    return 0


def _shuffler(arguments: argparse.Namespace, boot: int, now_s: float) -> tuple[SimulatedDevice, Hands]:
    kind = SHUFFLERS[arguments.firmware]
    shuffler = (pairable(kind) if arguments.pairable else kind)(rng=seeded(arguments.seed), now_s=now_s, boot=boot)
    shuffler.put_cards_in_hopper(make_cards(arguments.decks), now_s)
    drawn: list[PhysicalCard] = []

    def hands(now_s: float) -> None:
        drawn.extend(shuffler.pull_cards(now_s))
        drawn.extend(shuffler.take_from_tray(now_s))
        if not shuffler.status.hopper_loaded:
            shuffler.put_cards_in_hopper(drawn, now_s)
            drawn.clear()

    return shuffler, hands


def _shoe(arguments: argparse.Namespace, boot: int, now_s: float) -> tuple[SimulatedDevice, Hands]:
    kind = READERS[arguments.firmware]
    return _dealt_from((pairable(kind) if arguments.pairable else kind)(now_s=now_s, boot=boot), arguments)


def _angel_eye(arguments: argparse.Namespace, boot: int, _now_s: float) -> tuple[SimulatedDevice, Hands]:
    shoe = SimulatedAngelEye(boot=boot)
    shoe.turn_key(locked=False)
    return _dealt_from(shoe, arguments)


def _dealt_from(
    shoe: SimulatedShoe | SimulatedAngelEye, arguments: argparse.Namespace
) -> tuple[SimulatedDevice, Hands]:
    """Fills the shoe with shuffled cards. Returns the shoe, and hands that draw one card and put it back behind the
    others.
    """
    cards = list(make_cards(arguments.decks))
    seeded(arguments.seed).shuffle(cards)
    shoe.put_cards(cards)

    def hands(now_s: float) -> None:
        card = shoe.draw_card(now_s)
        if card is not None:
            shoe.put_cards([card])

    return shoe, hands


def _untouched(make: Callable[[Stand], SimulatedDevice]) -> Maker:
    """Returns a Maker that makes the device with `make`, together with hands that do nothing."""
    return lambda given, boot, now_s: (
        make(Stand(now_s, boot, rng=seeded(given.seed), pairable=given.pairable)),
        lambda _: None,
    )


def _key(_arguments: argparse.Namespace, _boot: int, now_s: float) -> tuple[SimulatedDevice, Hands]:
    key = SimulatedKey(now_s)
    return key, key.turn_and_take_back


def _badge_reader(arguments: argparse.Namespace, _boot: int, _now_s: float) -> tuple[SimulatedDevice, Hands]:
    reader = SimulatedBadgeReader()
    return reader, lambda _: reader.show(f"4F00{arguments.seed:04d}")


DEVICES: dict[tuple[str, str], Maker] = {
    **{
        (device.value.replace("_", "-"), wire): _untouched(make)
        for device, kind in KINDS.items()
        for wire, make in kind.wires.items()
    },
    ("shuffler", "tdp"): _shuffler,
    ("shoe", "tdp"): _shoe,
    ("shoe", "angel-eye"): _angel_eye,
    ("wheel", "cammegh"): _untouched(KINDS[Device.ROULETTE_WHEEL].wires["cammegh"]),
    ("lamp", "gpio"): _untouched(lambda _at: SimulatedLamp()),
    ("buzzer", "gpio"): _untouched(lambda _at: SimulatedRelay()),
    ("key-switch", "gpio"): _key,
    ("badge-reader", "hid"): _badge_reader,
}
IN_C: dict[tuple[str, str], Maker] = {
    ("shuffler", "tdp"): _shuffler,
    ("shoe", "tdp"): _shoe,
    ("jackpot-display", "tdp"): _untouched(alone_on_tdp(CDisplay)),
    ("value-display", "tdp"): _untouched(alone_on_tdp(CValueDisplay)),
    ("jackpot-slots", "tdp"): _untouched(alone_on_tdp(CSlots)),
}
MADE: Mapping[Firmware, Mapping[tuple[str, str], Maker]] = {Firmware.PYTHON: DEVICES, Firmware.C: IN_C}
