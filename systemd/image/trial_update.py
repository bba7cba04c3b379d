"""`make image-update-test`: updates an emulated PC with the card's own boot loader, and returns it to the root file
system before the update.

There are five starts. In the first, the first root file system installs the update. In the second, the new one is on
trial and becomes good. In the third, it runs and refuses three files. In the fourth, the power is cut in the middle of
a second update. In the fifth, the root file system that ran before the update runs again. In each start but the trial a
unit prints findings. The browser is left out, since it is slow in the emulator.
"""

import argparse
import base64
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

from card import MIB, Card
from signed import IMAGES, Pair, make_pair, own_pair, sign
from trial import MACHINES, ROOT, built, ended, prepare

from controller.catalogue import Language, sentence

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
NO_BROWSER: Final = "[Unit]\nConditionPathExists=/no-browser\n"
LETS_IN: Final = "lets-in"
OFF: Final = "off"
REFUSES: Final = "refuses off"
WRITES: Final = "TOLD writes"
"""The word at which the power goes: a fifth of the other root has been written."""

REFUSED: Final = {"foreign": "signature", "cut": "cut-short", "older": "older"}
"""The files that are refused, each with the name of its refusal."""

OLDER: Final = "20200101000000-1577836800"


@dataclass(frozen=True, slots=True)
class Machine:
    """An emulated PC with its memory card and a USB stick."""

    card: Card
    disk: Path
    stick: Path
    within_s: float

    def start(self, name: str, does: str = "", cut_at: str = "") -> dict[str, str]:
        """Starts the PC, waits until it turns off or restarts, and returns the findings that the started system prints.

        `does`: the task for the started system. `cut_at`: the word in the log at which the power is cut; "" for no cut.
        """
        log = self.card.out / "update.log"
        told = [*_credential("extra-unit.told.service", UNIT.format(does=does))] if does else []
        told += [*_credential("unit-dropin.multi-user.target", WANTS)] if does else []
        told += _credential("unit-dropin.sabot-kiosk.service", NO_BROWSER)
        drives = [word for file in (self.disk, self.stick) for word in ("-drive", f"file={file},if=virtio,format=raw")]
        quiet = ("-display", "none", "-no-reboot", "-monitor", "none", "-serial", f"file:{log}", "-nic", "none")
        log.write_bytes(b"")
        began_s = time.monotonic()
        machine = subprocess.Popen([*MACHINES["amd64"], *drives, *quiet, *told], stdin=subprocess.DEVNULL)
        try:
            _wait(machine, log, self.within_s, cut_at)
        finally:
            machine.kill()
            machine.wait()
        found = dict(re.findall(r"TOLD ([a-z]+) ([^\r\n]*)", log.read_text(errors="replace")))
        found["took"] = f"{time.monotonic() - began_s:.0f} s"
        for what, value in found.items():
            print(f"{name}: {what}: {value}", flush=True)
        return found


def _credential(name: str, text: str) -> Iterator[str]:
    data = base64.b64encode(text.encode()).decode()
    yield from ("-smbios", f"type=11,value=io.systemd.credential.binary:systemd.{name}={data}")


def _wait(machine: subprocess.Popen[bytes], log: Path, within_s: float, cut_at: str) -> None:
    until_s = time.monotonic() + within_s
    while machine.poll() is None and time.monotonic() < until_s:
        time.sleep(0.2)
        if cut_at and cut_at.encode() in log.read_bytes():
            return


def main() -> int:
    parser = argparse.ArgumentParser(description="tries an update of the built image for a virtual PC")
    parser.add_argument("--out", type=Path, default=ROOT / "build/image")
    parser.add_argument("--within", type=float, default=3600.0, help="seconds that a start may take")
    given = parser.parse_args()
    card = built(given.out, "amd64")
    machine = Machine(card, prepare(card), stick(card), given.within)
    wrong = list(_wrong(machine))
    return ended(wrong)


def stick(card: Card) -> Path:
    """Makes a USB stick with the newest update and with files that must be refused. Returns the path of the stick's
    file.
    """
    bundle, file = max(card.out.glob("sabot-*.raucb"), key=lambda path: path.stat().st_mtime), card.out / "stick.img"
    files = {"update": bundle, **to_refuse(card, card.out / "refused")}
    file.unlink(missing_ok=True)
    kib = sum(one.stat().st_size for one in files.values()) // 1024 + 65_536
    subprocess.run(["mkfs.vfat", "-F", "32", "-n", "STICK", "-C", str(file), str(kib)], check=True)
    for name, one in files.items():
        subprocess.run(["mcopy", "-i", str(file), str(one), f"::{name}.raucb"], check=True)
    return file


def to_refuse(card: Card, folder: Path) -> dict[str, Path]:
    """Makes three small bundles that the update must refuse: one signed by a foreign key, one cut in the middle, and
    one older than the card's system.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in IMAGES:
        (folder / name).write_bytes(os.urandom(MIB))
    ours, foreign = own_pair(card.out.parent), Pair(folder / "foreign.key", folder / "foreign.pem")
    make_pair(foreign, "somebody else")
    made = Card(folder, card.made)
    files = {
        "foreign": sign(made, "amd64", f"99{OLDER[2:]}", "foreign", foreign),
        "older": sign(made, "amd64", OLDER, "older", ours),
        "cut": folder / "cut.raucb",
    }
    files["cut"].write_bytes(files["older"].read_bytes()[:MIB])
    return files


def _wrong(machine: Machine) -> Iterator[str]:
    first = machine.start("lets in", LETS_IN)
    machine.start("trial")
    new = machine.start("new root", REFUSES)
    yield from _let_in(new)
    cut = machine.start("power cut", LETS_IN, WRITES)
    if "writes" not in cut or "ended" in cut:
        yield f"power cut: not in the middle: {cut}"
    after = machine.start("after the cut", OFF)
    for name, found, slot in (("lets in", first, "a"), ("new root", new, "b"), ("after the cut", after, "b")):
        if found.get("slot") != f"rauc.slot={slot}":
            yield f"{name}: {found.get('slot', 'nothing')} is not root {slot}"
        if "closed" not in found.get("table", "") or not found.get("journal", "").startswith("Well: "):
            yield f"{name}: table {found.get('table')!r}, journal {found.get('journal')!r}"


def _let_in(told: dict[str, str]) -> Iterator[str]:
    """Yields a text for each file that was not refused for the expected reason, and a text if a refusal has changed
    anything.
    """
    for name, refusal in REFUSED.items():
        why = sentence(f"update.refused.{refusal}.text", {}, Language.EN)
        if not told.get(name, "").startswith("exit 1: ") or why not in told.get(name, ""):
            yield f"new root: {name}: {told.get(name)!r} is not {why!r}"
    if told.get("still") != f'{told.get("state")} "session": "closed"':
        yield f"new root: after the refusals {told.get('still')!r}, before them {told.get('state')!r}"


if __name__ == "__main__":
    sys.exit(main())
