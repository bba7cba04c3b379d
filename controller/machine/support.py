"""The month until which this version is mended. Once it is over, each screen of the program says so."""

from datetime import date, datetime
from typing import Final

SUPPORTED_UNTIL: Final = "2027-06"
"""As `.github/SECURITY.md` has it for this version, for example 2031-12; empty: unreleased, nothing is promised."""


def over_since(today: date) -> str:
    """The month of `SUPPORTED_UNTIL` once it is over; empty before its end, and for an unreleased version."""
    return SUPPORTED_UNTIL if SUPPORTED_UNTIL and f"{today:%Y-%m}" > SUPPORTED_UNTIL else ""


def here_today() -> date:
    """The day by this computer's clock, in its zone."""
    return datetime.now().astimezone().date()
