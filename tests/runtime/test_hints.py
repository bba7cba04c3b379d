"""Messages of a shoe about its own game that could reveal a face-down card are stored nowhere."""

import pytest

from controller.core.custody.reader import CardRead, ReaderNoted
from controller.core.engine.act import Fact
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import Device, TableMs
from controller.games.faces import Faces
from controller.games.intake import CARDS_OF_A_GAME, Intake
from drivers.events import AngelEyeStatus, CardsMayHavePassed, Reported, UnseenCause
from firmware_protocols.angel_eye.words import CardDrawn, ErrorRaised, GameEnded, Target, Telegram, Winner
from firmware_protocols.cards import card_byte
from tests.core.table import DEALER, CoreTable
from tests.runtime.bench import Bench

STATUS = AngelEyeStatus(None, None)
RESULT = GameEnded(Winner.BANKER, player_pair=False, banker_pair=False)
EIGHT = CardDrawn(card_byte("8S"), Target.PLAYER, 1)


class Reader:
    """A reader whose telegrams go, one after another, into the table's intake."""

    def __init__(self, state: BlackjackState, faces: Faces) -> None:
        self._state = state
        self._intake = Intake(faces)
        self._number = state.devices.reader.link.taken

    def says(self, telegram: Telegram) -> Fact | None:
        """Sends a telegram. Returns the fact that the table makes of it; None where the table does not use it."""
        self._number += 1
        event = Reported(1 << 32, self._number, telegram, STATUS)
        return (
            None
            if self._intake.reveals_hidden_card(event)
            else self._intake.fact(Device.SHOE, event, self._state, self._state, TableMs(0))
        )

    def misses(self) -> None:
        """Loses some telegrams on the way."""
        self._intake.fact(Device.SHOE, CardsMayHavePassed(UnseenCause.GAP, 1), self._state, self._state, TableMs(0))


@pytest.fixture
def reader() -> Reader:
    table = CoreTable()
    table.open()
    table.act(TakeBets, DEALER, seats=(1, 3))
    table.act(AnnounceNoMoreBets, DEALER)
    return Reader(table.state, Bench().runtime._side._faces)


def test_a_card_that_nobody_saw_ends_it_too(reader: Reader) -> None:
    for _ in range(CARDS_OF_A_GAME):
        reader.says(EIGHT)
    reader.misses()
    assert reader.says(RESULT) is None


def told(fact: Fact | None) -> str | None:
    assert isinstance(fact, CardRead | ReaderNoted)
    return fact.told


def test_nothing_is_told_until_every_card_of_a_game_lay_face_up(reader: Reader) -> None:
    for _ in range(CARDS_OF_A_GAME - 1):
        assert told(reader.says(EIGHT)) is None
        assert reader.says(RESULT) is None
    assert told(reader.says(EIGHT)) == "player 1"
    assert told(reader.says(RESULT)) == "banker 00"


def test_a_card_without_a_face_ends_it(reader: Reader) -> None:
    for _ in range(CARDS_OF_A_GAME):
        reader.says(EIGHT)
    assert told(reader.says(RESULT)) == "banker 00"
    assert told(reader.says(ErrorRaised(1, halted=True))) is None
    assert reader.says(RESULT) is None


def test_a_result_that_could_betray_stands_neither_in_the_journal_nor_in_the_log() -> None:
    runtime = Bench().runtime
    runtime.log.drain()
    waiting = runtime.ledger.waiting
    report, budget = Reported(1 << 32, 1, RESULT, STATUS), runtime.devices.recorded[Device.SHOE]
    runtime._take(Device.SHOE, report, budget, 1.0)
    assert runtime.ledger.waiting == waiting
    assert runtime.log.drain() == ()
