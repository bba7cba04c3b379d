"""What is in an image, as CycloneDX 1.5: Debian's packages and those in sabot's own environment."""

import json
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from email.parser import HeaderParser
from typing import Final

from card import Card

FIELDS: Final = "${Package}\t${Version}\t${Architecture}\n"


def sbom(card: Card) -> str:
    """The same for the same packages."""
    made = datetime.fromtimestamp(card.made, UTC).isoformat().replace("+00:00", "Z")
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{card.identity('sbom')}",
        "version": 1,
        "metadata": {"timestamp": made, "component": {"type": "firmware", "name": "sabot-image", "version": made}},
        "components": [*_of_debian(card), *_of_python(card)],
    }
    return json.dumps(document, indent=1, sort_keys=True) + "\n"


def _of_debian(card: Card) -> Iterator[dict[str, str]]:
    asked = ["dpkg-query", f"--admindir={card.root}/var/lib/dpkg", "-W", "-f", FIELDS]
    for line in sorted(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()):
        name, version, arch = line.split("\t")
        address = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={arch}"
        yield {"type": "library", "name": name, "version": version, "purl": address, "bom-ref": address}


def _of_python(card: Card) -> Iterator[dict[str, str]]:
    for file in sorted(card.root.glob("usr/lib/sabot/*/lib/python*/site-packages/*.dist-info/METADATA")):
        head = HeaderParser().parsestr(file.read_text())
        name, version = head["Name"], head["Version"]
        address = f"pkg:pypi/{name.lower()}@{version}"
        yield {"type": "library", "name": name, "version": version, "purl": address, "bom-ref": address}
