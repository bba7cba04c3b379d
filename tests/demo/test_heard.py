"""A trainee's acts beside the wishes of the players at his practice table."""

import io
from collections.abc import Mapping

import pytest

from simulators.demo.heard import Heard
from simulators.demo.talk import Talk
from simulators.oracles.export_entries import Entry, Refusal
from simulators.people.doing import Ask

TRAINEE, OTHER = 12, 11
ROUND = (1, 4)
BETS = (
    Ask("place-bet", {"seat": "1", "amount": "10"}),
    Ask("place-bet", {"seat": "3", "bettor": "10", "amount": "7.50"}),
)


def entry(act: str, person: int = TRAINEE, refusal: Refusal | None = None, **values: object) -> Entry:
    body: Mapping[str, object] = {"person": person, "role": "dealer", **values}
    return Entry(1, 1, 0, 0, False, 0, act, body, None, refusal, "")


def practice(language: str = "en_GB") -> tuple[Heard, io.StringIO]:
    written = io.StringIO()
    return Heard(Talk(written, {"LANG": f"{language}.UTF-8"}), TRAINEE), written


def test_all_bets_of_a_round_are_told_at_once_and_once() -> None:
    heard, written = practice("pt_PT")
    for _ in range(3):
        heard.bets(ROUND, BETS)
    assert written.getvalue().splitlines() == [
        "O jogador do lugar 1 aposta 10.",
        "O jogador 10 aposta 7.50 no lugar 3; o jogador sentado concorda.",
    ]
    heard.bets((1, 5), BETS[:1])
    assert len(written.getvalue().splitlines()) == 3


def test_a_card_that_only_the_simulation_sees_is_told() -> None:
    heard, written = practice()
    heard.tell(Ask("state-card", {"seat": "0", "position": "1", "card": "9H"}))
    heard.tell(Ask("turn-card", {"seat": "bank"}))
    assert written.getvalue().splitlines()[0] == "The card on the table is 9H (bank): name it at the page."
    assert "Next, at the page" in written.getvalue()


@pytest.mark.parametrize(
    ("laid", "missed"),
    [
        ({(1, None): 1000, (3, 10): 750}, 0),
        ({(1, None): 1000, (3, None): 750}, 2),
        ({(1, None): 2000, (3, 10): 750}, 1),
        ({(3, 10): 750}, 1),
        ({(1, None): 1000, (3, 10): 750, (7, None): 1000}, 1),
    ],
    ids=("as wanted", "of another player", "another amount", "one forgotten", "one that nobody wanted"),
)
def test_bets_are_compared_once_no_more_are_taken(laid: dict[tuple[int, int | None], int], missed: int) -> None:
    heard, written = practice()
    heard.bets(ROUND, BETS)
    heard.look([entry("place-bet", seat=1, bettor=None, amount=5000), entry("withdraw-bet", seat=1, bettor=None)])
    heard.look([entry("place-bet", seat=seat, bettor=bettor, amount=cents) for (seat, bettor), cents in laid.items()])
    assert heard.missed == 0
    heard.look([entry("announce-no-more-bets")])
    assert (heard.missed, written.getvalue().count("The player wanted something else: the bet of player")) == (
        missed,
    ) * 2


@pytest.mark.parametrize(
    ("wish", "did", "missed"),
    [
        (Ask("stand", {"seat": "3"}), entry("stand", seat=3), 0),
        (Ask("stand", {"seat": "3"}), entry("draw-card", seat=3), 1),
        (Ask("stand", {"seat": "3"}), entry("stand", seat=4), 1),
        (Ask("stand", {"seat": "3"}), entry("draw-card", OTHER, seat=3), 0),
        (Ask("stand", {"seat": "3"}), entry("insure", refusal=Refusal("late", None, "r"), seat=3), 0),
        (Ask("draw-card", {"seat": "bank"}), entry("draw-card", seat=0), 0),
        (Ask("confirm-settled"), entry("stand", seat=3), 0),
        (
            Ask("place-chips", {"player": "2", "bet": "red", "chips": "3"}),
            entry("place-chips", player=2, bet="red", chips=3),
            0,
        ),
        (
            Ask("place-chips", {"player": "2", "bet": "red", "chips": "3"}),
            entry("place-chips", player=2, bet="red", chips=1),
            1,
        ),
        (Ask("give-colour", {"player": "2", "colour": "red"}), entry("give-colour", player=2, colour="blue"), 1),
    ],
)
def test_a_decision_that_no_player_wanted_is_counted(wish: Ask, did: Entry, missed: int) -> None:
    heard, written = practice()
    heard.wish(wish)
    heard.look([did])
    assert heard.missed == missed
    assert bool(written.getvalue()) == bool(missed)
    heard.look([did])
    assert heard.missed == missed, "the next wish is not heard yet"


def test_only_a_dealer_who_is_no_chief_waits_for_the_chief() -> None:
    for is_chief, told in ((False, 1), (True, 0)):
        written = io.StringIO()
        Heard(Talk(written, {"LANG": "en_GB.UTF-8"}), TRAINEE, is_chief=is_chief).tell_hold()
        assert written.getvalue().count("The table stands still") == told
