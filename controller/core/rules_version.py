"""The version of the rules: an open session goes on only under the version that began it.

The version must be raised for a change after which a recorded event may lead to another state or another refusal. `make
golden` refuses recorded runs ("worlds") whose results have changed under the same version. Moved code, a new act, a new
field of the state and other wording need no new version.
"""

from typing import Final

RULES_VERSION: Final = 19
