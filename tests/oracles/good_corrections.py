"""Evenings by the book with cards that were dealt wrongly, rulings and damaged decks, put right as the profile says."""

from collections.abc import Callable

from simulators.oracles.course import FACES
from tests.oracles.evening import CHIEF, DEALER, INSPECTOR, MANAGER, Evening


def misdealt_unseen() -> Evening:
    """For the next who asks, who draws none; another for whom nobody asks, and it is discarded."""
    evening = Evening().in_play().deal(1, 2).act("draw-card", DEALER, seat=1).draw("3C")
    evening.act("report-misdealt", DEALER, seen=False).act("draw-card", DEALER, seat=2)
    evening.act("draw-card", DEALER, seat=2).draw("4C").act("report-misdealt", CHIEF, seen=False)
    return evening.turn().collected().put_back(9)


def misdealt_seen() -> Evening:
    """One of the deal is not taken away by the dealer; one that was asked for is annulled."""
    evening = Evening().in_play().announced().draw("9D")
    evening.refused("report-misdealt", DEALER, "card_came_while_players_ask", "pt.bj.18d", seen=True)
    evening.draw("8C").draw("7C").draw_down("KH").act("draw-card", DEALER, seat=1).draw("3C")
    return evening.act("report-misdealt", DEALER, seen=True).turn().collected().put_back(6)


def hand_collected() -> Evening:
    """What is out of play goes to the rack at once; the others play on (pt.bj.58)."""
    evening = Evening().in_play().deal(1, 2).act("collect-hand", DEALER, seat=1)
    evening.act("draw-card", DEALER, seat=2).draw("3C")
    return evening.turn().collected().put_back(8)


def turns_behind_collected_hands() -> Evening:
    """Seat 3 is paid at once and has had no turn; seat 1 asks, goes beyond 21 and is collected; then seat 2."""
    evening = Evening().in_play().deal(1, 2, 3).act("collect-hand", DEALER, seat=3)
    evening.act("draw-card", DEALER, seat=1).draw("3C").act("collect-hand", DEALER, seat=1)
    evening.act("draw-card", DEALER, seat=2).draw("4C").turn().act("draw-card", DEALER, seat=0).draw("5C")
    return evening.collected().put_back(12)


def aside_at_the_closing() -> Evening:
    """No round comes that would draw it: it joins the rack's cards (mo.6.1b)."""
    evening = Evening.of("pt-csm", bank_extra_card="valid-if-unseen").in_play().deal(1).turn()
    evening.act("draw-card", DEALER, seat=0).draw("3C").act("report-extra-card", DEALER, seen=False)
    return evening.collected().put_back(5).unloading().unloaded(FACES[:51]).act("enter-cards", DEALER, cards=FACES[51:])


def turn_given_back() -> Evening:
    """Seat 1 was passed over: it is ruled that it asks all the same, as often as it likes; then seat 2 goes on."""
    evening = Evening().in_play().deal(1, 2).act("draw-card", DEALER, seat=2).draw("3C")
    evening.act("call-for-ruling", DEALER, cause="dispute").act("make-ruling", CHIEF, outcome="turn-given-back")
    for seat in (1, 1, 2):
        evening.act("draw-card", DEALER, seat=seat).draw("4C")
    return evening.turn().collected().put_back(10)


def seen_twice() -> Evening:
    """There is one deck: one of the two was misread, and a supervisor names it anew; later one is of no deck at all."""
    evening = Evening().in_play().announced().draw("9D").draw("9C").card_out().read("9D").attend(1)
    evening.act("rename-card", CHIEF, seat=1, position=2, card="8D").clear(1).confirm(1).draw_down("KH")
    evening.act("rename-card", DEALER, seat=1, position=1, card="FOREIGN").attend(2).clear(2).confirm(2).draw("7D")
    return evening.turn()


def hole_exposed() -> Evening:
    evening = Evening().in_play().deal(1).act("report-hole-exposed", DEALER).draw_down("KH")
    return evening.turn().collected().put_back(6)


def extra_card() -> Evening:
    evening = Evening().in_play().deal(1).turn().act("draw-card", DEALER, seat=0).draw("3C")
    return evening.act("report-extra-card", DEALER, seen=True).collected().put_back(6)


def face_up_in_the_machine() -> Evening:
    """In the deal its place gets the next card; later the card that was asked for is owed again."""
    evening = Evening().in_play().announced().draw("9D").act("report-face-up-card", DEALER)
    evening.draw("9C").draw("8C").draw("7C").draw_down("KH").act("draw-card", DEALER, seat=1).draw("3C")
    return evening.act("report-face-up-card", DEALER).draw("4C").turn().collected().put_back(8)


def moved_in_the_deal() -> Evening:
    evening = Evening().in_play().announced(1, 2).draw("9D").act("move-card", DEALER, seat=1)
    for card in ("9C", "8C", "7C", "6C"):
        evening.draw(card)
    evening.draw_down("KH").act("draw-card", DEALER, seat=1).draw("3C")
    return evening.turn().collected().put_back(8)


def pending_for_the_next() -> Evening:
    """A card that nobody owed, and the hold for it ended: it lies aside."""
    evening = Evening().in_play().deal(1).draw_down("5H").act("report-misdealt", DEALER, seen=False)
    evening.attend(1).clear(1).confirm(1).act("draw-card", DEALER, seat=1)
    return evening.act("name-card", DEALER, card="5H").turn().collected().put_back(6)


def ruled() -> Evening:
    evening = Evening().in_play().deal(1).act("call-for-ruling", DEALER, cause="dispute")
    evening.act("make-ruling", CHIEF, outcome="continue").act("draw-card", DEALER, seat=1).draw("3C")
    evening.act("call-for-ruling", CHIEF, cause="deal-beyond-repair").act("make-ruling", CHIEF, outcome="round-void")
    return evening.act("collect-cards", DEALER).put_back(6)


def aside_and_ruled_away() -> Evening:
    """The card that lies aside was turned, and somebody decides that it is discarded (pt.bj.18f)."""
    evening = Evening().in_play().deal(1).act("draw-card", DEALER, seat=1).draw("3C")
    evening.act("report-misdealt", DEALER, seen=False).act("call-for-ruling", DEALER, cause="dispute")
    evening.act("make-ruling", CHIEF, outcome="card-discarded")
    return evening.turn().collected().put_back(6)


def one_spare_for_two() -> Evening:
    """Shuffler and reader are gone, one spare device comes, for the shuffler; the reader comes back itself."""
    evening = Evening().in_play().deal(1).lost().lost("shoe").act("call-for-ruling", DEALER, cause="device-malfunction")
    evening.act("make-ruling", CHIEF, outcome="spare-device").connect(shuffler="S2")
    evening.attend(2).clear(2).confirm(2).attend(1).clear(1).confirm(1)
    evening.attend(4).recounted(47).counted(rack=1, table=4).clear(4).confirm(4)
    return evening.turn()


def spare_device() -> Evening:
    """The reader fails in a round; another one stands in. Of a second failure it is ruled that it goes on with it."""
    evening = Evening().in_play().deal(1).lost("shoe").act("call-for-ruling", DEALER, cause="device-malfunction")
    evening.act("make-ruling", CHIEF, outcome="spare-device")
    evening.numbers["shoe"], evening.boots["shoe"] = 0, 9
    evening.connect(shoe="R2").attend(1).clear(1).confirm(1).lost("shoe")
    evening.act("call-for-ruling", DEALER, cause="device-malfunction").act("make-ruling", CHIEF, outcome="continue")
    return evening.connect(shoe="R2").attend(3).clear(3).confirm(3).turn().collected().put_back(5)


def voided_with_a_card_aside() -> Evening:
    """What was set aside counts no more than the others."""
    evening = Evening().in_play().deal(1).act("draw-card", DEALER, seat=1).draw("3C")
    evening.act("report-misdealt", DEALER, seen=False).act("call-for-ruling", DEALER, cause="dispute")
    evening.act("make-ruling", CHIEF, outcome="round-void").act("collect-cards", DEALER).put_back(6)
    return evening.deal(1).act("draw-card", DEALER, seat=1).draw("3C").turn().collected().put_back(5)


def inspector_decides() -> Evening:
    """Brazil's way, at a table with a shuffler."""
    evening = Evening.of("pt-csm", misdealt_unseen="inspector-decides", incident_authority="table_inspector")
    evening.in_play().deal(1).act("draw-card", DEALER, seat=1).draw("3C").act("report-misdealt", DEALER, seen=False)
    evening.act("make-ruling", INSPECTOR, outcome="card-to-next").act("draw-card", DEALER, seat=1)
    evening.act("report-misdealt", DEALER, seen=False).act("make-ruling", INSPECTOR, outcome="card-discarded")
    return evening.turn().collected().put_back(6)


def whole_deck_replaced() -> Evening:
    evening = Evening.of("pt-csm", damaged_card="deck").in_play().deal(1)
    evening.act("report-damaged-card", DEALER, card="9D").attend(1)
    evening.act("replace-deck", CHIEF, deck=1).confirm(1)
    evening.act("report-damaged-card", DEALER, card="9D").act("record-authorisation", MANAGER, reference="SRIJ 9")
    return evening.attend(2).act("replace-card", CHIEF, replacement="9D").confirm(2).turn().collected().put_back(5)


def leftovers_go_back() -> Evening:
    """Macau's way with what the machine would not take: it goes back as soon as it does, ruled on or not."""
    evening = Evening.of("pt-csm", leftovers="hold-next-round").in_play().deal(1).turn().collected()
    evening.act("leave-in-rack", DEALER).act("begin-putting-back", DEALER).card_in(2).act("leave-in-rack", DEALER)
    evening.put_back(3).deal(1).turn().collected().act("leave-in-rack", DEALER)
    evening.act("make-ruling", CHIEF, outcome="continue").put_back(4)
    return evening.deal(1).turn().collected().put_back(4)


def looked_at_before_and_after() -> Evening:
    """At the display and in the deck check: the whole deck, nothing to report, and what is new is displayed."""
    evening = Evening.of("pt-csm").begin().mixed().act("report-damaged-card", DEALER, card="9D").attend(1)
    evening.act("replace-deck", CHIEF, deck=1).confirm(1).act("confirm-display", DEALER)
    return evening.act("confirm-mixing", DEALER)


GOOD_CORRECTIONS: tuple[Callable[[], Evening], ...] = (
    leftovers_go_back,
    looked_at_before_and_after,
    hand_collected,
    turns_behind_collected_hands,
    aside_at_the_closing,
    seen_twice,
    turn_given_back,
    one_spare_for_two,
    misdealt_unseen,
    misdealt_seen,
    hole_exposed,
    extra_card,
    face_up_in_the_machine,
    moved_in_the_deal,
    pending_for_the_next,
    ruled,
    aside_and_ruled_away,
    spare_device,
    voided_with_a_card_aside,
    inspector_decides,
    whole_deck_replaced,
)
