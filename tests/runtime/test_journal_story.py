"""`sabot journal show --story`: beginning and end of a round's story, the owners of the cards, and people's words."""

from dataclasses import dataclass
from pathlib import Path
from typing import get_type_hints

import pytest
from msgspec.structs import replace

from controller.catalogue import Language
from controller.clauses.register import GAME_ROWS, GameRows
from controller.cli.main import main
from controller.core.custody.closing import BeginUnloading, CompleteUnloading
from controller.core.custody.deck_check import ConfirmDeckCheck, EnterCards
from controller.core.custody.putting_back import CollectCards, LeaveInRack
from controller.core.custody.state import DECK
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import IndicateClosing
from controller.core.words import Device, Operation
from controller.journal.approval import Approval
from controller.journal.entry import EntryRefusal
from controller.record import story
from controller.record.findings import found_at_start
from controller.runtime.boot import begin, inspect_journal
from simulators.disk import MemoryStorage
from tests.runtime.bench import BINDING, CHIEF, DEALER, SETUP, Bench
from tests.runtime.keep import evening
from tests.runtime.shown import documents, heard, shown, with_one_more, written

SEGMENT = "00000001.segment"
SEEN = ("2C", "3C", "4C", "5C", "6C")
"""The cards in the rack after the burn and one round."""


def one_round(bench: Bench) -> None:
    """Plays a whole round; its cards stay in the rack."""
    bench.deal()
    for act in (TurnHoleCard, ConfirmSettled, CollectCards, LeaveInRack):
        bench.act(act, DEALER)


def closed(bench: Bench) -> None:
    """Closes the session, up to the deck check."""
    bench.act(IndicateClosing, DEALER)
    bench.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    bench.act(BeginUnloading, DEALER)
    for card in (card for card in DECK if card not in SEEN):
        bench.shuffler.card_out(bench.now_s)
        bench.shoe.card_passed(card, bench.now_s)
        bench.run(0.05)
    bench.run(0.2)
    bench.act(CompleteUnloading, DEALER)
    bench.act(EnterCards, DEALER, cards=SEEN)
    bench.act(ConfirmDeckCheck, DEALER)


@pytest.fixture(scope="session")
def two_sessions() -> MemoryStorage:
    """Plays two sessions with a round each, and returns the disk."""
    bench = Bench()
    bench.play()
    one_round(bench)
    closed(bench)
    bench.play()
    one_round(bench)
    return bench.storage


def test_a_story_is_of_one_session(
    two_sessions: MemoryStorage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(two_sessions, tmp_path / "journal")
    assert main(["journal", "show", path, "--round", "1", "--story"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "1, 2. Say which with --session N" in told.err
    assert {one["session"] for one in documents(capsys, path, "--session", "2", "--round", "1", "--story")} == {2}


def test_a_story_ends_with_its_round(
    two_sessions: MemoryStorage, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(two_sessions, tmp_path / "journal")
    kinds = [one["kind"] for one in documents(capsys, path, "--session", "1", "--round", "1", "--story")]
    assert (kinds[0], kinds[-1]) == ("take-bets", "leave-in-rack")
    every = [one["kind"] for one in documents(capsys, path, "--session", "1", "--round", "1")]
    assert "confirm-deck-check" in every
    assert main(["journal", "show", path, "--session", "1", "--round", "0", "--story"]) == 1
    assert capsys.readouterr().out == ""


def test_cards_that_are_put_back_are_of_the_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(evening(), tmp_path / "journal")
    kinds = [one["kind"] for one in documents(capsys, path, "--round", "1", "--story")]
    assert kinds[-2:] == ["card-counted-in", "card-counted-in"]


@dataclass
class WithoutReader(Bench):
    """A table without a reader at which people name no cards."""

    def start(self) -> None:
        self.setup = replace(SETUP, has_reader=False)
        self.peers.pop(Device.SHOE, None)
        super().start()

    def draw(self, card: str | None) -> None:
        assert card is None
        self.shuffler.card_out(self.now_s)
        self.run(0.2)


def test_whose_a_card_is_that_nobody_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = WithoutReader()
    bench.load()
    bench.draw(None)
    for act, values in ((TakeBets, {"seats": (3,)}), (AnnounceNoMoreBets, {})):
        bench.act(act, DEALER, **values)
    for _ in range(4):
        bench.draw(None)
    story = shown(capsys, written(bench.storage, tmp_path / "journal"), "--round", "1", "--story")
    assert [line for line in heard(story) if " is for " in line] == [
        "a card is for seat 3",
        "a card is for the bank",
        "a card is for seat 3",
        "a card, face down, is for the bank",
    ]


def test_where_cards_that_were_moved_by_hand_came_from(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b'{"count":1,"person":21,"role":"chief_supervisor","source":"jammed","target":"rack"}'
    bench = Bench()
    bench.play()
    path = with_one_more(bench, "state-cards-moved", body, tmp_path)
    assert "(cards: 1; from: jammed; to: in the discard rack)" in shown(capsys, path).splitlines()[-1]


@pytest.fixture(scope="session")
def open_round() -> Bench:
    bench = Bench()
    bench.play()
    bench.deal((1,))
    return bench


@pytest.mark.parametrize(
    ("language", "reason"),
    [("en", "That seat is not one that can be meant here"), ("pt", "Esse lugar não pode ser indicado aqui")],
)
def test_a_refusal_says_why(
    language: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", language)
    bench = Bench()
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.refused(TakeBets, DEALER, seats=(9,))
    path = written(bench.storage, tmp_path / "journal")
    for line in (shown(capsys, path), shown(capsys, path, "--round", "1", "--story")):
        assert reason in line.splitlines()[-1]


def test_a_refusal_whose_values_nobody_knows_any_more_is_told_by_its_guard(
    open_round: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another version refused an act that this version would allow."""
    refusal = EntryRefusal(clause="pt.bj.1", rule="seats_exist", reason="seats_exist")
    path = with_one_more(open_round, "sign-out", b'{"person":11,"role":"dealer"}', tmp_path, refusal)
    assert shown(capsys, path).splitlines()[-1].endswith("REFUSED (pt.bj.1): seats_exist")


@pytest.mark.parametrize(
    ("credential", "told"),
    [
        ("pin", "dealer 11 (PIN) "),
        ("badge-and-key", "dealer 11 (badge and key) "),
        ("post", "dealer 11 left "),
        ("own-screen", "dealer 11 (own tablet) "),
        ("shared-screen", "dealer 11 (signed in for the hold) "),
    ],
)
def test_an_act_says_by_which_credential_it_counts_as_its_persons(
    credential: str, told: str, open_round: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = b'{"person":11,"role":"dealer"}'
    path = with_one_more(open_round, "sign-out", body, tmp_path, credential=credential)
    assert told in shown(capsys, path).splitlines()[-1]
    assert [one["credential"] for one in documents(capsys, path)][-2:] == [None, credential]


def test_a_refusal_by_no_law_names_no_clause(
    open_round: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refusal = EntryRefusal(clause=None, rule="seats_exist", reason="hand_is_over")
    path = with_one_more(open_round, "sign-out", b'{"person":11,"role":"dealer"}', tmp_path, refusal)
    assert ". REFUSED: " in shown(capsys, path).splitlines()[-1]


def test_what_a_start_found_is_told_with_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench()
    bench.play()
    bench.deal((1,))
    bench.kill()
    segment = bench.storage.list()[-1]
    bench.storage.truncate(segment.name, segment.size - 5)
    bench.start()
    bench.run(1)
    path = written(bench.storage, tmp_path / "journal")
    for text in (shown(capsys, path), shown(capsys, path, "--round", "1", "--story")):
        assert "; the last record was incomplete (" in text


def test_who_closed_a_damage_and_which_numbers_are_gone_is_told(open_round: Bench) -> None:
    storage = open_round.storage.after_kill()
    storage.flip(SEGMENT, 8 * (len(storage.read(SEGMENT)) - 100))
    looked = inspect_journal(storage)
    approval = Approval(21, looked.recovery.segment_after_damage().damaged.hex(), 41)
    findings = begin(storage, looked, BINDING, approval=approval).start.started.findings
    (told,) = found_at_start(list(findings), 99, Language.EN)
    assert told.startswith("technician 41 and chief supervisor 21 have closed a damaged part of the journal (the check")
    assert told.endswith(f"wrong): no entry with a number from {len(open_round.entries())} to 98 can be read")


def test_every_other_finding_is_told_and_an_unknown_one_as_it_stands() -> None:
    found = ["second-copy-taken-over entry 7", "signing-key-replaced ab12", "a later finding"]
    assert list(found_at_start(found, 9, Language.PT)) == [
        "o diário era mais curto do que a segunda cópia: retomado dela a partir do registo 7",
        "a chave que assina este diário foi substituída; antes era ab12",
        "a later finding",
    ]
    (seals,) = found_at_start(["seals-differ 00000002.seals"], 9, Language.PT)
    assert seals.startswith("há selos de cartas de face para baixo que diferem")
    assert seals.endswith("00000002.seals")


@pytest.mark.parametrize(
    ("kind", "body", "told"),
    [
        ("second-copy-failed", b'{"reason":"gone"}', "diário: o suporte ou o seu diretório desapareceu"),
        ("journal-failed", b'{"reason":"full"}', "não se pode escrever o diário: o suporte está cheio"),
        ("device-lost", b'{"device":"shoe","reason":"silent"}', "sabot leitor: perdido (não responde)"),
        ("pin-refused", b'{"act":"confirm-settled","person":12}', "para: confirmar que os pagamentos estão feitos"),
        (
            "attend-hold",
            b'{"hold":1,"person":21,"role":"chief_supervisor"}',
            "fiscal-chefe 21 tomou conta de uma",
        ),
        ("place-bet", b'{"amount":2050,"person":12,"role":"dealer","seat":5}', "registou uma aposta (valor: 20.50; "),
        ("values-shown", b'{"values":[500,0]}', "o mostrador indica os valores 5.00, 0.00"),
        ("display-status-heard", b'{"status":{"shown_cents":123456}}', ": mostra 1234.56"),
    ],
)
def test_portuguese_is_portuguese_throughout(
    kind: str,
    body: bytes,
    told: str,
    open_round: Bench,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    path = with_one_more(open_round, kind, body, tmp_path)
    assert told in shown(capsys, path).splitlines()[-1]
    assert told in shown(capsys, path, "--round", "1", "--story")


@pytest.mark.parametrize("game", GAME_ROWS)
def test_what_an_act_says_in_cents_is_told_in_units(game: GameRows) -> None:
    """A story has only the entry, so an amount is known by its field's name."""
    fields = [(name, hint) for act in game.registry.acts for name, hint in get_type_hints(act.act).items()]
    assert {name for name, hint in fields if "Cents" in str(hint)} <= story._ACTS_CENTS
    assert [(name, hint) for name, hint in fields if name in story._ACTS_CENTS and "Cents" not in str(hint)] == []


def test_why_a_replay_stops_is_said_in_words(
    open_round: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    storage, count = open_round.storage.after_kill(), len(open_round.entries())
    storage.flip(SEGMENT, 8 * (len(storage.read(SEGMENT)) - 100))
    assert main(["journal", "replay", written(storage, tmp_path / "damaged")]) == 1
    told = capsys.readouterr().out
    assert told.endswith(f"registos: o registo {count} não se verifica: a soma de controlo de um registo está errada\n")
    otherwise = with_one_more(open_round, "collect-cards", b'{"person":11,"role":"dealer"}', tmp_path)
    assert main(["journal", "replay", otherwise]) == 1
    told = capsys.readouterr().out
    assert f"o registo {count + 1} foi então permitido e agora é recusado (round_is_at_this_step)" in told
