"""Rules of the round: burn, bets, deal, faces, putting back, complaints (pt.bj.10, 13, 17, 48, 59 to 61)."""

from typing import Final

from simulators.oracles.course import HOLE
from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.machine import status_in
from simulators.oracles.picture_round import card_meant, card_to_rename, is_committed
from simulators.oracles.rule import EVERY_KIND, Rule, on
from simulators.oracles.seen import REPORTS_COME_LATE, Seen
from simulators.oracles.violation import Finding


def _burnt_before_the_deal(seen: Seen, _entry: Entry) -> Finding | None:
    burned, due = seen.session.burned, seen.figures.burns_due
    return None if burned == due else Finding(f"{burned} cards burnt in the session", f"{due}")


def _seats_exist(seen: Seen, entry: Entry) -> Finding | None:
    seats = entry.items("seats")
    good = [seat for seat in seats if is_whole(seat) and 1 <= seat <= seen.figures.seats]
    if seats and len(set(good)) == len(seats):
        return None
    return Finding(f"bets on seats {seats}", f"each once, of 1 to {seen.figures.seats}")


def _cards_are_enough(seen: Seen, _entry: Entry) -> Finding | None:
    inside, needed = seen.book.count("inside"), (len(seen.round.seats) + 1) * seen.figures.reserve_cards_per_hand
    return None if inside >= needed else Finding(f"{inside} cards inside", f"{needed} or more")


def _nothing_is_under_way(seen: Seen, entry: Entry) -> Finding | None:
    """All cards that were owed lie, each with count and identity."""
    dealt, due = len(seen.round.dealt), len(seen.order())
    if seen.round.requested is not None:
        return Finding(f"{entry.kind} while a card for seat {seen.round.requested} is owed", "that card first")
    if dealt < due or seen.passing.since_ms is not None:
        return Finding(f"{entry.kind} after {dealt} cards, one of them on its way", f"{due} or more, all known")
    return None


def _a_card_is_inside(seen: Seen, _entry: Entry) -> Finding | None:
    inside = seen.book.count("inside")
    return None if inside else Finding("a card asked of an empty machine", "a card inside")


def _seat_plays(seen: Seen, entry: Entry) -> Finding | None:
    seat = entry.number("seat")
    return (
        None if seat in {0, *seen.round.in_play} else Finding(f"a card for seat {seat}", f"{(0, *seen.round.in_play)}")
    )


def _place_is_in_turn(seen: Seen, entry: Entry) -> Finding | None:
    """In the order of places, the bank last; a hand that was collected has had its turn (pt.bj.18c, 22a)."""
    seat, behind = entry.number("seat"), {one.seat for one in seen.round.dealt[len(seen.order()) :]}
    is_turned = any(one.purpose == HOLE and not one.lies_face_down for one in seen.round.dealt)
    later = sorted(one for one in seen.round.asked | behind if one > seat)
    if seat == 0 or not (later or is_turned or 0 in behind):
        return None
    if seen.round.turn_back in {0, seat} and not (is_turned or 0 in behind):
        return None  # so it was ruled
    return Finding(f"a card for seat {seat} after {later or 'the bank'} had theirs", "in the order of places")


def _hand_lies(seen: Seen, entry: Entry) -> Finding | None:
    """Cards of a player, and all of them shown: none is carried off unseen (mo.6.4)."""
    hand = [one for one in seen.round.dealt if one.seat == entry.number("seat") > 0]
    if hand and not any(one.lies_face_down for one in hand):
        return None
    return Finding(f"the cards of seat {entry.number('seat')} collected", "a player's, that lie and are shown")


def _shows_its_face(seen: Seen) -> bool:
    """Whether the card that the reader sees now lies face up, for all that is known at this moment."""
    if seen.session.step == "unloading":
        return True
    if seen.reader.missing or seen.reader.unseen:
        return False  # it may be the one that is late
    passing = seen.passing
    owed = passing.counted_for if passing.counted_ms is not None else seen.owed()
    in_doubt = passing.contested or passing.read is not None
    return owed is not None and seen.lies_open(owed.purpose) and not in_doubt


def _face_down_has_no_face(seen: Seen, entry: Entry) -> Finding | None:
    if not entry.text("card") or _shows_its_face(seen):
        return None
    return Finding("a face in the journal", "a commitment: the card lies face down, or nobody owes it")


def _face_up_is_shown(seen: Seen, entry: Entry) -> Finding | None:
    if not entry.text("commitment") or not _shows_its_face(seen):
        return None
    return Finding("a commitment in the journal", "the face of a card that lies face up")


def _card_lies_face_down(seen: Seen, entry: Entry) -> Finding | None:
    meant = card_meant(seen, entry)
    if meant is not None and entry.text("card"):
        return None
    found = "a card face down" if meant is not None else "none face down there"
    return Finding(f"turned to {entry.text('card') or 'no face'}, {found}", "a face for a card that lies face down")


def _no_salt_beside_a_wrong_face(seen: Seen, entry: Entry) -> Finding | None:
    """Salt and commitment together name the card to whoever tries all 52: only the turned card's own salt is told."""
    meant = card_meant(seen, entry)
    if not entry.text("salt") or (not entry.refused and is_committed(meant.commitment if meant else None, entry)):
        return None
    return Finding("the salt of a card that was not turned", "no salt")


def _identity_in_time(seen: Seen, entry: Entry) -> Finding | None:
    since_ms = seen.passing.since_ms
    late = since_ms is not None and entry.table_ms - since_ms > seen.figures.join_ms + seen.figures.grace_ms
    owing = seen.owes_a_half()
    if since_ms is None or not late or entry.text("timer") == "join" or owing is None:
        return None
    if not seen.devices.links[owing].connected or entry.kind == "device-connected":
        return None  # it will tell when it is back
    return Finding(
        f"half a card for {entry.table_ms - since_ms} ms", f"{seen.figures.join_ms} ms, then a hold or unread"
    )


def _no_card_while_one_is_missing(seen: Seen, entry: Entry) -> Finding | None:
    """The identity of a card that the reader has not told may come late: it must not meet the next card."""
    if not seen.reader.missing or seen.owed() is None or seen.troubles.kinds() & REPORTS_COME_LATE:
        return None
    status = status_in(entry.part("status"))
    if status is None or not seen.devices.shuffler.has_moved(status):
        return None
    return Finding(f"a card drawn while {seen.reader.missing} may still be read late", "the reader's word first")


# --- putting back


def _only_leftovers_between_rounds(seen: Seen, _entry: Entry) -> Finding | None:
    """Where used cards may not wait for the next round they go back as soon as they can (mo.2.2.4)."""
    if seen.round.step != "idle":
        return None
    may = seen.figures.procedure.leftovers == "hold-next-round" and seen.book.count("rack") > 0
    return None if may else Finding("cards put back between rounds", "after a round, or leftovers of Macau's device")


def _all_is_put_back(seen: Seen, _entry: Entry) -> Finding | None:
    """What the machine counted in is what was in the rack (else the table holds); on the table nothing may be left."""
    left = seen.book.count("table")
    return (
        None if left == 0 else Finding(f"{seen.round.put_back} cards put back, {left} on the table", "0 on the table")
    )


# --- complaints


def _complaint_is_in_time(seen: Seen, _entry: Entry) -> Finding | None:
    out = seen.book.count("rack") + seen.book.count("table")
    window, step = seen.figures.procedure.complaints, seen.session.step
    if window == "inspector-decides" and seen.round.number > 0 and step != "closed":
        return None  # whenever it comes (br.inc.1)
    if step in {"closing", "unloading", "checking"}:
        return None  # nothing is put back or mixed any more
    if step not in {"in-play", "gathered"}:
        return Finding(f"a complaint, session {step}", "in play, or until the cards are mixed")
    if window == "until-mixed" and seen.round.number >= seen.shoe.first_round:
        return None  # the cards of the shoe are not mixed yet
    if not (seen.round.step == "putting-back" and seen.round.put_back) and seen.round.number > 0 and out > 0:
        return None  # the first card in closes the window
    return Finding(
        f"a complaint with {out} cards out, round {seen.round.step}", "before the cards are put back, or mixed"
    )


def _complaint_by_the_authority(seen: Seen, entry: Entry) -> Finding | None:
    """In Brazil every incident is the inspector's to settle; elsewhere a supervisor decides complaints."""
    role, procedure = entry.text("role"), seen.figures.procedure
    if procedure.complaints != "inspector-decides" or role == procedure.incident_authority:
        return None
    return Finding(f"a complaint decided by {role}", procedure.incident_authority)


def _complaint_is_open(seen: Seen, _entry: Entry) -> Finding | None:
    return None if seen.troubles.of("complaint") else Finding("no complaint", "one that is open")


def _card_waits_for_its_name(seen: Seen, _entry: Entry) -> Finding | None:
    return None if seen.troubles.of("unread-card") else Finding("no unread card", "one that waits for its name")


def _card_was_read_off(seen: Seen, entry: Entry) -> Finding | None:
    """What a reader saw, or sealed, the dealer does not name anew."""
    named = card_to_rename(seen, entry)
    return None if named is not None else Finding("a card that nobody has read off", "one that people have named")


def _no_other_comes_first(seen: Seen, entry: Entry) -> Finding | None:
    """Another card is owed for one of no deck; of the deal's cards the last alone is dealt again in its order."""
    now = seen.round
    if entry.text("card") != "FOREIGN":
        return None
    under_way = now.requested is not None or seen.passing.since_ms is not None
    is_the_last = bool(now.dealt) and card_to_rename(seen, entry) is now.dealt[-1]
    if not under_way and (now.step == "playing" or is_the_last):
        return None
    return Finding("a joker amid the deal taken out of the game", "the cards that are owed first")


_TURNINGS: Final = on("turn-hole-card", "turn-card")

ROUND_RULES: Final = (
    Rule("burnt before the deal", "pt.bj.10", on("announce-no-more-bets"), _burnt_before_the_deal),
    Rule("seats exist", "pt.bj.2", on("take-bets"), _seats_exist),
    Rule("cards are enough", "pt.bj.60a", on("announce-no-more-bets"), _cards_are_enough),
    Rule("nothing is under way", "pt.bj.17a", _TURNINGS | on("draw-card", "confirm-settled"), _nothing_is_under_way),
    Rule("a card is inside", "pt.bj.60a", on("draw-card"), _a_card_is_inside),
    Rule("seat plays", "pt.bj.17a", on("draw-card"), _seat_plays),
    Rule("place is in turn", "pt.bj.18c", on("draw-card"), _place_is_in_turn),
    Rule("hand lies", "pt.bj.58", on("collect-hand"), _hand_lies),
    Rule("face down has no face", "pt.bj.17b", on("card-read"), _face_down_has_no_face),
    Rule("face up is shown", "pt.bj.17a", on("card-read"), _face_up_is_shown),
    Rule("card lies face down", "pt.bj.17b", _TURNINGS, _card_lies_face_down),
    Rule("card was read off", "pt.bj.17b", on("rename-card"), _card_was_read_off),
    Rule("no other card comes first", "pt.bj.3b", on("rename-card"), _no_other_comes_first),
    Rule("no salt beside a wrong face", "pt.bj.17b", _TURNINGS, _no_salt_beside_a_wrong_face, refused_too=True),
    Rule("reader before the next card", "DESIGN 4", on("card-counted-out"), _no_card_while_one_is_missing),
    Rule("identity in time", "DESIGN 4", EVERY_KIND, _identity_in_time),
    Rule("only leftovers between rounds", "pt.bj.59b", on("begin-putting-back"), _only_leftovers_between_rounds),
    Rule("all is put back", "pt.bj.59b", on("end-putting-back"), _all_is_put_back),
    Rule("complaint is in time", "pt.bj.61", on("record-complaint"), _complaint_is_in_time),
    Rule("complaint by the authority", "br.inc.1", on("decide-complaint"), _complaint_by_the_authority),
    Rule("complaint is open", "pt.bj.61", on("decide-complaint"), _complaint_is_open),
    Rule("card waits for its name", "pt.bj.17a", on("name-card"), _card_waits_for_its_name),
)
