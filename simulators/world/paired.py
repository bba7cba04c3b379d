"""Worlds with paired devices: each device has a key, and an attacker listens on all cables."""

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
    """Returns the pairing key that this table shares with the device of this serial number."""
    return chance(seed, "pair", device.value, serial).randbytes(KEY_BYTES)


def pair_of(seed: int, device: Device, serial: str, start: int) -> Pair:
    """Returns the table's side of the pairing with the device of this serial number: the key, and the nonces of start
    `start`.
    """
    return Pair(key_of(seed, device, serial), chance(seed, "nonces", device.value, start).randbytes)


def pair(seed: int, device: Device, made: TdpFirmware[Any, Any, Any]) -> None:
    """Gives the simulated device `made` the key for its serial number. A change of the serial number changes the key as
    well.
    """
    made.keys = lambda serial: key_of(seed, device, serial)
    made.identify_as(made.identity)


class Eavesdropper:
    """An attacker on the cables who hears every write, and replays, delays or changes some of them.

    A changed copy follows the genuine write, or in half of the cases replaces it. `done`: the number of attacks by
    kind, at most ATTACKS in all.
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
        """Returns the writes that reach the receiver in place of `data`."""
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
    """Returns the first frame of `data` with one byte of its body changed and its old tag; `data` itself if it has no
    whole frame.
    """
    signed = next((decode_signed(piece) for piece in data.split(b"\0") if piece), b"")
    if not isinstance(signed, bytes) or len(signed) <= TAG_BYTES:
        return data
    body = bytearray(signed[:-TAG_BYTES])
    body[rng.randrange(len(body))] ^= rng.randint(1, 255)
    return b"\0" + encode_frame(bytes(body), signed[-TAG_BYTES:])
