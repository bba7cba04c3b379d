"""Players' colours of chips: given with a value, confirmed, lost, and exchanged (pt.rou.8, 9, 12 to 15)."""

from typing import Any, Final, TypeAlias

from msgspec import UnsetType

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.roulette.limits import value_is_possible, value_is_posted
from controller.core.games.roulette.markers import colours_shown_wrong
from controller.core.games.roulette.stakes import Chips
from controller.core.games.roulette.state import ChipColour, Exchanged, Handed, Player, RouletteState, Worth, with_game
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, PROBE, SUPERVISORS, ActGuard, ActRule, Guard, P, R, S, SecondPerson
from controller.core.house.undoing import AGAIN, BY_ENTRY, by
from controller.core.money import units
from controller.core.words import MOST_PLAYERS, Cents, TableMs


class GiveColour(Act, frozen=True):
    """A player gets the requested colour. `value`: the worth of each of its chips."""

    player: int
    colour: ChipColour
    value: Cents


class ConfirmValue(Act, frozen=True):
    """The player has seen the value of the chips on the display."""

    player: int


class StateWaiting(Act, frozen=True):
    """States the number of players who wait for a colour."""

    players: int


class StateWithoutBet(Act, frozen=True):
    """A player has no bet in the spin. Only for a table that does not track bets."""

    player: int


class ExchangeChips(Act, frozen=True):
    """A player exchanges all chips of the player's colour, each at its value, for chips with face value."""

    player: int
    chips: int


class TakeColourBack(Act, frozen=True):
    """The colour of a player who has left, or has lost the right to it, becomes free. The player's chips were not
    exchanged.
    """

    player: int


OfAPlayer: TypeAlias = ConfirmValue | StateWithoutBet | ExchangeChips | TakeColourBack

# --- guards

PLAYER_HAS_A_NUMBER = ActGuard[RouletteState, Any](
    "player_has_a_number", lambda _state, act: 1 <= act.player <= MOST_PLAYERS
)
PLAYER_HAS_NO_COLOUR = ActGuard[RouletteState, GiveColour](
    "player_has_no_colour", lambda state, act: state.player(act.player) is None
)
COLOUR_IS_FREE = ActGuard[RouletteState, GiveColour](
    "colour_is_free",
    lambda state, act: act.colour in free_colours(state),
    lambda state, _act: (("free", ",".join(free_colours(state))),),
    possible=lambda state: bool(free_colours(state)),
)
VALUE_IS_POSSIBLE = ActGuard[RouletteState, GiveColour](
    "value_is_possible",
    lambda state, act: value_is_possible(act.value, state.rules),
    lambda state, _act: (
        ("minimum", units(state.rules.limits.minimum)),
        ("maximum", units(state.rules.limits.maximum)),
    ),
)
VALUE_IS_POSTED = ActGuard[RouletteState, GiveColour](
    "value_is_posted",
    lambda state, act: value_is_posted(act.value, state.rules),
    lambda state, _act: (
        ("values", ", ".join(units(one) for one in sorted({state.rules.limits.minimum, *state.rules.chip_values}))),
    ),
)
PLAYER_IS_IN_PLAY = ActGuard[RouletteState, OfAPlayer](
    "player_is_in_play",
    lambda state, act: state.player(act.player) is not None,
    possible=lambda state: bool(state.players),
)


DISPLAY_SHOWS_THE_VALUE = ActGuard[RouletteState, Any](
    "display_shows_the_value",
    lambda state, act: (one := state.player(act.player)) is None or one.colour not in colours_shown_wrong(state),
)
VALUE_IS_CONFIRMED = ActGuard[RouletteState, Any](
    "value_is_confirmed",
    lambda state, act: (player := state.player(act.player)) is None or player.is_confirmed,
    possible=lambda state: any(one.is_confirmed for one in state.players),
)
VALUE_IS_NOT_CONFIRMED = ActGuard[RouletteState, ConfirmValue](
    "value_is_not_confirmed",
    lambda state, act: (player := state.player(act.player)) is None or not player.is_confirmed,
    possible=lambda state: not all(one.is_confirmed for one in state.players),
)
NO_CHIPS_LIE = ActGuard[RouletteState, ExchangeChips | TakeColourBack](
    "no_chips_lie",
    lambda state, act: not any((one.player, one.kind) == (act.player, Chips.COLOUR) for one in state.stakes),
)
NO_BETS_LIE = Guard[RouletteState](
    "no_bets_lie",
    lambda state: not state.stakes,
    lambda state: (("players", " ".join(dict.fromkeys(str(one.player) for one in state.stakes))),),
)
NO_PLAYER_IS_IN_PLAY = Guard[RouletteState](
    "no_player_is_in_play",
    lambda state: not state.players,
    lambda state: (("players", " ".join(str(one.number) for one in state.players)),),
)
CHIPS_ARE_COUNTED = ActGuard[RouletteState, Any]("chips_are_counted", lambda _state, act: 0 <= act.chips <= MOST_CHIPS)
WAITING_ARE_COUNTED = ActGuard[RouletteState, StateWaiting](
    "waiting_are_counted", lambda _state, act: 0 <= act.players <= MOST_PLAYERS
)
COLOUR_BELONGS_TO_THE_TABLE = ActGuard[RouletteState, GiveColour](
    "colour_belongs_to_the_table",
    lambda state, act: act.colour in state.colours,
    lambda state, _act: (("colours", ",".join(state.colours)),),
)
BETS_ARE_NOT_FOLLOWED = Guard[RouletteState]("bets_are_not_followed", lambda state: not state.rules.follows_bets)
MOST_CHIPS: Final = 10_000
NOBODYS: Final = 0
"""The player's number for late chips of a colour, which may be anyone's."""


def free_colours(state: RouletteState) -> tuple[ChipColour, ...]:
    held = tuple(one.colour for one in state.players)
    return tuple(one for one in state.colours if one not in held)


# --- effects


def _changed(state: RouletteState, player: Player) -> RouletteState:
    return replace(state, players=tuple(player if one.number == player.number else one for one in state.players))


def _without(state: RouletteState, number: int) -> RouletteState:
    return replace(state, players=tuple(one for one in state.players if one.number != number))


def give_colour(state: RouletteState, act: GiveColour, _at_ms: TableMs) -> RouletteState:
    """Returns the state in which the player has the colour. One player fewer waits for a colour."""
    players = (*state.players, Player(act.player, act.colour, act.value))
    last = state.worth_of(act.colour)
    is_out = last is not None and last.is_out and not giving_takes_two(state, act)  # until two people say otherwise
    state = _worth(state, Worth(act.colour, act.player, act.value, is_out))
    given = () if isinstance(state.given, UnsetType) else state.given
    given = tuple(one for one in ChipColour if one in (*given, act.colour))
    return replace(state, players=players, given=given, waiting=max(0, state.waiting - 1))


def _worth(state: RouletteState, one: Worth) -> RouletteState:
    return replace(state, worth=(*(other for other in state.worths if other.colour is not one.colour), one))


def giving_takes_two(state: RouletteState, act: GiveColour) -> bool:
    """True if a second person must state that no player keeps old chips of the colour.

    Old chips gain value if the new value is higher, or if the last player has left with chips and another player gets
    the colour.
    """
    last = state.worth_of(act.colour)
    return last is not None and (act.value > last.value or (last.is_out and act.player != last.player))


def sees_a_colour(state: RouletteState, act: GiveColour) -> object:
    """Returns the values whose change ends the wait for a second person: the player who has the act's colour, and the
    colour that the act's player has.
    """
    return as_given(state.with_colour(act.colour)), as_given(state.player(act.player))


def sees_a_player(state: RouletteState, act: ExchangeChips) -> object:
    """Returns the values whose change ends the wait for a second person: the player's colour and its value, bets and
    prizes, and exchanged chips.

    If bets are not tracked, any of the player's chips may lie on the cloth, so the spin and its number are among the
    values, too.
    """
    game, settled = state.game, state.game.settled
    bets = [one for one in state.stakes if one.player == act.player]
    prizes = [] if settled is None else [one for one in settled.prizes if one.player == act.player]
    spin = None if state.rules.follows_bets else (game.number, game.result)
    return as_given(state.player(act.player)), bets, prizes, handed(state, act.player), spin


def as_given(player: Player | None) -> object:
    """Returns the player's number, colour and value, which no spin changes. None for None."""
    return None if player is None else (player.number, player.colour, player.value)


def confirm_value(state: RouletteState, act: ConfirmValue, _at_ms: TableMs) -> RouletteState:
    player = state.player(act.player)
    return state if player is None else _changed(state, replace(player, is_confirmed=True))


def state_waiting(state: RouletteState, act: StateWaiting, _at_ms: TableMs) -> RouletteState:
    """Returns the state with this number of players waiting for a colour. No player's colour counts as lost if there is
    a free one for each of them.
    """
    state = replace(state, waiting=act.players)
    if _wait_in_vain(state):
        return state
    return replace(state, players=tuple(replace(one, is_lost=False) for one in state.players))


def _wait_in_vain(state: RouletteState) -> bool:
    """True if more players wait for a colour than colours are free."""
    return state.waiting > len(free_colours(state))


def state_without_bet(state: RouletteState, act: StateWithoutBet, _at_ms: TableMs) -> RouletteState:
    return with_game(state, without_bet=tuple(sorted({*state.game.without_bet, act.player})))


def exchange_takes_two(state: RouletteState, act: ExchangeChips) -> bool:
    """True if the amount reaches the profile's amount for a second person, or if the value of the chips is uncertain. A
    value is certain if the player has confirmed it and the display shows it now.
    """
    player = state.player(act.player)
    worth = 0 if player is None else act.chips * player.value
    certain = VALUE_IS_CONFIRMED.holds(state, act) and DISPLAY_SHOWS_THE_VALUE.holds(state, act)
    return is_much(state, worth, of=act.player) or not certain


def is_much(state: RouletteState, cents: int, *, of: int) -> bool:
    """True if `cents`, with the cents that the player `of` got since the last spin, reach the amount for a second
    person.
    """
    return 0 < state.setup.parameters.second_person_payment_cents <= handed(state, of) + cents


def handed(state: RouletteState, player: int) -> int:
    return sum(one.cents for one in state.game.handed if one.player == player)


def exchange_chips(state: RouletteState, act: ExchangeChips, _at_ms: TableMs) -> RouletteState:
    """Returns the state after the player has exchanged all chips and left the game (pt.rou.12a, pt.rou.15a)."""
    player = state.player(act.player)
    if player is None:
        return state
    return exchanged(_without(state, act.player), player.colour, act.chips, player.value, of=act.player)


def take_colour_back(state: RouletteState, act: TakeColourBack, _at_ms: TableMs) -> RouletteState:
    """Returns the state in which the colour is free. Its chips count as out: the player did not exchange them."""
    player = state.player(act.player)
    if player is None:
        return state
    return _worth(_without(state, act.player), Worth(player.colour, player.number, player.value, is_out=True))


def exchanged(state: RouletteState, colour: ChipColour, chips: int, value: int, *, of: int) -> RouletteState:
    number = 1 + (state.exchanged.number if state.exchanged else 0)
    made = Exchanged(colour, chips, Cents(chips * value), of == NOBODYS, number)
    state = with_game(state, handed=(*state.game.handed, Handed(of, made.amount)))
    return replace(state, exchanged=made)


def watch_colours(_before: RouletteState, after: RouletteState, _at_ms: TableMs) -> RouletteState:
    """Returns the state in which each player without a bet for `idle_spins` spins in a row has lost his colour
    (pt.rou.12b).

    Unchanged while each player who waits can be given a free colour. Called only while players wait.
    """
    if not _wait_in_vain(after):
        return after
    most = after.rules.figures.idle_spins
    for player in (one for one in after.players if one.idle_spins >= most and not one.is_lost):
        after = _changed(after, replace(player, is_lost=True))
    return after


OPEN: Final = (S.IN_PLAY, S.CLOSING)

CHIP_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "give-colour",
        GiveColour,
        DEALER,
        give_colour,
        (
            *(PLAYER_HAS_A_NUMBER, PLAYER_HAS_NO_COLOUR, COLOUR_BELONGS_TO_THE_TABLE, COLOUR_IS_FREE),
            *(VALUE_IS_POSSIBLE, VALUE_IS_POSTED),
        ),
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        second=SecondPerson(SUPERVISORS, "worth", giving_takes_two, sees_a_colour),
        undone=by("take-colour-back"),
        money=Money.WORTH,
        manner=Manner.DOES,
    ),
    ActRule(
        "confirm-value",
        ConfirmValue,
        DEALER,
        confirm_value,
        (PLAYER_IS_IN_PLAY, VALUE_IS_NOT_CONFIRMED, DISPLAY_SHOWS_THE_VALUE),
        in_session=OPEN,
        probes=lambda state: tuple(ConfirmValue(*PROBE, one.number) for one in state.players),
        undone=by("take-colour-back"),
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "state-waiting",
        StateWaiting,
        DEALER,
        state_waiting,
        (WAITING_ARE_COUNTED,),
        in_session=(S.IN_PLAY,),
        undone=AGAIN,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "state-without-bet",
        StateWithoutBet,
        DEALER,
        state_without_bet,
        (BETS_ARE_NOT_FOLLOWED, PLAYER_IS_IN_PLAY),
        in_round=(R.SPINNING, R.NO_MORE_BETS),
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "exchange-chips",
        ExchangeChips,
        DEALER,
        exchange_chips,
        (PLAYER_IS_IN_PLAY, CHIPS_ARE_COUNTED, NO_CHIPS_LIE, DIFFERENCES_ARE_SETTLED),
        in_session=OPEN,
        probes=lambda state: tuple(ExchangeChips(*PROBE, one.number, 0) for one in state.players),
        second=SecondPerson(SUPERVISORS, "exchange", exchange_takes_two, sees_a_player),
        undone=BY_ENTRY,
        money=Money.PAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "take-colour-back",
        TakeColourBack,
        DEALER,
        take_colour_back,
        (PLAYER_IS_IN_PLAY, NO_CHIPS_LIE),
        in_session=OPEN,
        probes=lambda state: tuple(TakeColourBack(*PROBE, one.number) for one in state.players),
        undone=by("give-colour"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
