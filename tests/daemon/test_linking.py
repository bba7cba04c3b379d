"""The uplink delivers the floor's statement: only statements about this pool count, each newer than the last."""

from typing import Final

import pytest
from msgspec.structs import replace

from controller.config.model import LinkedConfig
from controller.core.engine.act import Fact
from controller.core.house.linked_acts import DecidedHere, LinkedPoolHeard
from controller.core.jackpot_rules import parse_combination
from controller.core.linked_rules import LinkedRules
from controller.core.words import TableMs
from controller.daemon.linking import (
    NO_POOL,
    NOT_NEWER,
    NOT_READ,
    NOT_SIGNED,
    OTHER_CURRENCY,
    OTHER_POOL,
    TOO_SOON,
    Linking,
)
from controller.journal.linked import signed_pool
from controller.journal.note import KeyKind, NoteKey
from controller.journal.signing import Signer
from controller.protocol.linked import DecidedHit, PoolStatement, SignedPool
from controller.scenario.player import Player
from controller.scenario.table import make_table

FLOOR: Final = Signer(b"\7" * 32)
STATEMENT: Final = PoolStatement("gold", "EUR", 100, 1, 5_000_000_000, 0, 0, 20_000)


class Rig:
    """A linked table that records the statements of the floor that it accepts."""

    def __init__(self) -> None:
        combination = parse_combination("7-7-suited")
        assert combination is not None
        rules = LinkedRules("gold", "EUR", combination, 60_000)
        self.player = Player(replace(make_table("house", [("jackpot", "manual")]).setup, linked=rules))
        self.player.start()
        self.heard: list[Fact] = []
        config = LinkedConfig(rules, NoteKey("floor", KeyKind.COSIGNATURE, FLOOR.public_key))
        self.linking = Linking(
            config, "BJ-07", lambda: self.player.state, lambda: TableMs(self.player.now_ms), self._hear
        )

    def _hear(self, heard: LinkedPoolHeard) -> None:
        self.heard.append(heard)
        self.player.put(heard)

    def takes(self, statement: PoolStatement, signer: Signer = FLOOR) -> int | str:
        return self.linking.take(signed_pool(statement, signer))


@pytest.fixture
def rig() -> Rig:
    return Rig()


def test_the_floors_word_is_heard_with_the_hits_of_this_table_alone(rig: Rig) -> None:
    hits = (DecidedHit(1, "BJ-07", 1, 9, 7, 0), DecidedHit(2, "BJ-08", 1, 9, 8, 0))
    assert rig.linking.numbers() == {"gold": 0}
    assert rig.takes(replace(STATEMENT, hits=hits)) == 100
    assert rig.heard == [LinkedPoolHeard("gold", 100, 5_000_000_000, 20_000, (DecidedHere(1, 9, 7),))]
    assert rig.linking.numbers() == {"gold": 100}


@pytest.mark.parametrize(
    ("other", "refused"), [({"pool": "silver"}, OTHER_POOL), ({"currency": "USD"}, OTHER_CURRENCY)]
)
def test_another_pool_and_another_currency_are_not_heard(rig: Rig, other: dict[str, str], refused: str) -> None:
    assert rig.takes(replace(STATEMENT, **other)) == refused
    assert rig.heard == []


def test_another_key_a_changed_text_and_one_that_is_not_canonical_are_not_heard(rig: Rig) -> None:
    signed = signed_pool(STATEMENT, FLOOR)
    loose = signed.statement.replace(",", ", ")
    purpose = b"sabot pool statement 1\n"
    assert rig.takes(STATEMENT, Signer(b"\1" * 32)) == NOT_SIGNED
    assert rig.linking.take(SignedPool(signed.statement.replace("5000", "9000"), signed.signature)) == NOT_SIGNED
    for text in (loose, "{}"):
        assert rig.linking.take(SignedPool(text, FLOOR.sign(purpose + text.encode()))) == NOT_READ
    assert rig.linking.take(None) == NOT_READ
    assert rig.heard == []


def test_a_table_that_plays_for_none_hears_of_none(rig: Rig) -> None:
    plain = Player(make_table("house", [("jackpot", "manual")]).setup)
    linking = Linking(None, "BJ-07", lambda: plain.state, lambda: TableMs(0), rig.heard.append)
    assert linking.take(signed_pool(STATEMENT, FLOOR)) == NO_POOL
    assert (linking.numbers(), rig.heard) == ({}, [])


def test_a_number_that_goes_back_is_no_news(rig: Rig) -> None:
    rig.takes(STATEMENT)
    rig.player.wait(20_000)
    assert rig.takes(STATEMENT) == NOT_NEWER
    assert rig.takes(replace(STATEMENT, number=99)) == NOT_NEWER
    assert rig.takes(replace(STATEMENT, number=101)) == 101


def test_one_statement_in_a_fourth_of_the_bound_is_enough_unless_it_decides_a_hit_here(rig: Rig) -> None:
    rig.takes(STATEMENT)
    assert rig.takes(replace(STATEMENT, number=101)) == TOO_SOON
    decided = replace(STATEMENT, number=102, hits=(DecidedHit(1, "BJ-07", 1, 9, 7, 0),))
    assert rig.takes(decided) == 102
    assert rig.takes(replace(decided, number=103)) == TOO_SOON
    rig.player.wait(15_000)
    assert rig.takes(replace(decided, number=104)) == 104
