"""Lists the contents of an image: Debian's packages, and the packages in sabot's own environment."""

import subprocess
from collections.abc import Iterator
from typing import Final

from card import Card
from contents import bill, bundled, moment, of_python, product

FIELDS: Final = "${Package}\t${Version}\t${Architecture}\n"


def sbom(card: Card, supported_until: str) -> str:
    """Returns the bill of materials of the card's image. The same packages give the same text."""
    version = moment(card.made)
    whole = product("firmware", "sabot-image", version, f"pkg:generic/sabot-image@{version}", supported_until)
    parts = [*_of_debian(card), *of_python(card.root), *bundled(card.root)]
    return bill(whole, str(card.identity("sbom")), card.made, parts)


def _of_debian(card: Card) -> Iterator[dict[str, object]]:
    asked = ["dpkg-query", f"--admindir={card.root}/var/lib/dpkg", "-W", "-f", FIELDS]
    for line in sorted(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()):
        name, version, arch = line.split("\t")
        address = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={arch}"
        yield {"type": "library", "name": name, "version": version, "purl": address, "bom-ref": address}
