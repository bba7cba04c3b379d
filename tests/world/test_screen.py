"""The screen's words for people in the world are those of the status document."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.core.games.blackjack.table import ACTS
from controller.core.words import Role
from controller.screen.status import StatusMaker
from simulators.people.status import TableStatus, read_status
from simulators.world import card_host
from simulators.world.card_game import run_world
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.plan import WorldPlan
from simulators.world.screen import Screen, ScreenMaker

READ = [name for name in TableStatus.__struct_fields__ if name not in {"holds", "next", "devices", "state_digest"}]
KINDS = frozenset((K.JAM_AT_MOUTH, K.DISK_SLOW, K.DISK_FULL, K.PROCESS_KILLED, K.LID_OPENED))

SAYS_NOTHING = "end-putting-back"  # between rounds it is allowed, and no document offers it


@pytest.mark.parametrize("profile", ["pt-csm", "pt-shoe", "br"])
@pytest.mark.slow
def test_every_look_agrees_with_the_document(monkeypatch: pytest.MonkeyPatch, profile: str) -> None:
    looks: list[str] = []

    class Comparing(ScreenMaker):
        def look(self) -> Screen:
            shown = super().look()
            maker = StatusMaker(self.runtime, Language.EN)
            document = read_status(msgspec.json.encode(maker.status(0.0, [])))
            assert [getattr(shown, name) for name in READ] == [getattr(document, name) for name in READ]
            held = [replace(hold, plan=[]) for hold in document.holds]
            assert list(shown.holds) == held
            assert [shown.plan(hold) for hold in held] == [document.plan(hold) for hold in document.holds]
            assert list(shown.decisions) == list(document.decisions)
            if len(looks) % 50 == 0:
                offered = [(act, role) for act in ACTS if act != SAYS_NOTHING for role in Role]
                assert [shown.allows(*one) for one in offered] == [document.allows(*one) for one in offered]
            looks.append(shown.session)
            return shown

    monkeypatch.setattr(card_host, "ScreenMaker", Comparing)
    assert run_world(WorldPlan(1, 4, KINDS, decks=2, profile=profile)).violations == ()
    assert len(looks) > 200
