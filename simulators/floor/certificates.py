"""A certificate authority and its certificates, for a floor and tables on this computer."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

_DAY = timedelta(days=1)


class Authority:
    """A certificate authority; the file `path` contains its own certificate."""

    def __init__(self, directory: Path, name: str = "authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        self._directory = directory
        usage = x509.BasicConstraints(ca=True, path_length=0)
        certificate = _certificate(self._name, self._name, self._key.public_key()).add_extension(usage, critical=True)
        self.path = directory / f"{name}.pem"
        self.path.write_bytes(certificate.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))

    def signed(self, name: str, days: int = 30) -> Path:
        """Writes a PEM file with a new key and a certificate for `name` and this computer, valid for `days`; returns
        its path.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))])
        made = _certificate(_name(name), self._name, key.public_key(), days).add_extension(names, critical=False)
        secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        path = self._directory / f"{name}.pem"
        path.write_bytes(secret + made.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM))
        path.chmod(0o600)
        return path


def _name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _certificate(
    name: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, days: int = 30
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(key)
    number = x509.random_serial_number()
    return builder.serial_number(number).not_valid_before(now - _DAY).not_valid_after(now + days * _DAY)
