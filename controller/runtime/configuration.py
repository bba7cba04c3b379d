"""The configuration by the journal's last record of it, and as it is now. Pure."""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct

Configured: TypeAlias = tuple[tuple[str, str], ...]
"""Every key of the configuration with its value as text, defaults too, in order of key."""

NOT_READ_YET: Final[Configured] = ()


class Change(Struct, frozen=True, gc=False):
    """One key that says something else; "" where it was not there, or is not there any more."""

    key: str
    before: str
    now: str


class ConfigurationChanged(Struct, frozen=True, gc=False):
    """The configuration of this start is another one than that of the start before. The first changes everything."""

    changes: tuple[Change, ...]


def change_between(before: Configured, now: Configured) -> ConfigurationChanged | None:
    """The change to record; None where there is none."""
    if before == now:
        return None
    old, new = dict(before), dict(now)
    keys = sorted({*old, *new})
    changes = (Change(key, old.get(key, ""), new.get(key, "")) for key in keys if old.get(key) != new.get(key))
    return ConfigurationChanged(tuple(changes))


def after_change(before: Configured, change: ConfigurationChanged) -> Configured:
    """The configuration behind the entry of a change."""
    values: Mapping[str, str] = dict(before) | {one.key: one.now for one in change.changes}
    gone = {one.key for one in change.changes if one.now == ""}
    return tuple((key, value) for key, value in sorted(values.items()) if key not in gone)
