"""Acts: what people ask for, imperative, data only. Each is allowed, or refused with clause and remedy.

Their names (`sabot act NAME`), who may do what, and when, stand in rules/.
"""

from typing import TypeAlias

from controller.core.acts.corrections import *
from controller.core.acts.holds import *
from controller.core.acts.round import *
from controller.core.acts.session import *

Act: TypeAlias = ByPerson
"""Any act; the rows that declare them stand in rules/."""


def value_names(act: type[Act]) -> tuple[str, ...]:
    """The names of the values that this act takes besides who asks and what a seal says."""
    return tuple(name for name in act.__struct_fields__ if name not in {"person", "role", "seal_differs"})
