"""`make image-test`: boots the built image in an emulator and prints what the started system reports (its findings).
The exit code is 1 if a finding is wrong.

The root file system is the image's own, unchanged. A unit collects the findings. It comes from the kernel's command
line, which the emulator passes (a card has this line in a file). Its script is on the trial's data partition. Before
the start, a table without devices is commissioned there, by the same command as at a table. A second start shows the
state that the first start has left.
"""

import argparse
import base64
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

import foreign
from card import MIB, Card

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parents[1]
MACHINES: Final = {
    "arm64": ("qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "1024"),
    "amd64": ("qemu-system-x86_64", "-M", "q35", "-cpu", "max", "-smp", "2", "-m", "1024"),
    "raspi3b": ("qemu-system-aarch64", "-M", "raspi3b"),
}
CONSOLES: Final = {"arm64": "ttyAMA0", "amd64": "ttyS0", "raspi3b": "ttyS1"}
NO_WATCHDOG: Final = {"raspi3b": "systemd.watchdog_sec=off"}
"""Words for the kernel's line of a machine whose emulated watchdog restarts the machine as soon as it is armed."""

PATIENCE: Final = "[Service]\nTimeoutStartSec=900\nWatchdogSec=120\n"
"""For the controller's unit: an emulator is slower than any Pi."""

PATIENT: Final = "systemd.default_timeout_start_sec=900"
"""A word of the kernel's line: more time for every other unit, too."""

UNIT: Final = """[Unit]
After=multi-user.target
[Service]
Type=oneshot
TimeoutStartSec=infinity
StandardOutput=tty
TTYPath=/dev/console
ExecStart=/bin/sh {script}
"""

WANTED: Final = {
    "root": r"\bro\b",
    "write to the root": "Read-only file system",
    "data": r"ext4 rw,nosuid,nodev,noexec,noatime,errors=remount-ro,data=ordered,data_err=abort",
    "swap": "^none$",
    "logins and ssh": "^none$",
    "accounts with a password": "^none$",
    "radios": "^none$",
    "listening": r"^127\.0\.0\.1:8021$",
    "failed units": "^none$",
    "ordering cycles": "^none$",
    "sabot.service": "^active$",
    "sabot-panel.service": "^active$",
    "watchdog": "14s",
    "panel": "^200 ",
    "table": '"session": "closed"',
    "journal": "^Well: ",
    "doctor": "^(?!.*program-changed)",
}
"""The pattern that each line must match; other lines are only printed."""


@dataclass(frozen=True, slots=True)
class Start:
    """The outcome of one start. `told`: the findings by name. `login`: True if the console has offered a login."""

    machine: str
    told: dict[str, str]
    login: bool

    def wrong(self) -> Iterator[str]:
        for name, pattern in WANTED.items():
            if name == "watchdog" and self.machine in NO_WATCHDOG:
                continue
            if not re.search(pattern, self.told.get(name, "")):
                yield f"{name}: {self.told.get(name, 'nothing was told')!r} is not {pattern!r}"
        if self.login:
            yield "a login is offered"


def main() -> int:
    parser = parser_of("boots the built image in an emulator", within_s=1800.0)
    parser.add_argument("--machine", choices=MACHINES, help="raspi3b: the Pi that the emulator knows")
    given = parser.parse_args()
    card = built(given.out, given.arch)
    disk = prepare(card)
    machine = given.machine or given.arch
    first = show("first start", start(card, disk, machine, given.within))
    second = show("second start", start(card, disk, machine, given.within))
    wrong = [*first.wrong(), *second.wrong()]
    kept = [name for name in ("machine-id", "data size") if first.told.get(name) != second.told.get(name)]
    wrong += [f"{name} of the first start is another in the second" for name in kept]
    return ended(wrong)


def parser_of(description: str, within_s: float) -> argparse.ArgumentParser:
    """Returns a parser with the options of a trial. `within_s`: the usual most seconds of a start."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--arch", choices=("arm64", "amd64"), default="arm64")
    parser.add_argument("--out", type=Path, default=ROOT / "build/image")
    parser.add_argument("--within", type=float, default=within_s, help="seconds that a start may take")
    return parser


def built(out: Path, arch: str) -> Card:
    """Returns the card that `make image` has built in the directory `out` for `arch`."""
    parts = out.resolve() / arch
    return Card(parts, int((parts / "debian.time").read_text()))


def ended(wrong: Sequence[str]) -> int:
    """Prints each fault of a trial, or that it went well. Returns the exit code."""
    print("\n".join(f"WRONG {line}" for line in wrong) or "well")
    return 1 if wrong else 0


def show(name: str, seen: Start) -> Start:
    for what, value in seen.told.items():
        print(f"{name}: {what}: {value}", flush=True)
    return seen


# ---- the card


Fill: TypeAlias = Callable[[Path, Path], None]
"""Puts a table into the directory `data` (second) of a card with this root (first)."""


def prepare(card: Card, fill: Fill | None = None) -> Path:
    """Makes a card of 8 GB from the image, and returns the path of the card's file.

    The data partition has the scripts of the trial and a table. `fill`: makes the table; None to commission a table
    without devices.
    """
    data, image, disk = card.out / "trial-data", newest(card.out), card.out / "trial.img"
    shutil.rmtree(data, ignore_errors=True)
    for place, mode in (("state", 0o700), ("etc", 0o750)):
        (data / place).mkdir(parents=True)
        (data / place).chmod(mode)
    os.chown(data / "state", 951, 951)
    os.chown(data / "etc", 0, 951)
    (data / "units").mkdir()
    (data / "units/patience.conf").write_text(PATIENCE)
    for script in HERE.glob("trial*.sh"):
        shutil.copy(script, data / script.name)
    (fill or commission)(card.root, data)
    subprocess.run(["cp", "--sparse=always", str(image), str(disk)], check=True)
    card.write_data(card.out / "trial-data.img", "-d", str(data))
    where = (image.stat().st_size - (card.out / "data.img").stat().st_size) // MIB
    copy = ("dd", f"if={card.out / 'trial-data.img'}", f"of={disk}", "bs=1M", f"seek={where}", "conv=notrunc")
    subprocess.run([*copy, "status=none"], check=True)
    os.truncate(disk, 8192 * MIB)
    return disk


def newest(out: Path) -> Path:
    return max(out.glob("sabot-*.img"), key=lambda path: path.stat().st_mtime)


def commission(root: Path, data: Path) -> None:
    """Commissions a table in the directory `data`, by the program in the image.

    Leaves a question open if its answer needs a running service. Raises SystemExit if no configuration was written.
    """
    sys.path.insert(0, str(ROOT / "tests/deb"))
    from table import ANSWERS, PINS

    (data / "etc/answers.toml").write_text(ANSWERS)
    binds = f"mount --bind {data}/state {root}/var/lib/sabot && mount --bind {data}/etc {root}/etc/sabot"
    command = f"chroot {root} sabot commission --answers /etc/sabot/answers.toml --pin-fd 0"
    script = f"{binds} && mount -t proc proc {root}/proc && exec {command}"
    isolated = [word for word in foreign.ISOLATED if word != "--mount-proc"]
    environment = {"PATH": "/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
    subprocess.run([*isolated, "sh", "-c", script], env=environment, input=PINS, text=True, check=False, stdout=-3)
    if not (data / "etc/table.toml").exists():
        raise SystemExit("the commissioning wrote no configuration")
    (data / "etc/answers.toml").unlink()


# ---- a start


def start(card: Card, disk: Path, machine: str, within_s: float) -> Start:
    """Boots the card until the trial's script turns the machine off, and returns the outcome.

    Kills the machine if it still runs after `within_s` seconds.
    """
    log = card.out / "trial.log"
    command = [
        *MACHINES[machine],
        *drive(card, disk, machine),
        *kernel(card, machine, "/data/trial.sh", NO_WATCHDOG.get(machine, "")),
    ]
    began = time.monotonic()
    with log.open("wb") as file:
        quiet = ("-display", "none", "-no-reboot", "-monitor", "none", *serial(machine))
        done = subprocess.Popen([*command, *quiet], stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
        try:
            done.wait(within_s)
        except subprocess.TimeoutExpired:
            done.kill()
            done.wait()
    text = log.read_text(errors="replace")
    told = dict(re.findall(r"TRIAL ([^:\r\n]+): ([^\r\n]*)", text))
    told["emulator ran for"] = f"{time.monotonic() - began:.0f} s"
    return Start(machine, told, re.search(r"login:", text) is not None)


def kernel(card: Card, machine: str, script: str, more: str = "") -> tuple[str, ...]:
    """Returns the emulator's options for the image's kernel, with a unit that runs a script.

    `script`: the script's path in the machine. `more`: further words for the kernel's command line.
    """
    unit = base64.b64encode(UNIT.format(script=script).encode()).decode()
    hook = f"systemd.set_credential_binary=systemd.extra-unit.trial.service:{unit} systemd.wants=trial.service"
    line = (card.boot / "cmdline.txt").read_text().strip()
    said = line.replace("quiet ", "").replace("show_status=no", "show_status=yes")
    files = ("-kernel", str(card.kernel / "vmlinuz"), "-initrd", str(card.kernel / "initrd.img"))
    return (*files, "-append", f"{said} console={CONSOLES[machine]} {PATIENT} {hook} {more}")


def drive(card: Card, disk: Path, machine: str) -> tuple[str, ...]:
    if machine == "raspi3b":
        return ("-dtb", str(card.boot / "bcm2837-rpi-3-b.dtb"), "-drive", f"file={disk},if=sd,format=raw")
    network = ("-nic", "none", "-device", "virtio-gpu-pci")
    return ("-drive", f"file={disk},if=virtio,format=raw", *network)


def serial(machine: str) -> tuple[str, ...]:
    return ("-serial", "null", "-serial", "stdio") if machine == "raspi3b" else ("-serial", "stdio")


if __name__ == "__main__":
    sys.exit(main())
