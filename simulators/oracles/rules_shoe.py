"""Rules of shoe and box: opening, cut, warning card, filling, last round, gathering, cards that people state.

pt.bj.8 to 12, 52, 56, 57; mo.2; br.prep, br.dev. What a profile has not, it does not do.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.figures import Figures
from simulators.oracles.picture_shoe import cards_behind
from simulators.oracles.rule import Rule, on
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding

# --- what this table has


def _table_has(what: str, has: Callable[[Figures], bool], seen: Seen, entry: Entry) -> Finding | None:
    return None if has(seen.figures) else Finding(f"{entry.kind} at a table without {what}", f"a table with {what}")


_HAS: Final[tuple[tuple[str, str, frozenset[str], Callable[[Figures], bool]], ...]] = (
    ("a shuffler", "pt.bj.53c", on("begin-loading", "begin-putting-back"), lambda f: f.has_shuffler),
    ("shoe or box", "pt.bj.9c", on("fill-shoe", "gather-cards", "spread-cards"), lambda f: not f.has_shuffler),
    ("a display at the opening", "pt.bj.7", on("confirm-display"), lambda f: f.procedure.opening_check == "display"),
    ("a count at the opening", "br.prep.2b", on("confirm-count"), lambda f: f.procedure.opening_check == "count"),
    ("mixing by hand", "mo.2.1.2", on("confirm-mixing"), lambda f: f.procedure.shuffle_passes > 0),
    ("decks shuffled one by one", "br.prep.4a", on("shuffle-deck"), lambda f: f.procedure.shuffle_each_deck),
    ("a cut", "pt.bj.52a", on("state-players", "refuse-cut", "confirm-cut"), lambda f: f.procedure.cut != "none"),
    ("a warning card", "pt.bj.52b", on("place-warning-card", "report-warning-card"), lambda f: f.has_warning_card),
    ("a last round", "pt.bj.56", on("announce-last-round"), lambda f: f.procedure.last_round == "warning-card"),
    ("spreading", "pt.bj.57b", on("spread-cards"), lambda f: f.procedure.spread_on_interruption),
    (
        "cards that people state",
        "pt.bj.17a",
        on("confirm-card-dealt", "retract-card", "call-for-count", "state-whole-count"),
        lambda f: not f.has_shuffler,
    ),
)
"""What the table must have, clause, the acts that need it, and whether it has it."""

# --- opening


def _shown_before_mixing(seen: Seen, entry: Entry) -> Finding | None:
    procedure = seen.figures.procedure
    if seen.session.step == "opened" and procedure.opening_check != "none":
        return Finding(f"{entry.kind} of cards that nobody has seen", f"the {procedure.opening_check} first")
    return None


def _mixed_before_loading(seen: Seen, _entry: Entry) -> Finding | None:
    if seen.session.step == "mixed" or not seen.figures.procedure.shuffle_passes:
        return None
    return Finding(f"cards loaded, session {seen.session.step}", "mixed by hand first")


def _decks_are_whole(seen: Seen, entry: Entry) -> Finding | None:
    counted, wanted = entry.items("counted"), [52] * seen.figures.decks
    if seen.session.step == "gathered":  # br.prep.3b: none was kept back
        counted, wanted = [sum(count for count in counted if is_whole(count))], [seen.figures.cards]
    return None if counted == wanted else Finding(f"decks of {counted} cards", f"{wanted}")


def _deck_is_to_be_shuffled(seen: Seen, entry: Entry) -> Finding | None:
    deck = entry.number("deck")
    if 1 <= deck <= seen.figures.decks and deck not in seen.shoe.shuffled:
        return None
    return Finding(f"deck {deck} shuffled", f"one of {seen.figures.decks}, once; done: {sorted(seen.shoe.shuffled)}")


def _passes_are_enough(seen: Seen, entry: Entry) -> Finding | None:
    passes, least = entry.number("passes"), seen.figures.procedure.shuffle_passes
    return None if passes >= least else Finding(f"{passes} passes", f"{least} or more")


def _each_deck_is_shuffled(seen: Seen, _entry: Entry) -> Finding | None:
    wanted = set(range(1, seen.figures.decks + 1)) if seen.figures.procedure.shuffle_each_deck else set()
    left = sorted(wanted - seen.shoe.shuffled)
    return Finding(f"mixed together, decks {left} not shuffled by themselves", "each deck first") if left else None


def _counted_again(seen: Seen, _entry: Entry) -> Finding | None:
    """Discards, burnt cards and the rest of the shoe are all there (br.dev.4)."""
    counts = seen.figures.procedure.opening_check == "count"
    if not counts or seen.session.step != "gathered" or seen.shoe.counted_again:
        return None
    return Finding("cards mixed for the next shoe that nobody has counted since", "their count")


def _no_complaint_waits(seen: Seen, _entry: Entry) -> Finding | None:
    """The cards of the shoe are the evidence."""
    return Finding("cards mixed, a complaint open", "its decision") if "complaint" in seen.troubles.kinds() else None


# --- cut


def _sits_once(seen: Seen, entry: Entry) -> Finding | None:
    seats = entry.items("seats")
    good = {seat for seat in seats if is_whole(seat) and 1 <= seat <= seen.figures.seats}
    return (
        None if len(good) == len(seats) else Finding(f"players at {seats}", f"each once, of 1 to {seen.figures.seats}")
    )


def _players_are_stated(seen: Seen, _entry: Entry) -> Finding | None:
    return Finding("a cut, and nobody said who plays", "the players") if seen.shoe.players is None else None


def _in_turn(seen: Seen, entry: Entry) -> Finding | None:
    """Lowest seat first, the next shoe the next; or any player who has not refused (pt.bj.8b-c, mo.2.1.1a)."""
    seat, shoe = entry.number("seat"), seen.shoe
    in_order = seen.figures.procedure.cut == "seat-order"
    offered = shoe.offered_to(in_order=in_order)
    if seat == 0:
        is_right = entry.kind == "confirm-cut" and offered is None
    elif in_order:
        is_right = seat == offered
    else:
        is_right = seat in (shoe.players or ()) and seat not in shoe.refused
    return None if is_right else Finding(f"{entry.kind} of seat {seat}", f"seat {offered or 0}")


_CUTS_FOR_THEM: Final = {
    "table-inspector": "table_inspector",
    "bank": "dealer",
    "dealer-and-inspector": "table_inspector",
}


def _by_the_right_person(seen: Seen, entry: Entry) -> Finding | None:
    """A player's cut is stated by the dealer; when no player will, the profile names who cuts (pt.bj.8d)."""
    wanted = "dealer" if entry.number("seat") else _CUTS_FOR_THEM.get(seen.figures.procedure.cut_fallback, "nobody")
    role = entry.text("role")
    return None if role == wanted else Finding(f"seat {entry.number('seat')} cut, says {role}", wanted)


# --- warning card


def _lies_right(seen: Seen, entry: Entry) -> Finding | None:
    """As near as possible to its place has no tolerance that is printed; "or more", and one round, have a least."""
    behind, rule = entry.body.get("behind"), seen.figures.procedure.warning_card
    if behind is None:
        return None
    least, most = 1 if rule == "counted" else cards_behind(seen), seen.figures.cards - 1
    if rule == "one-round":  # a round behind it; before it the burn and one deal
        players = len(seen.shoe.players or ())
        least = (players + 1) * seen.figures.reserve_cards_per_hand
        most = seen.figures.cards - seen.figures.burns_due - 2 * players - 1
    if is_whole(behind) and least <= behind <= most:
        return None
    return Finding(f"{behind} cards behind the warning card", f"{least} or more of {seen.figures.cards}")


def _is_placed(seen: Seen, _entry: Entry) -> Finding | None:
    if not seen.figures.has_warning_card or seen.shoe.behind is not None:
        return None
    return Finding("filled without the warning card", "the warning card in its place")


def _is_inside(seen: Seen, _entry: Entry) -> Finding | None:
    shoe = seen.shoe
    if shoe.behind is not None and shoe.measured is None:
        return None
    return Finding("a warning card out that is not inside", "one that was placed and has not come yet")


# --- the end of the shoe


def _is_out(seen: Seen, _entry: Entry) -> Finding | None:
    if seen.shoe.last_round is not None:
        return None
    return Finding("a last round announced", "the warning card out, or (mo.1.3) few cards at a round's start")


def _last_round_is_announced(seen: Seen, entry: Entry) -> Finding | None:
    is_told = seen.figures.procedure.last_round == "warning-card" and seen.shoe.last_round is not None
    if not is_told or seen.shoe.announced:
        return None
    return Finding(f"{entry.kind}, round {seen.shoe.last_round} being the last", "the last round announced first")


def _is_over(seen: Seen) -> bool:
    return seen.shoe.last_round is not None and seen.round.number >= seen.shoe.last_round


def _shoe_is_not_over(seen: Seen, _entry: Entry) -> Finding | None:
    if seen.round.step == "dealing" or not _is_over(seen):
        return None
    return Finding(
        f"bets after round {seen.round.number}", f"none: round {seen.shoe.last_round} was the last of the shoe"
    )


def _may_be_shuffled(seen: Seen, _entry: Entry) -> Finding | None:
    needed = (seen.figures.seats + 1) * seen.figures.reserve_cards_per_hand  # for a full table (br.prep.4c)
    inside = seen.book.count("inside")
    if _is_over(seen) or seen.figures.procedure.shuffle_at_will or inside < needed:
        return None
    return Finding(f"cards gathered with {inside} inside", "at the end of the shoe")


def _nothing_was_played(seen: Seen, _entry: Entry) -> Finding | None:
    played = seen.round.number
    return Finding(f"an opening abandoned after {played} rounds", "the closing, with its check") if played else None


# --- rounds


def _bets_are_open(seen: Seen, entry: Entry) -> Finding | None:
    """Until the deal begins; for a seat until its own first card where the house has it so (house.4)."""
    now, seats = seen.round, entry.items("seats")
    if now.step != "dealing":
        return None
    dealt = now.dealt[-1].seat if now.dealt else 0
    round_goes = seen.passing.since_ms is None and all(one.seat for one in now.dealt)
    late = [seat for seat in seats if is_whole(seat) and seat not in now.seats]
    stay = set(now.seats) <= set(seats) or not set(now.seats) & set(seats)  # or new bets alone are named
    by_own_card = seen.figures.procedure.bets_close == "own-first-card"
    if by_own_card and round_goes and stay and all(seat > dealt for seat in late):
        return None
    return Finding(f"bets of {seats} in the deal", "before the deal, or before the seat's own first card")


def _players_cards_are_shown(seen: Seen, _entry: Entry) -> Finding | None:
    """Points are compared: nobody's cards lie face down then (mo.6.4)."""
    left = sorted({one.seat for one in seen.round.dealt if one.purpose == "seat" and one.lies_face_down})
    return Finding(f"settled, cards of seats {left} face down", "all shown") if left else None


def _a_card_is_owed(seen: Seen, _entry: Entry) -> Finding | None:
    return None if seen.owed() is not None else Finding("a card dealt that nobody owes", "one that is owed")


def _last_was_said(seen: Seen, _entry: Entry) -> Finding | None:
    """What a reader has seen come out has come out."""
    last = seen.round.dealt[-1:]
    is_known = bool(last) and seen.figures.has_reader and bool(last[0].card or last[0].commitment)
    return Finding("a card taken back that the shoe has read", "one that people said") if is_known else None


# --- counts


def _no_count_is_called(seen: Seen, _entry: Entry) -> Finding | None:
    return Finding("a count called for twice", "one at a time") if "count" in seen.troubles.kinds() else None


def _machine_has_counted(seen: Seen, _entry: Entry) -> Finding | None:
    """People count what is outside of it; what is inside it must say itself (pt.bj.51e)."""
    of = "shuffler" if seen.figures.has_shuffler else "shoe"
    if seen.counted_inside() is not None and seen.devices.links[of].connected:
        return None
    return Finding("a count that lacks what is inside", "the machine's own figure")


_OPENING: Final = on("confirm-mixing", "begin-loading")
_SETTLE: Final = on("announce-no-more-bets", "confirm-settled")

SHOE_RULES: Final = (
    *(Rule(f"table has {what}", clause, acts, partial(_table_has, what, has)) for what, clause, acts, has in _HAS),
    Rule("cards are shown before mixing", "pt.bj.53a", _OPENING, _shown_before_mixing),
    Rule("cards are mixed before loading", "pt.bj.53b", on("begin-loading"), _mixed_before_loading),
    Rule("decks are whole", "br.prep.2b", on("confirm-count"), _decks_are_whole),
    Rule("deck is to be shuffled", "br.prep.4a", on("shuffle-deck"), _deck_is_to_be_shuffled),
    Rule("passes are enough", "br.prep.4a", on("shuffle-deck"), _passes_are_enough),
    Rule("each deck is shuffled", "br.prep.4a", on("confirm-mixing"), _each_deck_is_shuffled),
    Rule("cards are counted again", "br.dev.4", on("confirm-mixing"), _counted_again),
    Rule("no complaint waits when cards are mixed", "pt.bj.61", on("confirm-mixing"), _no_complaint_waits),
    Rule("players sit once", "pt.bj.2", on("state-players"), _sits_once),
    Rule("players are stated", "pt.bj.8b", on("confirm-cut"), _players_are_stated),
    Rule("cut goes in turn", "pt.bj.8c", on("confirm-cut", "refuse-cut"), _in_turn),
    Rule("cut by the right person", "pt.bj.8d", on("confirm-cut"), _by_the_right_person),
    Rule("warning card lies right", "pt.bj.9a", on("place-warning-card"), _lies_right),
    Rule("warning card is placed", "pt.bj.9c", on("fill-shoe"), _is_placed),
    Rule("warning card is inside", "pt.bj.11a", on("report-warning-card"), _is_inside),
    Rule("warning card is out", "pt.bj.11a", on("announce-last-round"), _is_out),
    Rule("last round is announced", "pt.bj.11a", _SETTLE, _last_round_is_announced),
    Rule("shoe is not over", "pt.bj.11b", on("take-bets"), _shoe_is_not_over),
    Rule("cards may be shuffled", "pt.bj.11b", on("gather-cards"), _may_be_shuffled),
    Rule("nothing was played", "pt.bj.55b", on("abandon-opening"), _nothing_was_played),
    Rule("bets are open", "pt.bj.13", on("take-bets"), _bets_are_open),
    Rule("players' cards are shown", "mo.6.4", on("confirm-settled"), _players_cards_are_shown),
    Rule("stated card is owed", "pt.bj.17a", on("confirm-card-dealt"), _a_card_is_owed),
    Rule("last card was said", "pt.bj.17a", on("retract-card"), _last_was_said),
    Rule("count is called once", "pt.bj.55b", on("call-for-count"), _no_count_is_called),
    Rule("machine has counted", "pt.bj.51e", on("state-count"), _machine_has_counted),
)
