"""The function `replace` for msgspec structs: a copy of a value with other values in some fields."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import replace as replace  # mypy checks names and types of fields by it, also for structs
else:
    from msgspec.structs import replace as replace
