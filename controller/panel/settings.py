"""The panel's settings at its start."""

from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.catalogue import Language

PRACTICE: Final = "PRACTICE"
"""The name of a simulated table at which a dealer practises alone."""


class PanelSettings(Struct, frozen=True):
    """The panel's settings. `port`: 0 for any free port. `certificate`: None for no TLS. `languages`: the table's own
    first. `names`: the names of this computer in a browser's address line, besides the address `listen`.

    `is_practice`: True if a dealer practises alone at this simulated table. `has_own_screen`: False if a browser on
    this computer belongs to a visitor, and is not the table's screen.
    """

    socket: Path
    listen: str
    port: int
    certificate: Path | None
    names: tuple[str, ...]
    screen: str
    languages: tuple[Language, ...]
    currency: str
    is_practice: bool = False
    has_own_screen: bool = True

    @property
    def scheme(self) -> str:
        return "http" if self.certificate is None else "https"

    def hosts(self, port: int) -> frozenset[str]:
        """Returns the values of the header `Host` that a request may have. Another value is a sign of DNS rebinding."""
        address = f"[{self.listen}]" if ":" in self.listen else self.listen
        names = {address, *self.names} | ({"localhost"} if self.is_local else set())
        usual = 80 if self.certificate is None else 443
        return frozenset({f"{name}:{port}" for name in names} | (names if port == usual else set()))

    @property
    def is_local(self) -> bool:
        return self.listen in {"127.0.0.1", "::1"}
