"""Takes pictures of the emulated machine's screen once it shows more than a few colours."""

from pathlib import Path
from typing import Final

from monitor import Monitor

FEW_COLOURS: Final = 64
"""A console, and an empty page with the pointer, have fewer colours than a page with smooth letters."""


class Screen:
    """Takes pictures of an emulated screen through the emulator's monitor. `kept`: their files, in the directory
    `folder`.
    """

    def __init__(self, monitor: Monitor, folder: Path) -> None:
        self._monitor, self._folder = monitor, folder
        self._last = b""
        self.kept: list[Path] = []

    def keep(self, name: str) -> bool:
        """Keeps the screen's picture under this name, and returns True, if the picture has many colours, is still, and
        differs from the last one kept.
        """
        first, second = self._picture(), self._picture()
        if first != second or first == self._last or colours(first) <= FEW_COLOURS:
            return False
        self._last = first
        file = self._folder / f"{name}.png"
        self._monitor.do("screendump", filename=str(file), format="png")
        self.kept.append(file)
        return True

    def _picture(self) -> bytes:
        file = self._folder / "now.ppm"
        return file.read_bytes() if self._monitor.do("screendump", filename=str(file)) else b""


def colours(picture: bytes) -> int:
    """Returns the number of colours in a picture (PPM of 8 bits, with its three lines of header)."""
    dots = picture.split(b"\n", 3)[-1]
    return len({dots[at : at + 3] for at in range(0, len(dots) - 2, 3)})
