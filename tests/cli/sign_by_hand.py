"""Computes the text that a sign shows after some bytes. Shares no code with the tested program."""

import re
from dataclasses import dataclass, field


@dataclass
class HandSign:
    """`memory` maps each label to its kind; `shown` expands the strings that TEXT A calls."""

    memory: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    strings: dict[str, str] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)  # commands by first letters, in order

    def read(self, data: bytes) -> None:
        for whole in re.findall(rb"\x00{5}\x01(.*?)\x04", data, re.DOTALL):
            assert whole[:3] == b"Z00"
            assert whole[3:4] == b"\x02"
            self._command(whole[4:].decode("ascii"))

    def _command(self, text: str) -> None:
        if "\x03" in text:
            text, digits = text.split("\x03")
            assert digits == format((2 + sum(map(ord, text)) + 3) % 65536, "04X")
        self.history.append(text[:2])
        if text.startswith("E$"):
            entries = re.findall(r"(.)([AB])L([0-9A-F]{4})(FF00|0000)", text[2:])
            assert len(text) - 2 == 11 * len(entries)
            self.memory = {label: kind for label, kind, _size, _last in entries}
            self.texts, self.strings = {}, {}
        elif text[0] == "A":
            assert text[1] == "0" or self.memory[text[1]] == "A"
            self.texts[text[1]] = text[2:]
        elif text[0] == "G":
            assert self.memory[text[1]] == "B"
            self.strings[text[1]] = text[2:]

    @property
    def shown(self) -> str:
        text = self.texts.get("0") or self.texts["A"]
        text = re.sub("\x1b..", "", text)
        return re.sub("\x10(.)", lambda call: self.strings[call[1]], text)
