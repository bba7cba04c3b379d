"""Runs a private PostgreSQL server from Debian's package, with its own directory and Unix socket. Other servers are
left alone.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Self

import psycopg

BINARIES: Final = Path("/usr/lib/postgresql")
MISSING: Final = "PostgreSQL is not installed; on Debian: sudo apt install postgresql"
READY_S: Final = 60.0
USERS: Final = ("postgres", "nobody")
_ENVIRONMENT: Final = {"LC_ALL": "C", "PATH": os.defpath, "TZ": "UTC"}


class PostgresMissing(Exception):  # noqa: N818 (the name says what is missing)
    """The PostgreSQL server is not installed. The error's text has the command that installs it."""


def binaries() -> Path:
    """Returns the directory of the newest installed server. Raises PostgresMissing if none is installed."""
    found = [path.parent for path in BINARIES.glob("*/bin/postgres")]
    if not found:
        raise PostgresMissing(MISSING)
    return max(found, key=lambda path: float(path.parent.name))


class PrivatePostgres:
    """A PostgreSQL server that runs while the context is open. Its files are deleted at the end.

    PostgreSQL refuses to run as root. For root, an unprivileged user runs it in a directory that only this user can
    enter.
    """

    def __init__(
        self,
        *,
        settings: Sequence[str] = (),
        primary: "PrivatePostgres | None" = None,
        restores: "PrivatePostgres | None" = None,
    ) -> None:
        """`settings`: further settings of the server, each as `name=value`. `primary`: the server whose replica this
        server is until it is promoted. `restores`: the server from whose base backup and archive this server starts;
        `settings` then has the target of the recovery.
        """
        self._binaries = binaries()
        self._settings = settings
        self._primary = primary
        self._restores = restores
        user = _unprivileged()
        self._uid = None if user is None else user.pw_uid
        self._gid = None if user is None else user.pw_gid
        self._groups: list[int] | None = None if user is None else []
        self._directory = Path(tempfile.mkdtemp(prefix="sabot-pg-"))
        self.process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        if self._uid is not None and self._gid is not None:
            os.chown(self._directory, self._uid, self._gid)
        if self._restores is not None:
            self._run("/bin/cp", "-a", str(self._restores.backup), str(self._data))
            self._run("/bin/touch", str(self._data / "recovery.signal"))
        elif self._primary is None:
            encoding = ("-E", "UTF8", "--locale=C", "--no-sync")
            self._run("initdb", "-D", str(self._data), "-A", "trust", "-U", "sabot", *encoding)
        else:
            source = f"{self._primary.conninfo()} application_name=replica"
            self._run("pg_basebackup", "-D", str(self._data), "-R", "-c", "fast", "--no-sync", "-d", source)
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        shutil.rmtree(self._directory, ignore_errors=True)

    def conninfo(self, database: str = "postgres") -> str:
        return f"host={self._directory} user=sabot dbname={database}"

    def back_up(self) -> None:
        """Makes a base backup of the running server in the directory `backup`."""
        self._run("pg_basebackup", "-D", str(self.backup), "-c", "fast", "--no-sync", "-d", self.conninfo())

    @property
    def backup(self) -> Path:
        return self._directory / "backup"

    @property
    def archive(self) -> Path:
        """The directory of the archived write-ahead log, which is filled only with the setting `archive_mode=on`."""
        return self._directory / "archive"

    def start(self) -> None:
        """Starts the server, and waits until it answers.

        Raises RuntimeError if the server ends, or does not answer within READY_S seconds.
        """
        keeps = f"archive_command=mkdir -p {self.archive} && test ! -f {self.archive}/%f && cp %p {self.archive}/%f"
        takes = () if self._restores is None else (f"restore_command=cp {self._restores.archive}/%f %p",)
        settings = ("listen_addresses=", keeps, *takes, *self._settings)
        options = [part for setting in settings for part in ("-c", setting)]
        command = [str(self._binaries / "postgres"), "-D", str(self._data), "-k", str(self._directory), *options]
        with (self._directory / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                start_new_session=True,
                cwd="/",
                env=_ENVIRONMENT,
                user=self._uid,
                group=self._gid,
                extra_groups=self._groups,
            )
        deadline_s = time.monotonic() + READY_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > deadline_s:
                raise RuntimeError((self._directory / "log").read_text())
            time.sleep(0.05)

    def stop(self, number: int = signal.SIGINT) -> None:
        """Sends the signal `number` to a running server and waits for the server's end. SIGINT shuts the server down
        cleanly; SIGQUIT ends it at once, as if killed.
        """
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(READY_S)
            self.process = None

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Suspends the server's processes while the context is open: the processes exist but do nothing."""
        pids: list[int] = []
        if self.process is not None:
            pid = self.process.pid
            pids = [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]
        for one in pids:
            os.kill(one, signal.SIGSTOP)
        try:
            yield
        finally:
            for one in pids:
                os.kill(one, signal.SIGCONT)

    def promote(self) -> None:
        """Ends the replication of a replica, which accepts writes from now on."""
        self._run("pg_ctl", "promote", "-D", str(self._data), "-w")

    @property
    def directory(self) -> Path:
        """The directory of the server's socket, as a host for libpq."""
        return self._directory

    @property
    def _data(self) -> Path:
        return self._directory / "data"

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.conninfo(), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._binaries / program), *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env=_ENVIRONMENT,
            user=self._uid,
            group=self._gid,
            extra_groups=self._groups,
        )
        if done.returncode:
            raise RuntimeError(done.stderr)


def _unprivileged() -> pwd.struct_passwd | None:
    """Returns the user who runs the server instead of root; None if this process does not run as root."""
    if os.geteuid() != 0:
        return None
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next(known[name] for name in USERS if name in known)
