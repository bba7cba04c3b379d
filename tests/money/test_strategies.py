"""The value of fixed strategies by the core's functions, beside exact sums of ours and figures that others published.

Published figures, each for the best play. The strategies here fall short of it by a few hundredths of a per cent at
most:

- Wizard of Odds, Ask the Wizard 294 (the German rules, which are Brazil's: six decks, soft 17 stands, no second card of
  the bank, doubles on 9 to 11 and after a split, any pair again up to four hands, no surrender, a continuous shuffler):
  0.55 per cent for the house.
- The same with a surrender against a ten: 0.24 per cent less (Wizard of Odds, Blackjack in Macau; Blackjack Review,
  rule variations); that is Portugal's and the leaflet's game without the special prize.
- Wizard of Odds, Blackjack in Macau: 0.16 per cent (six decks, any two cards doubled, up to four hands, early surrender
  but against an ace; doubles and splits lose no more than the first stake to a blackjack), 0.08 less where aces may be
  separated again, and 0.11 more (Wizard of Odds, rule variations) where a bank without second card takes all stakes:
  0.19 for the house without the special prize and the five cards.

Our own figures come from a million rounds of six decks as the profile deals them, without the special prizes. With
their standard errors they are: Brazil 0.63 +- 0.11 per cent, Portugal 0.37 +- 0.11. One processor plays some 40,000
rounds a second: ten million rounds of a law take five minutes or less, all rounds of a night half an hour to an hour.
"""

from dataclasses import replace
from random import Random
from typing import Final

import pytest
from msgspec import structs

from controller.config.profile import CARD_PROFILES
from controller.config.profile_file import law
from controller.core.choices import Machine
from controller.core.hand_rules import Rate
from tests.money.exact import GAMES, Worth
from tests.money.kit import RULES
from tests.money.odds.loop import STAKE, Players, Tally
from tests.money.odds.shoes import DealtShoe, EndlessShoe, MixedShoe, Shoe
from tests.money.odds.strategy import STRATEGIES, Strategy
from tests.night import IS_NIGHT

ROUNDS: Final = 10**7 if IS_NIGHT else 10**5
DECKS: Final = 6

OF_LAW: Final = {"pt": "pt-csm", "house": "house", "mo": "mo-shoe", "br": "br"}

PUBLISHED: Final = {"pt": -0.0031, "house": -0.0031, "mo": -0.0019, "br": -0.0055}
"""The player's published result by law, as a part of an initial bet; without special prizes and five cards."""

SHORT_OF_BEST: Final = 0.0004
"""The allowed difference of strategies by totals alone, and of rounded figures."""


def chance(name: str) -> Random:
    """Returns a random generator of this name, which gives the same rounds each time."""
    return Random(name)  # noqa: S311


def player(profile: str, strategy: Strategy, shoe: Shoe) -> Players:
    return Players(RULES[profile], strategy, shoe, law(profile).procedure.bank_second_card)


def shoe_of(profile: str, rng: Random) -> Shoe:
    """Returns six decks as the profile deals them, or one deck in a box."""
    its = law(profile)
    if its.procedure.machine is not Machine.SHOE:  # the box is mixed for each round, as in a shuffler
        return MixedShoe(rng, DECKS if its.procedure.machine is Machine.SHUFFLER else 1)
    return DealtShoe(rng, DECKS, behind=its.procedure.warning_card_behind, burnt=its.figures.burn_cards)


def assert_near(tally: Tally, expected: float, beside: float = 0.0) -> None:
    """Checks that the tally is within four standard errors, and `beside`, of the expected figure.

    `beside`: the error of the expected figure itself.
    """
    assert abs(tally.mean - expected) < 4 * tally.standard_error + beside, (
        f"{tally.mean:.5%} +- {tally.standard_error:.5%} of {tally.rounds} rounds, expected {expected:.5%}"
    )


@pytest.mark.timeout(3_600)
@pytest.mark.drawn(1)
@pytest.mark.parametrize("name", GAMES)
def test_rounds_without_end_are_worth_what_the_sums_say(name: str) -> None:
    strategy, rng = STRATEGIES[name], chance(f"{name} endless")
    tally = player(OF_LAW[name], strategy, EndlessShoe(rng)).play(ROUNDS)
    assert_near(tally, Worth(GAMES[name], strategy).of_a_round())


@pytest.mark.timeout(3_600)
@pytest.mark.skipif(not IS_NIGHT, reason="ten million rounds of each law: by night")
@pytest.mark.parametrize("name", PUBLISHED)
def test_rounds_of_six_decks_are_worth_what_is_published(name: str) -> None:
    strategy = without_five(STRATEGIES[name])
    tally = player(OF_LAW[name], strategy, shoe_of(OF_LAW[name], chance(f"{name} six decks"))).play(ROUNDS)
    without_prizes = Tally(tally.rounds, tally.won - tally.prizes, tally.squares)
    assert_near(without_prizes, PUBLISHED[name], SHORT_OF_BEST)


def without_five(strategy: Strategy) -> Strategy:
    """Returns the strategy of a player who never claims five cards, and is otherwise the same."""
    return replace(strategy, five_cards_text="")


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_sums_without_prizes_are_near_what_is_published(name: str) -> None:
    """An endless shoe costs the player some hundredths of a per cent more than six decks."""
    worth = Worth(replace(GAMES[name], prize=0), without_five(STRATEGIES[name])).of_a_round()
    assert PUBLISHED[name] - 0.0012 < worth < PUBLISHED[name]


@pytest.mark.parametrize("profile", CARD_PROFILES)
def test_a_few_rounds_of_every_profile(profile: str) -> None:
    """No wish of a strategy of its law is refused, and no amount is left to people."""
    name = law(profile).jurisdiction
    tally = player(profile, STRATEGIES[name], shoe_of(profile, chance(profile))).play(500)
    assert tally.rounds == 500
    assert abs(tally.won) < 500 * STAKE


def test_a_wrong_payment_is_found() -> None:
    rules = RULES["br"]
    wrong = structs.replace(rules, figures=structs.replace(rules.figures, blackjack_pays=Rate(11)))
    seen = Players(wrong, STRATEGIES["br"], EndlessShoe(chance("wrong")), law("br").procedure.bank_second_card)
    with pytest.raises(AssertionError, match="expected"):
        assert_near(seen.play(10_000), Worth(GAMES["br"], STRATEGIES["br"]).of_a_round())
