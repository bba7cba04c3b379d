"""The dealer's next deed follows from status and table alone, at each step, and never runs ahead of the book."""

import pytest

from controller.core.engine.replacing import replace
from controller.core.words import HoldKind, Purpose, Role, RoundPhase, SessionPhase
from controller.protocol.status import DeviceStatus, LoadingStatus, OwedStatus
from simulators.kit import procedure_of
from simulators.people import hands as h
from simulators.people.chief import supervise
from simulators.people.dealer import deal
from simulators.people.doing import Ask, Recall, Touch
from simulators.people.sight import Sight
from simulators.people.status import PresentPerson, ShownJournal
from tests.demo.views import CHIEF, CHOICES, allowed, hold, status, table, view

S, R = SessionPhase, RoundPhase


def asked(doing: object) -> str | None:
    return doing.act if isinstance(doing, Ask) else None


def test_nobody_at_the_table_signs_in_with_his_own_pin() -> None:
    doing = deal(view(status(present=())))
    assert doing == Ask("sign-in", {"operation": "table"})


def test_another_dealer_at_the_table_is_relieved_not_used() -> None:
    assert asked(deal(view(status(), person=12))) == "sign-in"


@pytest.mark.parametrize(
    ("session", "act"),
    [
        (S.OPENED, "confirm-display"),
        (S.DISPLAYED, "confirm-mixing"),
        (S.MIXED, "begin-loading"),
        (S.CLOSING, "begin-unloading"),
    ],
)
def test_each_step_of_the_session_has_its_act(session: SessionPhase, act: str) -> None:
    assert asked(deal(view(status(session, counts={"outside": 312}), Sight(outside=312)))) == act


def test_what_is_not_in_next_is_not_asked_for() -> None:
    assert deal(view(status(S.OPENED, next=allowed("number-deck-set")))) is None


def test_what_was_refused_in_this_very_state_is_not_asked_for_again() -> None:
    recall = Recall({("begin-unloading",): "supervisor_is_present_for_unloading"})
    assert deal(view(status(S.CLOSING), recall=recall)) is None


def test_a_packet_is_fed_once_and_only_when_it_is_open() -> None:
    counts = {"outside": 312}
    sight = Sight(outside=150, packet=162)
    closed = status(S.LOADING, counts=counts, next=allowed("open-packet"))
    opened = status(S.LOADING, counts=counts, next=allowed("close-packet"))
    assert deal(view(closed, sight)) is None
    assert deal(view(opened, sight)) == Touch(h.AtShuffler.FEED_PACKET)
    assert deal(view(opened, Sight(outside=150, hopper=162))) is None


def test_loading_is_completed_when_no_card_is_left_outside() -> None:
    shown = status(S.LOADING, counts={"inside": 312}, next=allowed("open-packet", "complete-loading"))
    assert asked(deal(view(shown, Sight(shown_inside=312)))) == "complete-loading"


def test_bets_for_which_too_few_cards_are_left_are_given_back_and_the_table_closes() -> None:
    betting = status(round_=R.BETTING, next=allowed("take-bets", "cancel-bets"))
    assert asked(deal(view(betting, quiet_s=5.0))) == "cancel-bets"
    held = status(round_=R.BETTING, next=allowed("take-bets", "cancel-bets"), holds=(hold(HoldKind.LID),))
    assert deal(view(held, quiet_s=5.0)) is None
    assert asked(deal(view(status(), recall=Recall(last_done="cancel-bets")))) == "indicate-closing"


def test_bets_are_not_given_back_while_the_devices_come_back() -> None:
    betting = status(round_=R.BETTING, next=allowed("take-bets", "cancel-bets"))
    assert deal(view(betting, quiet_s=4.9)) is None
    away = status(round_=R.BETTING, next=allowed("take-bets", "cancel-bets"), devices={"shoe": DeviceStatus()})
    assert deal(view(away, quiet_s=5.0)) is None


def test_the_burn_goes_to_the_rack_and_other_cards_to_their_seat() -> None:
    burn = status(S.LOADED, owed=OwedStatus(Purpose.BURN), counts={"inside": 312}, round_number=0)
    assert deal(view(burn, Sight(mouth_open=True))) == Touch(h.PullCard(Purpose.BURN, None, 1, 0))
    dealing = status(round_=R.DEALING, owed=OwedStatus(Purpose.SEAT, 3))
    assert deal(view(dealing, Sight(rack=1, mouth_open=True))) == Touch(h.PullCard(Purpose.SEAT, 3, 1, 1))


def test_no_card_is_drawn_before_the_book_knows_the_last_one() -> None:
    """Before that the status may still name the seat of the card just drawn."""
    dealing = status(round_=R.DEALING, owed=OwedStatus(Purpose.SEAT, 3))
    ahead = Sight(rack=1, table=table((1, "AS")), mouth_open=True)
    assert deal(view(dealing, ahead)) is None
    unrecorded = status(round_=R.DEALING, owed=OwedStatus(Purpose.SEAT, 3), journal=ShownJournal(waiting=1))
    assert deal(view(unrecorded, Sight(rack=1, mouth_open=True))) is None
    assert deal(view(dealing, Sight(rack=1))) is None, "the mouth is shut"


def dealt(*further: int, hole_down: bool = True) -> Sight:
    """Returns the sight of a table: seats 1 and 3 and the bank have two cards each, these seats further ones."""
    initial = [(1, "2C"), (3, "3C"), (0, "4C"), (1, "5C"), (3, "6C"), (0, None if hole_down else "7C")]
    return Sight(rack=1, table=table(*initial, *((seat, "8C") for seat in further)))


def wanted_by(*seats: int) -> list[int]:
    """Returns the seats in the order in which they get the further cards that their players want."""
    return [seat for seat in seats for _ in range(CHOICES.further_cards(1, 1, seat))]


def playing(cards: int, *, hole_is_down: bool = True) -> object:
    acts = ("draw-card", "confirm-settled", *(["turn-hole-card"] if hole_is_down else []))
    return status(round_=R.PLAYING, counts={"inside": 311 - cards, "rack": 1, "table": cards}, next=allowed(*acts))


def test_further_cards_follow_the_plan_by_what_lies_there() -> None:
    """The next card is a function of the cards on the table, so the controller's death changes nothing."""
    wanted = wanted_by(1, 3)
    assert wanted
    for number, seat in enumerate(wanted):
        doing = deal(view(playing(6 + number), dealt(*wanted[:number])))
        assert doing == Ask("draw-card", {"seat": str(seat)})
    count = 6 + len(wanted)
    assert deal(view(playing(count), dealt(*wanted))) == Touch(h.AtTable.TURN_HOLE_CARD)
    assert asked(deal(view(playing(count), dealt(*wanted, hole_down=False)))) == "turn-hole-card"
    whole = dealt(*wanted_by(1, 3, 0), hole_down=False)
    assert asked(deal(view(playing(len(whole.table), hole_is_down=False), whole))) == "confirm-settled"


def test_a_hole_card_without_a_seal_is_read_off_the_table() -> None:
    players = wanted_by(1, 3)
    recall = Recall({("turn-hole-card",): "face_is_given"})
    doing = deal(view(playing(6 + len(players)), dealt(*players, hole_down=False), recall=recall))
    assert doing == Ask("turn-hole-card", {"card": "7C"})


def test_settled_cards_are_collected_first_and_then_said_to_be() -> None:
    counts = {"inside": 305, "rack": 1, "table": 6}
    settled = status(round_=R.SETTLED, counts=counts)
    assert deal(view(settled, dealt(0))) == Touch(h.CollectTable(1, 1))
    assert asked(deal(view(settled, Sight(rack=7)))) == "collect-cards"


def test_the_rack_is_fed_and_the_end_waits_for_the_book() -> None:
    def back(rack: int) -> object:
        return status(round_=R.PUTTING_BACK, counts={"inside": 312 - rack, "rack": rack})

    assert deal(view(back(7), Sight(rack=7))) == Touch(h.AtShuffler.FEED_RACK)
    assert deal(view(back(5), Sight(hopper=5))) is None
    assert deal(view(back(1), Sight())) is None, "the last card is on its way into the book"
    assert asked(deal(view(back(0), Sight()))) == "end-putting-back"


def test_after_the_last_round_the_closing_is_indicated() -> None:
    assert asked(deal(view(status(round_number=5), rounds=5))) == "indicate-closing"
    assert asked(deal(view(status(round_number=4), rounds=5))) == "take-bets"


def test_the_card_that_nobody_could_read_is_named_by_its_face() -> None:
    shown = status(round_=R.DEALING, holds=(hold(HoldKind.UNREAD_CARD),))
    sight = Sight(rack=1, table=table((1, "10H"), (3, "QS")))
    assert deal(view(shown, sight)) == Ask("name-card", {"card": "QS"})
    first = hold(HoldKind.UNREAD_CARD, about={"seat": "1", "position": "1"})
    assert deal(view(status(round_=R.DEALING, holds=(first,)), sight)) == Ask("name-card", {"card": "10H"})


def test_a_damaged_card_and_a_complaint_are_reported_once() -> None:
    sight = Sight(rack=1, table=table((1, "10H")), damaged="10H")
    assert asked(deal(view(status(round_=R.DEALING), sight))) == "report-damaged-card"
    held = status(round_=R.DEALING, holds=(hold(HoldKind.DAMAGED_CARD),))
    assert asked(deal(view(held, sight))) is None
    unhappy = Sight(rack=7, complaint=3)
    assert deal(view(status(round_=R.COLLECTED), unhappy)) == Ask("record-complaint", {"seat": "3"})
    assert (
        asked(deal(view(status(round_=R.COLLECTED, holds=(hold(HoldKind.COMPLAINT),)), unhappy))) != "record-complaint"
    )


def test_the_hands_wait_for_a_visitor_to_say_that_no_player_complains() -> None:
    """The script's own dealer lays the cards into the feed at once, and that opens the putting back."""
    collected = view(status(round_=R.COLLECTED, round_number=2, next=allowed("begin-putting-back")))
    assert isinstance(deal(collected), Touch)
    guests = replace(collected, choices=replace(CHOICES, for_a_guest=True))
    assert asked(deal(guests)) == "begin-putting-back"


REGULAR = tuple(
    (rank + suit, 6) for suit in "CDHS" for rank in ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
)


def test_a_deck_check_that_the_reader_saw_whole_is_confirmed() -> None:
    checking = status(S.CHECKING, counts={"outside": 312})
    assert asked(deal(view(checking, Sight(outside=312, faces=REGULAR)))) == "confirm-deck-check"


def test_leftovers_of_the_rack_are_entered_as_a_whole_grid() -> None:
    checking = status(S.CHECKING, counts={"outside": 312})
    sight = Sight(outside=310, rack=2, faces=REGULAR)
    doing = deal(view(checking, sight))
    assert isinstance(doing, Ask)
    assert doing.act == "enter-grid"
    assert "10H=6" in doing.values["counts"].split()
    assert deal(view(checking, sight, recall=Recall(last_done="enter-grid"))) == Touch(h.AtTable.ORDER_DECKS)


def test_a_check_that_differs_on_paper_is_entered_again_and_one_that_differs_in_truth_is_not() -> None:
    checking = status(S.CHECKING, counts={"outside": 312}, holds=(hold(HoldKind.COUNT),))
    assert asked(deal(view(checking, Sight(outside=312, faces=REGULAR)))) == "enter-grid"
    short = tuple((face, 5 if face == "AS" else count) for face, count in REGULAR)
    assert deal(view(checking, Sight(outside=311, faces=short))) is None


ONE_BACK = tuple((face, count // 2) for face, count in REGULAR)
TOLD = "Deck check: the grid does not agree with the reader: QS 1/2."


@pytest.mark.parametrize(
    ("entered", "cards", "text", "last_done", "act"),
    [
        ((), (), "", None, "back=1"),
        ((1,), (156, 0), "Events are missing.", None, "back=2"),  # other acts have come since the first
        ((1, 2), (156, 156), "Events are missing.", None, "confirm-deck-check"),
        ((1, 2), (7, 156), TOLD, None, "back=1"),
        ((1, 2), (156, 4), TOLD, None, "back=2"),
        ((1, 2), (156, 156), TOLD, None, "confirm-deck-check"),  # he has entered both anew
        ((1, 2), (156, 156), TOLD, "confirm-deck-check", "back=2"),
    ],
)
def test_grids_of_two_backs_are_entered_however_often_one_is_called_away(
    entered: tuple[int, ...], cards: tuple[int, ...], text: str, last_done: str | None, act: str
) -> None:
    held = (replace(hold(HoldKind.COUNT), text=text),) if text else ()
    shown = status(S.CHECKING, counts={"outside": 312}, holds=held, grids_entered=entered, grid_cards=cards)
    sight = Sight(outside=312, faces=ONE_BACK, second_faces=ONE_BACK)
    procedure = replace(procedure_of("pt-csm"), back_colours=2)
    doing = deal(view(shown, sight, procedure=procedure, recall=Recall(last_done=last_done)))
    assert isinstance(doing, Ask)
    assert act in (doing.act, f"back={doing.values.get('back')}")


@pytest.mark.parametrize("round_", [R.IDLE, R.BETTING, R.DEALING])
def test_cards_whose_collection_was_stated_first_are_collected(round_: RoundPhase) -> None:
    sight = Sight(table=table((1, "KS"), (1, "9H"), (0, "7C")), rack=1)
    shown = status(round_=round_, counts={"inside": 308, "rack": 4, "table": 0})
    assert deal(view(shown, sight)) == Touch(h.CollectTable(1, 1))
    one_is_missing = status(round_=round_, counts={"inside": 307, "rack": 5, "table": 0})
    assert not isinstance(deal(view(one_is_missing, sight)), Touch)


@pytest.mark.parametrize(("packets", "is_cut"), [([3, 0], True), ([3, 7], False)])
def test_a_packet_that_was_opened_before_it_was_cut_is_cut_then(packets: list[int], is_cut: bool) -> None:
    """At the panel one press closes a packet and opens for the next, before the cards are cut."""
    loading = LoadingStatus(packets, packet_open=True)
    watches = PresentPerson(CHIEF, Role.CHIEF_SUPERVISOR, "loading")
    may = allowed("close-packet")
    shown = status(S.LOADING, counts={"outside": 300}, next=may, loading=loading, present=(watches,))
    doing = supervise(view(shown, Sight(outside=300, shown_inside=0), person=CHIEF))
    assert isinstance(doing, Touch) is is_cut
    assert asked(doing) == (None if is_cut else "close-packet")
