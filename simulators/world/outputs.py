"""The output of a table, in streams: bytes to the devices without heartbeats, answers, notices, log events.

A world that is compared with another world also puts its screen, journal and seals here, and keeps its outputs. All
outputs go into one digest.
"""

from hashlib import sha256
from struct import Struct

from simulators.oracles.secrecy import Output

_STAMP = Struct("<dI")


class Outputs:
    """Collects the outputs. `kept` stays empty unless `keep` is set."""

    def __init__(self, *, keep: bool) -> None:
        self.keep = keep
        self.kept: list[Output] = []
        self._digest = sha256()

    def put(self, stream: str, at_s: float, data: bytes) -> None:
        """Adds one output to the digest, and to `kept` where `keep` is set."""
        self._digest.update(stream.encode() + _STAMP.pack(at_s, len(data)) + data)
        if self.keep:
            self.kept.append(Output(at_s, stream, data))

    def digest(self) -> str:
        """SHA-256 (hex) of all outputs so far."""
        return self._digest.hexdigest()
