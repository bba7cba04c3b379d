"""Installs an update file, a bundle of `rauc`. `rauc` checks the signature before it opens anything in the file."""

import os
import re
import subprocess
from pathlib import Path
from typing import Final

import msgspec

from controller.journal.root import read_release
from controller.update.decision import Offer, Refusal

SETTINGS: Final = Path("/etc/rauc/system.conf")
"""The settings of `rauc`: the kind of machine, the two roots, and the certificate of the permitted signer."""

PROGRAM: Final = "rauc"
READ_WITHIN_S: Final = 120.0

_REFUSED: Final = (("verification failed", Refusal.SIGNATURE), ("No such", Refusal.NO_FILE))


class BundleRefused(Exception):  # noqa: N818 (it is the file that is refused)
    """An update file is refused. `detail`: the last line of `rauc`'s output, for the technician."""

    def __init__(self, refusal: Refusal, detail: str) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal
        self.detail = detail


class _Info(msgspec.Struct, frozen=True):
    """The fields of a bundle's signed description that this program reads."""

    compatible: str
    version: str
    description: str | None = None


def read_bundle(file: Path, settings: Path = SETTINGS) -> Offer:
    """Returns the signed description of an update file.

    Raises BundleRefused if the file is missing, cut off, or not signed by the permitted signer. Raises OSError if
    `rauc` cannot be started.
    """
    done = _rauc("info", "--output-format=json", f"--conf={settings}", str(file))
    if done.returncode:
        wrong = next((refusal for words, refusal in _REFUSED if words in done.stderr), Refusal.CUT_SHORT)
        raise BundleRefused(wrong, _last(done.stderr))
    try:
        info = msgspec.json.decode(done.stdout, type=_Info)
    except msgspec.DecodeError as error:
        raise BundleRefused(Refusal.CUT_SHORT, _last(done.stdout)) from error
    return Offer(info.compatible, read_release(info.version), info.description or "")


def install(file: Path) -> None:
    """Writes the root file system in the update file `file` over the root file system that is not in use. The next
    start tries the new one. Raises BundleRefused.
    """
    done = _rauc("install", str(file), within_s=None)
    if done.returncode:
        raise BundleRefused(Refusal.NOT_WRITTEN, _last(done.stderr) or _last(done.stdout))


def machine_of(settings: Path = SETTINGS) -> str:
    """Returns the kind of machine for which this card is made; "" if the settings name none. Raises OSError."""
    found = re.search(r"^compatible=(.*)$", settings.read_text("utf-8"), re.MULTILINE)
    return found[1].strip() if found else ""


def _rauc(*words: str, within_s: float | None = READ_WITHIN_S) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"LC_ALL": "C.UTF-8"}  # its output is compared, so its language is fixed
    try:
        return subprocess.run(  # noqa: S603 - fixed words and one path
            (PROGRAM, *words), capture_output=True, text=True, timeout=within_s, check=False, env=environment
        )
    except subprocess.TimeoutExpired as error:
        raise BundleRefused(Refusal.CUT_SHORT, PROGRAM) from error


def _last(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")
