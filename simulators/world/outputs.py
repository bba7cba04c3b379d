"""Collects all output of a table, by stream: bytes to devices (without heartbeats), answers, notices and log events.

The output of all streams goes into one digest. A world that is compared with another one stores its output, and
collects its screen, journal and seals, too.
"""

from hashlib import sha256
from struct import Struct

from simulators.oracles.secrecy import Output

_STAMP = Struct("<dI")


class Outputs:
    """Collects the outputs of a table, and stores them in `kept` if `keep` is set."""

    def __init__(self, *, keep: bool) -> None:
        self.keep = keep
        self.kept: list[Output] = []
        self._digest = sha256()

    def put(self, stream: str, at_s: float, data: bytes) -> None:
        """Adds one output of the stream `stream` to the digest, and also to `kept` if `keep` is set."""
        self._digest.update(stream.encode() + _STAMP.pack(at_s, len(data)) + data)
        if self.keep:
            self.kept.append(Output(at_s, stream, data))

    def digest(self) -> str:
        """Returns the SHA-256 (hex) of all outputs so far."""
        return self._digest.hexdigest()
