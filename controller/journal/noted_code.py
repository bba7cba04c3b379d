"""The short code that a person notes in the inspection's book: session, last entry, its chain value, check digits.

    7-1234-9K2MP-04XWQ-TB7DN-H5E1C-JK      session 7, entry 1234, the head's first 100 bits, two check digits

Digits and letters are Crockford's base 32 (no I, L, O, U). To pass off another journal under a noted code, a forger
must find entries whose chain value begins with the same 100 bits. The check digits are the low ten bits of the CRC-32
of everything before the last hyphen, so that a slip of the pen does not look like a changed journal.
"""

import re
import zlib
from typing import Final

from msgspec import Struct

from controller.journal.errors import BadNotedCode

_DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_LIKE: Final = str.maketrans("ILO", "110")
_GROUP: Final = 5
HEAD_BITS: Final = 100
_CODE: Final = re.compile(rf"(0|[1-9][0-9]{{0,9}})-([1-9][0-9]{{0,18}})-((?:[{_DIGITS}]{{5}}-){{4}})([{_DIGITS}]{{2}})")
_FULL_HEAD: Final = re.compile(r"[0-9a-f]{64}")


class NotedCode(Struct, frozen=True, gc=False):
    """A code that a person noted. `head`: the first `bits` bits of a chain value, as a number.

    `seq`, `session`: the entry and the number of its session; None if the person noted only a whole chain value.
    """

    head: int
    bits: int
    seq: int | None = None
    session: int | None = None

    def is_of(self, seq: int, chain: bytes, session: int) -> bool:
        """True if the code agrees with a journal whose entry `seq`, in session number `session`, has the chain value
        `chain`.
        """
        begins = int.from_bytes(chain) >> (8 * len(chain) - self.bits) == self.head
        return begins and self.seq in (None, seq) and self.session in (None, session)


def code_of(session: int, seq: int, head: bytes) -> str:
    """The code for a journal whose last entry `seq`, in session `session`, has the chain value `head`."""
    value = int.from_bytes(head) >> (8 * len(head) - HEAD_BITS)
    text = _base_32(value, HEAD_BITS // 5)
    groups = "-".join(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))
    code = f"{session}-{seq}-{groups}"
    return f"{code}-{_check(code)}"


def read_noted(text: str) -> NotedCode:
    """Reads a typed code, or a whole chain value of 64 hex digits. Ignores white space and case, and reads I, L, O as
    1, 1, 0. Raises BadNotedCode.
    """
    head = text.strip().lower()
    if _FULL_HEAD.fullmatch(head):
        return NotedCode(int(head, 16), 256)
    code = "".join(text.split()).upper().translate(_LIKE)
    found = _CODE.fullmatch(code)
    if found is None or _check(code[: found.end(3) - 1]) != found[4]:
        raise BadNotedCode(text)
    value = 0
    for digit in found[3].replace("-", ""):
        value = value * len(_DIGITS) + _DIGITS.index(digit)
    return NotedCode(value, HEAD_BITS, seq=int(found[2]), session=int(found[1]))


def _check(code: str) -> str:
    return _base_32(zlib.crc32(code.encode("ascii")) & 0x3FF, 2)


def _base_32(value: int, digits: int) -> str:
    return "".join(_DIGITS[value >> (5 * place) & 31] for place in reversed(range(digits)))
