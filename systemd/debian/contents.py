"""Writes the bill of materials of a package or an image, in CycloneDX 1.5. Equal contents give equal bytes."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.parser import HeaderParser
from pathlib import Path
from typing import Final
from uuid import NAMESPACE_URL, uuid5

Component = dict[str, object]

BUNDLED: Final = {
    "idiomorph.min.js": ("library", "idiomorph", "0.8.0", "pkg:npm/idiomorph@0.8.0", "0BSD"),
    "latin-400.woff2": ("data", "Noto Sans", "2015", "pkg:generic/noto-sans@2015", "OFL-1.1"),
    "han-400.woff2": ("data", "Noto Sans CJK HK", "2021", "pkg:generic/noto-sans-cjk-hk@2021", "OFL-1.1"),
}
"""Files in the tree by other makers: the name of one file, then type, name, version, address, licence."""

OURS: Final = frozenset(("sabot",))


def bill(component: Component, serial: str, seconds: int, components: Iterable[Component]) -> str:
    """Returns the bill of materials of `component`. `seconds`: its date, in seconds since 1970."""
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"timestamp": moment(seconds), "component": component},
        "components": list(components),
    }
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def moment(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")


def of_package(stage: Path, name: str, version: str, seconds: int, supported_until: str) -> str:
    """Returns the bill of materials of one Debian package, whose files are in `stage`."""
    address = f"pkg:deb/{name}@{version.replace('+', '%2B')}"
    component = product("application", name, version, address, supported_until)
    installed = (one for one in of_python(stage) if one["name"] not in OURS)
    return bill(component, str(uuid5(NAMESPACE_URL, address)), seconds, [*installed, *bundled(stage)])


def of_verifier(version: str, seconds: int, supported_until: str, made_with: Iterable[tuple[str, str]]) -> str:
    """Returns the bill of materials of the verifier's programs. `made_with`: name and version of each Go package in
    them.
    """
    address = f"pkg:generic/sabot-verify@{version}"
    component = product("application", "sabot-verify", version, address, supported_until)
    licence = "BSD-3-Clause"
    parts = (_library("library", one, number, f"pkg:golang/{one}@{number}", licence) for one, number in made_with)
    return bill(component, str(uuid5(NAMESPACE_URL, address)), seconds, parts)


def product(kind: str, name: str, version: str, address: str, supported_until: str) -> Component:
    """Returns the entry in a bill for a package, an image or a program that is sold. `supported_until`: the last month
    in which it is supported.
    """
    until = {"name": "sabot:supported-until", "value": supported_until}
    return {
        "type": kind,
        "name": name,
        "version": version,
        "purl": address,
        "bom-ref": address,
        "properties": [until],
    }


def of_python(root: Path) -> Iterator[Component]:
    """Yields the Python packages of each Python environment below `root`."""
    for file in sorted(root.glob("usr/lib/sabot*/**/site-packages/*.dist-info/METADATA")):
        head = HeaderParser().parsestr(file.read_text())
        name, version = head["Name"], head["Version"]
        licence = head["License-Expression"] or ""
        yield _library("library", name, version, f"pkg:pypi/{name.lower()}@{version}", licence)


def bundled(root: Path) -> Iterator[Component]:
    for file, parts in BUNDLED.items():
        if any(root.rglob(file)):
            yield _library(*parts)


def _library(kind: str, name: str, version: str, address: str, licence: str) -> Component:
    said: Component = {"licenses": [{"expression": licence}]} if licence else {}
    return {"type": kind, "name": name, "version": version, "purl": address, "bom-ref": address} | said


_ROW: Final = re.compile(r"^\| ([0-9][^ |]*) \| ([^|]+) \|", re.MULTILINE)


def supported_until(page: str, version: str) -> str:
    """Returns the month until which a version is supported. `page`: the text of SECURITY.md, which names it.

    Raises KeyError if the page does not name the version.
    """
    return {found[1]: found[2].strip() for found in _ROW.finditer(page)}[version]
