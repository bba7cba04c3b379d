"""The step `reconfigured`: starts the controller with a changed configuration. The law checks it like the head's
configuration.
"""

from typing import Final

from controller.config.keys import KEYS
from controller.core.jackpot_rules import JackpotConditions
from controller.core.words import SessionPhase
from controller.scenario.settings import form_of
from controller.scenario.shorthand import AnyPlayer, Step, Words
from controller.scenario.slots import Kind, Slot
from controller.scenario.table import make_table, refusals
from controller.scenario.table_player import Stopped

_OF_THE_JACKPOT: Final = (
    *(f"jackpot_{key.name}" for key in KEYS if key.section == "jackpot"),
    *JackpotConditions.__struct_fields__,
)
"""The settings of the jackpot that `reconfigured` may change."""

_OF_A_CLOSED_TABLE: Final = ("seats",)
"""The settings that it may change between two sessions."""


def _may_change(player: AnyPlayer, name: str) -> bool:
    if name in _OF_A_CLOSED_TABLE:
        return player.state.house.session is SessionPhase.CLOSED
    return name in _OF_THE_JACKPOT and player.state.setup.jackpot is not None


def _reconfigured(player: AnyPlayer, words: Words) -> None:
    """Starts the controller with another value of one setting. `words`: the setting's name and its new value.

    Raises Stopped if the law forbids the value, or if the setting cannot be changed in this way.
    """
    name, text = words
    if not _may_change(player, name) or not form_of(name).thing.fits(text):
        raise Stopped("values", act=name)
    head = player.head.but(name, text)
    table = make_table(head.profile, head.settings, head.prizes)
    if table.problems:
        raise Stopped("configuration", table.problems, clauses=refusals(table))
    player.head = head
    player.start(setup=table.setup)


STEPS: Final = {"reconfigured": Step((Slot(Kind.PARAMETER), Slot(Kind.VALUE)), _reconfigured)}
