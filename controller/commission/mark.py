"""The files beside a configuration that say that the table's commissioning has begun, or has ended for good.

The file `commissioning` says that it has begun. The file `commissioned` replaces it once the table has closed for the
first time. A table with neither file, set up by hand or by an older version, counts as commissioned once it has a
configuration. Only root, who may also write the configuration, can remove these files.
"""

from pathlib import Path
from typing import Final

from controller.journal.signing import keep_known
from controller.journal.storage import write_whole

BEGUN: Final = "commissioning"
OVER: Final = "commissioned"


class Mark:
    """The state of a table's commissioning, kept as one of two files beside the configuration `config`."""

    def __init__(self, config: Path) -> None:
        self._config = config
        self._begun, self._over = config.with_name(BEGUN), config.with_name(OVER)

    @property
    def is_over(self) -> bool:
        return self._over.exists() or (self._config.exists() and not self._begun.exists())

    @property
    def is_set(self) -> bool:
        """True if a commissioning has ended for good."""
        return self._over.exists()

    def begin(self) -> None:
        """Records that the commissioning has begun. A second call has no effect. Raises OSError."""
        if not self._begun.exists():
            write_whole(self._begun, b"")

    def end(self, public_file: bytes) -> None:
        """Records that the commissioning has ended for good, and keeps the journal's public key beside the
        configuration. Raises OSError.
        """
        keep_known(self._config, public_file)
        write_whole(self._over, b"")
        self._begun.unlink(missing_ok=True)
