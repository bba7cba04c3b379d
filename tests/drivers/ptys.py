"""A serial line made of a pty: a link that stays, and an end at which the test plays, plugs and unplugs the device."""

import os
import select
import tty
from pathlib import Path

from tests.endings import HANGS_S


class PtyLine:
    """One line. `link` is the path to open; the test holds both descriptors until it unplugs."""

    def __init__(self, link: Path) -> None:
        self.link = link
        self.far_end = -1
        self._near_end = -1
        self.plug()

    @property
    def path(self) -> str:
        return str(self.link)

    def plug(self) -> None:
        self.far_end, self._near_end = os.openpty()
        tty.setraw(self._near_end)
        os.set_blocking(self.far_end, False)
        self.link.symlink_to(os.ttyname(self._near_end))

    def unplug(self) -> None:
        if self.far_end < 0:
            return
        self.link.unlink()
        os.close(self.far_end)
        os.close(self._near_end)
        self.far_end = self._near_end = -1

    def send(self, data: bytes) -> None:
        assert os.write(self.far_end, data) == len(data)

    def hear(self, size: int, within_s: float = HANGS_S) -> bytes:
        """Reads `size` bytes; returns fewer where none come for `within_s` seconds."""
        heard = b""
        while len(heard) < size and select.select([self.far_end], [], [], within_s)[0]:
            heard += os.read(self.far_end, size - len(heard))
        return heard
