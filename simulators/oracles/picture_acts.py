"""How the acts of people that were allowed move the observer's picture (pt.bj.51 to 61)."""

from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from simulators.oracles.course import FACES, Passing, Round, Session
from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.picture_facts import leave
from simulators.oracles.seen import Seen

FOREIGN: Final = "FOREIGN"

# --- people


def sign_in(seen: Seen, entry: Entry) -> None:
    """Somebody comes; a chief supervisor who comes ends the wait for one."""
    role = entry.text("role")
    seen.people.sign_in(entry.number("person"), role, entry.text("operation"), entry.table_ms)
    if role == "chief_supervisor":
        seen.troubles.end("supervisor-absent")


def sign_out(seen: Seen, entry: Entry) -> None:
    leave(seen, entry, entry.number("person"))


# --- opening


def open_session(seen: Seen, _entry: Entry) -> None:
    seen.session = Session(step="opened", number=seen.session.number + 1)
    seen.round, seen.passing = Round(), Passing()
    seen.book.all_outside(seen.figures.cards)


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


def confirm_taken_out(seen: Seen, _entry: Entry) -> None:
    seen.session.step, seen.session.packets = "mixed", []


def abandon_opening(seen: Seen, _entry: Entry) -> None:
    seen.session.step, seen.session.deck_set = "closed", None


# --- round


def take_bets(seen: Seen, entry: Entry) -> None:
    seen.round.step = "betting"
    seen.round.seats = tuple(sorted(seat for seat in entry.items("seats") if is_whole(seat)))


def cancel_bets(seen: Seen, _entry: Entry) -> None:
    seen.round.step, seen.round.seats = "idle", ()


def announce(seen: Seen, _entry: Entry) -> None:
    seen.round = Round(step="dealing", number=seen.round.number + 1, seats=seen.round.seats)


def draw_card(seen: Seen, entry: Entry) -> None:
    seen.round.requested = entry.number("seat")


def turn_hole_card(seen: Seen, entry: Entry) -> None:
    """A face that is not the one that was committed to is no turning: it holds the table."""
    if is_committed(seen.round.hole, entry):
        seen.round.hole = None
    else:
        seen.raise_("unexpected-card", entry, needs_count=True)


def is_committed(commitment: str | None, entry: Entry) -> bool:
    """Whether salt and card are those of the commitment; without a salt nobody can say."""
    salt, card = entry.text("salt"), entry.text("card")
    if not commitment or not salt or not card:
        return True
    return sha256(bytes.fromhex(salt) + card.encode()).hexdigest() == commitment


def confirm_settled(seen: Seen, _entry: Entry) -> None:
    seen.round.step = "settled"
    seen.tally["rounds"] += 1


def collect_cards(seen: Seen, _entry: Entry) -> None:
    seen.round.step = "collected"
    seen.book.move("table", "rack", seen.book.count("table"))


def begin_putting_back(seen: Seen, _entry: Entry) -> None:
    seen.round.step = "putting-back"
    seen.round.put_back_due, seen.round.put_back = seen.book.count("rack"), 0


def end_putting_back(seen: Seen, entry: Entry) -> None:
    """All is in, says the dealer; where the machine counted otherwise the table holds (pt.bj.59b)."""
    if seen.round.put_back == seen.round.put_back_due:
        seen.round = Round(number=seen.round.number)
    else:
        seen.raise_("count", entry, needs_count=True)


def leave_in_rack(seen: Seen, _entry: Entry) -> None:
    seen.round = Round(number=seen.round.number)


# --- holds


def attend_hold(seen: Seen, entry: Entry) -> None:
    """Whoever attends a hold is present for it."""
    seen.people.sign_in(entry.number("person"), entry.text("role"), "hold", entry.table_ms)
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is not None:
        trouble.phase, trouble.attended_by = "attended", entry.number("person")


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
    seen.book.move_by_hand(entry.text("source"), entry.text("target"), entry.number("count"))


def state_count(seen: Seen, entry: Entry) -> None:
    """Only a count that finds every card of the set changes the book."""
    counted = {place: entry.number(place) for place in ("rack", "table", "pending", "in_hand", "outside")}
    status = seen.status
    if status is None or status.inside is None:
        return
    counted["inside"] = status.inside
    is_whole_set = sum(counted.values()) == seen.figures.cards
    if is_whole_set:
        seen.book.counted(counted)
        seen.devices.shuffler.begin_at(status)
        seen.devices.shuffler.hands_inside = status.lid_open
        seen.round.put_back_due = seen.round.put_back + counted["rack"]
    for trouble in seen.troubles.standing:
        if trouble.needs_count and trouble.phase == "attended":
            trouble.counted = is_whole_set


def name_card(seen: Seen, _entry: Entry) -> None:
    seen.troubles.end("unread-card")


def report_damaged_card(seen: Seen, entry: Entry) -> None:
    seen.damaged = entry.text("card")
    seen.raise_("damaged-card", entry)


def replace_card(seen: Seen, _entry: Entry) -> None:
    """Same card for same card; the management owes the inspection service a report (pt.bj.51a-b)."""
    seen.damaged = None
    seen.book.withdraw_for_spare()
    seen.duties.append("report-damaged-card")
    for trouble in seen.troubles.standing:
        if trouble.kind == "damaged-card":
            trouble.phase = "cleared"


def record_complaint(seen: Seen, entry: Entry) -> None:
    seen.raise_("complaint", entry)
    seen.tally["complaints"] += 1


def decide_complaint(seen: Seen, _entry: Entry) -> None:
    seen.troubles.end("complaint")


def report_duty(seen: Seen, entry: Entry) -> None:
    seen.reported.add(entry.number("duty"))


# --- closing


def begin_unloading(seen: Seen, _entry: Entry) -> None:
    seen.session.step = "unloading"
    seen.session.found = Counter()


def complete_unloading(seen: Seen, _entry: Entry) -> None:
    seen.session.step = "checking"
    seen.book.gather_outside()


def enter_cards(seen: Seen, entry: Entry) -> None:
    seen.session.found.update(str(card) for card in entry.items("cards"))


def enter_grid(seen: Seen, entry: Entry) -> None:
    counts = [count for count in entry.items("counts") if is_whole(count)]
    seen.session.found = Counter(dict(zip(FACES, counts, strict=False)))
    seen.session.found[FOREIGN] = entry.number("foreign")


def is_regular(seen: Seen) -> bool:
    """Each of the 52 faces as often as there are decks, and nothing else (pt.bj.55b)."""
    found = {face: count for face, count in seen.session.found.items() if count}
    return found == dict.fromkeys(FACES, seen.figures.decks)


def confirm_deck_check(seen: Seen, entry: Entry) -> None:
    """Regular decks close the session; others hold the table, unless an irregular closing was decided."""
    if is_regular(seen) or seen.session.irregular:
        seen.troubles.end("count")
        _close(seen, entry)
    else:
        seen.raise_("count", entry, needs_count=True)


def propose_irregular_closing(seen: Seen, entry: Entry) -> None:
    seen.proposed_by = entry.number("person")


def confirm_irregular_closing(seen: Seen, entry: Entry) -> None:
    """What cannot be mended is ended; what the machine needs before it can be emptied stays."""
    seen.duties.append("report-irregular-closing")
    if seen.session.deck_set is not None:
        seen.refused_deck_sets.add(seen.session.deck_set)
    seen.troubles.end("count", "unexpected-card", "unread-card", "damaged-card", "complaint", "supervisor-absent")
    seen.proposed_by, seen.damaged = None, None
    seen.session.irregular, seen.session.packet_open = True, False
    seen.round, seen.passing = Round(number=seen.round.number), Passing()
    if seen.session.step == "checking":
        _close(seen, entry)
    else:
        seen.session.step = "unloading"


def _close(seen: Seen, entry: Entry) -> None:
    seen.session = Session(number=seen.session.number)
    seen.round, seen.proposed_by = Round(), None
    seen.people.end("unloading", entry.table_ms)
    seen.book.all_outside(seen.figures.cards)


def _to(step: str) -> Callable[[Seen, Entry], None]:
    """An act that leads to a step of the session and does nothing else."""

    def take(seen: Seen, _entry: Entry) -> None:
        seen.session.step = step

    return take


END_OF_ATTENDANCE: Final = frozenset(
    (
        "attend-hold",
        "call-technician",
        "attest-repair",
        "clear-hold",
        "confirm-hold",
        "name-card",
        "replace-card",
        "decide-complaint",
    )
)
"""Acts after which somebody may attend nothing any more."""

TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "sign-in": sign_in,
    "sign-out": sign_out,
    "open-session": open_session,
    "number-deck-set": number_deck_set,
    "confirm-display": _to("displayed"),
    "confirm-mixing": _to("mixed"),
    "begin-loading": begin_loading,
    "open-packet": open_packet,
    "close-packet": close_packet,
    "complete-loading": complete_loading,
    "take-out-loading": _to("taking-out"),
    "confirm-taken-out": confirm_taken_out,
    "abandon-opening": abandon_opening,
    "take-bets": take_bets,
    "cancel-bets": cancel_bets,
    "announce-no-more-bets": announce,
    "draw-card": draw_card,
    "turn-hole-card": turn_hole_card,
    "confirm-settled": confirm_settled,
    "collect-cards": collect_cards,
    "begin-putting-back": begin_putting_back,
    "end-putting-back": end_putting_back,
    "leave-in-rack": leave_in_rack,
    "attend-hold": attend_hold,
    "call-technician": call_technician,
    "attest-repair": attest_repair,
    "clear-hold": clear_hold,
    "confirm-hold": confirm_hold,
    "state-cards-moved": state_cards_moved,
    "state-count": state_count,
    "name-card": name_card,
    "report-damaged-card": report_damaged_card,
    "replace-card": replace_card,
    "record-complaint": record_complaint,
    "decide-complaint": decide_complaint,
    "report-duty": report_duty,
    "indicate-closing": _to("closing"),
    "begin-unloading": begin_unloading,
    "complete-unloading": complete_unloading,
    "enter-cards": enter_cards,
    "enter-grid": enter_grid,
    "confirm-deck-check": confirm_deck_check,
    "propose-irregular-closing": propose_irregular_closing,
    "confirm-irregular-closing": confirm_irregular_closing,
}
