"""Takes pictures of the screen of the emulated machine, once the screen shows more than a few colours."""

from pathlib import Path
from typing import Final

from monitor import Monitor

FEW_COLOURS: Final = 64
"""A console, and an empty page with the pointer, have fewer colours than a page with smooth letters."""


class Screen:
    """Takes pictures of an emulated screen, through the monitor of the emulator. `kept`: the files of the pictures, in
    the directory `folder`.
    """

    def __init__(self, monitor: Monitor, folder: Path) -> None:
        self._monitor, self._folder = monitor, folder
        self._last = b""
        self.kept: list[Path] = []

    def keep(self, name: str) -> bool:
        """Takes a picture of the screen and keeps it under the name `name`. Returns False, and keeps none, if the
        picture has few colours, is moving, or equals the last one kept.
        """
        first = self._picture()
        if first == self._last or colours(first) <= FEW_COLOURS:
            return False
        file = self._folder / f"{name}.png"
        self._monitor.do("screendump", filename=str(file), format="png")
        if self._picture() != first:
            file.unlink(missing_ok=True)
            return False
        self._last = first
        self.kept.append(file)
        return True

    def _picture(self) -> bytes:
        file = self._folder / "now.ppm"
        return file.read_bytes() if self._monitor.do("screendump", filename=str(file)) else b""


def colours(picture: bytes) -> int:
    """Returns the number of colours in a picture (PPM of 8 bits, with a header of three lines)."""
    dots = picture.split(b"\n", 3)[-1]
    return len({dots[at : at + 3] for at in range(0, len(dots) - 2, 3)})
