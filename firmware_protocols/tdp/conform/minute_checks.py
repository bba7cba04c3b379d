"""Checks of PROTOCOL.md, section 18, in the minute after hands have turned on the switch for pairing."""

from typing import Final

from firmware_protocols.tdp.conform.line import Host, must, shown, there
from firmware_protocols.tdp.conform.own_key import KEY
from firmware_protocols.tdp.conform.parts import LATENESS_S, QUIET_S, U32, lock_of_shuffler, with_cards
from firmware_protocols.tdp.conform.shut_checks import no_card_passes
from firmware_protocols.tdp.link import NO_SESSION_EVERY_S, FrameKind, body_of
from firmware_protocols.tdp.proof import KEY_BYTES, is_proven
from firmware_protocols.tdp.schema import DeviceKind

_ANOTHER: Final = bytes(range(7, KEY_BYTES + 7))
_BEAT: Final = 0x7000
RELEASED: Final = 9


def the_lamp_stays(host: Host, was_lit: bool) -> None:  # noqa: FBT001 (the state of a lamp)
    """Checks that the switch, which is on, has left the lamp of a shuffler lit or dark as it was before (`was_lit`)."""
    if host.schema.kind is DeviceKind.SHUFFLER:
        now = host.status_becomes(lambda one: one.lamp_lit is not was_lit, LATENESS_S)
        found = f"its switch is turned on, and the lamp that was {'lit' if was_lit else 'dark'} is not: {now}"
        must("9.18" if was_lit else "9.24", now.lamp_lit is was_lit, found)


def opens_its_mouth(host: Host) -> None:
    """Has a shuffler offer a card in its mouth. Raises Skipped if the shuffler cannot offer a card."""
    before = with_cards(host)
    host.apply(lock_of_shuffler(before, release_until=(before.cards_out + RELEASED) % U32))
    host.status_becomes(lambda now: now.mouth_open)


def shuts_its_mouth(host: Host) -> None:
    """Checks that hands draw no card from the mouth that was open when they turned on the switch."""
    no_card_passes(host, "its switch", duty="18.14")


def takes_its_tag_alone(host: Host) -> None:
    """Checks that in a proven session the device drops a frame without the session's tag, even while the switch is on
    and the device accepts a HELLO without a tag.
    """
    for key in (None, _ANOTHER, KEY):
        host.status()
        host.say(FrameKind.COMMAND, host.last_command + 1, host.query, key=key)
        host.say(FrameKind.ACK, host.watch.newest, key=key)
        host.say(FrameKind.HEARTBEAT, _BEAT, b"\0", key=key)
        wanted = (FrameKind.ANSWER, FrameKind.HEARTBEAT_REPLY)
        wrong = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind in wanted]
        must("18.6", not wrong, f"its switch is on, and a frame without the session's tag: {shown(wrong)}")


def denies_with_its_tag(host: Host, key: bytes) -> None:
    """Checks that a device that has the key `key` says NO_SESSION with the pair's tag, also in a session without proof
    and before one.
    """
    host.listen(2 * NO_SESSION_EVERY_S)
    host.say(FrameKind.HEARTBEAT, 1, b"\0", opening=host.opening + 0x100, key=None)
    heard = there("4.13", host.first(FrameKind.NO_SESSION, 0), "no NO_SESSION to a frame of another session").header
    is_right = is_proven(key, body_of(heard, b""), heard.tag)
    must("18.10", is_right, f"its switch is on, and NO_SESSION has the tag {heard.tag.hex()}")
