"""The list of acts behind "More": what can be done first, and what cannot in an order of its own."""

from collections.abc import Iterable

from controller.panel.moment import Moment
from controller.protocol.lines import ActDocument


def arranged(acts: Iterable[ActDocument], moment: Moment | None, *, are_possible: bool) -> tuple[ActDocument, ...]:
    """Those that can be done, or those that cannot: of whoever is signed in first, of another step of the day last.

    What the hand in turn may decide has its place on the page, open or not.
    """
    placed = moment.choices if moment is not None and moment.is_hands_turn else ()
    roles = moment.roles if moment is not None else frozenset()
    meant = (one for one in acts if one.allowed == are_possible and not (are_possible and one.act in placed))
    return tuple(sorted(meant, key=lambda one: (_is_of_another_step(one), not roles.intersection(one.who))))


def _is_of_another_step(act: ActDocument) -> bool:
    return act.rule is not None and act.rule.endswith(".when")
