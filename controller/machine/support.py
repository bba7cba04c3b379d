"""The last month in which this version gets corrections. After it each screen of the program says that it is over."""

from datetime import date, datetime
from typing import Final

SUPPORTED_UNTIL: Final = ""
"""The month of this version in `.github/SECURITY.md`, for example 2031-12; empty: unreleased, without any promise."""


def over_since(today: date) -> str:
    """The month of `SUPPORTED_UNTIL` once it is over; empty before its end, and for an unreleased version."""
    return SUPPORTED_UNTIL if SUPPORTED_UNTIL and f"{today:%Y-%m}" > SUPPORTED_UNTIL else ""


def here_today() -> date:
    """Today's date by this computer's clock, in its zone."""
    return datetime.now().astimezone().date()
