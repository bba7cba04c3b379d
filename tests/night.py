"""The extent of trials by day (`make test`) and by night (`make night`, which sets SABOT_NIGHT=1)."""

import os
from typing import Final

IS_NIGHT: Final = os.environ.get("SABOT_NIGHT") == "1"

MORE_BY_NIGHT: Final = 20


def examples(by_day: int) -> int:
    """The number of hypothesis's examples: by day `by_day`, the same each time; by night many more, new each time."""
    return by_day * MORE_BY_NIGHT if IS_NIGHT else by_day


FUZZ_S: Final = int(os.environ.get("SABOT_FUZZ_S", "1"))
"""The seconds for which libFuzzer tries the C core."""
