"""The environment of a floor on this computer: database schema, certificates, keys, files, and processes of the real
program.
"""

import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, ClassVar, Final, Protocol, Self, TypeAlias

from controller.floor.schema import migrate
from controller.journal.note import KeyKind, NoteKey
from controller.journal.signing import Signer
from controller.uplink.settings import UplinkSettings
from controller.witness.place import make, name_and_signer
from simulators.floor.certificates import Authority

CONFIG: Final = """\
[uplink]
listen = "127.0.0.1"
port = 0
certificate = "floor.pem"
authority = "authority.pem"
tables = "tables"

[database]
connection = "{conninfo}"

[witness]
directory = "witness"
"""
PAGE: Final = """
[page]
port = 0
language = "{language}"
"""
ENDS_S: Final = 15.0


class HasPort(Protocol):
    """An object with the `port` to which tables connect: a process of the floor, or a proxy in front of it."""

    @property
    def port(self) -> int: ...


class Process(Protocol):
    """The members of `subprocess.Popen` that this module uses."""

    pid: int
    stdout: IO[str] | None

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...

    def send_signal(self, number: int, /) -> None: ...


Spawn: TypeAlias = Callable[[Sequence[str]], Process]
"""A function that starts `sabot-floor` with these arguments, and with a pipe for its output."""


def spawned(words: Sequence[str]) -> Process:
    """Starts `sabot-floor` with the arguments `words` as a process with its own session."""
    command = [sys.executable, "-m", "controller.floor", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)


class FloorProcess:
    """One serving process of `sabot-floor`. `tables`, `page`: the addresses that the process has printed; `page` is ""
    for a process that serves no page.
    """

    spawn: ClassVar[Spawn] = staticmethod(spawned)

    def __init__(self, config: Path, *, has_page: bool) -> None:
        self.process = FloorProcess.spawn(("--config", str(config)))
        self.tables = self._address("tables")
        self.page = self._address("page") if has_page else ""

    @property
    def port(self) -> int:
        """The port to which tables connect."""
        return int(self.tables.rstrip("/").rpartition(":")[2])

    def end(self, number: int = signal.SIGTERM) -> int:
        """Sends the process this signal, waits at most ENDS_S seconds for its end, and returns the exit code."""
        self.process.send_signal(number)
        code = self.process.wait(ENDS_S)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code

    def _address(self, word: str) -> str:
        line = "" if self.process.stdout is None else self.process.stdout.readline()
        if not line.startswith(f"{word}: "):
            raise RuntimeError(f"sabot-floor ended with {self.process.wait(ENDS_S)}")
        return line.removeprefix(f"{word}: ").strip()


class Room:
    """The directory with the files of a floor and its tables. All processes that this object has started end with the
    context.
    """

    def __init__(self, directory: Path, conninfo: str, language: str = "en") -> None:
        self.directory = directory
        self.keys = directory / "tables"
        self.keys.mkdir()
        self.authority = Authority(directory)
        self.authority.signed("floor")
        self._certificate = self.authority.signed("table")
        self._started: list[FloorProcess] = []
        of_tables = CONFIG.format(conninfo=conninfo)
        (directory / "floor.toml").write_text(of_tables + PAGE.format(language=language))
        (directory / "second.toml").write_text(of_tables)
        make(directory / "witness", "floor.sim")
        migrate(conninfo)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._started:
            if one.process.poll() is None:
                one.end()

    def start(self, *, has_page: bool = True) -> FloorProcess:
        """Starts one more process of the floor; with `has_page` it also serves the page. Raises RuntimeError if the
        process ends before it serves.
        """
        name = "floor.toml" if has_page else "second.toml"
        self._started.append(FloorProcess(self.directory / name, has_page=has_page))
        return self._started[-1]

    def admit(self, table: str, signer: Signer) -> None:
        """Stores the public key of `signer` among the keys that the floor reads. The floor then accepts the table
        `table`.
        """
        (self.keys / f"{table}.pub").write_bytes(signer.public_file())

    @property
    def witness(self) -> NoteKey:
        """Returns the public key with which the floor's signatures on tables' marks are verified."""
        name, signer = name_and_signer(self.directory / "witness")
        return NoteKey(name, KeyKind.COSIGNATURE, signer.public_key)

    def settings(self, table: str, port: int, socket: Path = Path("/nowhere")) -> UplinkSettings:
        """Returns the settings of this table's uplink to the floor at `port`. `socket`: the socket of the table's
        controller.
        """
        return UplinkSettings(socket, table, "127.0.0.1", port, self.authority.path, self._certificate)
