"""What a status shows must follow from the journal: holds, places, next card, duties; refusals change nothing."""

import pytest

from simulators.oracles.procedure import check_export
from simulators.oracles.sightings import SIGHT_RULES, SeenHold, Sighting, sighting_in
from tests.oracles.evening import CHIEF, DEALER, FIGURES, Evening
from tests.oracles.recorded import RecordedTable

PLACES = {"outside": 0, "inside": 47, "rack": 1, "table": 4, "pending": 0, "jammed": 0, "in_hand": 0}


def evening() -> Evening:
    """A jam while seat 1's further card is owed, after a damaged card was replaced."""
    made = Evening().in_play().deal(1).act("report-damaged-card", DEALER, card="9D").attend(1)
    made.act("replace-card", CHIEF, replacement="9D").confirm(1).act("draw-card", DEALER, seat=1)
    return made.jam(cards=0)


RIGHT = Sighting(
    seq=evening().seq,
    holds=(SeenHold(2, "jam", "shuffler"),),
    session="in-play",
    round="playing",
    owed=("seat", 1),
    owed_is_known=True,
    counts=PLACES,
    duties=("report-damaged-card",),
    tally={"rounds": 0, "drawn": 5, "burned": 1, "of-which-nobody-knows": 9},
)

WRONG = {
    "holds stand": (
        RIGHT._replace(holds=()),
        RIGHT._replace(holds=(SeenHold(2, "jam", None),)),
        RIGHT._replace(holds=(SeenHold(2, "lid", "shuffler"),)),
    ),
    "places agree": (RIGHT._replace(counts=PLACES | {"table": 5, "inside": 46}), RIGHT._replace(counts={})),
    "next card is in order": (RIGHT._replace(owed=("bank", 0)), RIGHT._replace(owed=None)),
    "steps agree": (RIGHT._replace(round="settled"), RIGHT._replace(session="closing")),
    "duties are open": (RIGHT._replace(duties=()), RIGHT._replace(duties=("report-irregular-closing",))),
    "tally agrees": (RIGHT._replace(tally={"drawn": 6}), RIGHT._replace(tally={"burned": 2})),
}


def rules(*sightings: Sighting, of: Evening | None = None) -> list[str]:
    return [violation.rule for violation in check_export((of or evening()).export(), FIGURES, sightings)]


def test_a_true_sighting() -> None:
    assert rules(RIGHT) == []
    assert rules(Sighting(RIGHT.seq)) == []


@pytest.mark.parametrize(("rule", "wrong"), [(rule, one) for rule, some in WRONG.items() for one in some])
def test_a_false_sighting(rule: str, wrong: Sighting) -> None:
    assert rules(wrong) == [rule]


def test_every_rule_of_sightings_can_fail() -> None:
    assert [rule.name for rule in SIGHT_RULES] == list(WRONG)


def test_while_something_waits_nothing_is_said() -> None:
    assert rules(RIGHT._replace(holds=(), waiting=1)) == []


def test_a_hold_that_vanished() -> None:
    """It was shown, people never ended it, and it is not shown any more: even where no entry explains it."""
    made = Evening().in_play().act("sign-in", CHIEF, operation="hold").act("sign-out", CHIEF)
    shown = Sighting(made.seq - 1, holds=(SeenHold(1, "lid", "shuffler"),))
    assert rules(shown, of=made) == []
    assert rules(shown, Sighting(made.seq, holds=()), of=made) == ["holds stand"]


def test_each_seat_s_complaint_is_shown() -> None:
    made = Evening().in_play().deal(1, 3)
    for seat in (1, 3, 3):
        made.act("record-complaint", DEALER, seat=seat)
    both = Sighting(made.seq, holds=(SeenHold(1, "complaint"), SeenHold(2, "complaint")))
    assert rules(both, of=made) == []
    assert rules(both._replace(holds=(SeenHold(2, "complaint"),)), of=made) == ["holds stand"]
    made.act("decide-complaint", CHIEF, upheld=True)
    assert rules(both, Sighting(made.seq, holds=(SeenHold(2, "complaint"),)), of=made) == []


def test_a_hold_that_people_ended() -> None:
    made = Evening().in_play().add("device-lost", {"device": "shoe", "reason": "port-lost"})
    shown = Sighting(made.seq, holds=(SeenHold(1, "device-lost", "shoe"),))
    made.connect().attend(1).clear(1).confirm(1)
    assert rules(shown, Sighting(made.seq, holds=()), of=made) == []


def test_the_deal_goes_in_order() -> None:
    """Bets on 5 and 2: seat 2 first, the bank's second card last and face down."""
    made = Evening().in_play().announced(5, 2)
    owed = []
    for _ in range(5):
        owed.append(made.seq)
        made.draw("9D")
    owed.append(made.seq)
    order = [("seat", 2), ("seat", 5), ("bank", 0), ("seat", 2), ("seat", 5), ("hole", 0)]
    sightings = [Sighting(at, owed=card, owed_is_known=True) for at, card in zip(owed, order, strict=True)]
    assert rules(*sightings, of=made) == []
    assert rules(sightings[0]._replace(owed=("seat", 5)), of=made) == ["next card is in order"]


def test_a_refusal_changes_nothing() -> None:
    made = Evening().in_play()
    before = Sighting(made.seq, digest="a" * 64)
    made.refused("draw-card", DEALER, "round_is_at_this_step", "pt.bj.18c", seat=1)
    made.add("pin-refused", {"person": 21, "act": "sign-in"})
    after = Sighting(made.seq, digest="b" * 64)
    assert rules(before, after, of=made) == ["refusal changes nothing"]
    assert rules(before, after._replace(digest="a" * 64), of=made) == []


def test_an_act_in_between_may_change_something() -> None:
    made = Evening().in_play()
    before = Sighting(made.seq, digest="a" * 64)
    made.act("sign-in", CHIEF, operation="hold")
    assert rules(before, Sighting(made.seq, digest="b" * 64), of=made) == []


def test_numbers_told_by_a_status_join_acts_and_holds() -> None:
    """Two stand; a status says which number is whose, against the order in which they came."""
    made = Evening().in_play().add("journal-failed", {"reason": "full"}).add("journal-restored", {})
    made.add("device-lost", {"device": "shoe", "reason": "port-lost"})
    shown = Sighting(made.seq, holds=(SeenHold(8, "device-lost", "shoe"), SeenHold(9, "journal-fault")))
    made.attend(9).clear(9)
    assert rules(shown, of=made) == []
    assert rules(shown, of=made.attend(8).clear(8)) == ["device is there"]


def test_a_status_document_is_read() -> None:
    document = {
        "session": "in-play",
        "round": "idle",
        "owed": {"purpose": "burn", "seat": None},
        "holds": [{"id": "H7", "kind": "jam", "device": "shuffler"}, {"id": "?", "kind": "count", "device": None}],
        "counts": {"inside": 51, "total": 52},
        "duties": [{"id": "D1", "kind": "report-damaged-card"}],
        "tally": {"rounds": 3},
        "journal": {"seq": 12, "waiting": 2},
        "state_digest": "ab",
    }
    assert sighting_in(document) == Sighting(
        seq=12,
        holds=(SeenHold(7, "jam", "shuffler"), SeenHold(0, "count")),
        waiting=2,
        session="in-play",
        round="idle",
        owed=("burn", None),
        owed_is_known=True,
        counts={"inside": 51, "total": 52},
        duties=("report-damaged-card",),
        tally={"rounds": 3},
        digest="ab",
    )
    assert sighting_in({"owed": None, "session": "closed", "round": "idle"}).owed is None


def test_the_states_of_the_real_core_are_true_sightings() -> None:
    table = RecordedTable()
    table.open()
    table.deal(3, 1)
    table.finish_round()
    table.close()
    assert check_export(table.export(), table.figures(), table.sightings) == []
