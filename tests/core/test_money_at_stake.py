"""Money and the second person: each act's row names its effect on money, and two accomplices cannot do more.

SECOND.md is made from the same rows. A row that names no money cannot be made.
"""

from functools import partial
from itertools import combinations

import pytest

from controller.core.engine.act import Act
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import AT_STAKE, Agrees, Money, SecondBy, Shows
from controller.core.house.rule import DEALER, SUPERVISORS, ActRule, SecondPerson, SecondPersonError, unchanged
from controller.core.house.second_person import asked_first, is_second
from controller.core.house.undoing import AGAIN
from controller.core.words import Person, Role, TableMs
from controller.runtime.answers import Failed, Trouble
from controller.runtime.gate import Asked, BadValues
from controller.scenario.table import make_table
from tests.core.collusion import MAY_CHANGE, PLAYER, Table
from tests.core.collusion_at_a_wheel import wheel_table
from tests.core.collusion_at_cards import card_table
from tests.night import examples
from tests.pages import second
from tests.runtime.test_gate import PINS, Door

RULES = {rule.name: rule for rule in (*TABLE.acts, *ROULETTE.acts)}
GANGS = list(combinations(("dealer", "chief", "inspector", PLAYER), 2))
STEPS = 90


class Nothing(Act, frozen=True):
    """An act of this test."""


def test_the_words_of_the_page_are_those_of_the_table() -> None:
    assert AT_STAKE.keys() == MAY_CHANGE.keys() == set(Money)
    assert second.MEANS.keys() == set(Money) - {Money.NONE}
    assert second.AGREE.keys() == set(Agrees)
    assert second.WHERE.keys() == set(Shows)
    assert {rule.money for rule in RULES.values()} == set(Money)


@pytest.mark.parametrize("money", Money)
def test_a_row_names_a_second_person_where_its_money_asks_for_one_and_nowhere_else(money: Money) -> None:
    person = SecondPerson(SUPERVISORS, "payment", lambda _state, _act: True)
    row = partial(ActRule, "nothing", Nothing, DEALER, unchanged, undone=AGAIN, money=money, manner=Manner.DOES)
    is_asked = AT_STAKE[money].by is SecondBy.ROW
    for named in (person, None):
        if (named is not None) is is_asked:
            row(second=named)
        else:
            with pytest.raises(SecondPersonError):
                row(second=named)


def test_a_row_that_does_not_say_what_its_person_does_cannot_be_made() -> None:
    row = partial(ActRule, "nothing", Nothing, DEALER, unchanged, undone=AGAIN, money=Money.NONE)
    assert row(manner=Manner.ATTESTS).manner is Manner.ATTESTS
    with pytest.raises(TypeError, match="manner"):
        row()


def test_whoever_gives_a_second_half_attests() -> None:
    assert {rule.manner for rule in RULES.values()} == set(Manner)
    assert {rule.manner for rule in RULES.values() if rule.own_pin} == {Manner.ATTESTS}


def test_the_second_half_of_an_act_for_two_takes_the_pin_of_its_person() -> None:
    """The first half may be any signed-in person's; where both are the same act, each takes the PIN."""
    halves = {rule.name for rule in RULES.values() if AT_STAKE[rule.money].by is SecondBy.OTHER_HALF}
    assert {name for name in halves if not RULES[name].own_pin} == {"state-outage", "propose-irregular-closing"}
    assert RULES["agree-corrections"].own_pin


@pytest.mark.parametrize("name", [rule.name for rule in RULES.values() if rule.second is not None])
def test_the_second_person_is_another_one_of_a_post_that_the_row_names(name: str) -> None:
    """The first person cannot be the second one in another post, and other values make another act."""
    rule, first = RULES[name], Person(1)
    values = [field for field in rule.act.__struct_fields__ if field not in {"person", "role"}]

    def asks(person: int, role: Role, value: str = "") -> Act:
        return rule.act(Person(person), role, **dict.fromkeys(values, value))

    setup = make_table("pt-csm" if name in TABLE.act_named else "pt-roulette", []).setup
    registry = TABLE if name in TABLE.act_named else ROULETTE
    asked = asked_first(rule, registry.initial(setup), asks(first, rule.who[0]), TableMs(0))
    assert rule.second is not None
    for role in Role:
        is_named = role in rule.second.who or (role in rule.who and rule.who[0] in rule.second.who)
        assert is_second(rule, asked, asks(2, role)) is is_named
        assert not is_second(rule, asked, asks(first, role))
        assert not values or not is_second(rule, asked, asks(2, role, "other"))


@pytest.mark.parametrize("act", RULES)
def test_no_act_is_done_without_its_persons_pin_or_a_screen_that_he_signed_in_at(act: str) -> None:
    """Once, 67 acts of 99 could be done without it, by any process of the group, while a dealer was at the table."""
    door = Door()
    door.ask("sign-in", 11, PINS[11], operation="table")
    if act not in door.bench.runtime.game.registry.act_named:
        return
    for person in (None, 11, 21):
        answer = door.ask(act, person)
        is_kept_out = isinstance(answer, Failed) and answer.trouble in {Trouble.PERSON_MISSING, Trouble.PIN_MISSING}
        assert is_kept_out or isinstance(answer, BadValues)
    if RULES[act].own_pin:
        door.tickets += 1
        door.bench.gate.ask(door.tickets, Asked(act, 11, None, {}, vouched=RULES[act].who[0]), door.bench.now_s)
        assert door.answer(door.tickets) == Failed(Trouble.PIN_MISSING)


@pytest.mark.drawn(6)
@pytest.mark.parametrize("gang", GANGS, ids="-".join)
@pytest.mark.parametrize("profile", ["pt-csm", "pt-shoe", "mo-csm", "mo-shoe", "br", "house"])
def test_at_cards_two_people_move_no_cent_that_one_of_them_could_not_be_seen_with(
    profile: str, gang: tuple[str, str]
) -> None:
    _tried([card_table(profile, gang, seed) for seed in range(examples(3))])


@pytest.mark.drawn(2)
@pytest.mark.parametrize("wheel", [True, False], ids=["wheel", "by-eye"])
@pytest.mark.parametrize("gang", GANGS, ids="-".join)
def test_at_a_wheel_neither(gang: tuple[str, str], *, wheel: bool) -> None:
    """Without a wheel's line the dealer announces the number before all, so he is among the honest ones."""
    if wheel or "dealer" not in gang:
        _tried([wheel_table(gang, seed, wheel=wheel) for seed in range(examples(6))])  # two people with few acts


def _tried(tables: list[Table]) -> None:
    for table in tables:
        table.play(STEPS)
    assert sum(sum(table.tried.values()) for table in tables) > len(tables), "nothing was tried"


@pytest.mark.slow
def test_two_of_the_house_who_act_together_are_beyond_it() -> None:
    """The trial can find something: with two people's words money does move."""
    tables = [wheel_table(("dealer", "chief"), seed) for seed in range(20)]
    _tried([*tables])
    assert sum(table.moved for table in tables) > 0
