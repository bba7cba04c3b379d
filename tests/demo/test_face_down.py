"""Players' face-down cards: the time at which people show them, and their way into the book (mo.6.2, mo.6.4)."""

from controller.core.choices import Faces
from controller.core.engine.replacing import replace
from controller.core.words import RoundPhase
from controller.protocol.status import FaceDownStatus
from simulators.kit import procedure_of
from simulators.people import hands as h
from simulators.people.choices import Choices
from simulators.people.doing import Ask, Doing, Recall, Touch
from simulators.people.face_down import show_cards
from simulators.people.sight import LyingCard, Sight
from tests.demo.views import allowed, status, view

MACAU = replace(procedure_of("mo-csm"), player_cards=Faces.DOWN)
FIRST = {"seat": "1", "position": "1"}


def shown(*faces: str | None, wanted: int | None = None, recall: Recall | None = None, left: int = 2) -> Doing:
    """Returns the dealer's next deed where seat 1 has these cards, `left` of them face down in the book."""
    table = (*(LyingCard(1, face) for face in faces), LyingCard(0, "9C"))
    down = [FaceDownStatus(1, position) for position in range(1, 1 + left)]
    playing = status(
        round_=RoundPhase.PLAYING, seats=(1,), face_down=down, next=allowed("turn-card", "call-for-ruling")
    )
    return show_cards(view(playing, Sight(table=table), procedure=MACAU, recall=recall or Recall()), wanted)


def test_whoever_has_not_shown_his_cards_does_so_for_the_settlement() -> None:
    assert shown(None, None) == Touch(h.ShowCards(1))
    assert shown("2C", "3C") == Ask("turn-card", FIRST)
    assert shown("2C", "3C", left=0) is None


def test_a_card_without_its_seal_is_read_off_the_table() -> None:
    recall = Recall({("turn-card", "position=1", "seat=1"): "face_is_given"})
    assert shown("2C", "3C", recall=recall) == Ask("turn-card", FIRST | {"card": "2C"})
    gone = shown(recall=recall)
    assert gone == Ask("call-for-ruling", {"cause": "deal-beyond-repair"})


def test_nobody_shows_them_while_he_may_still_ask_for_a_card() -> None:
    assert shown(None, None, wanted=1) is None
    by_seed = {Choices(seed).shows_early(1, 1, 1) for seed in range(20)}
    assert by_seed == {True, False}


def test_a_player_may_show_his_cards_before_the_bank_draws() -> None:
    early = view(status()).choices.shows_early(1, 1, 1)
    assert (shown(None, None, wanted=0) == Touch(h.ShowCards(1))) is early
