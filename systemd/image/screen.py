"""Takes pictures of the screen of the emulated machine, once it has more than a few colours and stands still."""

import time
from pathlib import Path
from typing import Final

from monitor import Monitor

FEW_COLOURS: Final = 64
"""A console, and an empty page with the pointer, have fewer colours than a page with smooth letters."""

STILL_S: Final = 20.0
"""A slow browser draws a page piece by piece, with pauses of seconds."""

VEIL: Final = 1
"""The veil of the page (panel.css) changes a colour by this at most, each second."""


class Screen:
    """Takes pictures of an emulated screen, through the monitor of the emulator. `kept`: the files of the pictures, in
    the directory `folder`.
    """

    def __init__(self, monitor: Monitor, folder: Path) -> None:
        self._monitor, self._folder = monitor, folder
        self._last = b""
        self._seen, self._since_s = b"", 0.0
        self.kept: list[Path] = []

    def keep(self, name: str) -> bool:
        """Takes a picture of the screen and keeps it under the name `name`. Returns False, and keeps none, if the
        picture has few colours, has changed in the last STILL_S seconds, or equals the last one kept.
        """
        file = self._folder / f"{name}.png"
        self._monitor.do("screendump", filename=str(file), format="png")
        if not self._is_still(self._picture()) or self._seen == self._last or colours(self._seen) <= FEW_COLOURS:
            file.unlink(missing_ok=True)
            return False
        self._last = self._seen
        self.kept.append(file)
        return True

    def _is_still(self, picture: bytes) -> bool:
        if not is_alike(picture, self._seen):
            self._seen, self._since_s = picture, time.monotonic()
        return time.monotonic() - self._since_s >= STILL_S

    def _picture(self) -> bytes:
        file = self._folder / "now.ppm"
        return file.read_bytes() if self._monitor.do("screendump", filename=str(file)) else b""


def is_alike(picture: bytes, other: bytes) -> bool:
    """True if the pictures have one size, and no colour differs by more than the page's veil."""
    differing = {(a, b) for a, b in zip(picture, other, strict=False) if a != b}
    return len(picture) == len(other) and all(abs(a - b) <= VEIL for a, b in differing)


def colours(picture: bytes) -> int:
    """Returns the number of colours in a picture (PPM of 8 bits, with a header of three lines)."""
    dots = picture.split(b"\n", 3)[-1]
    return len({dots[at : at + 3] for at in range(0, len(dots) - 2, 3)})
