"""The words of refusals fit the table that refuses: they name the people who may act, say what is left to do, and never
mention the command line.
"""

import re
from typing import Final

import pytest

from controller.catalogue import Language, keys, sentence
from controller.catalogue.sentences import fitting
from controller.catalogue.words import REFUSALS_OF_THEIR_OWN, RefusalWords, refusal_words, variants_of
from controller.config.profile_file import law
from controller.core.engine.decision import Refusal
from controller.core.words import Role
from controller.daemon.speaker import Speaker
from controller.protocol.lines import NotAllowed, RefusalDocument
from controller.runtime.answers import Refused
from controller.runtime.game import game_of
from controller.scenario.play import play
from controller.scenario.text import read_scenarios

CUT: Final = ("mixed", "dealer: state-players seats=2")
ALL_REFUSED: Final = (*CUT, "dealer: refuse-cut seat=2")
CORRECTED: Final = ("in-play", "bet 1 20", "dealer: correct-entry entry=1 amount=40")
PAID: Final = ("in-play", "colour 1 red 10", "bet 1 straight-5 2", "launch", "number 5", "paid")


def answered(profile: str, act: str, *given: str, language: Language = Language.EN) -> RefusalDocument:
    """The table's answer to an act that it refuses: `act` is the scenario's line behind the lines `given`."""
    settings = "  set tracks bets\n  set wheel no\n" if profile == "pt-roulette" else "  set tracks hands\n"
    lines = "".join(f"  {line}\n" for line in given)
    found, wrong = read_scenarios(
        f"scenario X An act is refused\n  profile {profile}\n{settings}given\n{lines}when\n  {act}\nthen refused\n"
    )
    assert not wrong
    played = play(found[0])
    assert played.failure is None
    refusal, name, state = played.trace[-1].refusal, act.split()[1], played.states[-1]
    assert refusal is not None
    speaker = Speaker(game_of(profile), language, variants_of(state.setup.procedure))
    answer = speaker.answer("1", Refused(refusal, name, state), {})
    assert isinstance(answer, NotAllowed)
    return answer.refusal


@pytest.mark.parametrize(
    ("profile", "act", "who"),
    [
        ("pt-shoe", "dealer: confirm-cut seat=bank", "table inspector"),
        ("mo-shoe", "inspector: confirm-cut seat=bank", "dealer"),
        ("br", "dealer: confirm-cut seat=bank", "table inspector"),
    ],
)
def test_a_cut_that_no_player_makes_falls_to_one_post(profile: str, act: str, who: str) -> None:
    left, refused = answered(profile, act, *CUT), answered(profile, act, *ALL_REFUSED)
    assert f"it falls to the {who}. Now it is offered to: 2." in left.reason
    assert "every player first" in left.remedy
    assert refused.reason.endswith(f"The cut falls to the {who}.")
    assert "every player first" not in refused.remedy


def test_a_cut_that_no_player_makes_names_its_clause_in_brazil() -> None:
    assert answered("br", "dealer: confirm-cut seat=bank", *ALL_REFUSED).clause == "br.prep.4b"


def test_a_seat_is_told_that_no_seat_cuts_any_more() -> None:
    words = answered("pt-shoe", "dealer: confirm-cut seat=2", *ALL_REFUSED)
    assert words.reason == "No seated player is left who may cut: all have refused, or nobody is seated."


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("dealer", ["table_inspector", "chief_supervisor", "room_manager"]),
        ("chief", ["dealer", "table_inspector", "chief_supervisor", "room_manager"]),
    ],
)
def test_who_asks_twice_is_told_the_posts_of_the_second_person(first: str, second: list[str]) -> None:
    asks = f"{first}: correct-entry entry=1 amount=40"
    words = answered("pt-csm", asks, *CORRECTED[:-1], asks)
    assert sorted(words.who) == sorted(second)
    said = sentence("guard.another_person_asks.remedy", {"who": ",".join(words.who)}, Language.EN)
    assert words.remedy == said
    assert "{" not in said


def test_the_dealer_who_pays_a_linked_prize_alone_is_not_sent_to_the_dealer() -> None:
    found, _wrong = read_scenarios(LINKED)
    played = play(found[0])
    assert played.failure is None
    refusal, state = played.trace[-1].refusal, played.states[-1]
    assert refusal is not None
    answer = Speaker(game_of("house"), Language.EN).answer("1", Refused(refusal, "pay-linked-prize", state), {})
    assert isinstance(answer, NotAllowed)
    assert "dealer" in refusal.who
    assert answer.refusal.who
    assert "dealer" not in answer.refusal.who
    assert "dealer" not in answer.refusal.remedy


LINKED: Final = """scenario X A linked prize
  profile house
  prize 1 6-7-8-suited 200.00
  prize 2 8-8-8-suited rest
  set jackpot manual
  set linked 7-7-7-suited
given
  in-play
  floor-says 50000.00
  bet 1 20
  chip 1
  no-more-bets
  draw 7S 9C 7S 8C
  hit 1 7S
  bank-plays
  floor-decides 50000.10
  dealer: pay-linked-prize seat=1
when dealer: pay-linked-prize seat=1
then refused another_person_asks
"""


def test_a_spin_contested_after_its_payments_is_put_right() -> None:
    late = answered("pt-roulette", "dealer: contest-spin", *PAID)
    assert late.remedy == sentence("refusal.spin-is-over.remedy", (), Language.EN)
    early = answered("pt-roulette", "dealer: contest-spin", *PAID[:-2])
    assert early.remedy == sentence("guard.round_is_at_this_step.remedy", (), Language.EN)


@pytest.mark.parametrize("language", Language)
def test_no_refusal_speaks_the_command_lines_words(language: Language) -> None:
    of_refusals = [key for key in keys(language) if re.search(r"(^|\.)(guard|refusal)\.", key)]
    spoken = [key for key in of_refusals if re.search(r"\w=\w", sentence(key, (), language))]
    assert len(of_refusals) > 100
    assert spoken == []


LABELLED: Final = {
    "cards_are_not_to_stay": "pay-jackpot",
    "jackpot_chips_are_said": "choose-jackpot-marking",
    "jackpot_is_played": "approve-jackpot",
    "no_jackpot_is_owed": "pay-jackpot",
    "pool_covers_the_prize": "lay-into-jackpot",
    "prize_is_paid_at_the_table": "pay-jackpot-by-hand",
    "sign_shows_the_pool": "state-sign",
    "slots_tell_of_each_chip": "choose-jackpot-marking",
}
"""The guards whose remedy names an act by its label, and that act."""


@pytest.mark.parametrize("language", [Language.EN, Language.PT, Language.BR])
@pytest.mark.parametrize("guard", LABELLED)
def test_a_remedy_names_an_act_by_the_label_of_its_button(guard: str, language: Language) -> None:
    """No button has the name of the command line, such as `pay-jackpot`."""
    assert sentence(f"act.{LABELLED[guard]}.label", (), language) in sentence(f"guard.{guard}.remedy", (), language)


@pytest.mark.parametrize("language", Language)
def test_no_refusal_has_a_name_of_the_command_line_or_of_a_form(language: Language) -> None:
    of_refusals = [key for key in keys(language) if re.search(r"(^|\.)(guard|refusal)\.", key)]
    names = {key.split(".")[1] for key in keys(Language.EN) if key.startswith("act.")}
    texts = {key: re.sub(r"\{[^}]*\}", "", sentence(key, (), language)) for key in of_refusals}
    said = re.compile(r"`(" + "|".join(names) + r")`|in_hand|\(continue\)|tracks =")
    assert {key: text for key, text in texts.items() if said.search(text)} == {}


def test_each_case_of_its_own_has_its_sentences_and_no_sentence_is_left_over() -> None:
    wanted = {f"refusal.{case}.{part}" for case in REFUSALS_OF_THEIR_OWN.values() for part in ("reason", "remedy")}
    assert {key for key in keys(Language.EN) if key.startswith("refusal.")} == wanted


def _told(guard: str, profile: str, language: Language) -> RefusalWords:
    values = (("damaged", "4D"), ("in_hand", "1"), ("pending", "1"), ("figures", "-"), ("impossible", "-"))
    refusal = Refusal(guard, guard, values, (Role.CHIEF_SUPERVISOR,))
    return refusal_words(refusal, language, variants_of(law(profile).procedure))


@pytest.mark.parametrize(("language", "inspector"), [(Language.EN, "inspector"), (Language.PT, "fiscal de banca")])
@pytest.mark.parametrize(
    "guard",
    ["card_is_replaced", "replacement_is_the_same_card", "card_is_damaged", "count_is_stated", "hold_is_attended"],
)
def test_the_inspector_is_named_where_he_decides(guard: str, language: Language, inspector: str) -> None:
    for profile in ("pt-shoe", "br"):
        assert inspector in _told(guard, profile, language).remedy.lower()
    for profile in ("pt-csm", "mo-shoe"):
        assert inspector not in _told(guard, profile, language).remedy.lower()


def test_no_remedy_of_a_damaged_card_or_a_count_sends_to_the_chief_alone() -> None:
    """The table is one where an inspector decides. `no_shuffler_counts` refuses at a shuffler's table alone."""
    about = r"guard\.(?!no_shuffler)\w*(damaged|replace|count|hold_is|whole_deck|in_hand|pending)\w*\.remedy"
    named = [key for key in keys(Language.EN) if re.fullmatch(about, key) and "hief supervisor" in _text(key)]
    assert len(named) > 10
    variants = variants_of(law("pt-shoe").procedure)
    assert [key for key in named if "nspector" not in _text(fitting(key, variants))] == []


def _text(key: str) -> str:
    return sentence(key, (), Language.EN)
