"""Makes the update: a bundle with the kernel and the root file system of a card, which `rauc` signs.

A project or casino gives its own key (`--key`). Without one, a key for trials is made beside the images.
"""

import shutil
import subprocess
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import boot as loader
from card import Card
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

IMAGES: Final = ("kernel.img", "root.img")
VALID: Final = (datetime(2020, 1, 1, tzinfo=UTC), datetime(2060, 1, 1, tzinfo=UTC))


@dataclass(frozen=True, slots=True)
class Pair:
    """The paths of a secret key and of its certificate."""

    key: Path
    certificate: Path


def own_pair(out: Path) -> Pair:
    """Returns this machine's own key for trials. Makes it if `out` has none. The key is no part of the source tree."""
    pair = Pair(out / "update.key", out / "update.pem")
    if not pair.certificate.exists():
        out.mkdir(parents=True, exist_ok=True)
        make_pair(pair, "sabot trial of this machine")
    return pair


def make_pair(pair: Pair, name: str) -> None:
    secret = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    begun = x509.CertificateBuilder().subject_name(who).issuer_name(who).public_key(secret.public_key())
    dated = begun.serial_number(x509.random_serial_number()).not_valid_before(VALID[0]).not_valid_after(VALID[1])
    signed = dated.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True).sign(secret, SHA256())
    pair.key.touch(0o600)
    pair.key.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    pair.certificate.write_bytes(signed.public_bytes(Encoding.PEM))


def sign(card: Card, arch: str, release: str, version: str, pair: Pair) -> Path:
    """Writes the signed bundle `sabot-VERSION-ARCH.raucb` beside the image, and returns its path.

    Raises CalledProcessError.
    """
    folder, file = card.out / "bundle", card.out / f"sabot-{version}-{arch}.raucb"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name in IMAGES:
        (folder / name).hardlink_to(card.out / name)
    dated = datetime.fromtimestamp(card.made, UTC).date()
    says = f"sabot {version.partition('~')[0]}, Debian of {dated}."
    text = loader.MANIFEST.format(machine=loader.machine(arch), release=release, says=says)
    (folder / "manifest.raucm").write_text(text)
    file.unlink(missing_ok=True)
    keys = (f"--cert={pair.certificate}", f"--key={pair.key}", f"--keyring={pair.certificate}")
    subprocess.run(("rauc", "bundle", *keys, str(folder), str(file)), check=True)
    shutil.rmtree(folder)
    return file
