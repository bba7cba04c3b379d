"""How the observer's picture follows a shoe or a box: shuffle, cut, warning card, filling, last round, gathering.

pt.bj.8 to 12, mo.2, br.prep, br.dev. And cards that no device counts: people say that they lie where they are owed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from simulators.oracles.course import Shoe
from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.machine import SPAN
from simulators.oracles.picture_cards import lay, out_of_the_shoe, whole
from simulators.oracles.picture_corrections import take_back, void_round
from simulators.oracles.picture_holds import take_count
from simulators.oracles.seen import Seen

# --- opening


def shuffle_deck(seen: Seen, entry: Entry) -> None:
    seen.shoe.shuffled.add(entry.number("deck"))
    seen.shoe.counted_again = False


def confirm_count(seen: Seen, _entry: Entry) -> None:
    """At the opening deck by deck; before the next shoe all together."""
    if seen.session.step == "gathered":
        seen.shoe.counted_again = True
    else:
        seen.session.step = "displayed"


def state_players(seen: Seen, entry: Entry) -> None:
    seen.shoe.players = tuple(sorted(seat for seat in entry.items("seats") if is_whole(seat)))
    seen.shoe.refused = set()


def refuse_cut(seen: Seen, entry: Entry) -> None:
    seen.shoe.refused.add(entry.number("seat"))


def confirm_cut(seen: Seen, entry: Entry) -> None:
    """The next cut is the next player's; where nobody wanted it the turn begins anew (pt.bj.8c-d)."""
    seen.session.step = "cut"
    seen.shoe.last_cut, seen.shoe.refused = entry.number("seat"), set()


def place_warning_card(seen: Seen, entry: Entry) -> None:
    behind = entry.body.get("behind")
    seen.shoe.behind = behind if is_whole(behind) else cards_behind(seen)


def cards_behind(seen: Seen) -> int:
    """Cards that the law wants behind the warning card: the middle for one player alone (pt.bj.9a-b, br.prep.4c)."""
    procedure, players = seen.figures.procedure, len(seen.shoe.players or ())
    if procedure.warning_card == "one-round":
        least = (players + 1) * seen.figures.reserve_cards_per_hand
        return max(least, procedure.warning_card_behind if seen.figures.decks > 2 else 0)
    if procedure.warning_card_middle_if_alone and players == 1:
        return seen.figures.cards // 2
    return procedure.warning_card_behind


def fill_shoe(seen: Seen, _entry: Entry) -> None:
    """A new life of the cards begins; of a box it has one round (mo.2.2.3)."""
    first = seen.round.number + 1
    is_only = seen.figures.procedure.last_round == "every-round"
    seen.session.step, seen.session.burned = "loaded", 0
    seen.shoe = replace(
        seen.shoe,
        filled_at=seen.reader.passages,
        out=0,
        measured=None,
        first_round=first,
        last_round=first if is_only else None,
        announced=False,
    )
    seen.book.fill()
    seen.away.clear()
    seen.tally["loads"] += 1


# --- the end of the shoe


def warning_card_out(seen: Seen, entry: Entry) -> None:
    """The round, or the next one, is the last (pt.bj.11); seen elsewhere than the shoe told, the cards are counted."""
    shoe, now = seen.shoe, seen.round
    if seen.session.step not in {"loaded", "in-play"} or (shoe.measured == shoe.out and shoe.behind is not None):
        return
    if shoe.behind is None or shoe.measured is not None:
        seen.raise_("count", entry, "shoe", needs_count=True)
        return
    is_begun = now.step in {"dealing", "playing"}
    shoe.measured, shoe.last_round = shoe.out, now.number if is_begun else now.number + 1
    if is_begun and seen.figures.procedure.last_round_voided:
        void_round(seen)


def reader_noted(seen: Seen, entry: Entry) -> None:
    seen.devices.take(entry)
    if entry.text("what") == "cut-card" and not seen.figures.has_shuffler:
        warning_card_out(seen, entry)


def announce_last_round(seen: Seen, _entry: Entry) -> None:
    seen.shoe.announced = True


def gather_cards(seen: Seen, _entry: Entry) -> None:
    """All cards are out and together: to be mixed, cut and filled in again."""
    old = seen.shoe
    seen.session.step = "gathered"
    seen.shoe = Shoe(players=old.players, last_cut=old.last_cut, first_round=old.first_round, out=old.out)
    seen.round.seats = ()
    seen.book.gather_outside()
    seen.away.clear()


def spread_cards(seen: Seen, entry: Entry) -> None:
    """Everything begins as at the start, the cut too (pt.bj.12, 8b)."""
    gather_cards(seen, entry)
    seen.shoe.last_cut = 0


# --- cards that people state


def confirm_card_dealt(seen: Seen, entry: Entry) -> None:
    """No device counts it, or the shoe's reader has not seen it."""
    owed = seen.owed()
    if owed is None:
        return
    if seen.figures.has_reader:
        _passed_unseen(seen, 1)
        out_of_the_shoe(seen, entry, "", "")
        return
    seen.shoe.out += 1
    seen.tally["drawn"] += 1
    lay(seen, owed)
    whole(seen)


def _passed_unseen(seen: Seen, cards: int) -> None:
    """So many more are out of the shoe than its reader has counted, people say."""
    if seen.shoe.filled_at is not None:
        seen.shoe.filled_at = (seen.shoe.filled_at - cards) % SPAN


def retract_card(seen: Seen, _entry: Entry) -> None:
    """It is still inside, and owed again."""
    now = seen.round
    was_asked_for = not seen.last_is_of_the_deal
    last = take_back(seen, "inside")
    if last is None:
        return
    now.requested = last.seat if was_asked_for else None
    seen.shoe.out -= 1
    seen.tally["drawn"] -= 1
    _passed_unseen(seen, -1)


def call_for_count(seen: Seen, entry: Entry) -> None:
    seen.raise_("count", entry, needs_count=True)


def state_whole_count(seen: Seen, entry: Entry) -> None:
    """People have counted what is inside, too: what was only said to be dealt is said anew."""
    places = ("inside", "rack", "table", "burnt", "in_hand", "outside")
    if take_count(seen, {place: entry.number(place) for place in places}):
        _as_counted(seen, entry)


def _as_counted(seen: Seen, entry: Entry) -> None:
    """Of the burn, and of the round: who has fewer cards than was said is owed the rest again."""
    now, places = seen.round, seen.book.places()
    has_begun = now.step != "idle" or now.number >= seen.shoe.first_round
    if seen.session.step == "loaded" or (seen.session.step == "in-play" and not has_begun):
        burned = places[seen.figures.procedure.burn_place]
        seen.tally["burned"] += burned - seen.session.burned
        seen.session.burned = burned
        seen.session.step = "in-play" if burned >= seen.figures.burns_due else "loaded"
    elif not seen.needed and now.step in {"dealing", "playing"} and len(now.dealt) > places["table"]:
        while len(now.dealt) > places["table"]:
            retract_card(seen, entry)
        seen.book.counted(places)
        if now.step == "dealing":
            now.requested = None


TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "shuffle-deck": shuffle_deck,
    "confirm-count": confirm_count,
    "state-players": state_players,
    "refuse-cut": refuse_cut,
    "confirm-cut": confirm_cut,
    "place-warning-card": place_warning_card,
    "fill-shoe": fill_shoe,
    "report-warning-card": warning_card_out,
    "reader-noted": reader_noted,
    "announce-last-round": announce_last_round,
    "gather-cards": gather_cards,
    "spread-cards": spread_cards,
    "confirm-card-dealt": confirm_card_dealt,
    "retract-card": retract_card,
    "call-for-count": call_for_count,
    "state-whole-count": state_whole_count,
}
