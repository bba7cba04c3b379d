"""Bets and decisions at a table that follows hands: the last stakes, the chips, and a button for each decision."""

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from controller.panel.moment import Moment, Place, turn_of
from controller.panel.offer import SURE_MS, Offer, Size, Step
from controller.protocol.money_status import MoneyStatus, SideStakeStatus
from controller.protocol.status import Status
from controller.protocol.suggestion import Suggestion

Stakes: TypeAlias = Mapping[Place, int]
"""Cents by seat and player, in the order in which the bets lie."""

_UNITS: Final = (1, 5, 10, 25, 50, 100, 500, 1000, 5000, 10_000)
"""Usual values of chips, as multiples of the table's smallest chip or of its currency's unit."""

_MOST_CHIPS: Final = 6
MOST_CENTS: Final = 10**10


def stakes_of(money: MoneyStatus | None) -> dict[Place, int]:
    """Returns the stakes on each seat's first hand, in cents by place, without chips added by a double or a split."""
    found: dict[Place, int] = {}
    for hand in money.hands if money is not None else ():
        seat, _, index = hand.hand.partition("/")
        for bet in hand.bets if not index else ():
            place = int(seat), bet.bettor
            found[place] = found.get(place, 0) + bet.stake_cents
    return found


def last_stakes(status: Status, known: Stakes) -> Stakes:
    """Returns the stakes of the round in play, or between rounds those of the last round with later corrections,
    without the bets of the next round. Returns `known` if the table reports none.
    """
    if status.money is not None and status.money.last is not None:
        return {(one.seat, one.bettor): one.stake_cents for one in status.money.last}
    return known if status.round in {"idle", "betting"} else stakes_of(status.money) or known


def chips(money: MoneyStatus) -> tuple[int, ...]:
    """Returns the chips to tap, in cents: at most _MOST_CHIPS values, from a tenth of the minimum bet to the maximum.
    Each is a multiple of the smallest chip or of the step between bets, whichever is larger.
    """
    limits = money.limits
    unit = min(100, limits.chip_cents)
    known = [unit * value for value in _UNITS] + [limits.minimum_cents]
    wanted = [one for one in known if limits.minimum_cents <= 10 * one and one <= limits.maximum_cents]
    return tuple(sorted({one for one in wanted if one % max(1, limits.chip_cents, limits.step_cents) == 0}))[
        :_MOST_CHIPS
    ]


AGAIN: Final = "again"


def none_of(place: Place) -> str:
    """Returns the name of the chip that removes the stake at `place`. For the seat's own player it is ""."""
    seat, bettor = place
    return "" if bettor == seat else f"none-{bettor}"


def with_chip(stakes: Stakes, kept: Stakes, money: MoneyStatus, seat: int, chip: str) -> dict[Place, int]:
    """Returns the stakes after a touch on `seat`. An unknown chip changes nothing.

    A chip adds its value to the stake of the seat's own player. The chip "" removes that stake, a chip by `none_of`
    removes another player's stake, and AGAIN adds the stakes of the last round.
    """
    if chip == AGAIN:
        return dict(stakes) | {place: cents for place, cents in kept.items() if place[0] == seat}
    taken = next((place for place in ((seat, seat), *stakes) if place[0] == seat and none_of(place) == chip), None)
    if taken is not None:
        return dict(stakes) | {taken: 0}
    worth = int(chip) if chip in map(str, chips(money)) else 0
    laid = stakes.get((seat, seat), 0)
    return dict(stakes) | {(seat, seat): laid + worth if laid + worth <= MOST_CENTS else laid}


def bet_steps(moment: Moment, seat: int | None = None, *, again: bool = False) -> tuple[Step, ...]:
    """Returns the acts that make the bets on the table equal to the tapped bets. `seat`: only the bets at that seat.
    `again`: True if the last round's bets count as tapped at each seat that no person has touched.
    """
    laid = stakes_of(moment.status.money) if moment.status.round == "betting" else {}
    meant_to_lie = {**moment.stakes, **(moment.kept if again else {})}
    wanted = {place: cents for place, cents in meant_to_lie.items() if cents}
    changed = [place for place in {**laid, **wanted} if laid.get(place, 0) != wanted.get(place, 0)]
    meant = [place for place in changed if seat in {None, place[0]}]
    taken = (("withdraw-bet", _place(place)) for place in meant if place not in wanted)
    lower_first = sorted(meant, key=lambda place: wanted.get(place, 0) > laid.get(place, 0))
    lying = (place for place in lower_first if place in laid and place in wanted)
    other = (("change-bet", _bet(place, wanted[place])) for place in lying)
    placed = (("place-bet", _bet(place, wanted[place])) for place in meant if place not in laid)
    return (*taken, *other, *placed)


def is_unsent(moment: Moment, seat: int) -> bool:
    """True if the bets tapped at the seat differ from the bets on the table: no act has entered the tapped bets."""
    return moment.may_lay and bool(bet_steps(moment, seat))


LAID_FIRST: Final = frozenset(
    (
        *("place-bet", "change-bet", "withdraw-bet", "place-side-bet", "withdraw-side-bet", "take-side-bet-down"),
        *("place-jackpot-bet", "withdraw-jackpot-bet", "announce-no-more-bets"),
    )
)
"""The acts about bets: before one of them the tapped bets are entered, also where it comes from the list of acts."""


def laid_before(moment: Moment | None, act: str) -> tuple[Step, ...]:
    """Returns the acts that enter the tapped bets before `act`. Returns () if `act` does not need the bets."""
    return bet_steps(moment) if moment is not None and moment.may_lay and act in LAID_FIRST else ()


def _place(place: Place) -> dict[str, str]:
    seat, bettor = place
    return {"seat": str(seat)} | ({} if bettor == seat else {"bettor": str(bettor)})


def _bet(place: Place, cents: int) -> dict[str, str]:
    """Returns the values of a bet, at another player's seat with the consent that the dealer has heard."""
    consent = {} if place[0] == place[1] else {"consent": "yes"}
    return _place(place) | {"amount": in_units(cents)} | consent


def in_units(cents: int) -> str:
    """Returns an amount in units of the currency, as people say it: "12" or "12.50"."""
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}" if rest else str(whole)


# --- beside the chips, and decisions


def bet_offers(moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons for further bets at the chosen seat: another player's bet, and a side bet of any amount."""
    if moment.seat is None or not moment.may_lay or moment.status.money is None:
        return ()
    known, laid = {"seat": str(moment.seat)}, bet_steps(moment, moment.seat)
    starts = {"place-bet": known | {"bettor": ""}}
    if moment.status.money.side_bets:
        starts["place-side-bet"] = known
    open_now = (act for act in starts if moment.may(act))
    return tuple(Offer(act, moment.who_may(act), laid, act, Size.SECOND, known=starts[act]) for act in open_now)


_CHIP, _BACK, _SIDE = "place-jackpot-bet", "withdraw-jackpot-bet", "place-side-bet"


def markers(moment: Moment, seat: int | None = None) -> tuple[Offer, ...]:
    """Returns the buttons for the jackpot's chip and for side bets, at each seat or at `seat` alone. Returns () if no
    bet may be laid.

    A press first lays the stake that was tapped at the seat. A jackpot's chip on the table can be taken back, even at a
    seat without a tapped bet.
    """
    if not moment.may_lay or not moment.is_live or moment.is_stopped:
        return ()
    seats = range(1, moment.status.figures.seats + 1) if seat is None else (seat,)
    return tuple(one for at in seats for one in (*_chip(moment, at), *_side_bets(moment, at)))


def _chip(moment: Moment, seat: int) -> Iterator[Offer]:
    jackpot, values = moment.status.jackpot, {"seat": str(seat)}
    if jackpot is None:
        return
    if seat in jackpot.chips:
        if moment.may(_BACK):
            yield Offer(f"jackpot-back-{seat}", moment.who_may(_BACK), ((_BACK, values),), act=_BACK)
    elif moment.stake(seat) and moment.may_lay_beside(_CHIP, seat):
        steps = (*bet_steps(moment, seat), (_CHIP, values))
        yield Offer(f"jackpot-{seat}", moment.who_may("place-bet"), steps, act=_CHIP)


def _side_bets(moment: Moment, seat: int) -> Iterator[Offer]:
    """Yields a button for each kind of side bet at the seat: it lays a side bet of the table's minimum, or takes a
    player's side bet back.

    Yields none while a seat is chosen for chips: a button could appear where the finger taps the next chip.
    """
    money = moment.status.money
    if money is None or moment.seat is not None:
        return
    if moment.stake(seat) and moment.may_lay_beside(_SIDE, seat):
        lying = {one.bet for one in money.side if one.seat == seat}
        for bet in (one for one in money.side_bets if one not in lying):
            values = {"seat": str(seat), "bet": bet, "amount": in_units(money.limits.minimum_cents)}
            steps = (*bet_steps(moment, seat), (_SIDE, values))
            yield Offer(f"side-{bet}-{seat}", moment.who_may("place-bet"), steps, act=_SIDE, hand=bet)
    if moment.may(_SIDE_BACK):
        backs = {_back_name(one): one for one in moment.beside(seat)}
        for name, one in backs.items():
            yield Offer(name, moment.who_may(_SIDE_BACK), ((_SIDE_BACK, _side(one)),), act=_SIDE, hand=one.bet)


_SIDE_BACK: Final = "withdraw-side-bet"


def _back_name(one: SideStakeStatus) -> str:
    return f"side-back-{one.bet}-{one.seat}" + ("" if one.bettor == one.seat else f"-{one.bettor}")


def _side(one: SideStakeStatus) -> dict[str, str]:
    return _place((one.seat, one.bettor)) | {"bet": one.bet}


def to_the_rack(moment: Moment) -> tuple[Offer, ...]:
    """Returns a button for each hand that is out (lost, paid or surrendered), to move its cards to the rack.

    The page shows each button at the seat of its hand.
    """
    return tuple(_to_the_rack(moment, hand) for hand in moment.hands_out)


def _to_the_rack(moment: Moment, hand: str) -> Offer:
    seat, _, index = hand.partition("/")
    values = {"seat": seat} | ({"hand": index} if index else {})
    name = "-".join(filter(None, ("collect-hand", seat, index)))
    step: Step = ("collect-hand", values)
    return Offer(name, moment.who_may("collect-hand"), (step,), size=Size.SECOND, act="collect-hand", hand=hand)


def decisions(moment: Moment) -> tuple[Offer, ...]:
    """Returns a button for each kind of decision that the hand in turn has. In the bank's turn, returns the buttons for
    the bank's next card.
    """
    placed: dict[str, Offer] = {}
    for one in _of_turn(moment):
        placed.setdefault(one.act, one)
    return tuple(one for act, one in placed.items() if act in moment.choices)


def amounts(moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons for the first amount that chips cannot pay exactly, one for each permitted substitute.
    Returns () if chips can pay all amounts.
    """

    def whose(one: Offer) -> tuple[str, str]:
        return one.hand, one.known.get("bettor", "")

    found = [one for one in decisions_beside(moment) if one.act == "decide-amount"]
    return tuple(one for one in found if whose(one) == whose(found[0]))


def decisions_beside(moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons of the open decisions that `decisions` omits: decisions of other hands or players, and about
    amounts.
    """
    others = tuple(
        _decision(one, is_of_another=one.act in moment.choices)
        for one in _open(moment)
        if turn_of(one.values) != moment.turn
    )
    placed = {one.name for one in decisions(moment)}
    return (*(one for one in _of_turn(moment) if one.name not in placed), *others)


def _of_turn(moment: Moment) -> tuple[Offer, ...]:
    return tuple(_decision(one) for one in _open(moment) if turn_of(one.values) == moment.turn)


def _open(moment: Moment) -> Iterator[Suggestion]:
    money = moment.status.money
    yield from money.decisions if money is not None and moment.is_live else ()


_HOLD_MS: Final = {"surrender": SURE_MS}
"""The decisions that cannot be taken back (pt.bj.36c)."""


def _decision(one: Suggestion, *, is_of_another: bool = False) -> Offer:
    hand = turn_of(one.values)
    bettor = one.values.get("bettor", "")
    amount = one.values.get("amount", "") if one.act == "decide-amount" else ""
    name = "-".join(filter(None, (one.act, hand.replace("/", "-"), bettor, amount.replace(".", "-"))))
    return Offer(
        name,
        tuple(one.who),
        () if one.asks else ((one.act, one.values),),
        one.act if one.asks else "",
        size=Size.SECOND if is_of_another or one.act == "decide-amount" else Size.MAIN,
        hold_ms=_HOLD_MS.get(one.act, 0),
        known=one.values,
        act=one.act,
        hand=hand,
        amount=one.values.get("amount", ""),
    )
