"""Rules of opening, loading, unloading and the deck check (pt.bj.7, 53 to 57)."""

from functools import partial
from typing import Final

from simulators.oracles.export_reader import Entry
from simulators.oracles.machine import status_in
from simulators.oracles.picture_session import every_back_is_counted, is_regular
from simulators.oracles.rule import Rule, on
from simulators.oracles.seen import BEYOND_MENDING, REPORTS_COME_LATE, Seen
from simulators.oracles.violation import Finding

_CARD_EVENTS: Final = on("card-counted-in", "card-counted-out")


# --- people who must see it


def _chief_is_here(operation: str, seen: Seen, entry: Entry) -> Finding | None:
    if seen.chief_sees(operation, entry.table_ms):
        return None
    absent_s = seen.people.chief_absent_ms(operation, entry.table_ms) // 1000
    since = "never signed in" if absent_s > 1 << 40 else f"absent for {absent_s} s"
    return Finding(f"{entry.kind} with chief supervisor {since}", f"a chief supervisor present for {operation}")


def _cards_are_watched(operation: str, steps: tuple[str, ...], seen: Seen, entry: Entry) -> Finding | None:
    """When the chief supervisor goes the machine stops; a card under way may still come."""
    if seen.session.step not in steps or not seen.must_be_watched(operation):
        return None
    absent_ms = seen.people.chief_absent_ms(operation, entry.table_ms)
    if absent_ms <= seen.figures.stop_ms:
        return None
    status = status_in(entry.part("status"))
    if status is None or not seen.devices.shuffler.has_moved(status) or seen.troubles.kinds() & REPORTS_COME_LATE:
        return None
    return Finding(f"a card moved {min(absent_ms, 1 << 31) // 1000} s after the chief supervisor's presence", "none")


# --- opening and loading


def _deck_set_is_numbered(seen: Seen, _entry: Entry) -> Finding | None:
    return (
        None
        if seen.session.deck_set
        else Finding("a deck set without number", "one that the chief supervisor numbered")
    )


def _deck_set_is_not_refused(seen: Seen, entry: Entry) -> Finding | None:
    deck_set = entry.number("deck_set")
    refused = sorted(seen.refused_deck_sets)
    return Finding(f"deck set {deck_set}", f"none of the refused ones {refused}") if deck_set in refused else None


def _machine_is_empty_before_loading(seen: Seen, _entry: Entry) -> Finding | None:
    inside = seen.status.inside if seen.status else None
    return None if inside == 0 else Finding(f"{inside} cards inside", "0")


def _loaded_once(seen: Seen, _entry: Entry) -> Finding | None:
    done, most = seen.session.loadings, seen.figures.loads_per_session
    return None if done < most or not most else Finding(f"loading {done + 1} of the session", f"at most {most}")


def _packets_are_enough(seen: Seen, _entry: Entry) -> Finding | None:
    packets = [count for count in seen.session.packets if count]
    if len(packets) >= seen.figures.min_packets:
        return None
    return Finding(f"{len(packets)} packets", f"{seen.figures.min_packets} or more")


def _all_cards_are_loaded(seen: Seen, _entry: Entry) -> Finding | None:
    inside, cards = seen.book.count("inside"), seen.figures.cards
    return None if inside == cards else Finding(f"{inside} cards inside", f"{cards}")


def _packet_is(wanted: str, seen: Seen, _entry: Entry) -> Finding | None:
    found = "open" if seen.session.packet_open else "closed"
    return None if found == wanted else Finding(f"a packet is {found}", wanted)


def _cards_stay_at_the_table(seen: Seen, entry: Entry) -> Finding | None:
    """Between loading and unloading no card of the set is outside."""
    outside = entry.number("outside") or (entry.text("target") == "outside" and entry.number("count"))
    if not outside or seen.session.step not in {"loaded", "in-play", "closing"}:
        return None
    return Finding(f"{outside} cards stated outside, session {seen.session.step}", "in rack, table or hands")


def _dealt_cards_lie(seen: Seen, entry: Entry) -> Finding | None:
    """While a round is open its dealt cards lie on the table; where people alone say what was dealt a count may too."""
    left = entry.number("table") + entry.number("in_hand")
    if entry.kind == "state-cards-moved":
        leaves = entry.text("source") == "in_hand" and entry.text("target") != "table"
        left = seen.book.count("table") + seen.book.count("in_hand") - (entry.number("count") if leaves else 0)
    elif entry.kind == "state-whole-count" and not seen.needed:
        return None
    if seen.round.step not in {"dealing", "playing"} or left >= len(seen.round.dealt):
        return None
    return Finding(f"{left} cards left on the table", f"the {len(seen.round.dealt)} that were dealt")


# --- closing


def _machine_is_empty(seen: Seen, _entry: Entry) -> Finding | None:
    own = seen.status.inside if seen.status else None
    book = seen.book.in_the_machine
    by_hand = not seen.figures.has_shuffler  # the deck check counts what people took out
    if seen.session.irregular or by_hand or (book == 0 and own == 0):
        return None
    return Finding(f"{book} cards inside by the book, {own} by the machine", "0")


def _nothing_is_forgotten(seen: Seen, _entry: Entry) -> Finding | None:
    """Every card of the set lies where the deck check finds it: in rack or tray, not at a place of its own."""
    left = {place: n for place in ("pending", "jammed", "in_hand", "table") if (n := seen.book.count(place))}
    return Finding(f"{left}", "none there") if left and not seen.session.irregular else None


def _deck_check_was_regular(seen: Seen, _entry: Entry) -> Finding | None:
    """A session that was opened anew though the last one's decks were never found regular."""
    if seen.session.step != "checking" or is_regular(seen):
        return None
    found = sum(seen.session.found.values())
    return Finding(f"{found} cards found, not each as often as there are decks", f"{seen.figures.decks} of each of 52")


def _grid_of_one_back(seen: Seen, entry: Entry) -> Finding | None:
    """Decks of two back colours are sorted and counted by each (br.decks.2)."""
    backs, back = seen.figures.procedure.back_colours, entry.number("back")
    wanted = range(1, backs + 1) if backs > 1 else range(1)
    return None if back in wanted else Finding(f"a grid of back {back}", f"one of {list(wanted)}")


def _every_back(seen: Seen, _entry: Entry) -> Finding | None:
    done = sorted(seen.session.by_back)
    return None if every_back_is_counted(seen) else Finding(f"checked by backs {done} alone", "by each")


def _other_holds_are_ended(seen: Seen, _entry: Entry) -> Finding | None:
    """The deck check itself answers a count; after an irregular closing nothing else is waited for."""
    standing = seen.troubles.standing
    others = sorted({one.kind for one in standing if (one.kind, one.device) != ("device-lost", "shoe")} - {"count"})
    return (
        Finding(f"the decks checked while {', '.join(others)}", "its end")
        if others and not seen.session.irregular
        else None
    )


# --- irregular closing


def _two_people_close(seen: Seen, entry: Entry) -> Finding | None:
    person, proposed_by = entry.number("person"), seen.proposed_by
    if proposed_by is not None and person != proposed_by:
        return None
    return Finding(f"person {person} after a proposal of {proposed_by}", "two people, the chief supervisor first")


def _something_cannot_be_mended(seen: Seen, _entry: Entry) -> Finding | None:
    return (
        None
        if seen.troubles.kinds() & BEYOND_MENDING
        else Finding("nothing that is beyond mending", "a hold that stands")
    )


# --- duties


def _duty_is_open(seen: Seen, entry: Entry) -> Finding | None:
    duty = entry.number("duty")
    if 1 <= duty <= len(seen.duties) and duty not in seen.reported:
        return None
    return Finding(f"duty {duty} reported", f"one of {len(seen.duties)} that were opened, once")


def _reference_is_given(_seen: Seen, entry: Entry) -> Finding | None:
    return None if entry.text("reference").strip() else Finding("no reference", "one of the inspection service")


_LOADING_ACTS: Final = on("begin-loading", "open-packet", "complete-loading", "take-out-loading", "confirm-taken-out")
_UNLOADING_ACTS: Final = on("begin-unloading", "complete-unloading", "confirm-deck-check")

SESSION_RULES: Final = (
    Rule("chief supervisor at loading", "pt.bj.54d", _LOADING_ACTS, partial(_chief_is_here, "loading")),
    Rule(
        "loading is watched",
        "pt.bj.54d",
        _CARD_EVENTS,
        partial(_cards_are_watched, "loading", ("loading", "taking-out")),
    ),
    Rule("chief supervisor at unloading", "pt.bj.55a", _UNLOADING_ACTS, partial(_chief_is_here, "unloading")),
    Rule("unloading is watched", "pt.bj.55a", _CARD_EVENTS, partial(_cards_are_watched, "unloading", ("unloading",))),
    Rule("deck set is numbered", "pt.bj.7b", on("confirm-display"), _deck_set_is_numbered),
    Rule("deck set is not refused", "pt.bj.55b", on("number-deck-set"), _deck_set_is_not_refused),
    Rule("machine is empty before loading", "pt.bj.57a", on("begin-loading"), _machine_is_empty_before_loading),
    Rule("loaded once", "pt.bj.54c", on("begin-loading", "complete-loading"), _loaded_once),
    Rule("packets are enough", "pt.bj.54b", on("complete-loading"), _packets_are_enough),
    Rule("all cards are loaded", "pt.bj.3a", on("complete-loading"), _all_cards_are_loaded),
    Rule("packet is open", "pt.bj.54b", on("close-packet"), partial(_packet_is, "open")),
    Rule(
        "packet is closed",
        "pt.bj.54b",
        on("open-packet", "complete-loading", "take-out-loading"),
        partial(_packet_is, "closed"),
    ),
    Rule(
        "machine is empty",
        "pt.bj.57a",
        on("complete-unloading", "confirm-taken-out", "confirm-deck-check"),
        _machine_is_empty,
    ),
    Rule("nothing is forgotten", "pt.bj.55b", on("complete-unloading"), _nothing_is_forgotten),
    Rule("other holds are ended", "pt.bj.55b", on("confirm-deck-check"), _other_holds_are_ended),
    Rule("grid of one back", "br.decks.2", on("enter-grid"), _grid_of_one_back),
    Rule("every back is counted", "br.decks.2", on("confirm-deck-check"), _every_back),
    Rule("deck check was regular", "pt.bj.55b", on("open-session"), _deck_check_was_regular),
    Rule("two people close", "pt.bj.55b", on("confirm-irregular-closing"), _two_people_close),
    Rule(
        "beyond mending",
        "pt.bj.55b",
        on("propose-irregular-closing", "confirm-irregular-closing"),
        _something_cannot_be_mended,
    ),
    Rule("cards stay at the table", "pt.bj.55b", on("state-cards-moved", "state-count"), _cards_stay_at_the_table),
    Rule(
        "dealt cards lie on the table",
        "pt.bj.17a",
        on("state-cards-moved", "state-count", "state-whole-count"),
        _dealt_cards_lie,
    ),
    Rule("duty is open", "pt.bj.51b", on("report-duty"), _duty_is_open),
    Rule("reference is given", "pt.bj.51b", on("report-duty"), _reference_is_given),
)
