"""Checks of PROTOCOL.md, sections 4 and 9, before the first session of a boot: the device refuses frames, and counts
its starts.
"""

from typing import Final

from firmware_protocols.tdp.conform.asked import ANSWERED
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Host, must, shown
from firmware_protocols.tdp.conform.parts import QUIET_S, U32, answers
from firmware_protocols.tdp.link import IDENTIFY_WITHIN_S, NO_SESSION_EVERY_S, FrameKind
from firmware_protocols.tdp.link_rows import IdentityBody

TRIES: Final = 25
SILENT_STARTS: Final = 2


def before_its_first_session_it_refuses(host: Host) -> None:
    before, last = host.boot, host.opening
    for starts in (1, 2):
        boot = _boot_without_a_session(host)
        must("9.1", boot == (before + starts) % U32, f"boot {boot}, start {starts} behind boot {before}, no session")
        if starts == 1:
            _refuses_each(host, boot, last)
    older = (host.opening - 3) % U32
    host.boot = boot
    host.watch.expects(older)
    host.say_hello(opening=older)
    heard = host.first(FrameKind.IDENTITY, 0, within_s=QUIET_S)
    must("4.4", heard is not None, f"no IDENTITY to opening {older}, the first of its boot")


def _boot_without_a_session(host: Host) -> int:
    """Makes the device start. Returns the boot number in its first NO_SESSION. Raises Broken if no NO_SESSION comes."""
    host.hand(Deed.POWER, alive=False)  # answers to heartbeats meanwhile would be from the boot before
    for _ in range(TRIES):
        host.say(FrameKind.HEARTBEAT, 1, b"\0")
        heard = answers(host.listen(QUIET_S, alive=False))
        if heard:
            break
    is_refused = bool(heard) and all(one.header.kind == FrameKind.NO_SESSION for one in heard)
    must("4.13", is_refused, f"before its first session: {shown(heard)}")
    return heard[0].header.device_boot


def _refuses_each(host: Host, boot: int, last: int) -> None:
    """Checks that before the first session the device refuses frames with its boot number `boot` and the opening 0, the
    opening `last`, or the greatest opening.
    """
    for opening in (0, last, U32 - 1):
        for kind, payload in (
            (FrameKind.HEARTBEAT, b"\0"),
            (FrameKind.COMMAND, host.query),
            (FrameKind.COMMAND, b"\xee"),
            (FrameKind.ACK, b""),
            (FrameKind.ACK, b"\1"),
        ):
            host.listen(2 * NO_SESSION_EVERY_S, alive=False)
            host.watch.asked.is_wrong(opening, ANSWERED, 1, "4.13")
            host.say(kind, 1, payload, opening=opening, boot=boot)
            heard = answers(host.listen(QUIET_S, alive=False))
            said = [(one.header.kind, one.header.host_opening, one.header.device_boot) for one in heard]
            found = f"before its first session, {kind.name} of opening {opening}: {shown(heard)}"
            must("3.5" if payload == b"\1" else "4.13", said == [(FrameKind.NO_SESSION, opening, boot)], found)


def a_start_without_a_word_is_a_boot(host: Host) -> None:
    """Checks that each start has a boot number of its own, even if the device sends nothing between two starts. The
    device must store the number at the start.
    """
    before = host.boot
    for _ in range(SILENT_STARTS):
        host.hand(Deed.POWER, alive=False)
        host.listen(IDENTIFY_WITHIN_S, alive=False)  # until a device that starts slowly has surely started
    identity = host.open(committed=max(1, host.watch.newest))[0]  # of the boot before: `host` knows no other yet
    must(
        "9.1", host.boot == (before + SILENT_STARTS) % U32, f"boot {host.boot}, {SILENT_STARTS} starts behind {before}"
    )
    _has_taken_none(identity, SILENT_STARTS)
    host.hand(Deed.POWER, alive=False)
    host.listen(IDENTIFY_WITHIN_S, alive=False)
    _has_taken_none(host.open(committed=1)[0], 1)


def _has_taken_none(identity: IdentityBody, starts: int) -> None:
    found = f"a commit of {starts} boots before, with the first HELLO of a boot: {identity}"
    must("4.9", identity.oldest_event == 1, found)
