"""Rules of corrections and rulings: what can be put right, how, who decides (pt.bj.5, 17c, 18, 19b, br.inc, mo.5.1)."""

from typing import Final

from simulators.oracles.course import HOLE
from simulators.oracles.export_reader import Entry
from simulators.oracles.rule import Rule, on
from simulators.oracles.seen import OF_A_DEVICE, Seen
from simulators.oracles.violation import Finding

_OF_THE_LAST: Final = on("move-card", "report-face-up-card", "retract-card")
_OF_A_MISTAKE: Final = on("report-misdealt", "report-extra-card")


def _last_card(seen: Seen) -> bool:
    now = seen.round
    return now.can_be_corrected and bool(now.dealt) and seen.passing.since_ms is None


def _a_card(seen: Seen) -> bool:
    """The last one of the round, which lies open, or one that came and that nobody was owed."""
    return (_last_card(seen) and seen.round.dealt[-1].purpose != HOLE) or seen.is_pending_alone


def _last_can_change(seen: Seen, entry: Entry) -> Finding | None:
    """Until the next card or the next act of the round."""
    return None if _last_card(seen) else Finding(f"{entry.kind} of a card that stands", "the last card, nothing since")


def _mistake_can_change(seen: Seen, entry: Entry) -> Finding | None:
    """Nothing is owed, none lies aside already, and there is a card to speak of."""
    if seen.round.requested is not None or seen.passing.since_ms is not None:
        return Finding(f"{entry.kind} while a card is owed", "that card first")
    if seen.set_aside is not None:
        is_alone = seen.book.count("pending") == 1
        if entry.kind == "report-misdealt" and entry.body.get("seen") is True and is_alone:
            return None  # the one that lies aside was turned (pt.bj.18f)
        return Finding(f"{entry.kind} while a card lies aside", "nothing aside")
    return None if _a_card(seen) else Finding(f"{entry.kind} of a card that stands", "the last card, or a pending one")


def _not_rectified(seen: Seen, entry: Entry) -> Finding | None:
    """Macau: the card is given to whom it belongs, or the round is cancelled."""
    procedure = seen.figures.procedure
    choice = procedure.misdealt_seen if entry.body.get("seen") is True else procedure.misdealt_unseen
    return None if choice != "rectify" else Finding("a misdealt card set aside or discarded", "it is given back")


def _may_be_moved(seen: Seen, _entry: Entry) -> Finding | None:
    """Where it is not put right it is not moved: the rule says where it goes, or the inspector; not of the deal.

    Of one that lies open the dealer says that nobody had seen it, by moving it where only such a one is put right.
    """
    now, procedure = seen.round, seen.figures.procedure
    if not now.dealt:
        return None
    lies_face_down = now.dealt[-1].lies_face_down
    choice = procedure.misdealt_unseen if lies_face_down else procedure.misdealt_seen
    of_the_deal = len(now.dealt) <= len(seen.order())
    is_put_right = choice == "rectify" or (not lies_face_down and procedure.misdealt_unseen == "rectify")
    if is_put_right or (of_the_deal and choice != "inspector-decides"):
        return None
    return Finding("a misdealt card given to another hand", choice)


def _goes_where_it_is_owed(seen: Seen, entry: Entry) -> Finding | None:
    """In the deal the order says whose it is; behind it any hand that plays, and the bank."""
    order, dealt, seat = seen.order(), len(seen.round.dealt), entry.number("seat")
    wanted = (order[dealt - 1].seat,) if 0 < dealt <= len(order) else (0, *seen.round.in_play)
    return None if seat in wanted else Finding(f"card {dealt} of the round moved to seat {seat}", f"{wanted}")


def _hole_is_the_last(seen: Seen, _entry: Entry) -> Finding | None:
    """The bank's second card is turned while it is dealt, not later."""
    last = seen.round.dealt[-1] if seen.round.dealt else None
    if last is not None and last.purpose == HOLE and not last.card and _last_card(seen):
        return None
    return Finding("a hole card replaced that is not the last card", "the last card, face down until then")


def _exposed_is_discarded(seen: Seen, _entry: Entry) -> Finding | None:
    procedure = seen.figures.procedure
    if procedure.bank_second_card != "hole" or procedure.misdealt_seen == "discard":
        return None
    return Finding("an exposed card replaced", f"{procedure.misdealt_seen}, as every card that was seen")


def _extra_is_the_banks(seen: Seen, _entry: Entry) -> Finding | None:
    now = seen.round
    if not now.can_be_corrected and seen.is_pending_alone:
        return None
    if now.dealt and now.dealt[-1].seat == 0 and len(now.dealt) > len(seen.order()):
        return None
    return Finding("an undue card of the bank that is not the bank's", "its last card, behind the deal")


# --- rulings


def _no_ruling_is_owed(seen: Seen, _entry: Entry) -> Finding | None:
    return Finding("a second ruling called for", "one at a time") if "ruling" in seen.troubles.kinds() else None


def _no_other_ruling(seen: Seen, entry: Entry) -> Finding | None:
    """What an inspector, or a supervisor, would have to decide waits for what is not decided yet."""
    procedure = seen.figures.procedure
    choice = {
        "leave-in-rack": procedure.leftovers == "hold-next-round",
        "report-extra-card": procedure.bank_extra_card == "inspector-decides",
    }
    which = procedure.misdealt_seen if entry.body.get("seen") is True else procedure.misdealt_unseen
    owed = any(one.kind == "ruling" and not one.is_of_leftovers for one in seen.troubles.standing)
    if not owed or not choice.get(entry.kind, which == "inspector-decides"):
        return None
    return Finding(f"{entry.kind} while a ruling is owed", "that ruling first")


def _ruling_is_owed(seen: Seen, _entry: Entry) -> Finding | None:
    return None if "ruling" in seen.troubles.kinds() else Finding("a ruling that nobody called for", "a call for it")


def _by_the_authority(seen: Seen, entry: Entry) -> Finding | None:
    role, authority = entry.text("role"), seen.figures.procedure.incident_authority
    return None if role == authority else Finding(f"a ruling of {role}", authority)


def _outcome_is_possible(seen: Seen, entry: Entry) -> Finding | None:
    outcome, now = entry.text("outcome"), seen.round
    if outcome == "round-void" and (now.step not in {"dealing", "playing"} or seen.passing.since_ms is not None):
        return Finding(f"a round voided that is {now.step}", "one that is played, no card of it on its way")
    if outcome == "card-discarded" and seen.set_aside is not None and seen.book.count("pending") == 1:
        return None  # the one that lies aside, turned meanwhile (pt.bj.18f)
    if outcome in {"card-discarded", "card-to-next"} and (seen.set_aside is not None or not _a_card(seen)):
        return Finding(f"{outcome}, and no card in dispute", "the last card, or a pending one, none aside")
    if outcome == "turn-given-back":
        return _turn_can_go_back(seen)
    if outcome.startswith("spare-device"):
        return _spare_device_fits(seen, outcome)
    return None


def _turn_can_go_back(seen: Seen) -> Finding | None:
    """Somebody has asked, the bank has not, and no card is on its way."""
    now = seen.round
    behind = now.asked | {one.seat for one in now.dealt[len(seen.order()) :]}
    is_shown = any(one.purpose == HOLE and not one.lies_face_down for one in now.dealt)
    waits = now.requested is not None or seen.passing.since_ms is not None
    if now.step == "playing" and behind and 0 not in behind and not is_shown and not waits:
        return None
    return Finding("a turn given back", "one that passed over somebody, before the bank's")


def _spare_device_fits(seen: Seen, outcome: str) -> Finding | None:
    """With the device cards are replaced where one was damaged, and while one is they have to be."""
    if not seen.troubles.kinds() & OF_A_DEVICE:
        return Finding(f"{outcome}, and every device works", "a device that does not")
    if outcome == "spare-device":
        is_right = seen.damaged is None
    else:
        is_right = seen.damaged is not None or seen.book.count("withdrawn") > 0
    return None if is_right else Finding(f"{outcome}, damaged: {seen.damaged}", "cards replaced where one is damaged")


def _spare_device_is_there(seen: Seen, entry: Entry) -> Finding | None:
    trouble = seen.troubles.numbered(entry.number("hold"))
    if trouble is None or not trouble.instead_of:
        return None
    serial = seen.devices.links[trouble.device or "shuffler"].serial
    return None if serial != trouble.instead_of else Finding(f"{trouble.name} ended with {serial}", "the spare device")


# --- damaged cards


def _whole_deck(seen: Seen, entry: Entry) -> Finding | None:
    choice = seen.figures.procedure.damaged_card
    return None if seen.deck_goes else Finding(f"{entry.kind} where {choice} is replaced", "a rule of whole decks")


def _alone_if_authorised(seen: Seen, _entry: Entry) -> Finding | None:
    if not seen.deck_goes or seen.authorised:
        return None
    return Finding("one card replaced, nobody authorised it", "the deck, or the inspection service's authorisation")


def _a_card_is_damaged(seen: Seen, entry: Entry) -> Finding | None:
    return None if seen.damaged is not None else Finding(f"{entry.kind}, no card is damaged", "one that was reported")


def _deck_exists(seen: Seen, entry: Entry) -> Finding | None:
    deck = entry.number("deck")
    return None if 1 <= deck <= seen.figures.decks else Finding(f"deck {deck}", f"1 to {seen.figures.decks}")


def _chief_attends(seen: Seen, entry: Entry) -> Finding | None:
    if seen.chief_is_here("hold", entry.table_ms):
        return None
    return Finding(f"{entry.kind}, no chief supervisor at the hold", "one who attends it")


_REPLACE: Final = on("replace-card", "replace-deck")

CORRECTION_RULES: Final = (
    Rule("last card can change", "pt.bj.18d", _OF_THE_LAST, _last_can_change),
    Rule("mistake can change", "pt.bj.18d", _OF_A_MISTAKE, _mistake_can_change),
    Rule("error is not to be rectified", "mo.5.1.2a", on("report-misdealt"), _not_rectified),
    Rule("error is rectified here", "pt.bj.18d", on("move-card"), _may_be_moved),
    Rule("card goes where it is owed", "pt.bj.17a", on("move-card"), _goes_where_it_is_owed),
    Rule("hole card is the last", "pt.bj.17c", on("report-hole-exposed"), _hole_is_the_last),
    Rule("exposed card is discarded", "mo.5.1.2a", on("report-hole-exposed"), _exposed_is_discarded),
    Rule("extra card is the bank's", "pt.bj.19b", on("report-extra-card"), _extra_is_the_banks),
    Rule("no ruling is owed yet", "br.inc.1", on("call-for-ruling"), _no_ruling_is_owed),
    Rule(
        "no other ruling is owed",
        "br.inc.1",
        on("leave-in-rack", "report-misdealt", "report-extra-card"),
        _no_other_ruling,
    ),
    Rule("ruling is owed", "br.inc.1", on("make-ruling"), _ruling_is_owed),
    Rule("ruling by the authority", "br.staff.3", on("make-ruling"), _by_the_authority),
    Rule("outcome is possible", "mo.5.1.2b", on("make-ruling"), _outcome_is_possible),
    Rule("spare device is there", "pt.bj.51e", on("clear-hold", "confirm-hold"), _spare_device_is_there),
    Rule("whole deck is replaced", "pt.bj.5b", on("replace-deck", "record-authorisation"), _whole_deck),
    Rule("alone if authorised", "pt.bj.5c", on("replace-card"), _alone_if_authorised),
    Rule("a card is damaged", "pt.bj.51a", _REPLACE | on("record-authorisation"), _a_card_is_damaged),
    Rule("deck exists", "pt.bj.3a", on("replace-deck"), _deck_exists),
    Rule("chief supervisor attends", "pt.bj.51d", _REPLACE, _chief_attends),
)
