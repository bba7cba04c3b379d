"""A struct that holds only values is in no cycle: if it is frozen, the garbage collector does not track it."""

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Raw, Struct, UnsetType

import controller.core
import controller.journal
import controller.runtime
import drivers
import firmware_protocols

PACKAGES = (controller.core, controller.journal, controller.runtime, drivers, firmware_protocols)
VALUES = (Enum, bool, int, float, str, bytes, NoneType, Raw, UnsetType)


def structs() -> Iterator[type[Struct]]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            found = vars(importlib.import_module(module.name)).values()
            yield from (one for one in found if isinstance(one, type) and issubclass(one, Struct) and one is not Struct)


def is_value(kind: object) -> bool:
    if isinstance(kind, type) and issubclass(kind, VALUES):
        return True
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind is Struct or not kind.__struct_config__.gc
    if is_dataclass(kind) and isinstance(kind, type):
        return bool(kind.__dataclass_params__.frozen)
    if hasattr(kind, "__supertype__"):
        return is_value(kind.__supertype__)
    if isinstance(kind, TypeVar):
        return is_value(kind.__bound__)
    parts = [part for part in get_args(kind) if part is not Ellipsis]
    return get_origin(kind) in {tuple, Mapping, Union, UnionType} and all(map(is_value, parts))


def is_of_values(struct: type[Struct]) -> bool:
    hints = get_type_hints(struct)
    return struct.__struct_config__.frozen and all(is_value(hints[name]) for name in struct.__struct_fields__)


def test_frozen_structs_of_values_are_outside_the_collectors_sight_and_no_others() -> None:
    found = sorted(set(structs()), key=lambda one: (one.__module__, one.__name__))
    outside = [one for one in found if not one.__struct_config__.gc]
    assert len(outside) > 250
    assert [one for one in found if is_of_values(one)] == outside
