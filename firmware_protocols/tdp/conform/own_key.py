"""Pairs a device with the key of the checks, and unpairs it. For both, a person or the bench turns a switch in the
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
    """Has hands turn on the switch inside the device that lets it take a key. The device may lock before hands have
    reported, so `Watch` allows the lock from the beginning. Raises Skipped without hands.
    """
    host.watch.is_locked_by_right = True
    try:
        host.hand(Deed.PAIR)
    except Skipped:
        host.watch.is_locked_by_right = False
        raise


def given(host: Host, key: bytes, tag_key: bytes | None = None, *, within_s: float | None = QUIET_S) -> Heard | None:
    """PAIRED in answer to PAIR with this key, None where it does not come in time (`within_s` None: that of any
    answer); PAIR has a tag where `tag_key` is given.
    """
    host.say(FrameKind.PAIR, 0, key, key=tag_key)
    return host.first(FrameKind.PAIRED, 0, within_s=within_s)


@contextmanager
def paired(host: Host) -> Iterator[None]:
    """A context in which the device has the key of these checks, which is taken away at its end. Raises Skipped for a
    device of 1.0 or without hands, Broken where pairing fails.
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
    """Unpairs the device, by hands at its switch and a key of zeros, and opens a session. Raises Broken and Skipped."""
    host.pair_key = None
    turn_on(host)
    host.open()
    take_key(host, NO_KEY, "18.16")
    host.open()


def take_key(host: Host, key: bytes, duty: str) -> None:
    """Says PAIR with this key twice (zeros: the device is unpaired). Raises Broken for `duty` where PAIRED does not
    come each time, with the tag of the new key.
    """
    host.pair_key = None if key == NO_KEY else key
    for _ in range(2):
        header = there(duty, given(host, key, within_s=None), "no PAIRED").header
        is_right = header.tag == NO_TAG if host.pair_key is None else is_proven(key, body_of(header, b""), header.tag)
        must(duty, is_right, f"PAIRED under the tag {header.tag.hex()}")
        host.watch.is_locked_by_right = False


def take_back(host: Host) -> bool:
    """Unpairs a device in which a run that was cut short has left the key of these checks. False where the device has
    another key. Raises Broken and Skipped.
    """
    host.pair_key = KEY
    try:
        host.open()
    except Broken:
        host.pair_key = None
        return False
    take_away(host)
    return True
