"""A paired link's frames as bytes, made by hand with a separate HMAC, CRC and COBS, never by the code under test."""

from golden_frames import BOOT, OPENING

from firmware_protocols.tdp.link import FrameKind, Header

PAIR_KEY = bytes(range(32))
HOST_NONCE = bytes(range(0xA0, 0xB0))
DEVICE_NONCE = bytes(range(0xB0, 0xC0))
SESSION_KEY = bytes.fromhex("72b6e4a99b81e21534c0981057e10262bfde0fc38a80aaad54563d75c581dd42")

_WIRES = {
    "hello-proven": "04010110010101010101010101030101010101010101011da0a1a2a3a4a5a6a7a8a9aaabacadaeaff03f0b8b67"
    "b55b0a590226c000",
    "shoe-identity-proven": "04810110010207010101010101040101020a5265616465722052310101010101010a52312d3030303034320101"
    "0101010104322e33010101010101010101010101020101010202010112b0b1b2b3b4b5b6b7b8b9babbbcbdbebf"
    "2a01010e01f8721530f382307385f979c000",
    "heartbeat-proven": "04040110010207010102010101010dea925068b7c7a7d7ed5eaf5400",
    "shoe-card-proven": "048301100102070101020201010202010103022b010101022b01010e13fafb4efe64a7204538ad92bf00",
    "no-session-proven": "048501100102080101010101010ded080b536f5d188b46e3bc3a00",
    "not-proven": "04860110010207010101010101010101010101010105d7a5560e00",
    "pair": "0405011001020701010101010101200102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e"
    "1f0101010101010105df43b84400",
    "paired": "048701100102070101010101010df3230ee07a86ddb66f3a4dfb00",
}
PROOFS = {name: bytes.fromhex(wire) for name, wire in _WIRES.items()}

SAID_BY = {
    "hello-proven": (Header(FrameKind.HELLO, OPENING, 0, 0), PAIR_KEY),
    "shoe-identity-proven": (Header(FrameKind.IDENTITY, OPENING, BOOT, 0), SESSION_KEY),
    "heartbeat-proven": (Header(FrameKind.HEARTBEAT, OPENING, BOOT, 1), SESSION_KEY),
    "shoe-card-proven": (Header(FrameKind.EVENT, OPENING, BOOT, 2), SESSION_KEY),
    "no-session-proven": (Header(FrameKind.NO_SESSION, OPENING, BOOT + 1, 0), PAIR_KEY),
    "not-proven": (Header(FrameKind.NOT_PROVEN, OPENING, BOOT, 0), None),
    "pair": (Header(FrameKind.PAIR, OPENING, BOOT, 0), None),
    "paired": (Header(FrameKind.PAIRED, OPENING, BOOT, 0), PAIR_KEY),
}
"""For each frame the header, and the key of its tag."""
