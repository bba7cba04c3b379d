"""`dataclasses.replace` for values with many fields: the same, several times as fast, checked by mypy as the same.

Every event makes some copies of the table's state, which has more than forty fields, and that is most of what a
decision costs. The standard function goes through the fields one by one and then through `__init__`. Here a value
without slots is copied by one copy of its dictionary (the state and its parts are made so for that reason alone), and
one with slots by their descriptors. It serves what the core has: frozen dataclasses without
`__post_init__`.
"""

from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from dataclasses import replace as replace
else:

    def replace(value: Any, /, **changes: object) -> Any:  # noqa: ANN401 - typed above as the standard one
        """A copy of `value` with other values in some fields. KeyError for a field that it has not."""
        kind = value.__class__
        copy = object.__new__(kind)
        slots = _KNOWN[kind] if kind in _KNOWN else _learn(kind)
        if slots is None:
            known = copy.__dict__
            known.update(value.__dict__)
            known.update(changes)
            if len(known) != len(value.__dict__):
                raise KeyError(*(changes.keys() - value.__dict__.keys()))
            return copy
        for put, one in zip(slots.put, slots.read(value), strict=True):
            put(copy, one)
        for name, one in changes.items():
            slots.by_name[name](copy, one)
        return copy


Put = Callable[[object, object], None]


class _Slots(NamedTuple):
    """How all values of one class are read at once, and each is put into a new one."""

    read: Callable[[object], tuple[Any, ...]]
    put: tuple[Put, ...]
    by_name: dict[str, Put]


_KNOWN: dict[type, _Slots | None] = {}
"""None: a class without slots."""


def _learn(kind: type) -> _Slots | None:
    """TypeError for a class that this does not serve."""
    names = [field.name for field in fields(kind)]
    if hasattr(kind, "__post_init__"):
        raise TypeError(f"{kind.__name__} is no plain dataclass")
    if "__slots__" not in kind.__dict__:
        _KNOWN[kind] = None
        return None
    by_name = {name: getattr(kind, name).__set__ for name in names}
    read = attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)
    slots = _KNOWN[kind] = _Slots(read, tuple(by_name.values()), by_name)
    return slots
