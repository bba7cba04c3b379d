"""A witness's directory, and the witness's answers over HTTP on loopback."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.witness.place import opened
from controller.witness.serve import WitnessServer


@contextmanager
def served(directory: Path) -> Iterator[int]:
    """Serves the witness of this directory; yields the port."""
    with opened(directory) as witness, WitnessServer(("127.0.0.1", 0), witness) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()
