"""Frames of the protocol made by hand: COBS, CRC-32 and session written anew, sharing nothing with the codec."""

from collections.abc import Iterable

from simulators.devices.base import SimulatedDevice

OPENING = "01100000"  # 0x00001001, little endian
BOOT = "03000000"
NO_BOOT = "00000000"


def crc_32(data: bytes) -> int:
    """The CRC of Ethernet, zip and PNG, bit by bit: reflected polynomial, all ones before and after."""
    register = 0xFFFFFFFF
    for byte in data:
        register ^= byte
        for _ in range(8):
            register = register >> 1 ^ (0xEDB88320 if register & 1 else 0)
    return register ^ 0xFFFFFFFF


def cobs(data: bytes) -> bytes:
    """Each zero becomes the distance to the next; blocks here are shorter than 254 bytes."""
    pieces = data.split(b"\0")
    return b"".join(bytes([len(piece) + 1]) + piece for piece in pieces)


def frame(body: str) -> bytes:
    """Body (hex), eight zeros for the tag, CRC little endian; stuffed; a zero before and after."""
    signed = bytes.fromhex(body) + bytes(8)
    return b"\0" + cobs(signed + crc_32(signed).to_bytes(4, "little")) + b"\0"


def number(value: int) -> str:
    """A 32-bit number in hex in the wire's byte order."""
    return value.to_bytes(4, "little").hex()


def hello(committed: str = "00000000 00000000") -> bytes:
    return frame(f"01 {OPENING} {NO_BOOT} 00000000 | 0100 {committed}".replace("|", ""))


def command(value: int, payload: str) -> bytes:
    return frame(f"02 {OPENING} {BOOT} {number(value)} {payload}")


def answer(value: int, newest: int, result: str, status: str) -> bytes:
    return frame(f"82 {OPENING} {BOOT} {number(value)} {number(newest)} {result} {status}")


def event(value: int, message: str, status: str, fields: str = "") -> bytes:
    """An event whose earlier events are all acknowledged, so that it is the oldest one open."""
    return frame(f"83 {OPENING} {BOOT} {number(value)} {number(value)} {message} {status} {fields}")


class RawHost:
    """Plays the host with bytes alone, and keeps the device's output."""

    def __init__(self, device: SimulatedDevice) -> None:
        self.device = device
        self.now_s = 0.0
        self.events = 0

    def say(self, data: bytes) -> bytes:
        """Sends bytes; the device's answer."""
        self.device.receive_data(data, self.now_s)
        return self.device.data_to_send()

    def wait(self, for_s: float) -> bytes:
        """Lets the device act for a time; its output."""
        end_s = self.now_s + for_s
        while (due_s := self.device.next_time_s()) is not None and due_s <= end_s:
            self.now_s = due_s
            self.device.on_time(due_s)
        self.now_s = end_s
        return self.device.data_to_send()

    def hear_events(self, said: bytes, expected: Iterable[bytes]) -> None:
        """Checks that the device sends exactly these events; acknowledges each before the next."""
        for wanted in expected:
            assert said == wanted
            self.events += 1
            said = self.say(frame(f"03 {OPENING} {BOOT} {number(self.events)}"))
        assert said == b""
