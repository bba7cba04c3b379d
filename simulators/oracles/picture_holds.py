"""How people who come and go, end holds and say where cards are move the observer's picture (pt.bj.51, 61)."""

from collections.abc import Callable
from typing import Final

from simulators.oracles import foreign, picture_round
from simulators.oracles.course import Passing, Reader, Round
from simulators.oracles.export_reader import Entry
from simulators.oracles.machine import SPAN
from simulators.oracles.seen import Seen

# --- people


def sign_in(seen: Seen, entry: Entry) -> None:
    """Somebody comes; a chief supervisor who comes for what was to be watched ends the wait for one."""
    role = entry.text("role")
    seen.people.sign_in(entry.number("person"), role, entry.text("operation"), entry.table_ms)
    if role in seen.figures.supervisors and seen.is_watched(entry.table_ms):
        seen.troubles.end("supervisor-absent")


def sign_out(seen: Seen, entry: Entry) -> None:
    seen.leave(entry, entry.number("person"))


# --- holds


def attend_hold(seen: Seen, entry: Entry) -> None:
    """Whoever attends a hold is present for it."""
    seen.people.sign_in(entry.number("person"), entry.text("role"), "hold", entry.table_ms)
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is not None:
        trouble.phase, trouble.attended_by = "attended", entry.number("person")
        if entry.text("role") in seen.figures.supervisors:  # takes back a call for the technician
            trouble.technician_called = False


def call_technician(seen: Seen, entry: Entry) -> None:
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is not None:
        trouble.technician_called, trouble.repaired_by = True, None


def attest_repair(seen: Seen, entry: Entry) -> None:
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is not None:
        trouble.repaired_by = entry.number("person")


def clear_hold(seen: Seen, entry: Entry) -> None:
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is not None:
        trouble.phase = "cleared"


def confirm_hold(seen: Seen, entry: Entry) -> None:
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is not None:
        seen.troubles.end_one(trouble)


# --- what people say of cards


def state_cards_moved(seen: Seen, entry: Entry) -> None:
    """What is still to be put back lies in the rack, whatever people have put in by hand."""
    seen.book.move_by_hand(entry.text("source"), entry.text("target"), entry.number("count"))
    if entry.text("target") == "inside":
        seen.away.clear()
    if seen.round.step == "putting-back":
        seen.round.put_back_due = seen.round.put_back + seen.book.count("rack")


def state_count(seen: Seen, entry: Entry) -> None:
    """People count what lies outside the machine, which counts what is inside."""
    inside = seen.counted_inside()
    if inside is None:
        return
    stated = {place: entry.number(place) for place in ("rack", "table", "pending", "in_hand", "outside")}
    if take_count(seen, stated | {"inside": inside, "burnt": seen.book.count("burnt")}):
        _nobodys_cards(seen, entry)


def _nobodys_cards(seen: Seen, entry: Entry) -> None:
    """Cards that people count apart, and that do not lie aside for somebody, wait for a word where they go."""
    of_nobody = seen.book.count("pending") > (0 if seen.set_aside is None else 1)
    if of_nobody and "unexpected-card" not in seen.troubles.kinds():
        seen.raise_("unexpected-card", entry)


def take_count(seen: Seen, places: dict[str, int]) -> bool:
    """Only a count that finds every card of the set changes the book; whether it did."""
    is_whole_set = seen.book.is_whole_with(seen.figures.cards, sum(places.values()))
    if is_whole_set:
        seen.proposed_by = None  # nothing is missing any more: who still wants to close irregularly proposes it anew
        seen.away.clear()
        seen.book.counted(places)
        seen.round.put_back_due = seen.round.put_back + places["rack"]
        _machines_begin_there(seen)
    for trouble in seen.troubles.standing:
        if trouble.needs_count and trouble.phase == "attended":
            trouble.counted = is_whole_set
    return is_whole_set


def _machines_begin_there(seen: Seen) -> None:
    """Every card is accounted for, whatever shuffler and reader have counted until now."""
    status, told = seen.status, seen.reader.heard
    if status is not None:
        seen.devices.shuffler.begin_at(status)
        seen.devices.shuffler.hands_inside = status.lid_open
    seen.reader.unseen = 0
    if told is not None:
        seen.reader = Reader(told)
    out, passages = seen.figures.cards - seen.book.count("inside"), seen.reader.passages
    seen.shoe.filled_at = None if passages is None else (passages - out) % SPAN


def state_outage(seen: Seen, entry: Entry) -> None:
    seen.round.outage_said = entry.text("became")


def confirm_outage(seen: Seen, entry: Entry) -> None:
    """Where both say the same, it is so: a round that is over leaves its cards in the rack, to be counted anew."""
    said, seen.round.outage_said = seen.round.outage_said, ""
    if said != entry.text("became") or said == "unchanged":
        return
    seen.troubles.end("unread-card")
    picture_round.discard_set_aside(seen)
    for trouble in seen.troubles.standing:
        if trouble.kind in {"count", "unexpected-card"}:
            trouble.needs_count, trouble.counted = True, False
    seen.book.move("table", "rack", seen.book.count("table"))
    seen.round, seen.passing = Round(number=seen.round.number), Passing()
    if said == "closed":
        seen.session.step = "closing"


def name_card(seen: Seen, entry: Entry) -> None:
    """The last card that nobody could read is meant."""
    unread = next((one for one in reversed(seen.round.dealt) if one.is_unread), None)
    if unread is not None and entry.text("card") == foreign.FOREIGN:
        foreign.leaves_the_table(seen, entry, unread)
    elif unread is not None:
        unread.card, unread.is_named = entry.text("card"), True
    seen.troubles.end("unread-card")


def report_damaged_card(seen: Seen, entry: Entry) -> None:
    seen.damaged, seen.authorised = entry.text("card"), False
    seen.damaged_at_check = seen.session.step in {"opened", "displayed", "mixed", "checking"}
    seen.raise_("damaged-card", entry)


def replace_card(seen: Seen, entry: Entry) -> None:
    """Same card for same card; the management owes the inspection service a report (pt.bj.51a-b)."""
    if seen.figures.procedure.deck_replaced_at_closing and not seen.damaged_at_check and seen.damaged:
        seen.replaced_alone.append(seen.damaged)
    _replaced(seen, 1)
    decks_go(seen, entry)


def replace_deck(seen: Seen, entry: Entry) -> None:
    """The whole deck for a deck (pt.bj.5b); before the loading it has still to be displayed, and all mixed (7a)."""
    _replaced(seen, 52)
    decks_go(seen, entry)
    if seen.session.step in {"displayed", "mixed"}:
        seen.session.step = "opened"


def decks_go(seen: Seen, entry: Entry) -> None:
    """In the deck check: the next deck of a card that was replaced alone, where those go at the closing (pt.bj.5b)."""
    if seen.session.step == "checking" and not seen.session.irregular and seen.replaced_alone:
        seen.damaged, seen.damaged_at_check = seen.replaced_alone.pop(0), True
        seen.raise_("damaged-card", entry)


def _replaced(seen: Seen, cards: int) -> None:
    is_to_be_reported = seen.figures.procedure.damaged_card == "card" and not seen.deck_goes
    seen.damaged, seen.authorised = None, False
    seen.book.withdraw_for_spares(cards)
    if is_to_be_reported:
        seen.duties.append("report-damaged-card")
    for trouble in seen.troubles.standing:
        if trouble.kind == "damaged-card":
            trouble.phase = "cleared"


def record_authorisation(seen: Seen, _entry: Entry) -> None:
    seen.authorised = True


def record_complaint(seen: Seen, entry: Entry) -> None:
    about = entry.number("round") or seen.round.number
    seen.raise_("complaint", entry, seat=entry.number("seat"), about=about)
    seen.tally["complaints"] += 1


def decide_complaint(seen: Seen, _entry: Entry) -> None:
    """The oldest one is decided."""
    complaint = seen.troubles.of("complaint")
    if complaint is not None:
        seen.troubles.end_one(complaint)


def report_duty(seen: Seen, entry: Entry) -> None:
    seen.reported.add(entry.number("duty"))


END_OF_ATTENDANCE: Final = frozenset(
    (
        "attend-hold",
        "call-technician",
        "attest-repair",
        "clear-hold",
        "confirm-hold",
        "confirm-outage",
        "name-card",
        "replace-card",
        "replace-deck",
        "make-ruling",
        "decide-complaint",
    )
)
"""Acts after which somebody may attend nothing any more."""

TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "sign-in": sign_in,
    "sign-out": sign_out,
    "attend-hold": attend_hold,
    "call-technician": call_technician,
    "attest-repair": attest_repair,
    "clear-hold": clear_hold,
    "confirm-hold": confirm_hold,
    "state-cards-moved": state_cards_moved,
    "state-count": state_count,
    "state-outage": state_outage,
    "confirm-outage": confirm_outage,
    "name-card": name_card,
    "report-damaged-card": report_damaged_card,
    "replace-card": replace_card,
    "replace-deck": replace_deck,
    "record-authorisation": record_authorisation,
    "record-complaint": record_complaint,
    "decide-complaint": decide_complaint,
    "report-duty": report_duty,
}
