"""The contents of an image: Debian's packages, and the packages in sabot's own environment."""

import subprocess
from collections.abc import Iterator
from typing import Final

from card import Card
from contents import Component, bill, moment, of_python

FIELDS: Final = "${Package}\t${Version}\t${Architecture}\n"


def sbom(card: Card) -> str:
    """Returns the image's bill of materials, the same for the same packages."""
    whole: Component = {"type": "firmware", "name": "sabot-image", "version": moment(card.made)}
    return bill(whole, str(card.identity("sbom")), card.made, [*_of_debian(card), *of_python(card.root)])


def _of_debian(card: Card) -> Iterator[Component]:
    asked = ["dpkg-query", f"--admindir={card.root}/var/lib/dpkg", "-W", "-f", FIELDS]
    for line in sorted(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()):
        name, version, arch = line.split("\t")
        address = f"pkg:deb/debian/{name}@{version.replace('+', '%2B')}?arch={arch}"
        yield {"type": "library", "name": name, "version": version, "purl": address, "bom-ref": address}
