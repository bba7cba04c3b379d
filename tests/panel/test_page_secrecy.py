"""A browser gets the same pages from two simulated tables that differ only in a face-down card, signed in or not."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
import pytest

import controller.games.table_status
from controller.catalogue import Language
from controller.core.custody.state import DECK, Dealt
from controller.panel.browsers import Browser, View
from controller.panel.history import History
from controller.panel.moment import Moment
from controller.panel.pages import Pages
from controller.panel.settings import PanelSettings
from controller.panel.watch import Seen
from controller.protocol.status import HandStatus, JournalStatus, Status
from simulators.world.pairs import Pair, Sort, played_pair
from simulators.world.plan import WorldPlan
from simulators.world.world import World
from tests.world.test_secrecy_pairs import secretive

SETTINGS: Final = PanelSettings(Path("no-socket"), "127.0.0.1", 0, None, (), "7in", tuple(Language), "EUR")
SECRET: Final = [("pt-csm", Sort.HOLE), ("mo-csm", Sort.PLAYERS)]
MOST_PAGES: Final = 60
"""The number of pages compared in each world: the last ones before the card is turned, when the table is full."""


UNMARKED: Final = JournalStatus()
"""Replaces the journal's head and its code on the pages, which differ rightly: they cover the card's commitment."""


def pair(profile: str, sort: Sort) -> Pair:
    found = played_pair(WorldPlan(1, 2, decks=1, profile=profile, procedure=secretive(profile)), sort)
    assert found.other is not None
    assert found.turned_s is not None
    return found


def looks(world: World, until_s: float) -> list[tuple[Status, tuple[HandStatus, ...]]]:
    """The panel's views before the card was turned: each status, and the hands for a signed-in person."""
    status, found = Status(), []
    for output in world.outputs.kept:
        if output.time_s >= until_s:
            break
        if output.channel == "status":
            status = msgspec.structs.replace(msgspec.json.decode(output.data, type=Status), journal=UNMARKED)
        elif output.channel == "hands":
            found.append((status, tuple(msgspec.json.decode(output.data, type=list[HandStatus]))))
    return found[-MOST_PAGES:]


def pages(world: World, until_s: float) -> Iterator[str]:
    """The pages of a browser without a sign-in, and of one with a dealer's."""
    made = Pages(SETTINGS, History())
    for status, faces in looks(world, until_s):
        seen = Seen(1, status, is_live=True)
        for view in (View.TABLE, View.CHIEF, View.RECORD):
            for roles, shown in ((frozenset[str](), ()), (frozenset({"dealer"}), faces)):
                moment = Moment(status, True, tuple(status.seats), roles, faces=shown)
                yield made.main(view, Browser(Language.EN), seen, moment, 1.0)


def differing(found: Pair) -> int:
    """The number of pages that differ between the two worlds."""
    assert found.other is not None
    until_s = found.turned_s or 0.0
    one, other = list(pages(found.one, until_s)), list(pages(found.other, until_s))
    assert len(one) == len(other) > 0
    return sum(first != second for first, second in zip(one, other, strict=True))


@pytest.mark.parametrize(("profile", "sort"), SECRET)
@pytest.mark.slow
def test_no_page_tells_a_card_that_lies_face_down(profile: str, sort: Sort) -> None:
    """No page differs between two tables that differ in a face-down card (pt.bj.17b, mo.5.2.1.1)."""
    found = pair(profile, sort)
    assert differing(found) == 0
    assert any("card back" in page for page in pages(found.one, found.turned_s or 0.0))
    assert any(re.search('class="card [shdc]"', page) for page in pages(found.one, found.turned_s or 0.0))


@pytest.mark.slow
def test_a_page_that_tells_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted page draws a face from the card's commitment, as if the commitment had been opened."""

    def face(dealt: Dealt) -> str:
        return dealt.card or DECK[int((dealt.commitment or "0")[:4], 16) % len(DECK)]

    monkeypatch.setattr(controller.games.table_status, "_card", face)
    assert differing(pair("pt-csm", Sort.HOLE)) > 0
