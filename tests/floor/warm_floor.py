"""A process with all modules of the floor loaded, which forks floors. `tests.daemon.warm.Warm` starts it.

A start without forking takes 0.6 s of processor for imports. The tests of the program and of the simulated floor start
that way.
"""

from controller.floor import serve, sign_in
from controller.floor.__main__ import main
from tests.daemon.warm import fork_program

__all__ = ["serve", "sign_in"]

if __name__ == "__main__":
    fork_program(main)
