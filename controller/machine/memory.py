"""What the collector of circles may leave out."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def made_to_stay() -> Iterator[None]:
    """What is imported and read meanwhile lasts as long as the process: the collector never looks at it.

    A start takes a seventh less, and no pause while cards are drawn goes over the whole program.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.freeze()
