"""How the acts of opening and closing move the observer's picture (pt.bj.53 to 57)."""

from collections import Counter
from collections.abc import Callable
from typing import Final

from simulators.oracles.course import FACES, Passing, Round, Session, Shoe
from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.foreign import FOREIGN, came_out_at_the_end, found_in_the_check
from simulators.oracles.picture_holds import decks_go
from simulators.oracles.picture_round import discard_set_aside
from simulators.oracles.seen import Seen

# --- opening


def open_session(seen: Seen, _entry: Entry) -> None:
    seen.session = Session(step="opened", number=seen.session.number + 1)
    seen.round, seen.passing, seen.shoe = Round(), Passing(), Shoe()
    seen.reader.unseen, seen.tally["loads"], seen.replaced_alone = 0, 0, []
    seen.book.all_outside(seen.figures.cards)
    if seen.status is not None:  # what the machine has counted before was not this deck set
        seen.devices.shuffler.begin_at(seen.status)


def number_deck_set(seen: Seen, entry: Entry) -> None:
    seen.session.deck_set = entry.number("deck_set")


def begin_loading(seen: Seen, _entry: Entry) -> None:
    seen.session.step, seen.session.packets, seen.session.packet_open = "loading", [], False


def open_packet(seen: Seen, _entry: Entry) -> None:
    seen.session.packet_open = True
    seen.session.packets.append(0)


def close_packet(seen: Seen, _entry: Entry) -> None:
    seen.session.packet_open = False


def complete_loading(seen: Seen, entry: Entry) -> None:
    seen.session.step = "loaded"
    seen.session.loadings += 1
    seen.tally["loads"] += 1
    seen.people.end("loading", entry.table_ms)


def take_out_loading(seen: Seen, _entry: Entry) -> None:
    seen.session.step, seen.session.taken_out = "taking-out", True


def confirm_taken_out(seen: Seen, _entry: Entry) -> None:
    seen.session.step, seen.session.packets = "mixed", []
    seen.book.gather_outside()


def abandon_opening(seen: Seen, _entry: Entry) -> None:
    seen.session.step, seen.session.deck_set = "closed", None


# --- closing


def indicate_closing(seen: Seen, _entry: Entry) -> None:
    """No round comes any more: what lies aside for one, or on the table yet, goes to the rack (pt.bj.55b)."""
    seen.session.step = "closing"
    discard_set_aside(seen)
    seen.book.move("table", "rack", seen.book.count("table"))


def begin_unloading(seen: Seen, _entry: Entry) -> None:
    seen.session.step = "unloading"
    seen.session.found, seen.session.read_out = Counter(), Counter()
    seen.session.by_back = {}


def complete_unloading(seen: Seen, entry: Entry) -> None:
    seen.session.step = "checking"
    seen.book.gather_outside()
    came_out_at_the_end(seen)
    decks_go(seen, entry)


def enter_cards(seen: Seen, entry: Entry) -> None:
    before = seen.session.found[FOREIGN]
    seen.session.found.update(str(card) for card in entry.items("cards"))
    if every_back_is_counted(seen):
        found_in_the_check(seen, before, seen.session.found)


def enter_grid(seen: Seen, entry: Entry) -> None:
    """The dealer's own counts, of all cards or of those with one back; less than the reader saw holds the table."""
    before = (seen.session.found if every_back_is_counted(seen) else seen.session.read_out)[FOREIGN]
    counts = [count for count in entry.items("counts") if is_whole(count)]
    grid = dict(zip(FACES, counts, strict=False)) | {FOREIGN: entry.number("foreign")}
    if entry.number("back"):
        seen.session.by_back[entry.number("back")] = grid
        grid = {face: sum(one.get(face, 0) for one in seen.session.by_back.values()) for face in (*FACES, FOREIGN)}
    seen.session.found = Counter(grid)
    if every_back_is_counted(seen):
        found_in_the_check(seen, before, grid)
    if not every_back_is_counted(seen):
        return
    if any(count > seen.session.found[face] for face, count in seen.session.read_out.items()):
        seen.raise_("count", entry).is_of_the_grid = True
        return
    for trouble in [one for one in seen.troubles.standing if one.is_of_the_grid]:
        seen.troubles.end_one(trouble)  # what it was about does not contradict any more


def is_regular(seen: Seen) -> bool:
    """Each of the 52 faces as often as there are decks, and nothing else (pt.bj.55b)."""
    backs = seen.figures.procedure.back_colours
    grids = [seen.session.by_back.get(back, {}) for back in range(1, backs + 1)] if backs > 1 else [seen.session.found]
    wanted = dict.fromkeys(FACES, seen.figures.decks // backs)
    return all({face: count for face, count in grid.items() if count} == wanted for grid in grids)


def every_back_is_counted(seen: Seen) -> bool:
    """Where the decks have two back colours each is sorted and counted by itself."""
    backs = seen.figures.procedure.back_colours
    return backs == 1 or len(seen.session.by_back) == backs


def confirm_deck_check(seen: Seen, entry: Entry) -> None:
    """Regular decks close the session; others hold the table, unless an irregular closing was decided."""
    if is_regular(seen) or seen.session.irregular:
        _owe_undecided(seen)
        _close(seen, entry)
    else:
        seen.raise_("count", entry, needs_count=True).is_of_the_grid = False


def _owe_undecided(seen: Seen) -> None:
    """A complaint that the end of the session leaves undecided."""
    seen.duties += ["report-undecided-complaint" for one in seen.troubles.standing if one.kind == "complaint"]


def propose_irregular_closing(seen: Seen, entry: Entry) -> None:
    seen.proposed_by = entry.number("person")


def confirm_irregular_closing(seen: Seen, entry: Entry) -> None:
    """What cannot be mended is ended; what the machine needs before it can be emptied stays."""
    seen.duties.append("report-irregular-closing")
    if seen.damaged is not None:
        seen.duties.append("report-damaged-card")
    if seen.session.deck_set is not None:
        seen.refused_deck_sets.add(seen.session.deck_set)
    _owe_undecided(seen)
    seen.troubles.end(*OF_THE_SESSION)
    discard_set_aside(seen)
    seen.proposed_by, seen.damaged, seen.authorised = None, None, False
    seen.session.irregular, seen.session.packet_open = True, False
    seen.round, seen.passing = Round(number=seen.round.number), Passing()
    if seen.session.step == "checking":
        _close(seen, entry)
    else:
        seen.session.step = "unloading"


OF_THE_SESSION: Final = (
    *("count", "unexpected-card", "unread-card", "damaged-card", "complaint", "supervisor-absent", "ruling"),
)
"""Kinds of trouble that concern the cards and people of one session, and are over with it."""


def _close(seen: Seen, entry: Entry) -> None:
    seen.troubles.end(*OF_THE_SESSION)
    seen.session = Session(number=seen.session.number, ended_irregularly=seen.session.irregular)
    seen.round, seen.proposed_by = Round(), None
    seen.people.end("unloading", entry.table_ms)
    seen.book.all_outside(seen.figures.cards)


def _to(step: str) -> Callable[[Seen, Entry], None]:
    """An act that leads to a step of the session and does nothing else."""

    def take(seen: Seen, _entry: Entry) -> None:
        seen.session.step = step

    return take


TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "open-session": open_session,
    "number-deck-set": number_deck_set,
    "confirm-display": _to("displayed"),
    "confirm-mixing": _to("mixed"),
    "begin-loading": begin_loading,
    "open-packet": open_packet,
    "close-packet": close_packet,
    "complete-loading": complete_loading,
    "take-out-loading": take_out_loading,
    "confirm-taken-out": confirm_taken_out,
    "abandon-opening": abandon_opening,
    "indicate-closing": indicate_closing,
    "begin-unloading": begin_unloading,
    "complete-unloading": complete_unloading,
    "enter-cards": enter_cards,
    "enter-grid": enter_grid,
    "confirm-deck-check": confirm_deck_check,
    "propose-irregular-closing": propose_irregular_closing,
    "confirm-irregular-closing": confirm_irregular_closing,
}
