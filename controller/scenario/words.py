"""Every word of a scenario's lines: the steps of `given` and `when`, the facts of `then`."""

from typing import Final

from controller.scenario import facts, hands, steps
from controller.scenario.facts import Fact
from controller.scenario.shorthand import Step

STEPS: Final[dict[str, Step]] = {**steps.STEPS, **hands.STEPS}
FACTS: Final[dict[str, Fact]] = {**facts.FACTS, **hands.FACTS}
