"""What people are reminded of when a step is reached: duties of theirs that no device can see. One row a clause."""

from dataclasses import dataclass
from typing import Final

from controller.core.engine.decision import Notice
from controller.core.house.state import State
from controller.core.words import RoundPhase, SessionPhase


@dataclass(frozen=True, slots=True)
class Prompt:
    """Said when session or round comes to this step, in these profiles; its words are `notice.<name>`."""

    name: str
    clause: str
    at: SessionPhase | RoundPhase
    profiles: tuple[str, ...]


_PT = ("pt-csm", "pt-shoe", "house")
_MO = ("mo-csm", "mo-shoe", "mo-box")
_BR = ("br",)

PROMPTS: Final = (
    Prompt("load-with-care", "pt.bj.54a", SessionPhase.LOADING, ("pt-csm", "house")),
    Prompt("cards-out-of-play-to-the-rack", "pt.bj.58", RoundPhase.PLAYING, _PT),
    Prompt("only-the-bank-handles-cards", "mo.3.4", RoundPhase.DEALING, _MO),
    Prompt("players-do-not-influence-others", "mo.20.2", RoundPhase.PLAYING, _MO),
    Prompt("mix-in-small-groups-on-the-table", "br.prep.3a", SessionPhase.OPENED, _BR),
    Prompt("open-the-boxes-on-the-table", "br.prep.2a", SessionPhase.OPENED, _BR),
    Prompt("mix-piles-face-up-and-face-down", "br.talha.1", SessionPhase.OPENED, _BR),
    Prompt("nobody-sits-without-playing", "br.players.4a", RoundPhase.BETTING, _BR),
)


def prompts_between(before: State, after: State) -> list[Notice]:
    """The reminders of the steps that have just been reached."""
    reached = [
        now
        for was, now in ((before.house.session, after.house.session), (before.game.phase, after.game.phase))
        if was is not now
    ]
    profile = after.setup.profile
    return [Notice(one.name) for one in PROMPTS if one.at in reached and profile in one.profiles]
