"""What is worked out by which clauses: a row for the register, beside the function of the same name."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Computation:
    """Something that is worked out, by these clauses."""

    name: str
    clauses: tuple[str, ...]
