"""`make image-update-test`: an update on an emulated PC, from the card's own boot loader to the root that is good.

Five starts: the first root lets the update in; the new one is tried and makes itself good; it runs; the power goes in
the middle of a second update; the root of before runs. In each start but the trial a unit tells its findings.
"""

import argparse
import base64
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

from card import Card
from trial import MACHINES, ROOT, prepare

UNIT: Final = """[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
ExecStart=/bin/sh /data/trial_update.sh {does}
"""
WANTS: Final = "[Unit]\nWants=told.service\n"
LETS_IN: Final = "lets-in"
OFF: Final = "off"
BEGINS: Final = "TOLD begins"
CUT_AFTER_S: Final = 20.0
"""The seconds from the first word of the installation until the power goes."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The emulated PC with its card and a stick."""

    card: Card
    disk: Path
    stick: Path
    within_s: float

    def start(self, name: str, does: str = "", cut_at: str = "") -> dict[str, str]:
        """Starts the PC, waits until it goes off or restarts, and returns the findings that the started system prints.

        `cut_at`: CUT_AFTER_S seconds after this word in the log the power goes.
        """
        log = self.card.out / "update.log"
        told = [*_credential("extra-unit.told.service", UNIT.format(does=does))] if does else []
        told += [*_credential("unit-dropin.multi-user.target", WANTS)] if does else []
        drives = [word for file in (self.disk, self.stick) for word in ("-drive", f"file={file},if=virtio,format=raw")]
        quiet = ("-display", "none", "-no-reboot", "-monitor", "none", "-serial", f"file:{log}", "-nic", "none")
        log.write_bytes(b"")
        machine = subprocess.Popen([*MACHINES["amd64"], *drives, *quiet, *told], stdin=subprocess.DEVNULL)
        try:
            _wait(machine, log, self.within_s, cut_at)
        finally:
            machine.kill()
            machine.wait()
        found = dict(re.findall(r"TOLD ([a-z]+) ([^\r\n]*)", log.read_text(errors="replace")))
        for what, value in found.items():
            print(f"{name}: {what}: {value}", flush=True)
        return found


def _credential(name: str, text: str) -> Iterator[str]:
    data = base64.b64encode(text.encode()).decode()
    yield from ("-smbios", f"type=11,value=io.systemd.credential.binary:systemd.{name}={data}")


def _wait(machine: subprocess.Popen[bytes], log: Path, within_s: float, cut_at: str) -> None:
    until, cut = time.monotonic() + within_s, float("inf")
    while machine.poll() is None and time.monotonic() < min(until, cut):
        time.sleep(0.2)
        if cut_at and cut == float("inf") and cut_at.encode() in log.read_bytes():
            cut = time.monotonic() + CUT_AFTER_S


def main() -> int:
    parser = argparse.ArgumentParser(description="tries an update of the built image for a virtual PC")
    parser.add_argument("--out", type=Path, default=ROOT / "build/image")
    parser.add_argument("--within", type=float, default=3600.0, help="seconds that a start may take")
    given = parser.parse_args()
    out = given.out.resolve() / "amd64"
    card = Card(out, int((out / "debian.time").read_text()))
    machine = Machine(card, prepare(card), stick(card), given.within)
    wrong = list(_wrong(machine))
    print("\n".join(f"WRONG {line}" for line in wrong) or "well")
    return 1 if wrong else 0


def stick(card: Card) -> Path:
    """Makes a stick with the newest bundle."""
    bundle, file = max(card.out.glob("*.raucb"), key=lambda path: path.stat().st_mtime), card.out / "stick.img"
    file.unlink(missing_ok=True)
    kib = bundle.stat().st_size // 1024 + 65_536
    subprocess.run(["mkfs.vfat", "-F", "32", "-n", "STICK", "-C", str(file), str(kib)], check=True)
    subprocess.run(["mcopy", "-i", str(file), str(bundle), "::update.raucb"], check=True)
    return file


def _wrong(machine: Machine) -> Iterator[str]:
    first = machine.start("lets in", LETS_IN)
    machine.start("trial")
    new = machine.start("new root", OFF)
    machine.start("power cut", LETS_IN, BEGINS)
    after = machine.start("after the cut", OFF)
    for name, found, slot in (("lets in", first, "a"), ("new root", new, "b"), ("after the cut", after, "b")):
        if found.get("slot") != f"rauc.slot={slot}":
            yield f"{name}: {found.get('slot', 'nothing')} is not root {slot}"
        if "closed" not in found.get("table", "") or not found.get("journal", "").startswith("Well: "):
            yield f"{name}: table {found.get('table')!r}, journal {found.get('journal')!r}"


if __name__ == "__main__":
    sys.exit(main())
