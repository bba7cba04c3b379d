"""How starts, devices that come and go, and timers move the observer's picture (DESIGN 3.7, 3.10, 3.11)."""

from collections.abc import Callable
from typing import Final

from simulators.oracles import picture_cards
from simulators.oracles.course import Reader
from simulators.oracles.export_reader import Entry, is_whole
from simulators.oracles.machine import JAMS, SPAN, Status, status_in
from simulators.oracles.picture_cards import heard, join_over
from simulators.oracles.seen import NOTHING_LOADED, Seen


def started(seen: Seen, entry: Entry) -> None:
    """A start: no device has answered, and only of the dealer it is known that he is here."""
    for person in seen.people.all_but_the_dealer():
        seen.leave(entry, person)
    seen.devices.all_gone()
    if any(str(finding).startswith(("damage-sealed", "behind-mark")) for finding in entry.items("findings")):
        for trouble in seen.troubles.standing:
            trouble.may_be_over = True
    may_have_passed = seen.owed() is not None or seen.round.step in {"dealing", "playing"}
    if not seen.needed and may_have_passed:  # people alone say what was dealt, and nobody could be told
        seen.raise_("count", entry, needs_count=True)
    if seen.session.step == "closed":
        seen.book.others_outside(seen.figures.cards)


def journal_failed(seen: Seen, entry: Entry) -> None:
    seen.journal_fails = True
    seen.raise_("journal-fault", entry)


def journal_restored(seen: Seen, _entry: Entry) -> None:
    seen.journal_fails = False


# --- any device


def connected(seen: Seen, entry: Entry) -> None:
    """A device has answered. Another one, or one that has lost its power, is something that people must see."""
    device = entry.text("device")
    link = seen.devices.links[device]
    link.awaited = 0
    version = f"{entry.text('model')} {entry.text('firmware')}"
    is_other_version = link.version not in {"", version} and entry.body.get("approved") is not True
    link.version = version
    is_first = seen.devices.last_taken(device)[0] != entry.number("boot")
    rebooted = link.boot not in {0, entry.number("boot")}
    replaced = link.serial not in {"", entry.text("serial")}
    link.connected, link.serial, link.boot = True, entry.text("serial"), entry.number("boot")
    link.keeps_events = entry.body.get("keeps_events") is not False
    _spare_has_come(seen, device, entry.text("serial"))
    if (rebooted or replaced) and seen.matters(device):
        seen.raise_("device-lost", entry, device)
    if is_other_version and not replaced and device in seen.needed:
        seen.raise_("device-lost", entry, device)
    passages = entry.body.get("passages")
    if device == "shoe" and not replaced and _lower(seen.reader.passages, passages) and seen.matters("shoe"):
        seen.raise_("count", entry, needs_count=True)
    if device == "shoe" and (is_first or rebooted or replaced):
        seen.reader = Reader(passages if is_whole(passages) else None, unseen=seen.reader.unseen)
    if device == "shoe" and not seen.figures.has_shuffler:
        _shoe_connected(seen, entry, replaced=replaced)
    status = status_in(entry.part("shuffler"))
    if status is not None:
        _shuffler_connected(seen, entry, status, replaced=replaced)
    seen.passing.begin_anew(entry.table_ms)


def _lower(before: int | None, now: object) -> bool:
    return before is not None and is_whole(now) and 0 < (before - now) % SPAN < SPAN // 2


def awaited(seen: Seen, entry: Entry) -> None:
    """It has made events that should have come, and have not."""
    seen.devices.links[entry.text("device")].awaited = entry.number("last")


def _spare_has_come(seen: Seen, device: str, serial: str) -> None:
    """The one spare device that was ruled is here: nobody waits for another in the place of other devices."""
    awaited = [one.instead_of for one in seen.troubles.standing if one.device == device and one.instead_of]
    if any(number != serial for number in awaited):
        for trouble in seen.troubles.standing:
            trouble.instead_of = trouble.instead_of if trouble.device == device else ""


def _shoe_connected(seen: Seen, entry: Entry, *, replaced: bool) -> None:
    """One that has forgotten its number, or another one, proves nothing of the cards in it (DESIGN 3.4, 4)."""
    knows = entry.body.get("passages") is not None or not seen.devices.links["shoe"].keeps_events
    if knows and not replaced:
        return
    seen.shoe.filled_at = None
    if seen.session.step not in NOTHING_LOADED:
        seen.raise_("count", entry, needs_count=True)


def _shuffler_connected(seen: Seen, entry: Entry, status: Status, *, replaced: bool) -> None:
    """The figures of another one are where the book begins; so are, with nothing loaded, those made anew."""
    shuffler, is_empty = seen.devices.shuffler, seen.session.step in NOTHING_LOADED
    is_other = replaced or shuffler.status is None
    is_lower = shuffler.has_shown_more(status)
    if is_other or (is_empty and not status.counts_known):
        shuffler.begin_at(status)
        shuffler.newest = status.cards_in, status.cards_out
        if is_other or is_lower or not status.jammed:
            shuffler.jams_seen = (status.jams - status.jammed) % JAMS
    elif is_lower:
        picture_cards.went_back(seen, entry, status)
    if not is_empty and (replaced or not status.counts_known):
        seen.raise_("count", entry, needs_count=True)
    heard(seen, entry, status)


def lost(seen: Seen, entry: Entry) -> None:
    """A device does not answer, or another one than the table's does."""
    _lost(seen, entry, entry.text("device"))


def _lost(seen: Seen, entry: Entry, device: str) -> None:
    seen.devices.links[device].connected = False
    if seen.matters(device):
        seen.raise_("device-lost", entry, device)


def missed(seen: Seen, entry: Entry) -> None:
    """Events are gone that nobody will send again."""
    seen.devices.miss(entry)
    if entry.text("device") == "shoe":
        seen.reader.passages = None
    by_hand = entry.text("device") == "shoe" and seen.session.step in {"taking-out", "unloading"}
    if seen.session.step not in NOTHING_LOADED and seen.matters(entry.text("device")) and not by_hand:
        seen.raise_("count", entry, needs_count=True)


def removed(seen: Seen, entry: Entry) -> None:
    """Somebody is not among the casino's people any more."""
    seen.leave(entry, entry.number("person"))


def unseen(seen: Seen, entry: Entry) -> None:
    """Nobody heard the reader; where the shuffler knows its counts, they say how many cards there were."""
    status = seen.devices.shuffler.status
    is_proved = status is not None and status.counts_known
    if seen.session.step not in NOTHING_LOADED and seen.matters(entry.text("device")) and not is_proved:
        seen.raise_("count", entry, needs_count=True)


def reader_to_be_looked_at(seen: Seen, entry: Entry) -> None:
    """The reader began anew by itself, or somebody changed its settings."""
    seen.devices.take(entry)
    if seen.matters("shoe"):
        seen.raise_("device-lost", entry, "shoe")


def reversed_(seen: Seen, entry: Entry) -> None:
    """A card has gone backwards past the reader."""
    seen.devices.take(entry)
    if seen.session.step not in NOTHING_LOADED and seen.matters("shoe"):
        seen.raise_("unexpected-card", entry, "shoe", needs_count=True)


def numbered(seen: Seen, entry: Entry) -> None:
    """An event that moves nothing but its number."""
    seen.devices.take(entry)


# --- timers


def timer_fired(seen: Seen, entry: Entry) -> None:
    timer = entry.text("timer")
    if timer in _TIMERS:
        _TIMERS[timer](seen, entry)


def _counts_over(seen: Seen, entry: Entry) -> None:
    seen.raise_("count", entry, needs_count=seen.session.step != "closed")


def duty_arose(seen: Seen, entry: Entry) -> None:
    seen.duties.append(str(entry.body["kind"]))


def _presence_over(seen: Seen, entry: Entry) -> None:
    for person in seen.people.lapsed(entry.table_ms):
        seen.leave(entry, person)


def _devices_over(seen: Seen, entry: Entry) -> None:
    for device in seen.needed:
        if not seen.devices.links[device].connected:
            _lost(seen, entry, device)


_TIMERS: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    "join": join_over,
    "counts": _counts_over,
    "presence": _presence_over,
    "devices": _devices_over,
}

TAKES: Final[dict[str, Callable[[Seen, Entry], None]]] = {
    **picture_cards.TAKES,
    "controller-started": started,
    "journal-failed": journal_failed,
    "journal-restored": journal_restored,
    "device-connected": connected,
    "device-lost": lost,
    "device-refused": lost,
    "events-missed": missed,
    "events-awaited": awaited,
    "person-removed": removed,
    "duty-arose": duty_arose,
    "reader-error-raised": numbered,
    "reader-error-cleared": numbered,
    "cards-may-have-passed": unseen,
    "reader-restarted": reader_to_be_looked_at,
    "preset-changed": reader_to_be_looked_at,
    "card-reversed": reversed_,
    "device-started": numbered,
    "display-faulted": numbered,
    "display-status-heard": lambda _seen, _entry: None,  # the sign moves nothing
    "timer-fired": timer_fired,
}
