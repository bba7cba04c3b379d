"""The buttons of the procedure as a table of rows. The page shows at most MOST of them. The controller decides.

A row is offered if the status lists its first act as possible now and its `when` is true. A press asks for all acts of
the row at once, or opens a sheet that asks for the first act's values (`asks`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from msgspec import Struct

from controller.panel import cloth
from controller.panel.hold_offers import agreements, of_the_hold
from controller.panel.lanes import gives_way, lane_of, placed, placed_in_hold, weighted, with_room
from controller.panel.loading import begin_watched, begins_watched, has_nobody_watching, is_to_be_watched, watching
from controller.panel.moment import Moment
from controller.panel.offer import CORRECTED, HELD_MS, Lane, Offer, Size, Step, Values
from controller.panel.stakes import (
    amounts,
    bet_offers,
    bet_steps,
    decisions,
    decisions_beside,
    in_units,
    markers,
    to_the_rack,
)

When: TypeAlias = Callable[[Moment], bool]
Make: TypeAlias = Callable[[Moment], tuple[Step, ...]]
Shows: TypeAlias = Callable[[Moment], Values]


def _always(_moment: Moment) -> bool:
    return True


def _nothing(_moment: Moment) -> Values:
    return {}


def _to_be_paid(moment: Moment) -> Values:
    return {f"{one.hand} {one.bettor} {one.payment}": one.decided or one.amount for one in moment.amounts}


def _differences(moment: Moment) -> Values:
    return {f"{one.seat}/{one.hand} {one.player}": one.amount for one in moment.status.differences}


def _last_card(moment: Moment) -> Values:
    """Returns the number of cards on the table. A press of a button with this number is void after the next card."""
    return {"table": str(moment.count("table"))}


class Row(Struct, frozen=True):
    """One row of the table of buttons. `acts`: the acts of the row's button, in order. `make`: returns the acts with
    values; None for acts without values. `asks`: a sheet asks for the first act's values. `role`: the only role that
    may press; "" for the roles that the status names. `shows`: returns further values that the page shows with the
    button.
    """

    name: str
    acts: tuple[str, ...]
    when: When = _always
    make: Make | None = None
    asks: bool = False
    size: Size = Size.MAIN
    role: str = ""
    shows: Shows = _nothing


def _bets(moment: Moment) -> tuple[Step, ...]:
    seats = ",".join(map(str, moment.bets))
    return (("take-bets", {"seats": seats}), ("announce-no-more-bets", {}))


def _hand_bets(moment: Moment) -> tuple[Step, ...]:
    return (*bet_steps(moment), ("announce-no-more-bets", {}))


def _hand_bets_again(moment: Moment) -> tuple[Step, ...]:
    """Returns the acts that lay the last round's bets again. Only a separate press then ends the bets."""
    return bet_steps(moment, again=True)


def _are_bets_taken(moment: Moment) -> bool:
    """True if the table has all bets that the page shows, so that a person may now close them."""
    return moment.status.round == "betting" and not moment.has_other_bets and moment.may("announce-no-more-bets")


def _lies_there_or_is_wanted(moment: Moment) -> bool:
    return moment.may_lay and any(moment.stakes.values())


def _is_kept(moment: Moment) -> bool:
    return moment.may_lay and any(moment.kept.values())


def _is_untouched(moment: Moment) -> bool:
    return _is_kept(moment) and not moment.stakes


def _is_touched(moment: Moment) -> bool:
    return _is_kept(moment) and bool(moment.stakes)


def _is_all_taken_back(moment: Moment) -> bool:
    """True if bets lie on the table, and a person has taken each of them back on the page: no act has entered that."""
    return moment.may_lay and not any(moment.stakes.values()) and not _is_kept(moment) and bool(bet_steps(moment))


def _shown_next(moment: Moment) -> tuple[Step, ...]:
    """Returns the act that turns the first face-down card of a player."""
    card = next((one for one in moment.status.face_down if one.seat), None)
    known = {} if card is None else {"seat": str(card.seat), "position": str(card.position)}
    return (("turn-card", known),)


def _nameless(moment: Moment) -> tuple[Step, ...]:
    """Returns the act that states the face of the first open card with an unknown face. The act's sheet asks for the
    face.
    """
    seat, position = moment.nameless or (0, 0)
    return (("state-card", {"seat": str(seat) if seat else "bank", "position": str(position)}),)


def _raised_as_due(moment: Moment) -> tuple[Step, ...]:
    """Returns the act that raises the jackpot by the increment due. The list of acts offers every other amount."""
    jackpot = moment.status.jackpot
    return (("raise-jackpot", {"amount": in_units(jackpot.increment_cents if jackpot is not None else 0)}),)


def _sit_unknown(moment: Moment) -> bool:
    """True until a person has stated the occupied seats. Afterwards only the list of acts offers to state them."""
    shoe = moment.status.shoe
    return moment.status.session == "mixed" and (shoe is None or shoe.players is None)


def _warning_card_waits(moment: Moment) -> bool:
    """True until the warning card is placed. Afterwards only the list of acts offers to place it."""
    shoe = moment.status.shoe
    return shoe is None or shoe.warning_card != "placed"


def _misdealt(_moment: Moment) -> tuple[Step, ...]:
    return (("report-misdealt", {"seen": "yes"}),)


def _here(operation: str, *sessions: str) -> Row:
    """Returns the row of a button with which the watching supervisor confirms that he is still present."""
    return Row(
        "i-am-here",
        ("sign-in",),
        lambda moment: moment.status.session in sessions and moment.is_present(operation),
        watching(operation),
        size=Size.SECOND,
        role="chief_supervisor",
    )


ROWS: Final = (
    # opening
    Row("open-session", ("open-session",)),
    Row("number-deck-set", ("number-deck-set",), lambda moment: not moment.status.figures.deck_set, asks=True),
    Row("confirm-display", ("confirm-display",)),
    Row(
        "renumber-deck-set", ("number-deck-set",), lambda m: m.status.figures.deck_set > 0, asks=True, size=Size.SECOND
    ),
    Row("confirm-count", ("confirm-count",), asks=True),
    Row("shuffle-deck", ("shuffle-deck",), asks=True),
    Row("confirm-mixing", ("confirm-mixing",)),
    Row("state-players", ("state-players",), _sit_unknown, asks=True),
    Row("confirm-cut", ("confirm-cut",), asks=True),
    Row("refuse-cut", ("refuse-cut",), asks=True, size=Size.SECOND),
    Row(
        "place-warning-card",
        ("place-warning-card",),
        _warning_card_waits,
        lambda _moment: (("place-warning-card", {}),),
    ),
    Row("fill-shoe", ("fill-shoe",)),
    Row("begin-loading", ("begin-loading",)),
    Row("begin-watched", ("sign-in",), begins_watched, begin_watched, role="chief_supervisor"),
    Row("watch-loading", ("sign-in",), is_to_be_watched, watching("loading"), role="chief_supervisor"),
    Row("last-packet", ("close-packet", "complete-loading"), lambda moment: moment.is_all_loaded),
    Row("next-packet", ("close-packet", "open-packet"), lambda moment: moment.is_packet_followed),
    Row("close-packet", ("close-packet",), lambda m: m.is_packet_followed, size=Size.SECOND),
    Row("close-packet", ("close-packet",), lambda m: not m.is_all_loaded and not m.is_packet_followed),
    Row("complete-loading", ("complete-loading",)),
    Row("open-packet", ("open-packet",), lambda moment: moment.count("outside") > 0),
    Row("confirm-taken-out", ("confirm-taken-out",)),
    _here("loading", "mixed", "loading", "taking-out"),
    # a round
    Row("confirm-card-dealt", ("confirm-card-dealt",)),
    Row("announce-last-round", ("announce-last-round",)),
    Row("same-seats", ("take-bets", "announce-no-more-bets"), lambda m: m.may_bet and m.are_bets_kept, _bets),
    Row(
        "no-more-bets",
        ("take-bets", "announce-no-more-bets"),
        lambda m: m.may_bet and bool(m.bets) and not m.are_bets_kept and not _are_bets_taken(m),
        _bets,
    ),
    Row("bet-back", ("withdraw-bet",), _is_all_taken_back, bet_steps),
    Row("same-bets", ("place-bet",), _is_untouched, _hand_bets_again),
    Row("rest-as-before", ("place-bet",), _is_touched, _hand_bets_again),
    Row(
        "without-the-rest",
        ("place-bet", "announce-no-more-bets"),
        lambda m: _is_kept(m) and _lies_there_or_is_wanted(m),
        _hand_bets,
        size=Size.SECOND,
    ),
    Row(
        "bets-laid",
        ("place-bet", "announce-no-more-bets"),
        lambda m: _lies_there_or_is_wanted(m) and not _is_kept(m),
        _hand_bets,
    ),
    Row("announce-no-more-bets", ("announce-no-more-bets",), lambda m: not m.has_other_bets and not m.may_lay),
    Row("collect-jackpot-bets", ("collect-jackpot-bets",), make=lambda _moment: (("collect-jackpot-bets", {}),)),
    Row("raise-jackpot", ("raise-jackpot",), lambda moment: moment.is_sign_to_be_raised, _raised_as_due),
    Row("confirm-differences", ("confirm-differences",), shows=_differences),
    Row("turn-hole-card", ("turn-hole-card",), lambda m: m.status.money is None or (m.turn == "bank" and not _pays(m))),
    Row("turn-card", ("turn-card",), lambda moment: moment.is_to_show and moment.has_reader, _shown_next),
    Row(
        "turn-card", ("turn-card",), lambda moment: moment.is_to_show and not moment.has_reader, _shown_next, asks=True
    ),
    Row("state-card", ("state-card",), lambda moment: moment.nameless is not None, _nameless, asks=True),
    Row("settled-collected", ("confirm-settled", "collect-cards"), lambda m: m.is_to_settle, shows=_to_be_paid),
    Row("collect-cards", ("collect-cards",)),
    Row("correct-entry", ("correct-entry",), lambda moment: moment.is_to_be_put_right, asks=True),
    Row("begin-putting-back", ("begin-putting-back",)),
    Row(
        "record-complaint",
        ("record-complaint",),
        lambda moment: moment.status.round in {"settled", "collected"},
        asks=True,
        size=Size.SECOND,
    ),
    Row("end-putting-back", ("end-putting-back",), lambda m: m.status.round == "putting-back", size=Size.SECOND),
    Row(
        "not-this-seat",
        ("report-misdealt",),
        lambda moment: moment.is_last_face_up,
        _misdealt,
        size=Size.SECOND,
        shows=_last_card,
    ),
    Row("leave-in-rack", ("leave-in-rack",), size=Size.SECOND),
    Row("gather-cards", ("gather-cards",), size=Size.SECOND),
    # a spin
    Row("announce-number", ("announce-number",), cloth.tells_number, cloth.number),
    Row("announce-number", ("announce-number",), lambda moment: not cloth.tells_number(moment), asks=True),
    Row("announce-nothing-more", ("announce-nothing-more",)),
    Row("pay-prizes", ("pay-prizes",), cloth.has_prizes, cloth.prizes),
    Row("confirm-payments", ("confirm-payments",)),
    Row("put-ball-back", ("put-ball-back",), make=cloth.last_number),
    Row("change-ball", ("change-ball",), cloth.ball_is_due),
    Row("launch-ball", ("launch-ball",), make=cloth.launch),
    Row("declare-null-spin", ("declare-null-spin",), size=Size.SECOND),
    Row("give-colour", ("give-colour",), asks=True, size=Size.SECOND),
    # closing
    Row(
        "watch-unloading",
        ("sign-in",),
        has_nobody_watching("unloading", "closing", "unloading", "checking"),
        watching("unloading"),
        role="chief_supervisor",
    ),
    Row("begin-unloading", ("begin-unloading",)),
    Row("complete-unloading", ("complete-unloading",)),
    Row("confirm-deck-check", ("confirm-deck-check",)),
    Row("enter-grid", ("enter-grid",), lambda moment: not moment.may("confirm-deck-check"), asks=True),
    Row("correct-grid", ("enter-grid",), lambda m: m.may("confirm-deck-check"), asks=True, size=Size.SECOND),
    _here("unloading", "closing", "unloading", "checking"),
)
"""The rows in the order of a table's day; the page shows the first MOST rows that fit the moment at its bottom."""

MOST: Final = 3
PAYS_PRIZE: Final = frozenset({"pay-jackpot", "pay-jackpot-by-hand"})
"""The acts that pay a prize: while one is possible and no player's hand is in turn, the page has no button of a row."""


def offers(moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons at the bottom: those of a hold that stops the play or pays a prize, otherwise those of the
    procedure. The decisions of the player's hand in turn come first, even before a prize. Returns () while the
    controller is away.
    """
    if not moment.is_live:
        return ()
    of_hold = (*agreements(moment), *_not_asked_yet(of_the_hold(moment), moment))
    if of_hold and moment.is_stopped:
        return placed_in_hold(of_hold, moment)
    if any(one.act in PAYS_PRIZE or one.name in PAYS_PRIZE for one in of_hold) and not moment.is_hands_turn:
        return with_room(placed(of_hold, moment))
    decided = decisions(moment) if moment.is_hands_turn else placed(decisions(moment), moment)
    return (*decided, *with_room(_at_the_bottom(moment)))


def _at_the_bottom(moment: Moment) -> tuple[Offer, ...]:
    """Returns the procedure's buttons that belong at the bottom, each with its place."""
    chosen = amounts(moment) if _pays(moment) and not moment.may(CORRECTED) else ()
    own = weighted(placed((*_own(moment), *chosen), moment))
    return tuple(one for one in own if _is_at_the_bottom(one, moment))


def _own(moment: Moment) -> tuple[Offer, ...]:
    own = (*of_the_hold(moment), *_of_corrections(moment), *_of_rows(moment))
    return (*agreements(moment), *_not_asked_yet(own, moment))


def _not_asked_yet(found: Iterable[Offer], moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons but those whose act waits for a second person: he has a button of his own."""
    asked = [(one.act, one.values) for one in moment.status.waiting]
    prizes = PAYS_PRIZE.intersection(act for act, _values in asked)
    return tuple(one for one in found if one.asks not in prizes and not any(step in asked for step in one.steps))


def _of_corrections(moment: Moment) -> tuple[Offer, ...]:
    """Returns the button with which a second person agrees with the round's corrections, or () without corrections.

    Hands that are out, surrenders, prizes and the settlement wait for this agreement. The button never comes and goes
    with the cards, so no other act takes its place.
    """
    who = moment.who_may(CORRECTED)
    return (Offer(CORRECTED, who, ((CORRECTED, {}),), hold_ms=HELD_MS[CORRECTED]),) if who else ()


def beside(moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons in the middle of the page: bets at the chosen seat, decisions of other hands, bets at a
    wheel.

    Buttons without a place at the bottom are there, too. Decisions are left out if the next step pays the amounts.
    Returns () while a hold stops the play or the controller is away.
    """
    if not moment.is_live or moment.is_stopped:
        return ()
    below = {one.name for one in offers(moment)}
    above = (one for one in _own(moment) if not _is_at_the_bottom(one, moment) or gives_way(one))
    displaced = (one for one in above if one.name not in below)
    decided = () if _pays(moment) else decisions_beside(moment)
    at_seats = (*bet_offers(moment), *decided, *cloth.cloth(moment), *cloth.values_seen(moment))
    return (*displaced, *at_seats)


def _pays(moment: Moment) -> bool:
    """True if no hand is left to play and no card to deal: the next step pays the amounts."""
    return not moment.is_hands_turn and moment.is_to_settle


def pressable(moment: Moment) -> tuple[Offer, ...]:
    """Returns every button of the page, except the buttons of `_seats_draw`."""
    at_seats = () if moment.is_stopped else (*to_the_rack(moment), *markers(moment))
    return (*offers(moment), *beside(moment), *at_seats)


def is_pressed_in_the_middle(moment: Moment) -> bool:
    """True if the page has a button above its bottom that records something."""
    return {one.name for one in pressable(moment)} > {one.name for one in offers(moment)} or any(_seats_draw(moment))


def offer_of(moment: Moment, name: str) -> Offer | None:
    """Returns the button called `name`. Returns None if the page does not have the button now."""
    return next((one for one in (*pressable(moment), *_seats_draw(moment)) if one.name == name), None)


def _seats_draw(moment: Moment) -> Iterator[Offer]:
    """Yields the buttons with which a seat or the bank draws a card, at a table that does not follow hands."""
    who = moment.who_may("draw-card") if moment.status.money is None else ()
    for seat in ("bank", *map(str, range(1, moment.status.figures.seats + 1))) if who else ():
        yield Offer(f"draw-{seat}", who, (("draw-card", {"seat": seat}),), act="draw-card")


def _of_rows(moment: Moment) -> tuple[Offer, ...]:
    return tuple(offer for row in ROWS if (offer := _offered(row, moment)) is not None)[:MOST]


BESIDE_DECISIONS: Final = frozenset({Lane.FOURTH, Lane.FIFTH, Lane.AGREE, Lane.SIDE})


def _is_at_the_bottom(offer: Offer, moment: Moment) -> bool:
    """True if the button belongs at the bottom of the page. During a player's hand only a few places there are free.

    The agreement with corrections belongs there only at the settlement. Earlier, a button of the bank's turn is there.
    """
    if offer.name == CORRECTED and not moment.is_to_settle:
        return False
    return not moment.is_hands_turn or lane_of(offer, moment) in BESIDE_DECISIONS


def _offered(row: Row, moment: Moment) -> Offer | None:
    who = (row.role,) if row.role else moment.who_may(row.acts[0])
    if not who or not row.when(moment):
        return None
    steps = row.make(moment) if row.make else tuple((act, {}) for act in row.acts)
    shows, held_ms = row.shows(moment), HELD_MS.get(row.acts[0], 0)
    if row.asks:
        return Offer(row.name, who, (), row.acts[0], row.size, held_ms, known=dict(steps[0][1]), shows=shows)
    return Offer(row.name, who, steps, "", row.size, held_ms, shows=shows)
