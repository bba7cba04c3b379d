"""A table's registry is total: each act, fact and timer has exactly one row."""

import dataclasses
from importlib import import_module
from inspect import isfunction, signature
from pkgutil import walk_packages
from types import ModuleType

import pytest

import controller.core
from controller.config.profile import PROFILES, GameName
from controller.config.profile_file import law
from controller.core.engine.act import Act, Fact
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.plain_session import EndSession
from controller.core.house.registry import TwiceDeclaredError
from controller.core.words import Role, Timer
from tests.core.table import SETUP


def structs(module: object, base: type) -> set[type]:
    found = (one for one in vars(module).values() if isinstance(one, type))
    return {one for one in found if issubclass(one, base) and one is not base}


def files_of_core() -> list[ModuleType]:
    return [import_module(one.name) for one in walk_packages(controller.core.__path__, "controller.core.")]


def declared(base: type, but: str = "") -> set[type]:
    """Returns every act, or every fact, that a file of the core declares, without base classes."""
    files = [file for file in files_of_core() if not but or but not in file.__name__]
    found = {one for file in files for one in structs(file, base)}
    return {one for one in found if not one.__name__.startswith("_") and not one.__subclasses__()}


def test_each_act_fact_and_timer_has_its_row() -> None:
    assert set(TABLE.by_act) == declared(Act, but="roulette") - {EndSession}  # acts of a table without cards
    assert set(TABLE.by_fact) >= declared(Fact, but="roulette")
    assert {*TABLE.by_act, *ROULETTE.by_act} == declared(Act)
    assert {*TABLE.by_fact, *ROULETTE.by_fact} == declared(Fact)
    timers = {one.timer for one in (*TABLE.deadlines, *ROULETTE.deadlines)}
    assert sorted(timers) == sorted(Timer)


def test_whatever_tells_people_of_a_change_is_asked() -> None:
    telling = {
        one
        for file in files_of_core()
        for name, one in vars(file).items()
        if name.startswith("of_") and isfunction(one) and [*signature(one).parameters] == ["before", "after"]
    }
    assert telling == {row.asked for row in (*TABLE.tells, *ROULETTE.tells)}


@pytest.mark.parametrize("rows", ["acts", "facts", "deadlines"])
def test_a_row_that_stands_twice_makes_no_registry(rows: str) -> None:
    once = getattr(TABLE, rows)
    with pytest.raises(TwiceDeclaredError):
        dataclasses.replace(TABLE, **{rows: (*once, once[0])})


def test_an_act_and_a_fact_of_one_name_make_no_registry() -> None:
    act = dataclasses.replace(TABLE.acts[0], name=TABLE.facts[0].name)
    with pytest.raises(TwiceDeclaredError):
        dataclasses.replace(TABLE, acts=(act, *TABLE.acts[1:]))


@pytest.mark.parametrize("profile", PROFILES)
def test_each_act_has_a_role_that_may_do_it(profile: str) -> None:
    own = law(profile)
    setup = replace(SETUP, profile=profile, procedure=own.procedure, parameters=own.figures)
    table = ROULETTE if own.game is GameName.ROULETTE else TABLE
    assert [rule.name for rule in table.acts if not set(rule.who_in(setup)) & set(Role)] == []
