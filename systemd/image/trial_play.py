"""`make image-play-test`: plays a table on the booted image, and cuts its power at random times.

Devices and people are those of `sabot-sim demo`, on this computer. In the emulated machine each device is behind a USB
serial adapter. People act through a port. The trial's script opens this port after each start, once it has verified the
journal. No person types a command in the machine. At the end the journal is taken from the card, and the oracles judge
the journal and every card played.
"""

import argparse
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

from card import Card
from door import door
from emulated import Commands, Machine
from monitor import place
from trial import MACHINES, ROOT, built, ended, kernel, newest, prepare

from controller.catalogue import Language
from controller.config.model import Tracks
from simulators.demo.equipment import set_up
from simulators.demo.forms import Forms
from simulators.demo.house import SEATS, House, furnish
from simulators.demo.incidents import plan
from simulators.demo.narrator import Reporter
from simulators.demo.options import DemoOptions
from simulators.demo.report import Evening, document
from simulators.demo.stage import Stage
from simulators.demo.talk import Talk
from simulators.people.choices import Choices

PATIENT_S: Final = 1800.0
"""The seconds that a start may take in an emulator on a busy computer."""

PORT: Final = 9021
NETWORK: Final = "[Match]\nType=ether\n[Network]\nAddress=10.0.2.15/24\nLinkLocalAddressing=no\n"
NO_BROWSER: Final = "systemd.mask=sabot-kiosk.service"

SABOT: Final = 951
"""The number of the controller's user on the card (root/etc/sysusers.d/sabot.conf)."""


def main() -> int:
    parser = argparse.ArgumentParser(description="plays a table on the built image, and cuts its power")
    parser.add_argument("--arch", choices=("arm64", "amd64"), default="arm64")
    parser.add_argument("--out", type=Path, default=ROOT / "build/image")
    parser.add_argument("--cuts", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    card = built(given.out, given.arch)
    wrong = list(tried(card, given.arch, given.cuts, given.rounds, given.seed))
    return ended(wrong)


def tried(card: Card, arch: str, cuts: int, rounds: int, seed: int) -> Iterator[str]:
    """Plays the table with `cuts` power cuts. Yields a text for each fault."""
    work = card.out / "play"
    shutil.rmtree(work, ignore_errors=True)
    options = DemoOptions(rounds=rounds, seed=seed, tracks=Tracks.HANDS, as_json=True, stalled_s=PATIENT_S)
    house = furnish(work, Language.EN, options)
    links = links_of(house, options)
    disk = prepare(card, lambda _root, data: set_table(house, links, data))
    machine = Machine(commands(card, arch, disk), links, work, cuts, Random(seed))
    evening = play(options, house, machine)
    take(card, disk, house)
    made = document(house, evening)
    print(json.dumps({name: made[name] for name in ("rounds", "cards_drawn", "jams_raised", "journal_entries")}))
    yield from map(str, made["violations"] if isinstance(made["violations"], list) else ())
    if evening.exit_code != 0:  # the demo takes a killed controller for one of its own kills
        yield f"the button did not switch the machine off: the emulator ended with {evening.exit_code}"
    yield from wrong_starts(machine, cuts)


def commands(card: Card, arch: str, disk: Path) -> Commands:
    """Returns a function that gives the emulator's command for each start, by its number. Only the first start runs the
    browser, which is slow in the emulator.
    """
    network = ("-nic", f"user,restrict=on,hostfwd=tcp:127.0.0.1:{PORT}-10.0.2.15:{PORT},model=virtio-net-pci")
    screen = ("-vga", "none", "-device", "virtio-gpu-pci", "-device", "qemu-xhci,p2=15,p3=15,id=usb")
    command = [*MACHINES[arch], "-drive", f"file={disk},if=virtio,format=raw", *network, *screen]
    return lambda start: [*command, *kernel(card, arch, "/data/trial_play.sh", NO_BROWSER if start > 1 else "")]


def links_of(house: House, options: DemoOptions) -> dict[str, Path]:
    """Returns the symbolic links to the serial lines of the table, by the name of the adapter."""
    return {device.value: house.link(device) for device in options.protocols} | dict(house.part_links)


def set_table(house: House, links: Mapping[str, Path], data: Path, owner: tuple[int, int] = (SABOT, SABOT)) -> None:
    """Writes the table's configuration and staff file into `data`, the directory of the data partition. The network
    address is fixed.
    """
    places = {link: place(name) for name, link in links.items()} | {
        house.socket: "/run/sabot/control.sock",
        house.directory / "state": "/var/lib/sabot",
        house.journal: "/var/lib/sabot/journal",
        house.staff: "/var/lib/sabot/staff.toml",
    }
    text = house.config.read_text()
    for here, there in places.items():
        text = text.replace(json.dumps(str(here)), json.dumps(there))
    files = {"etc/table.toml": text, "network/trial.network": NETWORK}
    for name, content in files.items():
        (data / name).parent.mkdir(exist_ok=True)
        (data / name).write_text(content)
    shutil.copy(house.staff, data / "state/staff.toml")
    for file in (data / "etc/table.toml", data / "state/staff.toml"):
        os.chown(file, *owner)


def play(options: DemoOptions, house: House, machine: Machine) -> Evening:
    """Plays the table on the machine to its end, then turns the machine off."""
    began_s = time.monotonic()
    choices = Choices(options.seed, cards=52 * house.decks, seats_at_table=SEATS)
    incidents = plan(choices, options.rounds_a_session, 1, options.shoe, options.profile, options.faults)
    wires = {device: (protocol, house.link(device)) for device, protocol in options.protocols.items()}
    pace = options.tempo.machine
    with (
        contextlib.closing(machine),
        set_up(house.profile, wires, house.part_links, choices, incidents, pace) as equipment,
        door(house.socket, PORT),
    ):
        talk = Talk(sys.stderr, os.environ)
        stage = Stage(options, house, equipment, incidents, machine, Reporter(talk), lambda: False, Forms(None))
        played = stage.play()
        return Evening(
            played,
            equipment.book(),
            equipment.deck,
            house.decks,
            jackpot_cents=equipment.shown_cents,
            seed=options.seed,
            starts=machine.starts,
            exit_code=machine.power_off(),
            began_s=began_s,
            wall_seconds=time.monotonic() - began_s,
        )


# ---- the end


def take(card: Card, disk: Path, house: House) -> None:
    """Copies the table's files from the card's data partition. The machine must be off."""
    before = newest(card.out).stat().st_size - (card.out / "data.img").stat().st_size
    there = card.out / "play/card"
    there.mkdir()
    subprocess.run(
        ["debugfs", "-R", f"rdump /state {there}", f"{disk}?offset={before}"], check=True, capture_output=True
    )
    for name in ("journal", "journal.key", "journal.pub"):
        if (there / "state" / name).exists():
            shutil.move(there / "state" / name, house.directory / name)


def wrong_starts(machine: Machine, cuts: int) -> Iterator[str]:
    """Yields a text for each start with a wrong finding: about the journal, the controller or failed units."""
    if machine.starts <= cuts:
        yield f"the evening was over after {machine.starts - 1} of {cuts} cuts"
    for number, told in enumerate(machine.findings):
        if not told["journal"].startswith("Well: ") and number:
            yield f"start {number}: {told['journal']}"
        if told["failed"] != "none":
            yield f"start {number}: failed units: {told['failed']}"
        if '"session"' not in told["table"]:
            yield f"start {number}: {told['table']}"


if __name__ == "__main__":
    sys.exit(main())
