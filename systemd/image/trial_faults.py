"""`make image-faults-test`: shows that the booted image has a page for each fault of its card, with the cause and what
to do.

The first machine has a destroyed data partition, the second one a damaged one. The third one has a table. Its script
fills the data partition, sets the clock to 1970, and lets the kernel turn the data partition read-only in play.
Pictures of the screen are kept. Files of an update that are refused belong to `make image-update-test`.
"""

import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

from boot import DATA
from card import MIB, Card, start_of
from screen import Screen
from trial import HERE, MACHINES, ROOT, built, ended, kernel, parser_of, prepare
from trial_first import Started, tried

from controller.catalogue import Language, sentence
from controller.protocol.stopped import Cause

sys.path.insert(0, str(ROOT / "tests/deb"))

from table import PINS

SCRIPT: Final = "/dev/vdb"
"""The second disk. It has the text of the script and nothing else, since the data partition may be missing."""

NAME: Final = "trial_faults.sh"
BLOCK: Final = 4096
AWAY: Final = {"away": "^there$", "controller": "^inactive$", "asks": "^inactive$"}
IN_PLAY: Final = {
    "full": "^there$",
    "roomy": "^there$",
    "unset": "^there$",
    "set": "^gone$",
    "mounted": r"(^|,)(emergency_)?ro(,|$)",
    "hold": "^there$",
}
"""The pattern that each line of a start must match."""


def main() -> int:
    given = parser_of("shows the built image's pages for the faults of its card", within_s=3600.0).parse_args()
    card = built(given.out, given.arch)
    work, within_s = card.out / "faults", given.within
    wrong = [
        *tried("without data", machine(card, given.arch, destroy), work, within_s, AWAY, look),
        *tried("damaged data", machine(card, given.arch, damage), work, within_s, AWAY, look),
        *tried("with a table", machine(card, given.arch), work, within_s, IN_PLAY, look),
    ]
    return ended(wrong)


def machine(card: Card, arch: str, spoil: Callable[[Path], None] | None = None) -> list[str]:
    """Makes the machine's card and the disk with the script. Returns the emulator's command."""
    disk, script = prepare(card), card.out / "faults.img"
    if spoil is not None:
        spoil(disk)
    text = told().encode()
    script.write_bytes(text + b"\n" * (-len(text) % BLOCK))
    drives = [word for file in (disk, script) for word in ("-drive", f"file={file},if=virtio,format=raw")]
    screen = ("-nic", "none", "-vga", "none", "-device", "virtio-gpu-pci")
    return [*MACHINES[arch], *drives, *screen, *kernel(card, arch, SCRIPT)]


def told() -> str:
    """Returns the script with the sentences to look for, and the dealer's PIN."""
    date = sentence("panel.stopped.clock.text", {"date": "1970-01-02"}, Language.EN)
    keys = {"AWAY": f"panel.stopped.{Cause.MEDIUM_AWAY}.text", "FULL": "storage.full", "HELD": "storage.read-only"}
    words = {name: sentence(key, {}, Language.EN) for name, key in keys.items()}
    words |= {"UNSET": date, "PIN": PINS.split()[0]}
    return "".join(f"{name}={shlex.quote(text)}\n" for name, text in words.items()) + (HERE / NAME).read_text()


def damage(disk: Path) -> None:
    """Clears the root directory of the data partition's file system: a damage that `fsck -a` leaves to a person."""
    for command in ("clri <2>", "set_super_value state 2"):
        where = f"{disk}?offset={start_of(DATA) * MIB}"
        subprocess.run(["debugfs", "-w", "-R", command, where], check=True, capture_output=True)


def destroy(disk: Path) -> None:
    """Writes zeros over the beginning of the data partition."""
    with disk.open("r+b") as file:
        file.seek(start_of(DATA) * MIB)
        file.write(bytes(MIB))


def look(name: str, machine: Started, work: Path) -> Iterator[str]:
    """Waits for the end of the script, then takes a picture of the screen. Yields no text."""
    machine.said("shown")
    screen = Screen(machine.monitor, work)
    machine.wait("the page's picture", lambda: screen.keep(name.replace(" ", "-")) or None)
    print(f"{name}: picture: {screen.kept[0]}", flush=True)
    yield from ()


if __name__ == "__main__":
    sys.exit(main())
