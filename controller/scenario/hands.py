"""The words about hands and money: bets, decisions, amounts. A scenario with these words needs `set tracks hands` in
its head.

The word `round` also works without that setting. It then plays no decisions, and the bank takes only its second card.
"""

from fractions import Fraction
from typing import Final

from controller.core.choices import BankSecond, PutBack
from controller.core.custody.state import BANK
from controller.core.games.blackjack.decisions.turns import DrawCard, Stand
from controller.core.games.blackjack.hands import Brings, decider, shown, total_of
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import refused
from controller.core.money import in_units
from controller.core.words import Person, RoundPhase
from controller.scenario.house_words import Fact, Found, same
from controller.scenario.people import PEOPLE
from controller.scenario.player import Player
from controller.scenario.shorthand import Step, Words, must
from controller.scenario.slots import Kind, Slot
from controller.scenario.steps import announced, bank_turned, card_out, collect, deal, hit, put_back

# --- steps


def _hand(word: str) -> dict[str, str]:
    """Returns the values that name the hand `word` in an act: seat 3 and hand 2 for "3/2", only seat 3 for "3"."""
    seat, _, index = word.partition("/")
    return {"seat": seat} | ({"hand": index} if index else {})


def _bettor(words: Words) -> dict[str, str]:
    return {"bettor": words[0]} if words else {}


def _bet(player: Player, words: Words) -> None:
    must(player, "dealer", "place-bet", seat=words[0], amount=words[1], **_bettor(words[2:]))


def _side_bet(player: Player, words: Words) -> None:
    values = {"seat": words[0], "bet": words[1], "amount": words[2]}
    must(player, "dealer", "place-side-bet", **values, **_bettor(words[3:]))


def _decided(player: Player, act: str, **values: str) -> None:
    announced(player)
    must(player, "dealer", act, **values)


def _insure(player: Player, words: Words) -> None:
    _decided(player, "insure", seat=words[0], amount=words[1], **_bettor(words[2:]))


def _whole_place(act: str) -> Step[Player]:
    """Returns a step for a decision that is possible only on the first hand of a seat. Its act names the seat and no
    hand.
    """
    return Step((_SEAT,), lambda player, words: _decided(player, act, seat=words[0]))


def _decision(act: str) -> Step[Player]:
    return Step((_HAND,), lambda player, words: _decided(player, act, **_hand(words[0])))


def _double(player: Player, words: Words) -> None:
    _decided(player, "double-down", **_hand(words[0]))
    card_out(player, words[1:])


_MOST_STEPS: Final = 200
"""The most hands and cards that `players-done` plays in one round; a later step is refused."""


def _done(player: Player, _words: Words) -> None:
    """Plays all players' hands to their end. Each player draws cards until the rules let the player stand, and then
    stands.
    """
    announced(player)
    number, role = PEOPLE["dealer"]
    for _ in range(_MOST_STEPS):
        if player.state.table is None or (turn := player.state.table.turn) is None:
            return
        at, dealer = turn.id, Person(number)
        may_stand = refused(TABLE, player.state, Stand(dealer, role, at.seat, at.index)) is None
        if may_stand or refused(TABLE, player.state, DrawCard(dealer, role, at.seat, at.index)) is not None:
            must(player, "dealer", "stand", seat=str(at.seat), hand=str(at.index))
        else:
            hit(player, (shown(at),))


def _bank_plays(player: Player, words: Words) -> None:
    """Plays all players' hands to their end, turns the bank's card, and draws for the bank as long as it must draw.
    `words`: the cards that the bank draws, in order.
    """
    _done(player, ())
    bank_turned(player)
    left = list(words)
    number, role = PEOPLE["dealer"]
    while refused(TABLE, player.state, DrawCard(Person(number), role, BANK)) is None:
        hit(player, ("bank", *left[:1]))
        left = left[1:]


def _round(player: Player, words: Words) -> None:
    deal(player, words)
    if player.state.table is not None:
        _bank_plays(player, ())
    elif player.state.setup.procedure.bank_second_card is BankSecond.AFTER_PLAYERS:
        hit(player, ("bank",))
    collect(player, ())
    if player.state.setup.procedure.put_back is PutBack.AFTER_EACH_ROUND:
        put_back(player, ())


_HAND: Final = Slot(Kind.HAND)
_BETTOR: Final = Slot(Kind.NUMBER, 0)
_SEAT: Final = Slot(Kind.SEAT)
_AMOUNT: Final = Slot(Kind.AMOUNT)

STEPS: Final[dict[str, Step[Player]]] = {
    "bet": Step((_SEAT, _AMOUNT, _BETTOR), _bet),
    "side-bet": Step((_SEAT, Slot(Kind.SIDE_BET), _AMOUNT, _BETTOR), _side_bet),
    "insure": Step((_SEAT, _AMOUNT, _BETTOR), _insure),
    "even-money": _whole_place("take-even-money"),
    "surrender": _whole_place("surrender"),
    "stand": _decision("stand"),
    "split": _decision("split-pair"),
    "double": Step((_HAND, Slot(Kind.CARD, 0)), _double),
    "five-cards": _decision("claim-five-cards"),
    "players-done": Step((), _done),
    "round": Step((Slot(Kind.SEAT, 1, 9),), _round),
    "bank-plays": Step((Slot(Kind.CARD, 0, 10),), _bank_plays),
}


# --- facts


def brought(state: BlackjackState) -> tuple[Brings, ...]:
    """Returns the results of the stakes that are due at once while a round is bet on, dealt or played. At other times
    returns the results of the last round.
    """
    is_open = state.game.phase in {RoundPhase.BETTING, RoundPhase.DEALING, RoundPhase.PLAYING}
    return state.at_once() if is_open else state.takings.last


def _plain(word: str) -> str:
    """Converts an amount as a scenario writes it into the form in which the table shows amounts."""
    return in_units(Fraction(word) * 100)


def _net(player: Player, words: Words) -> Found:
    found = in_units(total_of(brought(player.state), seat=int(words[0])))
    return Found(found == _plain(words[1]), found)


def _bettor_net(player: Player, words: Words) -> Found:
    found = in_units(total_of(brought(player.state), bettor=int(words[0])))
    return Found(found == _plain(words[1]), found)


def _house(player: Player, words: Words) -> Found:
    found = in_units(-total_of(brought(player.state)))
    return Found(found == _plain(words[0]), found)


def _house_total(player: Player, words: Words) -> Found:
    bank = player.state.takings.bank
    found = in_units(Fraction(bank.pays, bank.of))
    return Found(found == _plain(words[0]), found)


def _pays(player: Player, words: Words) -> Found:
    meant = [one for one in brought(player.state) if shown(one.hand) == words[0]]
    found = [(one.amount.payment.value, in_units(one.amount.exact)) for one in meant]
    return Found((words[1], _plain(words[2])) in found, " ".join(" ".join(one) for one in found) or "-")


def _flagged(player: Player, words: Words) -> Found:
    found = [one.amount.flag for one in brought(player.state) if one.hand.seat == int(words[0])]
    return Found(any(found), "-")


def _not_flagged(player: Player, words: Words) -> Found:
    return Found(not _flagged(player, words).ok, "flagged")


def _turn(state: BlackjackState) -> str:
    table = state.table
    if table is None or state.game.phase is not RoundPhase.PLAYING:
        return "-"
    return "bank" if table.turn is None else shown(table.turn.id)


def _hands(player: Player, words: Words) -> Found:
    found = 0 if player.state.table is None else len(player.state.table.at(int(words[0])))
    return Found(str(found) == words[1], str(found))


def _bet_on(player: Player, words: Words) -> Found:
    laid = [one.bets for one in player.state.game.stakes.places if one.seat == int(words[0])]
    found = in_units(Fraction(sum(one.amount for bets in laid for one in bets))).lstrip("+")
    return Found(found == _plain(words[1]).lstrip("+"), found)


def _decides(player: Player, words: Words) -> Found:
    table, places = player.state.table, player.state.game.stakes.places
    of_seat = next((place for place in places if str(place.seat) == words[0]), None)
    if table is None or of_seat is None:
        return Found(ok=False, instead="-")
    hands, laid = table.at(of_seat.seat), decider(of_seat, table.rules)
    found = str(hands[0].holder) if hands else "-" if laid is None else str(laid.number)
    return Found(found == words[1], found)


_SIGNED: Final = Slot(Kind.SIGNED)

FACTS: Final[dict[str, Fact[Player]]] = {
    "turn": Fact((Slot(Kind.TURN),), same(_turn)),
    "hands": Fact((_SEAT, Slot(Kind.NUMBER)), _hands),
    "bet-on": Fact((_SEAT, _AMOUNT), _bet_on),
    "decides": Fact((_SEAT, Slot(Kind.NUMBER)), _decides),
    "net": Fact((_SEAT, _SIGNED), _net),
    "bettor-net": Fact((Slot(Kind.NUMBER), _SIGNED), _bettor_net),
    "house": Fact((_SIGNED,), _house),
    "house-total": Fact((_SIGNED,), _house_total),
    "pays": Fact((_HAND, Slot(Kind.PAYMENT), _SIGNED), _pays),
    "flagged": Fact((_SEAT,), _flagged),
    "not-flagged": Fact((_SEAT,), _not_flagged),
}
