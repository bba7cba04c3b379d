"""The acts of the written scenarios change only those parts of the money that their rows name."""

from controller.core.custody.state import FOREIGN, Card
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.money_at_stake import AT_STAKE, Money, SecondBy
from tests.core.collusion import MAY_CHANGE, changed_parts
from tests.core.collusion_at_cards import money_of
from tests.scenario.reached import done, moments


def test_an_act_changes_of_the_money_what_its_row_says() -> None:
    found = {}
    for one, act in done():
        rule = TABLE.by_act[type(act)]
        if more := changed_parts(money_of(one.before), money_of(one.state)) - MAY_CHANGE[rule.money]:
            found[rule.name] = more
    assert found == {}


def test_a_card_that_lies_otherwise_by_a_persons_word_waits_for_another_person() -> None:
    """At a table that follows bets; a ruling, and the end of an unplayed round, need two people themselves."""
    corrected = 0
    for one in moments():
        act, before, after = one.event, one.before, one.state
        if before.setup.hand_rules is None or not one.is_allowed or _faces(before) == _faces(after):
            continue
        rule = TABLE.by_act[type(act)] if hasattr(act, "role") else None
        if rule is None or AT_STAKE[rule.money].by is not SecondBy.LATER:
            continue
        is_seen = not before.setup.has_reader and getattr(act, "card", None) != FOREIGN
        is_read = rule.money is Money.NAMED and (getattr(act, "salt", None) or is_seen)
        assert is_read or any(who.person == act.person for who in after.game.corrected_by), (rule.name, act)
        corrected += not is_read
    assert corrected > 9


def _faces(state: BlackjackState) -> list[tuple[int, Card | None]]:
    """The faces on the table; of a disbelieved card the first reading, since only an act names it anew."""
    return [(one.seat, (one.doubted or (one.card,))[0]) for one in state.game.dealt]
