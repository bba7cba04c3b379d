"""How the acts of a round move the observer's picture (pt.bj.13, 17, 48, 58 to 60)."""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from simulators.oracles.course import BANK, SEAT, Lying, Round
from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.faces import left_the_table
from simulators.oracles.foreign import FOREIGN, leaves_the_table
from simulators.oracles.seen import Seen
from simulators.oracles.troubles import Trouble


def take_bets(seen: Seen, entry: Entry) -> None:
    if seen.round.step != "dealing":  # house.4: until a seat's own first card
        seen.round.step = "betting"
    seen.round.can_be_corrected = False
    late = seen.round.seats if seen.round.step == "dealing" else ()
    seen.round.seats = tuple(sorted({*late, *(seat for seat in entry.items("seats") if is_whole(seat))}))


def place_bet(seen: Seen, entry: Entry) -> None:
    """The place belongs to the round as long as a bet lies there."""
    seen.round.bets.add(_bet(entry))
    _laid(seen)


def withdraw_bet(seen: Seen, entry: Entry) -> None:
    seen.round.bets.discard(_bet(entry))
    seen.round.chips.discard(_bet(entry))  # pt.bj.45b
    _laid(seen)


def _bet(entry: Entry) -> tuple[int, int]:
    """The seat, and who bets there: who sits there, where nobody is named."""
    seat, bettor = entry.number("seat"), entry.body.get("bettor")
    return seat, bettor if is_whole(bettor) else seat


def _laid(seen: Seen) -> None:
    seen.round.step, seen.round.can_be_corrected = "betting", False
    seen.round.seats = tuple(sorted({seat for seat, _ in seen.round.bets}))


def decided(seen: Seen, _entry: Entry) -> None:
    """Whoever decides by the last card has taken it as it lies."""
    seen.round.can_be_corrected = False


def place_jackpot_bet(seen: Seen, entry: Entry) -> None:
    seen.round.chips.add(_bet(entry))
    seen.round.can_be_corrected = False


def withdraw_jackpot_bet(seen: Seen, entry: Entry) -> None:
    seen.round.chips.discard(_bet(entry))


def collect_jackpot_bets(seen: Seen, entry: Entry) -> None:
    """Those of the seats that are named; all, where none is. Then the deal begins (pt.bj.48c)."""
    named = entry.items("seats") or [seat for seat, _bettor in seen.round.chips]
    seen.round.chips = {chip for chip in seen.round.chips if chip[0] not in named}


def cancel_bets(seen: Seen, _entry: Entry) -> None:
    seen.round.step, seen.round.seats = "idle", ()
    seen.round.bets.clear()
    seen.round.chips.clear()


def announce(seen: Seen, entry: Entry) -> None:
    seen.round = Round(step="dealing", number=seen.round.number + 1, seats=seen.round.seats, chips=seen.round.chips)
    seen.reader.unseen = 0
    if seen.is_last_by_its_cards():
        seen.shoe.last_round = seen.round.number
    _first_card_waits(seen, entry)


def _first_card_waits(seen: Seen, entry: Entry) -> None:
    """The card that the bank drew too many, unseen, is the first of this round (mo.6.1b)."""
    card, owed = seen.set_aside, seen.owed()
    if card is None or owed is None:
        return
    seen.set_aside = None
    if owed.seat is None:
        seen.book.move("pending", seen.figures.procedure.burn_place)
        seen.tally["burned"] += 1
        seen.round.burned += 1
        return
    is_open = seen.lies_open(owed.purpose)
    face, promised = (card.card, None) if is_open else ("", card.commitment or "")
    seen.book.move("pending", "table")
    seen.round.dealt.append(Lying(owed.purpose, owed.seat, face, promised))
    seen.round.can_be_corrected = True
    if is_open and not face:
        seen.raise_("unread-card", entry)


def draw_card(seen: Seen, entry: Entry) -> None:
    """Whoever asks gets the card that was set aside, and none is drawn for it (pt.bj.18d-e)."""
    now, asks = seen.round, entry.number("seat")
    now.turn_back = asks if now.turn_back in {0, asks} else None
    if seen.set_aside is None:
        seen.round.requested, seen.round.can_be_corrected = entry.number("seat"), False
        return
    card, seat = seen.set_aside, entry.number("seat")
    seen.book.move("pending", "table")
    seen.round.dealt.append(Lying(SEAT if seat else BANK, seat, card.card))
    seen.set_aside, seen.round.can_be_corrected = None, True
    if not card.card:
        seen.raise_("unread-card", entry)


def card_meant(seen: Seen, entry: Entry) -> Lying | None:
    """The face-down card that this act turns."""
    if entry.kind == "turn-hole-card":
        return seen.round.hole
    return seen.round.at(entry.number("seat"), entry.number("position"))


def turn_card(seen: Seen, entry: Entry) -> None:
    """A face that is not the one that was committed to, or whose seal is gone, is no turning: it holds the table."""
    meant = card_meant(seen, entry)
    if meant is None:
        return
    is_without_seal = bool(meant.commitment) and not entry.text("salt") and not meant.is_doubted
    is_right = is_committed(meant.commitment, entry)
    if is_without_seal or not is_right:
        meant.is_doubted = True
        seen.raise_("unexpected-card", entry, needs_count=not is_right)
    elif entry.text("card") == FOREIGN:
        leaves_the_table(seen, entry, meant)
    else:
        meant.card, seen.round.can_be_corrected = entry.text("card"), False


def card_to_rename(seen: Seen, entry: Entry) -> Lying | None:
    """The open card there; what a reader saw a supervisor names anew who looks at it, others only as of no deck."""
    seat, position = entry.number("seat"), entry.number("position")
    there = [one for one in seen.round.dealt if one.seat == seat][position - 1 : position] if position > 0 else []
    if not there or not there[0].card:
        return None
    by_people = there[0].is_named or there[0].commitment == ""
    trouble = [seen.troubles.of("unexpected-card", device) for device in (None, "shoe", "shuffler")]
    is_looked_at = any(one is not None and one.phase == "attended" for one in trouble)
    by_right = entry.text("role") in seen.figures.supervisors and (is_looked_at or seen.troubles.of("ruling"))
    return there[0] if by_people or by_right or entry.text("card") == FOREIGN else None


def rename_card(seen: Seen, entry: Entry) -> None:
    meant = card_to_rename(seen, entry)
    if meant is not None and entry.text("card") == FOREIGN:
        leaves_the_table(seen, entry, meant)
    elif meant is not None:
        meant.card, meant.is_named = entry.text("card"), True


def state_card(seen: Seen, entry: Entry) -> None:
    """An open card that no device read has its name; whoever names it has taken it as it lies."""
    there = [one for one in seen.round.dealt if one.seat == entry.number("seat")]
    position = entry.number("position")
    meant = there[position - 1] if 0 < position <= len(there) else None
    seen.round.can_be_corrected = False
    if meant is not None and entry.text("card") == FOREIGN:
        leaves_the_table(seen, entry, meant)
    elif meant is not None and not meant.lies_face_down:
        meant.card, meant.is_named = entry.text("card"), True


def is_committed(commitment: str | None, entry: Entry) -> bool:
    """Whether salt and card are those of the commitment; without a salt the entry itself may say that they are not."""
    if entry.body.get("seal_differs") is True:
        return False
    salt, card = entry.text("salt"), entry.text("card")
    if not commitment or not salt or not card:
        return True
    return sha256(bytes.fromhex(salt) + card.encode()).hexdigest() == commitment


def confirm_settled(seen: Seen, _entry: Entry) -> None:
    """After the bank's hand nobody asks any more for a card that was set aside."""
    seen.round.step, seen.round.can_be_corrected = "settled", False
    seen.tally["rounds"] += 1
    if seen.set_aside is None or not seen.set_aside.outlives_round:
        discard_set_aside(seen)


def discard_set_aside(seen: Seen) -> None:
    if seen.set_aside is not None:
        seen.book.move("pending", "rack")
        seen.set_aside = None


def collect_hand(seen: Seen, entry: Entry) -> None:
    """What is out of play goes to the rack at once (pt.bj.58); that its seat has had its turn is not forgotten."""
    now, seat = seen.round, entry.number("seat")
    now.asked |= {one.seat for one in now.dealt[len(seen.order()) :] if one.seat == seat}
    left_the_table(seen, (one for one in now.dealt if one.seat == seat))
    seen.book.move("table", "rack", sum(one.seat == seat for one in now.dealt))
    now.dealt = [one for one in now.dealt if one.seat != seat]
    now.collected.add(seat)
    now.can_be_corrected = False


def collect_cards(seen: Seen, _entry: Entry) -> None:
    """Where nothing is put back the round is over; burnt cards go back with the used ones (mo.2.2.4)."""
    if seen.book.count("table") == len(seen.round.dealt):
        left_the_table(seen, seen.round.dealt)
    seen.book.move("table", "rack", seen.book.count("table"))
    if seen.figures.procedure.put_back == "none":
        seen.round = Round(number=seen.round.number)
        return
    seen.book.move("burnt", "rack", seen.book.count("burnt"))
    seen.round.step, seen.round.can_be_corrected = "collected", False


def begin_putting_back(seen: Seen, _entry: Entry) -> None:
    seen.round.step = "putting-back"
    seen.round.put_back_due, seen.round.put_back = seen.book.count("rack"), 0


def done_by_hand(seen: Seen, entry: Entry) -> None:
    """Cards laid in the feed go back without a word, and with the last of them the round is over (pt.bj.59b)."""
    now = seen.round
    if seen.people.dealer is None or any(_stops_putting_back(one) for one in seen.troubles.standing):
        return
    if now.step == "collected" and seen.session.step == "in-play" and _feed_is_laid(seen):
        begin_putting_back(seen, entry)
    elif now.step == "putting-back" and now.put_back == now.put_back_due:
        end_putting_back(seen, entry)


_FEED_STAYS: Final = frozenset(("count", "supervisor-absent"))


def _stops_putting_back(trouble: Trouble) -> bool:
    return trouble.kind not in _FEED_STAYS and not trouble.is_of_leftovers


def _feed_is_laid(seen: Seen) -> bool:
    """Cards lie in the feed of a machine that works."""
    status = seen.status
    if status is None or not seen.devices.links["shuffler"].connected:
        return False
    return status.hopper_loaded and status.counts_known and not status.lid_open and not status.jammed


def end_putting_back(seen: Seen, entry: Entry) -> None:
    """All is in, says the dealer; where the machine counted otherwise the table holds (pt.bj.59b)."""
    if seen.round.step == "idle":
        return  # it is over already
    if seen.round.put_back == seen.round.put_back_due:
        if any(one.is_of_leftovers for one in seen.troubles.standing):
            seen.troubles.end("ruling")  # they have gone back after all
        seen.round = Round(number=seen.round.number)
    else:
        seen.raise_("count", entry, needs_count=True)


def leave_in_rack(seen: Seen, entry: Entry) -> None:
    """No rule of Macau's carries used cards over to the next round: somebody has to decide (mo.2.2.4)."""
    seen.round = Round(number=seen.round.number)
    if seen.figures.procedure.leftovers == "hold-next-round":
        seen.raise_("ruling", entry).is_of_leftovers = True


TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "take-bets": take_bets,
    "place-bet": place_bet,
    "withdraw-bet": withdraw_bet,
    "place-jackpot-bet": place_jackpot_bet,
    "withdraw-jackpot-bet": withdraw_jackpot_bet,
    "collect-jackpot-bets": collect_jackpot_bets,
    **dict.fromkeys(("raise-jackpot", "pay-jackpot", "pay-jackpot-by-hand"), decided),
    "double-down": draw_card,
    **dict.fromkeys(("insure", "take-even-money", "surrender", "stand", "split-pair", "claim-five-cards"), decided),
    **dict.fromkeys(("take-side-bet-down", "decide-amount"), decided),
    "state-card": state_card,
    "cancel-bets": cancel_bets,
    "announce-no-more-bets": announce,
    "draw-card": draw_card,
    "turn-hole-card": turn_card,
    "turn-card": turn_card,
    "rename-card": rename_card,
    "confirm-settled": confirm_settled,
    "collect-hand": collect_hand,
    "collect-cards": collect_cards,
    "begin-putting-back": begin_putting_back,
    "end-putting-back": end_putting_back,
    "leave-in-rack": leave_in_rack,
}
