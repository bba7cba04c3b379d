"""After facts alone, no act's button appears where another act's button was: computed from tables in virtual time."""

from collections.abc import Iterable, Iterator
from itertools import combinations, filterfalse, product
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page

from controller.panel.offers import offers
from tests.panel.followed import ROUNDS, SEEDS, Picture, Pressable, looked_at
from tests.panel.paper import SIZES, is_of

pytestmark = pytest.mark.waits

OVERLAP = 1.0
"""Pixels by which two buttons must overlap to meet: an overlap below one pixel is only a common border."""


class Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return across > OVERLAP and down > OVERLAP


Places = dict[Picture, dict[str, Box]]

MEASURE = """(pages) => pages.map((page) => {
  document.getElementById('main').outerHTML = page;
  document.getElementById('main').querySelectorAll('.fresh').forEach((one) => one.classList.remove('fresh'));
  return [...document.querySelectorAll('button[data-shown]')].map((one) => {
    const box = one.getBoundingClientRect();
    const edge = one.closest('.acts') ? box.bottom : document.getElementById('acts').getBoundingClientRect().top;
    return [one.dataset.press, box.left, box.top, box.right, Math.min(box.bottom, edge)];
  });
})"""


def places(paper: Page, pictures: Iterable[Picture], size: tuple[int, int, str]) -> Places:
    """The place of each recording button in each picture, measured on a screen of this size."""
    known = list(pictures)
    is_of(paper, size)
    measured: list[list[Any]] = paper.evaluate(MEASURE, [one.page for one in known])
    return {
        picture: {str(press).removeprefix("act:"): Box(*box) for press, *box in found}
        for picture, found in zip(known, measured, strict=True)
    }


@pytest.mark.drawn(1)
@pytest.mark.parametrize("size", SIZES, ids="{0[0]}x{0[1]}".format)
def test_no_act_takes_the_place_of_another_without_a_touch(paper: Page, size: tuple[int, int, str]) -> None:
    """The same act for another hand may take the place: its first touch has no effect (test_late_touches.py)."""
    looked = looked_at(SEEDS, ROUNDS)
    pictures, chains = looked.pictures, looked.chains
    follow = {pair for chain in chains for pair in combinations(chain, 2)}
    held = [one for one in pictures if _is_held(one)]
    free = [one for one in pictures if not _is_held(one)]
    follow |= set(product(free, (one for one in held if _is_new(one))))
    assert len(pictures) > LEAST_PICTURES
    assert len(held) > LEAST_HELD
    where = places(paper, pictures, size)
    ended = product(filter(_waits, free), filterfalse(_waits, free))
    meetings = (*_meetings(where, follow), *(pair for pair in _meetings(where, ended) if pair[0].act == AGREES))
    wrong = {f"{other.name} where {one.name} stood" for one, other in meetings}
    assert not wrong, "\n".join(sorted(wrong))


LEAST_PICTURES, LEAST_HELD = 40, 8
AGREES = "agree"


def _waits(picture: Picture) -> bool:
    """True where a request waits for a second person. It may end at any time, and any picture without it may follow."""
    return any(one.act == AGREES for one in picture.buttons)


def _is_held(picture: Picture) -> bool:
    return bool(picture.shape[2])


def _is_new(picture: Picture) -> bool:
    """True where the picture has a button of a hold that no person has taken charge of.

    A hold without a button leaves those of the procedure; so does a watching supervisor's presence.
    """
    hold = picture.moment.hold
    return hold is not None and hold.phase == "raised" and any(one.hold for one in offers(picture.moment))


def _meetings(where: Places, follow: Iterable[tuple[Picture, Picture]]) -> Iterator[tuple[Pressable, Pressable]]:
    """Yields the pairs of a button and another act's button that has come to its place on the next picture."""
    for before, after in follow:
        for one, other in product(before.buttons, after.buttons):
            here, there = where[before].get(one.name), where[after].get(other.name)
            is_by_touch = one.is_held or not other.is_held
            if one.act != other.act and is_by_touch and here is not None and there is not None and here.meets(there):
                yield one, other
