"""The words of `given` and `when` at a card table: devices, cards, and shorthands for several acts.

A single act of a person is written by its own name, and has no word here. A scenario stops if an act within a shorthand
is refused.
"""

from typing import Final

import msgspec

from controller.core.choices import CutFallback, OpeningCheck
from controller.core.custody.desired import of_shuffler
from controller.core.custody.doubt import is_unread
from controller.core.custody.game import lies_face_down, may_draw, next_owed, place_of
from controller.core.custody.mixing import cut_is_offered_to
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED, warning_card_is_used
from controller.core.custody.state import Card, last_dealt, parse_card
from controller.core.games.blackjack.table import TABLE
from controller.core.house.facts import CommandUndone, DeviceLost
from controller.core.money import units
from controller.core.words import Device, JamPlace, Purpose, RoundPhase, SessionPhase
from controller.scenario.needed import device_named
from controller.scenario.player import Player
from controller.scenario.shorthand import Step, Words, agreed, card_named, must, together
from controller.scenario.slots import Kind, Slot
from controller.scenario.steps_closing import close, enter_grids, unload, unloaded, unloading
from controller.scenario.table_player import Stopped

# --- opening


def _mixed(player: Player, _words: Words) -> None:
    must(player, "dealer", "sign-in", operation="table")
    must(player, "dealer", "open-session")
    must(player, "chief", "number-deck-set", deck_set="1")
    match player.state.setup.procedure.opening_check:
        case OpeningCheck.DISPLAY:
            must(player, "dealer", "confirm-display")
        case OpeningCheck.COUNT:
            must(player, "dealer", "confirm-count", counted=",".join(["52"] * player.state.setup.decks))
        case OpeningCheck.NONE:
            pass
    _mix(player)


def _mix(player: Player) -> None:
    """Shuffles the cards in the way that the profile prescribes: not at all, deck by deck, or all together."""
    setup = player.state.setup
    if setup.procedure.shuffle_passes == 0:
        return
    for deck in range(1, setup.decks + 1) if setup.procedure.shuffle_each_deck else ():
        must(player, "dealer", "shuffle-deck", deck=str(deck), passes=str(setup.procedure.shuffle_passes))
    if player.state.house.session is SessionPhase.GATHERED and setup.procedure.opening_check is OpeningCheck.COUNT:
        must(player, "dealer", "confirm-count", counted=str(setup.cards))
    must(player, "dealer", "confirm-mixing")


def _cut(player: Player, words: Words) -> None:
    """Makes the person whose turn it is cut the cards. `words`: the occupied seats, which the dealer states first.

    If `words` is empty, the seats stated before remain, or seats 1 and 2 if the dealer has stated none.
    """
    if words or player.state.custody.shoe_game.players is None:
        must(player, "dealer", "state-players", seats=",".join(words or ("1", "2")))
    fallback = player.state.setup.procedure.cut_fallback
    seat = cut_is_offered_to(player.state)
    person = "dealer" if seat is not None or fallback is CutFallback.BANK else "inspector"
    must(player, person, "confirm-cut", seat=str(seat or 0))


def _fill(player: Player, words: Words) -> None:
    _cut(player, words)
    if warning_card_is_used(player.state):
        must(player, "dealer", "place-warning-card")
    must(player, "dealer", "fill-shoe")


def _new_shoe(player: Player, words: Words) -> None:
    must(player, "dealer", "gather-cards")
    _mix(player)
    _fill(player, words)


def _burn(player: Player, _words: Words) -> None:
    while (owed := next_owed(player.state)) is not None and owed.purpose is Purpose.BURN:
        _draw(player, ())


def _loading(player: Player, words: Words) -> None:
    _mixed(player, words)
    if player.state.setup.procedure.loading_supervised:
        must(player, "chief", "sign-in", operation="loading")
    must(player, "dealer", "begin-loading")


def _packet(player: Player, words: Words) -> None:
    must(player, "chief", "open-packet")
    _feed(player, words)
    must(player, "chief", "close-packet")


def _loaded(player: Player, words: Words) -> None:
    if not player.state.setup.has_shuffler:
        _mixed(player, ())
        _fill(player, ())
        return
    _loading(player, words)
    cards = player.state.setup.cards
    _packet(player, (str(cards // 2),))
    _packet(player, (str(cards - cards // 2),))
    must(player, "dealer", "complete-loading")


def _in_play(player: Player, words: Words) -> None:
    _loaded(player, words)
    _burn(player, ())


# --- a round


def _bets(player: Player, words: Words) -> None:
    """Makes the players at the seats `words` bet. At a table that tracks hands, each bets the table's minimum."""
    rules = player.state.setup.hand_rules
    if rules is None:
        must(player, "dealer", "take-bets", seats=",".join(words))
        return
    for seat in words:
        must(player, "dealer", "place-bet", seat=seat, amount=units(rules.limits.minimum))


def deal(player: Player, words: Words) -> None:
    _bets(player, words)
    must(player, "dealer", "announce-no-more-bets")
    while player.state.game.phase is RoundPhase.DEALING:
        _draw(player, ())


def _draw(player: Player, words: Words) -> None:
    for word in words or ("",):
        if not may_draw(player.state):
            raise Stopped("mouth-is-locked")
        _one_card(player, parse_card(word))


def _one_card(player: Player, card: Card | None) -> None:
    """Deals `card`; None for the next card.

    At a table without a device that counts cards, the dealer confirms the card. If the table also tracks hands, the
    dealer states the identity of an open card.
    """
    drawn = player.card_out(card)
    if player.state.setup.is_dealt_by_word:
        must(player, "dealer", "confirm-card-dealt")
        last = last_dealt(player.state) if player.state.game.dealt else None
        if last is not None and last.face_down is not None:
            player.unseen[last.face_down] = drawn
        elif last is not None and is_unread(last) and player.state.setup.hand_rules is not None:
            seat, _, position = place_of(player.state, last).partition("/")
            must(player, "dealer", "state-card", seat=seat, position=position, card=drawn)


def announced(player: Player) -> None:
    """Makes the dealer announce the last round, if the announcement is due (pt.bj.11a)."""
    if not LAST_ROUND_IS_ANNOUNCED.holds(player.state):
        must(player, "dealer", "announce-last-round")


def hit(player: Player, words: Words) -> None:
    """Makes a player or the bank ask for a further card, and deals it. `words`: the hand, or `bank`; then the card,
    unless any card will do.
    """
    announced(player)
    seat, _, hand = words[0].partition("/")
    must(player, "dealer", "draw-card", seat=seat, **({"hand": hand} if hand else {}))
    card_out(player, words[1:])


def card_out(player: Player, words: Words) -> None:
    """Deals the owed card; does nothing if no card is owed. `words[0]`: the card; without it, the next card. If the
    profile demands a burnt card first, deals that, too.
    """
    owed = next_owed(player.state)
    if owed is None:  # the card set aside was taken (pt.bj.18d)
        return
    if owed.purpose is Purpose.BURN:  # mo.4.2: a card is burnt before the bank's second card
        _draw(player, ())
    _draw(player, words)


def bank_turned(player: Player) -> None:
    """Turns the bank's face-down card; does nothing if the bank has none. The dealer names the card if no device has
    read it.
    """
    hidden = [one for one in player.state.game.dealt if one.purpose is Purpose.HOLE and lies_face_down(one)]
    for dealt in hidden:
        announced(player)
        face = {} if dealt.face_down not in player.unseen else {"card": player.unseen[dealt.face_down]}
        must(player, "dealer", "turn-hole-card", **face)


def _bank(player: Player, words: Words) -> None:
    bank_turned(player)
    hit(player, ("bank", *words))


def _show(player: Player, words: Words) -> None:
    """Turns the players' face-down cards at the seats `words`, or at all seats if `words` is empty."""
    for seat in words or map(str, player.state.game.seats):
        at_seat = [dealt for dealt in player.state.game.dealt if str(dealt.seat) == seat]
        for position, dealt in enumerate(at_seat, 1):
            if lies_face_down(dealt):
                face = {} if dealt.face_down not in player.unseen else {"card": player.unseen[dealt.face_down]}
                must(player, "dealer", "turn-card", seat=seat, position=str(position), **face)


def _settle(player: Player, _words: Words) -> None:
    _show(player, ())
    announced(player)
    agreed(player)
    together(player, "dealer", "confirm-settled", "chief")


def collect(player: Player, words: Words) -> None:
    if player.state.game.phase is not RoundPhase.SETTLED:  # a void round is settled already
        _settle(player, words)
    must(player, "dealer", "collect-cards")


def put_back(player: Player, _words: Words) -> None:
    must(player, "dealer", "begin-putting-back")
    _feed(player, (str(player.state.custody.book.rack),))
    must(player, "dealer", "end-putting-back")


# --- machines


def _feed(player: Player, words: Words) -> None:
    for _ in range(int(words[0])):
        if not of_shuffler(player.state).feed_open:
            raise Stopped("feed-is-closed")
        player.feed()


def _card_in(player: Player, words: Words) -> None:
    for _ in range(int(words[0])):
        player.feed()


def _card_out(player: Player, words: Words) -> None:
    player.card_out(parse_card(words[0]) if words else None)


def _count_out(player: Player, words: Words) -> None:
    player.count_out(parse_card(words[0]) if words else None)


def _read(player: Player, words: Words) -> None:
    player.read(parse_card(words[0]) if words else None)


def _draw_unread(player: Player, words: Words) -> None:
    if player.state.setup.has_shuffler:
        _count_out(player, words)
    else:  # the shoe's reader counts and reads
        player.pack.draw(parse_card(words[0]) if words else None)
    player.read(None)


def _warning_card(player: Player, _words: Words) -> None:
    if player.state.setup.has_shuffler or not player.state.setup.has_reader:
        raise Stopped("no-warning-card")
    player.warning_card()


def _jam(player: Player, words: Words) -> None:
    player.jam(JamPlace(words[0]), int(words[1]) if len(words) > 1 else 1)


def _undone(player: Player, words: Words) -> None:
    player.put(CommandUndone(device_named(words[0]), int(words[1])))


def _tells(player: Player, words: Words) -> None:
    """Makes a device report a fact. `words`: the device, the fact and the fact's values. Raises Stopped for wrong
    values.
    """
    device, name, *given = words
    fact, texts = TABLE.fact_named[name].fact, dict(one.split("=", 1) for one in given)
    values = {key: {"yes": True, "no": False}.get(text, text) for key, text in texts.items()}
    source = msgspec.to_builtins(player.source(device_named(device)))
    try:
        made = msgspec.convert({"source": source, **values}, fact, strict=False)
    except msgspec.ValidationError:
        made = None
    if made is None or not texts.keys() <= set(fact.__struct_fields__):
        raise Stopped("values", act=name)
    player.put(made)


def _lose_card(player: Player, words: Words) -> None:
    if player.pack.inside:
        raise Stopped("cards-are-inside", word="missing")
    for word in words:
        player.pack.lose(card_named(word))


def _slip_in(player: Player, words: Words) -> None:
    player.slip_in(card_named(words[0]))


def _vanish(player: Player, words: Words) -> None:
    player.vanish(parse_card(words[0]) if words else None)


def _add_card(player: Player, words: Words) -> None:
    if player.pack.inside:
        raise Stopped("cards-are-inside", word="extra")
    player.pack.outside[:0] = [card_named(word) for word in words]


def _end_jam(player: Player, _words: Words) -> None:
    must(player, "chief", "attend-hold", hold="jam")
    if jammed := player.state.custody.book.jammed:
        player.lid(is_open=True)
        must(player, "chief", "state-cards-moved", source="jammed", target="inside", count=str(jammed))
        player.lid(is_open=False)
    player.path_cleared()
    must(player, "chief", "clear-hold", hold="jam")
    must(player, "chief", "confirm-hold", hold="jam")


_NONE: Final[tuple[Slot, ...]] = ()
_SEATS: Final = (Slot(Kind.SEAT, 1, 9),)
_PLAYERS: Final = (Slot(Kind.SEAT, 0, 9),)
_ONE_CARD: Final = (Slot(Kind.CARD, 0),)
_CARDS: Final = (Slot(Kind.CARD, 1, 52),)
_NUMBER: Final = (Slot(Kind.NUMBER),)

STEPS: Final[dict[str, Step[Player]]] = {
    # the table, by shorthand
    "mixed": Step(_NONE, _mixed),
    "loading": Step(_NONE, _loading),
    "packet": Step(_NUMBER, _packet),
    "loaded": Step(_NONE, _loaded),
    "in-play": Step(_NONE, _in_play),
    "cut": Step(_PLAYERS, _cut),
    "filled": Step(_PLAYERS, _fill),
    "burn": Step(_NONE, _burn),
    "new-shoe": Step(_PLAYERS, _new_shoe),
    "bets": Step(_SEATS, _bets),
    "deal": Step(_SEATS, deal),
    "draw": Step((Slot(Kind.CARD, 0, 52),), _draw),
    "hit": Step((Slot(Kind.HAND), Slot(Kind.CARD, 0)), hit),
    "hit-bank": Step(_ONE_CARD, _bank),
    "show": Step(_PLAYERS, _show),
    "settle": Step(_NONE, _settle),
    "collect": Step(_NONE, collect),
    "put-back": Step(_NONE, put_back),
    "unloading": Step(_NONE, unloading),
    "unload": Step((Slot(Kind.NUMBER, 0),), unload),
    "unloaded": Step(_NONE, unloaded),
    "close": Step(_NONE, close),
    "grid": Step((Slot(Kind.BACK, 0),), enter_grids),
    "grid-lacks": Step((Slot(Kind.BACK, 0), *_CARDS), lambda player, words: enter_grids(player, words, "-1")),
    "grid-has": Step((Slot(Kind.BACK, 0), *_CARDS), lambda player, words: enter_grids(player, words, "+1")),
    "grid-with": Step((Slot(Kind.BACK, 0), Slot(Kind.CHANGE, 1, 52)), enter_grids),
    "end-jam": Step(_NONE, _end_jam, Device.SHUFFLER),
    # machines and cards, one event each
    "feed": Step(_NUMBER, _feed, Device.SHUFFLER),
    "card-in": Step(_NUMBER, _card_in, Device.SHUFFLER),
    "card-out": Step(_ONE_CARD, _card_out),
    "count-out": Step(_ONE_CARD, _count_out, Device.SHUFFLER),
    "read": Step(_ONE_CARD, _read, Device.SHOE),
    "draw-unread": Step(_ONE_CARD, _draw_unread, Device.SHOE),
    "warning-card": Step(_NONE, _warning_card),
    "jam": Step((Slot(Kind.PLACE), Slot(Kind.NUMBER, 0)), _jam, Device.SHUFFLER),
    "path-clear": Step(_NONE, lambda player, _words: player.path_cleared(), Device.SHUFFLER),
    "path-blocked": Step(_NONE, lambda player, _words: player.path_blocked(), Device.SHUFFLER),
    "hopper-loaded": Step(_NONE, lambda player, _words: player.hopper(is_loaded=True), Device.SHUFFLER),
    "hopper-empty": Step(_NONE, lambda player, _words: player.hopper(is_loaded=False), Device.SHUFFLER),
    "keeps-jammed": Step(_NONE, lambda player, _words: setattr(player, "keeps_jammed", True), Device.SHUFFLER),
    "keeps-its-count": Step(_NONE, lambda player, _words: setattr(player, "keeps_its_count", True), Device.SHUFFLER),
    "lid-open": Step(_NONE, lambda player, _words: player.lid(is_open=True), Device.SHUFFLER),
    "lid-closed": Step(_NONE, lambda player, _words: player.lid(is_open=False), Device.SHUFFLER),
    "lost": Step((Slot(Kind.DEVICE),), lambda player, words: player.put(DeviceLost(device_named(words[0]), "silent"))),
    "back": Step((Slot(Kind.DEVICE),), lambda player, words: player.connect(device_named(words[0]))),
    "undone": Step((Slot(Kind.DEVICE), *_NUMBER), _undone),
    "tells": Step((Slot(Kind.DEVICE), Slot(Kind.FACT), Slot(Kind.DETAIL, 0, 9)), _tells),
    "spare": Step((Slot(Kind.DEVICE),), lambda player, words: player.bring_spare(device_named(words[0]))),
    # changes of the real cards that no device reports
    "missing": Step(_CARDS, _lose_card),
    "extra": Step(_CARDS, _add_card),
    "vanish": Step(_ONE_CARD, _vanish),
    "slip-in": Step((Slot(Kind.CARD),), _slip_in),
}
"""Every word of `given` and `when` at a card table; FORMAT.md explains each."""
