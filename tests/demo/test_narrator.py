"""The lines on a terminal: each waiting step is printed once, and a round's money whenever it moves."""

import io

import msgspec

from controller.core.words import Role, RoundPhase, SessionPhase
from controller.protocol.jackpot import JackpotStatus, PrizeStatus
from controller.protocol.lines import Answer, RefusalDocument
from controller.protocol.money_status import AmountStatus, BetStatus, MoneyStatus, StakedHandStatus
from controller.protocol.status import Status
from controller.protocol.suggestion import Suggestion
from simulators.demo.heard import Heard
from simulators.demo.narrator import Storyteller
from simulators.demo.talk import Talk
from simulators.oracles.export_entries import Entry
from simulators.people.doing import Ask
from simulators.people.status import TableStatus

DEALER, CHIEF = 12, 22
NAME = Ask("name-card", {"card": "AS"})
ATTEND = Ask("attend-hold", {"hold": "H1"}, Role.CHIEF_SUPERVISOR)


def teller() -> tuple[Storyteller, io.StringIO]:
    written = io.StringIO()
    return Storyteller(Talk(written, {"LANG": "en_GB.UTF-8"}), CHIEF, DEALER), written


def shown(
    digest: str = "",
    phase: RoundPhase = RoundPhase.PLAYING,
    money: MoneyStatus | None = None,
    jackpot: JackpotStatus | None = None,
) -> TableStatus:
    return TableStatus(
        SessionPhase.IN_PLAY, phase, round_number=1, seats=(3,), money=money, jackpot=jackpot, state_digest=digest
    )


def test_steps_of_two_people_are_told_once_each_however_often_they_alternate() -> None:
    story, written = teller()
    story.look(shown("a"), [])
    for _ in range(20):
        story.your_turn(DEALER, NAME)
        story.your_turn(CHIEF, ATTEND)
    assert written.getvalue().count("The next step is yours") == 2


def test_steps_of_one_person_that_alternate_in_one_state_are_told_once_each() -> None:
    story, written = teller()
    story.look(shown("a"), [])
    for _ in range(20):
        story.your_turn(DEALER, NAME)
        story.your_turn(DEALER, Ask("stand", {"seat": "1"}))
    assert written.getvalue().count("The next step is yours") == 2
    story.look(shown("b"), [])
    story.your_turn(DEALER, NAME)
    assert written.getvalue().count("The next step is yours") == 3, "the table has gone on"


def test_a_trainee_hears_the_players_wishes_and_is_sent_to_no_command() -> None:
    written = io.StringIO()
    talk = Talk(written, {"LANG": "en_GB.UTF-8"})
    heard = Heard(talk, DEALER)
    draws = Suggestion("draw-card", {"seat": "bank"}, [], ["dealer"], None, needs_pin=False)
    money = MoneyStatus(turn="bank", decisions=[draws], choices=["draw-card"])
    heard.at(msgspec.json.encode(Status(session="in-play", round="playing", money=money)))
    story = Storyteller(talk, CHIEF, DEALER, heard)
    for digest in "ab":
        story.look(shown(digest), [])
        for ask in (
            Ask("place-bet", {"seat": "3", "amount": "20"}),
            Ask("draw-card", {"seat": "3", "hand": "2"}),
            Ask("draw-card", {"seat": "bank"}),
            Ask("draw-card", {"seat": "0"}),
        ):
            story.your_turn(DEALER, ask)
    the_bank = "Next, at the page: CARD."
    told = ["Seat 3 (hand 2) asks for a card.", the_bank, the_bank]
    assert written.getvalue().splitlines()[-6:] == [*told, *told], (
        "bets are told together before the first is entered; a player may want the same again"
    )


def test_a_trainee_who_enters_a_decision_is_not_told_it_again() -> None:
    who = {"person": DEALER, "role": "dealer", "seat": 2}
    doubled = Entry(1, 1, 0, 0, False, 0, "double-down", who, None, None, "")
    for is_trainee, count in ((True, 0), (False, 1)):
        written = io.StringIO()
        talk = Talk(written, {"LANG": "en_GB.UTF-8"})
        story = Storyteller(talk, CHIEF, DEALER, Heard(talk, DEALER) if is_trainee else None)
        story.look(shown("a"), [doubled])
        assert written.getvalue().count("Seat 2 doubles.") == count


def test_a_void_round_has_no_list_of_payments() -> None:
    story, written = teller()
    story.look(shown("a", RoundPhase.SETTLED, money=MoneyStatus(bank="5.00")), [])
    assert "The round is void: every stake goes back. The bank has won 5.00 so far." in written.getvalue()
    assert "Settled" not in written.getvalue()


def test_one_refusal_is_told_once_a_round() -> None:
    story, written = teller()
    refused = Answer(refusal=RefusalDocument("too_early", "too_early", None, None, "It is too early.", "Wait.", []))
    for _ in range(3):
        story.act(Role.DEALER, NAME, refused)
    assert written.getvalue().count("too early") == 1


def test_bets_payments_and_a_prize_are_told() -> None:
    story, written = teller()
    hands = [StakedHandStatus("3", 3, [BetStatus(3, 2000)])]
    won = MoneyStatus(hands=hands, bank="-30.00", amounts=[AmountStatus("3", 3, "won", 2000, "1:1", "+20.00")])
    chips = JackpotStatus(1_000_000, chips=[3])
    story.look(shown("a", money=MoneyStatus(hands=hands), jackpot=chips), [])
    due = JackpotStatus(1_000_000, chips=[3], next_prize=PrizeStatus(3, 3, 2000))
    story.look(shown("b", money=MoneyStatus(hands=hands), jackpot=due), [])
    story.look(shown("c", RoundPhase.SETTLED, money=won, jackpot=JackpotStatus(998_000)), [])
    said = written.getvalue()
    for told in ("3 (20.00, jackpot)", "JACKPOT: seat 3 wins 20.00", "3 +20.00", "the display shows 9980.00"):
        assert told in said
