"""Every page of every state of the table is made, in every language, with what stands in the catalogue."""

import re
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.core.table import ACT_RULES
from controller.core.words import HoldKind, HoldPhase, RoundPhase, SessionPhase
from controller.panel.browsers import Browser, View
from controller.panel.moment import Moment
from controller.panel.pages import Pages
from controller.panel.settings import PanelSettings
from controller.panel.watch import Seen
from controller.protocol.status import (
    DeviceStatus,
    FiguresStatus,
    HandStatus,
    HoldStatus,
    LoadingStatus,
    NextStatus,
    NoticeStatus,
    OwedStatus,
    PresentStatus,
    Status,
    StepState,
    StepStatus,
)

SETTINGS = PanelSettings(Path("no-socket"), "127.0.0.1", 0, None, (), "7in", tuple(Language))
PAGES = Pages(SETTINGS)
FACES = [HandStatus(0, ["AS", None]), HandStatus(2, ["10H", "", "FOREIGN"])]


def page(status: Status, view: View, language: Language, *, is_live: bool = True) -> str:
    browser = Browser(language)
    seen = Seen(1, status, is_live=is_live, lost_at=1.0, heard_at=2.0)
    moment = Moment(status, is_live, (2, 4), frozenset({"dealer"}), faces=tuple(FACES))
    return PAGES.main(view, browser, seen, moment, 3.0)


def table(session: str, round_: str, **changes: object) -> Status:
    """A table with something of everything."""
    fields: dict[str, object] = {
        "session": session,
        "round": round_,
        "simulated": True,
        "counts": dict.fromkeys(("outside", "inside", "rack", "table", "jammed", "total"), 3),
        "figures": FiguresStatus(seats=7, decks=6, found=[6] * 52 if session == "checking" else []),
        "hands": [HandStatus(hand.seat, [None] * len(hand.cards)) for hand in FACES],
        "present": [PresentStatus(21, "chief_supervisor", "loading", until=9000)],
        "loading": LoadingStatus([100, 12], packet_open=True),
        "devices": {"shuffler": DeviceStatus(connected=True), "shoe": DeviceStatus(trouble="silent", quality="good")},
        "notices": [NoticeStatus(1, "Heard.")],
        "next": [NextStatus(rule.name, [role.value for role in rule.who]) for rule in ACT_RULES],
    }
    return Status(**(fields | changes))


STATES = [
    *[(session.value, "idle") for session in SessionPhase if session is not SessionPhase.IN_PLAY],
    *[("in-play", round_.value) for round_ in RoundPhase],
]


@pytest.mark.parametrize(("session", "round_"), STATES)
@pytest.mark.parametrize("language", Language)
def test_every_state_has_its_pages(session: str, round_: str, language: Language) -> None:
    for view in View:
        for owed in (None, OwedStatus("seat", 2), OwedStatus("hole", 0), OwedStatus("burn", None)):
            assert whole(page(table(session, round_, owed=owed), view, language))
        assert whole(page(table(session, round_), view, language, is_live=False))


@pytest.mark.parametrize("kind", HoldKind)
@pytest.mark.parametrize("language", Language)
def test_every_hold_has_its_page(kind: HoldKind, language: Language) -> None:
    steps = [StepStatus(state.value, "Do it.", state, ["dealer"]) for state in StepState]
    for phase in HoldPhase:
        where = {"device": "shuffler", "place": "at the feed", "place_code": "feed"}
        hold = HoldStatus("H1", kind.value, phase.value, plan=steps, who=["dealer"], times=2, **where)
        for view in View:
            assert whole(page(table("in-play", "playing", holds=[hold, hold]), view, language))


def whole(text: str) -> bool:
    """Nothing of a template or of a sentence was left unfilled."""
    return re.search(r"\{[a-z_:]+\}|\{\{|None\b", text) is None
