"""Puts into words the findings in the entry of a controller's start. controller/runtime/boot.py and
controller/daemon/prepare.py write the findings.
"""

import re
from collections.abc import Iterator
from typing import Final

from controller.catalogue import Language, sentence
from controller.journal.codec import Plain

FORMS: Final = (
    ("torn-tail", r"torn-tail segment \d+ offset \d+ length (?P<length>\d+) entry (?P<entry>\d+)"),
    ("second-copy-taken-over", r"second-copy-taken-over entry (?P<entry>\d+)"),
    ("seals-differ", r"seals-differ (?P<file>\d{8}\.seals)"),
    ("restored", r"restored epoch (?P<epoch>\d+) entry (?P<entry>\d+) code (?P<code>[0-9A-Z-]+)"),
    ("epoch", r"epoch (?P<epoch>\d+)"),
    ("root", r"root (?P<own>\S+) newest (?P<newest>\S+)"),
    (
        "updated",
        r"updated (?P<release>\S+) technician (?P<technician>\d+) chief-supervisor (?P<chief>\d+)",
    ),
    ("signing-key-replaced", r"signing-key-replaced (?P<key>[0-9a-f]+)"),
    ("seal-key-replaced", r"seal-key-replaced (?P<key>[0-9a-f]+)"),
    ("seals-unreadable", r"seals-unreadable (?P<file>\d{8}\.seals)"),
    ("checkpoint-refused", r"checkpoint-refused (?P<file>\d{8}\.checkpoint)"),
    ("journal-begun-anew", r"journal-begun-anew (?P<journal>\S+) (?P<file>.+)"),
    ("file-changed", r"file-changed (?P<file>.+)"),
    ("file-unreadable", r"file-unreadable (?P<file>.+)"),
    ("mark-missing", r"mark-missing (?P<file>.+)"),
    ("mark-unreadable", r"mark-unreadable (?P<file>.+)"),
    (
        "behind-mark",
        (
            r"behind-mark entry (?P<entry>\d+) last (?P<last>\d+) why (?P<why>[a-z-]+) "
            r"technician (?P<technician>\d+) chief-supervisor (?P<chief>\d+)"
        ),
    ),
    (
        "unsigned-entries",
        (
            r"unsigned-entries entry (?P<first>\d+) last (?P<end>\d+) kept (?P<kept>\d+) "
            r"technician (?P<technician>\d+) chief-supervisor (?P<chief>\d+)"
        ),
    ),
    (
        "words-forgotten",
        (
            r"words-forgotten entry (?P<entry>\d+) "
            r"room-manager (?P<manager>\d+) chief-supervisor (?P<chief>\d+) on (?P<on>\d{4}-\d\d-\d\d)"
        ),
    ),
    (
        "damage-sealed",
        (
            r"damage-sealed entry (?P<entry>\d+) segment \d+ offset \d+ (?P<reason>[a-z-]+) "
            r"technician (?P<technician>\d+) chief-supervisor (?P<chief>\d+)"
        ),
    ),
)
"""For each finding, the key of its sentence, and the pattern that reads its values."""


def found_at_start(findings: Plain, seq: int, language: Language) -> Iterator[str]:
    """Yields a sentence for each finding of the start in entry `seq`; for an unknown finding, the finding itself.
    `findings`: the field `findings` of the entry; the function yields nothing unless it is a list.
    """
    for finding in findings if isinstance(findings, list) else ():
        text = str(finding)
        forms = ((key, re.fullmatch(form, text)) for key, form in FORMS)
        known = ((key, match.groupdict()) for key, match in forms if match)
        yield next((sentence(f"finding.{key}", {"last": str(seq - 1)} | one, language) for key, one in known), text)
