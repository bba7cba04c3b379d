"""Worlds with paired devices: a key for each device, and an attacker who hears all cables."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any, Final

from controller.core.words import Device
from drivers.expected import Pair
from firmware_protocols.framing import TAG_BYTES, decode_signed, encode_frame
from firmware_protocols.tdp.proof import KEY_BYTES
from simulators.devices.firmware import TdpFirmware
from simulators.world.clock import chance
from simulators.world.wires import Line, Pipe

ATTACKS: Final = 8
"""The most attacks in one world: each may end a connection, after which people look and count."""

KEPT: Final = 400
_REPLAYS, _HOLDS, _CHANGES = 0.004, 0.004, 0.002  # chances for each write on a cable


def key_of(seed: int, device: Device, serial: str) -> bytes:
    """The pairing key of this table and the device with this serial number."""
    return chance(seed, "pair", device.value, serial).randbytes(KEY_BYTES)


def pair_of(seed: int, device: Device, serial: str, start: int) -> Pair:
    """The table's side of the pairing: its key, and the nonces of this start."""
    return Pair(key_of(seed, device, serial), chance(seed, "nonces", device.value, start).randbytes)


def pair(seed: int, device: Device, made: TdpFirmware[Any, Any, Any]) -> None:
    """Gives the device the key of its serial number, so that a device with another serial number has another key."""
    made.keys = lambda serial: key_of(seed, device, serial)
    made.identify_as(made.identity)


class Eavesdropper:
    """An attacker on the cables: hears every write, replays and delays some, and changes some.

    Half of the changed copies follow the genuine write, half come in its place.
    `done` counts the attacks, at most ATTACKS.
    """

    def __init__(self, seed: int, lines: Mapping[Device, Line]) -> None:
        self._rng = chance(seed, "eavesdropper")
        self._heard: list[bytes] = []
        self._held: dict[Pipe, bytes] = {}
        self.done: dict[str, int] = {"replayed": 0, "kept back": 0, "changed": 0}
        for line in lines.values():
            for pipe in (line.down, line.up):
                pipe.tap = partial(self._passes, pipe)

    def _passes(self, pipe: Pipe, data: bytes) -> list[bytes]:
        """Returns the writes that the attacker passes on in place of `data`."""
        passing = [data]
        if pipe in self._held:
            passing.append(self._held.pop(pipe))  # the delayed write follows a later one
        self._heard = [*self._heard[-KEPT:], data]
        if sum(self.done.values()) < ATTACKS:
            passing = self._attacked(pipe, passing)
        return passing

    def _attacked(self, pipe: Pipe, passing: list[bytes]) -> list[bytes]:
        drawn = self._rng.random()
        if drawn < _REPLAYS:
            self.done["replayed"] += 1
            return passing + [self._rng.choice(self._heard) for _ in range(self._rng.randint(1, 4))]
        if drawn < _REPLAYS + _HOLDS and pipe not in self._held:
            self.done["kept back"] += 1
            self._held[pipe] = passing.pop()
            return passing
        if drawn < _REPLAYS + _HOLDS + _CHANGES:
            self.done["changed"] += 1
            changed = _changed(passing[-1], self._rng)
            return [*passing, changed] if self._rng.random() < 0.5 else [*passing[:-1], changed]
        return passing


def _changed(data: bytes, rng: Random) -> bytes:
    """The first frame of `data` with one byte of its body changed, and its old tag; `data` where no frame is whole."""
    signed = next((decode_signed(piece) for piece in data.split(b"\0") if piece), b"")
    if not isinstance(signed, bytes) or len(signed) <= TAG_BYTES:
        return data
    body = bytearray(signed[:-TAG_BYTES])
    body[rng.randrange(len(body))] ^= rng.randint(1, 255)
    return b"\0" + encode_frame(bytes(body), signed[-TAG_BYTES:])
