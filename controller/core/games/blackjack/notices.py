"""What people hear of a round: corrections, rulings, stakes that go back, amounts that are due."""

from fractions import Fraction
from typing import Final

from controller.core.custody.game import seats_in_play
from controller.core.custody.state import Ruling
from controller.core.custody.turning import players_cards_face_down
from controller.core.engine.decision import Notice, Values
from controller.core.games.blackjack.hands import Brings, in_units, shown
from controller.core.games.blackjack.money import rule_of
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import RoundPhase

SHOWING: Final = "who-goes-beyond-21-shows-his-cards"
"""Reminders of this game: they hang on a card, not on a step alone."""


def of_corrections(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """A card's attribution was corrected; an incident was decided, and by whom."""
    made = _made(before, after)
    rulings = [Notice("ruling-made", (("outcome", made.outcome.value), ("role", made.role.value)))] if made else []
    corrected = after.house.tally.corrections > before.house.tally.corrections
    seats = _stakes_back(before, after) if after.house.tally.voided > before.house.tally.voided else ()
    stakes = [Notice("stakes-go-back", (("seats", " ".join(map(str, seats))),))] if seats else []
    return [*([Notice("card-corrected")] if corrected else []), *rulings, *stakes]


def _stakes_back(before: BlackjackState, after: BlackjackState) -> tuple[int, ...]:
    """As was ruled; else those of the hands that were not settled and collected yet (br.dev.3b)."""
    made = _made(before, after)
    return made.stakes_back if made else seats_in_play(before)


def _made(before: BlackjackState, after: BlackjackState) -> Ruling | None:
    return after.game.last_ruling if after.game.last_ruling is not before.game.last_ruling else None


def of_covered_hands(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """A hand that nobody has seen has got a further card: only its player knows whether he must show it (mo.6.2)."""
    if len(after.game.dealt) <= len(before.game.dealt):
        return []
    seat, is_further = after.game.dealt[-1].seat, before.game.phase is RoundPhase.PLAYING
    if not is_further or all(one.seat != seat for one in players_cards_face_down(after)):
        return []
    return [Notice(SHOWING, (("seat", str(seat)),))]


def of_money(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Amounts that are due since, each with its hand and its reason; the settlement tells those that are left."""
    known = _due(before)
    new = [one for one in _due(after) if one not in known]
    return [Notice(_key(one), _told(one), rule_of(one.amount.payment)) for one in new]


def _key(one: Brings) -> str:
    if one.paid is not None:
        return "amount-decided"
    return "amount" if one.amount.flag is None else "amount-unpayable"


def _due(state: BlackjackState) -> tuple[Brings, ...]:
    if state.table is None or state.game.phase is RoundPhase.IDLE:
        return ()
    if state.game.phase is RoundPhase.PLAYING:
        return state.table.amounts(settled=False)
    return state.takings.last if state.game.phase is RoundPhase.SETTLED else ()


def _told(one: Brings) -> Values:
    """An amount explains itself: which hand, why, of what stake, by which rate; its rule has the clause."""
    amount = one.amount
    return (
        ("hand", shown(one.hand)),
        ("player", str(one.bettor)),
        ("payment", amount.payment.value),
        ("amount", in_units(amount.exact)),
        ("stake", in_units(Fraction(amount.stake)).lstrip("+")),
        ("rate", f"{amount.rate.pays}:{amount.rate.of}"),
        ("paid", in_units(one.brought).lstrip("+-")),
    )
