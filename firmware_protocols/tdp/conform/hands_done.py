"""Repairs a device after an aborted check: hands close a lid, clear a stuck card or mend a reader, and a command ends a
jam.
"""

from contextlib import suppress

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Host, Skipped
from firmware_protocols.tdp.conform.parts import lock_of_shuffler
from firmware_protocols.tdp.schema import DeviceKind


def set_right(host: Host) -> None:
    """Makes hands close a shuffler's lid and clear its path, and ends its jam. At any other device makes hands mend the
    reader or the panel. Skips a deed that the bench cannot do. Raises Broken.
    """
    if host.schema.kind is DeviceKind.SHUFFLER:
        _set_shuffler_right(host)
    elif getattr(host.status()[0], "error", False) or host.watch.hands is Deed.FAULT:
        _undo(host, Deed.MEND)


def _set_shuffler_right(host: Host) -> None:
    now = host.open()[1]
    if now.lid_open:
        _undo(host, Deed.LID_CLOSE)
    if now.path_blocked:
        _undo(host, Deed.CLEAR)
    if now.jammed:
        host.apply(lock_of_shuffler(now, jams_ended=now.jams))


def _undo(host: Host, deed: Deed) -> None:
    with suppress(Skipped):
        host.hand(deed)
