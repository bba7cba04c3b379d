"""A simulated Alpha (BetaBrite) sign: its memory, TEXT and STRING files, priority message and read-back.

The sign ignores a packet that is incomplete, has a wrong checksum, or is for another type or address. It ignores writes
to files that its memory lacks, and all input while it clears its memory. A packet may hold several commands.
"""

import re
from typing import Final

from msgspec import Struct, field

from firmware_protocols.alpha.packet import EOT, NUL, SOH, checksum
from simulators.devices.base import Quiet

PRIORITY: Final = "0"
CLEARING_TAKES_S: Final = 0.3
MAX_PACKET: Final = 1024
CALL_STRING: Final = 0x10

_ENTRY: Final = re.compile(rb"(.)([ABD])[LU]([0-9A-F]{4}).{4}", re.DOTALL)
_MODE: Final = re.compile(rb"\x1b..", re.DOTALL)
_COMMANDS: Final = re.compile(rb"\x02([^\x02\x03\x04]*)(?:(\x03)([0-9A-F]{4})?)?", re.DOTALL)


class SignMemory(Struct):
    """The sign's memory. A loss of power deletes the contents of `strings` and of `priority`; `lay_out`, `texts` and
    the names in `strings` survive.
    """

    lay_out: bytes = b""
    texts: dict[str, bytes] = field(default_factory=dict)
    strings: dict[str, bytes] = field(default_factory=dict)
    priority: bytes = b""


class SimulatedAlphaSign(Quiet):
    """One simulated sign. With `reads_back` False it never answers, like many real signs."""

    def __init__(self, *, sign_type: str = "^", address: str = "01", reads_back: bool = True) -> None:
        super().__init__()
        self._types = {"Z", "!", sign_type}
        self._addresses = {"00", address}
        self._reads_back = reads_back
        self._memory = SignMemory()
        self._held: bytearray | None = None
        self._deaf_until_s = 0.0
        self.is_stuck = False  # True: writes to its STRING files are ignored
        self.lay_outs = 0
        self.text_writes = 0  # the priority message not counted
        self.string_writes = 0

    # ---- what people see and do

    @property
    def shown(self) -> bytes:
        """The text that people see: the priority message if there is a priority message, otherwise file TEXT A with the
        STRING files to which it refers.
        """
        content = self._memory.priority or self._memory.texts.get("A", b"")
        return self._with_strings(_MODE.sub(b"", content))

    @property
    def shown_cents(self) -> int | None:
        """Returns the amount that a player reads, in cents; None if the sign shows no amount."""
        found = re.fullmatch(rb"([0-9]+)\.([0-9]{2})", self.shown)
        return int(found[1] + found[2]) if found else None

    def lose_power(self, *, forget_all: bool = False) -> None:
        """Cuts the sign's power for a moment, which empties the strings and the priority message. With `forget_all` the
        whole memory is lost.
        """
        kept = SignMemory() if forget_all else SignMemory(self._memory.lay_out, self._memory.texts)
        if not forget_all:
            kept.strings = dict.fromkeys(self._memory.strings, b"")
        self._memory, self._held = kept, None
        self._out.clear()

    def overwrite(self, text: bytes) -> None:
        """Writes `text` into every STRING file. Simulates another host on the line."""
        self._memory.strings = dict.fromkeys(self._memory.strings, text)

    # ---- the wire and the clock

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives bytes from the wire."""
        for byte in data:
            if byte == SOH:
                self._held = bytearray()
            elif self._held is not None and byte == EOT:
                packet, self._held = bytes(self._held), None
                self._take(packet, now_s)
            elif self._held is not None:
                self._held.append(byte)
                if len(self._held) > MAX_PACKET:
                    self._held = None

    # ---- within

    def _take(self, packet: bytes, now_s: float) -> None:
        header, rest = packet[:3].decode("ascii", "replace"), packet[3:]
        if now_s < self._deaf_until_s or header[:1] not in self._types or header[1:] not in self._addresses:
            return
        commands = list(_COMMANDS.finditer(rest))
        if b"".join(found[0] for found in commands) != rest:
            return
        for command, _end, digits in (found.groups() for found in commands):
            if digits is None or checksum(command) == digits:
                self._obey(command, now_s)

    def _obey(self, command: bytes, now_s: float) -> None:
        label, content = command[1:2].decode("ascii", "replace"), command[2:]
        match command[:1]:
            case b"E" if label == "$":
                self._lay_out(content, now_s)
            case b"A":
                self._write_text(label, content)
            case b"G" if label in self._memory.strings:
                self.string_writes += 1
                if not self.is_stuck:
                    self._memory.strings[label] = content
            case b"F" if label == "$":
                self._say(b"E$" + self._memory.lay_out)
            case b"B":
                self._say(b"A" + command[1:2] + self._text(label))
            case b"H":
                self._say(b"G" + command[1:2] + self._memory.strings.get(label, b""))
            case _:
                pass  # a sign has many more commands, which do not matter here

    def _lay_out(self, entries: bytes, now_s: float) -> None:
        found = list(_ENTRY.finditer(entries))
        if b"".join(entry[0] for entry in found) != entries:
            return
        self.lay_outs += 1
        self._deaf_until_s = now_s + CLEARING_TAKES_S
        self._memory = SignMemory(entries)
        for label, kind, _size in (entry.groups() for entry in found):
            files = {b"A": self._memory.texts, b"B": self._memory.strings}.get(kind)
            if files is not None:
                files[label.decode("ascii", "replace")] = b""

    def _write_text(self, label: str, content: bytes) -> None:
        if label == PRIORITY:
            self._memory.priority = content
        elif label in self._memory.texts:
            self.text_writes += 1
            self._memory.texts[label] = content

    def _text(self, label: str) -> bytes:
        return self._memory.priority if label == PRIORITY else self._memory.texts.get(label, b"")

    def _with_strings(self, content: bytes) -> bytes:
        shown = bytearray()
        parts = iter(content)
        for byte in parts:
            if byte == CALL_STRING:
                shown += self._memory.strings.get(chr(next(parts, NUL)), b"")
            else:
                shown.append(byte)
        return bytes(shown)

    def _say(self, content: bytes) -> None:
        if self._reads_back:
            packet = b"000\x02" + content + b"\x03" + checksum(content)
            self._out += bytes(20) + bytes([SOH]) + packet + bytes([EOT])
