"""Rules about the journal itself: its numbers, times, starts, device events and refusals (DESIGN 3.4, 3.5, 3.10)."""

from typing import Final

from simulators.oracles.export_entries import Entry
from simulators.oracles.rule import EVERY_KIND, Rule, on
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding

_NS: Final = 1_000_000
_ROUNDING_MS: Final = 2


def _number_follows(seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if the number of this entry does not follow the last number. An export may leave out entries if
    it says so.
    """
    if entry.seq == seen.seq + 1 or entry.seq in seen.resumed_at:
        return None
    return Finding(f"number {entry.seq}", f"{seen.seq + 1}")


def _table_time_grows(seen: Seen, entry: Entry) -> Finding | None:
    before = seen.last.table_ms if seen.last else 0
    return None if entry.table_ms >= before else Finding(f"table time {entry.table_ms}", f"{before} or later")


def _table_time_is_no_clock(seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if table time and monotonic clock have advanced differently since the last entry of the same
    start.

    The wall clock may change at will.
    """
    last = seen.last
    if last is None or last.boot != entry.boot:
        return None
    by_table, by_clock = entry.table_ms - last.table_ms, (entry.mono_ns - last.mono_ns) / _NS
    if abs(by_table - by_clock) <= _ROUNDING_MS:
        return None
    return Finding(f"{by_table} ms of table time", f"{by_clock:.0f} ms, by the monotonic clock")


def _table_time_stands_while_down(seen: Seen, entry: Entry) -> Finding | None:
    last = seen.last
    if last is None or last.boot == entry.boot or entry.table_ms - last.table_ms <= seen.figures.grace_ms:
        return None
    return Finding(f"table time {entry.table_ms} at the start", f"{last.table_ms}, as before it")


def _start_comes_first(seen: Seen, entry: Entry) -> Finding | None:
    is_first, is_start = entry.boot != seen.boot, entry.kind == "controller-started"
    if is_first == is_start:
        return None
    return Finding(f"{entry.kind} in start {entry.boot}", "controller-started, once, as the first entry of a start")


def _start_is_a_new_one(seen: Seen, entry: Entry) -> Finding | None:
    if entry.boot > seen.boot and entry.number("start_number") == entry.boot:
        return None
    return Finding(f"start {entry.number('start_number')} in entries of start {entry.boot}", f"one above {seen.boot}")


def _setup_is_the_profile(seen: Seen, entry: Entry) -> Finding | None:
    found, bound = entry.part("setup"), seen.figures.setup
    wrong = [name for name in sorted(bound.keys() | found.keys()) if found.get(name) != bound.get(name)]
    if not wrong:
        return None
    return Finding(f"{ {name: found.get(name) for name in wrong} }", f"{ {name: bound.get(name) for name in wrong} }")


def _event_taken_once(seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if a device event has no higher boot and number than the last recorded event of its device."""
    if entry.source is None:
        return None
    found = entry.source.device_boot, entry.source.event_number
    last = seen.devices.last_taken(entry.source.device)
    if found > last:
        return None
    return Finding(
        f"{entry.source.device} boot {found[0]} event {found[1]}", f"one after boot {last[0]} event {last[1]}"
    )


def _no_event_skipped(seen: Seen, entry: Entry) -> Finding | None:
    if entry.source is None:
        return None
    boot, number = seen.devices.last_taken(entry.source.device)
    keeps_events = seen.devices.links[entry.source.device].keeps_events
    if boot != entry.source.device_boot or not keeps_events or entry.source.event_number <= number + 1:
        return None
    return Finding(f"event {entry.source.event_number}", f"{number + 1}, or an entry that says it was missed")


def _only_what_was_not_taken_is_missed(seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if the entry reports a device event as missed although an earlier entry has recorded that
    event.
    """
    device = entry.text("device")
    boot, number = seen.devices.last_taken(device)
    if boot != seen.devices.links[device].boot or entry.number("first") > number:
        return None
    return Finding(f"event {entry.number('first')} said to be missed", f"{number + 1} or later: that one was taken")


def _source_is_the_bodys(_seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if the device event's origin in the entry differs from its origin in the entry's body."""
    named, source = entry.part("source"), entry.source
    inner = (named.get("boot"), named.get("number")) if named else None
    outer = (source.device_boot, source.event_number) if source else None
    return None if inner == outer else Finding(f"source {outer}", f"{inner}, as in the event")


def _only_acts_are_refused(_seen: Seen, entry: Entry) -> Finding | None:
    if entry.refusal is None:
        return None
    if entry.number("person") > 0 and entry.refusal.reason and entry.refusal.rule:
        return None
    return Finding(f"{entry.kind} refused for {entry.refusal.reason!r}", "an act, with reason and rule")


def _act_has_a_person(_seen: Seen, entry: Entry) -> Finding | None:
    if not entry.is_act or (entry.number("person") > 0 and entry.text("role")):
        return None
    return Finding(f"{entry.kind} by {entry.body.get('person')}", "a person's number and role")


RECORD_RULES: Final = (
    Rule("number follows", "DESIGN 3.5", EVERY_KIND, _number_follows, refused_too=True),
    Rule("table time grows", "DESIGN 3.10", EVERY_KIND, _table_time_grows, refused_too=True),
    Rule("table time is no wall clock", "DESIGN 3.10", EVERY_KIND, _table_time_is_no_clock, refused_too=True),
    Rule("table time stands while down", "DESIGN 3.10", EVERY_KIND, _table_time_stands_while_down, refused_too=True),
    Rule("start comes first", "DESIGN 3.4", EVERY_KIND, _start_comes_first, refused_too=True),
    Rule("start is a new one", "DESIGN 3.10", on("controller-started"), _start_is_a_new_one),
    Rule("setup is the profile's", "pt.bj.3a", on("controller-started"), _setup_is_the_profile),
    Rule("event taken once", "DESIGN 3.4", EVERY_KIND, _event_taken_once),
    Rule("no event skipped", "DESIGN 4", EVERY_KIND, _no_event_skipped),
    Rule("missed is what was not taken", "DESIGN 3.4", on("events-missed"), _only_what_was_not_taken_is_missed),
    Rule("source is the event's", "DESIGN 3.4", EVERY_KIND, _source_is_the_bodys),
    Rule("only acts are refused", "DESIGN 3.2", EVERY_KIND, _only_acts_are_refused, refused_too=True),
    Rule("act has a person", "DESIGN 3.13", EVERY_KIND, _act_has_a_person, refused_too=True),
)
