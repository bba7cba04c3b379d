"""The table of refusals: each refusal alone, their order, and the way back, which only needs two people."""

from itertools import combinations

import pytest
from msgspec.structs import replace

from controller.core.words import Role
from controller.journal.root import Release, newest_said, read_release, root_finding
from controller.update.decision import NEEDED, Card, Offer, Refusal, may_be_installed, may_be_offered, may_go_back

OLD, NOW, NEW = (Release(20261100000000 + day, 1_764_000_000) for day in (1, 2, 3))
OFFER = Offer("sabot-table-amd64", NEW, "")
CARD = Card("sabot-table-amd64", NOW, NOW, is_closed=True, is_on_trial=False)

WRONG = {
    Refusal.OTHER_MACHINE: (replace(OFFER, machine="sabot-table-arm64"), CARD),
    Refusal.NO_RELEASE: (replace(OFFER, release=None), CARD),
    Refusal.OLDER: (replace(OFFER, release=OLD), CARD),
    Refusal.ON_TRIAL: (OFFER, replace(CARD, is_on_trial=True)),
    Refusal.TABLE_OPEN: (OFFER, replace(CARD, is_closed=False)),
}


def test_a_newer_root_at_a_closed_table_may_be_let_in_by_the_two() -> None:
    assert may_be_offered(OFFER, CARD) is None
    assert may_be_installed(OFFER, CARD, NEEDED) is None


@pytest.mark.parametrize("refusal", WRONG)
def test_each_refusal_alone(refusal: Refusal) -> None:
    assert may_be_offered(*WRONG[refusal]) is refusal
    assert may_be_installed(*WRONG[refusal], NEEDED) is refusal


@pytest.mark.parametrize("signed", [frozenset(some) for size in range(len(Role)) for some in combinations(Role, size)])
def test_only_technician_and_chief_supervisor_together_let_it_in_or_go_back(signed: frozenset[Role]) -> None:
    refusal = None if signed >= NEEDED else Refusal.PEOPLE
    assert may_be_installed(OFFER, CARD, signed) is refusal
    assert may_go_back(signed) is refusal


def test_the_same_root_again_is_no_older_one() -> None:
    assert may_be_offered(replace(OFFER, release=NOW), CARD) is None


@pytest.mark.parametrize("seen", [NEW, Release(NOW.commit, NOW.packages + 1)])
def test_what_the_journal_has_seen_counts_after_a_way_back_too(seen: Release) -> None:
    """After a way back to the older root, a root between the two versions is refused."""
    card = replace(CARD, own=OLD, seen=seen)
    assert may_be_offered(replace(OFFER, release=NOW), card) is Refusal.OLDER


def test_a_start_carries_the_newest_release_on() -> None:
    said = root_finding(NEW, None)
    assert newest_said(("torn-tail", *said)) == NEW
    again = root_finding(OLD, newest_said(said))
    assert again == (f"root {OLD} newest {NEW}",)
    assert root_finding(None, newest_said(again)) == (f"root none newest {NEW}",)
    assert root_finding(None, None) == ()


@pytest.mark.parametrize("text", ["", "20261101000000", "20261101000000-", "2026110100000-1764000000", "x-1"])
def test_another_text_is_no_release(text: str) -> None:
    assert read_release(text) is None
    assert read_release(str(NOW)) == NOW
