"""Pairs a device with the key of the checks, and unpairs it. For each, a person or a rig turns a switch inside the
device.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Broken, Heard, Host, Skipped, must, there
from firmware_protocols.tdp.conform.parts import QUIET_S
from firmware_protocols.tdp.link import FrameKind, body_of
from firmware_protocols.tdp.proof import KEY_BYTES, NO_KEY, is_proven

KEY: Final = bytes(range(1, KEY_BYTES + 1))


def can_be_paired(host: Host) -> None:
    """Raises Skipped for a device of version 1.0, which cannot be paired."""
    if host.minor == 0:
        raise Skipped("of-1-0")


def turn_on(host: Host) -> None:
    """Makes hands turn on the switch inside the device, after which the device accepts a key. Raises Skipped if the
    bench cannot turn on the switch. The device may lock itself before hands report, so `Watch` allows the lock from the
    beginning.
    """
    host.watch.is_locked_by_right = True
    try:
        host.hand(Deed.PAIR)
    except Skipped:
        host.watch.is_locked_by_right = False
        raise


def given(host: Host, key: bytes, tag_key: bytes | None = None, *, within_s: float | None = QUIET_S) -> Heard | None:
    """Sends PAIR with the key `key`, and returns PAIRED; None if PAIRED does not come in time.

    `tag_key`: the key for a tag of the PAIR; None for no tag. `within_s`: None for the time that any answer may take.
    """
    host.say(FrameKind.PAIR, 0, key, key=tag_key)
    return host.first(FrameKind.PAIRED, 0, within_s=within_s)


@contextmanager
def paired(host: Host) -> Iterator[None]:
    """A context in which the device has the key of the checks. At the end of the context the device is unpaired. Raises
    Skipped for a device of version 1.0 and if no hands can touch the device. Raises Broken if pairing fails.
    """
    can_be_paired(host)
    turn_on(host)
    host.open()
    try:
        take_key(host, KEY, "18.15")
        yield
    except (Broken, Skipped):
        with suppress(Broken, Skipped):
            take_away(host)
        raise
    take_away(host)


def take_away(host: Host) -> None:
    """Unpairs the device, by its switch and a key of zeros. Then opens a session. Raises Broken, Skipped."""
    host.pair_key = None
    turn_on(host)
    host.open()
    take_key(host, NO_KEY, "18.16")
    host.open()


def take_key(host: Host, key: bytes, duty: str) -> None:
    """Sends PAIR with `key` twice. Raises Broken for `duty` unless the device answers PAIRED each time, with the tag of
    `key`.

    A key of zeros unpairs the device: PAIRED then has no tag.
    """
    host.pair_key = None if key == NO_KEY else key
    for _ in range(2):
        header = there(duty, given(host, key, within_s=None), "no PAIRED").header
        is_right = header.tag == NO_TAG if host.pair_key is None else is_proven(key, body_of(header, b""), header.tag)
        must(duty, is_right, f"PAIRED under the tag {header.tag.hex()}")
        host.watch.is_locked_by_right = False


def take_back(host: Host) -> bool:
    """Unpairs a device that an aborted run has left with the key of the checks. Returns False if the device has another
    key. Raises Broken, Skipped.
    """
    host.pair_key = KEY
    try:
        host.open()
    except Broken:
        host.pair_key = None
        return False
    take_away(host)
    return True
