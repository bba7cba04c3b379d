"""`sabot-sim` with controllers that are forked from a process that has imported their modules, so that a restart after
a kill costs no imports.

Tests with many kills use it by day; all forked processes end with it.
"""

import os
import sys
from collections.abc import Sequence
from typing import IO

from simulators.cli import main
from simulators.demo.child import Process, SabotChild
from tests.daemon.warm import Warm

NO_FAULT = {"SABOT_TEST_DISK": "/dev/null/none", "SABOT_TEST_DIRECTORY": "/dev/null/none"}


def run() -> int:
    with Warm() as warm:

        def forked(words: Sequence[str], log: IO[bytes]) -> Process:
            return warm.start(words, os.environ | NO_FAULT, log.fileno(), log.fileno())

        SabotChild.spawn = staticmethod(forked)
        return main()


if __name__ == "__main__":
    sys.exit(run())
