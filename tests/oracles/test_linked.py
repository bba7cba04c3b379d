"""The oracle of a linked pool: the sign shows the floor's last amount, and each hit is paid by two people."""

import pytest

from simulators.oracles.export_entries import Entry, Refusal
from simulators.oracles.linked import cents_on_sign, unpaid

POOL = {"pool": "gold", "currency": "EUR"}


def entry(seq: int, kind: str, refusal: Refusal | None = None, **body: object) -> Entry:
    return Entry(seq, 1, seq, seq, True, seq, kind, body, None, refusal, "")


def start(sign: str) -> Entry:
    return entry(1, "controller-started", setup={"linked": {"pool": "gold", "sign": sign}})


def heard(seq: int, micro: int, *hits: int) -> Entry:
    decided = [{"epoch": 1, "seq": hit, "micro": 9} for hit in hits]
    return entry(seq, "linked-pool-heard", micro=micro, number=seq, hits=decided)


def hit(seq: int) -> Entry:
    return entry(seq, "linked-told", linked_hits=[POOL])


def pays(seq: int, seat: int, person: int, refusal: Refusal | None = None) -> Entry:
    return entry(seq, "pay-linked-prize", refusal, seat=seat, person=person, role="dealer")


def test_a_sign_shows_the_floors_last_amount_in_whole_cents_or_the_tables_own_pool() -> None:
    said = [heard(2, 1_000_000), heard(3, 1_259_999)]
    assert cents_on_sign([start("linked"), *said]) == 125
    assert cents_on_sign([start("own"), *said]) is None
    assert cents_on_sign([start("linked")]) is None


PAID = [hit(2), heard(3, 1, 2), pays(4, 7, 11), pays(5, 7, 21)]
TWICE = [*PAID, hit(6), heard(7, 1, 2, 6), pays(8, 3, 11), pays(9, 3, 21)]


@pytest.mark.parametrize("entries", [[], PAID, TWICE, [hit(2), entry(3, "release-linked-hit", reference="x")]])
def test_a_hit_that_is_paid_or_released_is_right(entries: list[Entry]) -> None:
    assert list(unpaid(entries)) == []


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        ([PAID[0]], "the hit of entry 2 has no amount"),
        (PAID[:2], "the hit of entry 2 is not paid by two people"),
        (PAID[:3], "the hit of entry 2 is not paid by two people"),
        ([*PAID[:3], pays(5, 6, 21)], "the hit of entry 2 is not paid by two people"),
        ([*PAID[:3], pays(5, 7, 21, Refusal("x", None, "x"))], "the hit of entry 2 is not paid by two people"),
        (TWICE[:6], "the hit of entry 6 is not paid by two people"),
    ],
)
def test_a_hit_without_an_amount_or_its_payment_is_told(entries: list[Entry], says: str) -> None:
    assert list(unpaid(entries)) == [says]
