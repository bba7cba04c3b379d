"""The form of a ruling: the table accepts all that the form lets a supervisor give, in the deal, in play and
afterwards.
"""

from collections.abc import Iterator

import pytest

from controller.catalogue import Language
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted_act
from controller.daemon.speaker import Speaker
from controller.panel.browsers import Browser
from controller.panel.complete import is_complete
from controller.panel.forms import asked_values, filled, pick
from controller.protocol.lines import ActDocument
from controller.runtime.game import game_of
from controller.scenario.player import Player
from tests.panel.dealt import Dealt

CARDS = ["8S", "6C", "8H", "5D", "9C", "3S", "2S", "KD", "KS"]
JUDGES = {"table_inspector": "inspector", "chief_supervisor": "chief"}


def moments_of(profile: str) -> Iterator[tuple[str, Player]]:
    """A round of two seats: yields its step and the table at each moment at which a dispute may come up."""
    dealt = Dealt(profile, minimum_bet="10", maximum_bet="200")
    dealt.lays_back, dealt.waits = False, True
    for seat in ("2", "4"):
        assert dealt.ask("place-bet", {"seat": seat, "amount": "10"}) == ""
    assert dealt.ask("announce-no-more-bets", {}) == ""
    dealt.cards = list(CARDS)
    while dealt.status.round == "dealing":
        dealt.fact()
        yield dealt.status.round, dealt.player
    dealt.waits = False
    for act, values in (("draw-card", {"seat": "2"}), ("stand", {"seat": "2"}), ("draw-card", {"seat": "4"})):
        dealt.ask(act, values)
        yield dealt.status.round, dealt.player
    dealt.ask("stand", {"seat": "4"})
    dealt.ask("turn-hole-card", {})
    while dealt.ask("confirm-settled", {}):
        assert dealt.ask("draw-card", {"seat": "bank"}) == ""
    yield dealt.status.round, dealt.player


def ruling(table: Player) -> ActDocument:
    game = game_of(table.state.setup.profile)
    rule = TABLE.act_named["make-ruling"].act
    return Speaker(game, Language.EN).acts(table.state, [permitted_act(game.registry, table.state, rule)], None)[0]


def forms(act: ActDocument) -> Iterator[tuple[Browser, str]]:
    """Each form that touches can fill in: an outcome alone, with each seat that the form then offers, and with each of
    that seat's hands.
    """
    outcomes = next(one for one in act.values if one.name == "outcome").choices
    for outcome in outcomes:
        browser = Browser(Language.EN, act=act)
        pick(browser, act, "pick", f"outcome={outcome.value}")
        seats = [one for value in asked_values(browser, act) if value.name == "seat" for one in value.choices]
        for seat in ("", *(one.value for one in seats)):
            with_seat = Browser(Language.EN, act=act, picked=browser.picked | ({"seat": seat} if seat else {}))
            hands = [one for value in asked_values(with_seat, act) if value.name == "hand" for one in value.choices]
            for hand in ("", *(one.value for one in hands)):
                picked = with_seat.picked | ({"hand": hand} if hand else {})
                yield Browser(Language.EN, act=act, picked=picked), outcome.who[0]


@pytest.mark.parametrize("profile", ["pt-csm", "mo-shoe", "br"])
def test_no_ruling_that_the_form_lets_through_is_refused_after_the_pin(profile: str) -> None:
    """A seat beside any outcome but a discarded card was refused once the PIN had been typed."""
    seen: set[tuple[str, str, bool]] = set()
    for step, table in moments_of(profile):
        disputed = table.copied()
        disputed.act("dealer", "call-for-ruling", {"cause": "dispute"})
        act = ruling(disputed)
        for browser, role in forms(act):
            values = filled(browser, act)
            judged = disputed.copied()
            judged.act(JUDGES[role], "make-ruling", values)
            assert is_complete(browser, act) is (judged.refusal is None), (step, values, judged.refusal)
            seen.add((step, values["outcome"], "seat" in values))
    assert {
        ("dealing", "round-void", False),
        ("playing", "card-discarded", True),
        ("settled", "continue", False),
    } < seen
    assert not [one for one in seen if one[2] and one[1] not in {"card-discarded", "turn-given-back"}]


def test_a_seat_touched_for_another_outcome_is_not_sent() -> None:
    *_, (_step, table) = [one for one in moments_of("pt-csm") if one[0] == "playing"]
    table.act("dealer", "call-for-ruling", {"cause": "dispute"})
    act = ruling(table)
    browser = Browser(Language.EN, act=act)
    for touched in ("outcome=card-discarded", "seat=4", "outcome=continue"):
        pick(browser, act, "pick", touched)
    assert filled(browser, act) == {"outcome": "continue"}
    assert [one.name for one in asked_values(browser, act)] == ["outcome"]


def test_the_ruling_names_the_hand_of_a_separated_pair_that_loses_its_card() -> None:
    """The last card of the other hand was taken instead, as no value named the hand."""
    dealt = Dealt("pt-csm", minimum_bet="10", maximum_bet="200")
    for seat in ("2", "4"):
        assert dealt.ask("place-bet", {"seat": seat, "amount": "10"}) == ""
    dealt.cards = ["8S", "6C", "9C", "8H", "9D", "7C", "5S", "6H"]
    hand = {"seat": "2", "hand": "2"}
    acts = ("announce-no-more-bets", {}), ("split-pair", {"seat": "2"}), ("draw-card", {"seat": "2"})
    for name, values in (*acts, ("stand", {"seat": "2"}), ("draw-card", hand)):
        assert dealt.ask(name, values) == "", name
    disputed = dealt.player.copied()
    disputed.act("dealer", "call-for-ruling", {"cause": "dispute"})
    act, left = ruling(disputed), {}
    for browser, role in forms(act):
        values, judged = filled(browser, act), disputed.copied()
        judged.act(JUDGES[role], "make-ruling", values)
        assert is_complete(browser, act) is (judged.refusal is None), (values, judged.refusal)
        if values["outcome"] == "card-discarded" and "seat" in values:
            judged.act("dealer", "make-ruling", values)
            cards = tuple(one.card for one in judged.state.game.dealt if one.seat == 2)
            left[values["seat"], values.get("hand", "")] = cards
    assert left == {("2", ""): ("8S", "8H", "6H"), ("2", "2"): ("8S", "8H", "5S")}
