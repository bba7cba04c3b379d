"""The panel's settings at its start."""

from dataclasses import dataclass
from pathlib import Path

from controller.catalogue import Language


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """`port` 0: any that is free. `certificate` None: no TLS. The first of `languages` is the table's own."""

    socket: Path
    listen: str
    port: int
    certificate: Path | None
    names: tuple[str, ...]
    screen: str
    languages: tuple[Language, ...]
    currency: str

    @property
    def scheme(self) -> str:
        return "http" if self.certificate is None else "https"

    def hosts(self, port: int) -> frozenset[str]:
        """The names that a browser may give in `Host`: any other has come by another name's address (DNS rebinding)."""
        address = f"[{self.listen}]" if ":" in self.listen else self.listen
        names = {address, *self.names} | ({"localhost"} if self.is_local else set())
        usual = 80 if self.certificate is None else 443
        return frozenset({f"{name}:{port}" for name in names} | (names if port == usual else set()))

    @property
    def is_local(self) -> bool:
        return self.listen in {"127.0.0.1", "::1"}
