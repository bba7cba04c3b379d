"""The presence of a supervisor at a loading or unloading, and the press with which a watched loading begins."""

from collections.abc import Callable
from typing import Final

from controller.panel.moment import Moment
from controller.panel.offer import Step


def watching(operation: str) -> Callable[[Moment], tuple[Step, ...]]:
    return lambda _moment: (("sign-in", {"operation": operation}),)


def has_nobody_watching(operation: str, *sessions: str) -> Callable[[Moment], bool]:
    return lambda moment: moment.status.session in sessions and not moment.is_present(operation)


_HAS_NOBODY: Final = has_nobody_watching("loading", "mixed", "loading", "taking-out")


def is_without_supervisor(moment: Moment) -> bool:
    """True if no supervisor watches, unless hands fill a shoe or the loading may begin without a supervisor."""
    is_without = moment.status.session == "mixed" and (moment.status.shoe is not None or moment.may("begin-loading"))
    return _HAS_NOBODY(moment) and not is_without


def is_to_be_watched(moment: Moment) -> bool:
    """True if a supervisor must still come to the loading, and may say so without beginning the loading."""
    return is_without_supervisor(moment) and not begins_watched(moment)


def begins_watched(moment: Moment) -> bool:
    """True if the loading may begin once a supervisor watches it, at a screen where the dealer is signed in, too."""
    return moment.status.session == "mixed" and "dealer" in moment.roles and is_without_supervisor(moment)


def begin_watched(_moment: Moment) -> tuple[Step, ...]:
    """Returns the supervisor's coming, the dealer's beginning of the loading, and the opening for the first packet. The
    supervisor attests the first and the last while the cards lie visible before the machine.
    """
    return ("sign-in", {"operation": "loading"}), ("begin-loading", {}), ("open-packet", {})
