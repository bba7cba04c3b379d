"""Signs the packages of a release, and checks them: `release.py sign|check DIRECTORY --key FILE`.

SHA256SUMS names every package and every program of the verifier in the directory. SHA256SUMS.sig is its Ed25519
signature (RFC 8032, 64 bytes). Tools of any Debian read both (`openssl pkeyutl`, `sha256sum`), so a check does not need
this program. The secret key is made and kept on a computer without a network, never in the tree. Casinos get the public
key by another channel than the packages.
"""

import argparse
import hashlib
import sys
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

SUMS: Final = "SHA256SUMS"
SIGNATURE: Final = SUMS + ".sig"


def main() -> int:
    parser = argparse.ArgumentParser(description="signs and checks the packages of a release")
    parser.add_argument("what", choices=("sign", "check"))
    parser.add_argument("directory", type=Path)
    parser.add_argument("--key", type=Path, required=True, help="Ed25519, PEM: the secret one signs, the public checks")
    given = parser.parse_args()
    if given.what == "sign":
        sign(given.directory, given.key.read_bytes())
        return 0
    wrong = check(given.directory, given.key.read_bytes())
    print("\n".join(wrong) or f"{given.directory}: every package is signed")
    return 1 if wrong else 0


def sign(directory: Path, key: bytes) -> None:
    """Writes SHA256SUMS and SHA256SUMS.sig into the directory.

    Raises SystemExit for a key of another kind, or if the directory has no package.
    """
    secret = load_pem_private_key(key, password=None)
    if not isinstance(secret, Ed25519PrivateKey):
        sys.exit("no Ed25519 key (openssl genpkey -algorithm ed25519 makes one)")
    if not (sums := sums_of(directory)):
        sys.exit(f"no package in {directory}")
    (directory / SUMS).write_bytes(sums)
    (directory / SIGNATURE).write_bytes(secret.sign(sums))


def check(directory: Path, key: bytes) -> list[str]:
    """Returns the faults as sentences; an empty list if the directory has exactly the signed packages, unchanged."""
    public = load_pem_public_key(key)
    if not isinstance(public, Ed25519PublicKey):
        return ["no Ed25519 key"]
    try:
        sums = (directory / SUMS).read_bytes()
        public.verify((directory / SIGNATURE).read_bytes(), sums)
    except FileNotFoundError as error:
        return [f"missing: {error.filename}"]
    except InvalidSignature:
        return [f"{SUMS} is not signed with this key"]
    signed, found = set(sums.splitlines()), set(sums_of(directory).splitlines())
    return [f"not as signed: {line.decode('utf-8', 'replace')}" for line in sorted(signed ^ found)]


def sums_of(directory: Path) -> bytes:
    """Returns the checksums of the packages and of the verifier's programs, in the form of `sha256sum`."""
    packages = sorted((*directory.glob("*.deb"), *directory.glob("sabot-verify*")))
    return b"".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n".encode() for path in packages)


if __name__ == "__main__":
    sys.exit(main())
