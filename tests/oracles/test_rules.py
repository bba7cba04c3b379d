"""Each rule of the monitor reports the smallest journal that breaks it, and no other rule does.

The worlds (tests/world) show that the monitor accepts lawful tables of every profile under any fault.
"""

from collections.abc import Callable

import pytest

from simulators.oracles.export_entries import Refusal, Source
from simulators.oracles.export_reader import Export
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import MOST_OF_A_RULE, RULES, check_export
from simulators.oracles.rules_holds import FORBIDDEN
from simulators.oracles.sightings import SeenHold
from tests.oracles.journal import CARDS, SETUP, Journal

JAM = SeenHold(1, "jam", "shuffler")


def held(kind: str, phase: str = "raised", device: str | None = None) -> SeenHold:
    return SeenHold(1, kind, device, phase)


def playing() -> Journal:
    return Journal().show()


def loading() -> Journal:
    """Returns the journal of a loading that a chief supervisor watches."""
    return (
        Journal().act("sign-in", "chief_supervisor", operation="loading").show(session="loading", inside=0, outside=312)
    )


def before_loading() -> Journal:
    return Journal().show(session="mixed", inside=0, outside=CARDS)


def jammed(phase: str = "attended") -> Journal:
    """Returns the journal of a jam that the machine has reported, and that was repaired without a count since."""
    evening = playing().shuffler("shuffler-jammed", jammed=True, path_blocked=True, jams=1)
    return evening.shuffler("jam-path-cleared", jammed=False, path_blocked=False).show(held("jam", phase, "shuffler"))


def counted() -> Journal:
    return jammed("cleared").shuffler("shuffler-recounted", recounts=1).show(held("jam", "cleared", "shuffler"))


def clear(evening: Journal) -> Journal:
    return evening.act("clear-hold", "chief_supervisor", hold=1)


def confirm(evening: Journal) -> Journal:
    return evening.act("confirm-hold", "chief_supervisor", hold=1)


def put_back(cause: str) -> Journal:
    """Returns a journal in which a ruling's last card goes into the feed, after which no ruling is open."""
    ruled = SeenHold(1, "ruling", cause=cause)
    evening = Journal().show(ruled, inside=CARDS - 1, rack=1)
    return evening.shuffler("card-counted-in", cards_in=1).show()


def test_the_last_card_back_ends_a_ruling_on_leftovers_and_no_other() -> None:
    assert "holds stand" not in put_back("leftovers").rules()
    assert "holds stand" in put_back("dispute").rules()


def test_lawful_journals_break_nothing() -> None:
    assert playing().rules() == set()
    assert confirm(counted()).show().act("take-bets", seats=[1]).show().rules() == set()
    assert clear(jammed()).show(held("jam", "cleared", "shuffler")).rules() == set()
    assert loading().act("begin-loading").act("open-packet", "chief_supervisor").rules() == set()
    lost = playing().add("device-lost", device="shoe", reason="silent").show(held("device-lost", device="shoe"))
    assert lost.connect("shoe", boot=3).show(held("device-lost", device="shoe")).rules() == set()
    assert playing().act("name-card", card="2C").show(digest="a").rules() == set()


# --- the record


def without_an_entry() -> Journal:
    evening = playing().act("take-bets", seats=[1])
    del evening.entries[1]
    return evening


def changed(at: int, **fields: object) -> Journal:
    evening = playing().act("take-bets", seats=[1]).shuffler("card-counted-out")
    evening.entries[at] = evening.entries[at]._replace(**fields)  # type: ignore[arg-type]
    return evening


def another_start(after_ms: int = 0, **fields: object) -> Journal:
    evening = playing().wait(after_ms)
    evening.boot = 2
    return evening.add("controller-started", **(dict(SETUP) | {"start_number": 2} | fields))


def missed_again() -> Journal:
    evening = playing().shuffler("card-counted-out").shuffler("card-counted-out")
    return evening.add("events-missed", device="shuffler", first=2, last=4)


RECORD: dict[str, Callable[[], Journal]] = {
    "number follows": without_an_entry,
    "table time grows": lambda: changed(3, table_ms=0),
    "table time is no wall clock": lambda: changed(3, table_ms=900),
    "table time stands while down": lambda: another_start(after_ms=60_000),
    "start comes first": lambda: playing().add("controller-started", **SETUP),
    "start is a new one": lambda: another_start(start_number=7),
    "setup is the profile's": lambda: another_start(setup={"decks": 8}),
    "event taken once": lambda: playing().shuffler("card-counted-out").shuffler("card-counted-out", number=1),
    "no event skipped": lambda: playing().shuffler("card-counted-out").shuffler("card-counted-out", number=3),
    "missed is what was not taken": missed_again,
    "source is the event's": lambda: changed(4, source=Source("shuffler", 7, 9)),
    "only acts are refused": lambda: changed(1, refusal=Refusal("why", None, "rule")),
    "act has a person": lambda: playing().add("take-bets", person=0, role="dealer"),
}

# --- people


def fed_alone(kind: str, session: str) -> Journal:
    evening = Journal().show(session=session, inside=0, outside=312).wait(400_000).show(session=session)
    return evening.shuffler(kind, cards_in=313, cards_out=1)


PEOPLE: dict[str, Callable[[], Journal]] = {
    "chief supervisor at loading": lambda: playing().act("begin-loading"),
    "chief supervisor at unloading": lambda: loading().act("begin-unloading"),
    "loading is watched": lambda: fed_alone("card-counted-in", "loading"),
    "unloading is watched": lambda: fed_alone("card-counted-out", "unloading"),
}

# --- holds


def under_an_open_lid() -> Journal:
    evening = playing().shuffler("lid-opened", lid_open=True).wait(60_000)
    return evening.add("timer-fired", timer="idle").show().act("take-bets", seats=[1])


def differing() -> Journal:
    """Returns the journal of a round in which the machine has one card less than the status for a minute."""
    evening = playing().shuffler(inside=311).show().add("timer-fired", timer="idle").show().wait(60_000)
    return evening.add("timer-fired", timer="idle")


def damaged() -> Journal:
    return playing().act("report-damaged-card", card="2C").show(held("damaged-card", "attended"))


def failing() -> Journal:
    return playing().add("journal-failed").show(held("journal-fault", "attended"))


def gone() -> Journal:
    evening = playing().add("device-lost", device="shoe", reason="silent")
    return evening.show(held("device-lost", "attended", "shoe"))


HOLDS: dict[str, Callable[[], Journal]] = {
    "path is clear": lambda: clear(jammed().shuffler(path_blocked=True)),
    "lid is closed": lambda: clear(jammed().shuffler(lid_open=True)),
    "jammed cards are stated": lambda: clear(jammed().show(held("jam", "attended"), inside=311, jammed=1)),
    "no card in hand": lambda: clear(jammed().show(held("jam", "attended"), inside=311, in_hand=1)),
    "machine runs again": lambda: confirm(counted().shuffler(jammed=True)),
    "cards are counted anew": lambda: confirm(jammed("cleared")),
    "counts are compared": lambda: confirm(counted().show(held("jam", "cleared"), inside=311, rack=1)),
    "device is there": lambda: clear(gone()),
    "journal is written": lambda: clear(failing()),
    "damaged card is replaced": lambda: clear(damaged()),
    "attended before it is cleared": lambda: clear(jammed("raised")),
    "cleared before it is confirmed": lambda: confirm(jammed("attended")),
    "difference is held": differing,
    "open lid is held": under_an_open_lid,
}

# --- rules between two sightings

SIGHTS: dict[str, tuple[Callable[[], Journal], ...]] = {
    "holds stand": (
        lambda: jammed().act("take-bets", seats=[1]).show(),
        lambda: playing().shuffler("shuffler-jammed", jammed=True).show(),
        lambda: playing().add("device-lost", device="shoe").show(),
        lambda: playing().connect("shoe", boot=4).show(),
        lambda: playing().add("events-missed", device="shuffler", first=1, last=3).show(),
        lambda: before_loading().shuffler("card-counted-in").show(session="mixed"),
    ),
    "nothing lies aside": (lambda: playing().show(inside=311, pending=1),),
    "every card is somewhere": (
        lambda: playing().show(inside=311),
        lambda: playing().show(inside=313).wait(60_000).add("pin-refused", person=11).show(inside=313),
        lambda: playing().act("confirm-irregular-closing", "room_manager").show(session="checking", inside=0, rack=311),
    ),
    "refusal changes nothing": (
        lambda: playing().show(digest="a").add("pin-refused", person=11).show(digest="b"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rule", "make"), (RECORD | PEOPLE | HOLDS).items(), ids=RECORD | PEOPLE | HOLDS)
def test_a_broken_rule_is_told(rule: str, make: Callable[[], Journal]) -> None:
    assert rule in make().rules()


@pytest.mark.parametrize("rule", SIGHTS)
def test_what_two_sightings_show_is_told(rule: str) -> None:
    for make in SIGHTS[rule]:
        assert rule in make().rules()


@pytest.mark.parametrize(("kind", "acts"), [(kind, acts) for kind, _clause, acts in FORBIDDEN])
def test_what_waits_for_the_end_of_a_hold(kind: str, acts: frozenset[str]) -> None:
    for act in acts:
        assert f"waits for the end of {kind}" in playing().show(held(kind)).act(act).rules(), act
    assert f"waits for the end of {kind}" not in playing().show(held(kind)).act("sign-out").rules()


def test_a_replaced_card_clears_its_hold() -> None:
    replaced = damaged().act("replace-card", "chief_supervisor", replacement="2C")
    assert confirm(replaced).rules() == set()


def test_what_does_not_wait() -> None:
    """A lost reader stops no unloading, and after an irregular closing people take the cards out."""
    assert not any("waits" in rule for rule in gone().act("begin-unloading").rules())
    closed = jammed().act("confirm-irregular-closing", "room_manager").show(JAM, session="unloading")
    assert not any("waits" in rule for rule in closed.act("complete-unloading").rules())


def test_every_rule_is_broken_here() -> None:
    waits = {f"waits for the end of {kind}" for kind, _clause, _acts in FORBIDDEN}
    assert {rule.name for rule in RULES} == (RECORD | PEOPLE | HOLDS).keys() | waits


def test_a_hold_is_followed_to_its_end() -> None:
    """A device's report ends no hold; the end of a session ends those of its cards, and not those of its machine."""
    both = (held("jam", "attended", "shuffler"), SeenHold(2, "complaint"))
    closed = jammed().show(*both).act("confirm-deck-check").show(both[0], session="closed", inside=0, outside=CARDS)
    assert "holds stand" not in closed.rules()
    closed.show(session="closed", inside=0, outside=CARDS)
    assert "holds stand" in closed.rules()


def test_a_rule_is_told_a_few_times_only() -> None:
    evening = playing()
    for _ in range(MOST_OF_A_RULE + 3):
        evening.act("begin-loading")
    found = check_export(Export(entries=evening.entries), figures_bound_by(evening.entries[0]))
    assert len(found) == MOST_OF_A_RULE
