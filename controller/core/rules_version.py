"""The version of the rules: an open session goes on only under the version that began it.

A change after which a recorded event may lead to another state or to another answer takes a higher version. `make
golden` refuses to keep worlds that play otherwise under the same version. The version does not change with code that
only moves, a new act, another field of the state, or words.
"""

from typing import Final

RULES_VERSION: Final = 13
