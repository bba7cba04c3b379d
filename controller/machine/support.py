"""The last month in which this version gets corrections. After that month each screen says that support has ended."""

from datetime import date, datetime
from typing import Final

SUPPORTED_UNTIL: Final = "2027-06"
"""The month of this version in `.github/SECURITY.md`, for example 2031-12; empty: unreleased, without any promise."""


def over_since(today: date) -> str:
    """Returns the last month of support (YYYY-MM) if this month is over by `today`. Returns "" before its end, and for
    an unreleased version.
    """
    return SUPPORTED_UNTIL if SUPPORTED_UNTIL and f"{today:%Y-%m}" > SUPPORTED_UNTIL else ""


def here_today() -> date:
    """Returns today's date by this computer's clock and time zone."""
    return datetime.now().astimezone().date()
