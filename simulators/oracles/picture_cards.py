"""How the observer's picture follows cards: counts and jams of the shuffler, identities of the reader (DESIGN 4)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from simulators.oracles.course import BURN, Lying, Owed, Passing, Reader
from simulators.oracles.export_reader import Entry
from simulators.oracles.foreign import FOREIGN, leaves_the_table
from simulators.oracles.machine import JAMS, Status, status_in, step
from simulators.oracles.seen import BEFORE_LOADING, NOTHING_LOADED, Seen

# --- the shuffler


def figures_heard(seen: Seen, entry: Entry) -> None:
    """Figures without an event are evidence."""
    status = status_in(entry.part("status"))
    if status is not None:
        if seen.devices.shuffler.has_shown_more(status):
            went_back(seen, entry, status)
        heard(seen, entry, status)


def went_back(seen: Seen, entry: Entry, status: Status) -> None:
    """What it numbered before means nothing any more; a latched jam is for people to end."""
    shuffler = seen.devices.shuffler
    shuffler.begin_at(status)
    shuffler.newest = status.cards_in, status.cards_out
    shuffler.jams_seen = (status.jams - status.jammed) % JAMS
    if status.counts_known:
        seen.raise_("count", entry, needs_count=seen.session.step != "closed")


def heard(seen: Seen, entry: Entry, status: Status) -> None:
    before = seen.status
    seen.devices.shuffler.hear(status)
    if status.lid_open and (before is None or not before.lid_open):
        _lid_opened(seen, entry)
    is_new = status.jams != seen.devices.shuffler.jams_seen
    if status.jammed and (is_new or seen.troubles.of("jam", "shuffler") is None):
        _jam(seen, entry)


def counted(seen: Seen, entry: Entry) -> None:
    """An event of the shuffler: cards move by the difference of its cumulative counts."""
    seen.devices.take(entry)
    status = status_in(entry.part("status"))
    if status is None:
        return
    shuffler = seen.devices.shuffler
    out, into = step(shuffler.followed_out, status.cards_out), step(shuffler.followed_in, status.cards_in)
    is_lower = shuffler.has_told_more(status)
    shuffler.hear(status)
    shuffler.begin_at(status)
    if is_lower:
        went_back(seen, entry, status)
    if is_lower and status.counts_known and None in {out, into}:
        return
    if out is None or into is None or not status.counts_known:
        counts_anew = seen.session.step in NOTHING_LOADED and not status.counts_known
        if not counts_anew and seen.session.step != "closed":
            seen.raise_("count", entry, needs_count=True)
        return
    for _ in range(into):
        _card_in(seen, entry)
    for _ in range(out):
        _card_out(seen, entry)


def _note_motion(seen: Seen, *, into: int = 0, out: int = 0) -> None:
    """Cards that the machine moves while people are at a jam; its own report of the jam does not count."""
    trouble, status = seen.troubles.of("jam", "shuffler"), seen.status
    if trouble is not None and status is not None and status.jams == seen.devices.shuffler.jams_seen:
        trouble.moved_in += into
        trouble.moved_out += out


def _card_in(seen: Seen, entry: Entry) -> None:
    _note_motion(seen, into=1)
    seen.away.clear()
    source = seen.feed_source()
    likely = (place for place in ("rack", "outside", "burnt") if seen.book.count(place))
    seen.book.move(source or next(likely, "outside"), "inside")
    if source is None:  # it should not have gone in; at a closed table nobody has a deck set to count
        seen.raise_("count", entry, needs_count=seen.session.step != "closed")
    elif source == "rack":
        seen.round.put_back += 1
    else:
        seen.session.packets[-1] += 1


def _card_out(seen: Seen, entry: Entry) -> None:
    _note_motion(seen, out=1)
    if seen.session.step in {"unloading", "taking-out"} or seen.reports_come_late:
        was_empty = seen.book.count("inside") + seen.book.count("jammed") == 0 and not seen.session.irregular
        seen.book.move("inside", "outside")
        if was_empty and seen.book.total != seen.cards_there_must_be():  # one too many (pt.bj.55b)
            seen.raise_("count", entry, needs_count=True)
        return
    if seen.session.step in NOTHING_LOADED:
        _out_of_an_empty_machine(seen, entry)
        return
    seen.tally["drawn"] += 1
    owed = seen.owed()
    if owed is None:
        _not_owed(seen, entry)
        return
    lay(seen, owed)
    read = seen.passing.read
    seen.passing = Passing(counted_ms=entry.table_ms, counted_for=owed)
    if not seen.figures.has_reader:
        whole(seen)
    elif read is not None:
        join(seen, entry, *read)


def lay(seen: Seen, owed: Owed) -> None:
    """The burn goes where the profile has it (pt.bj.10, mo.4.1.1), any other card is laid on the table."""
    if owed.seat is None:
        seen.book.move("inside", seen.figures.procedure.burn_place)
        seen.tally["burned"] += 1
        if seen.session.step == "loaded":
            seen.session.burned += 1
        else:
            seen.round.burned += 1
    else:
        seen.book.move("inside", "table")
        seen.round.dealt.append(Lying(owed.purpose, owed.seat))
        seen.round.requested, seen.round.can_be_corrected = None, True


def _out_of_an_empty_machine(seen: Seen, entry: Entry) -> None:
    """Nothing was loaded: whether it was one of the cards outside, people see when they count them."""
    is_closed, was_known = seen.session.step == "closed", seen.book.count("inside") > 0
    if is_closed and seen.session.ended_irregularly:
        return  # it was left inside, and is told late
    if not was_known:
        seen.book.move("outside", "inside")
    _not_owed(seen, entry, needs_count=not (was_known or is_closed))
    if is_closed:
        seen.passing = Passing()


def _not_owed(seen: Seen, entry: Entry, *, needs_count: bool = False) -> None:
    """It belongs to nobody; as the second of two for one opening, neither is believed any more."""
    seen.book.move("inside", "pending")
    seen.round.can_be_corrected &= any(one.is_of_a_card for one in seen.troubles.standing)
    if not seen.figures.has_reader:
        seen.passing = Passing()
    elif seen.passing.counted_ms is not None:
        seen.passing = replace(seen.passing, contested=True)
    else:
        seen.passing = Passing(counted_ms=entry.table_ms)
    seen.raise_("unexpected-card", entry, "shuffler", needs_count=needs_count)


def jammed(seen: Seen, entry: Entry) -> None:
    """A card has stuck: it has a place of its own until people say where it is."""
    counted(seen, entry)
    if seen.session.step != "closed":
        at_feed = entry.text("place") == "feed"
        source = (seen.feed_source() or "outside") if at_feed else "inside"
        target = "jammed_feed" if at_feed else "jammed_inside"
        seen.book.move(source, target, min(entry.number("cards"), seen.book.count(source)))
    _jam(seen, entry)


def _jam(seen: Seen, entry: Entry) -> None:
    """The machine numbers its jams: the same number again is the same jam."""
    status, shuffler = seen.status, seen.devices.shuffler
    number = shuffler.jams_seen if status is None else status.jams
    shuffler.hands_inside = True
    if seen.troubles.of("jam", "shuffler") is not None and number == shuffler.jams_seen:
        return
    shuffler.jams_seen = number
    seen.raise_("jam", entry, "shuffler")


UNDER_THE_LID: Final = frozenset(("jam", "lid"))
"""Holds for which the lid is opened, and which end with a closed lid and a recount."""


def lid_opened(seen: Seen, entry: Entry) -> None:
    """A chief supervisor opens the lid, to solve a problem (pt.bj.51d): in any other case it is a tamper alarm."""
    counted(seen, entry)
    _lid_opened(seen, entry)


def _lid_opened(seen: Seen, entry: Entry) -> None:
    """Other holds end without a recount, so that an opening under them is held for itself."""
    attends = any(one.phase == "attended" and one.kind in UNDER_THE_LID for one in seen.troubles.standing)
    if not (attends and seen.chief_is_here("hold", entry.table_ms)):
        seen.raise_("lid", entry, "shuffler")


# --- the reader


def card_read(seen: Seen, entry: Entry) -> None:
    """A card has passed the reader: with a face, with a commitment in its place, or unread."""
    seen.devices.take(entry)
    seen.reader.passages, seen.reader.heard = entry.number("passage"), None
    if seen.session.step == "unloading":
        if entry.text("card"):
            seen.session.found[entry.text("card")] += 1
            seen.session.read_out[entry.text("card")] += 1
    elif seen.session.step in {"closed", "taking-out"} or seen.reports_come_late or _was_taken_out(seen):
        return
    elif not seen.figures.has_shuffler:
        _card_of_the_shoe(seen, entry)
    elif seen.reader.missing:
        seen.reader.missing -= 1  # it came too late for its card
    elif not seen.passing.contested:
        _identity(seen, entry)


def _was_taken_out(seen: Seen) -> bool:
    """After a loading that failed its cards are on the table again, and the reader may tell late of them."""
    return seen.figures.has_shuffler and seen.session.taken_out and seen.session.step in BEFORE_LOADING


def reader_heard(seen: Seen, entry: Entry) -> None:
    """The reader has told of all that it has counted: what is missing it never saw."""
    passages, reader = entry.number("passages"), seen.reader
    if reader.passages in {None, passages}:
        seen.reader = Reader(passages, unseen=reader.unseen + reader.missing)
    else:
        reader.heard = passages


def _card_of_the_shoe(seen: Seen, entry: Entry) -> None:
    """Count and identity in one."""
    out_of_the_shoe(seen, entry, *_told(seen, entry))


def out_of_the_shoe(seen: Seen, entry: Entry, card: str, commitment: str) -> None:
    """One that is not owed is nobody's, and holds the table (DESIGN 3.2)."""
    is_filled = seen.session.step not in NOTHING_LOADED
    seen.shoe.out += is_filled
    seen.tally["drawn"] += is_filled
    owed = seen.owed()
    if owed is None:
        seen.book.move("inside" if is_filled else "outside", "pending")
        seen.round.can_be_corrected &= any(one.is_of_a_card for one in seen.troubles.standing)
        seen.raise_("unexpected-card", entry, "shoe")
        return
    lay(seen, owed)
    seen.passing = Passing(counted_ms=entry.table_ms, counted_for=owed)
    join(seen, entry, card, commitment)


def _told(seen: Seen, entry: Entry) -> tuple[str, str]:
    """Face and commitment; of a reader that has missed a card nobody knows whose it tells."""
    return ("", "") if seen.reader.unseen else (entry.text("card"), entry.text("commitment"))


def _identity(seen: Seen, entry: Entry) -> None:
    identity = _told(seen, entry)
    if seen.passing.counted_ms is not None:
        join(seen, entry, *identity)
    elif seen.passing.read is not None:
        seen.passing = Passing()
        seen.raise_("unexpected-card", entry, "shoe", needs_count=True)
    elif seen.owed() is None:
        seen.raise_("unexpected-card", entry, "shoe", needs_count=True)
    else:
        seen.passing = Passing(read=identity, read_ms=entry.table_ms)


def join(seen: Seen, entry: Entry, card: str, commitment: str) -> None:
    """Count and identity of one card have met; an unread card that lies face up waits for its name."""
    owed = seen.passing.counted_for
    if owed is not None and owed.purpose != BURN:
        lying = seen.round.dealt[-1]
        if seen.lies_open(owed.purpose) and card == FOREIGN:
            seen.passing = Passing()
            leaves_the_table(seen, entry, lying)
            return
        if seen.lies_open(owed.purpose):
            lying.card = card
        else:
            lying.commitment = commitment
        if lying.is_unread:
            seen.raise_("unread-card", entry)
    whole(seen)


def whole(seen: Seen) -> None:
    """A card is whole: the burn may be over, or the deal. Of one that no reader saw people see what lies open."""
    seen.passing = Passing()
    last = seen.round.dealt[-1:]
    if last and not seen.figures.has_reader and not seen.lies_open(last[0].purpose) and last[0].is_unread:
        last[0].commitment = ""
    if seen.session.step == "loaded" and seen.session.burned >= seen.figures.burns_due:
        seen.session.step = "in-play"
    elif seen.round.step == "dealing" and len(seen.round.dealt) >= len(seen.order()):
        seen.round.step = "playing"


def join_over(seen: Seen, entry: Entry) -> None:
    """The other half has not come: an unread card, or one that did not come from the shuffler."""
    passing = seen.passing
    if passing.counted_ms is None:
        if passing.read_ms is not None:
            seen.raise_("unexpected-card", entry, "shoe", needs_count=True)
        seen.passing = Passing()
        return
    keeps_events = seen.devices.links["shoe"].keeps_events  # else what it did not tell at once it never tells
    if not passing.contested:
        seen.reader.missing += keeps_events
        seen.reader.unseen += not keeps_events
    if passing.counted_for is None:
        seen.passing = Passing()
    else:
        join(seen, entry, "", "")


TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "shuffler-status-heard": figures_heard,
    "card-counted-out": counted,
    "card-counted-in": counted,
    "shuffler-jammed": jammed,
    "jam-path-cleared": counted,
    "jam-released": counted,
    "card-retried": counted,
    "lid-opened": lid_opened,
    "lid-closed": counted,
    "shuffler-recounted": counted,
    "shuffler-started": counted,
    "card-read": card_read,
    "reader-status-heard": reader_heard,
}
