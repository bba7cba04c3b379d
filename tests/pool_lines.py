"""Signed lines that move a jackpot's pool between computers. `python -m tests.pool_lines` prints the scenarios' lines.

A scenario's own computer has the key of 32 zero bytes; the computer number n has the key of 32 bytes n.
"""

from typing import Final

from controller.core.house.pool import Meters
from controller.core.house.pool_export import Export, Receipt, code_of, written, written_receipt
from controller.journal.signing import Signer

HERE: Final = Signer(bytes(32))
SOURCE: Final = Signer(bytes([1]) * 32)
THIEF: Final = Signer(bytes([9]) * 32)
RECEIPT_PURPOSE: Final = b"sabot jackpot receipt 1\n"
PLACE: Final = "1.4711.00112233445566ff"
PARAMETERS: Final = "33dea6947297"
"""The jackpot's rules in a scenario whose head gives no others."""

LEVELS: Final = (12_345_670_000, 0, 0)
METERS: Final = Meters(seeds=10_000_000_000, contributions=2_345_670_000, bets=2932)


def name(signer: Signer) -> str:
    """The name of the computer whose key `signer` has: the first 16 digits of its public key."""
    return signer.public_key[:16]


def export_line(
    signer: Signer = SOURCE,
    *,
    target: str = name(HERE),
    rules: str = PARAMETERS,
    levels: tuple[int, int, int] = LEVELS,
    meters: Meters = METERS,
    number: int = 1,
    purpose: bytes = b"sabot jackpot export 1\n",
) -> str:
    """A line that exports a pool from the computer with `signer`'s key to `target`, with its signature."""
    text = written(Export("bj-07", signer.public_key, number, PLACE, target, rules, levels, meters))
    return f"{text}:{signer.sign(purpose + text.encode())}"


def receipt_line(signer: Signer, line: str, source: Signer = HERE) -> str:
    """The signed receipt for the export `line`: the computer with `signer`'s key has taken over `source`'s pool."""
    text = written_receipt(Receipt("bj-09", signer.public_key, PLACE, name(source), code_of(line)))
    return f"{text}:{signer.sign(RECEIPT_PURPOSE + text.encode())}"


EXPORT: Final = export_line()
FORGED: Final = export_line(THIEF, levels=(9_999_999_990_000, 0, 0), meters=Meters(seeds=9_999_999_990_000))
OWN: Final = export_line(HERE, target=name(SOURCE))
LINES: Final = {
    "EXPORT": EXPORT,
    "CUT": EXPORT.rpartition(":")[0],
    "CHANGED": EXPORT.replace(":12345670000,", ":92345670000,").replace(",2345670000,", ",82345670000,"),
    "BELOW": export_line(levels=(-1, 0, 0), meters=Meters(transfers=-1)),
    "ELSEWHERE": export_line(target="00000000000000bb"),
    "OTHERWISE": export_line(rules="000000000000"),
    "AS-A-MARK": export_line(purpose=b"sabot mark 1\n"),
    "FORGED": FORGED,
    "OWN": OWN,
    "RECEIPT": receipt_line(SOURCE, OWN),
    "FORGED-RECEIPT": receipt_line(THIEF, OWN),
}

if __name__ == "__main__":
    print("computers", name(HERE), name(SOURCE))
    for key, line in LINES.items():
        print(key, code_of(line), line)
