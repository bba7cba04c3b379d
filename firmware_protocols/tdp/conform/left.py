"""Finds the state in which the checks leave a device, and the work that a person must still do there."""

from collections.abc import Iterator
from typing import Any, Final

from firmware_protocols.tdp.conform.line import Broken, Host
from firmware_protocols.tdp.conform.wished import STAY

SILENT: Final = "silent"
NOTHING: Final = "nothing"
HAS_KEY: Final = "has-key"
_FLAGS: Final = ("jammed", "lid_open", "path_blocked", "error", "lamp_lit")
"""Flags of a status that a person has to end, or that stay lit; a jam's lamp goes out with the jam."""


def left(host: Host) -> tuple[str, ...]:
    """Returns the keys of the sentences about the state in which the checks leave the device, at least one. Opens a
    session to ask the device.
    """
    try:
        host.open()
        status, newest = host.status()
    except Broken:
        return (HAS_KEY if host.is_denied else SILENT,)
    return tuple(_found(host, status, newest)) or (NOTHING,)


def _found(host: Host, status: Any, newest: int) -> Iterator[str]:  # noqa: ANN401 (any kind's)
    if getattr(status, "counts_unknown", False):
        can_count = hasattr(status, "recounts") and host.statement.has("recount")
        yield "counts-until-recount" if can_count else "counts-for-good"
    for name in _FLAGS:
        if getattr(status, name, False) and not (name == "lamp_lit" and status.jammed):
            yield name.replace("_", "-")
    if host.schema.kind in STAY and _shows(status):
        yield "shows"
    if host.pair_key is not None:
        yield HAS_KEY
    if newest > host.watch.acked:
        yield f"events:{newest - host.watch.acked}"


def _shows(status: Any) -> bool:  # noqa: ANN401 (any kind's)
    return any(status.values) if hasattr(status, "values") else bool(status.lit or status.blinking)
