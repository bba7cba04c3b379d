"""The table's configuration as the journal last recorded it, and its changes from one start to the next. Pure."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

Configured: TypeAlias = tuple[tuple[str, str], ...]
"""Every key of the configuration with its value as text, defaults too, in order of key."""

NOT_READ_YET: Final[Configured] = ()


class Change(Struct, frozen=True, gc=False):
    """A key of the configuration whose value has changed. The value "" means that the key is absent."""

    key: str
    before: str
    now: str


class ConfigurationChanged(Struct, frozen=True, gc=False):
    """The keys of the configuration whose values differ from those at the previous start; in a new journal, all
    keys.
    """

    changes: tuple[Change, ...]


def change_between(before: Configured, now: Configured) -> ConfigurationChanged | None:
    """Returns the change to record; None if both configurations are equal."""
    if before == now:
        return None
    old, new = dict(before), dict(now)
    keys = sorted({*old, *new})
    changes = (Change(key, old.get(key, ""), new.get(key, "")) for key in keys if old.get(key) != new.get(key))
    return ConfigurationChanged(tuple(changes))


def after_change(before: Configured, change: ConfigurationChanged) -> Configured:
    """Returns the configuration `before` with a recorded change applied."""
    values: Mapping[str, str] = dict(before) | {one.key: one.now for one in change.changes}
    gone = {one.key for one in change.changes if one.now == ""}
    return tuple((key, value) for key, value in sorted(values.items()) if key not in gone)
