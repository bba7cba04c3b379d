"""What an act is: what a person asks for. It is allowed, or refused with clause and remedy."""

from msgspec import Struct

from controller.core.words import Person, Role


class Act(Struct, frozen=True, gc=False):
    """Who asks: number and role, already authenticated. Its name, and who may ask when, stand in its row."""

    person: Person
    role: Role


def value_names(act: type[Act]) -> tuple[str, ...]:
    """The names of the values that this act takes besides who asks and what a seal says."""
    return tuple(name for name in act.__struct_fields__ if name not in {"person", "role", "seal_differs"})
