"""Among its connections the panel always keeps a place for the table's screen, and nearly always one for another
address.
"""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.catalogue import Language
from controller.machine.places import OWN_SCREEN, Caller, Places, caller_of
from controller.panel.browsers import MOST_BROWSERS, MOST_BROWSERS_OF_AN_ADDRESS, Browser, Browsers, Stream, View
from controller.protocol.lines import TABLE_SCREEN, ScreenName

MOST, KEPT, OF_ONE = 512, 64, 64


def stranger(number: int) -> Caller:
    return Caller(f"10.0.{number // 256}.{number % 256}", is_own=False)


def taken(places: Places, caller: Caller, tries: int = MOST + 1) -> int:
    return sum(places.take(caller) for _ in range(tries))


def test_one_address_takes_its_share_and_this_computer_what_is_left() -> None:
    places = Places(MOST, KEPT, OF_ONE)
    assert taken(places, stranger(1)) == OF_ONE
    assert taken(places, OWN_SCREEN) == MOST - OF_ONE
    assert not places.take(stranger(2))
    places.give_back(OWN_SCREEN)
    places.give_back(OWN_SCREEN)
    assert places.take(stranger(2))


def test_an_address_has_at_most_half_as_many_as_are_free() -> None:
    places = Places(30, 0, 30)
    assert [taken(places, stranger(number)) for number in range(3)] == [10, 7, 4]


@pytest.mark.parametrize("addresses", [1, 7, 40, 200])
def test_however_many_addresses_take_what_they_can_another_one_and_the_table_find_a_place(addresses: int) -> None:
    places = Places(MOST, KEPT, OF_ONE)
    for _ in range(MOST):
        for number in range(addresses):
            places.take(stranger(number))
    assert places.take(stranger(addresses))
    assert taken(places, OWN_SCREEN) >= KEPT


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=200))
def test_what_was_given_back_is_free_and_there_are_never_more_than_the_most(steps: list[tuple[int, bool]]) -> None:
    places, held = Places(24, 6, 6), list[Caller]()
    for number, comes in steps:
        caller = OWN_SCREEN if number == 0 else stranger(number)
        if comes and places.take(caller):
            held.append(caller)
        elif not comes and caller in held:
            held.remove(caller)
            places.give_back(caller)
        assert len(held) <= 24
        assert sum(not one.is_own for one in held) <= 24 - 6
    for caller in held:
        places.give_back(caller)
    assert taken(places, stranger(1)) == 6
    assert taken(places, OWN_SCREEN) == 24 - 6


@pytest.mark.parametrize(
    ("there", "here", "address", "is_own"),
    [
        ("127.0.0.1", "127.0.0.1", "127.0.0.1", True),
        ("::1", "::1", "::/64", True),
        ("10.1.2.3", "10.1.2.3", "10.1.2.3", True),
        ("127.0.0.2", "127.0.0.1", "127.0.0.2", False),
        ("10.1.2.4", "10.1.2.3", "10.1.2.4", False),
        ("::ffff:10.1.2.4", "::ffff:10.1.2.3", "10.1.2.4", False),
        ("2001:db8:1:2:aaaa::7", "2001:db8:1:2::1", "2001:db8:1:2::/64", False),
        ("fe80::7%eth0", "fe80::1%eth0", "fe80::/64", False),
    ],
)
def test_an_address_counts_as_what_one_computer_may_have(there: str, here: str, address: str, is_own: bool) -> None:
    caller = caller_of(there, here)
    assert caller == Caller(address, is_own=is_own)
    name = Browser(Language.EN, caller).terminal
    (meta,) = ScreenName.__metadata__
    assert meta.pattern is not None
    assert re.fullmatch(meta.pattern, name)
    assert (name == TABLE_SCREEN) is is_own


def test_a_browser_makes_room_of_its_own_address_first_and_the_table_s_for_nobody_else() -> None:
    browsers = Browsers()
    own_cookie, own = browsers.new(Language.EN, OWN_SCREEN)
    open_cookie, with_page = browsers.new(Language.EN, stranger(0))
    with_page.streams.append(Stream(View.TABLE))
    idle_cookie, _idle = browsers.new(Language.EN, stranger(0))
    for _ in range(MOST_BROWSERS_OF_AN_ADDRESS):
        browsers.new(Language.EN, stranger(1))
    assert browsers.find(idle_cookie, stranger(0))
    assert len(browsers.all()) == 3 + MOST_BROWSERS_OF_AN_ADDRESS
    browsers.new(Language.EN, stranger(1))
    assert len(browsers.all()) == 3 + MOST_BROWSERS_OF_AN_ADDRESS
    for number in range(2, 2 + MOST_BROWSERS):
        browsers.new(Language.EN, stranger(number))
    assert len(browsers.all()) == 1 + MOST_BROWSERS
    assert browsers.find(own_cookie, OWN_SCREEN) is own
    assert browsers.find(open_cookie, stranger(0)) is with_page
    assert browsers.find(idle_cookie, stranger(0)) is None
