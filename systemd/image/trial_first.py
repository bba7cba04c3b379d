"""`make image-first-test`: tests that the first start of the built image sets up a table, from power on to the closed
table.

A stick with the label SABOT brings a file of answers. A simulated person answers the remaining questions on the panel's
pages, through a port that the trial's script opens. Pictures of the emulated screen are kept. The second start shows
that the commissioning is over: the stick is still plugged in, but is not read. No person types a command in the
machine.
"""

import contextlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

sys.path.insert(0, str(Path(__file__).parents[1] / "debian"))

from card import Card
from monitor import Monitor
from person import Person, answers_of
from screen import Screen
from trial import MACHINES, ROOT, built, ended, kernel, parser_of, prepare
from trial_play import NETWORK, NO_BROWSER

sys.path.insert(0, str(ROOT / "tests/deb"))

from table import ANSWERS

PORT: Final = 9022
ON_EACH_TABLE: Final = ANSWERS.replace('id = "BJ-07"\n', 'language = "en"\n')
"""The file of answers for many tables: no name of a table, and no PIN."""

OFF_WITHIN_S: Final = 600.0
LOOKS_EVERY_S: Final = 1.0
WANTED: Final = {
    "table": '^"session": "closed"$',
    "journal": "^Well: ",
    "files": r"^(?=.*\bcommissioned\b)(?=.*\bstaff\.toml\b)(?=.*\btable\.toml\b)(?!.*\bcommissioning\b)",
    "commission": "^inactive$",
    "cycles": "^none$",
    "failed": "^none$",
}
"""The pattern that each line of both starts must match; other lines are only printed."""

OF_FIRST: Final = {"stick": r"\bro\b.*nosuid.*noexec", "kiosk": "^active$"}
OF_SECOND: Final = {"stick": "^none$"}

Seen = TypeVar("Seen")


class TrialLostError(Exception):
    """The machine has ended, or an expected event did not come in time."""


@dataclass(frozen=True, slots=True)
class Started:
    """A machine that runs. `until_s`: the monotonic second from which on waiting for the machine fails."""

    process: subprocess.Popen[bytes]
    console: Path
    monitor: Monitor
    until_s: float

    def told(self) -> dict[str, str]:
        return dict(re.findall(r"TOLD ([a-z]+) ([^\r\n]*)", self.console.read_text(errors="replace")))

    def wait(self, what: str, look: Callable[[], Seen | None]) -> Seen:
        """Calls `look` until its result is not None, and returns this result. Raises TrialLostError, which names
        `what`.
        """
        while (found := look()) is None:
            if self.process.poll() is not None or time.monotonic() > self.until_s:
                raise TrialLostError(what)
            time.sleep(LOOKS_EVERY_S)
        return found

    def said(self, word: str) -> str:
        """Waits until the machine has printed the finding `word`, and returns its text. Raises TrialLostError."""
        return self.wait(word, lambda: self.told().get(word))


def main() -> int:
    given = parser_of("sets up a table on the built image by its first start", within_s=3600.0).parse_args()
    card = built(given.out, given.arch)
    command, work = machine(card, given.arch), card.out / "first"
    wrong = [
        *tried("first start", command(""), work, given.within, WANTED | OF_FIRST, set_up),
        *tried("second start", command(NO_BROWSER), work, given.within, WANTED | OF_SECOND, is_over),
    ]
    return ended(wrong)


def machine(card: Card, arch: str) -> Callable[[str], list[str]]:
    """Makes the disk and the USB stick of the emulated machine. Returns a function that makes the emulator's command
    from further words for the kernel's command line.
    """
    disk, answers = prepare(card, lambda _root, data: put_network(data)), stick(card)
    network = ("-nic", f"user,restrict=on,hostfwd=tcp:127.0.0.1:{PORT}-10.0.2.15:{PORT},model=virtio-net-pci")
    drives = [word for file in (disk, answers) for word in ("-drive", f"file={file},if=virtio,format=raw")]
    screen = ("-vga", "none", "-device", "virtio-gpu-pci")
    command = [*MACHINES[arch], *drives, *network, *screen]
    return lambda more: [*command, *kernel(card, arch, "/data/trial_first.sh", more)]


def put_network(data: Path) -> None:
    (data / "network").mkdir()
    (data / "network/trial.network").write_text(NETWORK)


def stick(card: Card) -> Path:
    """Makes the image of a USB stick with the file of answers, and returns its path."""
    text, file = card.out / "answers.toml", card.out / "answers.img"
    text.write_text(ON_EACH_TABLE)
    file.unlink(missing_ok=True)
    subprocess.run(["mkfs.vfat", "-n", "SABOT", "-C", str(file), "1440"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["mcopy", "-i", str(file), str(text), "::answers.toml"], check=True)
    return file


# ---- a start


def tried(
    name: str,
    command: list[str],
    work: Path,
    within_s: float,
    wanted: Mapping[str, str],
    acts: Callable[[str, Started, Path], Iterator[str]],
) -> Iterator[str]:
    """Starts the machine, runs `acts`, and presses the power button. Yields a text for each fault.

    `wanted`: the pattern that each finding must match. `work`: the directory for the console's text and pictures.
    """
    work.mkdir(exist_ok=True)
    with running(command, work, within_s) as machine:
        try:
            yield from acts(name, machine, work)
        except TrialLostError as lost:
            yield f"{name}: {lost} was not seen within {within_s:.0f} s"
        told = machine.told()
        for what, value in told.items():
            print(f"{name}: {what}: {value}", flush=True)
        yield from (f"{name}: {what}: {told.get(what)!r}" for what in wanted if not _fits(wanted[what], told.get(what)))
        machine.monitor.do("system_powerdown")
        with contextlib.suppress(subprocess.TimeoutExpired):
            machine.process.wait(OFF_WITHIN_S)
        if machine.process.poll() != 0:
            yield f"{name}: the button did not switch the machine off"


def _fits(pattern: str, value: str | None) -> bool:
    return value is not None and re.search(pattern, value) is not None


@contextlib.contextmanager
def running(command: list[str], work: Path, within_s: float) -> Iterator[Started]:
    """A context in which the machine runs. Its console and its monitor are files in the directory `work`."""
    console, at = work / "console.log", work / "monitor"
    console.write_bytes(b"")
    at.unlink(missing_ok=True)
    quiet = ("-display", "none", "-no-reboot", "-serial", f"file:{console}")
    control = ("-qmp", f"unix:{at},server=on,wait=off")
    process = subprocess.Popen([*command, *quiet, *control], stdin=subprocess.DEVNULL)
    try:
        with contextlib.closing(Monitor(at)) as monitor:
            yield Started(process, console, monitor, time.monotonic() + within_s)
    finally:
        process.kill()
        process.wait()


# ---- what people do


def set_up(name: str, machine: Started, work: Path) -> Iterator[str]:
    """Waits for the first question on the screen, then answers every page until the table's own page comes. Yields a
    text for each fault.
    """
    machine.said("people")
    began_s = time.monotonic()
    person, screen = Person(PORT, answers_of()), Screen(machine.monitor, work)
    machine.wait("the first question", person.asked)
    machine.wait("the first question's picture", lambda: screen.keep("question") or None)
    print(f"{name}: picture of it {time.monotonic() - began_s:.0f} s after the panel's first answer", flush=True)
    while not machine.wait("the next page", person.goes_on):
        print(f"{name}: page: {' '.join((*person.said, person.did))}", flush=True)
    yield from (f"{name}: {wrong}" for wrong in person.wrong)
    machine.said("over")
    machine.wait("the closed table's picture", lambda: screen.keep("table") or None)
    print(f"{name}: pictures: {', '.join(map(str, screen.kept))}", flush=True)


def is_over(name: str, machine: Started, _work: Path) -> Iterator[str]:
    """Checks that the panel shows the table's own page first. Yields a text if it asks a question again."""
    machine.said("people")
    person = Person(PORT, {})
    if not machine.wait("the table's page", person.goes_on):
        yield f"{name}: asked again: {person.did}"
    machine.said("over")


if __name__ == "__main__":
    sys.exit(main())
